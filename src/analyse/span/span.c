/* SPDX-License-Identifier: MIT */
/* span.c: sorts and looks up the sites of the span lens, and computes the speed-up bounds. */
#include "analyse/span/span.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/names.h"
#include "base/text.h"

const char *const spans_kind_names[SPANS_KINDS] = {
#define X(name, text) text,
	SPANS_KIND_LIST(X)
#undef X
};
const char *const spans_profile_names[SPANS_PROFILES] = {[SPANS_ON_WORK] = "work", [SPANS_ON_SPAN] = "span"};
const char *const spans_measure_names[SPAN_MEASURES] = {
	[SPAN_LOCAL] = "local", [SPAN_TOP_SITE] = "top-call-site", [SPAN_TOP_CALLER] = "top-caller"};

enum { SHOWN_TARGETS = 3 }; /* of a site in text, at most */

#define BURDENED_WEIGHT 1.7 /* Cilkscale's factor, from measurements of a work-stealing scheduler */

#define COMPARE(x, y)                              \
	do {                                       \
		if ((x) != (y))                    \
			return (x) < (y) ? -1 : 1; \
	} while (0)

static int identity_order(const void *a, const void *b)
{
	const struct spans_site *x = a, *y = b;
	COMPARE(x->line, y->line);
	COMPARE(x->column, y->column);
	COMPARE(x->caller, y->caller);
	COMPARE(x->callee, y->callee);
	COMPARE(x->kind, y->kind);
	COMPARE(x->foreign, y->foreign);
	COMPARE(x->inlined, y->inlined);
	int order = strcmp(x->file, y->file);
	return order ? order : strcmp(x->callee_name, y->callee_name);
}

static void add_site(struct spans_site *to, const struct spans_site *from)
{
	for (int profile = 0; profile < SPANS_PROFILES; profile++)
		for (int measure = 0; measure < SPAN_MEASURES; measure++) {
			const struct span_sum *sum = &from->sums[profile][measure];
			span_add(&to->sums[profile][measure], sum->count, sum->work, sum->span);
		}
	to->iterations += from->iterations;
	if (from->place && (!to->place || from->place < to->place))
		to->place = from->place;
	if (to->real_ns == SPANS_UNKNOWN)
		to->real_ns = from->real_ns;
	else if (from->real_ns != SPANS_UNKNOWN)
		to->real_ns += from->real_ns;
}

static int by_site_and_routine(const void *a, const void *b)
{
	const struct spans_target *x = a, *y = b;
	COMPARE(x->site, y->site);
	COMPARE(x->routine, y->routine);
	return 0;
}

/* Targets that were not recorded one by one come last. */
static int by_site_and_count(const void *a, const void *b)
{
	const struct spans_target *x = a, *y = b;
	COMPARE(x->site, y->site);
	COMPARE(x->routine == RUN_NOWHERE, y->routine == RUN_NOWHERE);
	COMPARE(y->count, x->count);
	return by_site_and_routine(a, b);
}

static void sort_targets(struct spans *s)
{
	size_t kept = 0;
	if (s->target_count == 0)
		return;
	qsort(s->targets, s->target_count, sizeof *s->targets, by_site_and_routine);
	for (size_t i = 1; i < s->target_count; i++) {
		if (by_site_and_routine(&s->targets[kept], &s->targets[i]) == 0)
			s->targets[kept].count += s->targets[i].count;
		else
			s->targets[++kept] = s->targets[i];
	}
	s->target_count = kept + 1;
	qsort(s->targets, s->target_count, sizeof *s->targets, by_site_and_count);
	for (size_t i = s->target_count; i--;) {
		struct spans_site *site = &s->sites[s->targets[i].site];
		site->first_target = i;
		site->target_count++;
		site->target_calls += s->targets[i].count;
	}
}

