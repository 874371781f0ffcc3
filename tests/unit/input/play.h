/* SPDX-License-Identifier: MIT */
/* play.h: random traces of several threads, played to the naive sets and to one of the forms, and compared after
 * each event: the sizes of all open activations, what a return says, and in the end who read from whom and what is in
 * the points.
 *
 * With `locked`, threads access cells only while they hold the lock of the cells' group: no race by cell.
 * A test that includes this runs INPUT_TRACES traces, or as many as the environment variable of that name says. */
#ifndef SKEIN_INPUT_PLAY_H
#define SKEIN_INPUT_PLAY_H

#include "unit/input/naive.h"

enum { GROUP = 8, GROUPS = CELLS / GROUP, EVENTS = 1500 };

/* ---- chance ---- */

static uint64_t chance_state;

static uint64_t chance(uint64_t below)
{
	chance_state ^= chance_state << 13;
	chance_state ^= chance_state >> 7;
	chance_state ^= chance_state << 17;
	return (chance_state >> 11) % below;
}

/* ---- a trace ---- */

struct totals {
	uint64_t calls, cost, outermost, self, thread, external, size[INPUT_METRICS];
};

static struct {
	const struct form *form;
	struct naive naive;
	unsigned cell_log2;
	int running, next_id, holder[GROUPS];
	struct totals totals[LANES][ROUTINES];
	uint64_t base; /* address of cell 0: such that two chunks meet among the cells */
} play;

static void same_open_activations(int lane)
{
	const struct naive_lane *l = &play.naive.lanes[lane];
	const struct input_thread *t = play.form->thread(lane);
	int64_t size[INPUT_METRICS] = {0};
	uint64_t thread = 0, external = 0, firsts = 0;
	assert_int_equal(t->depth, l->depth);
	for (int i = l->depth - 1; i >= 0; i--) {
		const struct input_frame *f = &t->frames[i];
		size[INPUT_RMS] += f->size + (int64_t)(i == l->depth - 1 ? t->firsts : f->firsts) - (int64_t)firsts;
		firsts = i == l->depth - 1 ? t->firsts : f->firsts;
		thread += f->is_induced ? f->thread : 0;
		external += f->is_induced ? f->external : 0;
		for (int m = 0; m < INPUT_METRICS; m++) {
			size[m] += m != INPUT_RMS && f->is_induced ? f->beyond[m - 1] : 0;
			assert_int_equal(size[INPUT_RMS] + (m == INPUT_RMS ? 0 : size[m]), l->stack[i].a.size[m]);
		}
		assert_int_equal(thread, l->stack[i].a.thread);
		assert_int_equal(external, l->stack[i].a.external);
	}
}

static void add_up(struct totals *sum, const struct input_activation *a)
{
	for (int m = 0; m < INPUT_METRICS; m++)
		sum->size[m] += a->size[m];
	sum->calls++;
	sum->cost += a->cost;
	sum->self += a->self;
	sum->outermost += a->outermost ? a->cost : 0;
	sum->thread += a->thread;
	sum->external += a->external;
}

static struct input_activation known_return(int lane)
{
	const struct naive_lane *l = &play.naive.lanes[lane];
	int routine = l->stack[l->depth - 1].routine;
	struct input_activation known = naive_return(&play.naive, lane);
	add_up(&play.totals[lane][routine], &known);
	return known;
}

static void play_return(int lane)
{
	struct input_activation said, known = known_return(lane);
	play.form->back(lane, &said);
	for (int m = 0; m < INPUT_METRICS; m++)
		assert_int_equal(said.size[m], known.size[m]);
	assert_int_equal(said.thread, known.thread);
	assert_int_equal(said.external, known.external);
	assert_int_equal(said.cost, known.cost);
	assert_int_equal(said.self, known.self);
	assert_int_equal(said.outermost, known.outermost);
}

static void same_points(int lane)
{
	struct input_thread *t = play.form->thread(lane);
	for (int r = 0; r < ROUTINES; r++)
		for (int m = 0; m < INPUT_METRICS; m++) {
			struct totals sum = {0}, *known = &play.totals[lane][r];
			struct input_points points = {0};
			assert_true(input_routine_points(&t->routines, input_routine_of(&t->routines, (uint64_t)r), (enum input_metric)m,
			                                 &points));
			for (uint32_t i = 0; i < points.count; i++) {
				sum.calls += points.rows[i].calls;
				sum.cost += points.rows[i].cost_sum;
				sum.self += points.rows[i].self_sum;
				sum.outermost += points.rows[i].cost_outermost;
				sum.thread += points.rows[i].thread;
				sum.external += points.rows[i].external;
				sum.size[m] += points.rows[i].size_sum;
			}
			assert_int_equal(sum.calls, known->calls);
			assert_int_equal(sum.cost, known->cost);
			assert_int_equal(sum.self, known->self);
			assert_int_equal(sum.outermost, known->outermost);
			assert_int_equal(sum.thread, known->thread);
			assert_int_equal(sum.external, known->external);
			assert_int_equal(sum.size[m], known->size[m]);
			input_points_free(&points, &port);
		}
}

static void same_sources(int lane)
{
	const struct input_map *sources = &play.form->thread(lane)->sources;
	uint64_t all = 0, said = 0;
	for (int id = 0; id < play.next_id; id++) {
		const uint64_t *n = input_map_find(sources, id == KERNEL_ID ? INPUT_KERNEL : (uint64_t)id);
		assert_int_equal(n ? *n : 0, play.naive.from[lane][id]);
		all += play.naive.from[lane][id];
	}
	for (uint32_t i = 0; i < input_map_slots(sources); i++)
		said += sources->slots[i].value;
	assert_int_equal(said, all);
}

