/* SPDX-License-Identifier: MIT */
/* way.h: how a strand came to where it is: the longest path to it, as stretches of work in one strand after another.
 *
 * Problem: the critical path is known only at the end, and a trace has too many events to be kept until then.
 * Idea: each strand holds the last stretch of the longest path to it; each stretch holds the one before it, of the strand that it
 * had to wait for. Stretches that lead to no living strand and to no release that a strand may still take are counted out and
 * given back at once. What stays is a tree whose root is the beginning of the run.
 * A path of many short stretches would still take as much memory as it has stretches: where there are too many, the short ones are summed
 * up by strand (flow_way_thin). Then `ends` is where the stretch before ended, and what was summed up lies between that and `at`.
 * Cost: constant for each event that had to wait for another, amortised.
 *
 *     for (const struct flow_way *w = strand->way; w; w = w->before)       from the end of the run to its beginning
 *             …w->strand was critical from position w->at on, since w->kind of w->object… */
#ifndef SKEIN_CORE_FLOW_WAY_H
#define SKEIN_CORE_FLOW_WAY_H

#include <stdint.h>
#include "core/flow/flow.h"

/* Stretches of one strand that were summed up. */
struct flow_bundle {
	struct flow_bundle *next;
	uint64_t ticks, outside, count;
	uint32_t strand; /* UINT32_MAX: of several, when there are too many */
};

struct flow_way {
	struct flow_way *before; /* NULL: this is the beginning */
	struct flow_bundle *bundles;
	uint64_t references;
	uint64_t turn;          /* of flow_way_thin: it was here */
	uint64_t ends;          /* position at which the stretch before it ends */
	uint64_t at;            /* position at which the stretch begins, in the run of question 0 */
	uint64_t time;          /* recorded time of the event with which it begins */
	uint64_t event, sender; /* numbers of that event, and of the one that it had to wait for, or FLOW_NONE */
	uint64_t sender_time;   /* recorded */
	/* marks of that event, and of the one with which the stretch before ended: the sender, unless stretches were summed up */
	uint64_t mark, sender_mark;
	/* how long the strand had waited for things outside of the run when the stretch began, and that strand when the stretch before ended */
	uint64_t outside, sender_outside;
	uint32_t strand;
	uint32_t object; /* of that event */
	enum flow_kind kind;
};

/* Each holder of a way has counted it. */
void flow_way_hold(struct flow *f, struct flow_way **holder, struct flow_way *way); /* in place of what it held; NULL: nothing */
/* The strand's way goes on behind that of `from` from here: the event had to wait for what happened there. NULL: the run begins here. */
void flow_way_turn(struct flow *f, struct flow_strand *s, const struct flow_event *e, const struct flow_point *from);

/* Sums up what is shorter than `least` of all ways that lead to one, as far as no other way leads there. All ways that are held must be told
 * with the same `turn`, a new one each time. */
void flow_way_thin(struct flow *f, struct flow_way *way, uint64_t least, uint64_t turn);

#endif
