/* SPDX-License-Identifier: MIT */
/* input.c: points of the input lens, kept in order, and put together to curves.
 *
 * Problem: each thread, process and run has points, some exact and some in bins; a curve has each size once.
 * Idea: points are sorted by routine first, so a curve reads only those of its routine. All bins of a curve are as
 * wide as its widest bin, as in core/input/points.h.
 * Cost: a sort of all points once, and a sort of the routine's points for each curve. */
#include "analyse/input/input.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

const char *const inputs_metric_names[INPUT_METRICS] = {[INPUT_RMS] = "rms", [INPUT_RMS_EXTERNAL] = "rms+external", [INPUT_TRMS] = "trms"};

#define COMPARE(x, y)                              \
	do {                                       \
		if ((x) != (y))                    \
			return (x) < (y) ? -1 : 1; \
	} while (0)

static uint64_t add_up(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* ---- contexts ---- */

static bool is_context(const void *contexts, size_t number, const void *what)
{
	const struct inputs_context *a = (const struct inputs_context *)contexts + number, *b = what;
	return a->parent == b->parent && a->routine == b->routine;
}

enum { DEEPEST = 1024 }; /* the most callers that are followed: producers record fewer, but a damaged file may have more */

static bool is_below_itself(const struct inputs *inputs, uint32_t parent, uint32_t routine)
{
	for (int depth = 0; parent && depth < DEEPEST; depth++) {
		if (inputs->contexts[parent].routine == routine)
			return true;
		parent = inputs->contexts[parent].parent;
	}
	return false;
}

uint32_t inputs_context(struct inputs *inputs, uint32_t parent, uint32_t routine)
{
	struct inputs_context context = {parent, routine, false};
	uint64_t hash = hash_number(HASH_START, (uint64_t)parent << 32 | routine);
	size_t *place = lookup_at(&inputs->index, hash, is_context, inputs->contexts, &context);
	if (!*place) {
		context.is_nested = is_below_itself(inputs, parent, routine);
		MEMORY_GROW(inputs->contexts, inputs->context_count, inputs->context_room);
		inputs->contexts[inputs->context_count++] = context;
		*place = inputs->context_count;
	}
	return (uint32_t)*place - 1;
}

/* ---- sets ---- */

static bool is_set(const void *sets, size_t number, const void *what)
{
	const struct inputs_set *a = (const struct inputs_set *)sets + number, *b = what;
	return a->count == b->count && memcmp(a->routines, b->routines, a->count * sizeof *a->routines) == 0;
}

uint32_t inputs_set(struct inputs *inputs, const struct inputs_set *set)
{
	uint64_t hash = HASH_START;
	if (!set->count)
		return 0;
	for (uint32_t i = 0; i < set->count; i++)
		hash = hash_number(hash, set->routines[i]);
	size_t *place = lookup_at(&inputs->set_index, hash, is_set, inputs->sets, set);
	if (!*place) {
		MEMORY_GROW(inputs->sets, inputs->set_count, inputs->set_room);
		inputs->sets[inputs->set_count++] = *set;
		*place = inputs->set_count;
	}
	return (uint32_t)*place - 1;
}

void inputs_set_add(struct inputs_set *set, uint32_t routine)
{
	uint32_t at = 0;
	while (at < set->count && set->routines[at] < routine)
		at++;
	if (set->count == INPUTS_SET_MOST || (at < set->count && set->routines[at] == routine))
		return;
	memmove(&set->routines[at + 1], &set->routines[at], (set->count - at) * sizeof *set->routines);
	set->routines[at] = routine;
	set->count++;
}

/* ---- points ---- */

void inputs_start(struct inputs *inputs, struct run *run)
{
	memset(inputs, 0, sizeof *inputs);
	inputs->run = run;
	MEMORY_GROW(inputs->contexts, inputs->context_count, inputs->context_room);
	inputs->contexts[inputs->context_count++] = (struct inputs_context){0, RUN_OUTSIDE, false};
	MEMORY_GROW(inputs->sets, inputs->set_count, inputs->set_room);
	inputs->sets[inputs->set_count++] = (struct inputs_set){.count = 0};
}

void inputs_free(struct inputs *inputs)
{
	free(inputs->hows);
	free(inputs->runs);
	free(inputs->contexts);
	free(inputs->sets);
	free(inputs->points);
	free(inputs->sources);
	lookup_free(&inputs->index);
	lookup_free(&inputs->set_index);
	memset(inputs, 0, sizeof *inputs);
}

void inputs_add(struct inputs *inputs, const struct inputs_point *point)
{
	MEMORY_GROW(inputs->points, inputs->point_count, inputs->point_room);
	inputs->points[inputs->point_count++] = *point;
}

void inputs_add_source(struct inputs *inputs, const struct inputs_source *source)
{
	MEMORY_GROW(inputs->sources, inputs->source_count, inputs->source_room);
	inputs->sources[inputs->source_count++] = *source;
}

static int point_order(const void *a, const void *b, void *context)
{
	const struct inputs_point *x = a, *y = b;
	const struct inputs_context *contexts = context;
	COMPARE(contexts[x->context].routine, contexts[y->context].routine);
	COMPARE(x->context, y->context);
	COMPARE(x->thread, y->thread);
	COMPARE(x->set, y->set);
	COMPARE(x->metrics, y->metrics);
	COMPARE(x->bits, y->bits);
	COMPARE(x->size, y->size);
	return 0;
}

static int source_order(const void *a, const void *b)
{
	const struct inputs_source *x = a, *y = b;
	COMPARE(x->reader, y->reader);
	COMPARE(x->writer, y->writer);
	return 0;
}

static void put_together(struct inputs_point *to, const struct inputs_point *p)
{
	to->size_sum = add_up(to->size_sum, p->size_sum);
	to->calls = add_up(to->calls, p->calls);
	to->cost_min = p->cost_min < to->cost_min ? p->cost_min : to->cost_min;
	to->cost_max = p->cost_max > to->cost_max ? p->cost_max : to->cost_max;
	to->cost_sum = add_up(to->cost_sum, p->cost_sum);
	to->squares += p->squares;
	to->cost_outermost = add_up(to->cost_outermost, p->cost_outermost);
	to->self_sum = add_up(to->self_sum, p->self_sum);
	to->thread_induced = add_up(to->thread_induced, p->thread_induced);
	to->external = add_up(to->external, p->external);
}

void inputs_sort(struct inputs *inputs)
{
	size_t kept = 0;
	if (inputs->point_count)
		qsort_r(inputs->points, inputs->point_count, sizeof *inputs->points, point_order, inputs->contexts);
	for (size_t i = 0; i < inputs->point_count; i++)
		if (kept && point_order(&inputs->points[kept - 1], &inputs->points[i], inputs->contexts) == 0)
			put_together(&inputs->points[kept - 1], &inputs->points[i]);
		else
			inputs->points[kept++] = inputs->points[i];
	inputs->point_count = kept;
	kept = 0;
	if (inputs->source_count)
		qsort(inputs->sources, inputs->source_count, sizeof *inputs->sources, source_order);
	for (size_t i = 0; i < inputs->source_count; i++)
		if (kept && source_order(&inputs->sources[kept - 1], &inputs->sources[i]) == 0)
			inputs->sources[kept - 1].cells = add_up(inputs->sources[kept - 1].cells, inputs->sources[i].cells);
		else
			inputs->sources[kept++] = inputs->sources[i];
	inputs->source_count = kept;
}

/* The first point whose key is not below that one. A context or thread of INPUTS_ANY or more is behind all points. */
static size_t first_not_below(const struct inputs *inputs, uint64_t routine, uint64_t context, uint64_t thread)
{
	size_t low = 0, high = inputs->point_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct inputs_point *p = &inputs->points[middle];
		uint32_t its = inputs->contexts[p->context].routine;
		bool is_below = its != routine ? its < routine : p->context != context ? p->context < context : p->thread < thread;
		if (is_below)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t inputs_points_of(const struct inputs *inputs, uint32_t routine, size_t *from)
{
	*from = first_not_below(inputs, routine, 0, 0);
	return first_not_below(inputs, (uint64_t)routine + 1, 0, 0);
}

/* ---- runs ---- */

const struct raw_input_how *inputs_how(const struct inputs *inputs)
{
	static const struct raw_input_how unknown = {.cell_bytes = 4, .sizes_max = INPUT_SIZES_MAX};
	for (size_t i = inputs->run->process_count; i-- > 0;)
		if (inputs->hows[i].cell_bytes)
			return &inputs->hows[i];
	return &unknown;
}

bool inputs_are_alike(const struct raw_input_how *a, const struct raw_input_how *b)
{
	const uint32_t matters = RAW_INPUT_COUNTS_RETURNS | RAW_INPUT_COUNTS_LOCKS | RAW_INPUT_KEEPS_FREED;
	return a->producer == b->producer && a->cost == b->cost && a->cell_bytes == b->cell_bytes &&
		(a->options & matters) == (b->options & matters);
}

void inputs_keep_run(struct inputs *inputs, size_t run)
{
	const struct inputs_run *r = &inputs->runs[run];
	size_t kept = 0;
	for (size_t i = 0; i < inputs->point_count; i++)
		if (inputs->points[i].thread - r->first_thread < r->threads)
			inputs->points[kept++] = inputs->points[i];
	inputs->point_count = kept;
	kept = 0;
	for (size_t i = 0; i < inputs->source_count; i++)
		if (inputs->sources[i].reader - r->first_thread < r->threads)
			inputs->sources[kept++] = inputs->sources[i];
	inputs->source_count = kept;
}

/* ---- curves ---- */

static uint64_t bin_of(uint64_t size, uint32_t bits)
{
	uint32_t digits = size ? 64 - (uint32_t)__builtin_clzll(size) : 0;
	return bits && digits > bits ? size >> (digits - bits) << (digits - bits) : size;
}

static bool takes_part(const struct inputs_point *p, const struct inputs_pick *pick, enum input_metric metric)
{
	return p->metrics >> metric & 1 && (pick->context == INPUTS_ANY || p->context == pick->context) &&
		(pick->thread == INPUTS_ANY || p->thread == pick->thread) && (!pick->set || p->set == pick->set - 1);
}

/* The range of points that can match, as narrow as the order allows: the points of a thread are together within a
 * context. */
static size_t range_of(const struct inputs *inputs, const struct inputs_pick *pick, size_t *from)
{
	if (pick->routine == INPUTS_ANY) {
		*from = first_not_below(inputs, RUN_OUTSIDE + 1, 0, 0);
		return inputs->point_count;
	}
	size_t to = inputs_points_of(inputs, pick->routine, from);
	uint64_t context = pick->context;
	if (context == INPUTS_ANY && to > *from && inputs->points[*from].context == inputs->points[to - 1].context)
		context = inputs->points[*from].context;
	if (context == INPUTS_ANY)
		return to;
	bool any = pick->thread == INPUTS_ANY;
	*from = first_not_below(inputs, pick->routine, context, any ? 0 : pick->thread);
	return first_not_below(inputs, pick->routine, any ? context + 1 : context, any ? 0 : (uint64_t)pick->thread + 1);
}

static struct inputs_size row_of(const struct inputs *inputs, const struct inputs_pick *pick, const struct inputs_point *p)
{
	bool is_theirs = pick->context == INPUTS_ANY && inputs->contexts[p->context].is_nested;
	return (struct inputs_size){.size = p->size,
	                            .size_sum = p->size_sum,
	                            .calls = p->calls,
	                            .cost_min = p->cost_min,
	                            .cost_max = p->cost_max,
	                            .cost_sum = p->cost_sum,
	                            .cost_outermost = is_theirs ? 0 : p->cost_outermost,
	                            .self_sum = p->self_sum,
	                            .thread_induced = p->thread_induced,
	                            .external = p->external,
	                            .squares = p->squares};
}

static void add_row(struct inputs_size *to, const struct inputs_size *row)
{
	to->size_sum = add_up(to->size_sum, row->size_sum);
	to->calls = add_up(to->calls, row->calls);
	to->cost_min = row->cost_min < to->cost_min ? row->cost_min : to->cost_min;
	to->cost_max = row->cost_max > to->cost_max ? row->cost_max : to->cost_max;
	to->cost_sum = add_up(to->cost_sum, row->cost_sum);
	to->cost_outermost = add_up(to->cost_outermost, row->cost_outermost);
	to->self_sum = add_up(to->self_sum, row->self_sum);
	to->thread_induced = add_up(to->thread_induced, row->thread_induced);
	to->external = add_up(to->external, row->external);
	to->squares += row->squares;
}

struct inputs_size inputs_total(const struct inputs *inputs, const struct inputs_pick *pick, enum input_metric metric)
{
	struct inputs_size total = {.cost_min = UINT64_MAX};
	size_t from, to = range_of(inputs, pick, &from);
	for (size_t i = from; i < to; i++)
		if (takes_part(&inputs->points[i], pick, metric)) {
			struct inputs_size row = row_of(inputs, pick, &inputs->points[i]);
			add_row(&total, &row);
			total.size = row.size > total.size ? row.size : total.size;
		}
	return total;
}

static int size_order(const void *a, const void *b)
{
	const struct inputs_size *x = a, *y = b;
	COMPARE(x->size, y->size);
	return 0;
}

void inputs_curve(const struct inputs *inputs, const struct inputs_pick *pick, enum input_metric metric, struct inputs_curve *curve)
{
	size_t from, to = range_of(inputs, pick, &from), kept = 0;
	memset(curve, 0, sizeof *curve);
	for (size_t i = from; i < to; i++) {
		const struct inputs_point *p = &inputs->points[i];
		if (!takes_part(p, pick, metric) || !p->calls)
			continue;
		curve->bits = p->bits && (!curve->bits || p->bits < curve->bits) ? p->bits : curve->bits;
		MEMORY_GROW(curve->rows, curve->count, curve->room);
		curve->rows[curve->count++] = row_of(inputs, pick, p);
	}
	for (size_t i = 0; i < curve->count; i++)
		curve->rows[i].size = bin_of(curve->rows[i].size, curve->bits);
	if (curve->count)
		qsort(curve->rows, curve->count, sizeof *curve->rows, size_order);
	curve->total.cost_min = UINT64_MAX;
	for (size_t i = 0; i < curve->count; i++) {
		add_row(&curve->total, &curve->rows[i]);
		if (kept && curve->rows[kept - 1].size == curve->rows[i].size)
			add_row(&curve->rows[kept - 1], &curve->rows[i]);
		else
			curve->rows[kept++] = curve->rows[i];
	}
	curve->count = kept;
	curve->total.size = kept ? curve->rows[kept - 1].size : 0;
}

void inputs_curve_free(struct inputs_curve *curve)
{
	free(curve->rows);
	memset(curve, 0, sizeof *curve);
}

uint64_t inputs_cost(const struct inputs *inputs, uint32_t thread)
{
	uint64_t cost = 0;
	for (size_t i = 0; i < inputs->point_count; i++)
		if (inputs->points[i].metrics >> INPUT_TRMS & 1 && (thread == INPUTS_ANY || inputs->points[i].thread == thread))
			cost = add_up(cost, inputs->points[i].self_sum);
	return cost;
}
