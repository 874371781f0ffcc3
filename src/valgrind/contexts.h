/* SPDX-License-Identifier: GPL-2.0-or-later */
/* contexts.h: the points that an activation is added to: those of its routine or, with contexts, those of its node
 * in the tree of calls.
 *
 * Context 0 is the thread itself. Beyond CONTEXTS_MAX, and beyond CONTEXTS_DEPTH callers, a call gets its caller's
 * context (otherwise recursion would make a context per level). */
#ifndef SKEIN_VALGRIND_CONTEXTS_H
#define SKEIN_VALGRIND_CONTEXTS_H

#include "valgrind/threads.h"

enum { CONTEXTS_MAX = 1 << 20, CONTEXTS_DEPTH = 200 };

struct context {
	uint32_t parent, depth;
	uint64_t routine; /* key */
};

uint32_t contexts_below(uint32_t parent, const struct routine *r); /* 0 without contexts */
struct input_routine *contexts_points(struct thread *t, struct routine *r, uint32_t context);
const struct context *contexts_all(uint32_t *count); /* of number 1 and on */

#endif
