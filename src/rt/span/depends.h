/* SPDX-License-Identifier: MIT */
/* depends.h: dependences between the children of an OpenMP task (depend clauses), for tasks.c.
 *
 *     struct rt_latest latest = depends_latest(parent, list, count, here);      when a task is created: where it begins
 *     …
 *     depends_note(parent, &list[i], path);                                     when it has ended: those that come wait for it */
#ifndef SKEIN_RT_SPAN_DEPENDS_H
#define SKEIN_RT_SPAN_DEPENDS_H

#include "rt/span/span.h"

/* As the compiler lays it out for libomp. */
struct rt_depend {
	uintptr_t address;
	size_t bytes;
	uint8_t flags;
};

/* What the next task begins after. The longest path and the longest burdened one need not be the same. */
struct rt_latest {
	struct rt_point *point;
	uint64_t burdened;
};

/* The latest end among the tasks that one with these dependences waits for, if it is later than `here`. */
struct rt_latest depends_latest(struct rt_task *task, const struct rt_depend *list, uint32_t count, uint64_t here);
void depends_note(struct rt_task *parent, const struct rt_depend *how, const struct rt_point *path);
void depends_free(struct rt_task *task);

#endif
