/* SPDX-License-Identifier: MIT */
/* span.c: lanes, their rows and logs, and the beginning and end of threads and of the program.
 *
 * Rows and logs lie in the recording itself, so a kill loses only what is open. Everything here may run inside the
 * subject's malloc: memory comes from the arena, and without memory, counts go into rows that are never read. */
#include "rt/span/span.h"

#include <string.h>
#include "modules/modules.h"
#include "rt/rt.h"
#include "threads/arena.h"
#include "threads/session.h"

enum { FIRST_ENTRIES = 256, PLACES_MAX = 3 << 26 };

struct span_rt span_rt;

struct span_worker *span_worker(struct lane *lane)
{
	return lane ? lane->lens : NULL;
}

struct span_worker *span_mine(void)
{
	struct skein_self *self = &skein_self;
	if (self->vforked)
		return NULL;
	if (self->span == &skein_no_span)
		self = threads_meet();
	return span_is_lost(self->span) ? NULL : span_worker(self->lane);
}

static struct span_entry *new_log(struct span_worker *w, uint64_t entries)
{
	struct raw_table *table = raw_add_table(RAW_SPAN_LOG, w->number, (uint32_t)w->lane->kept.log_number + 1, (uint32_t)entries);
	if (!table)
		return NULL;
	table->used = (uint32_t)entries;
	return raw_rows(table);
}

static void use_log(struct span_lane *lane, struct span_entry *log, uint64_t bytes)
{
	lane->log = log;
	lane->kept.log_number++;
	lane->room = bytes;
}

static struct span_worker *owner_of(const struct span_lane *lane)
{
	struct span_worker *w = span_worker(skein_self.lane);
	for (unsigned i = 0; (!w || w->lane != lane) && i < lane_count(); i++)
		w = span_worker(lane_at(i));
	return w;
}

/* The old log stays in the recording as waste; together they are no longer than the new one. */
bool span_room(struct span_lane *lane)
{
	struct span_worker *w = owner_of(lane);
	struct span_entry *log = w ? new_log(w, 2 * lane->room / sizeof *log) : NULL;
	if (!log) {
		raw_lose(RAW_LOST_NO_SPACE, (lane->kept.end - lane->region) / sizeof *log);
		return false;
	}
	memcpy(log, lane->log, lane->room);
	use_log(lane, log, 2 * lane->room);
	return true;
}

void span_append_entries(struct span_lane *lane, const struct span_entry *entries, uint64_t count)
{
	uint64_t bytes = count * sizeof *entries;
	while (lane->kept.end + bytes + SPAN_SLACK > lane->room)
		if (!lane->need_room(lane))
			return;
	memcpy(span_at(lane, lane->kept.end), entries, bytes);
	lane->kept.end += bytes;
	if (lane->limit < lane->kept.end)
		lane->limit = lane->kept.end;
}

static struct span_lane *new_lane(uint32_t number)
{
	struct raw_table *row = raw_add_table_with(RAW_SPAN_LANE, number, 0, 1, sizeof(struct span_lane) - sizeof(struct span_kept));
	if (!row)
		return NULL;
	row->used = 1;
	return raw_rows(row);
}

static struct span_worker *new_worker(uint32_t number)
{
	struct span_worker *w = arena_take(sizeof *w);
	uint64_t **tables = arena_take(SELF_TABLES_MAX * sizeof *tables);
	size_t place_bytes;
	uint32_t *place = arena_reserve(PLACES_MAX * sizeof *place, &place_bytes);
	struct span_entry *log = NULL;
	if (w && tables && place && (w->lane = new_lane(number))) {
		w->number = number;
		w->tables = tables;
		w->lane->place = place;
		w->lane->place_bytes = place_bytes;
		log = new_log(w, FIRST_ENTRIES);
	}
	if (!log) {
		arena_give(w, sizeof *w);
		arena_give(tables, SELF_TABLES_MAX * sizeof *tables);
		arena_release(place, place_bytes);
		return NULL;
	}
	use_log(w->lane, log, FIRST_ENTRIES * sizeof *log);
	w->lane->limit = w->lane->room - SPAN_SLACK;
	w->lane->burden = session_number(SESSION_BURDEN, 6250);
	w->lane->need_room = span_room;
	return w;
}

/* Sites that are not covered are not summed up: the log is longer then. */
static void covers(struct span_worker *w)
{
	arena_open(w->lane->place, PLACES_MAX * sizeof(uint32_t), &w->lane->place_bytes,
	           sizeof(uint32_t) * objects_sites() * SPAN_MEASURES);
	under_covers(w);
}

