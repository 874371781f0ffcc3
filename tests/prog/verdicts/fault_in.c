/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: two threads, with even shares of the work, map, touch and free a large buffer for every request: nearly all CPU time is in
 * the kernel, for page faults, most of them in buffer_new. */
#include <pthread.h>
#include <stdlib.h>
#include "work.h"

enum { THREADS = 2, REQUESTS = 40, BYTES = 40 << 20, STEP = 1024 };

ROUTINE static char *buffer_new(void)
{
	char *buffer = malloc(BYTES);
	for (size_t i = 0; buffer && i < BYTES; i += STEP)
		((volatile char *)buffer)[i] = 1;
	return buffer;
}

ROUTINE static void buffer_free(char *buffer) { free(buffer); }

static void *serve(void *unused)
{
	for (int i = 0; i < REQUESTS; i++)
		buffer_free(buffer_new());
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, serve, NULL))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
