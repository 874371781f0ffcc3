/* SPDX-License-Identifier: MIT */
/* input.c: the interface of the `input` lens to start.c, src/threads and the hooks. */
#include "rt/input/input.h"

#include <errno.h>
#include <string.h>
#include "core/input/choice.h"
#include "core/input/stack.h"
#include "raw/writer.h"
#include "rt/rt.h"
#include "threads/arena.h"
#include "threads/session.h"

enum { CELL_LOG2 = 2, FIRST_SLOTS = 8 };

struct input_concurrent input_all;
static bool is_started;

/* For code that runs where nothing can be recorded: always busy, so that every access is passed over. */
static struct rt_input nobody = {.core = {.busy = 1, .t.lane.front[0 ... INPUT_FRONT - 1] = {.number = INPUT_NOWHERE}}};

bool input_is_nobody(const struct rt_input *me)
{
	return me == &nobody;
}

struct rt_input *input_worker(struct lane *lane)
{
	return lane ? lane->lens : NULL;
}

struct rt_input *skein_rt_input_meet(struct skein_object *object)
{
	if (!object->first_routine)
		skein_rt_register(object);
	struct skein_self *self = threads_meet();
	if (self->input && !self->vforked)
		return self->input;
	raw_lose(self->vforked ? RAW_LOST_VFORK : RAW_LOST_TOO_EARLY, 1);
	return &nobody;
}

static bool has_slot(struct rt_input *me, uint32_t slot)
{
	uint32_t room = me->tables_room ? me->tables_room : FIRST_SLOTS;
	while (room <= slot)
		room *= 2;
	if (room == me->tables_room)
		return true;
	struct input_routine ***tables = arena_take(room * sizeof *tables);
	if (!tables)
		return false;
	if (me->tables)
		memcpy(tables, me->tables, me->tables_room * sizeof *tables);
	arena_give(me->tables, me->tables_room * sizeof *tables);
	me->tables = tables;
	me->tables_room = room;
	return true;
}

static struct input_routine **table_of(struct rt_input *me, const struct skein_object *object)
{
	if (!object->slot || !has_slot(me, object->slot))
		return NULL;
	struct input_routine ***table = &me->tables[object->slot];
	if (!*table)
		*table = arena_take(object->routines * sizeof **table);
	return *table;
}

static struct input_routine *find(struct rt_input *me, const struct skein_object *object, uint32_t index)
{
	if (!input_concurrent_enter(&me->core))
		return NULL;
	struct input_routine **table = table_of(me, object),
			     *routine = input_routine_of(&me->core.t.routines, object->first_routine + index);
	if (table)
		table[index] = routine;
	input_concurrent_leave(&me->core);
	return routine;
}

uint32_t skein_rt_input_enter(struct rt_input *me, struct skein_object *object, uint32_t index)
{
	if (INPUT_RARELY(me->core.busy)) {
		me->core.interrupted++;
		return 0;
	}
	struct input_routine **table = INPUT_RARELY(object->slot >= me->tables_room) ? NULL : me->tables[object->slot],
			     *routine = table ? table[index] : NULL;
	if (INPUT_RARELY(!routine))
		routine = find(me, object, index);
	if (!input_concurrent_enter(&me->core))
		return 0;
	input_push(&me->core.t, routine);
	input_concurrent_leave(&me->core);
	return me->core.t.depth;
}

/* What lies above it was left without a return. */
void skein_rt_input_leave(struct rt_input *me, uint32_t mine)
{
	uint32_t depth = me->core.t.depth;
	if (INPUT_RARELY(depth != mine)) {
		if (mine && depth > mine)
			input_concurrent_return_to(&me->core, mine - 1);
		return;
	}
	input_concurrent_return(&me->core);
}

void skein_rt_input_collect(struct rt_input *me)
{
	struct input_activation a;
	input_collect(&me->core.t, input_top(&me->core.t), &a);
}

void skein_rt_input_catch(struct rt_input *me, uint32_t mine)
{
	if (mine && me->core.t.depth > mine)
		input_concurrent_return_to(&me->core, mine);
	if (me->where)
		skein_rt_input_back(me);
}

