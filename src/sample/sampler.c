/* SPDX-License-Identifier: MIT */
/* sampler.c: turns a tick into a sample (Tallent and Mellor-Crummey, PPoPP'09, sections 2.1 and 5.1).
 *
 * A sample stands for the CPU time that its thread has used since the one before it. If the thread works, that time is
 * work of its calling context, and so is its share of what idle cores could have done meanwhile: n_idle / n_working of
 * it. If the thread is idle though it runs (it spins in a barrier), the time is dropped. Overhead counts as work
 * here; the analysis separates it by place: see analyse/idle/overhead.c.
 *
 * Samples are taken on a grid of CPU time that goes on from one thread of a lane to the next (carry_ns), with a random
 * start: threads that live for less than a period are sampled as often as they should be. The CPU time that a thread's
 * row claims is counted on the same grid, so all of it is accounted for, however many threads there are. What the
 * sampler itself takes to begin and to end a thread's clock is its own.
 *
 * Differs from the paper: n is the number of cores, not of threads, so a serial phase before any thread exists is idleness too; time is
 * measured, not counted in samples, so ticks that came late or not at all (in the kernel, with signals blocked) lose nothing. */
#include "sample/sampled.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "arch/arch.h"
#include "core/hash.h"
#include "raw/kernel.h"
#include "sample/busy.h"
#include "sample/contexts.h"
#include "sample/crew.h"
#include "sample/interpose_signal.h"
#include "threads/arena.h"

enum { MASK_EVERY = 64, FEW_PERIODS = 8 };

struct sampler sampler;

static _Atomic(struct sampled *) all; /* for a forked child */

struct sampled *sampled_of(const struct skein_self *self)
{
	return self->lane ? self->lane->lens : NULL;
}

/* ---- threads ---- */

static uint64_t random_below(uint64_t limit)
{
	uint64_t x = arch_tick() ^ (uint64_t)(uintptr_t)&x;
	x = hash_spread(x ^ x >> 31);
	x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return limit ? (x ^ x >> 32) % limit : 0;
}

static struct sampled *make(void)
{
	struct sampled *s = arena_take(sizeof *s), *head;
	struct unwind_cache *cache = s ? arena_take(UNWIND_CACHE_BYTES) : NULL;
	if (!cache) {
		arena_give(s, sizeof *s);
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return NULL;
	}
	s->cache = cache;
	s->carry_ns = random_below(sampler.period_ns);
	head = atomic_load(&all);
	do
		s->next = head;
	while (!atomic_compare_exchange_weak(&all, &head, s));
	return s;
}

static void begin_row(struct sampled *s, struct skein_self *self)
{
	struct raw_table *table = raw_add_table(RAW_IDLE_THREAD, self->lane->number, self->record->number, 1);
	costs_forget(&s->costs);
	s->row = table ? raw_rows(table) : &s->nowhere;
	s->unseen_ns = 0;
	s->row->thread = self->record->number;
	s->cpu_before_ns = 0;
	if (table)
		table->used = 1;
}

void sampler_thread_begin(struct skein_self *self, void *inherited)
{
	struct sampled *s = self->lane->lens;
	(void)inherited;
	if (!s)
		__atomic_store_n(&self->lane->lens, s = make(), __ATOMIC_RELEASE);
	if (!s)
		return;
	if (self->record == self->lane->shared && s->row && s->row->thread == self->record->number)
		s->cpu_before_ns = s->row->cpu_ns; /* threads that share a record share a row */
	else
		begin_row(s, self);
	s->last_cpu_ns = ticks_cpu_ns();
	if (!s->cpu_before_ns)
		s->row->start_cpu_ns = s->row->cpu_ns = s->last_cpu_ns;
	else
		s->row->start_cpu_ns += s->last_cpu_ns;
	s->cpu_before_ns += s->carry_ns; /* the first sample stands for it, too */
	s->call_ticks = 0;
	s->last_node = 0;
	s->switches = UINT64_MAX;
	stack_begin(&s->stack);
	s->hides_signal = s->paused = false;
	busy_read_mask(s);
	crew_tell(threads_working());
	why_works(s, true);
}

