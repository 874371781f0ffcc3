/* SPDX-License-Identifier: MIT */
/* span.h: work and span of a serial run of a fork-join program, and of every call site in it: Cilkprof.
 *
 * Problem: the span of each invocation, and which invocations lie on the critical path, must come out of one serial run
 * in constant time for each event (Schardl et al., SPAA'15). Figure 3 of the paper keeps four variables a frame, each
 * with a profile that is cleared, assigned and united as the variables are; section 5 makes that cheap with a structure
 * that is part list, part array.
 * Idea: the work is a clock that only grows. The position on the longest path to here is that clock plus an offset: a
 * spawn notes the position, its end puts it back, a sync takes the larger of it and the best child's. Profiles on work
 * are sums that nobody ever takes back. The profile on the span is a *log*: one stack of entries that holds the profile
 * of the path to here, with the best child of each unsynced frame set aside in it:
 *
 *     [ path to the spawn | best child since then | path since the spawn ]
 *                         ^l0                     ^l1                    ^end
 *
 * What the paper does to profiles are then moves of `end`: a child that is not the best is cut off, so is the
 * continuation that loses at a sync. Only a best child that is beaten leaves something behind it that has to close up.
 * Cost: constant, amortised. Closing a gap moves the entries behind it if they are not many more than what was cut out,
 * which pays for it, and else marks the gap. A region of the log that has grown to twice what its last summing up left is
 * summed up by site again. (Regions that meet and have no site in common are summed up each time that they double, so an
 * entry may pay a logarithm of the number of sites.) Space is O(depth x sites), as in Theorem 5.
 * Differs from the paper: no lists, no arrays, no allocation on the way; equal in what it computes (tests/unit/test_span).
 *
 * One thread. Memory comes from the caller; span_need_room asks for more. */
#ifndef SKEIN_CORE_SPAN_H
#define SKEIN_CORE_SPAN_H

#include <stdbool.h>
#include <stdint.h>

/* What is measured of a site's invocations (section 6). */
enum span_measure { SPAN_LOCAL, SPAN_TOP_SITE, SPAN_TOP_CALLER, SPAN_MEASURES };

struct span_sum {
	uint64_t count, work, span;
};

/* A site of the program, with its profile on work. */
struct span_site {
	struct span_sum on_work[SPAN_MEASURES];
};

/* An entry of the log: so much of one measure of one site. A gap has SPAN_GAP as its key and its length in count. */
#define SPAN_GAP UINT64_MAX
struct span_entry {
	uint64_t key; /* site * SPAN_MEASURES + measure */
	struct span_sum sum;
};

struct span_lane {
	uint64_t clock;   /* the work so far */
	uint64_t offset;  /* clock + offset: the length of the longest path to here, plus 1 so that no position is 0; begins as 1 */
	uint64_t child_work, child_span; /* of the current invocation's callees: all of them; those on the longest path to here */
	struct span_entry *log;
	uint64_t end, room;       /* entries used, entries there */
	uint64_t region;          /* the log from here on belongs to the strand that runs: it may be summed up */
	uint64_t due;             /* length of the region at which it should be */
	struct span_site *sites;
	uint32_t *site_depth;     /* open invocations of each site */
	uint32_t *caller_depth;   /* open invocations made by each function */
	uint32_t *place;          /* scratch: SPAN_MEASURES words a site */
	uint64_t effort;          /* entries that were moved or summed up so far: what is not constant for each event */
	/* Moves the log to a larger place, or returns false. Called when it is full. */
	bool (*need_room)(struct span_lane *lane);
};

/* Kept by a call while its callee runs. */
struct span_call {
	uint64_t clock, position, child_work, child_span;
	bool is_top_site, is_top_caller;
};

/* Kept by a function that spawns. All zero but for what span_function sets. */
struct span_function {
	uint64_t best;        /* position at the end of the best child since the last sync; 0: none */
	uint64_t best_child_span;
	uint64_t best_due;    /* of its part of the log */
	uint64_t l0, l1;
	uint64_t region, due; /* of the log, as the function found them */
};

/* Kept by a spawn while its child runs. */
struct span_spawn {
	struct span_call call;
	uint64_t start; /* of the child's entries */
	uint64_t due;   /* of the region that the spawn interrupts */
};

static inline uint64_t span_position(const struct span_lane *lane)
{
	return lane->clock + lane->offset;
}

void span_call_begin(struct span_lane *lane, struct span_call *call, uint32_t site, uint32_t caller);
void span_call_end(struct span_lane *lane, struct span_call *call, uint32_t site, uint32_t caller);
void span_function_begin(struct span_lane *lane, struct span_function *function);
void span_spawn_begin(struct span_lane *lane, struct span_function *function, struct span_spawn *spawn, uint32_t site, uint32_t caller);
void span_spawn_end(struct span_lane *lane, struct span_function *function, struct span_spawn *spawn, uint32_t site, uint32_t caller);
void span_sync(struct span_lane *lane, struct span_function *function);

/* The profile on the span of the path to here, added to sums[site * SPAN_MEASURES + measure]. */
void span_on_span(const struct span_lane *lane, struct span_sum *sums);

#endif
