/* SPDX-License-Identifier: MIT */
/* threads.c: threads begin, wait and end.
 *
 * Problem: ends must be seen however a thread leaves (return, pthread_exit, cancellation), as late as possible, and
 * ten million short threads must not fill the disk.
 * Idea: each thread sets a key whose destructor sets it again until the last round, so that it ends after the
 * subject's own destructors. The first THREADS_APART threads have a record each; from then on all threads of a lane
 * share one: number, creator and start of the first, tid 0, end and name of the last, sums of CPU time and waits.
 *
 * What a thread's own state is made of (waiting, lane, n_working) changes in an order that lets a signal handler come
 * between any two steps: `waiting` is set first and cleared last, and a handler's waits are then part of it.
 *
 * A wait that never ends, because the process does, must not look like work. So a wait's beginning is in its lane, where
 * another thread can move it on (threads_wait_split) and enter what lies behind: whoever takes a stretch out of wait_from,
 * enters it. */
#include "threads/threads.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "arch/arch.h"
#include "raw/kernel.h"
#include "raw/writer.h"
#include "threads/arena.h"
#include "threads/client.h"
#include "threads/lanes.h"

#define THREADS_APART 4096u

_Static_assert(THREADS_ENDED == PTHREAD_DESTRUCTOR_ITERATIONS, "a thread ends in the last round");

_Atomic uint64_t skein_n_working;

/* For a client that reads the number seldom: one word for all is fought over where tasks begin and end to wait all the time. */
#define SHARES 16u
static struct {
	_Alignas(ARCH_APART_BYTES) _Atomic uint64_t working;
} shares[SHARES];

struct threads_client threads_client;

static struct {
	atomic_bool started;
	pthread_key_t key;
	_Atomic uint32_t threads; /* begun so far: the next one's number */
	atomic_uint records;
} module;

/* Written by threads without a record of their own or in a lane, read by nobody. */
static struct raw_thread unrecorded;

bool threads_started(void)
{
	return atomic_load_explicit(&module.started, memory_order_acquire);
}