static void count_clock(const struct sampled *s)
{
	struct raw_idle_how *how = sampler.how;
	bool has_ring = s->ticks.mode == TICKS_RING || s->ticks.mode == TICKS_SHARED;
	uint32_t *which = has_ring ? &how->rings : s->ticks.mode == TICKS_NONE ? &how->unsampled : &how->no_rings;
	__atomic_fetch_add(which, 1, __ATOMIC_RELAXED);
	if (s->ticks.mode == TICKS_TIMER)
		how->clock = RAW_IDLE_TIMER;
}

static uint64_t first_period(const struct sampled *s)
{
	enum { SHORTEST_NS = 20000 }; /* below it the kernel takes its own */
	uint64_t left = s->carry_ns < sampler.period_ns ? sampler.period_ns - s->carry_ns : 0;
	return left > SHORTEST_NS ? left : SHORTEST_NS;
}

/* CPU time since the last look, which the sampler itself has used. */
static void take_own(struct sampled *s)
{
	uint64_t cpu = ticks_cpu_ns();
	if (cpu < s->last_cpu_ns)
		return;
	s->row->own_ns += cpu - s->last_cpu_ns;
	s->row->cpu_ns += cpu - s->last_cpu_ns;
	s->last_cpu_ns = cpu;
}

/* Clocks that threads share do not tick in one that ends before they are due. A thread has one of its own if threads of its lane are brief, and the
 * grid of the lane is likely to have a tick in it. */
static bool needs_own_clock(const struct sampled *s)
{
	return s->likely_ns < FEW_PERIODS * sampler.period_ns && s->carry_ns + 2 * s->likely_ns >= sampler.period_ns;
}

/* A thread that inherited a mask without our signal would never be sampled. */
void sampler_thread_ready(struct skein_self *self)
{
	struct sampled *s = sampled_of(self);
	uint64_t signal = UINT64_C(1) << (ticks_signal() - 1), before = 0;
	if (!s)
		return;
	kernel_call(SYS_rt_sigprocmask, SIG_UNBLOCK, &signal, &before, sizeof before);
	s->hides_signal = before & signal;
	ticks_open(&s->ticks, ticks_are_shared() && !needs_own_clock(s) ? 0 : first_period(s));
	count_clock(s);
	take_own(s);
}

/* A handler of the subject's may block the clock's signal in one thread, whose clock must stand then: see interpose_signal.c. */
static void share(struct sampled *s)
{
	static atomic_bool is_refused;
	if (ticks_are_shared() || atomic_load_explicit(&is_refused, memory_order_relaxed))
		return;
	if (s->paused || signals_have_handler() || !ticks_share(&s->ticks))
		atomic_store(&is_refused, true);
	take_own(s);
}

void sampler_part(void)
{
	if (!ticks_are_shared())
		return;
	ticks_part();
	for (unsigned i = 0; i < lane_count(); i++) {
		struct lane *lane = lane_at(i);
		struct sampled *s = __atomic_load_n(&lane->lens, __ATOMIC_ACQUIRE);
		if (s && atomic_load(&lane->alive) && s->ticks.mode == TICKS_SHARED)
			ticks_open_for(&s->ticks, (int)atomic_load(&lane->tid));
	}
}

/* ---- a sample ---- */

uint32_t sampler_node(struct sampled *s, struct skein_self *self, const ucontext_t *context)
{
	struct walk_end end = walk_from(s, self, context);
	uint32_t below = end.below ? contexts_node(s, end.below) : 0;
	bool has_room = end.count && (below || !end.below);
	uint32_t node = has_room ? lcct_extend(&sampler.tree, below, s->path + PATH_ROOM - end.count, end.count) : 0;
	s->row->paths_cut += !end.whole;
	if (!node)
		__atomic_fetch_add(&sampler.how->nodes_lost, 1, __ATOMIC_RELAXED);
	return node;
}