/* Keys of a newly registered object must find their place in every lane. */
static void cover(uint32_t routines)
{
	(void)routines;
	for (unsigned i = 0; i < lane_count(); i++)
		if (span_worker(lane_at(i)))
			covers(span_worker(lane_at(i)));
}

struct span_site *span_rows(struct span_worker *w, struct skein_object *object)
{
	if (under_is_outside(w))
		return under_nowhere(w, object);
	struct span_site *rows = (struct span_site *)w->tables[object->slot];
	if (rows)
		return rows;
	covers(w);
	struct raw_table *table = object->slot ? raw_add_table(RAW_SPAN_SITES, w->number, object->slot, object->sites) : NULL;
	if (!table)
		return lost_rows(w, object);
	table->used = object->sites;
	rows = raw_rows(table);
	w->tables[object->slot] = (uint64_t *)rows;
	return rows;
}

struct span_site *skein_rt_span_rows(struct skein_object *object)
{
	if (!object->first_routine)
		skein_rt_register(object);
	struct span_worker *w = span_mine();
	if (w)
		return span_rows(w, object);
	raw_lose(skein_self.vforked ? RAW_LOST_VFORK : skein_self.lane ? RAW_LOST_NO_MEMORY : RAW_LOST_TOO_EARLY, 1);
	lost_thread(&skein_self, !rt_lens || (skein_self.lane && !skein_self.vforked));
	return (struct span_site *)object->nowhere;
}

uint64_t skein_rt_span_text(const char *text)
{
	return text ? strlen(text) : 0;
}

static void thread_begin(struct skein_self *self, void *inherited)
{
	struct span_worker *w = span_worker(self->lane);
	if (!w && (w = new_worker(self->lane->number)))
		self->lane->lens = w;
	if (!w) {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return;
	}
	covers(w);
	w->lane->kept.end = w->lane->region = 0;
	w->lane->left = (struct span_figures){0};
	w->task = (struct rt_task){.base = NULL};
	w->path = inherited;
	what_ifs_thread_begin(w, NULL, 0);
	if (w->path)
		join_begun(w->path);
	self->frames = NULL;
	self->task = &w->task;
	under_thread_begin(self, w, w->path && join_is_under(w->path));
	regions_thread_begin(w);
}

/* What no site called (main, constructors, a thread's function) is one invocation of the site that stands for it, `key`. */
static void record_root(struct span_worker *w, struct skein_object *object, uint32_t site, bool counts)
{
	struct span_lane *lane = w->lane;
	struct span_site *rows = object && !under_is_outside(w) ? span_rows(w, object) : NULL;
	if (!rows)
		return;
	uint64_t key = object->first_key + (uint64_t)site * SPAN_MEASURES;
	for (int m = SPAN_LOCAL; m <= SPAN_TOP_SITE; m++) { /* not alone: span_once_end would take it for the second of a pair */
		uint64_t work = m == SPAN_LOCAL ? lane->left.local_work : counts * lane->left.work,
			 span = m == SPAN_LOCAL ? lane->left.local_span : counts * lane->left.span;
		span_add(&rows[site].on_work[m], counts, work, span);
		span_append_entries(lane, &(struct span_entry){key + (unsigned)m, {counts, work, span}}, 1);
	}
}

/* Main is called once, however often the program is about to end. */
static void record_end(struct span_worker *w)
{
	struct skein_object *program = objects_with_root();
	if (w->path) {
		record_root(w, join_object(w->path), join_site(w->path), false);
	} else if (program) {
		record_root(w, program, program->root - 1, !span_rt.has_root);
		span_rt.has_root = true;
	}
	w->lane->kept.work += w->lane->left.work;
}

static void thread_end(struct skein_self *self)
{
	struct span_worker *w = span_worker(self->lane);
	if (!w || span_is_lost(self->span))
		return;
	span_unwind(NULL);
	under_thread_end(self, w);
	regions_thread_end(w);
	record_end(w);
	what_ifs_thread_end(w);
	join_ended(w);
	tasks_free(&w->task);
	self->span = &skein_no_span;
	lost_thread(self, false);
	self->task = NULL;
}

/* The program ends in this thread: what is open in it ends with it, and threads that were not joined are joined
 * here. Other threads' open invocations are in the stacks of threads that run on: their work is what they had
 * brought to the books. */
