/* SPDX-License-Identifier: MIT */
/* why.c: why cores are idle: what the threads that do not work wait for, who holds the lock, and where threads wait.
 *
 * Problem: idleness says which code ran while cores were idle. Whether that code is to be divided, or holds a lock too
 * long, depends on what the other threads were waiting for.
 * Idea: at a sample, each idle core is put down to a waiting thread, if there is one: first to those that wait for a lock
 * that the sampled thread holds, then to those whose wait another thread of the program will end, last to those that wait
 * by design. The holder of a mutex is the thread whose number the C library keeps in it. The lock may be gone by the time
 * another thread looks at it, so it is read by a system call that fails instead of faulting.
 * Where threads wait is sampled, too: when a thread has waited for a period, the wait that ends then is charged with all of it,
 * at the place of its call. A wait whose end ends a time in which no thread worked is charged with that time.
 * Cost: a look at each waiting lane at a sample with idle cores; one walk of the stack per period of waiting. */
#include "sample/sampled.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "raw/kernel.h"
#include "sample/busy.h"
#include "sample/crew.h"
#include "unwind/modules.h"

enum { MOST_LANES = 256, FEW_LANES = 64, MOST_OWNERS = 8 };

/* ---- why cores are idle at a sample ---- */

/* Kinds in the order in which idle cores are put down to them. */
static unsigned rank(enum raw_wait kind)
{
	switch (raw_wait_nature(kind)) {
	case RAW_NATURE_SPINS: return 0;
	case RAW_NATURE_CALLS: return 2;
	case RAW_NATURE_BLOCKS: break;
	}
	return kind == RAW_WAIT_LOCK ? 0 : kind == RAW_WAIT_SLEEP ? 2 : kind == RAW_WAIT_JOIN ? 3 : 1;
}
enum { RANKS = 4 };

/* The mutex, or the writer's side of the read-write lock, at that address is held by the thread. Another kind of lock has other
 * words there, which are hardly ever the number of a thread. */
static bool holds(const void *lock, uint32_t tid)
{
	unsigned char copy[sizeof(pthread_rwlock_t)];
	static _Atomic bool is_refused; /* in a sandbox: then a second call is not made */
	int owner, writer;
	struct iovec here = {copy, offsetof(pthread_rwlock_t, __data.__cur_writer) + sizeof writer},
		     there = {(void *)(uintptr_t)lock, here.iov_len};
	long got = atomic_load(&is_refused) ? 0 : kernel_call(SYS_process_vm_readv, (long)kernel_pid(), &here, 1L, &there, 1L, 0L);
	if (got == -EPERM || got == -ENOSYS)
		atomic_store(&is_refused, true);
	if (got != (long)here.iov_len)
		return false;
	__builtin_memcpy(&owner, copy + offsetof(pthread_mutex_t, __data.__owner), sizeof owner);
	__builtin_memcpy(&writer, copy + offsetof(pthread_rwlock_t, __data.__cur_writer), sizeof writer);
	return (uint32_t)owner == tid || (uint32_t)writer == tid;
}

struct waiters {
	unsigned by_kind[RAW_WAIT_KINDS];
	unsigned held;    /* not in by_kind: they wait for a lock of the sampled thread */
	unsigned blocked; /* threads that wait by no call of their own, and are not ready either */
};

/* A thread that works in a page fault may have to wait for a page, or for another thread that changes the address space. */
static bool is_blocked(const struct lane *lane, struct sampled *s)
{
	return s && atomic_load_explicit(&lane->working, memory_order_relaxed) && ticks_state(&s->ticks) == TICKS_BLOCKED;
}

