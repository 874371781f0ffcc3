/* flags: -O2 -g -pthread */
/* True cause: serve waits in poll for requests that come slowly, since ask sleeps between them; its own work is short, and dividing it would bring nothing. */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>
#include "../work.h"

enum { REQUESTS = 60 };

static int requests[2];

ROUTINE static void serve(void)
{
	for (int i = 0; i < REQUESTS; i++) {
		char request;
		poll(&(struct pollfd){.fd = requests[0], .events = POLLIN}, 1, -1);
		if (read(requests[0], &request, 1) != 1)
			return;
		work_ms(2);
	}
}

ROUTINE static void *ask(void *none)
{
	for (int i = 0; i < REQUESTS; i++) {
		usleep(20000);
		if (write(requests[1], "", 1) != 1)
			break;
	}
	return none;
}

int main(void)
{
	pthread_t client;
	if (pipe(requests) < 0)
		return 1;
	pthread_create(&client, NULL, ask, NULL);
	serve();
	pthread_join(client, NULL);
	return 0;
}
