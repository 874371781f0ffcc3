/* SPDX-License-Identifier: MIT */
#include "analyse/span/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyse/opening.h"
#include "base/strv.h"
#include "base/text.h"

double spans_site_parallelism(const struct spans_site *site)
{
	const struct span_sum *on_span = &site->sums[SPANS_ON_SPAN][SPAN_TOP_SITE], *on_work = &site->sums[SPANS_ON_WORK][SPAN_TOP_SITE];
	return spans_sum_parallelism(on_span->span ? on_span : on_work);
}

/* 5.6, 256, 1545727: as many digits as mean something. */
static const char *ratio(struct findings *to, double value)
{
	return pool_print(&to->pool, value < 100 ? "%.1f" : "%.0f", value);
}

/* The callee or, where calls go through a pointer, the most frequent one. */
static const char *name_of(struct findings *to, const struct spans *spans, const struct spans_site *site)
{
	if (!site->target_count)
		return spans_shown_callee(&to->pool, spans, site);
	const char *first = spans_shown_target(spans, &spans->targets[site->first_target]);
	return site->target_count == 1 ? first : pool_print(&to->pool, "%s and %zu more", first, site->target_count - 1);
}

/* "partition, called at sort.c:20:9 by pqsort", "main, where the program starts". */
static const char *describe(struct findings *to, const struct spans *spans, const struct spans_site *site)
{
	const char *name = name_of(to, spans, site), *verb = site->kind == SPANS_SPAWN ? "spawned" : "called";
	if (site->target_count)
		verb = pool_print(&to->pool, "%s through a pointer", verb);
	if (site->caller == RUN_OUTSIDE)
		return pool_print(&to->pool, "%s itself, where the program or a thread starts,", name);
	if (site->kind == SPANS_LOOP)
		verb = "a parallel loop";
	if (!*site->file || !site->line)
		return pool_print(&to->pool, "%s, %s by %s,", name, verb, spans_shown_caller(spans, site));
	return pool_print(&to->pool, "%s, %s at %s:%u by %s,", name, verb, str_base(site->file), site->line,
	                  spans_shown_caller(spans, site));
}

/* ---- findings ---- */

static bool is_ample(const struct spans *s)
{
	return spans_parallelism(s) >= SPANS_AMPLE * (double)s->cores;
}

static void judge_parallelism(const struct spans *s, struct findings *verdict)
{
	double p = spans_parallelism(s), cores = (double)s->cores;
	const char *whose = *s->under ? pool_print(&verdict->pool, "Under %s the", s->under) : "The", *is = ratio(verdict, p);
	const char *machine = pool_print(&verdict->pool, "%s%.0f core%s%s", s->other_machine ? "" : "the ", cores, s->cores == 1 ? "" : "s",
	                                 s->other_machine ? "" : " of this machine");
	if (is_ample(s))
		findings_add(
			verdict,
			"%s parallelism is %s, ample for %s (ample is %d for each core): a good scheduler comes close to linear speed-up.",
			whose, is, machine, SPANS_AMPLE);
	else if (p >= cores)
		findings_add(
			verdict,
			"%s parallelism is %s, enough for %s but not ample (%.0f would be): part of it will be lost to scheduling, and more cores will not help for long.",
			whose, is, machine, SPANS_AMPLE * cores);
	else
		findings_add(verdict,
		             "%s parallelism is %s: %s cannot use %s. On any number of cores it runs at most %s times as fast as on one.",
		             whose, is, *s->under ? "it" : "the program", machine, is);
}

static void judge_site(const struct spans *s, const struct spans_site *site, struct findings *verdict)
{
	double own = spans_site_parallelism(site);
	const char *nature = "";
	if (own < SPANS_SERIAL)
		nature = is_ample(s) ? "; it is serial" : "; it is serial: make it parallel, or do less there";
	else if (isfinite(own))
		nature = pool_print(&verdict->pool, "; with all that it calls it has a parallelism of %s", ratio(verdict, own));
	findings_add(verdict, "%s has the largest part of the span%s in itself, %s%s.", describe(verdict, s, site),
	             *s->under ? pool_print(&verdict->pool, " of %s", s->under) : "",
	             text_share(&verdict->pool, (double)spans_local(site), (double)s->span), nature);
}

static void judge_burden(const struct spans *s, struct findings *verdict)
{
	double p = spans_parallelism(s), burdened = spans_burdened_parallelism(s);
	if (burdened < SPANS_BURDENED_SHARE * p)
		findings_add(
			verdict,
			"The grain is too fine: with a cost of %llu for each spawn and each continuation the parallelism is %s instead of %s. Spawn larger pieces.",
			(unsigned long long)s->burden, ratio(verdict, burdened), ratio(verdict, p));
}

/* Where the parallelism is ample already, a repair brings nothing worth a sentence. */
static void judge_repair(const struct spans *s, const struct spans_site *site, struct findings *verdict)
{
	double left = (double)s->span - (double)spans_local(site), cores = (double)s->cores;
	double now = spans_gain(s, (double)s->work, (double)s->span, cores), then = spans_gain(s, (double)s->work, left, cores);
	const char *name = name_of(verdict, s, site);
	if (is_ample(s))
		return;
	if (left <= 0)
		findings_add(verdict, "Made perfectly parallel, %s would leave no span at all, unless another path becomes critical.",
		             name);
	else
		findings_add(
			verdict,
			"Made perfectly parallel, %s would raise the parallelism to %s at most%s; another path may become critical before (--view what-if).",
			name, ratio(verdict, (double)s->work / left),
			then > 1.01 * now ? pool_print(&verdict->pool, ", and the bound on the speed-up on these cores from %s to %s",
		                                       ratio(verdict, now), ratio(verdict, then))
					  : "");
}

/* What a lack of cores does to work and span. Clocks but the cycle counter stop while a thread has no core. */
static const char *trust(const struct spans *s)
{
	if (strcmp(s->clock, "tsc") == 0)
		return "Work and span include that time, and so the parallelism is a guess: use --clock insn.";
	return "Work and span do not include that time.";
}

void spans_judge(const struct spans *s, struct findings *verdict, struct findings *caveats)
{
	opening_add(s->run, trust(s), verdict);
	const struct spans_site *largest = spans_largest(s, 0);
	if (s->work == 0)
		findings_add(verdict,
		             *s->under ? "Nothing ran under %s: it was not called, or no site has that name."
		                       : "No work of profiled code was recorded%s.",
		             s->under);
	else if (spans_is_serial(s)) {
		if (*s->under)
			findings_add(verdict, "Under %s there is no spawn, task, parallel loop or thread: its parallelism is 1.", s->under);
		else
			findings_add(
				verdict,
				"The program has no spawn, task, parallel loop or thread: its parallelism is 1. Use `skein record calls` to see where its time goes.");
		if (largest)
			findings_add(verdict, "%s has the largest part of the work in itself, %s.", describe(verdict, s, largest),
			             text_share(&verdict->pool, (double)spans_local(largest), (double)s->span));
	} else {
		judge_parallelism(s, verdict);
		if (largest)
			judge_site(s, largest, verdict);
		judge_burden(s, verdict);
		if (largest)
			judge_repair(s, largest, verdict);
	}
	spans_doubt(s, caveats);
}
