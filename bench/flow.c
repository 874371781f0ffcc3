/* SPDX-License-Identifier: MIT */
/* flow.c: the programs that bench/flow.sh measures, by their first argument. COUNT says how often.
 *
 *     own COUNT                 a lock that only this thread takes, locked and unlocked
 *     had COUNT                 a lock that another thread had before
 *     hand COUNT CORE [CORE]    two threads follow each other around a ring of three locks: each lock is passed on
 *     fight COUNT CORE [CORE]   two threads want one lock, for half of their time
 *     condition COUNT CORE [CORE], semaphore COUNT CORE [CORE], pipe COUNT CORE [CORE]
 *                               two threads wake each other: COUNT times in all
 *     both COUNT CORE [CORE]    two threads take two locks in turn: nearly each pair leaves a release in the log, and more where they meet
 *     barriers COUNT            empty barriers of two OpenMP threads
 *     tasks COUNT               OpenMP tasks that do nothing, created by one of two threads
 *     threads COUNT             threads that do nothing, created and joined one by one
 *
 * The first CORE is where all threads run, the second one where the other of the two does. Prints `cpu_ns` and `wall_ns` of it all, and
 * `ended_ns`, the time of day at the end. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void check(int error)
{
	if (!error)
		return;
	fprintf(stderr, "flow: %s\n", strerror(error));
	exit(1);
}

static void *waits(void *pipe)
{
	char c;
	if (read(*(int *)pipe, &c, 1))
		check(errno);
	return NULL;
}

/* A thousand turns take a few hundred nanoseconds. */
static void works(long turns)
{
	for (long i = 0; i < turns; i++)
		__asm__ volatile("");
}

static void stay_on(int core)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(core, &one);
	if (sched_setaffinity(0, sizeof one, &one))
		check(errno);
}

/* Two threads run it: number 0 and number 1. */
static long count;
static int other_core = -1;
static pthread_barrier_t both_there;
static void meet(void *number)
{
	if (number && other_core >= 0)
		stay_on(other_core);
	pthread_barrier_wait(&both_there);
}

static void together(void *(*run)(void *number))
{
	pthread_t thread[2];
	check(pthread_barrier_init(&both_there, NULL, 2));
	for (long i = 0; i < 2; i++)
		check(pthread_create(&thread[i], NULL, run, (void *)i));
	for (int i = 0; i < 2; i++)
		check(pthread_join(thread[i], NULL));
}

/* ---- locks ---- */

static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

/* Another thread is there, so that locks are real. */
static void own(void)
{
	pthread_t other;
	int ends[2];
	if (pipe(ends))
		check(errno);
	check(pthread_create(&other, NULL, waits, ends));
	for (long i = 0; i < count; i++) {
		pthread_mutex_lock(&locks[0]);
		pthread_mutex_unlock(&locks[0]);
	}
	close(ends[1]);
	check(pthread_join(other, NULL));
}

static void *has_it(void *lock)
{
	pthread_mutex_lock(lock);
	pthread_mutex_unlock(lock);
	return lock;
}

static void had(void)
{
	pthread_t other;
	check(pthread_create(&other, NULL, has_it, &locks[0]));
	check(pthread_join(other, NULL));
	own();
}

/* Each has a lock of the ring and wants the next one. There is one lock more than threads, so one of them can always go on, and never far. */
static void *hands_on(void *number)
{
	int mine = number != NULL;
	pthread_mutex_lock(&locks[mine]);
	meet(number);
	for (long i = 0; i < count / 2; i++) {
		int next = (mine + 1) % 3;
		pthread_mutex_lock(&locks[next]);
		pthread_mutex_unlock(&locks[mine]);
		mine = next;
	}
	pthread_mutex_unlock(&locks[mine]);
	return NULL;
}

static void hand(void) { together(hands_on); }

static void *fights(void *number)
{
	meet(number);
	for (long i = 0; i < count / 2; i++) {
		pthread_mutex_lock(&locks[0]);
		works(1000);
		pthread_mutex_unlock(&locks[0]);
		works(1000);
	}
	return number;
}

