/* SPDX-License-Identifier: MIT */
/* stacks.c: arcs and times of routines of the calls lens, for exports.
 *
 * The lens knows who called whom, and how long, but no paths. So a path here is one routine with its own times, or one arc with its calls
 * and what they took; nothing longer is made up of these, which would be a guess. */
#include <string.h>

#include "report/calls/view.h"

static int64_t measured(int64_t value)
{
	return value == RUN_UNKNOWN ? 0 : value;
}

/* The line of the call, if all that is known of it lies in the caller's file. */
static uint32_t line_of(const struct run *run, const struct calls_arc_row *arc)
{
	const struct run_site *site = run_first_site(run, arc->caller, arc->callee);
	return site && strcmp(site->file, run->routines[arc->caller].file) == 0 ? site->line : 0;
}

static uint32_t node_of(struct stacks *s, uint32_t routine)
{
	return stacks_call(s, STACKS_NOWHERE, stacks_routine(s, routine), 0);
}

static void add_paths(const struct calls *c, struct stacks *s)
{
	for (size_t i = 0; c->has_times && i < c->entry_count; i++) {
		const struct calls_entry *e = &c->entries[i];
		stacks_add(s, &(struct stacks_sample){.node = node_of(s, e->routine), .thread = STACKS_NOWHERE},
		           (const int64_t[]){measured(e->direct_ns), measured(e->wait_ns), 0, 0});
	}
	for (size_t i = 0; i < c->arc_count; i++) {
		const struct calls_arc_row *arc = &c->arcs[i];
		uint32_t caller = STACKS_NOWHERE;
		if (arc->caller != RUN_OUTSIDE)
			caller = stacks_call(s, STACKS_NOWHERE, stacks_routine(s, arc->caller), line_of(c->run, arc));
		const int64_t timed[] = {0, 0, arc->calls, measured(arc->elapsed_ns)}, counted[] = {arc->calls};
		stacks_add(s,
		           &(struct stacks_sample){.node = stacks_call(s, caller, stacks_routine(s, arc->callee), 0),
		                                   .thread = STACKS_NOWHERE},
		           c->has_times ? timed : counted);
	}
}

static int stack_paths(const struct calls *c, struct stacks *s)
{
	if (c->has_times) {
		stacks_type(s, "direct", "nanoseconds");
		stacks_type(s, "wait", "nanoseconds");
	}
	stacks_type(s, "calls", "count");
	if (c->has_times)
		stacks_type(s, "elapsed", "nanoseconds");
	add_paths(c, s);
	stacks_remark(
		s,
		"The calls lens records arcs, not call paths: a stack here is one routine (direct, wait) or one arc (calls, elapsed). elapsed includes callees, so it adds up for no more than one routine.");
	return 0;
}

/* What a routine took itself, and what its callees took for it: the outermost activations, lest a recursion count twice. */
static int stack_arcs(const struct calls *c, struct stacks *s)
{
	if (c->has_times) {
		stacks_type(s, "elapsed", "nanoseconds");
		stacks_type(s, "direct", "nanoseconds");
		stacks_type(s, "wait", "nanoseconds");
	} else {
		stacks_type(s, "calls", "count");
	}
	for (size_t i = 0; c->has_times && i < c->entry_count; i++) {
		int64_t direct = measured(c->entries[i].direct_ns), wait = measured(c->entries[i].wait_ns);
		stacks_add(s, &(struct stacks_sample){.node = node_of(s, c->entries[i].routine), .thread = STACKS_NOWHERE},
		           (const int64_t[]){stacks_sum(direct, wait), direct, wait});
	}
	for (size_t i = 0; i < c->arc_count; i++) {
		const struct calls_arc_row *arc = &c->arcs[i];
		const int64_t timed[] = {measured(arc->outer_ns), 0, 0}, counted[] = {arc->calls};
		if (!c->has_times)
			stacks_add(s, &(struct stacks_sample){.node = node_of(s, arc->callee), .thread = STACKS_NOWHERE}, counted);
		if (arc->caller != RUN_OUTSIDE)
			stacks_arc(s,
			           &(struct stacks_arc){.caller = stacks_routine(s, arc->caller),
			                                .callee = stacks_routine(s, arc->callee),
			                                .line = line_of(c->run, arc),
			                                .calls = arc->calls,
			                                .values = c->has_times ? timed : counted});
	}
	return 0;
}

int view_calls_stack(const void *data, bool arcs, struct stacks *s, struct fail *why)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	(void)why;
	stacks_start(s, c->run);
	return arcs ? stack_arcs(c, s) : stack_paths(c, s);
}
