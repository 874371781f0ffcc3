/* SPDX-License-Identifier: MIT */
/* random.h: what every program of generate.c shares, in C and in C++.
 *
 * A program is a table of routines that call each other, directly and through the table. `struct me` is the thread that runs: its fuel bounds
 * the calls, its place says what is around the running frame. All that a thread does follows from the number that it was started with, so the
 * checksum and the counts are the same in every run. Counts lie in memory that forked children share.
 *
 * Who jumps, throws or ends a thread does so only where the place allows it:
 *     landing      where siglongjmp may go: no destructor lies between
 *     tries        how many try blocks are around
 *     bound        whether the thread must come back: in a destructor, in a handler of a signal */
#ifndef SUBJECT_RANDOM_H
#define SUBJECT_RANDOM_H

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __cplusplus
#define ROUTINE extern "C" __attribute__((noinline)) /* so that names are plain */
#else
#define ROUTINE __attribute__((noinline)) static
#endif

struct place {
	sigjmp_buf *landing;
	int tries;
	int depth;
	int bound;
};

struct job;
struct me {
	struct place at;
	struct job *job;
	int fuel;
	int level; /* of threads: main's is 0 */
	int forks; /* that remain to this thread */
};

typedef uint32_t routine(struct me *me, uint32_t x);
extern routine *const table[]; /* the program's */
extern const char *const names[];
extern const unsigned routines, counters;

enum { THREAD_BEGINS, COMPARES, SIGNAL_COMES, SHARED_COUNTERS };
static unsigned long *counts; /* by counter: those of this file, then the program's */
static __thread struct me *running;

enum { MOST_DEPTH = 24 };

static inline void count(unsigned counter)
{
	__atomic_fetch_add(&counts[counter], 1, __ATOMIC_RELAXED);
}

/* enters: whether a routine that was counted may go on */
static inline int enters(struct me *me, unsigned counter)
{
	count(counter);
	if (--me->fuel <= 0 || me->at.depth == MOST_DEPTH)
		return 0;
	me->at.depth++;
	return 1;
}

/* aside: call a routine that must come back by returning */
static inline uint32_t aside(struct me *me, routine *run, uint32_t x)
{
	struct place before = me->at;
	me->at.landing = NULL;
	me->at.tries = 0;
	me->at.bound = 1;
	x = run(me, x);
	me->at = before;
	return x;
}

struct job {
	routine *run;
	uint32_t x;
	int fuel, level;
	uint32_t result;
};

static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;
static uint32_t total;

ROUTINE void *thread_begins(void *argument)
{
	struct job *job = (struct job *)argument;
	struct me me = {{NULL, 0, 0, 0}, job, job->fuel, job->level, 0};
	count(THREAD_BEGINS);
	running = &me;
	job->result = job->run(&me, job->x);
	return NULL;
}

/* team: some threads that run a routine each; the sum of what they found does not depend on who comes first */
static inline uint32_t team(struct me *me, routine *run, uint32_t x, int threads)
{
	struct job jobs[4];
	pthread_t thread[4];
	uint32_t sum = 0;
	if (me->level > 1 || me->at.bound || me->fuel < 40)
		return x;
	me->fuel /= 2;
	for (int i = 0; i < threads; i++) {
		struct job job = {i ? table[(x + (uint32_t)i) % routines] : run, x * 2654435761u + (uint32_t)i, me->fuel / threads, me->level + 1, 7};
		jobs[i] = job;
		if (pthread_create(&thread[i], NULL, thread_begins, &jobs[i]))
			abort();
	}
	for (int i = 0; i < threads; i++) {
		pthread_join(thread[i], NULL);
		sum += jobs[i].result;
	}
	pthread_mutex_lock(&adding);
	total += sum;
	pthread_mutex_unlock(&adding);
	return sum;
}

/* leave: this thread ends here, in the midst of its frames, by pthread_exit or because it cancels itself */
static inline void leave(struct me *me, uint32_t x)
{
	if (!me->level || me->at.bound)
		return;
	me->job->result = x;
	if (x & 1) {
		pthread_cancel(pthread_self());
		pthread_testcancel();
	}
	pthread_exit(NULL);
}

/* jump: to the landing, if there is one */
static inline void jump(struct me *me, uint32_t x)
{
	if (me->at.landing)
		siglongjmp(*me->at.landing, (int)(x % 100) + 1);
}

/* child: what a child process returns that runs a routine */
static inline uint32_t child(struct me *me, routine *run, uint32_t x)
{
	int status;
	pid_t pid;
	if (me->forks == 0 || me->at.bound || me->fuel < 20)
		return x;
	me->forks--;
	pid = fork();
	if (pid == 0) {
		me->fuel = 40;
		x = aside(me, run, x);
		if (x & 1)
			_exit((int)(x & 63));
		exit((int)(x & 63));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	return x + (uint32_t)status;
}

/* A comparison comes from qsort, which is foreign code. Now and then it leaves qsort by a jump or an exception. */
ROUTINE int compares(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	count(COMPARES);
	if ((left ^ right) % 29 == 0)
		jump(running, left);
#ifdef __cplusplus
	if ((left ^ right) % 23 == 0 && running->at.tries)
		throw left;
#endif
	return (left > right) - (left < right);
}

static inline uint32_t sorted(uint32_t x, int length)
{
	uint32_t numbers[16], sum = 0;
	for (int i = 0; i < length; i++)
		numbers[i] = x = x * 1664525 + 1013904223;
	qsort(numbers, (size_t)length, sizeof *numbers, compares);
	for (int i = 0; i < length; i++)
		sum = sum * 31 + numbers[i];
	return sum;
}

/* A signal that the thread sends itself: the handler calls a routine, then returns or jumps. */
ROUTINE void signal_comes(int number)
{
	struct me *me = running;
	count(SIGNAL_COMES);
	me->fuel -= 5;
	if (me->fuel > 0)
		aside(me, table[(unsigned)(me->fuel + number) % routines], (uint32_t)me->fuel);
	if (me->fuel % 3 == 0)
		jump(me, (uint32_t)me->fuel);
}

#ifdef __cplusplus
/* A guard's destructor calls a routine, whatever ends its block: the end, an exception, the end of the thread. */
struct guard {
	struct me *me;
	routine *run;
	struct place before;
	guard(struct me *mine, routine *runs) : me(mine), run(runs), before(mine->at)
	{
		me->at.landing = NULL;
	}
	~guard()
	{
		me->at = before;
		aside(me, run, (uint32_t)me->fuel);
	}
};

struct thrown {
	uint32_t x;
	virtual ~thrown() {}
};
struct thrown_more : thrown {
	uint32_t more;
};
#endif

/* Prints the checksum, the counts, and last how many children there were: some figures are of the first process only. */
static inline void program_runs(int rounds, int fuel, int forks)
{
	uint32_t sum = 1;
	unsigned long children = 0;
	struct sigaction action = {};
	action.sa_handler = signal_comes;
	sigaction(SIGUSR1, &action, NULL);
	counts = (unsigned long *)mmap(NULL, counters * sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < rounds; i++) {
		struct me me = {{NULL, 0, 0, 0}, NULL, fuel, 0, forks};
		running = &me;
		sum = sum * 33 + table[(unsigned)i % routines](&me, sum);
		children += (unsigned long)(forks - me.forks);
	}
	printf("checksum = %08X\n", sum ^ total);
	for (unsigned i = 0; i < counters; i++)
		printf("expect %s %lu\n", names[i], counts[i]);
	printf("children %lu\n", children);
}

#endif
