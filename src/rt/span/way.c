/* SPDX-License-Identifier: MIT */
/* way.c: the way from one thread to the end of another. It leads through the creates of the latter's ancestors: the entries of
 * each up to the create, and what invocations that were open there had done. */
#include "rt/span/join.h"

#include <string.h>
#include "rt/rt.h"

uint64_t way_to(const struct thread_path *path)
{
	uint64_t length = 0;
	for (; path; path = path->creator)
		length += path->create_position;
	return length;
}

uint64_t way_through(const struct thread_path *path)
{
	return way_to(path->creator) + path->from.position;
}

/* The site that stands for code without a caller in the thread that created this one. */
static uint64_t key_of_creator(const struct thread_path *path)
{
	const struct thread_path *c = path->creator;
	struct skein_object *object = c ? c->object : objects_with_root();
	return object ? object->first_key + (uint64_t)(c ? c->site : object->root - 1) * SPAN_MEASURES : UINT64_MAX;
}

static void add_entry(struct rt_point *to, uint64_t key, uint64_t count, uint64_t value)
{
	struct span_entry e = {key, {count, value, value}};
	point_add(to, &e, sizeof e);
}

/* Adds the local work of the invocations that were open at the create. `sign` is 1, or -1 to take it off. */
static void add_places(struct rt_point *to, const struct thread_path *path, uint64_t sign)
{
	uint64_t key_of_root = key_of_creator(path);
	for (uint64_t i = 0; i < path->from.place_count; i++) {
		const struct rt_place *p = &path->from.places[i];
		bool called = p->key != UINT64_MAX;
		if (called && p->top & 1)
			add_entry(to, p->key + SPAN_TOP_SITE, sign, sign * p->position);
		if (called && p->top & 2)
			add_entry(to, p->key + SPAN_TOP_CALLER, sign, sign * p->position);
		if (called || key_of_root != UINT64_MAX)
			add_entry(to, (called ? p->key : key_of_root) + SPAN_LOCAL, called ? sign : 0, sign * p->local);
	}
}

static void add_entries(struct rt_point *to, const struct thread_path *path, uint64_t count, uint64_t sign)
{
	for (uint64_t i = 0; i < count; i++) {
		uint64_t aside = aside_at(path, i);
		if (aside) {
			i += aside - 1;
			continue;
		}
		struct span_entry e = path->from.entries[i];
		if (e.key == SPAN_GAP) {
			i += e.sum.count - 1;
			continue;
		}
		e.sum = (struct span_sum){sign * e.sum.count, sign * e.sum.work, sign * e.sum.span};
		point_add(to, &e, sizeof e);
	}
}

/* From `top`'s start, or the program's, to the create of a thread. */
void way_add_to(struct rt_point *to, struct thread_path *path, const struct thread_path *top, uint64_t sign)
{
	if (!path || path == top)
		return;
	way_add_to(to, path->creator, top, sign);
	add_entries(to, path, path->create_count, sign);
	add_places(to, path, sign);
}

/* The way to the create of the lane's thread goes into the recording: if the program ends before the thread, no thread joins it. The
 * last entry names the site that stands for the thread, and adds nothing. */
void way_record(struct span_worker *w)
{
	struct rt_point p = {0};
	struct raw_table *table = w->way;
	const struct skein_object *object = w->path->object;
	way_add_to(&p, w->path, NULL, 1);
	if (object)
		add_entry(&p, object->first_key + (uint64_t)w->path->site * SPAN_MEASURES + SPAN_LOCAL, 0, 0);
	if (table)
		table->used = 0;
	if (!table || table->capacity < p.count) {
		if (table)
			table->record.type = RAW_VOID;
		table = w->way = raw_add_table(RAW_SPAN_LOG, w->number, RAW_SPAN_WAY_LOG, (uint32_t)(2 * p.count));
	}
	if (table) {
		memcpy(raw_rows(table), p.entries, p.count * sizeof *p.entries);
		table->used = (uint32_t)p.count;
	}
	point_free(&p);
}

static void add_own(struct rt_point *to, const struct thread_path *path)
{
	point_add(to, path->from.entries + path->create_count, (path->from.count - path->create_count) * sizeof *path->from.entries);
}

void way_add_through(struct rt_point *to, struct thread_path *path)
{
	way_add_to(to, path, NULL, 1);
	add_own(to, path);
}

/* From the creation of an ancestor, `first`, that the joining thread created, to the end of the path. */
void way_from_descendant(struct span_worker *w, struct thread_path *path, struct thread_path *first)
{
	struct rt_point p = {0};
	point_clear(&p, path->from.position);
	p.burdened = path->from.burdened;
	for (struct thread_path *c = path->creator; c != first->creator; c = c->creator) {
		p.position += c->create_position;
		p.burdened += c->create_burdened;
	}
	aside_agree(w->lane, first);
	point_add(&p, first->from.entries, first->create_count * sizeof *p.entries);
	way_add_to(&p, path, first, 1);
	add_own(&p, path);
	point_copy_places(&p, &first->from);
	point_go(&w->task, &p);
	point_free(&p);
}

/* The thread has another ancestor than the one that joins it. Seen from the latter's start its path is that of the program
 * to its end, less the program's to that start. */
void way_from_elsewhere(struct span_worker *w, struct thread_path *path)
{
	struct span_lane *lane = w->lane;
	struct rt_point p = {0};
	uint64_t burdened, here = point_position(&w->task, &burdened), there = way_through(path) - way_to(w->path);
	struct rt_frame *outermost = NULL;
	if ((int64_t)there <= (int64_t)here)
		return;
	for (struct rt_frame *f = skein_self.frames; f; f = f->up)
		for (struct rt_scope *s = f->scopes; s; s = s->next)
			span_sync(lane, &f->f, &s->scope, f->n);
	way_add_through(&p, path);
	way_add_to(&p, w->path, NULL, -UINT64_C(1));
	lane->kept.end = lane->region = 0;
	span_append_entries(lane, p.entries, p.count);
	point_free(&p);
	for (struct rt_frame *f = skein_self.frames; f; f = f->up) {
		f->f.span = -f->n;
		f->f.lost = f->n + f->outer.local_span;
		f->outer.span = 0;
		outermost = f;
	}
	if (outermost) {
		outermost->f.span += there;
		outermost->f.burdened_span += there > burdened ? there - burdened : 0;
	} else {
		lane->left.span = there;
		lane->left.local_span = 0;
		lane->left.burdened_span = lane->left.burdened_span > there ? lane->left.burdened_span : there;
	}
}
