/* SPDX-License-Identifier: MIT */
#include "report/axis.h"

#include <math.h>

#include "base/number.h"
#include "base/text.h"

#define LEAST_DECADES 0.1 /* a shorter logarithmic axis is made longer */
#define NEAR 1e-9         /* of a step: what rounding may cost */
#define CLOSE_MARKS 0.3   /* decades between the marks 5 and 10, the closest ones of 1, 2 and 5 */
#define LEAST_ROOM 0.8    /* how close marks may be, where 1 is all evenly far apart */
#define SHORT_DECADES 0.7 /* a logarithmic axis so short is nearly even: even marks fit */
#define LARGE 1e6         /* numbers from here on have a letter */

/* ---- the scale ---- */

static double scaled(const struct axis *a, double value)
{
	return a->kind == AXIS_LINEAR ? value : log10(a->kind == AXIS_LOG ? value : 1 + value);
}

static double unscaled(const struct axis *a, double at)
{
	return a->kind == AXIS_LINEAR ? at : a->kind == AXIS_LOG ? pow(10, at) : pow(10, at) - 1;
}

static bool can_have(const struct axis *a, double value)
{
	return isfinite(value) && (a->kind == AXIS_LINEAR || value > (a->kind == AXIS_LOG ? 0 : -1));
}

void axis_start(struct axis *axis, enum axis_kind kind)
{
	*axis = (struct axis){.kind = kind, .from = INFINITY, .to = -INFINITY};
	if (kind != AXIS_LOG)
		axis_include(axis, 0);
}

void axis_include(struct axis *axis, double value)
{
	if (!can_have(axis, value))
		return;
	axis->from = fmin(axis->from, value);
	axis->to = fmax(axis->to, value);
}

void axis_close(struct axis *axis, double margin)
{
	if (axis->from > axis->to)
		axis->from = axis->to = 1;
	double from = scaled(axis, axis->from), to = scaled(axis, axis->to);
	if (axis->kind == AXIS_LINEAR)
		to += to <= from;
	else if (to - from < LEAST_DECADES) {
		from -= axis->kind == AXIS_LOG ? LEAST_DECADES / 2 : 0;
		to += LEAST_DECADES / 2;
	}
	double space = margin * (to - from);
	bool is_at_0 = axis->kind != AXIS_LOG && axis->from == 0;
	axis->from = unscaled(axis, from - (is_at_0 ? 0 : space));
	axis->to = unscaled(axis, to + space);
}

double axis_place(const struct axis *axis, double value)
{
	double from = scaled(axis, axis->from), to = scaled(axis, axis->to);
	return (scaled(axis, value) - from) / (to - from);
}

double axis_value(const struct axis *axis, double place)
{
	double from = scaled(axis, axis->from), to = scaled(axis, axis->to);
	return unscaled(axis, from + (to - from) * place);
}

bool axis_has(const struct axis *axis, double value)
{
	if (!can_have(axis, value))
		return false;
	double place = axis_place(axis, value);
	return place >= -NEAR && place <= 1 + NEAR;
}

/* ---- marks ---- */

static size_t add(const struct axis *a, double value, double marks[AXIS_MARKS], size_t count)
{
	bool fits = axis_has(a, value) && !(a->is_whole && value != round(value));
	if (fits && count < AXIS_MARKS)
		marks[count++] = value;
	return count;
}

static double first_multiple(const struct axis *a, double step)
{
	return ceil(a->from / step - NEAR);
}

static double last_multiple(const struct axis *a, double step)
{
	return floor(a->to / step + NEAR);
}

/* Multiples of 1, 2 or 5 times a power of ten: the smallest step that makes not too many. */
static size_t even_marks(const struct axis *a, size_t most, double marks[AXIS_MARKS])
{
	double power = pow(10, floor(log10((a->to - a->from) / (double)most))), step = power;
	size_t count = 0;
	for (int i = 0; i < 3 && last_multiple(a, step) - first_multiple(a, step) >= (double)most; i++)
		step = power * (double[]){2, 5, 10}[i];
	if (a->is_whole)
		step = fmax(step, 1);
	for (double n = first_multiple(a, step); n <= last_multiple(a, step); n++)
		count = add(a, n * step, marks, count);
	return count;
}

/* Powers of ten, with 2 and 5 between them if there is room; on an axis from 0 beside 0 itself, from which 1 is as far as 10 from 5. */
static size_t decade_marks(const struct axis *a, size_t most, double marks[AXIS_MARKS])
{
	bool is_from_0 = a->kind == AXIS_LOG_FROM_0;
	double first = is_from_0 ? 0 : ceil(log10(a->from) - NEAR), last = floor(log10(a->to) + NEAR);
	double length = scaled(a, a->to) - scaled(a, a->from), room = CLOSE_MARKS / length * (double)most;
	double stride = fmax(ceil((last - first + 1) / (double)most), 1);
	size_t count = is_from_0 ? add(a, 0, marks, 0) : 0;
	if (room >= LEAST_ROOM || last <= first) {
		for (double decade = is_from_0 ? 0 : first - 1; decade <= last; decade++)
			for (int i = 0; i < 3; i++)
				count = add(a, pow(10, decade) * (double[]){1, 2, 5}[i], marks, count);
		return count;
	}
	if (is_from_0 && room < LEAST_ROOM / 2)
		first += stride;
	for (double decade = first; decade <= last; decade += stride)
		count = add(a, pow(10, decade), marks, count);
	return count;
}

size_t axis_marks(const struct axis *axis, size_t most, double marks[AXIS_MARKS])
{
	size_t count = 0;
	most = most > AXIS_MARKS ? AXIS_MARKS : most < 2 ? 2 : most;
	if (axis->kind != AXIS_LINEAR)
		count = decade_marks(axis, most, marks);
	bool is_short = scaled(axis, axis->to) - scaled(axis, axis->from) < SHORT_DECADES;
	return count >= 3 || (count == 2 && !is_short) ? count : even_marks(axis, most, marks);
}

const char *axis_label(struct pool *pool, double value)
{
	static const char *const letters[] = {"M", "G", "T", "P", "E"};
	size_t at = 0;
	if (fabs(value) < LARGE)
		return value == round(value) ? text_count(pool, number_whole(value)) : pool_print(pool, "%.3g", value);
	for (value /= LARGE; fabs(value) >= 1000 && at + 1 < sizeof letters / sizeof *letters; value /= 1000)
		at++;
	return pool_print(pool, "%.6g %s", value, letters[at]);
}