static void play_thread_end(int lane)
{
	struct input_thread *t = play.form->thread(lane);
	while (play.naive.lanes[lane].depth > 1)
		play_return(lane);
	play.form->back(lane, NULL); /* one too many */
	known_return(lane);
	play.form->thread_end(lane);
	same_points(lane);
	same_sources(lane);
	assert_int_equal(t->lost, 0);
	assert_int_equal(t->routines.lost, 0);
	input_thread_clear(t);
	play.naive.lanes[lane].id = 0;
	for (int g = 0; g < GROUPS; g++)
		if (play.holder[g] == lane)
			play.holder[g] = NOBODY;
}

static void play_thread_start(int lane)
{
	int routine = (int)chance(ROUTINES);
	memset(play.totals[lane], 0, sizeof play.totals[lane]);
	play.form->thread_start(lane, play.next_id, routine);
	naive_thread_start(&play.naive, lane, play.next_id++, routine);
}

static bool may_access(int lane, uint64_t first, uint64_t last)
{
	if (last >= CELLS)
		return false;
	for (uint64_t c = first; play.form->locked && c <= last; c++)
		if (play.holder[c / GROUP] != lane)
			return false;
	return true;
}

/* Bytes [at, at + bytes) after the first cell, which the thread may access, or 0: none were found. */
static uint32_t choose_bytes(int lane, uint64_t *at)
{
	static const uint32_t widths[] = {1, 2, 4, 4, 4, 8, 8, 16, 32, 100};
	for (int attempt = 0; attempt < 30; attempt++) {
		uint32_t bytes = widths[chance(sizeof widths / sizeof *widths)];
		*at = chance((uint64_t)CELLS << play.cell_log2);
		if (may_access(lane, *at >> play.cell_log2, (*at + bytes - 1) >> play.cell_log2))
			return bytes;
	}
	return 0;
}

static void play_access(int lane)
{
	uint64_t at;
	uint32_t bytes = choose_bytes(lane, &at);
	if (!bytes)
		return;
	uint64_t first = at >> play.cell_log2, last = (at + bytes - 1) >> play.cell_log2;
	uint64_t what = chance(20);
	bool reads = what < 10, writes = what >= 8 && what < 17;
	if (reads && writes)
		play.form->modify(lane, play.base + at, bytes);
	else if (reads)
		play.form->read(lane, play.base + at, bytes);
	else if (writes)
		play.form->write(lane, play.base + at, bytes);
	else if (what < 19)
		play.form->kernel_write(lane, play.base + at, bytes);
	else
		play.form->forget(lane, play.base + at, bytes);
	for (uint64_t c = first; c <= last; c++) {
		if (reads)
			naive_read(&play.naive, lane, (int)c);
		if (writes || (what >= 17 && what < 19))
			naive_write(&play.naive, writes ? lane : -1, (int)c);
		if (what >= 19 && c << play.cell_log2 >= at && (c + 1) << play.cell_log2 <= at + bytes)
			naive_forget(&play.naive, (int)c);
	}
}

static void play_lock(int lane)
{
	int g = (int)chance(GROUPS);
	if (play.holder[g] != NOBODY && play.holder[g] != lane)
		return;
	play.form->sync(lane);
	play.holder[g] = play.holder[g] == lane ? NOBODY : lane;
}

static void play_turn(void)
{
	int lane = (int)chance(LANES);
	if (play.naive.lanes[lane].id)
		play.form->turn(lane);
	else
		play_thread_start(lane);
	play.running = lane;
}

static void play_event(void)
{
	struct naive_lane *l = &play.naive.lanes[play.running];
	uint64_t what = chance(100);
	if (what < 4)
		play_turn();
	else if (what < 5 && play.next_id < IDS)
		play_thread_end(play.running), play_thread_start(play.running);
	else if (what < 15 && l->depth < DEPTH) {
		int routine = (int)chance(ROUTINES);
		naive_call(&play.naive, play.running, routine);
		play.form->call(play.running, routine);
	} else if (what < 24 && l->depth > 1)
		play_return(play.running);
	else if (what < 40 && play.form->locked)
		play_lock(play.running);
	else
		play_access(play.running);
	uint64_t cost = chance(10);
	play.naive.lanes[play.running].cost += cost;
	play.form->thread(play.running)->cost += cost;
	same_open_activations(play.running);
}

static void play_trace(const struct form *form, uint64_t seed)
{
	chance_state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
	chance(2);
	heap_start();
	naive_start(&play.naive);
	play.form = form;
	play.cell_log2 = (unsigned)chance(5);
	play.running = 0;
	play.next_id = 1;
	for (int g = 0; g < GROUPS; g++)
		play.holder[g] = NOBODY;
	play.base = ((UINT64_C(0x7ffe1234) << INPUT_CELLS_LOG2) - chance(CELLS)) << play.cell_log2;
	form->start(play.cell_log2);
	play_thread_start(0);
	for (int i = 0; i < EVENTS; i++)
		play_event();
	for (int lane = 0; lane < LANES; lane++)
		if (play.naive.lanes[lane].id) {
			form->turn(lane);
			play_thread_end(lane);
		}
	heap_start();
}

static uint64_t traces(uint64_t by_default)
{
	const char *wanted = getenv("INPUT_TRACES");
	return wanted ? strtoull(wanted, NULL, 10) : by_default;
}

#endif