void spans_sort(struct spans *s)
{
	if (s->site_count == 0)
		return;
	size_t kept = 0, *place = memory_resize(NULL, s->site_count, sizeof *place);
	for (size_t i = 0; i < s->site_count; i++) {
		s->sites[i].first_target = i; /* until the targets have followed */
		s->sites[i].target_count = s->sites[i].target_calls = 0;
	}
	qsort(s->sites, s->site_count, sizeof *s->sites, identity_order);
	for (size_t i = 0; i < s->site_count; i++) {
		size_t before = s->sites[i].first_target;
		if (i && identity_order(&s->sites[kept], &s->sites[i]) == 0)
			add_site(&s->sites[kept], &s->sites[i]);
		else if (i && ++kept != i)
			s->sites[kept] = s->sites[i];
		place[before] = kept;
	}
	s->site_count = kept + 1;
	for (size_t i = 0; i < s->target_count; i++)
		s->targets[i].site = place[s->targets[i].site];
	free(place);
	sort_targets(s);
}

void spans_free(struct spans *spans)
{
	free(spans->sites);
	free(spans->targets);
	free(spans->what_ifs);
	free(spans->regions);
	pool_free(&spans->pool);
	memset(spans, 0, sizeof *spans);
}

const struct spans_region *spans_find_region(const struct spans *spans, const char *name)
{
	for (size_t i = 0; i < spans->region_count; i++)
		if (strcmp(spans->regions[i].name, name) == 0)
			return &spans->regions[i];
	return NULL;
}

void spans_enter_region(struct spans *spans, const struct spans_region *region)
{
	spans->work = region->work;
	spans->span = region->span;
	spans->burdened_span = region->burdened_span;
	spans->under = region->name;
	spans->under_count = region->count;
	spans->site_count = spans->what_if_count = 0;
}

const char *spans_caller(const struct spans *spans, const struct spans_site *site)
{
	return site->caller == RUN_OUTSIDE ? "(start)" : spans->run->routines[site->caller].name;
}

const char *spans_callee(const struct spans *spans, const struct spans_site *site)
{
	if (site->callee != RUN_NOWHERE)
		return spans->run->routines[site->callee].name;
	return *site->callee_name ? site->callee_name : "(indirect)";
}

const char *spans_shown_caller(const struct spans *spans, const struct spans_site *site)
{
	return site->caller == RUN_OUTSIDE ? "(start)" : run_shown(&spans->run->routines[site->caller]);
}

bool spans_creates_thread(const struct spans_site *site)
{
	return site->kind == SPANS_SPAWN && site->foreign;
}

const char *spans_shown_callee(struct pool *pool, const struct spans *spans, const struct spans_site *site)
{
	const struct run *run = spans->run;
	const char *what;
	if (spans_creates_thread(site) && site->target_count == 1)
		return pool_print(pool, "%s (thread)", spans_shown_target(spans, &spans->targets[site->first_target]));
	if (site->callee != RUN_NOWHERE)
		return run_shown(&run->routines[site->callee]);
	if (names_construct(pool, site->callee_name, &what)) /* called by the runtime library, so no routine of ours is the callee */
		for (size_t i = 1; i < run->routine_count; i++)
			if (strcmp(run->routines[i].name, site->callee_name) == 0)
				return run_shown(&run->routines[i]);
	return *site->callee_name ? names_brief(pool, site->callee_name) : "(indirect)";
}

const char *spans_target(const struct spans *spans, const struct spans_target *target)
{
	return target->routine == RUN_NOWHERE ? "(other)" : spans->run->routines[target->routine].name;
}

const char *spans_shown_target(const struct spans *spans, const struct spans_target *target)
{
	return target->routine == RUN_NOWHERE ? "(other)" : run_shown(&spans->run->routines[target->routine]);
}

const char *spans_shown_targets(struct pool *pool, const struct spans *spans, const struct spans_site *site)
{
	const char *list = "";
	if (spans_creates_thread(site) && site->target_count == 1)
		return "";
	size_t most = site->target_count > SHOWN_TARGETS ? SHOWN_TARGETS - 1 : site->target_count;
	for (size_t i = 0; i < most; i++) {
		const struct spans_target *t = &spans->targets[site->first_target + i];
		list = pool_print(pool, "%s%s%s %s", list, i ? ", " : "", spans_shown_target(spans, t),
		                  text_amount(pool, (int64_t)t->count));
	}
	return most < site->target_count ? pool_print(pool, "%s and %zu more", list, site->target_count - most) : list;
}

