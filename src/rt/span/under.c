/* SPDX-License-Identifier: MIT */
/* under.c: --under: everything relative to the topmost invocations of one site.
 *
 * Problem: rows and the log must hold only what happened under the site, and hooks that are inlined everywhere know
 * nothing of it.
 * Idea: whether an invocation is under the site does not change while it runs. So a thread has two lanes and two tables of
 * rows: those of the recording while an invocation of the site is open, and others that are never read for the rest.
 * A call of the site changes over before the callee begins and back when its row has been written. The lane of the
 * recording begins empty each time, so that its log is the profile of that invocation's own critical path; it is
 * added to one that is kept.
 * Cost: nothing for what is not a call of the site; for those the length of their log.
 *
 * A thread that was created under the site is under it. Paths that were set aside outside (point.c) have no entries here:
 * a wait under the site for a child that began before it continues from a path without the site. */
#include "rt/span/span.h"

#include <string.h>
#include "rt/rt.h"
#include "threads/arena.h"

enum { FIRST_ENTRIES = 256 };

struct span_under {
	struct span_lane outside;         /* in place of the recording's */
	struct span_lane log;             /* of the log alone: the profile of all invocations so far */
	struct raw_table *table;          /* table of that log */
	struct raw_span_under *row;       /* in the recording */
	uint64_t **tables;                /* rows that are never read */
	uint64_t task_start, task_region; /* of the task that runs, outside */
	uint32_t lane;
	bool inside;
};

static bool outside_room(struct span_lane *lane)
{
	struct span_entry *log = arena_take(2 * lane->room);
	if (!log)
		return false; /* never read */
	if (lane->room)
		memcpy(log, lane->log, lane->room);
	arena_give(lane->log, lane->room);
	lane->log = log;
	lane->room *= 2;
	return true;
}

static bool kept_room(struct span_lane *lane)
{
	struct span_under *u = (struct span_under *)((char *)lane - offsetof(struct span_under, log));
	uint64_t bytes = lane->room ? 2 * lane->room : FIRST_ENTRIES * sizeof *lane->log;
	struct raw_table *table = raw_add_table(RAW_SPAN_LOG, u->lane, RAW_SPAN_UNDER_LOG, (uint32_t)(bytes / sizeof *lane->log)),
			 *old = u->table;
	if (!table) {
		raw_lose(RAW_LOST_NO_SPACE, 1);
		return false;
	}
	table->used = table->capacity;
	if (old)
		memcpy(raw_rows(table), lane->log, lane->room);
	lane->log = raw_rows(table);
	lane->room = bytes;
	u->table = table;
	if (old)
		old->record.type = RAW_VOID;
	return true;
}

static struct span_under *new_under(struct span_worker *w)
{
	struct span_under *u = arena_take(sizeof *u);
	struct raw_table *row = raw_add_table(RAW_SPAN_UNDER, w->number, 0, 1);
	if (!u || !row)
		return NULL;
	row->used = 1;
	u->row = raw_rows(row);
	u->lane = w->number;
	u->tables = arena_take(SELF_TABLES_MAX * sizeof *u->tables);
	u->outside = (struct span_lane){.room = FIRST_ENTRIES * sizeof(struct span_entry),
	                                .place = w->lane->place,
	                                .place_bytes = w->lane->place_bytes,
	                                .burden = w->lane->burden,
	                                .need_room = outside_room};
	u->outside.log = arena_take(u->outside.room);
	u->outside.limit = u->outside.room - SPAN_SLACK;
	u->log = (struct span_lane){.place = w->lane->place, .place_bytes = w->lane->place_bytes, .need_room = kept_room};
	if (!u->tables || !u->outside.log || !kept_room(&u->log))
		return NULL;
	u->log.limit = u->log.room - SPAN_SLACK;
	return u;
}

/* ---- inside and outside ---- */

static void use(struct skein_self *self, struct span_worker *w)
{
	struct span_under *u = w->under;
	self->span = u && !u->inside ? &u->outside : w->lane;
	self->tables = u && !u->inside ? u->tables : w->tables;
}

void under_covers(struct span_worker *w)
{
	if (w->under)
		w->under->outside.place_bytes = w->under->log.place_bytes = w->lane->place_bytes;
}

void under_closed(struct span_worker *w, const struct skein_object *object)
{
	if (w->under && w->under->tables[object->slot] == object->nowhere)
		w->under->tables[object->slot] = NULL;
}

bool under_is_outside(const struct span_worker *w)
{
	return w && w->under && !w->under->inside;
}

struct span_site *under_nowhere(struct span_worker *w, struct skein_object *object)
{
	w->under->tables[object->slot] = object->nowhere;
	return (struct span_site *)object->nowhere;
}

/* Whether this is a topmost invocation. */
static bool begin(void)
{
	struct span_worker *w = span_rt.under ? span_mine() : NULL;
	if (!w || !w->under || w->under->inside)
		return false;
	struct span_under *u = w->under;
	struct rt_task *task = skein_self.task;
	u->inside = true;
	w->lane->kept.end = w->lane->region = 0;
	w->lane->left = (struct span_figures){0};
	use(&skein_self, w);
	if (task) {
		u->task_start = task->start;
		u->task_region = task->region;
		task->start = task->region = 0;
	}
	return true;
}

/* The log's length is written last: after a kill a reader finds the old log or the whole new one. */
static void keep_log(struct span_under *u, const struct span_lane *lane)
{
	if (u->log.kept.end >= u->log.limit)
		span_look_after(&u->log);
	span_append_entries(&u->log, lane->log, lane->kept.end / sizeof *lane->log);
	u->row->log_bytes = u->log.kept.end;
}

