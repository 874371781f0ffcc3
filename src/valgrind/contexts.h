/* SPDX-License-Identifier: GPL-2.0-or-later */
/* contexts.h: whose points an activation belongs to: its routine's, or, when contexts are asked for, those of its place
 * in the tree of calls.
 *
 * Context 0 is the thread itself. Beyond CONTEXTS_MAX, and beyond CONTEXTS_DEPTH callers, a context is its caller's
 * (recursion would make as many as it is deep). */
#ifndef SKEIN_VALGRIND_CONTEXTS_H
#define SKEIN_VALGRIND_CONTEXTS_H

#include "valgrind/threads.h"

enum { CONTEXTS_MAX = 1 << 20, CONTEXTS_DEPTH = 200 };

struct context {
	uint32_t parent, depth;
	uint64_t routine; /* key */
};

uint32_t contexts_below(uint32_t parent, const struct routine *r); /* 0 when none are asked for */
struct input_routine *contexts_points(struct thread *t, struct routine *r, uint32_t context);
const struct context *contexts_all(uint32_t *count); /* of number 1 and on */

#endif
