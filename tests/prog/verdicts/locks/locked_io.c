/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: fetch holds its lock while it waits in read for the reply of a slow service; three other threads wait for the lock. Their
 * own work is short: nothing is saved by working less with the lock, all by not waiting with it. */
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>
#include "../work.h"

enum { THREADS = 4, REQUESTS = 40 };

static pthread_mutex_t connection_lock = PTHREAD_MUTEX_INITIALIZER;
static int connection;

static void serve(int on)
{
	for (char request; read(on, &request, 1) == 1;) {
		usleep(5000);
		if (write(on, &request, 1) != 1)
			break;
	}
}

ROUTINE static int fetch(void)
{
	char request = 1;
	pthread_mutex_lock(&connection_lock);
	int ok = write(connection, &request, 1) == 1 && read(connection, &request, 1) == 1;
	pthread_mutex_unlock(&connection_lock);
	return ok;
}

static void *client(void *unused)
{
	for (int i = 0; i < REQUESTS && fetch(); i++)
		work_ms(1);
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
	int both[2];
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, both))
		return 1;
	if (fork() == 0) {
		close(both[0]);
		serve(both[1]);
		_exit(0);
	}
	close(both[1]);
	connection = both[0];
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, client, NULL))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
