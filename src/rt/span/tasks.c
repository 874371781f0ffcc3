/* SPDX-License-Identifier: MIT */
/* tasks.c: OpenMP on one thread. libomp runs a task at once, inside the call that creates it, so a task is a spawn that
 * happens to be a call into foreign code. What differs from Cilk is who waits for it:
 *
 * - a taskwait waits for the children of the task that it is in, whichever function created them, but not for theirs;
 * - the end of a taskgroup and a barrier wait for all descendants;
 * - a task may depend on others: it begins where the last of them ends;
 * - an untied task consists of parts, divided by its task scheduling points. Each part ends by handing its own task to
 *   the runtime again, which runs the next part inside that call: the task goes on.
 *
 * So the best end of a child is kept with its parent task as a point (point.c). When a task ends with children that
 * were not waited for, their best end is offered to the task above, for waits for all descendants. A task that runs
 * in its creator's place, a taskgroup and a team set aside what their creator waits for so far. */
#include "rt/span/depends.h"

#include <string.h>
#include "threads/arena.h"

/* What the next task to be created is like; set by the calls that precede it. */
struct rt_next {
	uint32_t flags; /* of __kmpc_omp_task_alloc */
	const void *descriptor;
	uint32_t count;
	const struct rt_depend *list;
};

enum { TASK_FINAL = 2, TASK_MERGED = 4 };

/* What is created from here on is waited for apart from what was created before. */
struct rt_group {
	struct rt_group *outer;
	struct rt_point children, all; /* of before the group */
	struct rt_dependence *dependences;
	const void *descriptor; /* of the task, before one that runs in its place */
	bool is_apart;          /* children in the group are not siblings of those before */
	bool was_final;
};

static _Thread_local struct rt_next next_task __attribute__((tls_model("initial-exec")));

static struct rt_task *begin(struct rt_frame *base, bool final)
{
	struct span_lane *lane = skein_self.span;
	struct rt_task *task = arena_take(sizeof *task);
	if (!task) {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return NULL;
	}
	task->parent = skein_self.task;
	task->base = base;
	task->start = lane->kept.end;
	task->region = lane->region;
	task->is_final = final;
	skein_self.task = task;
	return task;
}

/* The task that runs. Any iteration of a parallel loop may be another thread's, so what it creates and waits for is its own:
 * it is a task, made when it first matters. */
static struct rt_task *current(void)
{
	struct rt_task *task = skein_self.task;
	struct rt_frame *loop;
	do {
		loop = NULL;
		for (struct rt_frame *f = skein_self.frames; task && f && f != task->base; f = f->up)
			if (f->is_loop && f->iterating)
				loop = f;
		if (loop && (task = begin(loop, task->is_final)))
			task->start = loop->loop.start;
	} while (loop && task);
	return task;
}

void tasks_settle(void)
{
	current();
}

static void open_group(struct rt_task *task, bool apart, bool final)
{
	struct rt_group *group = task ? arena_take(sizeof *group) : NULL;
	if (!group) {
		raw_lose(RAW_LOST_NO_MEMORY, task != NULL);
		return;
	}
	*group = (struct rt_group){task->groups, task->children, task->all, task->dependences, task->descriptor, apart, task->is_final};
	task->children = task->all = (struct rt_point){0};
	if (apart)
		task->dependences = NULL;
	task->is_final = final;
	task->groups = group;
}

/* The later of two ends in the same task; the other one is forgotten. */
static void keep_later(struct rt_point *best, struct rt_point *p)
{
	what_ifs_offer(best, p);
	if (p->is_set && point_wants(best, p->position, p->burdened)) {
		struct rt_point old = *best;
		*best = *p;
		best->burdened = old.burdened; /* the later end has it, and its ends too */
		best->ends = old.ends;
		old.ends = p->ends;
		*p = old;
	}
	point_free(p);
}

/* Children that were not waited for are like those of a task that has ended: only a wait for all descendants waits
 * for them. */
static void close_group(struct rt_task *task)
{
	struct rt_group *group = task ? task->groups : NULL;
	if (!group)
		return;
	struct rt_point children = task->children, all = task->all;
	task->children = group->children;
	task->all = group->all;
	keep_later(&task->all, &children);
	keep_later(&task->all, &all);
	if (group->is_apart) {
		depends_free(task);
		task->dependences = group->dependences;
	}
	task->is_final = group->was_final;
	task->descriptor = group->descriptor;
	task->groups = group->outer;
	arena_give(group, sizeof *group);
}

