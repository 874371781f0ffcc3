/* SPDX-License-Identifier: MIT */
/* axis.h: the scale of a plot: which values it spans, where a value lies on it, and which values are marked.
 *
 *     struct axis x;
 *     axis_start(&x, AXIS_LOG);
 *     for (size_t i = 0; i < count; i++)
 *             axis_include(&x, sizes[i]);
 *     axis_close(&x, 0.04);                            with 4 % of its length free at both ends
 *     double at = axis_place(&x, sizes[0]);            0 at its beginning, 1 at its end
 *     double marks[AXIS_MARKS];
 *     size_t n = axis_marks(&x, 8, marks);             at most 8 round values, from the smallest
 *     puts(axis_label(&pool, marks[0]));               1,000 or 20 M
 *
 * A logarithmic axis has no place for 0: axis_include leaves such a value out, and axis_has says so. Pure functions. */
#ifndef SKEIN_AXIS_H
#define SKEIN_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include "base/memory.h"

enum { AXIS_MARKS = 32 };

enum axis_kind {
	AXIS_LOG,
	AXIS_LINEAR,    /* begins at 0, or below */
	AXIS_LOG_FROM_0 /* the logarithm of 1 + value: has a place for 0, and for what lies above -1 */
};

struct axis {
	enum axis_kind kind;
	double from, to; /* values at both ends */
	bool is_whole;   /* only whole values are marked */
};

void axis_start(struct axis *axis, enum axis_kind kind);
void axis_include(struct axis *axis, double value);
void axis_close(struct axis *axis, double margin);        /* an axis of a single value, or of none, gets a length */
bool axis_has(const struct axis *axis, double value);     /* the value has a place on it, between its ends */
double axis_place(const struct axis *axis, double value); /* outside of 0 to 1 if the value is outside */
double axis_value(const struct axis *axis, double place);
size_t axis_marks(const struct axis *axis, size_t most, double marks[AXIS_MARKS]);
const char *axis_label(struct pool *pool, double value);

#endif