static void count_lane(struct waiters *w, const struct lane *lane, uint32_t tid, unsigned *asked)
{
	struct sampled *s = __atomic_load_n(&lane->lens, __ATOMIC_ACQUIRE);
	uint32_t kind = atomic_load_explicit(&lane->wait_kind, memory_order_relaxed);
	if (atomic_load_explicit(&lane->alive, memory_order_relaxed) && is_blocked(lane, s)) {
		w->blocked++;
		return;
	}
	if (!atomic_load_explicit(&lane->alive, memory_order_relaxed) || atomic_load_explicit(&lane->working, memory_order_relaxed) ||
	    !atomic_load_explicit(&lane->wait_from, memory_order_relaxed) || kind >= RAW_WAIT_KINDS)
		return;
	const void *lock = kind == RAW_WAIT_LOCK && s ? atomic_load_explicit(&s->wait_object, memory_order_relaxed) : NULL;
	if (lock && (*asked)++ < MOST_OWNERS && holds(lock, tid))
		w->held++;
	else
		w->by_kind[kind]++;
}

static void put_down(struct sampled *s, const struct skein_self *self, uint32_t node, uint32_t why, uint64_t ns)
{
	struct raw_idle_why *row = ns ? costs_why(&s->costs, node, why, self->lane->number, self->record->number) : NULL;
	if (row)
		row->ns += ns;
}

/* What idleness would be more if threads that are ready, but have no core, were idle. */
static uint64_t hidden_ns(uint64_t ns, const struct busy *busy)
{
	unsigned ready = busy->ready < busy->cores ? busy->ready : busy->cores - 1, cores = busy->cores - ready;
	return ns * (sampler.cores - cores) / cores - ns * (sampler.cores - busy->cores) / busy->cores;
}

void why_idle(struct sampled *s, const struct skein_self *self, uint32_t node, uint64_t ns, const struct busy *busy)
{
	unsigned left = sampler.cores - busy->cores, lanes = lane_count(), asked = 0;
	struct waiters w = {0};
	for (unsigned i = 0; left && i < lanes && i < MOST_LANES; i++)
		if (lane_at(i) != self->lane)
			count_lane(&w, lane_at(i), atomic_load(&self->lane->tid), &asked);
	unsigned held = w.held < left ? w.held : left;
	put_down(s, self, node, RAW_IDLE_HELD, ns * held / busy->cores);
	left -= held;
	unsigned blocked = w.blocked < left ? w.blocked : left;
	put_down(s, self, node, RAW_IDLE_BLOCKED, ns * blocked / busy->cores);
	left -= blocked;
	for (unsigned r = 0; r < RANKS; r++)
		for (unsigned kind = 0; kind < RAW_WAIT_KINDS && left; kind++) {
			unsigned many = rank((enum raw_wait)kind) != r ? 0 : w.by_kind[kind] < left ? w.by_kind[kind] : left;
			put_down(s, self, node, kind, ns * many / busy->cores);
			left -= many;
		}
	if (busy->ready)
		put_down(s, self, node, RAW_IDLE_READY, hidden_ns(ns, busy));
}

/* ---- how long no thread worked ---- */

static uint64_t load(_Atomic uint64_t *at)
{
	return atomic_load_explicit(at, memory_order_relaxed);
}

void why_works(struct sampled *s, bool works)
{
	uint64_t now = arch_tick();
	atomic_store_explicit(works ? &s->waited_until : &s->waited_from, now, memory_order_relaxed);
}

static bool is_in_call(struct lane *lane)
{
	return load(&lane->wait_from) &&
		raw_wait_nature((enum raw_wait)atomic_load_explicit(&lane->wait_kind, memory_order_relaxed)) == RAW_NATURE_CALLS;
}

/* Since when a lane has not worked, as it was at the tick `end`; UINT64_MAX: it worked then. Of two threads whose waits end together
 * the one that ends first finds that no thread worked. */
static uint64_t idle_since(struct lane *lane, uint64_t end)
{
	struct sampled *s = __atomic_load_n(&lane->lens, __ATOMIC_ACQUIRE);
	uint64_t wait_from = load(&lane->wait_from);
	if (wait_from)
		return wait_from;
	if (!s)
		return 0;
	uint64_t from = load(&s->waited_from), until = load(&s->waited_until);
	return from > until || until >= end ? from : UINT64_MAX;
}

/* A call that the kernel works at on the thread's own core is no wait. */
static bool calls_and_works(struct lane *lane)
{
	struct sampled *s = is_in_call(lane) ? __atomic_load_n(&lane->lens, __ATOMIC_ACQUIRE) : NULL;
	return s && ticks_state(&s->ticks) == TICKS_RUNNING;
}

