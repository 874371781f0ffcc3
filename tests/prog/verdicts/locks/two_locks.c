/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: stats_lock, in count_hit, is held for long; data_lock is not. */
#include <pthread.h>
#include "../work.h"
static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER, stats_lock = PTHREAD_MUTEX_INITIALIZER;
ROUTINE static void count_hit(void)
{
	pthread_mutex_lock(&stats_lock);
	work_ms(6);
	pthread_mutex_unlock(&stats_lock);
}
ROUTINE static void get(void)
{
	pthread_mutex_lock(&data_lock);
	work_ms(1);
	pthread_mutex_unlock(&data_lock);
}
ROUTINE static void *serve(void *n)
{
	for (int i = 0; i < 30; i++) {
		get();
		count_hit();
	}
	return n;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], 0, serve, 0);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	return 0;
}
