/* SPDX-License-Identifier: MIT */
/* truth.h: what a program with threads knows of its own run, so that the flow lens can be held against it.
 *
 *     struct thing table_lock = {.name = "table_lock"};
 *     truth_begin();
 *     int worker = truth_create(body, NULL);
 *     truth_lock(&table_lock, &mutex);         truth_unlock
 *     truth_work(3 * MS);                      three milliseconds of the thread's own CPU clock
 *     truth_join(worker);
 *     truth_print();
 *
 * Each operation writes down how much CPU time its thread had used: before the call, and when it was over. What threads release is written
 * down before they do, what they acquire once they have it. So the list is in an order in which the run could have happened, and the
 * minimum is found by going through it once: a thread's position grows by the CPU time that it used since its last operation, and is raised
 * to the position of what it waited for. That is the lens's question asked of other clocks: no tick counter, no context switches.
 *
 * A host may take the processor away from a virtual machine. The CPU clock leaves that out, and no context switch tells it: to the lens it
 * is work. So the minimum lies between two: of CPU time, and of time on a core, which is all time but that in which the thread was ready
 * to run and had none (/proc/thread-self/schedstat).
 *
 * Waiting is known between bounds: what surely belongs to it, and what may.
 * Limits: the program's first moments, its last ones and the calls that wait themselves are in the lens's figures and not in these. */
#ifndef TRUTH_H
#define TRUTH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ROUTINE __attribute__((noinline))
enum { MS = 1000000, TRUTH_THREADS = 16, TRUTH_ENTRIES = 20000, TRUTH_POINTS = 400 };

/* By which clock. */
enum { CPU, ON_CORE, CLOCKS };

/* A place in the shortest run, by each clock, and how much of the way to it is in which thread. */
struct position {
	uint64_t at[CLOCKS], of[TRUTH_THREADS];
};

/* What a thread's clocks say. */
struct moment {
	uint64_t cpu, wall, no_core; /* no_core: for how long it was ready to run without one */
};

/* What can be waited for. */
struct thing {
	const char *name;
	int parties;                            /* of a barrier */
	unsigned tokens;                        /* of a semaphore, at first */
	struct position released, unshared;     /* of a lock */
	struct position points[TRUTH_POINTS];   /* of a semaphore: posts; of a barrier: arrivals of each turn */
	unsigned sent, taken;                   /* posts and takes; arrivals and passages */
	uint64_t sent_at[TRUTH_POINTS];         /* wall clock, likewise */
	uint64_t acquired, released_at;
	uint64_t waited[2]; /* at least, at most */
	struct thing *next;                     /* of those that have a name to print */
	_Atomic int is_listed;
};

enum truth_op { CREATE, BEGIN, END, JOIN, ACQUIRE, RELEASE, SHARE, UNSHARE, POST, TAKE, ARRIVE, PASS };

struct entry {
	enum truth_op op;
	int thread, other; /* other: who is created or joined */
	struct thing *thing;
	struct moment before, after; /* of work: it ended before the call that may wait, and goes on after it */
	_Atomic int is_written;
};

struct truth_thread {
	pthread_t handle;
	void *(*body)(void *);
	void *argument;
	struct position now, created, ended;
	struct moment last;
	uint64_t work[CLOCKS];
	int tid;
};

static struct {
	struct entry entries[TRUTH_ENTRIES];
	struct truth_thread threads[TRUTH_THREADS];
	_Atomic int entry_count, thread_count;
	struct thing *_Atomic things;
} truth;
static _Thread_local int truth_me, truth_schedstat;
static _Thread_local struct moment truth_left; /* behind its last operation */

