/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: fetch holds the one lock `connection` while it waits for the answer of another process. */
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "work.h"

enum { THREADS = 4, ROUNDS = 30 };

static pthread_mutex_t connection = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];

ROUTINE static void serve(void)
{
	char request;
	while (read(ends[1], &request, 1) == 1) {
		usleep(5000);
		if (write(ends[1], &request, 1) != 1)
			break;
	}
}

ROUTINE static void fetch(void)
{
	char request = 'q';
	pthread_mutex_lock(&connection);
	if (write(ends[0], &request, 1) != 1 || read(ends[0], &request, 1) != 1)
		_exit(1);
	pthread_mutex_unlock(&connection);
}

ROUTINE static void *price(void *none)
{
	for (int i = 0; i < ROUNDS; i++) {
		fetch();
		work_ms(1);
	}
	return none;
}

int main(void)
{
	pthread_t threads[THREADS];
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return 1;
	if (fork() == 0) {
		close(ends[0]);
		serve();
		return 0;
	}
	close(ends[1]);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, price, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	close(ends[0]);
	wait(NULL);
	return 0;
}