static void fight(void) { together(fights); }

static void *takes_both(void *number)
{
	meet(number);
	for (long i = 0; i < count / 2; i++) {
		pthread_mutex_lock(&locks[i & 1]);
		pthread_mutex_unlock(&locks[i & 1]);
	}
	return number;
}

static void both(void) { together(takes_both); }

/* ---- two threads that wake each other ---- */

static void *speaks(void *number)
{
	static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
	static long turn;
	long mine = (long)number;
	meet(number);
	pthread_mutex_lock(&locks[0]);
	for (long i = 0; i < count / 2; i++) {
		while (turn != mine)
			pthread_cond_wait(&changed, &locks[0]);
		turn = 1 - mine;
		pthread_cond_signal(&changed);
	}
	pthread_mutex_unlock(&locks[0]);
	return NULL;
}

static void condition(void) { together(speaks); }

static sem_t tokens[2];
static void *posts(void *number)
{
	int mine = number != NULL;
	meet(number);
	for (long i = 0; i < count / 2; i++) {
		while (sem_wait(&tokens[mine]))
			;
		sem_post(&tokens[1 - mine]);
	}
	return NULL;
}

static void semaphore(void)
{
	if (sem_init(&tokens[0], 0, 1) || sem_init(&tokens[1], 0, 0))
		check(errno);
	together(posts);
}

static int pipes[2][2];
static void *passes_on(void *number)
{
	int mine = number != NULL;
	char c = 0;
	meet(number);
	for (long i = 0; i < count / 2; i++)
		if (read(pipes[mine][0], &c, 1) != 1 || write(pipes[1 - mine][1], &c, 1) != 1)
			check(errno);
	return NULL;
}

static void by_pipe(void)
{
	if (pipe(pipes[0]) || pipe(pipes[1]) || write(pipes[0][1], "", 1) != 1)
		check(errno);
	together(passes_on);
}

/* ---- OpenMP and threads ---- */

static void barriers(void)
{
#pragma omp parallel num_threads(2)
	for (long i = 0; i < count; i++) {
#pragma omp barrier
	}
}

static void tasks(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (long i = 0; i < count; i++) {
#pragma omp task
		__asm__ volatile("");
		if (i % 200 == 199) {
#pragma omp taskwait
		}
	}
}

static void *nothing(void *unused) { return unused; }

static void threads(void)
{
	for (long i = 0; i < count; i++) {
		pthread_t thread;
		check(pthread_create(&thread, NULL, nothing, NULL));
		check(pthread_join(thread, NULL));
	}
}

/* ---- all ---- */

static const struct {
	const char *name;
	void (*run)(void);
} parts[] = {{"own", own},
             {"had", had},
             {"hand", hand},
             {"fight", fight},
             {"both", both},
             {"condition", condition},
             {"semaphore", semaphore},
             {"pipe", by_pipe},
             {"barriers", barriers},
             {"tasks", tasks},
             {"threads", threads}};

int main(int argc, char **argv)
{
	count = argc > 2 ? atol(argv[2]) : 0;
	if (argc > 3)
		stay_on(atoi(argv[3]));
	if (argc > 4)
		other_core = atoi(argv[4]);
	for (size_t i = 0; argc > 2 && i < sizeof parts / sizeof *parts; i++) {
		if (strcmp(argv[1], parts[i].name) != 0)
			continue;
		long wall = clock_ns(CLOCK_MONOTONIC), cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		parts[i].run();
		cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
		wall = clock_ns(CLOCK_MONOTONIC) - wall;
		printf("cpu_ns %ld wall_ns %ld ended_ns %ld\n", cpu, wall, clock_ns(CLOCK_REALTIME));
		return 0;
	}
	fprintf(stderr, "usage: flow PART COUNT [CORE [CORE]]   (the parts are at the top of bench/flow.c)\n");
	return 2;
}
