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
 * of the path to here, with the best child of each unsynced scope set aside in it:
 *
 *     [ path to the spawn | best child since then | path since the spawn ]
 *                         ^l0                     ^l1                    ^end
 *
 * What the paper does to profiles are then moves of `end`: a child that is not the best is cut off, so is the
 * continuation that loses at a sync. Only a best child that is beaten leaves something behind it that has to close up.
 * Cost: constant, amortised. Closing a gap moves the entries behind it if they are not many more than what was cut out,
 * which pays for it, and else marks the gap. When the log comes to its limit, the part of it that belongs to the strand
 * that runs is summed up by site; if that did not halve it the limit moves up by as much. (Regions that meet and have no
 * site in common are summed up each time that they double, so an entry may pay a logarithm of the number of sites.)
 * Space is O(depth x sites), as in Theorem 5.
 * Differs from the paper: no lists, no arrays, no allocation on the way; equal in what it computes (tests/unit/test_span).
 *
 * An invocation keeps its own work in `n`, which hooks hold in a register, and brings it to the lane's clock before it
 * calls what might not come back, and when it ends. Its callees' local figures are what span_leave left in the lane.
 *
 *     struct span_frame f; uint64_t n = 0;
 *     span_enter(&f);
 *     … n += 7;
 *     struct span_call c;
 *     span_call_begin(lane, &c, row, caller_row);   callee();   span_call_end(lane, &c, row, caller_row, key);
 *     span_leave(lane, &f, n);
 *
 * One thread. Memory comes from the caller; need_room asks for more. What is inlined here runs in the subject's code. */
#ifndef SKEIN_CORE_SPAN_H
#define SKEIN_CORE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPAN_INLINE static inline __attribute__((always_inline))
#define SPAN_RARELY(x) __builtin_expect(!!(x), 0)

/* What is measured of a site's invocations (section 6). */
enum span_measure { SPAN_LOCAL, SPAN_TOP_SITE, SPAN_TOP_CALLER, SPAN_MEASURES };

struct span_sum {
	uint64_t count, work, span;
};

/* A site of the program in one lane, with its profile on work. */
struct span_site {
	struct span_sum on_work[SPAN_MEASURES];
	uint32_t open;        /* 1: an invocation of the site is open */
	uint32_t caller_open; /* in the row that stands for a caller: 1: an invocation made by it is open */
	uint64_t timed, ticks; /* of foreign callees: calls whose real time was taken, and that time */
};

/* An entry of the log: so much of one measure of one site. A gap has SPAN_GAP as its key and its length in count. */
#define SPAN_GAP UINT64_MAX
struct span_entry {
	uint64_t key; /* number of the site * SPAN_MEASURES + measure */
	struct span_sum sum;
};

struct span_lane {
	uint64_t clock;   /* the work so far */
	uint64_t offset;  /* clock + offset: the length of the longest path to here, plus 1 so that no position is 0; begins as 1 */
	uint64_t burden;  /* clock + burden: the same of the longest path with its burdens */
	uint64_t end;     /* bytes of the log that are used */
	uint64_t log_number; /* which of the lane's logs, where a log moves to a larger place */
	struct span_entry *log;
	uint64_t limit;   /* end at which the log has to be looked after; SPAN_SLACK bytes below its size */
	uint64_t region;  /* the log from here on belongs to the strand that runs: it may be summed up */
	uint64_t local_work, local_span; /* of the invocation that ended last */
	uint64_t burden_each; /* of a spawn's child and of its continuation */
	uint64_t room;    /* bytes of the log */
	uint32_t *place;  /* scratch: SPAN_MEASURES words a site */
	uint64_t effort;  /* entries that were moved or summed up so far: what is not constant for each event */
	bool (*need_room)(struct span_lane *lane); /* moves the log to a larger place, or returns false and counts the loss */
};

#define SPAN_SLACK (8 * sizeof(struct span_entry))

/* An invocation. */
struct span_frame {
	uint64_t work; /* of its own, already on the lane's clock */
	uint64_t lost; /* of its own, and not on the longest path through it */
	uint64_t outer_work, outer_span; /* local figures that foreign code above it has gathered so far */
};

