/* SPDX-License-Identifier: MIT */
/* span.h: work and span of a serial run of a fork-join program, and of every call site in it: Cilkprof.
 *
 * Problem: the span of each invocation, and which invocations lie on the critical path, must come out of one serial run
 * in constant time for each event (Schardl et al., SPAA'15). Figure 3 of the paper keeps four variables per frame,
 * each with a profile that is cleared, assigned and united with the variable; section 5 makes that cheap with a
 * structure that is part list, part array.
 * Idea: an invocation counts its own work in `n`, which hooks hold in a register, and adds up in local variables the
 * figures that its callees leave in the lane: work, span and burdened span, each relative to their own start. A
 * spawned child ends at the position of its spawn plus its span; a sync takes the larger of the current position and
 * the best child's end. So no variable is read and written by every invocation in turn, and a processor can overlap
 * many. Profiles on work are sums that only grow. The profile on the span is a *log*: one stack of entries that
 * holds the profile of the path to here, with the best child of each unsynced scope set aside in it:
 *
 *     [ path to the spawn | best child since then | path since the spawn ]
 *                         ^l0                     ^l1                    ^end
 *
 * The paper's operations on profiles then move `end`: a child that is not the best is cut off, and so is the
 * continuation that loses at a sync. Only a best child that is beaten leaves a gap.
 * Cost: constant, amortised. Closing a gap moves the entries behind it if they are not many more than what was cut out,
 * which pays for it, and else marks the gap. When the log reaches its limit, the part of the running strand is
 * summed up by site; if that does not halve the part, the limit rises by as much. (Regions that meet and have no
 * site in common are summed up each time that they double, so an entry may pay a logarithm of the number of sites.)
 * Space is O(depth x sites), as in Theorem 5.
 * Differs from the paper: no lists, no arrays, no allocation; the results are equal (tests/unit/span).
 *
 *     struct span_frame f; uint64_t n = 0;
 *     span_enter(&f);
 *     … n += 7;
 *     uint32_t top = span_call_begin(row, rows, 3, key);
 *     callee();
 *     span_call_end(lane, top, row, rows, 3, key);
 *     span_take(lane, &f);
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

/* The measures of a site's invocations (section 6). */
enum span_measure { SPAN_LOCAL, SPAN_TOP_SITE, SPAN_TOP_CALLER, SPAN_MEASURES };

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded" /* rows of recordings */
struct span_sum {
	uint64_t count, work, span;
};

/* A site of the program in one lane, with its profile on work. */
struct span_site {
	struct span_sum on_work[SPAN_MEASURES];
	uint64_t key;  /* key of the site in a log, once the site was called; see struct span_entry */
	uint32_t open; /* 1: an invocation of the site is open; 2: one by the same caller is open */
	uint32_t unused;
	uint64_t ticks; /* real time of each SPAN_TIMED_EACH-th call of a foreign callee, from the first on; of a loop: its iterations */
};
#define SPAN_TIMED_EACH 64

/* An entry of the log: a sum of one measure of one site. A gap has SPAN_GAP as its key and its length in count. */
#define SPAN_GAP UINT64_MAX
struct span_entry {
	uint64_t key; /* number of the site * SPAN_MEASURES + measure */
	struct span_sum sum;
};

/* The part of a lane that a recording keeps. */
struct span_kept {
	uint64_t work, span, burdened_span; /* of everything in the lane; set at its end */
	uint64_t end;                       /* bytes of the log that are used */
	uint64_t log_number;                /* number of the lane's current log: a log that moves to a larger place gets a new one */
};
#pragma GCC diagnostic pop

struct span_figures {
	uint64_t work, span, burdened_span; /* figures of an invocation with its callees */
	uint64_t local_work, local_span;    /* without callees; local_span is on the longest path through the invocation */
};

