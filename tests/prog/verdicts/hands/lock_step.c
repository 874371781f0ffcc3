/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: the parent sends a job to a child process and waits for the reply in submit_job at once, so that one child works at a
 * time. The wait itself is in full_read, which children use, too. */
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../work.h"

enum { WORKERS = 3, JOBS = 120 };

static int channel[WORKERS];

ROUTINE static int full_read(int from, void *to, size_t bytes) { return read(from, to, bytes) == (ssize_t)bytes; }

ROUTINE static void crunch(void) { work_ms(5); }

static void serve(int on)
{
	for (int job; full_read(on, &job, sizeof job);) {
		crunch();
		if (write(on, &job, sizeof job) != sizeof job)
			break;
	}
}

ROUTINE static void submit_job(int worker, int job)
{
	int reply;
	if (write(channel[worker], &job, sizeof job) != sizeof job || !full_read(channel[worker], &reply, sizeof reply))
		exit(1);
}

int main(void)
{
	for (int i = 0; i < WORKERS; i++) {
		int both[2];
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, both))
			return 1;
		if (fork() == 0) {
			for (int k = 0; k < i; k++)
				close(channel[k]);
			close(both[0]);
			serve(both[1]);
			exit(0);
		}
		close(both[1]);
		channel[i] = both[0];
	}
	for (int job = 0; job < JOBS; job++)
		submit_job(job % WORKERS, job);
	for (int i = 0; i < WORKERS; i++)
		close(channel[i]);
	while (wait(NULL) > 0)
		;
	return 0;
}
