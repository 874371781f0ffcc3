/* SPDX-License-Identifier: MIT */
/* record.c: writes a thread's sources into the recording: when the thread ends, when the process does, and every few
 * seconds, so that kill -9 takes little. Points lie there from the beginning (memory.c).
 *
 * A thread that records another one holds it first (core/input/concurrent.h); a thread that cannot be held, because
 * a jump left it in the middle of a function, keeps what was recorded last. One thread records at a time, and
 * meanwhile no thread begins or ends. */
#include "rt/input/input.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "raw/input_rows.h"
#include "raw/kernel.h"
#include "raw/writer.h"
#include "threads/session.h"

enum { PERIOD_MS = 3000, HOLD_TRIES = 2000, LOCK_TRIES = 20000, ROWS_MAX = 1 << 22 };

static struct {
	atomic_flag lock;
	bool has_barrier;
	struct raw_input_how *how;
} record = {.lock = ATOMIC_FLAG_INIT};

static struct raw_input_how nowhere;

/* A thread that a handler stopped while it held the lock, in order to end the process, must not block this one. */
static bool lock(void)
{
	for (unsigned i = 0; atomic_flag_test_and_set_explicit(&record.lock, memory_order_acquire); i++) {
		if (i == LOCK_TRIES)
			return false;
		kernel_call(SYS_sched_yield);
	}
	return true;
}

static void unlock(void)
{
	atomic_flag_clear_explicit(&record.lock, memory_order_release);
}

void input_record_wait(void)
{
	while (atomic_flag_test_and_set_explicit(&record.lock, memory_order_acquire))
		kernel_call(SYS_sched_yield);
}

void input_record_go_on(void)
{
	unlock();
}

/* ---- one thread ---- */

static uint64_t count_bins(const struct input_routines *routines)
{
	uint64_t bins = 0;
	for (uint32_t i = 0; i < input_map_slots(&routines->map); i++) {
		const struct input_routine *r = (const struct input_routine *)(uintptr_t)routines->map.slots[i].value;
		bins += r ? input_row_bins(r) : 0;
	}
	return bins;
}

/* A table with enough room for the rows, which no reader uses yet; NULL: no space. */
static struct raw_table *other_of(struct input_pair *pair, uint32_t kind, uint32_t lane, uint64_t rows, bool last)
{
	struct raw_table **other = &pair->table[!pair->now];
	if (rows > ROWS_MAX) {
		raw_lose(RAW_LOST_NO_SPACE, rows - ROWS_MAX);
		rows = ROWS_MAX;
	}
	if (!*other || (*other)->capacity < rows)
		*other = raw_add_table(kind, lane, 0, (uint32_t)(last ? rows : rows + rows / 2));
	if (*other)
		(*other)->used = 0;
	return *other;
}

/* What was recorded before is in the new one as well. */
static void turn(struct input_pair *pair, uint32_t rows)
{
	struct raw_table *old = pair->table[pair->now];
	pair->now = !pair->now;
	__atomic_store_n(&pair->table[pair->now]->used, rows, __ATOMIC_RELEASE);
	if (old)
		__atomic_store_n(&old->used, 0, __ATOMIC_RELEASE);
}

static void put_sources(struct rt_input *w, uint32_t lane, bool last)
{
	const struct input_map *map = &w->core.t.sources;
	struct raw_table *table = map->used ? other_of(&w->matrix, RAW_INPUT_MATRIX, lane, map->used, last) : NULL;
	uint32_t at = 0;
	for (uint32_t i = 0; table && i < input_map_slots(map); i++) {
		if (map->slots[i].key && map->slots[i].value && at < table->capacity)
			((struct raw_input_source *)raw_rows(table))[at++] =
				(struct raw_input_source){.writer = input_row_writer(map->slots[i].key, 0),
			                                  .reader = w->number,
			                                  .cells = map->slots[i].value};
	}
	if (table)
		turn(&w->matrix, at);
}

/* `last`: the thread will not be recorded again. */
static void put(struct rt_input *w, uint32_t lane, bool last)
{
	put_sources(w, lane, last);
	if (!last)
		return;
	record.how->binned += count_bins(&w->core.t.routines);
	record.how->renumberings += w->core.t.renumbered;
	w->core.t.renumbered = 0;
	record.how->loops += w->loops;
	w->loops = 0;
	raw_lose(RAW_LOST_NO_MEMORY, w->core.t.lost + w->core.t.routines.lost);
	raw_lose(RAW_LOST_IN_SIGNAL, w->core.interrupted);
}

/* ---- who has ended ---- */

void input_record_thread(struct rt_input *w)
{
	put(w, skein_self.lane ? skein_self.lane->number : RAW_NO_LANE, true);
	w->matrix.table[w->matrix.now] = NULL; /* the old rows stay as they are */
}

/* ---- who has not ---- */