struct span_lane {
	struct span_kept kept;    /* must be the first member */
	struct span_figures left; /* figures of the invocation that returned last */
	struct span_site *row;    /* row of the calling site, for callees that measure themselves */
	struct span_entry *log;
	uint64_t limit;                            /* end at which span_look_after is called; SPAN_SLACK bytes below the log's size */
	uint64_t region;                           /* the log from here on belongs to the running strand and may be summed up */
	uint64_t burden;                           /* cost of a spawn, for the child and for the continuation */
	uint64_t room;                             /* bytes of the log */
	uint32_t *place;                           /* scratch: SPAN_MEASURES words per site; NULL: the lane is lost, see span_is_lost */
	size_t place_bytes;                        /* of it that can be touched: sites beyond are not summed up */
	uint64_t tidy_at;                          /* length of a region at which span_come_back sums it up */
	uint64_t effort;                           /* entries moved or summed up so far: the cost that is not constant per event */
	bool (*need_room)(struct span_lane *lane); /* moves the log to a larger place, or returns false and counts the loss */
};

/* A lane that is never read, of a thread that cannot be recorded. Its log has fewer entries than are ever summed up. */
SPAN_INLINE bool span_is_lost(const struct span_lane *lane)
{
	return !lane->place;
}

#define SPAN_SLACK (8 * sizeof(struct span_entry))

/* An invocation. With its own work n, its work is n + work, and the longest path from its start to here n + span; these may
 * be below zero, as two's complement. */
struct span_frame {
	uint64_t work, span, burdened_span;
	uint64_t lost; /* the part of its own work that is not on that path */
};

/* Where spawns are synced: a function, the body of a parallel loop, a cilk_scope. */
struct span_scope {
	int64_t best;           /* position at the end of the best child since the last sync; below 0: none */
	uint64_t best_burdened; /* the same with burdens; may be another child */
	uint64_t best_local;    /* the invocation's own path at the spawn of the best child */
	uint64_t l0, l1;
	uint64_t region; /* region of the log at the first spawn */
	uint64_t due;    /* length of the part before the best child at which that part is summed up */
};

/* The slow paths, in span.c. Inlined code in other objects calls them, by names that a subject does not have. */
#pragma redefine_extname span_look_after skein_span_look_after
#pragma redefine_extname span_tidy skein_span_tidy
#pragma redefine_extname span_open skein_span_open
#pragma redefine_extname span_close skein_span_close
#pragma redefine_extname span_beat skein_span_beat
#pragma redefine_extname span_close_up skein_span_close_up
#define SPAN_SLOW __attribute__((visibility("default")))
SPAN_SLOW void span_look_after(struct span_lane *lane);
SPAN_SLOW void span_tidy(struct span_lane *lane);
SPAN_SLOW uint32_t span_open(struct span_site *row, struct span_site *callers, uint32_t count, uint64_t key);
SPAN_SLOW void span_close(struct span_lane *lane, uint32_t top, struct span_site *row, struct span_site *callers, uint32_t count,
                          uint64_t key);
SPAN_SLOW void span_beat(struct span_lane *lane, struct span_scope *scope, uint64_t start);
SPAN_SLOW void span_close_up(struct span_lane *lane, uint64_t l0, uint64_t l1);

/* The profile on the span of the path to here, added to sums[key] for keys below `keys`. */
void span_on_span(const struct span_entry *log, uint64_t entries, struct span_sum *sums, uint64_t keys);

SPAN_INLINE void span_enter(struct span_frame *f)
{
	*f = (struct span_frame){0};
}

/* The longest path through the invocation to here. */
SPAN_INLINE uint64_t span_position(const struct span_frame *f, uint64_t n)
{
	return n + f->span;
}

SPAN_INLINE void span_leave(struct span_lane *lane, const struct span_frame *f, uint64_t n)
{
	lane->left = (struct span_figures){n + f->work, n + f->span, n + f->burdened_span, n, n - f->lost};
}

/* For routines that foreign code may call: the lane already has the figures of routines that the foreign code called
 * before, and this one adds its own. */
