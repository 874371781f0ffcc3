/* SPDX-License-Identifier: MIT */
/* snapshot.c: finds which routines run together. A helper thread reads the stacks of all workers about a thousand
 * times a second.
 *
 * Problem: exact counts and times are kept by each worker for itself; that two routines ran at the same time is known
 * to neither, and telling each other would cost more than the calls.
 * Idea: read every worker's stack (its words change under the reader, each is old or new) and let each snapshot stand
 * for the time since the one before. Gives the routine pairs that ran together, the wall time at each number of working
 * threads, and for each routine the wall time in which at least one worker was inside: what sums over workers cannot
 * tell (cprof's timing problems 1, 2 and 4).
 * Cost: a few microseconds per snapshot, outside the subject's threads. Stacks deeper than 2 x ENDS are read at
 * their ends.
 *
 * The helper thread also records what a kill would lose: the clock, each lane's open activations, and waits that go
 * on. */
#include "rt/calls/calls.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "arch/arch.h"
#include "raw/kernel.h"
#include "threads/arena.h"

enum { ENDS = 2048, OPEN_MAX_ROWS = 64, PAIRS_LOG2 = 14, CPU_CLOCKS = 16, RUNNERS = 256, ROWS = 256 };

/* A routine in this snapshot. */
struct sight {
	uint64_t serial;
	uint32_t lane; /* the lane that was last seen inside the routine */
	uint32_t lanes;
	struct raw_inside *row;
};

struct pair {
	uint64_t key;        /* 0: empty */
	uint64_t *snapshots; /* followed by ticks */
};

/* Rows of one kind, in tables that are added as they fill. */
struct rows {
	uint32_t kind;
	struct raw_table *table;
};

static struct {
	struct sight *sights; /* CALLS_ROUTINES_MAX of them, opened as routines come */
	size_t sights_open;
	struct pair *together, *levels;
	uint64_t together_count, levels_count;
	struct rows inside_rows, together_rows, level_rows;
	uint64_t serial, last_tsc, period_ns;
	unsigned next_clock;
	struct {
		uint32_t routine, count;
	} runners[RUNNERS]; /* innermost routines of working threads in this snapshot */
	unsigned runner_count;
} snap;

static void *new_row(struct rows *r)
{
	if (!r->table || r->table->used == r->table->capacity) {
		struct raw_table *t = raw_add_table(r->kind, RAW_NO_LANE, 0, ROWS);
		if (!t)
			return NULL;
		r->table = t;
	}
	return (char *)raw_rows(r->table) + (size_t)r->table->used * r->table->row_bytes;
}

/* A row with two 32-bit names and then snapshots and ticks, found by the names; NULL when the index or the disk is full. */
static uint64_t *row_of(struct pair *index, uint64_t *count, struct rows *rows, uint32_t a, uint32_t b)
{
	uint64_t key = ((uint64_t)a << 32 | b) + 1, mask = (UINT64_C(1) << PAIRS_LOG2) - 1;
	uint64_t i = calls_hash(key, 64 - PAIRS_LOG2);
	while (index[i].key && index[i].key != key)
		i = (i + 1) & mask;
	if (!index[i].key) {
		uint32_t *row = *count < mask / 2 ? new_row(rows) : NULL;
		if (!row) {
			raw_lose(RAW_LOST_NO_SPACE, 1);
			return NULL;
		}
		row[0] = a;
		row[1] = b;
		rows->table->used++;
		index[i] = (struct pair){key, (uint64_t *)(row + 2)};
		++*count;
	}
	return index[i].snapshots;
}

static void add_to(uint64_t *snapshots, uint64_t ticks)
{
	if (snapshots) {
		snapshots[0]++;
		snapshots[1] += ticks;
	}
}

static bool is_known(uint32_t routine)
{
	return routine && routine < CALLS_ROUTINES_MAX &&
		arena_open(snap.sights, CALLS_ROUTINES_MAX * sizeof *snap.sights, &snap.sights_open, (routine + 1) * sizeof *snap.sights);
}

static struct raw_inside *inside_of(uint32_t routine)
{
	struct sight *s = &snap.sights[routine];
	if (!s->row && (s->row = new_row(&snap.inside_rows))) {
		s->row->routine = routine;
		snap.inside_rows.table->used++;
	}
	return s->row;
}

