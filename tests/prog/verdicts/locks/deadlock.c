/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: two threads hold a lock each and wait for the other one, in take_ab and take_ba, until SIGALRM ends the program. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include "../work.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
ROUTINE static void take_ab(void)
{
	pthread_mutex_lock(&a);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&b);
}
ROUTINE static void take_ba(void)
{
	pthread_mutex_lock(&b);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&a);
}
ROUTINE static void *one(void *n)
{
	take_ab();
	return n;
}
ROUTINE static void *two(void *n)
{
	take_ba();
	return n;
}
int main(void)
{
	pthread_t t[2];
	pthread_barrier_init(&both, 0, 2);
	pthread_create(&t[0], 0, one, 0);
	pthread_create(&t[1], 0, two, 0);
	alarm(2);
	pthread_join(t[0], 0);
	return 0;
}