/* Kept by a call while its callee runs. */
struct span_call {
	uint64_t clock, position;
	uint32_t is_top;
};

/* Where spawns are synced: a function, the body of a parallel loop, a cilk_scope. */
struct span_scope {
	uint64_t best;        /* position at the end of the best child since the last sync; 0: none */
	uint64_t best_burden; /* the same with burdens; need not be the same child */
	uint64_t best_local;  /* the invocation's own path at the spawn of the best child */
	uint64_t l0, l1;
	uint64_t region;      /* of the log, at the first spawn */
	uint64_t due;         /* length of what comes before the best child at which it is summed up */
};

/* Kept by a spawn while its child runs. */
struct span_spawn {
	uint64_t position, burden; /* at the spawn */
	uint64_t local;            /* the invocation's own path at the spawn */
	uint64_t start;            /* of the child's entries */
};

/* The slow halves, in span.c. */
void span_look_after(struct span_lane *lane);
void span_top(struct span_lane *lane, const struct span_call *call, struct span_site *row, struct span_site *caller, uint64_t key);
void span_beat(struct span_lane *lane, struct span_scope *scope, uint64_t start);
void span_close_up(struct span_lane *lane, struct span_scope *scope);

/* The profile on the span of the path to here, added to sums[key] for keys below `keys`. */
void span_on_span(const struct span_entry *log, uint64_t entries, struct span_sum *sums, uint64_t keys);

SPAN_INLINE uint64_t span_position(const struct span_lane *lane, uint64_t n)
{
	return lane->clock + n + lane->offset;
}

SPAN_INLINE void span_enter(struct span_frame *f)
{
	f->work = f->lost = f->outer_work = f->outer_span = 0;
}

/* For what foreign code may call: it finds the local figures of other callees of that code, and adds its own. */
SPAN_INLINE void span_enter_from_outside(const struct span_lane *lane, struct span_frame *f)
{
	f->work = f->lost = 0;
	f->outer_work = lane->local_work;
	f->outer_span = lane->local_span;
}

SPAN_INLINE uint64_t span_bring(struct span_lane *lane, struct span_frame *f, uint64_t n)
{
	lane->clock += n;
	f->work += n;
	return 0; /* the new n */
}

SPAN_INLINE void span_leave(struct span_lane *lane, const struct span_frame *f, uint64_t n)
{
	lane->clock += n;
	lane->local_work = f->outer_work + f->work + n;
	lane->local_span = f->outer_span + f->work + n - f->lost;
}

SPAN_INLINE void span_add(struct span_sum *sum, uint64_t count, uint64_t work, uint64_t span)
{
	sum->count += count;
	sum->work += work;
	sum->span += span;
}

SPAN_INLINE struct span_entry *span_at(const struct span_lane *lane, uint64_t bytes)
{
	return (struct span_entry *)((char *)lane->log + bytes);
}

SPAN_INLINE void span_append(struct span_lane *lane, uint64_t key, uint64_t work, uint64_t span)
{
	uint64_t end = lane->end;
	*span_at(lane, end) = (struct span_entry){key, {1, work, span}};
	lane->end = end + sizeof(struct span_entry);
}

/* A call of a site that can be open more than once: `row` is its own, `caller` the one that stands for all sites of its caller. */
SPAN_INLINE void span_call_begin(struct span_lane *lane, struct span_call *call, struct span_site *row, struct span_site *caller)
{
	call->is_top = 0;
	if (SPAN_RARELY(!(row->open & caller->caller_open))) {
		call->is_top = (uint32_t)(!row->open) | (uint32_t)(!caller->caller_open) << 1;
		row->open = caller->caller_open = 1;
	}
	call->clock = lane->clock;
	call->position = span_position(lane, 0);
	lane->local_work = lane->local_span = 0;
}

