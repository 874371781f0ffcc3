/* SPDX-License-Identifier: MIT */
/* point.c: a path that was left behind and may turn out to be the longest.
 *
 * Problem: with spawns and syncs in one function the log holds all that may be needed again. OpenMP tasks may outlive the
 * function that created them, and threads are joined where and in whatever order the program likes.
 * Idea: a point is a copy of a path from the start of its task: its entries, and for every invocation that was open there how
 * far it had come. A waiting task that finds the point to be further than itself continues from there: the entries
 * replace its own, the innermost invocation that is open in both takes the point's position, those that were entered
 * since have not been on the path so far, and those of the point that have ended since leave what they had done
 * until then.
 * Cost: the sites on the path and the invocations in the task, for each child that is better than those before it. */
#include "rt/span/span.h"

#include <string.h>
#include "threads/arena.h"

static uint64_t position_in(const struct rt_frame *f)
{
	return f->n + f->f.span + f->outer.span;
}

uint64_t point_position(const struct rt_task *task, uint64_t *burdened)
{
	uint64_t position = 0;
	*burdened = 0;
	const struct rt_frame *f = skein_self.frames;
	if (!f && !task->base) { /* all has ended but the thread */
		*burdened = skein_self.span->left.burdened_span;
		return skein_self.span->left.span;
	}
	for (; f && f != task->base; f = f->up) {
		position += position_in(f);
		*burdened += f->n + f->f.burdened_span + f->outer.burdened_span;
	}
	return position;
}

/* Room for one more item, or NULL: then the path stays incomplete, and that is counted. */
static void *grow(void *items, uint64_t *room, uint64_t need, size_t bytes)
{
	if (need <= *room)
		return items;
	uint64_t more = 2 * need + 16;
	void *moved = arena_take(more * bytes);
	if (!moved) {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return NULL;
	}
	if (*room)
		memcpy(moved, items, *room * bytes);
	arena_give(items, *room * bytes);
	*room = more;
	return moved;
}

void point_free(struct rt_point *p)
{
	arena_give(p->entries, p->room * sizeof *p->entries);
	arena_give(p->places, p->place_room * sizeof *p->places);
	what_ifs_forget(p);
	*p = (struct rt_point){0};
}

/* The longest path and the longest burdened one need not be the same: of the latter the length is enough. */
bool point_wants(struct rt_point *best, uint64_t position, uint64_t burdened)
{
	if (burdened > best->burdened)
		best->burdened = burdened;
	return !best->is_set || position > best->position;
}

void point_clear(struct rt_point *p, uint64_t position)
{
	p->is_set = true;
	p->position = position;
	p->count = p->place_count = 0;
}

void point_add(struct rt_point *p, const struct span_entry *entries, uint64_t bytes)
{
	uint64_t count = bytes / sizeof *entries;
	if (under_is_outside(span_worker(skein_self.lane)))
		return;
	struct span_entry *all = grow(p->entries, &p->room, p->count + count, sizeof *all);
	if (!all)
		return;
	p->entries = all;
	memcpy(all + p->count, entries, bytes);
	p->count += count;
}

static struct rt_place place_of(struct rt_frame *f)
{
	const struct rt_frame *caller = f->up && f->up->is_loop ? f->up->up : f->up; /* a loop is what its iteration is */
	bool called = caller && caller->object && !f->is_loop && !under_is_outside(span_worker(skein_self.lane));
	return (struct rt_place){f,
	                         f->serial,
	                         f->n - f->f.lost + f->outer.local_span,
	                         position_in(f),
	                         called ? caller->object->first_key + (uint64_t)caller->site * SPAN_MEASURES : UINT64_MAX,
	                         !called                          ? 0
	                                 : caller->kind & RT_ONCE ? 1
	                                                          : caller->top,
	                         called && caller->kind & RT_PART};
}

void point_add_places(struct rt_point *p, const struct rt_task *task)
{
	uint64_t depth = 0;
	for (const struct rt_frame *f = skein_self.frames; f && f != task->base; f = f->up)
		depth++;
	struct rt_place *all = grow(p->places, &p->place_room, depth, sizeof *all);
	if (!all)
		return;
	p->places = all;
	p->place_count = depth;
	for (struct rt_frame *f = skein_self.frames; depth; f = f->up)
		all[--depth] = place_of(f);
}