static void see_inside(uint32_t routine, uint32_t lane, uint64_t ticks)
{
	if (!is_known(routine))
		return;
	struct sight *s = &snap.sights[routine];
	if (s->serial != snap.serial) {
		s->serial = snap.serial;
		s->lanes = 0;
	} else if (s->lane == lane) {
		return;
	}
	s->lane = lane;
	s->lanes++;
	struct raw_inside *row = inside_of(routine);
	if (row && s->lanes == 1) {
		row->snapshots++;
		row->union_ticks += ticks;
	} else if (row && s->lanes == 2) {
		row->same_ticks += ticks;
	}
}

static void see_runner(uint32_t routine)
{
	for (unsigned i = 0; i < snap.runner_count; i++)
		if (snap.runners[i].routine == routine) {
			snap.runners[i].count++;
			return;
		}
	if (snap.runner_count < RUNNERS) {
		snap.runners[snap.runner_count].routine = routine;
		snap.runners[snap.runner_count++].count = 1;
	}
}

static uint64_t waited(const struct lane *lane)
{
	uint64_t sum = 0;
	for (int k = 0; k < RAW_WAIT_KINDS; k++)
		sum += lane->record->wait_ticks[k];
	return sum;
}

/* Time that a working thread was kept from a core since its clock was last read: what is left when the CPU time and the
 * waits are taken off. */
static uint64_t off_cpu(struct worker *w, const struct lane *lane, uint64_t now, uint64_t ns_per_2_20_ticks)
{
	uint32_t tid = atomic_load(&lane->tid);
	uint64_t cpu = kernel_clock_ns(kernel_cpu_clock(tid)), wait = waited(lane), off = 0;
	if (!cpu || !ns_per_2_20_ticks)
		return 0;
	if (w->seen_tid == tid) {
		uint64_t wall = now - w->seen_tsc, idle = wait - w->seen_wait;
		uint64_t used = (uint64_t)((unsigned __int128)(cpu - w->seen_cpu_ns) * (1u << 20) / ns_per_2_20_ticks) + idle;
		off = wall > used + wall / 64 ? wall - used : 0;
	}
	w->seen_tid = tid;
	w->seen_cpu_ns = cpu;
	w->seen_tsc = now;
	w->seen_wait = wait;
	return off;
}

static void keep_open(struct worker *w, const struct calls_frame *top)
{
	if (!w->open && !(w->open = raw_add_table(RAW_CALLS_OPEN, w->lane.number, 0, OPEN_MAX_ROWS)))
		return;
	struct raw_open *row = raw_rows(w->open);
	uint32_t n = 0;
	for (const struct calls_frame *f = w->lane.base + 1; f <= top && n < OPEN_MAX_ROWS; f++) {
		struct calls_arc *arc = f->arc;
		if (!arc || arc == &w->spare || arc->flags & CALLS_ELSEWHERE)
			continue;
		bool outer = true;
		for (uint32_t k = 0; k < n && outer; k++)
			outer = row[k].callee != arc->callee;
		row[n++] =
			(struct raw_open){arc->caller, arc->callee, arc->flags, outer, (f->weight ? f->start : f->before) + w->lane.bias};
	}
	w->open->used = n;
}

static void see_lane(struct lane *lane, uint64_t now, uint64_t ticks, uint64_t rate, bool read_clock)
{
	struct worker *w = calls_worker(lane);
	if (!w || !atomic_load_explicit(&lane->alive, memory_order_relaxed))
		return;
	struct calls_frame *top = __atomic_load_n(&w->lane.top, __ATOMIC_RELAXED), *f;
	if (top > w->lane.base + (size_t)2 * ENDS)
		raw_lose(RAW_LOST_SNAPSHOT_DEPTH, 1);
	for (f = w->lane.base + 1; f <= top; f++) {
		if (f == w->lane.base + ENDS && top > f + ENDS)
			f = top - ENDS;
		see_inside(calls_routine_of(f->as_caller), lane->number, ticks);
	}
	keep_open(w, top);
	__atomic_store_n(&w->lane.last, calls_now(w), __ATOMIC_RELAXED); /* an activation that is not timed may take as long as it likes */
	if (!atomic_load_explicit(&lane->working, memory_order_relaxed)) {
		if (!(raw_header()->flags & (RAW_FINISHED | RAW_EXECED)))
			calls_split_wait(w, lane);
		return;
	}
	uint32_t runner = top > w->lane.base ? calls_routine_of(top->as_caller) : CALLS_OUTSIDE;
	uint64_t off = read_clock ? off_cpu(w, lane, now, rate) : 0;
	if (off > ticks)
		off = ticks; /* the thread may have waited when its clock was due before */
	see_runner(runner);
	struct raw_inside *row = is_known(runner) ? inside_of(runner) : NULL;
	if (row) {
		row->running_ticks += ticks;
		row->off_cpu_ticks += off;
	}
}

