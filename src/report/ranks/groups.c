/* SPDX-License-Identifier: MIT */
/* groups.c: ranks that behave alike.
 *
 * Problem: ten thousand ranks do a few different things: a master and its workers, ranks at an edge of the grid and inside of it.
 * Idea: what a rank does is its vector of times by routine, and of waiting. One pass of leader clustering: a rank joins the first group
 * whose leader is not farther than a share of what both do, else it leads a new one. The last group takes all that is left.
 * Cost: ranks times groups times routines, the largest few of them. Order matters: groups are those of ranks in order, which is what
 * people expect of rank 0. */
#include <math.h>
#include <stdlib.h>

#include "report/ranks/ranks.h"

#define FAR 0.3 /* of the sum of both: less is alike */
enum { MOST_AXES = 64 };

struct axes {
	const double *values[MOST_AXES];
	size_t count, waits; /* the first ones are of waiting */
};

static struct axes axes_of(const struct ranks *r)
{
	struct axes axes = {0};
	static const enum ranks_figure waits[] = {RANKS_MESSAGE, RANKS_SYNC};
	for (size_t i = 0; i < 2; i++)
		if (r->of_run[waits[i]])
			axes.values[axes.count++] = r->of_run[waits[i]];
	axes.waits = axes.count;
	for (size_t i = 0; i < r->row_count && axes.count < MOST_AXES; i++)
		if (r->rows[i].values && r->parts.figures[r->rows[i].figure].of == PART_ROUTINE)
			axes.values[axes.count++] = r->rows[i].values;
	return axes;
}

struct distance {
	double apart, both;
};

static struct distance between(const struct axes *axes, size_t from, size_t to, size_t a, size_t b)
{
	struct distance d = {0, 0};
	for (size_t i = from; i < to; i++) {
		d.apart += fabs(axes->values[i][a] - axes->values[i][b]);
		d.both += axes->values[i][a] + axes->values[i][b];
	}
	return d;
}

/* Waiting is compared with waiting and work together: little of it may differ much. Where cores are short all ranks wait long, and
 * only work tells them apart. */
static bool is_alike(const struct axes *axes, size_t a, size_t b)
{
	struct distance work = between(axes, axes->waits, axes->count, a, b), waits = between(axes, 0, axes->waits, a, b);
	return work.apart <= FAR * work.both && waits.apart <= FAR * (waits.both + work.both);
}

void ranks_find_groups(struct ranks *r)
{
	struct axes axes = axes_of(r);
	r->group_of = memory_zeroed(r->count, sizeof *r->group_of);
	for (size_t i = 0; i < r->count; i++) {
		size_t g = 0;
		while (g < r->group_count && !is_alike(&axes, r->groups[g].first, i))
			g++;
		if (g == RANKS_GROUPS)
			g = RANKS_GROUPS - 1;
		if (g == r->group_count)
			r->groups[r->group_count++] = (struct ranks_group){.first = i};
		r->groups[g].count++;
		r->group_of[i] = (uint32_t)g;
	}
}
