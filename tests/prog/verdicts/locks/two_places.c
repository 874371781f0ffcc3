/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: four threads wait for one lock in update, each for a while; another thread waits in one place, longer than any one
 * of the four, but not longer than all of them. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "../work.h"

enum { THREADS = 4, ROUNDS = 30 };

static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int is_over;

ROUTINE static void update(void)
{
	pthread_mutex_lock(&shared_lock);
	work_ms(5);
	pthread_mutex_unlock(&shared_lock);
}

ROUTINE static void *change(void *none)
{
	for (int i = 0; i < ROUNDS; i++)
		update();
	return none;
}

ROUTINE static void read_log(int in)
{
	char byte;
	while (!is_over && read(in, &byte, 1) == 1)
		;
}

ROUTINE static void *follow(void *in)
{
	read_log(*(int *)in);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS], follower;
	static int ends[2];
	if (pipe(ends))
		return 1;
	pthread_create(&follower, NULL, follow, &ends[0]);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, change, NULL);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		if (write(ends[1], "x", 1) != 1)
			return 1;
	}
	is_over = 1;
	close(ends[1]);
	pthread_join(follower, NULL);
	return 0;
}
