/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* entered: worker */
/* Each kind of waiting, once, for about 60 ms, in a routine of its own. A line "wait ROUTINE NS" is a lower bound of
 * what that routine waited. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "../count.h"

enum { MS = 60, STREAM_WAYS = 5 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, paper = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t written = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t start, barrier;
static sem_t semaphore;
static int tube[2], ready;
static FILE *stream;

ROUTINE static void nap(void)
{
	struct timespec time = {.tv_nsec = MS * 1000000L};
	while (nanosleep(&time, &time))
		;
}

/* The other side of every wait: has what the waiter wants, meets it at start, and keeps it waiting. */
ROUTINE static void *holder(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_rwlock_wrlock(&shared);
	pthread_barrier_wait(&start);
	nap();
	pthread_mutex_unlock(&lock);
	pthread_barrier_wait(&start);
	nap();
	pthread_rwlock_unlock(&shared);
	pthread_barrier_wait(&start);
	nap();
	pthread_mutex_lock(&paper);
	ready = 1;
	pthread_cond_signal(&written);
	pthread_mutex_unlock(&paper);
	pthread_barrier_wait(&start);
	nap();
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&start);
	nap();
	sem_post(&semaphore);
	pthread_barrier_wait(&start);
	nap();
	if (write(tube[1], "x", 1) != 1)
		return NULL;
	for (int i = 0; i < STREAM_WAYS; i++) {
		pthread_barrier_wait(&start);
		nap();
		if (write(tube[1], "7\n", 2) != 2)
			return NULL;
	}
	pthread_barrier_wait(&start);
	nap();
	return unused;
}

ROUTINE static void wait_lock(void) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); }
ROUTINE static void wait_rwlock(void) { pthread_rwlock_rdlock(&shared); pthread_rwlock_unlock(&shared); }
ROUTINE static void wait_barrier(void) { pthread_barrier_wait(&barrier); }
ROUTINE static void wait_semaphore(void) { while (sem_wait(&semaphore)) ; }
ROUTINE static void wait_io(void) { char c; while (read(tube[0], &c, 1) < 0) ; }
ROUTINE static void wait_fgets(void) { char line[9]; if (!fgets(line, sizeof line, stream)) abort(); }
ROUTINE static void wait_getline(void) { char *line = NULL; size_t room = 0; if (getline(&line, &room, stream) != 2) abort(); free(line); }
ROUTINE static void wait_fread(void) { char line[2]; if (fread(line, 1, 2, stream) != 2) abort(); }
ROUTINE static void wait_getc(void) { if (getc(stream) != '7' || getc(stream) != '\n') abort(); }
ROUTINE static void wait_fscanf(void) { int n; if (fscanf(stream, "%d", &n) != 1 || n != 7) abort(); }
ROUTINE static void wait_join(pthread_t thread) { pthread_join(thread, NULL); }

ROUTINE static void wait_condition(void)
{
	pthread_mutex_lock(&paper);
	while (!ready)
		pthread_cond_wait(&written, &paper);
	pthread_mutex_unlock(&paper);
}

static long now_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000L + time.tv_nsec;
}

/* Meets the holder, then waits for it. How long is measured here too: at least half of it must be found again. */
#define WAIT(routine, ...)                                                                                            \
	do {                                                                                                          \
		pthread_barrier_wait(&start);                                                                         \
		long began = now_ns();                                                                                \
		routine(__VA_ARGS__);                                                                                 \
		dprintf(1, "wait %s %ld\n", #routine, (now_ns() - began) / 2);                                        \
		expect(#routine, 1);                                                                                  \
	} while (0)

int main(void)
{
	pthread_t thread;
	pthread_barrier_init(&start, NULL, 2);
	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&semaphore, 0, 0);
	if (pipe(tube) || !(stream = fdopen(tube[0], "r")))
		return 1;
	pthread_create(&thread, NULL, holder, NULL);
	WAIT(wait_lock);
	WAIT(wait_rwlock);
	WAIT(wait_condition);
	WAIT(wait_barrier);
	WAIT(wait_semaphore);
	WAIT(wait_io);
	WAIT(wait_fgets);
	WAIT(wait_getline);
	WAIT(wait_fread);
	WAIT(wait_getc);
	WAIT(wait_fscanf);
	WAIT(wait_join, thread);
	nap();
	expect("nap", 8 + STREAM_WAYS);
	dprintf(1, "wait nap %d\n", (8 + STREAM_WAYS) * MS * 1000000);
	return 0;
}
