/* SPDX-License-Identifier: MIT */
/* depends.c: dependences between tasks by address: a task begins where the last task that it depends on ends. */
#include "rt/span/depends.h"

#include "threads/arena.h"

enum { DEPEND_IN = 1, DEPEND_OUT = 2, DEPEND_MUTEX = 4, DEPEND_SET = 8, DEPEND_ALL = 128 };

/* The tasks that a later one with the same address must wait for: the last that wrote, and since then those that read, or another
 * set whose members do not wait for each other. A set of another kind waits for the set before it. */
struct rt_dependence {
	struct rt_dependence *next;
	uintptr_t address;
	uint8_t kind; /* of the last set */
	struct rt_point wrote, before, last;
};

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

static void later_of(struct rt_latest *best, struct rt_point *p)
{
	what_ifs_wait(span_worker(skein_self.lane), p);
	if (p->is_set && p->burdened > best->burdened)
		best->burdened = p->burdened;
	if (p->is_set && (!best->point || p->position > best->point->position))
		best->point = p;
}

static bool writes(const struct rt_depend *d)
{
	return d->flags & (DEPEND_OUT | DEPEND_MUTEX | DEPEND_ALL);
}

static void depend_on(struct rt_latest *best, struct rt_dependence *d, const struct rt_depend *how)
{
	later_of(best, &d->wrote);
	later_of(best, &d->before);
	if (writes(how) || how->flags != d->kind)
		later_of(best, &d->last);
}

struct rt_latest depends_latest(struct rt_task *task, const struct rt_depend *list, uint32_t count, uint64_t here)
{
	struct rt_latest best = {0};
	for (uint32_t i = 0; i < count; i++)
		for (struct rt_dependence *d = task->dependences; d; d = d->next)
			if (d->address == list[i].address || !d->address || list[i].flags & DEPEND_ALL)
				depend_on(&best, d, &list[i]);
	if (best.point && best.point->position <= here)
		best.point = NULL;
	return best;
}

static void note(struct rt_dependence *d, const struct rt_depend *how, const struct rt_point *path)
{
	if (writes(how)) {
		point_free(&d->wrote);
		point_offer_copy(&d->wrote, path);
		point_free(&d->before);
		point_free(&d->last);
		return;
	}
	if (how->flags != d->kind) {
		point_free(&d->before);
		d->before = d->last;
		d->last = (struct rt_point){0};
		d->kind = how->flags;
	}
	point_offer_copy(&d->last, path);
}

void depends_note(struct rt_task *parent, const struct rt_depend *how, const struct rt_point *path)
{
	struct rt_dependence *d = dependence(parent, how->flags & DEPEND_ALL ? 0 : how->address);
	if (d)
		note(d, how, path);
}

void depends_free(struct rt_task *task)
{
	struct rt_dependence *next;
	for (struct rt_dependence *d = task->dependences; d; d = next) {
		next = d->next;
		point_free(&d->wrote);
		point_free(&d->before);
		point_free(&d->last);
		arena_give(d, sizeof *d);
	}
	task->dependences = NULL;
}