/* A thread's own frame is no routine that is given functions. */
static void choose(struct rt_input *me, const struct skein_object *object, uint32_t index)
{
	struct input_thread *t = &me->core.t;
	if (!object->first_routine || t->depth <= 1 || t->too_deep || !input_concurrent_enter(&me->core))
		return;
	input_choose(&t->routines, input_top(t), object->first_routine + index);
	input_concurrent_leave(&me->core);
}

uint32_t skein_rt_input_arrive(struct rt_input *me, const void *function, const struct skein_object *object, uint32_t index)
{
	choose(me, object, index);
	uint32_t from = me->where;
	me->where = INPUT_HERE;
	if (from == INPUT_ASIDE)
		return from;
	if (from == INPUT_THROUGH && me->target == function)
		return INPUT_HERE;
	input_concurrent_sync(&me->core);
	return INPUT_OUTSIDE;
}

void skein_rt_input_back(struct rt_input *me)
{
	bool was_aside = me->where == INPUT_ASIDE;
	me->where = INPUT_HERE;
	if (was_aside)
		return;
	input_concurrent_sync(&me->core);
}

void skein_rt_input_read(struct rt_input *me, const void *at, uint64_t bytes)
{
	me->core.t.cost += bytes / INPUT_COST_BYTES;
	if (bytes)
		input_concurrent_read_slow(&me->core, (uintptr_t)at, bytes);
}

void skein_rt_input_write(struct rt_input *me, const void *at, uint64_t bytes)
{
	me->core.t.cost += bytes / INPUT_COST_BYTES;
	if (bytes)
		input_concurrent_write_slow(&me->core, (uintptr_t)at, bytes);
}

static bool tells_one_by_one; /* what ranges are held against */

/* Whether one of two ranges is read and the other one written, in one cell. */
static bool do_meet(const struct input_told *a, uint32_t kind_a, const struct input_told *b, uint32_t kind_b)
{
	unsigned log2 = input_all.shadow.cell_log2;
	bool differ = (kind_a & 1 && kind_b & 2) || (kind_a & 2 && kind_b & 1);
	return differ && a->from >> log2 <= (b->from + b->bytes - 1) >> log2 && b->from >> log2 <= (a->from + a->bytes - 1) >> log2;
}

static uint32_t kind_of(uint32_t kinds, uint32_t range)
{
	return kinds >> 2 * range & 3;
}

uint32_t skein_rt_input_ranges(struct rt_input *me, const struct input_told *ranges, uint32_t count, uint32_t kinds)
{
	if (tells_one_by_one)
		return 0;
	for (uint32_t a = 0; a < count; a++)
		for (uint32_t b = a + 1; b < count; b++)
			if (do_meet(&ranges[a], kind_of(kinds, a), &ranges[b], kind_of(kinds, b)))
				return 0;
	me->loops++;
	for (uint32_t i = 0; i < count; i++)
		if (kind_of(kinds, i) & 1)
			input_concurrent_read_slow(&me->core, ranges[i].from, ranges[i].bytes);
	for (uint32_t i = 0; i < count; i++)
		if (kind_of(kinds, i) & 2)
			input_concurrent_write_slow(&me->core, ranges[i].from, ranges[i].bytes);
	return 1;
}

void skein_rt_input_masked(struct rt_input *me, const void *at, uint32_t item_bytes, uint64_t mask, uint32_t writes)
{
	for (uintptr_t item = (uintptr_t)at; mask; mask >>= 1, item += item_bytes)
		if (mask & 1)
			(writes ? input_concurrent_write_slow : input_concurrent_read_slow)(&me->core, item, item_bytes);
}

static struct rt_input *new_worker(void)
{
	struct rt_input *w = arena_take(sizeof *w);
	if (!w)
		return NULL;
	w->core.t.routines =
		(struct input_routines){.port = &input_memory, .sizes_max = (uint32_t)session_number(SESSION_SIZES_MAX, INPUT_SIZES_MAX)};
	return w;
}

