/* SPDX-License-Identifier: MIT */
/* paths.c: the interface of the `paths` lens to start.c and src/threads, and its tables of counters. */
#include "rt/paths/paths.h"

#include <string.h>
#include "raw/writer.h"
#include "rt/counters.h"
#include "rt/rt.h"
#include "threads/arena.h"

struct paths_worker *paths_worker(struct lane *lane)
{
	return lane ? lane->lens : NULL;
}

/* The calling thread's counters for an object; if there are none, counters that are never read. */
uint64_t *paths_counts(struct skein_object *object)
{
	struct skein_self *self = &skein_self;
	if (!object->first_routine)
		skein_rt_register(object);
	if (self->tables == self_no_tables && !self->vforked)
		self = threads_meet();
	struct paths_worker *w = self->vforked ? NULL : paths_mine(self);
	if (w && object->slot) {
		uint64_t **rows = &w->tables[object->slot];
		if (!*rows)
			*rows = counters_take(RAW_PATHS_COUNTS, w->lane, object);
		if (*rows)
			return *rows;
	}
	raw_lose(self->vforked ? RAW_LOST_VFORK : w ? RAW_LOST_NO_MEMORY : RAW_LOST_TOO_EARLY, 1);
	return object->nowhere;
}

uint64_t *paths_counts_here(struct skein_object *object, uint64_t **here)
{
	uint64_t *counts = paths_counts(object);
	struct paths_worker *w = skein_self.vforked ? NULL : paths_mine(&skein_self);
	if (w && counts != object->nowhere) {
		w->here = here;
		*here = counts;
	}
	return counts;
}

/* The thread counts nothing from now on, or for some time. */
static void leave_tables(struct skein_self *self, struct paths_worker *w)
{
	if (w && w->here)
		*w->here = NULL;
	self->tables = self_no_tables;
}

static struct paths_worker *new_worker(void)
{
	struct paths_worker *w = arena_take(sizeof *w);
	if (w && !(w->tables = arena_take(SELF_TABLES_MAX * sizeof *w->tables))) {
		arena_give(w, sizeof *w);
		return NULL;
	}
	return w;
}

static void thread_begin(struct skein_self *self, void *inherited)
{
	(void)inherited;
	struct paths_worker *w = paths_worker(self->lane);
	if (!w && (w = new_worker()))
		self->lane->lens = w;
	if (!w) {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return;
	}
	w->lane = self->lane->number;
	self->open = paths_first_frame(w);
	self->tables = w->tables;
}

static void thread_end(struct skein_self *self)
{
	struct paths_worker *w = paths_mine(self);
	if (w)
		paths_drop_all(self, w);
	leave_tables(self, w);
	if (w)
		w->here = NULL; /* the lane is the next thread's */
	self->open = &skein_no_frames;
}

static void finish(uint32_t flag)
{
	counters_lose_unwritten(true);
	threads_refresh();
	raw_finish(flag);
}

static void cover(uint32_t routines)
{
	(void)routines;
}

static void start(void)
{
	raw_scatter();
}

/* Frames of the child have pointers to these counters: they stay where they are, and begin anew. */
static void restart_tables(struct paths_worker *w, bool mine)
{
	for (uint32_t slot = 1; slot < SELF_TABLES_MAX; slot++) {
		uint64_t *rows = w->tables[slot];
		struct raw_table *table = (struct raw_table *)rows - 1;
		if (!rows)
			continue;
		w->tables[slot] = mine ? rows : NULL;
		if (!mine || table->kind != RAW_PATHS_COUNTS)
			continue;
		memset(rows, 0, table->capacity * sizeof *rows);
		table->lane = w->lane;
		raw_done(&table->record, RAW_TABLE);
	}
}

static void restart(struct skein_self *self)
{
	counters_lose_unwritten(false);
	for (unsigned i = 0; i < lane_count(); i++) {
		struct paths_worker *w = paths_worker(lane_at(i));
		bool mine = w && w == paths_mine(self);
		if (!w)
			continue;
		w->lane = lane_at(i)->number;
		restart_tables(w, mine);
		paths_restart_own(w, mine);
		paths_restart_keys(w, mine);
		paths_restart_frames(w, mine);
	}
}

static void vfork_begin(struct skein_self *self)
{
	struct paths_worker *w = paths_mine(self);
	if (w)
		w->before_vfork = self->open;
	leave_tables(self, w);
}

/* What the child left behind was in this thread's rows. */
static void vfork_end(struct skein_self *self)
{
	struct paths_worker *w = paths_worker(self->lane);
	if (!w)
		return;
	self->tables = w->tables;
	self->open = w->before_vfork;
	paths_forget_above(self->open);
}

const struct rt_lens rt_paths_lens = {
	.name = "paths",
	.lens = RAW_LENS_PATHS,
	.start = start,
	.finish = finish,
	.cover = cover,
	.restart = restart,
	.client =
		{
			.counts_apart = true,
			.no_openmp = true,
			.thread_begin = thread_begin,
			.thread_end = thread_end,
			.vfork_begin = vfork_begin,
			.vfork_end = vfork_end,
		},
};