/* How long no thread worked before the end of this thread's wait. What the kernel did with the others is asked last: in a server another
 * thread works most of the time. */
static uint64_t quiet_before(const struct lane *mine, uint64_t start, uint64_t end)
{
	unsigned lanes = lane_count();
	uint64_t from = start;
	if (lanes > FEW_LANES && end - start < sampler.quarter_ticks)
		return 0;
	for (unsigned i = 0; i < lanes; i++) {
		uint64_t since = lane_at(i) == mine ? 0 : idle_since(lane_at(i), end);
		from = since > from ? since : from;
		if (from >= end)
			return 0;
	}
	for (unsigned i = 0; i < lanes; i++)
		if (lane_at(i) != mine && calls_and_works(lane_at(i)))
			return 0;
	return crew_quiet(from, end);
}

/* ---- where threads wait ---- */

static uint64_t place_of_object(const struct sampled *s)
{
	uintptr_t object = (uintptr_t)atomic_load_explicit(&s->wait_object, memory_order_relaxed);
	const struct module *module = object > RAW_IDLE_MANY ? module_at(object) : NULL;
	return module ? module_place(module, object) : 0;
}

/* Another thread waits for a lock that this one holds, and has held while it waited: who waits for a lock, or for a condition, has got
 * a lock at the end of that wait only. */
static bool is_wanted(const struct skein_self *self, enum raw_wait kind)
{
	uint32_t tid = atomic_load(&self->lane->tid);
	unsigned lanes = lane_count(), asked = 0;
	if (kind == RAW_WAIT_LOCK || kind == RAW_WAIT_CONDITION)
		return false;
	for (unsigned i = 0; i < lanes && i < MOST_LANES && asked < MOST_OWNERS; i++) {
		const struct lane *lane = lane_at(i);
		const struct sampled *s = __atomic_load_n(&lane->lens, __ATOMIC_ACQUIRE);
		bool waits = lane != self->lane && s && atomic_load_explicit(&lane->wait_from, memory_order_relaxed) &&
			atomic_load_explicit(&lane->wait_kind, memory_order_relaxed) == RAW_WAIT_LOCK;
		const void *lock = waits ? atomic_load_explicit(&s->wait_object, memory_order_relaxed) : NULL;
		asked += lock != NULL;
		if (lock && holds(lock, tid))
			return true;
	}
	return false;
}

static void charge(struct sampled *s, struct skein_self *self, enum raw_wait kind)
{
	uint32_t node = sampler_node(s, self, NULL);
	struct raw_idle_wait *row = node ? costs_wait(&s->costs, node, kind, self->lane->number, self->record->number) : NULL;
	if (row) {
		uint64_t object = place_of_object(s);
		row->object = row->waits && row->object != object ? RAW_IDLE_MANY : object;
		row->waits++;
		row->wait_ns += sampler_ns_of(s->uncharged_ticks);
		row->quiet_ns += sampler_ns_of(s->quiet_ticks);
		row->held_ns += is_wanted(self, kind) ? sampler_ns_of(s->uncharged_ticks) : 0;
	}
	s->uncharged_ticks = s->quiet_ticks = 0;
}

void why_wait_begin(struct skein_self *self)
{
	struct sampled *s = sampled_of(self);
	if (s)
		atomic_store_explicit(&s->wait_object, self->wait_object, memory_order_relaxed);
}

void why_wait_end(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t end)
{
	struct sampled *s = sampled_of(self);
	if (!s)
		return;
	atomic_store_explicit(&s->waited_from, start, memory_order_relaxed);
	atomic_store_explicit(&s->waited_until, end, memory_order_relaxed);
	if ((raw_wait_nature(kind) == RAW_NATURE_SPINS && !raw_wait_is_for_ranks(kind)) || self->inside || end <= start)
		return;
	self->inside++;
	s->uncharged_ticks += end - start;
	s->quiet_ticks += quiet_before(self->lane, start, end);
	if (s->uncharged_ticks >= 4 * sampler.quarter_ticks)
		charge(s, self, kind);
	self->inside--;
}