static void raise_to(uint32_t *field, uint32_t value)
{
	uint32_t now = __atomic_load_n(field, __ATOMIC_RELAXED);

	while (now < value && !__atomic_compare_exchange_n(field, &now, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static uint32_t next_number(void)
{
	uint32_t number = atomic_fetch_add(&module.threads, 1);

	__atomic_fetch_add(&raw_header()->threads, 1, __ATOMIC_RELAXED);
	return number;
}

/* A record of the thread's own while there are few, then its lane's. */
static struct raw_thread *record_for(struct lane *lane, uint32_t number, uint32_t creator)
{
	struct raw_thread *record = lane->shared;
	bool apart = atomic_load(&module.records) < THREADS_APART && atomic_fetch_add(&module.records, 1) < THREADS_APART;

	if (!apart && record)
		return record;
	record = raw_add(RAW_PENDING, sizeof *record);
	if (!record)
		return &unrecorded;
	record->number = number;
	record->lane = lane->number;
	record->creator = creator;
	record->start_tsc = arch_tick();
	record->tid = apart ? kernel_tid() : 0;
	if (!apart)
		lane->shared = record;
	raw_done(&record->record, RAW_THREAD);
	return record;
}

static _Atomic uint64_t *counter_of(const struct lane *lane)
{
	return threads_client.counts_apart ? &shares[lane->number % SHARES].working : &skein_n_working;
}

uint64_t threads_working(void)
{
	uint64_t working = atomic_load_explicit(&skein_n_working, memory_order_relaxed);

	for (unsigned i = 0; threads_client.counts_apart && i < SHARES; i++)
		working += atomic_load_explicit(&shares[i].working, memory_order_relaxed);
	return working;
}

/* The lane's flag and the sum of all flags change together, unless a jump out of a signal handler comes between
 * them: see threads_jump. */
static void set_working(struct lane *lane, unsigned working)
{
	struct skein_self *self = &skein_self;

	if (atomic_load_explicit(&lane->working, memory_order_relaxed) == working)
		return;
	self->changing = 1;
	atomic_store_explicit(&lane->working, working, memory_order_relaxed);
	atomic_fetch_add_explicit(counter_of(lane), working ? 1 : UINT64_MAX, memory_order_relaxed);
	self->changing = 0;
}

/* Other threads may be between flag and sum while this one counts, so only a difference that stays is believed. */
static void recount(void)
{
	uint64_t off = 0;

	for (unsigned seen = 0, tries = 0; seen < 10 && tries < 1000; tries++) {
		uint64_t now = threads_working();
		for (unsigned i = 0; i < lane_count(); i++)
			now -= atomic_load(&lane_at(i)->working);
		seen = now == off ? seen + 1 : 0;
		off = now;
	}
	atomic_fetch_sub(&skein_n_working, off);
}

void threads_jump(void)
{
	struct skein_self *self = &skein_self;

	if (self->changing && self->lane) {
		atomic_store(&self->lane->working, 1);
		self->changing = 0;
		recount();
	}
	threads_wait_end();
}

static void take_name(struct raw_thread *record)
{
	prctl(PR_GET_NAME, record->name);
}

static void settle(struct skein_self *self, struct lane *lane, uint32_t creator)
{
	self->record = record_for(lane, self->number, creator == UINT32_MAX ? self->number : creator);
	lane->cpu_before_ns = self->record->cpu_ns;
	self->record->end_tsc = 0;
	take_name(self->record);
	atomic_store(&lane->self, self);
	atomic_store(&lane->handle, pthread_self());
	atomic_store(&lane->tid, kernel_tid());
	atomic_store(&lane->thread, self->record);
	atomic_store_explicit(&lane->alive, 1, memory_order_release);
	raise_to(&raw_header()->workers, lane_count());
	self->lane = lane;
}

/* A signal handler met the thread before its start function did: what it inherits is adopted. */
static void inherit_late(struct skein_self *self, uint32_t creator, void *inherited)
{
	self->inside++;
	self->met_early = 1;
	self->inherited = inherited;
	if (self->record->number == self->number)
		self->record->creator = creator;
	if (threads_client.adopt)
		threads_client.adopt(self, inherited);
	self->inside--;
}

/* creator is UINT32_MAX when nobody knows it. Takes over the reference to `inherited`.
 * No handler of the subject's runs in a thread that is not wholly known yet, or about to be forgotten: what it did there
 * could not be recorded. (At its end the C library would block signals a moment later.) */
struct skein_self *threads_begin(uint32_t creator, void *inherited)
{
	struct skein_self *self = &skein_self;
	int error = errno;
	sigset_t before;

	kernel_block_signals(&before);
	if (self->lane) {
		inherit_late(self, creator, inherited);
		kernel_restore_signals(&before);
		return self;
	}
	self->inside++;
	struct lane *lane = lane_take();
	if (lane) {
		self->inherited = inherited;
		self->number = next_number();
		pthread_setspecific(module.key, self);
		settle(self, lane, creator);
		set_working(lane, 1);
		if (threads_client.thread_begin)
			threads_client.thread_begin(self, inherited);
	} else {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		client_release(inherited);
	}
	self->inside--;
	kernel_restore_signals(&before);
	if (self->lane && threads_client.thread_ready)
		threads_client.thread_ready(self);
	errno = error;
	return self;
}

struct skein_self *threads_meet(void)
{
	struct skein_self *self = &skein_self;

	if (self->lane || self->inside || self->vforked || self->ended_rounds == THREADS_ENDED || !threads_started())
		return self;
	return threads_begin(UINT32_MAX, NULL);
}

static void end(struct skein_self *self)
{
	struct lane *lane = self->lane;
	struct raw_thread *record = self->record;

	kernel_block_signals(NULL);
	threads_wait_end();
	self->inside++;
	if (self->met_early && threads_client.disown)
		threads_client.disown(self, self->inherited);
	if (threads_client.thread_end)
		threads_client.thread_end(self);
	take_name(record);
	record->cpu_ns = lane->cpu_before_ns + kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	record->end_tsc = arch_tick();
	set_working(lane, 0);
	atomic_store(&lane->thread, NULL);
	atomic_store(&lane->self, NULL);
	atomic_store_explicit(&lane->alive, 0, memory_order_release);
	self->lane = NULL;
	self->record = &unrecorded;
	lane_give(lane);
	client_release(self->inherited);
	self->inherited = NULL;
	arena_clear_shelves();
	self->inside--;
}

/* A cancelled thread comes here out of the wait in which it was cancelled. */
static void on_thread_exit(void *value)
{
	struct skein_self *self = value;

	threads_wait_end();
	if (++self->ended_rounds < THREADS_ENDED)
		pthread_setspecific(module.key, self);
	else if (self->lane)
		end(self);
}

static void publish_wait(struct skein_self *self, enum raw_wait kind, uint64_t from)
{
	atomic_store_explicit(&self->lane->wait_kind, kind, memory_order_relaxed);
	atomic_store_explicit(&self->lane->wait_from, from, memory_order_release);
}

static void enter_wait(struct lane *lane, struct raw_thread *thread, enum raw_wait kind, uint64_t ticks)
{
	__atomic_fetch_add(&thread->wait_ticks, ticks, __ATOMIC_RELAXED);
	__atomic_fetch_add(&lane->record->wait_ticks[kind], ticks, __ATOMIC_RELAXED);
}

uint64_t threads_wait_split(struct lane *lane, uint64_t from)
{
	enum raw_wait kind = (enum raw_wait)atomic_load(&lane->wait_kind);
	struct raw_thread *thread = atomic_load(&lane->thread);
	uint64_t now = arch_tick();

	if (!from || !thread || now <= from || !atomic_compare_exchange_strong(&lane->wait_from, &from, now))
		return 0;
	enter_wait(lane, thread, kind, now - from);
	return now - from;
}

bool threads_wait_begin(enum raw_wait kind, const void *frame)
{
	struct skein_self *self = threads_meet();

	if (!self->lane || self->inside || self->vforked)
		return false;
	if (self->waiting) {
		if (!self->wait_frame || !frame || frame <= self->wait_frame)
			return false;
		threads_wait_end();
	}
	self->waiting = 1;
	atomic_signal_fence(memory_order_seq_cst);
	self->wait_kind = kind;
	self->wait_frame = frame;
	if (threads_client.wait_begin)
		threads_client.wait_begin(self);
	set_working(self->lane, 0);
	self->wait_start = arch_tick();
	publish_wait(self, kind, self->wait_start);
	return true;
}

/* Enters a wait into the books. `start` is 0 if a jump came before the wait had really begun. */
static void account(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t until)
{
	if (!start || start > until)
		start = until;
	enter_wait(self->lane, self->record, kind, until - start);
	self->lane->record->waits[kind]++;
	if (threads_client.wait_end)
		threads_client.wait_end(self, kind, start, until);
}

/* A jump out of a handler may come in the middle: the wait is then not entered twice. */
void threads_wait_end(void)
{
	struct skein_self *self = &skein_self;
	bool waits = self->waiting == 1;

	if (!self->waiting || !self->lane)
		return;
	self->waiting = 2;
	atomic_signal_fence(memory_order_seq_cst);
	set_working(self->lane, 1);
	uint64_t start = atomic_exchange(&self->lane->wait_from, 0);
	if (waits)
		account(self, (enum raw_wait)self->wait_kind, start, arch_tick());
	self->wait_start = 0;
	atomic_signal_fence(memory_order_seq_cst);
	self->waiting = 0;
}

void threads_wait_turn(uint64_t at, enum raw_wait kind)
{
	struct skein_self *self = &skein_self;

	if (!self->waiting || !self->lane)
		return;
	if (at <= self->wait_start || at > arch_tick())
		at = arch_tick();
	uint64_t from = atomic_exchange(&self->lane->wait_from, 0);
	account(self, (enum raw_wait)self->wait_kind, from, at > from ? at : from);
	if (from > at) { /* a split has entered too much under the old kind */
		__atomic_fetch_sub(&self->lane->record->wait_ticks[self->wait_kind], from - at, __ATOMIC_RELAXED);
		__atomic_fetch_add(&self->lane->record->wait_ticks[kind], from - at, __ATOMIC_RELAXED);
	}
	self->wait_kind = kind;
	self->wait_start = at;
	publish_wait(self, kind, at > from ? at : from);
	if (threads_client.wait_begin)
		threads_client.wait_begin(self);
}

void threads_refresh(void)
{
	int error = errno;

	for (unsigned i = 0; i < lane_count(); i++) {
		struct lane *lane = lane_at(i);
		struct raw_thread *record = atomic_load(&lane->thread);
		uint64_t ns = record ? kernel_clock_ns(kernel_cpu_clock(atomic_load(&lane->tid))) : 0;
		/* A thread that ended meanwhile has written its own, final figure. */
		if (ns && atomic_load(&lane->thread) == record && !record->end_tsc)
			record->cpu_ns = lane->cpu_before_ns + ns;
	}
	errno = error;
}

void threads_rename(pthread_t thread, const char *name)
{
	for (unsigned i = 0; i < lane_count(); i++) {
		struct lane *lane = lane_at(i);
		struct raw_thread *record = atomic_load(&lane->thread);
		if (record && pthread_equal(atomic_load(&lane->handle), thread))
			strncpy(record->name, name, sizeof record->name - 1);
	}
}

static void on_quick_exit(void)
{
	client_before_exit(RAW_FINISHED);
}

/* Handlers for fork and quick_exit are registered early, so that ours run innermost: after the subject's before the
 * fork, and before the subject's after it. */
void threads_start(const struct threads_client *client)
{
	threads_client = *client;
	if (pthread_key_create(&module.key, on_thread_exit))
		return;
	threads_watch_fork();
	at_quick_exit(on_quick_exit);
	atomic_store_explicit(&module.started, true, memory_order_release);
	threads_meet();
}

void threads_restart(void)
{
	struct skein_self *self = &skein_self;
	int error = errno;
	struct lane *mine = self->lane, *zero;

	atomic_store(&module.threads, 0);
	atomic_store(&module.records, 0);
	atomic_store(&skein_n_working, 0);
	for (unsigned i = 0; i < SHARES; i++)
		atomic_store(&shares[i].working, 0);
	self->number = next_number();
	self->waiting = 0;
	zero = lanes_restart();
	if (mine && zero && mine != zero) {
		void *lens = mine->lens;
		mine->lens = zero->lens;
		zero->lens = lens;
	}
	if (zero) {
		settle(self, zero, UINT32_MAX);
		set_working(zero, 1);
	}
	threads_ompt_restart();
	errno = error;
}