/* How long the lane has waited since this was last asked, in ways that may take CPU time: those of a runtime for parallel work. */
static uint64_t waited_ns(struct sampled *s, const struct lane *lane)
{
	const uint64_t *ticks = lane->record->wait_ticks;
	uint64_t now = 0, before = s->waited_ticks;
	for (int kind = 0; kind < RAW_WAIT_KINDS; kind++)
		if (raw_wait_nature((enum raw_wait)kind) == RAW_NATURE_SPINS)
			now += __atomic_load_n(&ticks[kind], __ATOMIC_RELAXED);
	s->waited_ticks = now;
	return now > before ? (now - before) * (sampler.period_ns / 4) / (sampler.quarter_ticks + 1) : 0;
}

/* Ticks are lost in the kernel, and a runtime whose threads yield while they wait is there most of the time. What no
 * tick stood for is idle as far as the thread has waited meanwhile. (A timer loses most of its ticks anywhere; a clock that threads share may have
 * ticked in others.) */
static uint64_t without_waits(struct sampled *s, const struct lane *lane, uint64_t ns)
{
	uint64_t most = s->ticks.mode == TICKS_SHARED ? 4 * sampler.period_ns : sampler.period_ns + sampler.period_ns / 2;
	bool lost = s->ticks.mode != TICKS_TIMER && ns > most;
	uint64_t waited = waited_ns(s, lane), unseen = lost ? ns - sampler.period_ns : 0;
	uint64_t idle = unseen < waited ? unseen : waited;
	s->row->dropped_ns += idle;
	return ns - idle;
}

/* What no tick stood for. Of clocks that threads share a thread gets more ticks than its own would have had or fewer, by chance. */
static void note_unseen(struct sampled *s, uint64_t ns)
{
	uint64_t period = sampler.period_ns;
	if (s->ticks.mode != TICKS_SHARED) {
		s->row->unseen_ns += ns > period + period / 2 ? ns - period : 0;
		return;
	}
	s->unseen_ns += (int64_t)ns - (int64_t)period;
	int64_t chance = (int64_t)(period * (4 + s->row->samples / 16));
	s->row->unseen_ns = s->unseen_ns > chance ? (uint64_t)(s->unseen_ns - chance) : 0;
}

static void take_at(struct sampled *s, struct skein_self *self, uint64_t ns, uint32_t node)
{
	struct busy busy = busy_now(self->lane);
	struct raw_idle_cost *cost = node ? costs_row(&s->costs, node, self->lane->number, self->record->number) : NULL;
	s->row->work_ns += ns;
	s->row->samples++;
	note_unseen(s, ns);
	if (!cost)
		return;
	cost->samples++;
	cost->work_ns[busy_class(&busy)] += ns;
	cost->idle_ns += ns * (sampler.cores - busy.cores) / busy.cores;
	if (busy.cores < sampler.cores || busy.ready)
		why_idle(s, self, node, ns, &busy);
}

static void take(struct sampled *s, struct skein_self *self, uint64_t ns, const ucontext_t *context)
{
	ns = without_waits(s, self->lane, ns);
	s->last_node = sampler_node(s, self, context);
	take_at(s, self, ns, s->last_node);
}

/* CPU time since the last sample of this lane. */
static uint64_t elapsed(struct sampled *s)
{
	uint64_t cpu = ticks_cpu_ns();
	if (cpu == 0) /* refused: each tick stands for its period */
		cpu = s->last_cpu_ns + sampler.period_ns;
	uint64_t ns = cpu - s->last_cpu_ns + s->carry_ns;
	if (cpu < s->last_cpu_ns)
		return 0;
	s->carry_ns = 0;
	s->last_cpu_ns = cpu;
	s->row->cpu_ns = s->cpu_before_ns + cpu;
	return ns;
}