/* Stands for a task that runs in its parent's place: it only is a group. */
static struct rt_task included;

/* A group that is open in the task has the task's descriptor, unless it stands for another task. */
bool tasks_goes_on(void)
{
	struct rt_task *task = current();
	bool same = task && task->descriptor && next_task.descriptor == task->descriptor;
	if (same)
		next_task = (struct rt_next){0};
	return same;
}

void tasks_begin(struct rt_frame *f)
{
	struct rt_task *parent = current();
	struct rt_next next = next_task;
	uint64_t burdened;
	next_task = (struct rt_next){0};
	if (parent && (parent->is_final || next.flags & TASK_MERGED)) {
		f->task = &included;
		open_group(parent, true, parent->is_final || next.flags & TASK_FINAL);
		parent->descriptor = next.descriptor;
		return;
	}
	if (parent)
		what_ifs_spawn(f);
	f->task = parent ? begin(f, next.flags & TASK_FINAL) : NULL;
	if (!f->task)
		return;
	f->task->descriptor = next.descriptor;
	skein_self.span->region = skein_self.span->kept.end;
	__atomic_fetch_add(&raw_header()->span_events[RAW_SPAN_TASKS], 1, __ATOMIC_RELAXED);
	if (!next.count)
		return;
	struct rt_latest after = depends_latest(parent, next.list, next.count, point_position(parent, &burdened));
	f->task->depends = next.list;
	f->task->depend_count = next.count;
	f->task->after = after.point;
	f->task->after_burdened = after.burdened;
}

/* Where the parent's path to the task ends in the log. Between that and the task may lie the best iteration of a loop so far. */
static uint64_t end_of_way(const struct rt_task *task)
{
	const struct span_scope *s = task->base && task->base->is_loop ? &task->base->loop.scope : NULL;
	return s && s->best >= 0 ? s->l0 : task->start;
}

/* Offers the path that leads to the task's creation, or to the end of what it waited for, and on through `more`, and what
 * invocations in the task that were open there had done. */
static void offer(struct rt_task *parent, struct rt_point *best, const struct rt_task *task, uint64_t position, uint64_t burdened,
                  const struct span_entry *more, uint64_t more_bytes, const struct rt_point *open)
{
	struct span_lane *lane = skein_self.span;
	if (!point_wants(best, position, burdened))
		return;
	point_clear(best, position);
	if (task->after)
		point_add(best, task->after->entries, task->after->count * sizeof *more);
	else
		point_add(best, span_at(lane, parent->start), end_of_way(task) - parent->start);
	point_add(best, more, more_bytes);
	if (open)
		point_leave_behind(best, open);
	if (task->after)
		point_copy_places(best, task->after);
	else
		point_add_places(best, parent);
}

/* The end of a child for which nothing in the task waited. */
static void offer_point(struct rt_task *parent, struct rt_point *best, const struct rt_task *task, const struct rt_point *p, uint64_t here,
                        uint64_t burdened)
{
	what_ifs_offer(best, p);
	if (p->is_set)
		offer(parent, best, task, here + p->position, burdened + p->burdened, p->entries, p->count * sizeof *p->entries, p);
}

/* What it waited for is one of the points that change here, so the task's path is put together before. */
static void end_with_dependences(struct rt_task *parent, struct rt_task *task, struct rt_point *path)
{
	task->after = NULL;
	point_offer_copy(&parent->children, path);
	for (uint32_t i = 0; i < task->depend_count; i++)
		depends_note(parent, &task->depends[i], path);
	point_free(path);
}

void tasks_free(struct rt_task *task)
{
	while (task->groups)
		close_group(task);
	point_free(&task->children);
	point_free(&task->all);
	depends_free(task);
}

static void forget(struct rt_task *task)
{
	tasks_free(task);
	arena_give(task, sizeof *task);
}

