/* SPDX-License-Identifier: MIT */
/* stacks.c: work and span of call sites, for exports. The lens knows sites, not call paths: a path here is a callee with the caller and
 * the line of the site. Local work and local span add up to those of the program. */
#include <string.h>

#include "report/span/view.h"

static const char *unit_of(const struct spans *spans)
{
	static const char *const units[][2] = {{"insn", "instructions"}, {"tsc", "ticks"}, {"ns", "nanoseconds"}};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i][0], spans->clock) == 0)
			return units[i][1];
	return spans->clock;
}

static uint32_t callee_of(const struct spans *spans, struct stacks *s, const struct spans_site *site)
{
	if (site->callee != RUN_NOWHERE)
		return stacks_routine(s, site->callee);
	return stacks_function(s, &(struct stacks_function){spans_callee(spans, site), "", "", 0, RUN_NO_OBJECT});
}

/* The line of the site, if it is in the caller's file. */
static uint32_t line_of(const struct run *run, const struct spans_site *site)
{
	return strcmp(run->routines[site->caller].file, site->file) == 0 ? site->line : 0;
}

static void add_site(const struct spans *spans, bool arcs, struct stacks *s, const struct spans_site *site)
{
	const struct span_sum *work = site->sums[SPANS_ON_WORK], *span = site->sums[SPANS_ON_SPAN];
	const int64_t own[] = {(int64_t)work[SPAN_LOCAL].work, (int64_t)span[SPAN_LOCAL].span, (int64_t)work[SPAN_LOCAL].count};
	uint32_t callee = callee_of(spans, s, site), caller = STACKS_NOWHERE;
	bool has_caller = site->caller != RUN_OUTSIDE;
	if (has_caller && !arcs)
		caller = stacks_call(s, STACKS_NOWHERE, stacks_routine(s, site->caller), line_of(spans->run, site));
	stacks_add(s, &(struct stacks_sample){.node = stacks_call(s, caller, callee, 0), .thread = STACKS_NOWHERE}, own);
	if (has_caller && arcs)
		stacks_arc(s,
		           &(struct stacks_arc){.caller = stacks_routine(s, site->caller),
		                                .callee = callee,
		                                .line = line_of(spans->run, site),
		                                .calls = own[2],
		                                .values = (const int64_t[]){(int64_t)work[SPAN_TOP_SITE].work,
		                                                            (int64_t)span[SPAN_TOP_SITE].span,
		                                                            (int64_t)work[SPAN_TOP_SITE].count}});
}

int view_span_stack(const void *data, bool arcs, struct stacks *s, struct fail *why)
{
	const struct spans *spans = &((const struct span_data *)data)->spans;
	stacks_start(s, spans->run);
	if (view_span_check(data, &(struct view_ask){0}, why) < 0)
		return -1;
	stacks_type(s, "work", unit_of(spans));
	stacks_type(s, "span", unit_of(spans));
	stacks_type(s, "calls", "count");
	for (size_t i = 0; i < spans->site_count; i++)
		add_site(spans, arcs, s, &spans->sites[i]);
	stacks_remark(
		s,
		"The span lens records call sites, not call paths: a stack here is a callee and the site that called it. work and span exclude callees, and add up to those of the program.");
	return 0;
}