SPAN_INLINE void span_call_end(struct span_lane *lane, const struct span_call *call, struct span_site *row, struct span_site *caller, uint64_t key)
{
	uint64_t work = lane->local_work, span = lane->local_span;
	if (SPAN_RARELY(lane->end >= lane->limit))
		span_look_after(lane);
	span_add(&row->on_work[SPAN_LOCAL], 1, work, span);
	span_append(lane, key + SPAN_LOCAL, work, span);
	if (SPAN_RARELY(call->is_top))
		span_top(lane, call, row, caller, key);
}

/* A call of a site that is never open twice, nor is its caller: the measures by top site and by top caller are the same,
 * and only the first is kept. Its entries come in pairs, so that a loop which calls one function adds to the last two. */
SPAN_INLINE void span_once_begin(struct span_lane *lane, struct span_call *call)
{
	call->clock = lane->clock;
	call->position = span_position(lane, 0);
	lane->local_work = lane->local_span = 0;
}

SPAN_INLINE void span_once_end(struct span_lane *lane, const struct span_call *call, struct span_site *row, uint64_t key)
{
	uint64_t local_work = lane->local_work, local_span = lane->local_span;
	uint64_t work = lane->clock - call->clock, span = span_position(lane, 0) - call->position;
	span_add(&row->on_work[SPAN_LOCAL], 1, local_work, local_span);
	span_add(&row->on_work[SPAN_TOP_SITE], 1, work, span);
	struct span_entry *last = span_at(lane, lane->end) - 1;
	if (lane->end > lane->region && last->key == key + SPAN_LOCAL) {
		span_add(&last->sum, 1, local_work, local_span);
		span_add(&last[-1].sum, 1, work, span);
		return;
	}
	if (SPAN_RARELY(lane->end >= lane->limit))
		span_look_after(lane);
	span_append(lane, key + SPAN_TOP_SITE, work, span);
	span_append(lane, key + SPAN_LOCAL, local_work, local_span);
}

SPAN_INLINE void span_scope_begin(struct span_scope *scope)
{
	scope->best = 0;
}

/* The first spawn since a sync closes the region that the scope ran in: its entries are before any child now. Then comes
 * the call of the child, as any call. */
SPAN_INLINE void span_spawn_begin(struct span_lane *lane, const struct span_frame *f, struct span_scope *scope, struct span_spawn *spawn, uint64_t n)
{
	spawn->position = span_position(lane, n);
	spawn->burden = lane->clock + n + lane->burden;
	spawn->local = f->work + n - f->lost;
	spawn->start = lane->end;
	if (!scope->best) {
		scope->region = lane->region;
		scope->due = 0;
	}
	lane->region = lane->end;
}

SPAN_INLINE void span_spawn_end(struct span_lane *lane, struct span_scope *scope, const struct span_spawn *spawn, uint64_t n)
{
	uint64_t clock = lane->clock + n, position = clock + lane->offset, burden = clock + lane->burden + lane->burden_each;
	if (!scope->best) {
		scope->l0 = spawn->start;
		scope->l1 = lane->end;
		scope->best = position;
		scope->best_burden = burden;
		scope->best_local = spawn->local;
	} else {
		if (burden > scope->best_burden)
			scope->best_burden = burden;
		if (position > scope->best) {
			span_beat(lane, scope, spawn->start);
			scope->best = position;
			scope->best_local = spawn->local;
		} else {
			lane->end = spawn->start;
		}
	}
	lane->region = scope->l1;
	lane->offset = spawn->position - clock;
	lane->burden = spawn->burden + lane->burden_each - clock;
}

SPAN_INLINE void span_sync(struct span_lane *lane, struct span_frame *f, struct span_scope *scope, uint64_t n)
{
	if (!scope->best)
		return;
	uint64_t clock = lane->clock + n;
	if (clock + lane->offset > scope->best) {
		if (scope->l0 != scope->l1)
			span_close_up(lane, scope);
	} else {
		lane->end = scope->l1;
		lane->offset = scope->best - clock;
		f->lost = f->work + n - scope->best_local;
	}
	if (clock + lane->burden < scope->best_burden)
		lane->burden = scope->best_burden - clock;
	lane->region = scope->region;
	scope->best = 0;
}

#endif