enum spans_wait spans_wait(const struct spans_site *site)
{
	static const struct {
		const char *start;
		enum spans_wait wait;
	} known[] = {{"pthread_mutex_lock", SPANS_LOCK},
	             {"pthread_mutex_trylock", SPANS_LOCK},
	             {"pthread_mutex_timedlock", SPANS_LOCK},
	             {"pthread_mutex_clocklock", SPANS_LOCK},
	             {"pthread_rwlock_rdlock", SPANS_LOCK},
	             {"pthread_rwlock_wrlock", SPANS_LOCK},
	             {"pthread_rwlock_try", SPANS_LOCK},
	             {"pthread_rwlock_timed", SPANS_LOCK},
	             {"pthread_rwlock_clock", SPANS_LOCK},
	             {"pthread_spin_lock", SPANS_LOCK},
	             {"pthread_spin_trylock", SPANS_LOCK},
	             {"mtx_lock", SPANS_LOCK},
	             {"mtx_trylock", SPANS_LOCK},
	             {"mtx_timedlock", SPANS_LOCK},
	             {"sem_wait", SPANS_LOCK},
	             {"sem_trywait", SPANS_LOCK},
	             {"sem_timedwait", SPANS_LOCK},
	             {"sem_clockwait", SPANS_LOCK},
	             {"pthread_cond_wait", SPANS_CONDITION},
	             {"pthread_cond_timedwait", SPANS_CONDITION},
	             {"pthread_cond_clockwait", SPANS_CONDITION},
	             {"pthread_barrier_wait", SPANS_CONDITION},
	             {"cnd_wait", SPANS_CONDITION},
	             {"cnd_timedwait", SPANS_CONDITION},
	             {"std::condition_variable::wait", SPANS_CONDITION},
	             {"pthread_join", SPANS_JOIN},
	             {"pthread_timedjoin_np", SPANS_JOIN},
	             {"pthread_clockjoin_np", SPANS_JOIN},
	             {"thrd_join", SPANS_JOIN},
	             {"std::thread::join", SPANS_JOIN}};
	for (size_t i = 0; site->callee == RUN_NOWHERE && i < sizeof known / sizeof *known; i++)
		if (strncmp(site->callee_name, known[i].start, strlen(known[i].start)) == 0)
			return known[i].wait;
	return SPANS_NO_WAIT;
}

bool spans_is_serial(const struct spans *spans)
{
	const uint64_t *events = spans->events;
	return !(events[RAW_SPAN_SPAWNS] || events[RAW_SPAN_TASKS] || events[RAW_SPAN_LOOPS] || events[RAW_SPAN_THREADS]) &&
		spans->work <= spans->span;
}

uint64_t spans_local(const struct spans_site *site)
{
	return site->sums[SPANS_ON_SPAN][SPAN_LOCAL].span;
}

uint64_t spans_calls(const struct spans *spans)
{
	uint64_t calls = 0;
	for (size_t i = 0; i < spans->site_count; i++)
		calls += spans->sites[i].sums[SPANS_ON_WORK][SPAN_LOCAL].count + spans->sites[i].iterations;
	return calls;
}

static int by_local_span(const void *a, const void *b)
{
	const struct spans_site *x = *(const struct spans_site *const *)a, *y = *(const struct spans_site *const *)b;
	COMPARE(spans_local(y), spans_local(x));
	COMPARE(x->place, y->place);
	return identity_order(x, y);
}

const struct spans_site **spans_by_local_span(const struct spans *spans)
{
	const struct spans_site **list = memory_resize(NULL, spans->site_count, sizeof *list);
	for (size_t i = 0; i < spans->site_count; i++)
		list[i] = &spans->sites[i];
	if (spans->site_count)
		qsort(list, spans->site_count, sizeof *list, by_local_span);
	return list;
}