void point_copy_places(struct rt_point *p, const struct rt_point *from)
{
	struct rt_place *all = grow(p->places, &p->place_room, from->place_count, sizeof *all);
	if (!all)
		return;
	p->places = all;
	p->place_count = from->place_count;
	if (from->place_count)
		memcpy(all, from->places, from->place_count * sizeof *all);
}

/* The innermost invocation that is open here and was open there; NULL: none. *index: its place. */
static struct rt_frame *in_common(const struct rt_task *task, const struct rt_point *p, uint64_t *index)
{
	uint64_t depth = 0;
	struct rt_frame *f;
	for (f = skein_self.frames; f && f != task->base; f = f->up)
		depth++;
	for (f = skein_self.frames; depth > p->place_count; f = f->up)
		depth--;
	for (; depth; f = f->up, depth--)
		if (p->places[depth - 1].frame == f && p->places[depth - 1].serial == f->serial) {
			*index = depth - 1;
			return f;
		}
	return NULL;
}

/* What an invocation that is left behind there had done: at most three entries. */
static unsigned entries_of(const struct rt_place *place, struct span_entry *e)
{
	unsigned n = 0;
	if (place->key == UINT64_MAX)
		return 0;
	if (place->top & 1)
		e[n++] = (struct span_entry){place->key + SPAN_TOP_SITE, {1, place->position, place->position}};
	if (place->top & 2)
		e[n++] = (struct span_entry){place->key + SPAN_TOP_CALLER, {1, place->position, place->position}};
	e[n++] = (struct span_entry){place->key + SPAN_LOCAL, {!place->is_part, place->local, place->local}};
	return n;
}

static void leave_behind(struct span_lane *lane, const struct rt_place *place)
{
	struct span_entry e[3];
	span_append_entries(lane, e, entries_of(place, e));
}

void point_leave_behind(struct rt_point *p, const struct rt_point *from)
{
	struct span_entry e[3];
	for (uint64_t i = 0; i < from->place_count; i++)
		point_add(p, e, entries_of(&from->places[i], e) * sizeof *e);
}

/* All of the thread's invocations have ended: the first one of the point had no caller. */
static void go_at_end(struct span_lane *lane, const struct rt_point *p)
{
	lane->left.span = p->position;
	lane->left.local_span = p->place_count ? p->places[0].local : 0;
	for (uint64_t i = 1; i < p->place_count; i++)
		leave_behind(lane, &p->places[i]);
}

static void go(struct rt_task *task, const struct rt_point *p, uint64_t here)
{
	struct span_lane *lane = skein_self.span;
	uint64_t index = 0;
	struct rt_frame *common = in_common(task, p, &index);
	if (!common && skein_self.frames)
		return; /* the point's task is another one */
	lane->kept.end = lane->region = task->start;
	span_append_entries(lane, p->entries, p->count);
	if (!common) {
		go_at_end(lane, p);
		return;
	}
	for (uint64_t i = index + 1; i < p->place_count; i++)
		leave_behind(lane, &p->places[i]);
	for (struct rt_frame *f = skein_self.frames; f != common; f = f->up) {
		here -= position_in(f);
		f->f.span = -f->n;
		f->f.lost = f->n;
		f->outer.span = f->outer.local_span = 0;
	}
	common->f.span += p->position - here;
	common->f.lost = common->n + common->outer.local_span - p->places[index].local;
}

void point_go_to(struct rt_task *task, const struct rt_point *p)
{
	uint64_t burdened, here = point_position(task, &burdened);
	if (p->is_set && p->position > here)
		go(task, p, here);
}

void point_go(struct rt_task *task, struct rt_point *p)
{
	uint64_t burdened, here = point_position(task, &burdened);
	if (p->is_set && p->position > here)
		go(task, p, here);
	point_position(task, &burdened);
	if (p->is_set && p->burdened > burdened) {
		if (skein_self.frames && skein_self.frames != task->base)
			skein_self.frames->f.burdened_span += p->burdened - burdened;
		else
			skein_self.span->left.burdened_span += p->burdened - burdened;
	}
	what_ifs_wait(span_worker(skein_self.lane), p);
	what_ifs_forget(p);
	p->is_set = false;
	p->burdened = 0;
}

void point_offer_copy(struct rt_point *best, const struct rt_point *path)
{
	what_ifs_offer(best, path);
	if (!point_wants(best, path->position, path->burdened))
		return;
	point_clear(best, path->position);
	point_add(best, path->entries, path->count * sizeof *path->entries);
	point_copy_places(best, path);
}