static bool hold(struct rt_input *w)
{
	__atomic_store_n(&w->core.held, 1, __ATOMIC_SEQ_CST);
	kernel_call(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
	for (unsigned i = 0; i < HOLD_TRIES; i++) {
		if (!__atomic_load_n(&w->core.busy, __ATOMIC_ACQUIRE))
			return true;
		kernel_call(SYS_sched_yield);
	}
	return false;
}

static void let_go(struct rt_input *w)
{
	__atomic_store_n(&w->core.held, 0, __ATOMIC_RELEASE);
}

/* ---- all stand still ---- */

/* A thread that waits for its turn may be held by the one that records: it counts as outside while it waits. */
static void wait_outside(struct rt_input *mine)
{
	while (atomic_flag_test_and_set_explicit(&record.lock, memory_order_acquire)) {
		input_concurrent_leave(&mine->core);
		kernel_call(SYS_sched_yield);
		input_concurrent_enter(&mine->core);
	}
}

static void go(void *context)
{
	(void)context;
	for (struct input_thread *t = __atomic_load_n(&input_all.threads, __ATOMIC_ACQUIRE); t; t = t->next)
		let_go((struct rt_input *)t);
	unlock();
}

/* Called in the middle of a sync, which is a good place to be held at. A thread that begins has the lock and lets others do it. */
static bool stop(void *context)
{
	struct rt_input *mine = skein_self.input;
	if (!mine || skein_self.inside || !record.has_barrier)
		return false;
	wait_outside(mine);
	for (struct input_thread *t = __atomic_load_n(&input_all.threads, __ATOMIC_ACQUIRE); t; t = t->next)
		if (t->depth && (struct rt_input *)t != mine && !hold((struct rt_input *)t)) {
			go(context);
			return false;
		}
	return true;
}

/* ---- everybody's tables ---- */

static void record_lane(struct lane *lane, bool last)
{
	struct rt_input *w = input_worker(lane);
	if (!w || w == skein_self.input || !atomic_load(&lane->alive) || !record.has_barrier || !w->core.t.depth)
		return;
	if (hold(w) && w->core.t.depth)
		put(w, lane->number, last);
	let_go(w);
}

void input_record_all(bool ends)
{
	struct rt_input *mine = skein_self.input;
	if (!lock())
		return;
	if (mine && ends) {
		skein_self.input = NULL;
		input_concurrent_thread_end(&mine->core);
		mine->core.busy = 1; /* frames that are left behind may still have hooks to come */
	}
	if (mine)
		put(mine, skein_self.lane ? skein_self.lane->number : RAW_NO_LANE, ends);
	for (unsigned i = 0; i < lane_count(); i++)
		if (input_worker(lane_at(i)) != mine)
			record_lane(lane_at(i), ends);
	if (ends) {
		record.how->renumberings += input_all.renumbered;
		input_all.renumbered = 0;
	}
	unlock();
}

void input_record_unseen(void)
{
	if (record.how)
		__atomic_fetch_add(&record.how->unseen, 1, __ATOMIC_RELAXED);
}

static void helper(void)
{
	const uint64_t step_ms = 50; /* time in which the last thread may have ended */
	for (uint64_t slept_ms = 0, begun = raw_own_begin(); threads_hidden_sleep(step_ms * 1000000); slept_ms += step_ms) {
		raw_own_end(begun);
		begun = raw_own_begin();
		if (slept_ms >= PERIOD_MS && lock()) {
			slept_ms = 0;
			for (unsigned i = 0; i < lane_count(); i++)
				record_lane(lane_at(i), false);
			unlock();
			raw_refresh();
		}
		threads_end_with_last();
	}
}

static void put_how(void)
{
	struct raw_table *table = raw_add_table(RAW_INPUT_HOW, RAW_NO_LANE, 0, 1);
	record.how = table ? raw_rows(table) : &nowhere;
	*record.how =
		(struct raw_input_how){.producer = RAW_INPUT_COMPILED,
	                               .cost = session_is(SESSION_MODE, MODE_INSTRUCTIONS) ? RAW_INPUT_INSTRUCTIONS : RAW_INPUT_BLOCKS,
	                               .options = session_is(SESSION_LOCKS, "1") ? RAW_INPUT_COUNTS_LOCKS : 0,
	                               .cell_bytes = 1u << input_all.shadow.cell_log2,
	                               .sizes_max = (uint32_t)session_number(SESSION_SIZES_MAX, INPUT_SIZES_MAX)};
	if (table)
		table->used = 1;
}

void input_record_start(void)
{
	record.has_barrier = kernel_call(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
	input_all.stop = stop;
	input_all.go = go;
	put_how();
}

void input_record_begin(void)
{
	if (record.has_barrier && raw_is_open())
		threads_create_hidden(&(struct threads_hidden){.run = helper});
}

void input_record_restart(void)
{
	unlock();
	put_how();
	input_record_begin();
}