uint64_t sampler_ns_of(uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * (sampler.period_ns / 4) / (sampler.quarter_ticks + 1));
}

bool sampler_kept_core(const struct sampled *s)
{
	return s && s->switches != UINT64_MAX && s->switches == ticks_switches(&s->ticks);
}

/* Of CPU time since the last sample that which system calls took is left for a sample of a system call. */
static uint64_t without_calls(struct sampled *s, uint64_t ns)
{
	uint64_t calls = sampler_ns_of(s->call_ticks);
	s->carry_ns = calls < ns ? calls : ns;
	return ns - s->carry_ns;
}

/* Keeps the recorded times fresh, in case the process is killed. */
static void refresh_now_and_then(void)
{
	static _Atomic uint64_t next;
	uint64_t now = arch_tick(), due = atomic_load_explicit(&next, memory_order_relaxed);
	if (now >= due && atomic_compare_exchange_strong(&next, &due, now + sampler.quarter_ticks * 1024))
		raw_refresh();
}

static void tick(struct sampled *s, struct skein_self *self, bool own, const ucontext_t *context)
{
	uint64_t ns = without_calls(s, elapsed(s));
	if (s->ticks.first) {
		ticks_steady(&s->ticks);
		take_own(s);
	}
	if (++s->mask_age >= MASK_EVERY)
		busy_read_mask(s);
	if (own) {
		s->row->own_ns += ns;
		s->row->own++;
	} else if (atomic_load_explicit(&self->lane->working, memory_order_relaxed)) {
		take(s, self, ns, context);
	} else {
		s->row->dropped_ns += ns;
		s->row->dropped++;
		waited_ns(s, self->lane);
	}
	crew_tell(threads_working());
	crew_date();
	refresh_now_and_then();
}

static void count_event(struct sampled *s, struct skein_self *self, uint32_t event, const ucontext_t *context)
{
	uint32_t node = sampler_node(s, self, context);
	struct raw_idle_event *row = node ? costs_event(&s->costs, node, event, self->lane->number, self->record->number) : NULL;
	if (row)
		row->count += ticks_event_period(event);
}

/* A deep stack takes long to walk, and the clock of a thread goes on meanwhile: where samples take longer than the period, the next one is due when one
 * ends, and the thread would do nothing else. So a thread has as much time of its own after a sample as the last two took at least:
 * one may have lost its core meanwhile. What is left out belongs to the next sample. */
static void tick_unless_early(struct sampled *s, struct skein_self *self, bool own, const ucontext_t *context)
{
	uint64_t begun = arch_tick();
	if (begun < s->rests_until)
		return;
	tick(s, self, own, context);
	uint64_t ended = arch_tick(), took = ended - begun;
	s->rests_until = ended + (took < s->took ? took : s->took);
	s->took = took;
}

void sampler_tick(struct skein_self *self, uint32_t event, const ucontext_t *context)
{
	struct sampled *s = sampled_of(self);
	bool own = self->inside;
	self->inside++;
	if (event == TICKS_CLOCK)
		tick_unless_early(s, self, own, context);
	else if (!own && atomic_load_explicit(&self->lane->working, memory_order_relaxed))
		count_event(s, self, event, context);
	self->inside--;
}

/* Waits of tasks are frequent and are not reported: another thread works meanwhile, and its next sample reports
 * them. */
static bool is_news(enum raw_wait kind)
{
	return raw_wait_nature(kind) != RAW_NATURE_SPINS || raw_wait_is_for_ranks(kind);
}

static void note_switches(struct sampled *s)
{
	if (s)
		s->switches = ticks_switches(&s->ticks);
}

/* The thread's flag of working is cleared a moment later. */
void sampler_wait_begin(struct skein_self *self)
{
	uint64_t working = is_news((enum raw_wait)self->wait_kind) ? threads_working() : 0;
	if (working)
		crew_tell(working - 1);
	note_switches(sampled_of(self));
	why_wait_begin(self);
}