static void thread_begin(struct skein_self *self, void *inherited)
{
	(void)inherited;
	struct rt_input *w = input_worker(self->lane);
	if (!w && (w = new_worker()))
		self->lane->lens = w;
	if (w)
		w->core.t.routines.reader = self->number;
	input_record_wait();
	bool starts = w && is_started &&
		input_concurrent_thread_start(&input_all, &w->core, self->number + 1, input_routine_of(&w->core.t.routines, 0));
	input_record_go_on();
	if (!starts) {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return;
	}
	w->number = self->number;
	w->where = INPUT_OUTSIDE;
	self->input = w;
}

/* Removes pointers to routines that are removed. */
static void forget_routines(struct rt_input *w)
{
	for (uint32_t slot = 1; slot < w->tables_room; slot++)
		if (w->tables[slot])
			memset(w->tables[slot], 0, objects_routines_of(slot) * sizeof **w->tables);
}

static void thread_end(struct skein_self *self)
{
	struct rt_input *w = self->input;
	if (!w)
		return;
	self->input = NULL;
	input_record_wait();
	input_concurrent_thread_end(&w->core);
	input_record_thread(w);
	forget_routines(w);
	input_thread_clear(&w->core.t);
	input_record_go_on();
}

static void finish(uint32_t flag)
{
	int error = errno;
	uint64_t begun = raw_own_begin();
	input_record_all(flag == RAW_FINISHED);
	threads_refresh();
	raw_own_end(begun);
	raw_finish(flag);
	errno = error;
}

static void cover(uint32_t routines)
{
	(void)routines;
}

/* What has begun is the parent's. */
static void restart_routines(struct rt_input *w)
{
	input_forked(&w->core.t);
	const struct input_map *map = &w->core.t.routines.map;
	for (uint32_t i = 0; i < input_map_slots(map); i++) {
		struct input_routine *r = (struct input_routine *)(uintptr_t)map->slots[i].value;
		if (r) {
			input_routine_clear(r, &input_memory);
			input_choice_tell(&w->core.t.routines, r);
		}
	}
	input_map_clear(&w->core.t.sources);
}

/* The child goes on in its parent's open activations; the other threads are not here. */
static void restart(struct skein_self *self)
{
	for (unsigned i = 0; i < lane_count(); i++) {
		struct rt_input *w = input_worker(lane_at(i));
		if (!w)
			continue;
		w->matrix = (struct input_pair){0};
		w->sets = NULL;
		w->core.held = 0;
		if (w == self->input) {
			w->number = w->core.t.routines.reader = self->number;
			restart_routines(w);
		} else if (w->core.t.depth) {
			input_concurrent_thread_end(&w->core);
			forget_routines(w);
			input_thread_clear(&w->core.t);
		}
	}
	input_record_restart();
}

static void vfork_begin(struct skein_self *self)
{
	self->input = NULL;
}

static void vfork_end(struct skein_self *self)
{
	self->input = input_worker(self->lane);
}

static void start(void)
{
	uint64_t begun = raw_own_begin();
	is_started = input_concurrent_start(&input_all, &input_memory, (unsigned)session_number(SESSION_CELL_LOG2, CELL_LOG2));
	input_all.writers.epochs_max =
		(uint32_t)session_number(SESSION_WRITER_EPOCHS, input_all.writers.epochs_max); /* few, to see them end */
	input_all.writers.ids_max = (uint32_t)session_number(SESSION_WRITER_IDS, input_all.writers.ids_max);
	tells_one_by_one = session_number(SESSION_ONE_BY_ONE, 0);
	input_record_start();
	raw_own_end(begun);
}

const struct rt_lens rt_input_lens = {
	.name = "input",
	.lens = RAW_LENS_INPUT,
	.start = start,
	.begin = input_record_begin,
	.finish = finish,
	.cover = cover,
	.restart = restart,
	.client =
		{
			.thread_begin = thread_begin,
			.thread_end = thread_end,
			.vfork_begin = vfork_begin,
			.vfork_end = vfork_end,
		},
};
