/* SPDX-License-Identifier: MIT */
/* span_tasks.c: OpenMP on one thread. libomp runs a task at once, inside the call that creates it, so a task is a spawn that
 * happens to be a call into foreign code. What differs from Cilk is who waits for it:
 *
 * - a taskwait waits for the children of the task that it is in, whichever function created them, but not for theirs;
 * - the end of a taskgroup and a barrier wait for all descendants;
 * - a task may depend on others: it begins where the last of them ends.
 *
 * So the best end of a child is kept with its parent task as a point (span_point.c). When a task ends with children that
 * nobody waited for, their best end is offered to the task above, for whoever waits for all. */
#include "rt/span.h"

#include <string.h>
#include "threads/arena.h"

/* What the next task to be created is like; set by the calls that precede it. */
struct rt_next {
	uint32_t flags;         /* of __kmpc_omp_task_alloc */
	uint32_t count;
	const struct rt_depend *list;
};

/* As the compiler lays it out for libomp. */
struct rt_depend {
	uintptr_t address;
	size_t bytes;
	uint8_t flags;
};
enum { DEPEND_IN = 1, DEPEND_OUT = 2, DEPEND_MUTEX = 4, DEPEND_SET = 8 };
enum { TASK_FINAL = 2, TASK_MERGED = 4 };

/* The tasks that a later one with the same address must wait for: the last that wrote, and those that read since. */
struct rt_dependence {
	struct rt_dependence *next;
	uintptr_t address;
	struct rt_point wrote, read;
};

struct rt_group {
	struct rt_group *outer;
	struct rt_point children, all; /* of before the group */
};

static _Thread_local struct rt_next next_task __attribute__((tls_model("initial-exec")));

static struct rt_dependence *dependence(struct rt_task *task, uintptr_t address)
{
	struct rt_dependence *d = task->dependences;
	while (d && d->address != address)
		d = d->next;
	if (!d && (d = arena_take(sizeof *d))) {
		d->address = address;
		d->next = task->dependences;
		task->dependences = d;
	}
	return d;
}

static void later_of(struct rt_point **best, struct rt_point *p)
{
	if (p->is_set && (!*best || p->position > (*best)->position))
		*best = p;
}

/* The latest end among the tasks that the next one depends on, if it is later than `here`. */
static struct rt_point *what_it_waits_for(struct rt_task *task, uint64_t here)
{
	struct rt_point *best = NULL;
	for (uint32_t i = 0; i < next_task.count; i++) {
		struct rt_dependence *d = dependence(task, next_task.list[i].address);
		if (!d)
			continue;
		later_of(&best, &d->wrote);
		what_ifs_wait(span_worker(skein_self.lane), &d->wrote);
		if (!(next_task.list[i].flags & (DEPEND_OUT | DEPEND_MUTEX)))
			continue;
		later_of(&best, &d->read);
		what_ifs_wait(span_worker(skein_self.lane), &d->read);
	}
	return best && best->position > here ? best : NULL;
}

static struct rt_task *begin(struct rt_frame *base, bool serial, bool final)
{
	struct span_lane *lane = skein_self.span;
	struct rt_task *task = arena_take(sizeof *task);
	if (!task) {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return NULL;
	}
	task->parent = skein_self.task;
	task->base = base;
	task->start = lane->end;
	task->region = lane->region;
	task->is_serial = serial;
	task->is_final = final;
	lane->region = lane->end;
	skein_self.task = task;
	return task;
}

/* A child that nobody depends on and that depends on nobody needs no look at the list. */
void tasks_begin(struct rt_frame *f)
{
	struct rt_task *parent = skein_self.task;
	bool serial = !parent || parent->is_final || next_task.flags & TASK_MERGED;
	uint64_t burdened;
	if (!serial)
		what_ifs_spawn(f);
	f->task = begin(f, serial, (parent && parent->is_final) || next_task.flags & TASK_FINAL);
	if (f->task && !serial) {
		__atomic_fetch_add(&raw_header()->span_events[RAW_SPAN_TASKS], 1, __ATOMIC_RELAXED);
		f->task->depends = next_task.count ? next_task.list : NULL;
		f->task->depend_count = next_task.count;
		if (next_task.count)
			f->task->after = what_it_waits_for(parent, point_position(parent, &burdened));
	}
	next_task = (struct rt_next){0};
}

/* Offers the path that leads to the task's creation, or to the end of what it waited for, and on through `more`. */
static void offer(struct rt_task *parent, struct rt_point *best, const struct rt_task *task, uint64_t position, uint64_t burdened,
	const struct span_entry *more, uint64_t more_bytes)
{
	struct span_lane *lane = skein_self.span;
	if (!point_wants(best, position, burdened) || best == task->after)
		return;
	point_clear(best, position);
	if (task->after)
		point_add(best, task->after->entries, task->after->count * sizeof *more);
	else
		point_add(best, span_at(lane, parent->start), task->start - parent->start);
	point_add(best, more, more_bytes);
	if (task->after)
		point_copy_places(best, task->after);
	else
		point_add_places(best, parent);
}

