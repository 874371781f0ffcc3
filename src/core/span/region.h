/* SPDX-License-Identifier: MIT */
/* region.h: work and span of the parts of a program that lie between two marks.
 *
 * Problem: a mark may stand anywhere in a routine: between a spawn and its sync, in a child, in an iteration. What was
 * spawned before the region may be waited for in it, and what is spawned in it may be waited for behind it.
 * Idea: on infinitely many cores each strand begins as soon as all that it waits for has ended, so the length of the
 * longest path from the start of the program to a place is the time at which control gets there. The span of a
 * region is the time between its two marks: the difference of two positions, as Cilkview and Cilkscale measure it.
 * Its work is the difference of two sums. Both are sums over the open invocations, and those below the one that
 * has the marks add the same to both, unless a wait in the region changed them. A region inside another one of the
 * same name has nothing to add.
 * Cost: the number of open invocations for each mark.
 *
 *     struct span_place here = {0};
 *     span_place_add(&here, &frame, n);               for each open invocation
 *     span_region_begin(&innermost, &memory, row, &frame, here);
 *     span_region_end(&innermost, here);              with the place of the second mark
 *
 * One thread. Memory comes from the caller. */
#ifndef SKEIN_CORE_SPAN_REGION_H
#define SKEIN_CORE_SPAN_REGION_H

#include "core/span/span.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded" /* a row of recordings */
/* All regions of one name in one lane. Only the topmost ones count. */
struct span_region {
	uint64_t begun, count; /* regions that have begun, and that have ended */
	uint64_t work, span, burdened_span;
	uint32_t routine; /* the number of its name */
	uint32_t open;    /* regions of the name that are open now */
};
#pragma GCC diagnostic pop

/* How far the program has come. */
struct span_place {
	uint64_t work, span, burdened_span;
};

struct span_open_region {
	struct span_open_region *outer;
	struct span_region *row;
	const void *owner; /* the invocation that has the marks */
	struct span_place from;
};

SPAN_INLINE void span_place_add(struct span_place *place, const struct span_frame *f, uint64_t n)
{
	place->work += n + f->work;
	place->span += n + f->span;
	place->burdened_span += n + f->burdened_span;
}

void span_region_begin(struct span_open_region **innermost, struct span_open_region *region, struct span_region *row, const void *owner,
                       struct span_place here);
void span_region_end(struct span_open_region **innermost, struct span_place here); /* ends the innermost one */

#endif