static inline uint64_t truth_clock(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline uint64_t truth_cpu(void)
{
	return truth_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* By system calls of its own, so that this is no input of the program. 0: the kernel does not tell. */
static inline uint64_t truth_no_core(void)
{
	char text[80] = "";
	if (truth_schedstat <= 0)
		truth_schedstat = (int)syscall(SYS_open, "/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	if (syscall(SYS_pread64, truth_schedstat, text, sizeof text - 1, 0) <= 0)
		return 0;
	const char *second = strchr(text, ' ');
	return second ? strtoull(second, NULL, 10) : 0;
}

static inline struct moment truth_now(void)
{
	return (struct moment){truth_cpu(), truth_clock(CLOCK_MONOTONIC), truth_no_core()};
}

/* ---- writing down ---- */

static inline void truth_list(struct thing *t)
{
	if (!t || !t->name || atomic_exchange(&t->is_listed, 1))
		return;
	t->next = truth.things;
	while (!atomic_compare_exchange_weak(&truth.things, &t->next, t))
		;
}

/* Takes the next place in the list: before a release, behind an acquisition. */
static inline struct entry *truth_entry(enum truth_op op, struct thing *thing, int other)
{
	int i = atomic_fetch_add(&truth.entry_count, 1);
	if (i >= TRUTH_ENTRIES)
		abort();
	truth_list(thing);
	truth.entries[i].op = op;
	truth.entries[i].thing = thing;
	truth.entries[i].other = other;
	truth.entries[i].thread = truth_me;
	return &truth.entries[i];
}

/* A call that may let others go on. */
#define TRUTH_SEND(op, thing, other, call)                            \
	do {                                                          \
		struct entry *entry_ = truth_entry(op, thing, other); \
		entry_->before = entry_->after = truth_now();         \
		truth_left = entry_->after;                           \
		call;                                                 \
		entry_->is_written = 1;                               \
	} while (0)

/* The thread goes on, and worked until `before`. */
static inline void truth_got(enum truth_op op, struct thing *thing, int other, struct moment before)
{
	struct entry *entry = truth_entry(op, thing, other);
	entry->before = before;
	entry->after = truth_left = truth_now();
	entry->is_written = 1;
}

/* A call that may wait: what it uses of a core itself is not work. */
#define TRUTH_RECEIVE(op, thing, other, call)          \
	do {                                           \
		struct moment before_ = truth_now();   \
		call;                                  \
		truth_got(op, thing, other, before_);  \
	} while (0)

/* Macros, so that the call is the routine's own. */
#define truth_lock(thing, mutex) TRUTH_RECEIVE(ACQUIRE, thing, 0, pthread_mutex_lock(mutex))
#define truth_unlock(thing, mutex) TRUTH_SEND(RELEASE, thing, 0, pthread_mutex_unlock(mutex))
#define truth_post(thing, semaphore) TRUTH_SEND(POST, thing, 0, sem_post(semaphore))
#define truth_take(thing, semaphore) TRUTH_RECEIVE(TAKE, thing, 0, sem_wait(semaphore))
#define truth_pass(thing, barrier)                                       \
	do {                                                             \
		TRUTH_SEND(ARRIVE, thing, 0, (void)0);                   \
		TRUTH_RECEIVE(PASS, thing, 0, pthread_barrier_wait(barrier)); \
	} while (0)

/* Who hears a signal has to take the lock that the sender had: the condition itself orders nothing that the lock does not. */
#define truth_hear(condition, thing, mutex)                                        \
	do {                                                                       \
		TRUTH_SEND(RELEASE, thing, 0, (void)0);                            \
		TRUTH_RECEIVE(ACQUIRE, thing, 0, pthread_cond_wait(condition, mutex)); \
	} while (0)

/* ---- threads ---- */

static inline void *truth_body(void *number)
{
	struct truth_thread *t = &truth.threads[(intptr_t)number];
	truth_me = (int)(intptr_t)number;
	t->tid = gettid();
	t->last.wall = truth_clock(CLOCK_MONOTONIC);
	t->last.no_core = truth_no_core();
	TRUTH_SEND(BEGIN, NULL, 0, (void)0);
	void *result = t->body(t->argument);
	TRUTH_SEND(END, NULL, 0, (void)0);
	return result;
}

static inline void truth_begin(void)
{
	truth.threads[0].last = truth_now();
	truth.threads[0].tid = gettid();
	truth.thread_count = 1;
}

static inline int truth_create(void *(*body)(void *), void *argument)
{
	int number = atomic_fetch_add(&truth.thread_count, 1);
	if (number >= TRUTH_THREADS)
		abort();
	truth.threads[number].body = body;
	truth.threads[number].argument = argument;
	TRUTH_SEND(CREATE, NULL, number, pthread_create(&truth.threads[number].handle, NULL, truth_body, (void *)(intptr_t)number));
	return number;
}

static inline void truth_join(int number)
{
	TRUTH_RECEIVE(JOIN, NULL, number, pthread_join(truth.threads[number].handle, NULL));
}

/* Returns the CPU time that the work really took. */
static ROUTINE uint64_t truth_work(uint64_t ns)
{
	uint64_t from = truth_cpu(), now;
	do {
		for (volatile int i = 0; i < 1000; i++)
			;
		now = truth_cpu();
	} while (now - from < ns);
	return now - from;
}

/* ---- the shortest run ---- */

static inline void truth_raise(struct position *p, const struct position *to)
{
	uint64_t on_core = p->at[ON_CORE] > to->at[ON_CORE] ? p->at[ON_CORE] : to->at[ON_CORE];
	if (to->at[CPU] > p->at[CPU])
		*p = *to;
	p->at[ON_CORE] = on_core;
}

/* The thread has worked until then. */
static inline void truth_advance(int thread, const struct moment *now)
{
	struct truth_thread *me = &truth.threads[thread];
	uint64_t cpu = now->cpu - me->last.cpu, all = now->wall - me->last.wall, no_core = now->no_core - me->last.no_core;
	uint64_t on_core = all > no_core + cpu ? all - no_core : cpu;
	me->now.at[CPU] += cpu;
	me->now.at[ON_CORE] += on_core;
	me->now.of[thread] += cpu;
	me->work[CPU] += cpu;
	me->work[ON_CORE] += on_core;
	me->last = *now;
}

static inline uint64_t truth_beyond(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* It has waited from the call until `sent`, if that came later, and at most until it went on. */
static inline void truth_waited(struct thing *t, const struct entry *e, uint64_t sent)
{
	t->waited[0] += truth_beyond(sent, e->before.wall);
	t->waited[1] += e->after.wall - e->before.wall;
}

static inline void truth_acquire(struct truth_thread *me, struct thing *t, const struct entry *e)
{
	truth_raise(&me->now, &t->released);
	if (e->op == ACQUIRE)
		truth_raise(&me->now, &t->unshared);
	t->acquired++;
	truth_waited(t, e, t->released_at);
}

static inline void truth_release(const struct truth_thread *me, struct thing *t, const struct entry *e)
{
	if (e->op == RELEASE) {
		t->released = me->now;
		t->unshared = (struct position){0};
	} else {
		truth_raise(&t->unshared, &me->now);
	}
	t->released_at = e->before.wall;
}

static inline void truth_counted(struct truth_thread *me, struct thing *t, const struct entry *e)
{
	unsigned parties = t->parties ? (unsigned)t->parties : 1;
	if (e->op == POST || e->op == ARRIVE) {
		unsigned point = t->sent++ / parties;
		truth_raise(&t->points[point], &me->now);
		t->sent_at[point] = e->before.wall;
		return;
	}
	t->acquired++;
	if (t->tokens) {
		t->tokens--;
		truth_waited(t, e, 0);
		return;
	}
	unsigned point = t->taken++ / parties;
	truth_raise(&me->now, &t->points[point]);
	truth_waited(t, e, t->sent_at[point]);
}

static inline void truth_step(const struct entry *e)
{
	struct truth_thread *me = &truth.threads[e->thread], *other = &truth.threads[e->other];
	if (!e->is_written)
		abort();
	truth_advance(e->thread, &e->before);
	switch (e->op) {
	case CREATE: other->created = me->now; break;
	case BEGIN: truth_raise(&me->now, &me->created); break;
	case END: me->ended = me->now; break;
	case JOIN: truth_raise(&me->now, &other->ended); break;
	case ACQUIRE:
	case SHARE: truth_acquire(me, e->thing, e); break;
	case RELEASE:
	case UNSHARE: truth_release(me, e->thing, e); break;
	default: truth_counted(me, e->thing, e); break;
	}
	me->last = e->after;
}

/* The first thread prints, when all others have been joined. */
static inline void truth_print(void)
{
	struct truth_thread *me = &truth.threads[0];
	struct moment end = truth_now();
	for (int i = 0; i < truth.entry_count; i++)
		truth_step(&truth.entries[i]);
	truth_advance(0, &end);
	printf("minimum_ns %" PRIu64 " %" PRIu64 "\n", me->now.at[CPU], me->now.at[ON_CORE]);
	for (int i = 0; i < truth.thread_count; i++)
		printf("thread %d tid %d work %" PRIu64 " %" PRIu64 " critical %" PRIu64 "\n", i, truth.threads[i].tid,
		       truth.threads[i].work[CPU], truth.threads[i].work[ON_CORE], me->now.of[i]);
	for (const struct thing *t = truth.things; t; t = t->next)
		printf("object %s acquisitions %" PRIu64 " waited %" PRIu64 " %" PRIu64 "\n", t->name, t->acquired, t->waited[0], t->waited[1]);
}

#endif
