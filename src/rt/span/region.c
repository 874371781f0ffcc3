/* SPDX-License-Identifier: MIT */
/* region.c: work and span of the regions that the user marked (rt/region.h); core/span/region.h has the algorithm.
 *
 * Foreign code is called at a mark, so the routine that has the mark and all that called it are invocations of the
 * general kind: their frames say how far the program has come. A region belongs to the invocation that has its mark,
 * and ends with it at the latest. A thread that is created in a region is in it: its work is added when it ends.
 * Rows lie in the recording, one for each name and lane. Without marks nothing here is called. */
#include "rt/span/join.h"

#include <string.h>
#include "rt/region.h"
#include "rt/rt.h"
#include "threads/arena.h"
#include "threads/session.h"

enum { ROWS = 16 };

/* Rows of a lane; further ones in the next. */
struct region_rows {
	struct region_rows *next;
	struct raw_table *table;
};

struct open_region {
	struct span_open_region open; /* first */
	struct under_region under;
};

static void add(struct span_place *place, const struct span_figures *figures)
{
	place->work += figures->work;
	place->span += figures->span;
	place->burdened_span += figures->burdened_span;
}

/* A mark in a routine that is not profiled stands in a call: what was called there so far is still in the lane. */
static struct span_place here(void)
{
	struct span_place place = {0};
	for (const struct rt_frame *f = skein_self.frames; f; f = f->up) {
		span_place_add(&place, &f->f, f->n);
		add(&place, &f->outer);
	}
	if (skein_self.frames && skein_self.frames->object)
		add(&place, &skein_self.span->left);
	return place;
}

/* ---- rows ---- */

static struct span_region *new_row(struct span_worker *w, uint32_t routine)
{
	struct region_rows *last = w->region_rows;
	if (!last || last->table->used == ROWS) {
		struct region_rows *more = arena_take(sizeof *more);
		struct raw_table *table = more ? raw_add_table(RAW_SPAN_REGIONS, w->number, 0, ROWS) : NULL;
		if (!table)
			return NULL;
		*more = (struct region_rows){last, table};
		w->region_rows = last = more;
	}
	struct span_region *row = (struct span_region *)raw_rows(last->table) + last->table->used;
	row->routine = routine;
	last->table->used++;
	return row;
}

static struct span_region *row_of(struct span_worker *w, uint32_t routine)
{
	for (const struct region_rows *r = w->region_rows; r; r = r->next) {
		struct span_region *rows = raw_rows(r->table);
		for (uint32_t i = 0; i < r->table->used; i++)
			if (rows[i].routine == routine)
				return &rows[i];
	}
	return new_row(w, routine);
}

/* ---- marks ---- */

void regions_begin(const char *name, const char *file, unsigned line)
{
	struct span_worker *w = span_mine();
	struct rt_frame *f = w ? skein_self.frames : NULL;
	const struct rt_region *region = f ? rt_region(name, file, line) : NULL;
	struct span_region *row = region ? row_of(w, region->routine) : NULL;
	struct open_region *open = row ? arena_take(sizeof *open) : NULL;
	if (!open) {
		raw_lose(RAW_LOST_TOO_EARLY, 1);
		return;
	}
	span_region_begin(&w->regions, &open->open, row, f, here());
	f->regions++;
	if (span_rt.under && strcmp(session_value(SESSION_UNDER_SITE), name) == 0)
		under_region_begin(f, &open->under);
}

static void end_one(struct span_worker *w, struct rt_frame *f)
{
	struct open_region *open = (struct open_region *)w->regions;
	struct span_place from = open->open.from, to = here();
	span_region_end(&w->regions, to);
	f->regions--;
	under_region_end(f, &open->under, to.work - from.work, to.span - from.span, to.burdened_span - from.burdened_span);
	if (!span_rt.execs) /* if the exec fails, the program goes on in it */
		arena_give(open, sizeof *open);
}

/* An end without a beginning in the same invocation is left alone. */
void regions_end(void)
{
	struct span_worker *w = span_mine();
	struct rt_frame *f = w ? skein_self.frames : NULL;
	if (f && f->regions)
		end_one(w, f);
}

void regions_leave(struct rt_frame *f)
{
	while (f->regions)
		end_one(span_worker(skein_self.lane), f);
}

/* ---- threads and processes ---- */

void regions_capture(const struct span_worker *w, struct thread_path *path)
{
	for (const struct region_rows *r = w->region_rows; r; r = r->next) {
		const struct span_region *rows = raw_rows(r->table);
		for (uint32_t i = 0; i < r->table->used; i++) {
			if (rows[i].open && path->region_count == PATH_REGIONS)
				raw_lose(RAW_LOST_NO_MEMORY, 1);
			else if (rows[i].open)
				path->regions[path->region_count++] = rows[i].routine;
		}
	}
}

static void inherit(struct span_worker *w, uint32_t more, uint64_t work)
{
	for (uint32_t i = 0; w->path && i < w->path->region_count; i++) {
		struct span_region *row = row_of(w, w->path->regions[i]);
		if (!row) {
			raw_lose(RAW_LOST_NO_MEMORY, 1);
			return;
		}
		row->open += more;
		row->work += work;
	}
}

void regions_thread_begin(struct span_worker *w)
{
	w->regions = NULL;
	w->inherits = w->path && w->path->region_count;
	if (w->inherits)
		inherit(w, 1, 0);
}

/* All its invocations have ended. */
void regions_thread_end(struct span_worker *w)
{
	if (w->inherits)
		inherit(w, -1u, w->lane->left.work);
	w->inherits = false;
}

/* In the child of a fork, after its frames: what is open goes on from here. */
void regions_restart(struct span_worker *w, bool mine)
{
	for (const struct region_rows *r = w->region_rows; r; r = r->next) {
		struct span_region *rows = raw_rows(r->table);
		for (uint32_t i = 0; i < r->table->used; i++)
			rows[i] = (struct span_region){.begun = mine && rows[i].open,
			                               .routine = rows[i].routine,
			                               .open = mine ? rows[i].open : 0};
	}
	for (struct span_open_region *o = mine ? w->regions : NULL; o; o = o->outer)
		o->from = here();
	w->inherits = false;
}

void *regions_part(struct span_worker *w, unsigned n, size_t *bytes)
{
	struct region_rows *r = w->region_rows;
	struct span_open_region *o = w->regions;
	for (; r && n; n--)
		r = r->next;
	if (r) {
		*bytes = ROWS * sizeof(struct span_region);
		return raw_rows(r->table);
	}
	for (; o && n; n--)
		o = o->outer;
	*bytes = sizeof(struct open_region);
	return o;
}