static void end(struct span_figures before)
{
	struct span_worker *w = span_worker(skein_self.lane);
	struct span_under *u = w->under;
	struct span_figures left = w->lane->left;
	u->row->count++;
	u->row->work += left.work;
	u->row->span += left.span;
	u->row->burdened_span += left.burdened_span;
	keep_log(u, w->lane);
	w->lane->kept.end = w->lane->region = 0;
	u->inside = false;
	u->outside.left = (struct span_figures){before.work + left.work, before.span + left.span, before.burdened_span + left.burdened_span,
	                                        before.local_work + left.local_work, before.local_span + left.local_span};
	use(&skein_self, w);
	if (skein_self.task) {
		skein_self.task->start = u->task_start;
		skein_self.task->region = u->task_region;
	}
}

bool under_call(void)
{
	return begin();
}

void under_return(void)
{
	end((struct span_figures){0});
}

/* What no site of its own called belongs to the call that `f` has open: of foreign code, by pointer, or the one that stands for
 * the start of the program or thread. */
static void record(struct span_worker *w, const struct rt_frame *f)
{
	bool called = f && f->object;
	struct skein_object *object = called ? f->object : w->path ? join_object(w->path) : objects_with_root();
	struct span_site *rows = object ? span_rows(w, object) : NULL;
	if (!rows)
		return;
	uint32_t site = called ? f->site : w->path ? join_site(w->path) : object->root - 1;
	uint64_t key = object->first_key + (uint64_t)site * SPAN_MEASURES;
	if (called && !(f->kind & RT_ONCE))
		span_call_end(w->lane, 3, &rows[site], rows, 0, key);
	else
		span_once_end(w->lane, &rows[site], key);
}

bool under_enter(struct rt_frame *f)
{
	if (!begin())
		return false;
	f->outer = (struct span_figures){0}; /* stays where it is */
	return true;
}

void under_leave(void)
{
	struct span_worker *w = span_worker(skein_self.lane);
	record(w, skein_self.frames);
	end(w->under->outside.left);
}

/* Children that the invocation has not waited for keep their ends, but their entries lie in the lane that is left. */
static void leave_entries(struct rt_frame *f)
{
	for (struct rt_scope *s = f->scopes; s; s = s->next)
		if (s->scope.best >= 0) {
			s->scope.l0 = s->scope.l1 = skein_self.span->kept.end;
			s->scope.region = skein_self.span->region;
		}
}

void under_region_begin(struct rt_frame *f, struct under_region *region)
{
	tasks_settle();
	if (!begin())
		return;
	*region = (struct under_region){true, f->n, f->n - f->f.lost};
	leave_entries(f);
}

static uint64_t since(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0; /* the path may lead around it */
}

/* What the invocation itself did in the region belongs to the site that called it. */
void under_region_end(struct rt_frame *f, const struct under_region *region, uint64_t work, uint64_t span, uint64_t burdened_span)
{
	const struct rt_frame *caller = f->up && f->up->is_loop ? f->up->up : f->up;
	struct span_worker *w = span_worker(skein_self.lane);
	if (!region->opened)
		return;
	w->lane->left =
		(struct span_figures){work, span, burdened_span, f->n - region->local_work, since(region->local_span, f->n - f->f.lost)};
	record(w, caller);
	end((struct span_figures){0});
	leave_entries(f);
}

uint32_t skein_rt_span_under(struct skein_object *object)
{
	bool opened = begin();
	skein_rt_span_rows(object);
	return opened;
}

void skein_rt_span_under_end(uint32_t opened)
{
	if (opened)
		under_return();
}

void skein_rt_span_under_leave(uint32_t opened)
{
	if (opened)
		under_leave();
}

/* ---- threads ---- */

void under_thread_begin(struct skein_self *self, struct span_worker *w, bool inside)
{
	if (span_rt.under && !w->under && !(w->under = new_under(w)))
		raw_lose(RAW_LOST_NO_MEMORY, 1);
	if (w->under) {
		w->under->inside = inside;
		w->under->outside.kept.end = w->under->outside.region = 0;
		w->under->outside.left = (struct span_figures){0};
	}
	use(self, w);
}

void under_resume(struct skein_self *self, struct span_worker *w)
{
	use(self, w);
}

/* All its invocations have ended. One that was created under the site has only work to add: its path is part of that
 * of the joining thread. */
void under_thread_end(struct skein_self *self, struct span_worker *w)
{
	if (!w->under)
		return;
	if (w->under->inside)
		w->under->row->work += w->lane->left.work;
	else
		w->lane->left = w->under->outside.left;
	self->span = w->lane;
}

void under_restart(struct span_worker *w)
{
	if (!w->under)
		return;
	w->under->lane = w->number;
	w->under->log.kept.end = w->under->log.region = 0;
	w->under->outside.kept.end = w->under->outside.region = 0;
}

void *under_part(struct span_worker *w, unsigned n, size_t *bytes)
{
	struct span_under *u = w->under;
	struct {
		void *place;
		size_t bytes;
	} parts[] = {{u, sizeof *u},
	             {u ? u->row : NULL, sizeof *u->row},
	             {u ? u->log.log : NULL, u ? u->log.kept.end : 0},
	             {u ? u->outside.log : NULL, u ? u->outside.kept.end : 0}};
	if (!u || n >= sizeof parts / sizeof *parts)
		return NULL;
	*bytes = parts[n].bytes;
	return parts[n].place;
}