/* The lane holds the task's figures, and the log behind its start its path. */
static void end(struct rt_frame *f, struct rt_task *task)
{
	struct span_lane *lane = skein_self.span;
	struct rt_task *parent = task->parent;
	struct rt_point path = {0};
	skein_self.task = parent;
	uint64_t burdened, here = point_position(parent, &burdened);
	if (task->after)
		here = task->after->position;
	if (burdened < task->after_burdened)
		burdened = task->after_burdened;
	burdened += lane->burden;
	offer_point(parent, &parent->all, task, &task->children, here, burdened);
	offer_point(parent, &parent->all, task, &task->all, here, burdened);
	offer(parent, task->depend_count ? &path : &parent->children, task, here + lane->left.span, burdened + lane->left.burdened_span,
	      span_at(lane, task->start), lane->kept.end - task->start, NULL);
	what_ifs_offer(task->depend_count ? &path : &parent->children, NULL);
	if (task->depend_count)
		end_with_dependences(parent, task, &path);
	what_ifs_task_ended(f);
	f->f.work += lane->left.work;
	f->f.burdened_span += lane->burden;
	lane->kept.end = task->start;
	span_come_back(lane, task->region);
}

void tasks_end(struct rt_frame *f)
{
	struct rt_task *task = f->task;
	f->task = NULL;
	if (task && task != &included) {
		end(f, task);
		forget(task);
		return;
	}
	span_take(skein_self.span, &f->f);
	if (task)
		close_group(skein_self.task);
}

void tasks_iterated(struct rt_frame *loop)
{
	struct rt_task *task = skein_self.task;
	if (!task || task->base != loop)
		return;
	uint64_t burdened, here;
	skein_self.task = task->parent;
	here = point_position(task->parent, &burdened);
	offer_point(task->parent, &task->parent->children, task, &task->children, here, burdened);
	offer_point(task->parent, &task->parent->all, task, &task->all, here, burdened);
	forget(task);
}

/* A taskloop calls the function of its tasks once for each of them, with the same flags. */
void tasks_loop(struct rt_frame *f)
{
	f->task_flags = next_task.flags;
	next_task = (struct rt_next){0};
}

void tasks_begin_chunk(struct rt_frame *f)
{
	next_task.flags = f->task_flags;
	tasks_begin(f);
}

/* Before the call that creates it. */
void skein_rt_span_task_flags(uint32_t flags)
{
	next_task.flags = flags;
}

/* Before the call that hands a task to the runtime. */
void skein_rt_span_task(const void *descriptor)
{
	next_task.descriptor = descriptor;
}

void skein_rt_span_task_depends(uint32_t count, const void *list)
{
	next_task.count = count;
	next_task.list = list;
}

/* Of a taskloop whose `if` says no. */
void skein_rt_span_task_if(uint32_t condition)
{
	if (!condition)
		next_task.flags |= TASK_MERGED;
}

static void wait_for(struct rt_frame *f, uint64_t n, bool all)
{
	struct rt_task *task = current();
	if (!span_rt.now)
		span_strand_ends(f, n);
	if (task)
		point_go(task, &task->children);
	if (task && all)
		point_go(task, &task->all);
}

void skein_rt_span_taskwait(struct rt_frame *f, uint64_t n)
{
	wait_for(f, n, false);
}

void skein_rt_span_barrier(struct rt_frame *f, uint64_t n)
{
	wait_for(f, n, true);
}

/* Waits only for the children for which a task with these dependences would wait. */
void skein_rt_span_wait_for(struct rt_frame *f, uint64_t n, uint32_t count, const void *list)
{
	struct rt_task *task = current();
	uint64_t burdened;
	if (!span_rt.now)
		span_strand_ends(f, n);
	if (!task)
		return;
	struct rt_latest latest = depends_latest(task, list, count, point_position(task, &burdened));
	if (latest.point)
		point_go_to(task, latest.point);
	if (latest.burdened > burdened)
		f->f.burdened_span += latest.burdened - burdened;
}

void skein_rt_span_group(void)
{
	struct rt_task *task = current();
	open_group(task, false, task && task->is_final);
}

void skein_rt_span_group_end(struct rt_frame *f, uint64_t n)
{
	skein_rt_span_barrier(f, n);
	close_group(skein_self.task);
}

/* A team: what its end waits for has nothing to do with the tasks around it. */
void skein_rt_span_team(void)
{
	open_group(current(), true, false);
}

/* A task that runs in its creator's place (if(0)): the code itself calls its function, between these two. */
void skein_rt_span_undeferred(void)
{
	struct rt_task *task = current();
	open_group(task, true, (task && task->is_final) || next_task.flags & TASK_FINAL);
	if (task)
		task->descriptor = next_task.descriptor;
	next_task = (struct rt_next){0};
}

void skein_rt_span_undeferred_end(void)
{
	close_group(skein_self.task);
}