/* The clock ticks in user mode only. What a system call spent in the kernel is known exactly if the thread kept its core: all of its
 * time. When such calls have taken a period, the last of them is sampled. Of a call that left its core it is known only that
 * the thread has used more than a period since the last sample. */
static void kernel_time(struct skein_self *self, uint64_t start, uint64_t end)
{
	struct sampled *s = sampled_of(self);
	if (!s || self->inside || (!sampler_kept_core(s) && end - start < sampler.quarter_ticks))
		return;
	s->call_ticks += sampler_kept_core(s) ? end - start : 0;
	if (sampler_kept_core(s) && s->call_ticks < 4 * sampler.quarter_ticks)
		return;
	self->inside++;
	uint64_t ns = elapsed(s), user = without_calls(s, ns);
	if (sampler_kept_core(s)) {
		take(s, self, ns - user, NULL);
		s->carry_ns = user;
		s->call_ticks = 0;
	} else if (user >= sampler.period_ns)
		take(s, self, user, NULL);
	else
		s->carry_ns = ns;
	self->inside--;
}

uint64_t sampler_call_begin(void)
{
	if (!skein_self.waiting)
		note_switches(sampled_of(&skein_self));
	return arch_tick();
}

void sampler_call_end(uint64_t start)
{
	struct skein_self *self = &skein_self;
	int error = errno;
	if (threads_started() && !self->vforked && !self->waiting)
		kernel_time(self, start, arch_tick());
	errno = error;
}

void sampler_charge(uint64_t start)
{
	struct sampled *s = sampled_of(&skein_self);
	if (s && !skein_self.waiting)
		s->switches = UINT64_MAX;
	sampler_call_end(start);
}

static uint64_t ticks_so_far(const struct sampled *s)
{
	return s->row->samples + s->row->dropped + s->row->own;
}

void sampler_creates(struct skein_self *self)
{
	struct sampled *s = sampled_of(self);
	if (!s)
		return;
	share(s);
	note_switches(s);
	s->create_ticks = ticks_so_far(s);
	s->create_from = arch_tick();
}

/* To create a thread takes the kernel most of the time, where no clock ticks. If none has ticked, and the thread kept its core, it has used all of that time. */
void sampler_created(struct skein_self *self)
{
	struct sampled *s = sampled_of(self);
	if (s && !self->waiting && sampler_kept_core(s) && ticks_so_far(s) == s->create_ticks)
		kernel_time(self, s->create_from, arch_tick());
}

void sampler_wait_end(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t end)
{
	if (is_news(kind))
		crew_tell(threads_working());
	if (raw_wait_nature(kind) == RAW_NATURE_CALLS)
		kernel_time(self, start, end);
	if (raw_wait_nature(kind) != RAW_NATURE_CALLS || !sampler_kept_core(sampled_of(self)))
		why_wait_end(self, kind, start, end);
}

void sampler_reopen(struct skein_self *self)
{
	struct sampled *s = sampled_of(self);
	if (!s || s->paused)
		return;
	ticks_close(&s->ticks);
	ticks_open(&s->ticks, sampler.period_ns);
}

/* A pending tick would be visible to code that asks for pending signals. The thread's time meanwhile is sampled when
 * it unblocks signals, or ends. */
void sampler_pause(struct sampled *s)
{
	if (!s->paused)
		ticks_close(&s->ticks);
	s->paused = true;
}

void sampler_resume(struct skein_self *self)
{
	struct sampled *s = sampled_of(self);
	if (!s || !s->paused)
		return;
	self->inside++;
	uint64_t ns = elapsed(s);
	if (ns >= 2 * sampler.period_ns)
		take(s, self, ns, NULL);
	else
		s->carry_ns = ns;
	s->paused = false;
	ticks_open(&s->ticks, first_period(s));
	take_own(s);
	self->inside--;
}

