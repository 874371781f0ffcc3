/* SPDX-License-Identifier: MIT */
/* workers.c: what a runtime has to bear in a short life: threads, locks, a signal, a child process, a file of its own.
 *
 *     workers FILE        CALLS calls of `turn` in all; FILE gets the CPU time of the process and its child in nanoseconds
 *
 * Prints what must be the same whatever fails in a runtime: the result, the signals that are blocked, errno, the lowest free
 * descriptor, what the child returned. Exit status 7. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, PER_THREAD = 400, IN_CHILD = 100, ROUNDS = 50000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all;
static uint64_t sum;
static atomic_int signals;

__attribute__((noinline)) static uint64_t turn(uint64_t i)
{
	uint64_t x = i;
	for (int n = 0; n < ROUNDS; n++)
		x = x * 6364136223846793005u + i;
	return x;
}

static void count_signal(int number)
{
	atomic_fetch_add(&signals, number == SIGUSR1);
}

static void *work(void *from)
{
	pthread_barrier_wait(&all);
	for (uint64_t i = 0; i < PER_THREAD; i++) {
		uint64_t x = turn((uintptr_t)from + i);
		pthread_mutex_lock(&lock);
		sum += x;
		pthread_mutex_unlock(&lock);
		if (i == PER_THREAD / 2)
			raise(SIGUSR1);
	}
	return NULL;
}

static int child(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		uint64_t x = 0;
		for (uint64_t i = 0; i < IN_CHILD; i++)
			x += turn(i);
		exit((int)(x & 63));
	}
	int status = -1;
	waitpid(pid, &status, 0);
	return status;
}

static int blocked(void)
{
	sigset_t now;
	int n = 0;
	sigprocmask(SIG_SETMASK, NULL, &now);
	for (int i = 1; i < 64; i++)
		n += sigismember(&now, i) == 1;
	return n;
}

static void write_cpu_time(const char *path)
{
	struct timespec t = {0};
	struct rusage child = {0};
	FILE *f = fopen(path, "w");
	if (!f)
		return;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	getrusage(RUSAGE_CHILDREN, &child);
	fprintf(f, "%lld\n", (long long)(t.tv_sec + child.ru_utime.tv_sec) * 1000000000 + t.tv_nsec + (long long)child.ru_utime.tv_usec * 1000);
	fclose(f);
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	errno = 0;
	signal(SIGUSR1, count_signal);
	pthread_barrier_init(&all, NULL, THREADS);
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i * PER_THREAD)); /* NOLINT: a number */
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	int error = errno, status = child(), lowest = dup(0);
	printf("sum %llu, signals %d, blocked %d, errno %d, child %d, descriptor %d\n", (unsigned long long)sum, atomic_load(&signals), blocked(), error,
	       status, lowest);
	if (argc > 1)
		write_cpu_time(argv[1]);
	return 7;
}
