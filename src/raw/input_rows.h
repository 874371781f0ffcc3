/* SPDX-License-Identifier: MIT */
/* input_rows.h: makes rows of the input lens from the counts of its core, for both producers: the runtime and the
 * Valgrind tool.
 *
 *     rows[at++] = input_row_of(r, &r->same, i, thread, INPUT_ROW_ALL);      i < r->same.count */
#ifndef SKEIN_RAW_INPUT_ROWS_H
#define SKEIN_RAW_INPUT_ROWS_H

#include "core/input/choice.h"
#include "raw/format.h"

#define INPUT_ROW_ALL INPUT_ALL_METRICS /* every metric, of points that are the same in all */

/* A point is a row as it is: the runtime lets its points lie in the recording. */
_Static_assert(sizeof(struct input_point) == sizeof(struct raw_input_point) &&
                       offsetof(struct input_point, reader) == offsetof(struct raw_input_point, thread) &&
                       offsetof(struct input_point, bits) == offsetof(struct raw_input_point, bits) &&
                       offsetof(struct input_point, size) == offsetof(struct raw_input_point, size) &&
                       offsetof(struct input_point, cost_sum) == offsetof(struct raw_input_point, cost_sum) &&
                       offsetof(struct input_point, self_sum) == offsetof(struct raw_input_point, self_sum) &&
                       offsetof(struct input_point, external) == offsetof(struct raw_input_point, external),
               "points and rows differ");
_Static_assert(INPUT_SET_BITS == RAW_INPUT_SET_BITS && INPUT_OTHER_TARGETS == RAW_INPUT_OTHER_TARGETS, "sets and rows differ");

static inline struct raw_input_point input_row_of(const struct input_routine *r, const struct input_points *points, uint32_t i,
                                                  uint32_t thread, unsigned metrics)
{
	const struct input_point *p = &points->rows[i];
	return (struct raw_input_point){.routine = r->key,
	                                .thread = thread,
	                                .metrics = (uint16_t)metrics,
	                                .bits = (uint16_t)points->bits,
	                                .size = p->size,
	                                .size_sum = p->size_sum,
	                                .calls = p->calls,
	                                .cost_min = p->cost_min,
	                                .cost_max = p->cost_max,
	                                .cost_sum = p->cost_sum,
	                                .squares = {p->squares[0], p->squares[1]},
	                                .cost_outermost = p->cost_outermost,
	                                .self_sum = p->self_sum,
	                                .thread_induced = p->thread,
	                                .external = p->external};
}

/* How many of a routine's sets of points have bins instead of sizes. */
static inline uint64_t input_row_bins(const struct input_routine *r)
{
	uint64_t bins = r->same.bits != 0;
	for (int m = 0; m < INPUT_METRICS; m++)
		bins += r->own[m].bits != 0;
	return bins;
}

/* The writer that a key of the sources names, as in RAW_INPUT_MATRIX. `others`: the id that all further writers
 * share. */
static inline uint32_t input_row_writer(uint64_t key, uint64_t others)
{
	uint64_t id = key - 1;
	return id == INPUT_KERNEL ? RAW_INPUT_KERNEL : id == others ? RAW_INPUT_OTHERS : (uint32_t)id - 1;
}

#endif
