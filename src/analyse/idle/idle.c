/* SPDX-License-Identifier: MIT */
/* idle.c: sums over the scopes of the idle lens.
 *
 * Costs lie at the scopes in which samples were taken. Inclusive sums take one walk from the last scope to the first,
 * since parents come before their children. */
#include "analyse/idle/idle.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/names.h"
#include "base/number.h"

const char *const idles_kind_names[IDLES_KINDS] = {
#define X(name, text) text,
	IDLES_KIND_LIST(X)
#undef X
};
const char *const idles_overhead_names[IDLES_OVERHEADS] = {
#define X(name, text) text,
	IDLES_OVERHEAD_LIST(X)
#undef X
};

enum { LONG_NAME = 40 };

#define COMPARE(x, y)                              \
	do {                                       \
		if ((x) != (y))                    \
			return (x) < (y) ? -1 : 1; \
	} while (0)

void idles_free(struct idles *idles)
{
	free(idles->scopes);
	free(idles->costs);
	free(idles->events);
	free(idles->whys);
	free(idles->waits);
	free(idles->event_names);
	free(idles->threads);
	pool_free(&idles->pool);
	memset(idles, 0, sizeof *idles);
}

/* ---- order ---- */

static int cost_order(const void *a, const void *b)
{
	const struct idles_cost *x = a, *y = b;
	COMPARE(x->scope[IDLES_LOGICAL], y->scope[IDLES_LOGICAL]);
	COMPARE(x->scope[IDLES_PHYSICAL], y->scope[IDLES_PHYSICAL]);
	COMPARE(x->thread, y->thread);
	COMPARE(x->overhead, y->overhead);
	return 0;
}

static int event_order(const void *a, const void *b)
{
	const struct idles_event *x = a, *y = b;
	COMPARE(x->scope[IDLES_LOGICAL], y->scope[IDLES_LOGICAL]);
	COMPARE(x->scope[IDLES_PHYSICAL], y->scope[IDLES_PHYSICAL]);
	COMPARE(x->thread, y->thread);
	COMPARE(x->event, y->event);
	return 0;
}

static void add_cost(struct idles_cost *to, const struct idles_cost *more)
{
	to->samples += more->samples;
	to->idle_ns += more->idle_ns;
	for (int class = 0; class < RAW_IDLE_CLASSES; class ++)
		to->ns[class] += more->ns[class];
}

void idles_sort(struct idles *idles)
{
	size_t kept = 0;
	if (idles->cost_count)
		qsort(idles->costs, idles->cost_count, sizeof *idles->costs, cost_order);
	for (size_t i = 0; i < idles->cost_count; i++) {
		if (kept && cost_order(&idles->costs[kept - 1], &idles->costs[i]) == 0)
			add_cost(&idles->costs[kept - 1], &idles->costs[i]);
		else
			idles->costs[kept++] = idles->costs[i];
	}
	idles->cost_count = kept;
	kept = 0;
	if (idles->event_count)
		qsort(idles->events, idles->event_count, sizeof *idles->events, event_order);
	for (size_t i = 0; i < idles->event_count; i++) {
		if (kept && event_order(&idles->events[kept - 1], &idles->events[i]) == 0)
			idles->events[kept - 1].count += idles->events[i].count;
		else
			idles->events[kept++] = idles->events[i];
	}
	idles->event_count = kept;
}

/* ---- sums ---- */

void idles_count(struct idles_sums *sums, const struct idles_cost *cost)
{
	uint64_t ns = 0;
	for (int class = 0; class < RAW_IDLE_CLASSES; class ++) {
		sums->class_ns[class] += cost->ns[class];
		ns += cost->ns[class];
	}
	if (cost->overhead == IDLES_OVERHEAD_NONE)
		sums->work_ns += ns;
	else
		sums->overhead_ns += ns;
	sums->overhead_by[cost->overhead] += ns;
	sums->samples += cost->samples;
	sums->idle_ns += cost->idle_ns;
}

void idles_add(struct idles_sums *to, const struct idles_sums *more)
{
	to->samples += more->samples;
	to->work_ns += more->work_ns;
	to->idle_ns += more->idle_ns;
	to->overhead_ns += more->overhead_ns;
	for (int kind = 0; kind < IDLES_OVERHEADS; kind++)
		to->overhead_by[kind] += more->overhead_by[kind];
	for (int class = 0; class < RAW_IDLE_CLASSES; class ++)
		to->class_ns[class] += more->class_ns[class];
}

void idles_exclude(const struct idles *idles, enum idles_tree tree, uint32_t thread, struct idles_sums *sums)
{
	memset(sums, 0, idles->scope_count * sizeof *sums);
	for (size_t i = 0; i < idles->cost_count; i++)
		if (thread == UINT32_MAX || idles->costs[i].thread == thread)
			idles_count(&sums[idles->costs[i].scope[tree]], &idles->costs[i]);
}

void idles_include(const struct idles *idles, enum idles_tree tree, uint32_t thread, struct idles_sums *sums)
{
	idles_exclude(idles, tree, thread, sums);
	for (size_t i = idles->scope_count; i-- > 0;)
		if (idles->scopes[i].parent != IDLES_NO_SCOPE)
			idles_add(&sums[idles->scopes[i].parent], &sums[i]);
}

struct idles_sums idles_total(const struct idles *idles, uint32_t thread)
{
	struct idles_sums total = {0};
	for (size_t i = 0; i < idles->cost_count; i++)
		if (thread == UINT32_MAX || idles->costs[i].thread == thread)
			idles_count(&total, &idles->costs[i]);
	return total;
}

uint64_t idles_effort(const struct idles_sums *sums)
{
	return sums->work_ns + sums->idle_ns + sums->overhead_ns;
}

static double rest_of(const struct run_thread *thread)
{
	double rest = (double)thread->end_ns - (double)thread->start_ns - (double)thread->cpu_ns - (double)thread->wait_ns;
	return rest > 0 ? rest : 0;
}

double idles_rest_ns(const struct run *run)
{
	double all = 0;
	for (size_t i = 0; i < run->thread_count; i++)
		all += rest_of(&run->threads[i]);
	return all;
}

int64_t idles_no_core_ns(const struct run *run, const struct run_thread *thread, double rest_ns)
{
	if (run->wanted_ns < 0)
		return RUN_UNKNOWN;
	return number_whole(rest_of(thread) * (rest_ns > (double)run->wanted_ns ? (double)run->wanted_ns / rest_ns : 1));
}

/* ---- names ---- */

bool idles_is_construct(const char *linkage)
{
	struct pool pool = {0};
	const char *what;
	bool is = names_construct(&pool, linkage, &what) != NULL;
	pool_free(&pool);
	return is;
}

const char *idles_name(struct pool *pool, const struct run *run, uint32_t routine)
{
	const struct run_routine *r = &run->routines[routine];
	const char *what, *function = run_construct(pool, r, &what);
	return function ? pool_print(pool, "%s%s%s", function, *function ? " " : "", what) : r->name;
}

const char *idles_short_name(struct pool *pool, const struct run *run, uint32_t routine)
{
	const struct run_routine *r = &run->routines[routine];
	return names_short(pool, r->shown ? r->shown : idles_name(pool, run, routine), LONG_NAME);
}
