/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: nobody asks. listen_loop waits in poll for a request that never comes, its pool for listen_loop. */
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "../queue.h"
#include "../work.h"

static struct queue requests = QUEUE_INITIALIZER;

ROUTINE static void *serve(void *none)
{
	for (;;) {
		queue_take(&requests);
		work_ms(1);
	}
	return none;
}

ROUTINE static void listen_loop(int in)
{
	for (int i = 0; i < 15; i++)
		if (poll(&(struct pollfd){.fd = in, .events = POLLIN}, 1, 100) > 0)
			queue_put(&requests);
}

int main(void)
{
	int ends[2];
	pthread_t thread;
	if (pipe(ends))
		return 1;
	for (int i = 0; i < 4; i++)
		pthread_create(&thread, NULL, serve, NULL);
	listen_loop(ends[0]);
	exit(0);
}
