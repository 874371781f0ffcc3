/* SPDX-License-Identifier: MIT */
/* mixed.c: whether a routine's activations are one curve, where it calls different functions through a pointer.
 *
 * Problem: a routine that is given a linear function at some calls and a quadratic one at others has points of both, and a
 * curve through all of them is that of neither. But most such routines are one curve: a sort costs nearly the same with any
 * cheap comparison.
 * Idea: activations are told apart by the set of functions that they called (core/input/choice.h). The set with the most
 * sizes is compared with each other set that matters: mean costs at equal sizes, or the curve of the first where it has no
 * such size. They are one curve if costs mostly differ by less than ALIKE, also in the upper half of the sizes, where
 * different growth shows.
 * Cost: one fit, for routines with several sets only. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"

#include "analyse/input/result.h"

#define ALIKE 2.0         /* costs at one size that differ by less are those of one curve */
#define MATTERS_COST 0.05 /* share of the routine's cost from which a set matters, */
#define MATTERS_SIZES 0.2 /* or of its sizes */
#define BEYOND 10.0       /* a curve is believed up to so many times its largest size, and down to such a part of its smallest */
#define KNOWN 0.5         /* share of sizes that can be compared, at least */

enum { BINS_PER_DOUBLING = 4, BINS = 64 * BINS_PER_DOUBLING + 1 };

struct bin {
	double calls, size, cost; /* sums */
};

struct part {
	uint32_t set;
	double cost;
	size_t bins;
	struct bin bin[BINS];
};

struct parts {
	const struct inputs *inputs;
	struct inputs_pick pick;
	enum input_metric metric;
	struct part *list;
	size_t count, room;
};

static struct part *part_of(struct parts *parts, uint32_t set)
{
	for (size_t i = 0; i < parts->count; i++)
		if (parts->list[i].set == set)
			return &parts->list[i];
	MEMORY_GROW(parts->list, parts->count, parts->room);
	parts->list[parts->count] = (struct part){.set = set};
	return &parts->list[parts->count++];
}

static void take_point(struct part *part, const struct inputs_point *p)
{
	double size = (double)p->size_sum / (double)p->calls;
	part->cost += (double)p->cost_sum;
	if (size < 1)
		return;
	struct bin *bin = &part->bin[number_within(log2(size) * BINS_PER_DOUBLING, 0, BINS - 1)];
	part->bins += bin->calls == 0;
	bin->calls += (double)p->calls;
	bin->size += (double)p->size_sum;
	bin->cost += (double)p->cost_sum;
}

/* Activations that called nothing through a pointer are a part of their own, number 0. */
static void find_parts(struct parts *parts)
{
	size_t from, to = inputs_points_of(parts->inputs, parts->pick.routine, &from);
	const struct inputs_pick *pick = &parts->pick;
	for (size_t i = from; i < to; i++) {
		const struct inputs_point *p = &parts->inputs->points[i];
		if (p->calls && p->metrics >> parts->metric & 1 && (pick->context == INPUTS_ANY || p->context == pick->context) &&
		    (pick->thread == INPUTS_ANY || p->thread == pick->thread))
			take_point(part_of(parts, p->set), p);
	}
}

static struct models_fit fit_of(const struct parts *parts, const struct part *part)
{
	struct inputs_pick pick = parts->pick;
	struct inputs_curve curve;
	pick.set = part->set + 1;
	inputs_curve(parts->inputs, &pick, parts->metric, &curve);
	struct models_point *points = inputs_points(&curve);
	struct models_fit fit = models_fit(points, curve.count, MODELS_MEAN);
	free(points);
	inputs_curve_free(&curve);
	return fit;
}

/* What the part with the most sizes costs at the size of a bin; 0: not known. */
static double cost_at(const struct part *first, const struct models_fit *fit, size_t at, double size)
{
	const struct bin *bin = &first->bin[at];
	if (bin->calls > 0)
		return bin->cost / bin->calls;
	bool is_near = size >= fit->smallest / BEYOND && size <= fit->largest * BEYOND;
	return fit->model != MODEL_NONE && is_near ? models_cost_at(fit, size) : 0;
}

/* Whether more than half of a list are true. */
static bool mostly(const bool *list, size_t count)
{
	size_t yes = 0;
	for (size_t i = 0; i < count; i++)
		yes += list[i];
	return 2 * yes > count;
}

static bool is_alike(const struct part *first, const struct models_fit *fit, const struct part *other)
{
	bool differs[BINS];
	size_t known = 0;
	for (size_t i = 0; i < BINS; i++) {
		const struct bin *bin = &other->bin[i];
		double cost = bin->calls > 0 ? cost_at(first, fit, i, bin->size / bin->calls) : 0, its = bin->cost / bin->calls;
		if (cost > 0)
			differs[known++] = its > ALIKE * cost || its < cost / ALIKE;
	}
	if (known == 0 || (double)known < KNOWN * (double)other->bins)
		return false;
	return !mostly(differs, known) && !mostly(differs + known / 2, known - known / 2);
}

static bool is_mixed(const struct parts *parts)
{
	const struct part *first = parts->list;
	double cost = 0, bins = 0;
	for (size_t i = 0; i < parts->count; i++) {
		const struct part *p = &parts->list[i];
		cost += p->cost;
		bins += (double)p->bins;
		if (p->bins > first->bins || (p->bins == first->bins && p->cost > first->cost))
			first = p;
	}
	struct models_fit fit = fit_of(parts, first);
	for (size_t i = 0; i < parts->count; i++) {
		const struct part *p = &parts->list[i];
		bool matters = p->cost >= MATTERS_COST * cost || (double)p->bins >= MATTERS_SIZES * bins;
		if (p != first && p->bins && matters && !is_alike(first, &fit, p))
			return true;
	}
	return false;
}

bool inputs_is_mixed(const struct inputs *inputs, const struct inputs_pick *pick, enum input_metric metric)
{
	struct parts parts = {.inputs = inputs, .pick = *pick, .metric = metric};
	if (pick->routine == INPUTS_ANY || pick->set)
		return false;
	find_parts(&parts);
	bool mixed = parts.count > 1 && is_mixed(&parts);
	free(parts.list);
	return mixed;
}

static int by_cost(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	return x->cost != y->cost ? (x->cost > y->cost ? -1 : 1) : x->set < y->set ? -1 : 1;
}

size_t inputs_given(const struct inputs *inputs, const struct inputs_pick *pick, enum input_metric metric, struct inputs_given *list,
                    size_t most)
{
	struct parts parts = {.inputs = inputs, .pick = *pick, .metric = metric};
	find_parts(&parts);
	if (parts.count)
		qsort(parts.list, parts.count, sizeof *parts.list, by_cost);
	size_t count = parts.count;
	for (size_t i = 0; i < count && i < most; i++)
		list[i] = (struct inputs_given){parts.list[i].set, fit_of(&parts, &parts.list[i])};
	free(parts.list);
	return count;
}