static void count_level_and_pairs(uint64_t ticks)
{
	unsigned working = 0;
	for (unsigned i = 0; i < snap.runner_count; i++)
		working += snap.runners[i].count;
	add_to(row_of(snap.levels, &snap.levels_count, &snap.level_rows, working, RAW_ANY_ROUTINE), ticks);
	for (unsigned i = 0; i < snap.runner_count; i++) {
		uint32_t a = snap.runners[i].routine;
		if (a)
			add_to(row_of(snap.levels, &snap.levels_count, &snap.level_rows, working, a), ticks);
		for (unsigned k = i; k < snap.runner_count; k++) {
			uint32_t b = snap.runners[k].routine;
			if (a && b && (k != i || snap.runners[i].count > 1))
				add_to(row_of(snap.together, &snap.together_count, &snap.together_rows, a < b ? a : b, a < b ? b : a),
				       ticks);
		}
	}
}

/* Nanoseconds in 2^20 ticks, from the recording's own clocks. */
static uint64_t tick_rate(const struct raw_file *h)
{
	uint64_t ticks = (h->last_tsc - h->start_tsc) >> 20;
	return ticks ? (h->last_ns - h->start_ns) / ticks : 0;
}

static void take(void)
{
	struct raw_file *h = raw_header();
	unsigned lanes = lane_count();
	uint64_t now = arch_tick(), ticks = now - snap.last_tsc, rate = tick_rate(h);
	if (rate && (unsigned __int128)ticks * rate >> 20 > 10 * (unsigned __int128)snap.period_ns)
		raw_lose(RAW_LOST_SNAPSHOT_LATE, 1);
	snap.last_tsc = now;
	snap.serial++;
	snap.runner_count = 0;
	for (unsigned i = 0; i < lanes; i++)
		see_lane(lane_at(i), now, ticks, rate, (i + lanes - snap.next_clock) % lanes < CPU_CLOCKS);
	snap.next_clock = lanes > CPU_CLOCKS ? (snap.next_clock + CPU_CLOCKS) % lanes : 0;
	count_level_and_pairs(ticks);
	h->snapshots++;
	raw_refresh();
}

static void helper(void)
{
	uint64_t before_ns = raw_header()->own_cpu_ns;
	for (uint64_t n = 1; threads_hidden_sleep(snap.period_ns); n++) {
		take();
		if (n % 64 == 0)
			raw_header()->own_cpu_ns = before_ns + kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID);
		if (n % 256 == 0)
			threads_refresh();
		threads_end_with_last();
	}
}

/* Snapshots that will be taken never. */
static void is_gone(void)
{
	raw_lose(RAW_LOST_SNAPSHOT_LATE, 1);
	pace_time_all();
}

void snapshot_start(uint64_t period_ns)
{
	snap.period_ns = period_ns;
	snap.last_tsc = arch_tick();
	if (!snap.sights) {
		snap.inside_rows = (struct rows){RAW_CALLS_INSIDE, NULL};
		snap.together_rows = (struct rows){RAW_CALLS_TOGETHER, NULL};
		snap.level_rows = (struct rows){RAW_CALLS_LEVELS, NULL};
		snap.sights = arena_reserve(CALLS_ROUTINES_MAX * sizeof *snap.sights, &snap.sights_open);
		snap.together = arena_take(sizeof *snap.together << PAIRS_LOG2);
		snap.levels = arena_take(sizeof *snap.levels << PAIRS_LOG2);
	}
	raw_header()->snapshot_period_ns = period_ns;
	if (!snap.sights || !snap.together || !snap.levels || threads_create_hidden(&(struct threads_hidden){helper, is_gone}) != 0) {
		raw_header()->flags |= RAW_NO_SNAPSHOTS;
		pace_time_all();
	}
}