SPAN_INLINE void span_leave_to_outside(struct span_lane *lane, const struct span_frame *f, const struct span_figures *outer, uint64_t n)
{
	lane->left =
		(struct span_figures){outer->work + n + f->work, outer->span + n + f->span, outer->burdened_span + n + f->burdened_span,
	                              outer->local_work + n, outer->local_span + n - f->lost};
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

/* Word by word, so that the compiler knows that the entry is not part of the lane. */
SPAN_INLINE void span_write(struct span_entry *e, uint64_t key, uint64_t work, uint64_t span)
{
	e->key = key;
	e->sum.count = 1;
	e->sum.work = work;
	e->sum.span = span;
}

SPAN_INLINE void span_append(struct span_lane *lane, uint64_t key, uint64_t work, uint64_t span)
{
	uint64_t end = lane->kept.end;
	span_write(span_at(lane, end), key, work, span);
	lane->kept.end = end + sizeof(struct span_entry);
}

/* Adds the figures of a call that was not spawned to its caller. */
SPAN_INLINE void span_take(const struct span_lane *lane, struct span_frame *f)
{
	f->work += lane->left.work;
	f->span += lane->left.span;
	f->burdened_span += lane->left.burdened_span;
}

/* A call of a site that can be open more than once: `row` is the site's row, `callers` are the `count` rows of all
 * sites of its caller. Returns whether it is the topmost call of its site (1), and by its caller (2). */
SPAN_INLINE uint32_t span_call_begin(struct span_site *row, struct span_site *callers, uint32_t count, uint64_t key)
{
	return SPAN_RARELY(row->open != 3) ? span_open(row, callers, count, key) : 0;
}

SPAN_INLINE void span_call_end(struct span_lane *lane, uint32_t top, struct span_site *row, struct span_site *callers, uint32_t count,
                               uint64_t key)
{
	uint64_t work = lane->left.local_work, span = lane->left.local_span;
	if (SPAN_RARELY(lane->kept.end >= lane->limit))
		span_look_after(lane);
	span_add(&row->on_work[SPAN_LOCAL], 1, work, span);
	span_append(lane, key + SPAN_LOCAL, work, span);
	if (SPAN_RARELY(top))
		span_close(lane, top, row, callers, count, key);
}

/* A call of a site that is never open twice, and whose caller is never open twice: the measures by top site and by
 * top caller are the same, and only the first is kept. Its entries come in pairs, so that a loop which calls one
 * function adds to the last two. */
SPAN_INLINE void span_once_end(struct span_lane *lane, struct span_site *row, uint64_t key)
{
	struct span_figures left = lane->left;
	span_add(&row->on_work[SPAN_LOCAL], 1, left.local_work, left.local_span);
	span_add(&row->on_work[SPAN_TOP_SITE], 1, left.work, left.span);
	struct span_entry *last = span_at(lane, lane->kept.end) - 1;
	if (lane->kept.end > lane->region && last->key == key + SPAN_LOCAL) {
		span_add(&last->sum, 1, left.local_work, left.local_span);
		span_add(&last[-1].sum, 1, left.work, left.span);
		return;
	}
	if (SPAN_RARELY(lane->kept.end >= lane->limit))
		span_look_after(lane);
	span_append(lane, key + SPAN_TOP_SITE, left.work, left.span);
	span_append(lane, key + SPAN_LOCAL, left.local_work, left.local_span);
}

/* The other way to measure: the callee records its own figures when it leaves. lane->row names the site; the caller
 * sets it last before the call, and the callee reads it first. Fewer words go through memory, and a callee that
 * calls nothing has nothing to check: its caller does span_check. */
SPAN_INLINE void span_leave_measured(struct span_lane *lane, const struct span_frame *f, struct span_site *row, uint64_t n)
{
	uint64_t end = lane->kept.end; /* below the limit: the caller has called span_check after each earlier call */
	span_add(&row->on_work[SPAN_LOCAL], 1, n, n - f->lost);
	span_write(span_at(lane, end), row->key, n, n - f->lost);
	lane->kept.end = end + sizeof(struct span_entry);
	lane->left.work = n + f->work;
	lane->left.span = n + f->span;
	lane->left.burdened_span = n + f->burdened_span;
}

/* span_leave_measured for a callee that calls nothing: all its figures are local. A callee in a loop adds to its
 * last entry. */
SPAN_INLINE void span_leave_leaf(struct span_lane *lane, struct span_site *row, uint64_t n)
{
	uint64_t end = lane->kept.end;
	struct span_entry *e = span_at(lane, end);
	span_add(&row->on_work[SPAN_LOCAL], 1, n, n);
	if (end > lane->region && e[-1].key == row->key) {
		span_add(&e[-1].sum, 1, n, n);
	} else {
		span_write(e, row->key, n, n);
		lane->kept.end = end + sizeof *e;
	}
	lane->left.work = n; /* one figure stands for all three: see span_take_leaf and span_spread */
}

SPAN_INLINE void span_take_leaf(const struct span_lane *lane, struct span_frame *f)
{
	uint64_t n = lane->left.work;
	f->work += n;
	f->span += n;
	f->burdened_span += n;
}

/* Sets all figures of a leaf; call this before span_spawn_end. */
SPAN_INLINE void span_spread(struct span_lane *lane)
{
	lane->left.span = lane->left.burdened_span = lane->left.work;
}

SPAN_INLINE void span_once_begin(struct span_site *row, uint64_t key)
{
	if (SPAN_RARELY(!row->open)) {
		row->open = 3;
		row->key = key;
	}
}

SPAN_INLINE void span_check(struct span_lane *lane)
{
	if (SPAN_RARELY(lane->kept.end >= lane->limit))
		span_look_after(lane);
}

/* The caller's part for a callee that measures itself, if the site is never open twice: the pair of entries is in
 * the other order. */
SPAN_INLINE void span_once_measured(struct span_lane *lane, struct span_site *row, uint64_t key)
{
	uint64_t work = lane->left.work, span = lane->left.span;
	span_add(&row->on_work[SPAN_TOP_SITE], 1, work, span);
	struct span_entry *e = span_at(lane, lane->kept.end) - 1; /* the callee's entry, at least */
	if (lane->kept.end >= lane->region + 3 * sizeof *e && e[-1].key == key + SPAN_TOP_SITE && e[-2].key == key + SPAN_LOCAL) {
		span_add(&e[-2].sum, 1, e->sum.work, e->sum.span);
		span_add(&e[-1].sum, 1, work, span);
		lane->kept.end -= sizeof *e;
	} else {
		span_append(lane, key + SPAN_TOP_SITE, work, span);
		span_check(lane);
	}
}

SPAN_INLINE void span_scope_begin(struct span_scope *scope)
{
	scope->best = -1;
}

/* Call this before a spawned child; returns where the child's entries start. The first spawn since a sync closes the
 * region of the scope: its entries are now before any child. */
SPAN_INLINE uint64_t span_spawn_begin(struct span_lane *lane, struct span_scope *scope)
{
	uint64_t start = lane->kept.end;
	if (scope->best < 0) {
		scope->region = lane->region;
		scope->due = 0;
	}
	lane->region = start;
	return start;
}

/* Call this after the spawned child, and after span_call_end. */
SPAN_INLINE void span_spawn_end(struct span_lane *lane, struct span_frame *f, struct span_scope *scope, uint64_t start, uint64_t n)
{
	int64_t position = (int64_t)(n + f->span + lane->left.span);
	uint64_t burdened = n + f->burdened_span + lane->left.burdened_span + lane->burden;
	f->work += lane->left.work;
	f->burdened_span += lane->burden;
	if (scope->best < 0) {
		scope->l0 = start;
		scope->l1 = lane->kept.end;
		scope->best = position;
		scope->best_burdened = burdened;
		scope->best_local = n - f->lost;
	} else {
		if (burdened > scope->best_burdened)
			scope->best_burdened = burdened;
		if (position > scope->best) {
			struct span_scope copy = *scope; /* a copy, so that the scope itself can stay in registers */
			span_beat(lane, &copy, start);
			*scope = copy;
			scope->best = position;
			scope->best_local = n - f->lost;
		} else {
			lane->kept.end = start;
		}
	}
	lane->region = scope->l1;
}

/* Returns to a region whose children raised the limit, since they could not sum it up. */
SPAN_INLINE void span_come_back(struct span_lane *lane, uint64_t region)
{
	lane->region = region;
	if (SPAN_RARELY(lane->kept.end - region > lane->tidy_at))
		span_tidy(lane);
}

SPAN_INLINE void span_sync(struct span_lane *lane, struct span_frame *f, struct span_scope *scope, uint64_t n)
{
	if (scope->best < 0)
		return;
	if ((int64_t)(n + f->span) > scope->best) {
		if (lane->kept.end - scope->l1 == sizeof(struct span_entry)) { /* one entry to move: the child was nearly a leaf */
			const struct span_entry *e = span_at(lane, scope->l1);
			span_write(span_at(lane, scope->l0), e->key, e->sum.work, e->sum.span);
			span_at(lane, scope->l0)->sum.count = e->sum.count;
			lane->kept.end = scope->l0 + sizeof *e;
		} else if (scope->l0 != scope->l1) {
			span_close_up(lane, scope->l0, scope->l1);
		}
	} else {
		lane->kept.end = scope->l1;
		f->span = (uint64_t)scope->best - n;
		f->lost = n - scope->best_local;
	}
	if (n + f->burdened_span < scope->best_burdened)
		f->burdened_span = scope->best_burdened - n;
	scope->best = -1;
	span_come_back(lane, scope->region);
}

/* A parallel loop: an invocation that has no work of its own but its iterations, each a child of its start. An iteration's own
 * work counts as the loop's. */
struct span_loop {
	struct span_scope scope; /* must be the first member */
	uint64_t work, local_work;
	uint64_t iterations;
	uint64_t start; /* start of the iteration's entries */
};

SPAN_INLINE void span_loop_begin(struct span_loop *loop)
{
	span_scope_begin(&loop->scope);
	loop->work = loop->local_work = loop->iterations = 0;
	loop->scope.best_burdened = loop->scope.best_local = 0;
}

SPAN_INLINE void span_iteration_begin(struct span_lane *lane, struct span_loop *loop)
{
	loop->start = span_spawn_begin(lane, &loop->scope);
}

/* Call this after span_leave of the iteration. */
SPAN_INLINE void span_iteration_end(struct span_lane *lane, struct span_loop *loop)
{
	struct span_scope *s = &loop->scope;
	int64_t position = (int64_t)lane->left.span;
	loop->work += lane->left.work;
	loop->local_work += lane->left.local_work;
	loop->iterations++;
	if (lane->left.burdened_span > s->best_burdened)
		s->best_burdened = lane->left.burdened_span;
	if (position > s->best) {
		if (s->best < 0) {
			s->l0 = loop->start;
			s->l1 = lane->kept.end;
		} else {
			span_beat(lane, s, loop->start);
		}
		s->best = position;
		s->best_local = lane->left.local_span;
	} else {
		lane->kept.end = loop->start;
	}
	lane->region = s->l1;
}

/* An iteration that calls nothing leaves no entries. */
SPAN_INLINE void span_leaf_iteration(struct span_loop *loop, uint64_t n)
{
	loop->work += n;
	loop->iterations++;
	loop->scope.best_burdened = n > loop->scope.best_burdened ? n : loop->scope.best_burdened;
}

/* Iterations are divided in halves, each half a spawn: the number of halvings is the number of burdens on the path. */
SPAN_INLINE uint64_t span_loop_burden(const struct span_lane *lane, uint64_t iterations)
{
	return iterations < 2 ? 0 : lane->burden * (64 - (unsigned)__builtin_clzll(iterations - 1));
}

SPAN_INLINE void span_leaf_loop_end(struct span_lane *lane, const struct span_loop *loop)
{
	uint64_t best = loop->scope.best_burdened;
	lane->left = (struct span_figures){loop->work, best, best + span_loop_burden(lane, loop->iterations), loop->work, best};
}

SPAN_INLINE void span_loop_end(struct span_lane *lane, const struct span_loop *loop)
{
	const struct span_scope *s = &loop->scope;
	if (s->best < 0) {
		lane->left = (struct span_figures){0};
		return;
	}
	lane->left = (struct span_figures){loop->work, (uint64_t)s->best, s->best_burdened + span_loop_burden(lane, loop->iterations),
	                                   loop->local_work, s->best_local};
	lane->kept.end = s->l1;
	span_come_back(lane, s->region);
}

#endif