const struct spans_site *spans_largest(const struct spans *spans, size_t n)
{
	if (n >= spans->site_count)
		return NULL;
	const struct spans_site **list = spans_by_local_span(spans), *found = list[n];
	free(list);
	return spans_local(found) ? found : NULL;
}

double spans_ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : NAN;
}

double spans_sum_parallelism(const struct span_sum *sum)
{
	return sum->span <= sum->work ? spans_ratio(sum->work, sum->span) : NAN;
}

/* The parallelism of a program that did nothing at all is 1. */
static double parallelism(uint64_t work, uint64_t span)
{
	return span ? (double)work / (double)span : 1;
}

double spans_parallelism(const struct spans *spans)
{
	return parallelism(spans->work, spans->span);
}

double spans_burdened_parallelism(const struct spans *spans)
{
	return parallelism(spans->work, spans->burdened_span);
}

/* A thread with less of the busiest thread's CPU time waits by design: for a signal, or for something to write. */
#define LEAST_CPU_PCT 1.0

struct spans_waits spans_waits(const struct spans *spans)
{
	struct spans_waits w = {0};
	const struct run *run = spans->run;
	uint64_t *cpu_ns = memory_zeroed(run->worker_count, sizeof *cpu_ns), busiest = 0;
	for (size_t i = 0; i < run->thread_count; i++)
		if (run->threads[i].worker < run->worker_count)
			cpu_ns[run->threads[i].worker] += run->threads[i].cpu_ns;
	for (size_t i = 0; i < run->worker_count; i++)
		busiest = cpu_ns[i] > busiest ? cpu_ns[i] : busiest;
	for (size_t i = 0; i < run->worker_count; i++) {
		const struct run_worker *worker = &run->workers[i];
		if (worker->process != 0 || text_share_of((double)cpu_ns[i], (double)busiest) < LEAST_CPU_PCT)
			continue;
		w.alive_ns += worker->alive_ns - (worker->wait_ns[RAW_WAIT_JOIN] < worker->alive_ns ? worker->wait_ns[RAW_WAIT_JOIN] : 0);
		w.io_ns += worker->wait_ns[RAW_WAIT_IO];
		w.asleep_ns += worker->wait_ns[RAW_WAIT_SLEEP];
		for (int kind = 0; kind < RAW_WAIT_KINDS; kind++)
			if (raw_wait_is_for_threads((enum raw_wait)kind) && kind != RAW_WAIT_JOIN) {
				w.by_kind[kind] += worker->wait_ns[kind];
				w.waited_ns += worker->wait_ns[kind];
			}
	}
	free(cpu_ns);
	w.percent = text_share_of((double)w.waited_ns, (double)w.alive_ns);
	return w;
}

void spans_modelled(const struct spans *spans, double *work, double *span)
{
	uint64_t on_work = 0, on_span = 0;
	for (size_t i = 0; i < spans->site_count && strcmp(spans->clock, "insn") == 0; i++) {
		const struct spans_site *site = &spans->sites[i];
		if (!site->foreign || spans_creates_thread(site)) /* a create has the own work of its thread */
			continue;
		on_work += site->sums[SPANS_ON_WORK][SPAN_LOCAL].work;
		on_span += spans_local(site);
	}
	*work = text_share_of((double)on_work, (double)spans->work);
	*span = text_share_of((double)on_span, (double)spans->span);
}

double spans_bound(const struct spans *spans, enum spans_bound bound, double cores)
{
	double work = (double)spans->work, span = (double)spans->span, rest = 1 - 1 / cores;
	if (!spans->work || !spans->span)
		return 1;
	switch (bound) {
	case SPANS_LINEAR: return cores;
	case SPANS_SPAN: return work / span;
	case SPANS_GREEDY: return work / (work / cores + span * rest);
	default: return work / (work / cores + BURDENED_WEIGHT * (double)spans->burdened_span * rest);
	}
}

double spans_gain(const struct spans *spans, double work, double span, double cores)
{
	double time = cores > 0 ? fmax(work / cores, span) : span;
	return time > 0 ? (double)spans->work / time : NAN;
}