static void offer_point(struct rt_task *parent, const struct rt_task *task, const struct rt_point *p, uint64_t here, uint64_t burdened)
{
	what_ifs_offer(&parent->all, p);
	if (p->is_set)
		offer(parent, &parent->all, task, here + p->position, burdened + p->burdened, p->entries, p->count * sizeof *p->entries);
}

static void note_dependences(struct rt_task *parent, const struct rt_task *task, uint64_t position, uint64_t burdened,
	const struct span_entry *entries, uint64_t bytes)
{
	for (uint32_t i = 0; i < task->depend_count; i++) {
		struct rt_dependence *d = dependence(parent, task->depends[i].address);
		if (!d)
			continue;
		bool writes = task->depends[i].flags & (DEPEND_OUT | DEPEND_MUTEX);
		struct rt_point copy = {0};
		offer(parent, writes ? &copy : &d->read, task, position, burdened, entries, bytes);
		what_ifs_offer(writes ? &copy : &d->read, NULL);
		if (!writes)
			continue;
		point_free(&d->wrote);
		d->wrote = copy;
		d->read.is_set = false;
		what_ifs_forget(&d->read);
	}
}

void tasks_free(struct rt_task *task)
{
	struct rt_dependence *next;
	point_free(&task->children);
	point_free(&task->all);
	for (struct rt_dependence *d = task->dependences; d; d = next) {
		next = d->next;
		point_free(&d->wrote);
		point_free(&d->read);
		arena_give(d, sizeof *d);
	}
	task->dependences = NULL;
}

/* The lane holds the task's figures, and the log behind its start its path. */
static void end(struct rt_frame *f, struct rt_task *task)
{
	struct span_lane *lane = skein_self.span;
	struct rt_task *parent = task->parent;
	skein_self.task = parent;
	if (!parent)
		return;
	uint64_t burdened, here = point_position(parent, &burdened);
	if (task->after)
		here = task->after->position;
	offer_point(parent, task, &task->children, here, burdened + lane->burden);
	offer_point(parent, task, &task->all, here, burdened + lane->burden);
	if (task->is_serial) {
		span_take(lane, &f->f);
	} else {
		const struct span_entry *entries = span_at(lane, task->start);
		uint64_t bytes = lane->end - task->start, position = here + lane->left.span, with = burdened + lane->left.burdened_span + lane->burden;
		note_dependences(parent, task, position, with, entries, bytes);
		offer(parent, &parent->children, task, position, with, entries, bytes);
		what_ifs_offer(&parent->children, NULL);
		what_ifs_task_ended(f);
		f->f.work += lane->left.work;
		f->f.burdened_span += lane->burden;
		lane->end = task->start;
	}
	lane->region = task->region;
}

void tasks_end(struct rt_frame *f)
{
	struct rt_task *task = f->task;
	f->task = NULL;
	if (!task) {
		span_take(skein_self.span, &f->f);
		return;
	}
	end(f, task);
	tasks_free(task);
	arena_give(task, sizeof *task);
}

/* Before the call that creates it. */
void skein_rt_span_task_flags(uint32_t flags)
{
	next_task.flags = flags;
}

void skein_rt_span_task_depends(uint32_t count, const void *list)
{
	next_task.count = count;
	next_task.list = list;
}

void skein_rt_span_taskwait(struct rt_frame *f, uint64_t n)
{
	if (!span_rt.now)
		span_strand_ends(f, n);
	if (skein_self.task)
		point_go(skein_self.task, &skein_self.task->children);
}

void skein_rt_span_barrier(struct rt_frame *f, uint64_t n)
{
	skein_rt_span_taskwait(f, n);
	if (skein_self.task)
		point_go(skein_self.task, &skein_self.task->all);
}

void skein_rt_span_group(void)
{
	struct rt_task *task = skein_self.task;
	struct rt_group *group = task ? arena_take(sizeof *group) : NULL;
	if (!group)
		return;
	*group = (struct rt_group){task->groups, task->children, task->all};
	task->children = task->all = (struct rt_point){0};
	task->groups = group;
}

void skein_rt_span_group_end(struct rt_frame *f, uint64_t n)
{
	skein_rt_span_barrier(f, n);
	struct rt_task *task = skein_self.task;
	struct rt_group *group = task ? task->groups : NULL;
	if (!group)
		return;
	point_free(&task->children);
	point_free(&task->all);
	task->children = group->children;
	task->all = group->all;
	task->groups = group->outer;
	arena_give(group, sizeof *group);
}

/* A task that runs in its creator's place (if(0)): the code itself calls its function, between these two. */
void skein_rt_span_undeferred(struct rt_frame *f, uint64_t n)
{
	if (!span_rt.now)
		span_strand_ends(f, n);
	begin(f, true, skein_self.task && skein_self.task->is_final);
}

void skein_rt_span_undeferred_end(struct rt_frame *f)
{
	struct rt_task *task = skein_self.task;
	if (!task || !task->parent || task->base != f)
		return;
	skein_self.span->left = (struct span_figures){0}; /* the call has been taken */
	end(f, task);
	tasks_free(task);
	arena_give(task, sizeof *task);
}