static void finish(uint32_t flag)
{
	struct span_worker *w = span_worker(skein_self.lane);
	uint64_t begun = raw_own_begin();
	if (w && !span_is_lost(skein_self.span)) {
		if (flag == RAW_EXECED)
			exec_save(w);
		span_unwind(NULL);
		under_thread_end(&skein_self, w);
		regions_thread_end(w);
		join_everybody(w);
		what_ifs_finish(w);
		record_end(w);
		join_way_here(w);
		w->lane->kept.span += w->lane->left.span;
		w->lane->kept.burdened_span += w->lane->left.burdened_span;
		w->lane->left = (struct span_figures){0};
	} else if (skein_self.ended_rounds && (w = span_worker(lane_at(0)))) { /* all threads have ended, the last one just now */
		join_the_last(w);
	}
	lost_tell(true);
	threads_refresh();
	raw_own_end(begun);
	raw_finish(flag);
}

static void restart_sites(struct span_worker *w)
{
	for (uint32_t slot = 1; slot < SELF_TABLES_MAX; slot++) {
		struct span_site *rows = (struct span_site *)w->tables[slot];
		for (uint32_t i = 0; rows && i < objects_sites_of(slot); i++)
			rows[i] = (struct span_site){.open = rows[i].open};
	}
}

/* The work of open invocations so far, and the children that they wait for, belong to the parent process. */
static void restart_frame(struct rt_frame *f)
{
	f->f = (struct span_frame){.lost = f->n, .work = -f->n, .span = -f->n, .burdened_span = -f->n};
	f->outer = (struct span_figures){0};
	for (struct rt_scope *s = f->scopes; s; s = s->next) {
		s->scope.best = -1;
		s->start = 0;
	}
	if (f->is_loop)
		span_loop_begin(&f->loop);
	f->loop.start = 0;
	what_ifs_restart_frame(f);
}

/* The child of a fork goes on with its parent's open invocations, and with nothing else of it. */
static void restart(struct skein_self *self)
{
	lost_tell(false);
	for (unsigned i = 0; i < lane_count(); i++) {
		struct span_worker *w = span_worker(lane_at(i));
		if (!w)
			continue;
		w->number = lane_at(i)->number;
		w->lane->kept = (struct span_kept){.log_number = w->lane->kept.log_number};
		w->lane->left = (struct span_figures){0};
		w->lane->region = 0;
		if (w->way)
			w->way->used = 0;
		restart_sites(w);
		what_ifs_restart(w);
		under_restart(w);
	}
	for (struct rt_frame *f = self->frames; f; f = f->up)
		restart_frame(f);
	for (unsigned i = 0; i < lane_count(); i++)
		if (span_worker(lane_at(i)))
			regions_restart(span_worker(lane_at(i)), lane_at(i) == self->lane);
	for (struct rt_task *task = self->task; task; task = task->parent) {
		task->start = task->region = 0;
		task->children.is_set = task->all.is_set = false;
		what_ifs_forget(&task->children);
		what_ifs_forget(&task->all);
	}
	span_rt.has_root = false;
	modules_restart();
	join_restart(span_worker(self->lane));
}

static void vfork_begin(struct skein_self *self)
{
	self->span = &skein_no_span;
	lost_thread(self, false);
}

static void vfork_end(struct skein_self *self)
{
	struct span_worker *w = span_worker(self->lane);
	if (w)
		under_resume(self, w);
}

static void start(void)
{
	struct raw_file *h = raw_header();
	uint64_t begun = raw_own_begin();
	what_ifs_start();
	modules_start();
	span_rt.under = session_is(SESSION_UNDER, "1");
	h->span_burden = session_number(SESSION_BURDEN, 6250);
	clock_choose();
	raw_own_end(begun);
}

const struct rt_lens rt_span_lens = {
	.name = "span",
	.lens = RAW_LENS_SPAN,
	.start = start,
	.finish = finish,
	.cover = cover,
	.opened = lost_opened,
	.closed = lost_closed,
	.restart = restart,
	.exec_failed = exec_failed,
	.region_begin = regions_begin,
	.region_end = regions_end,
	.client =
		{
			.no_openmp = true, /* one thread runs all; the plugin sees what the program asks of the OpenMP runtime */
			.thread_begin = thread_begin,
			.thread_end = thread_end,
			.wait_begin = clock_wait_begin,
			.wait_end = clock_wait_end,
			.capture = join_capture,
			.retain = join_retain,
			.release = join_release,
			.joined = join_joined,
			.vfork_begin = vfork_begin,
			.vfork_end = vfork_end,
		},
};