void sampler_stop(void)
{
	if (ticks_are_shared())
		ticks_part();
	for (unsigned i = 0; i < lane_count(); i++)
		if (lane_at(i)->lens)
			ticks_close(&((struct sampled *)lane_at(i)->lens)->ticks);
	raw_lose(RAW_LOST_FILTERED, 1);
}

/* Of CPU time since the last sample what the end of the thread is sampled for; the rest goes to the lane's next thread. A clock that threads share may
 * not have ticked for some periods, which belong to the place of the last tick rather than to the end. */
static uint64_t take_last(struct sampled *s, struct skein_self *self, uint64_t left)
{
	bool is_shared = s->ticks.mode == TICKS_SHARED;
	uint64_t rest = is_shared ? left % sampler.period_ns : 0;
	if (left < (is_shared ? 1 : 2) * sampler.period_ns)
		return left;
	if (is_shared && s->last_node)
		take_at(s, self, without_waits(s, self->lane, left - rest), s->last_node);
	else
		take(s, self, left - rest, NULL);
	return rest;
}

void sampler_thread_end(struct skein_self *self)
{
	struct sampled *s = sampled_of(self);
	if (!s)
		return;
	why_works(s, false);
	uint64_t left = take_last(s, self, elapsed(s));
	s->likely_ns = s->last_cpu_ns > s->likely_ns - s->likely_ns / 4 ? s->last_cpu_ns : s->likely_ns - s->likely_ns / 4;
	s->carry_ns = left;
	s->row->cpu_ns -= left;
	ticks_close(&s->ticks);
	contexts_forget(s);
	take_own(s);
}

/* Of CPU time that is left at the end what the grid would have had a tick for. */
static uint64_t whole_periods(struct sampled *s, uint64_t cpu)
{
	uint64_t since = cpu - s->last_cpu_ns + s->carry_ns;
	if (cpu <= s->last_cpu_ns)
		return 0;
	s->last_cpu_ns = cpu;
	s->carry_ns = since % sampler.period_ns;
	return since - s->carry_ns;
}

/* A thread that was in the kernel for its last ticks has lost them: threads that wait when the process ends (a
 * runtime's, for more work), and the one that ends it. The CPU times of all have just been read. */
void sampler_finish(struct skein_self *self)
{
	for (unsigned i = 0; i < lane_count(); i++) {
		struct lane *lane = lane_at(i);
		const struct raw_thread *record = atomic_load(&lane->thread);
		struct sampled *s = __atomic_load_n(&lane->lens, __ATOMIC_ACQUIRE);
		if (record && s && s->row && !atomic_load_explicit(&lane->working, memory_order_relaxed))
			s->row->dropped_ns += whole_periods(s, record->cpu_ns - lane->cpu_before_ns);
	}
	struct sampled *s = sampled_of(self);
	uint64_t ns =
		s && s->row && atomic_load_explicit(&self->lane->working, memory_order_relaxed) ? whole_periods(s, ticks_cpu_ns()) : 0;
	if (ns)
		take(s, self, ns, NULL);
}

/* Nothing that threads of the parent spent is the child's; what is mapped for their clocks has not come along. */
void sampler_restart(struct skein_self *self)
{
	ticks_forget_shared();
	for (struct sampled *s = atomic_load(&all); s; s = s->next) {
		ticks_forget(&s->ticks);
		costs_forget(&s->costs);
		s->row = &s->nowhere;
	}
	sampler.how->rings = sampler.how->no_rings = sampler.how->unsampled = sampler.how->nodes_lost = 0;
	struct sampled *s = sampled_of(self);
	if (!s)
		return;
	begin_row(s, self);
	s->last_cpu_ns = ticks_cpu_ns(); /* a child's clock begins anew */
	s->row->start_cpu_ns = s->row->cpu_ns = s->last_cpu_ns;
	s->cpu_before_ns = s->carry_ns;
	ticks_open(&s->ticks, first_period(s));
	count_clock(s);
	take_own(s);
}
