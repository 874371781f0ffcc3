/* SPDX-License-Identifier: MIT */
/* waits.c: which threads work, and which wait.
 *
 * What a thread's own state is made of (waiting, lane, n_working) changes in an order that lets a signal handler come
 * between any two steps: `waiting` is set first and cleared last, and a handler's waits are then part of it.
 *
 * A wait that never ends, because the process does, must not look like work. So a wait's beginning is in its lane, where
 * another thread can move it on (threads_wait_split) and record the time so far: the thread that takes a stretch out
 * of wait_from records it. */
#include "threads/threads.h"

#include "arch/arch.h"
#include "raw/writer.h"
#include "threads/client.h"

_Atomic uint64_t skein_n_working;

/* For a client that reads the number seldom: one word for all is fought over where tasks begin and end to wait all the time. */
#define SHARES 16u
static struct {
	_Alignas(ARCH_APART_BYTES) _Atomic uint64_t working;
} shares[SHARES];

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

void threads_nobody_works(void)
{
	atomic_store(&skein_n_working, 0);
	for (unsigned i = 0; i < SHARES; i++)
		atomic_store(&shares[i].working, 0);
}

/* The lane's flag and the sum of all flags change together, unless a jump out of a signal handler comes between
 * them: see threads_jump. */
void threads_set_working(struct lane *lane, unsigned working)
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

/* ---- waits ---- */

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
	self->wait_object = self->wait_place = NULL;
	threads_set_working(self->lane, 0);
	self->wait_start = arch_tick();
	publish_wait(self, kind, self->wait_start);
	return true;
}

/* Enters a wait into the books. `start` is 0 if a jump came before the wait had really begun. A thread that goes on while another
 * one ends the process makes the run longer: no thread has waited for longer than the run. */
static void account(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t until)
{
	if (__atomic_load_n(&raw_header()->flags, __ATOMIC_RELAXED) & RAW_FINISHED)
		raw_refresh();
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
	threads_set_working(self->lane, 1);
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
