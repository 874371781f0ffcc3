/* SPDX-License-Identifier: MIT */
/* hooks.c: the code that the `span` lens puts into a subject, where it certainly returns to its caller. What may not is
 * left to functions of the runtime (general.c), which the plugin has subjects call directly.
 *
 * An invocation's own work `n` and its struct span_frame are local variables; so are its scopes and loops. */
#include "rt/span/span.h"

#include "arch/arch.h"
#include "rt/hooks.h"

/* For the plugin, which makes room for them. */
const uint32_t skein_hook_bytes[] __attribute__((used)) = {sizeof(struct span_frame), sizeof(struct span_scope), sizeof(struct span_loop),
                                                           sizeof(struct span_figures)};

/* Hooks count sites from the first one of the part of the object that they are in. */
static inline __attribute__((always_inline)) struct span_site *own_rows(struct span_site *rows)
{
	return (struct span_site *)((char *)rows + HOOK_NUMBER(skein_hook_row_bytes));
}

HOOK struct span_site *skein_hook_rows(void);
HOOK struct span_site *skein_hook_rows(void)
{
	struct span_site *rows = (struct span_site *)skein_self.tables[skein_hook_object.slot];
	return own_rows(SPAN_RARELY(!rows) ? skein_rt_span_rows(&skein_hook_object) : rows);
}

/* The rows, where other code of this object has run before in this thread: as constant as the lane, below. */
HOOK struct span_site *skein_hook_same_rows(void);
HOOK struct span_site *skein_hook_same_rows(void)
{
	return own_rows((struct span_site *)skein_self.tables[skein_hook_object.slot]);
}

HOOK struct span_lane *skein_hook_lane(void);
HOOK struct span_lane *skein_hook_lane(void)
{
	return skein_self.span;
}

/* A thread's lane does not change once the thread is met, and a callee of a site runs after that. So the plugin
 * marks this load as one that always gives the same. */
HOOK struct span_lane *skein_hook_same_lane(void);
HOOK struct span_lane *skein_hook_same_lane(void)
{
	return skein_self.span;
}

HOOK void skein_hook_enter(struct span_frame *f);
HOOK void skein_hook_enter(struct span_frame *f)
{
	span_enter(f);
}

/* Foreign code may have called it: `outer` is what that code had called before. */
HOOK void skein_hook_arrive(struct span_figures *outer);
HOOK void skein_hook_arrive(struct span_figures *outer)
{
	if (SPAN_RARELY(skein_self.span == &skein_no_span))
		skein_rt_span_rows(&skein_hook_object);
	*outer = skein_self.span->left;
}

HOOK void skein_hook_depart(struct span_lane *lane, const struct span_frame *f, const struct span_figures *outer, uint64_t n);
HOOK void skein_hook_depart(struct span_lane *lane, const struct span_frame *f, const struct span_figures *outer, uint64_t n)
{
	span_leave_to_outside(lane, f, outer, n);
}

/* A routine that only sites of its own object call measures itself. */
HOOK struct span_site *skein_hook_row(struct span_lane *lane);
HOOK struct span_site *skein_hook_row(struct span_lane *lane)
{
	return lane->row;
}

HOOK void skein_hook_leave(struct span_lane *lane, const struct span_frame *f, struct span_site *row, uint64_t n);
HOOK void skein_hook_leave(struct span_lane *lane, const struct span_frame *f, struct span_site *row, uint64_t n)
{
	span_leave_measured(lane, f, row, n);
}

HOOK void skein_hook_leave_leaf(struct span_lane *lane, struct span_site *row, uint64_t n);
HOOK void skein_hook_leave_leaf(struct span_lane *lane, struct span_site *row, uint64_t n)
{
	span_leave_leaf(lane, row, n);
}

static inline __attribute__((always_inline)) uint64_t key_of(uint32_t site)
{
	return skein_hook_object.first_key + ((uint64_t)HOOK_NUMBER(skein_hook_first_row) + site) * SPAN_MEASURES;
}

/* Before the call of such a callee: by a caller that may be open twice, and by one that may not. */
HOOK uint32_t skein_hook_call(struct span_site *rows, uint32_t site, uint32_t first, uint32_t count);
HOOK uint32_t skein_hook_call(struct span_site *rows, uint32_t site, uint32_t first, uint32_t count)
{
	return SPAN_RARELY(rows[site].open != 3) ? span_open(&rows[site], &rows[first], count, key_of(site)) : 0;
}

HOOK void skein_hook_call_once(struct span_site *rows, uint32_t site);
HOOK void skein_hook_call_once(struct span_site *rows, uint32_t site)
{
	span_once_begin(&rows[site], key_of(site));
}

HOOK void skein_hook_tell(struct span_lane *lane, struct span_site *rows, uint32_t site);
HOOK void skein_hook_tell(struct span_lane *lane, struct span_site *rows, uint32_t site)
{
	lane->row = &rows[site];
}

HOOK void skein_hook_told(struct span_lane *lane, struct span_site *rows, uint32_t site, uint32_t first, uint32_t count, uint32_t top);
HOOK void skein_hook_told(struct span_lane *lane, struct span_site *rows, uint32_t site, uint32_t first, uint32_t count, uint32_t top)
{
	span_check(lane);
	if (SPAN_RARELY(top))
		span_close(lane, top, &rows[site], &rows[first], count, key_of(site));
}

HOOK void skein_hook_told_once(struct span_lane *lane, struct span_site *rows, uint32_t site);
HOOK void skein_hook_told_once(struct span_lane *lane, struct span_site *rows, uint32_t site)
{
	span_once_measured(lane, &rows[site], rows[site].key);
}

/* The callee never comes back to its caller's caller: the site is not open twice though its caller may be. Its own bit in
 * `open` stays set from the first call on. */
HOOK void skein_hook_told_beyond(struct span_lane *lane, struct span_site *rows, uint32_t site, uint32_t first, uint32_t count,
                                 uint32_t top);
HOOK void skein_hook_told_beyond(struct span_lane *lane, struct span_site *rows, uint32_t site, uint32_t first, uint32_t count,
                                 uint32_t top)
{
	span_once_measured(lane, &rows[site], rows[site].key);
	if (SPAN_RARELY(top & 2))
		span_close(lane, 2, &rows[site], &rows[first], count, key_of(site));
}

/* skein_hook_told for a callee that calls nothing: the measure by top site is what the callee has measured itself. */
HOOK void skein_hook_told_leaf(struct span_lane *lane);
HOOK void skein_hook_told_leaf(struct span_lane *lane)
{
	span_check(lane);
}

HOOK void skein_hook_told_leaf_beyond(struct span_lane *lane, struct span_site *rows, uint32_t site, uint32_t first, uint32_t count,
                                      uint32_t top);
HOOK void skein_hook_told_leaf_beyond(struct span_lane *lane, struct span_site *rows, uint32_t site, uint32_t first, uint32_t count,
                                      uint32_t top)
{
	span_check(lane);
	if (SPAN_RARELY(top & 2)) {
		span_spread(lane);
		span_close(lane, 2, &rows[site], &rows[first], count, key_of(site));
	}
}

HOOK void skein_hook_return_beyond(struct span_lane *lane, struct span_site *rows, uint32_t site, uint32_t first, uint32_t count,
                                   uint32_t top);
HOOK void skein_hook_return_beyond(struct span_lane *lane, struct span_site *rows, uint32_t site, uint32_t first, uint32_t count,
                                   uint32_t top)
{
	span_once_end(lane, &rows[site], key_of(site));
	if (SPAN_RARELY(top & 2))
		span_close(lane, 2, &rows[site], &rows[first], count, key_of(site));
}

/* Other routines leave their figures, for the caller to measure. Figures to which foreign code may add begin with
 * zero. */
HOOK void skein_hook_clear(struct span_lane *lane);
HOOK void skein_hook_clear(struct span_lane *lane)
{
	lane->left = (struct span_figures){0};
}

HOOK void skein_hook_return(struct span_lane *lane, struct span_site *rows, uint32_t site, uint32_t first, uint32_t count, uint32_t top);
HOOK void skein_hook_return(struct span_lane *lane, struct span_site *rows, uint32_t site, uint32_t first, uint32_t count, uint32_t top)
{
	span_call_end(lane, top, &rows[site], &rows[first], count, key_of(site));
}

HOOK void skein_hook_return_once(struct span_lane *lane, struct span_site *rows, uint32_t site);
HOOK void skein_hook_return_once(struct span_lane *lane, struct span_site *rows, uint32_t site)
{
	span_once_end(lane, &rows[site], key_of(site));
}

HOOK void skein_hook_take(struct span_lane *lane, struct span_frame *f);
HOOK void skein_hook_take(struct span_lane *lane, struct span_frame *f)
{
	span_take(lane, f);
}

HOOK void skein_hook_take_leaf(struct span_lane *lane, struct span_frame *f);
HOOK void skein_hook_take_leaf(struct span_lane *lane, struct span_frame *f)
{
	span_take_leaf(lane, f);
}

HOOK void skein_hook_spread(struct span_lane *lane);
HOOK void skein_hook_spread(struct span_lane *lane)
{
	span_spread(lane);
}

HOOK void skein_hook_scope(struct span_scope *s);
HOOK void skein_hook_scope(struct span_scope *s)
{
	span_scope_begin(s);
}

HOOK uint64_t skein_hook_spawn(struct span_lane *lane, struct span_scope *s);
HOOK uint64_t skein_hook_spawn(struct span_lane *lane, struct span_scope *s)
{
	return span_spawn_begin(lane, s);
}

HOOK void skein_hook_spawned(struct span_lane *lane, struct span_frame *f, struct span_scope *s, uint64_t start, uint64_t n);
HOOK void skein_hook_spawned(struct span_lane *lane, struct span_frame *f, struct span_scope *s, uint64_t start, uint64_t n)
{
	span_spawn_end(lane, f, s, start, n);
}

HOOK void skein_hook_sync(struct span_lane *lane, struct span_frame *f, struct span_scope *s, uint64_t n);
HOOK void skein_hook_sync(struct span_lane *lane, struct span_frame *f, struct span_scope *s, uint64_t n)
{
	span_sync(lane, f, s, n);
}

/* Foreign code that does not call the program back: it costs what the model says; now and then its time is measured. */
HOOK uint64_t skein_hook_foreign(struct span_site *rows, uint32_t site);
HOOK uint64_t skein_hook_foreign(struct span_site *rows, uint32_t site)
{
	return SPAN_RARELY(rows[site].on_work[SPAN_LOCAL].count % SPAN_TIMED_EACH == 0) ? arch_tick() : 0;
}

HOOK void skein_hook_foreign_end(struct span_lane *lane, struct span_site *rows, uint32_t site, uint64_t ticks, uint64_t cost);
HOOK void skein_hook_foreign_end(struct span_lane *lane, struct span_site *rows, uint32_t site, uint64_t ticks, uint64_t cost)
{
	if (SPAN_RARELY(ticks))
		rows[site].ticks += arch_tick() - ticks;
	lane->left = (struct span_figures){cost, cost, cost, cost, cost};
}

HOOK void skein_hook_loop(struct span_loop *loop);
HOOK void skein_hook_loop(struct span_loop *loop)
{
	span_loop_begin(loop);
}

HOOK void skein_hook_leaf_iteration(struct span_loop *loop, uint64_t n);
HOOK void skein_hook_leaf_iteration(struct span_loop *loop, uint64_t n)
{
	span_leaf_iteration(loop, n);
}

HOOK void skein_hook_leaf_loop_end(struct span_lane *lane, struct span_loop *loop);
HOOK void skein_hook_leaf_loop_end(struct span_lane *lane, struct span_loop *loop)
{
	span_leaf_loop_end(lane, loop);
}

/* The row of a loop's site has no use for ticks. */
HOOK void skein_hook_iterations(struct span_site *rows, uint32_t site, const struct span_loop *loop);
HOOK void skein_hook_iterations(struct span_site *rows, uint32_t site, const struct span_loop *loop)
{
	rows[site].ticks += loop->iterations;
}

HOOK void skein_hook_iteration(struct span_lane *lane, struct span_loop *loop, struct span_frame *f);
HOOK void skein_hook_iteration(struct span_lane *lane, struct span_loop *loop, struct span_frame *f)
{
	span_iteration_begin(lane, loop);
	span_enter(f);
}

HOOK void skein_hook_iterated(struct span_lane *lane, struct span_loop *loop, struct span_frame *f, uint64_t n);
HOOK void skein_hook_iterated(struct span_lane *lane, struct span_loop *loop, struct span_frame *f, uint64_t n)
{
	span_leave(lane, f, n);
	span_iteration_end(lane, loop);
}

HOOK void skein_hook_loop_end(struct span_lane *lane, struct span_loop *loop);
HOOK void skein_hook_loop_end(struct span_lane *lane, struct span_loop *loop)
{
	span_loop_end(lane, loop);
}

/* Work and span of the whole program alone: no rows, no log, no burden. */
HOOK void skein_hook_whole_leave(struct span_lane *lane, const struct span_frame *f, uint64_t n);
HOOK void skein_hook_whole_leave(struct span_lane *lane, const struct span_frame *f, uint64_t n)
{
	lane->left.work = n + f->work;
	lane->left.span = n + f->span;
}

HOOK void skein_hook_whole_depart(struct span_lane *lane, const struct span_frame *f, const struct span_figures *outer, uint64_t n);
HOOK void skein_hook_whole_depart(struct span_lane *lane, const struct span_frame *f, const struct span_figures *outer, uint64_t n)
{
	lane->left.work = outer->work + n + f->work;
	lane->left.span = outer->span + n + f->span;
}

HOOK void skein_hook_whole_take(struct span_lane *lane, struct span_frame *f);
HOOK void skein_hook_whole_take(struct span_lane *lane, struct span_frame *f)
{
	f->work += lane->left.work;
	f->span += lane->left.span;
}

HOOK void skein_hook_whole_spawned(struct span_lane *lane, struct span_frame *f, struct span_scope *s, uint64_t n);
HOOK void skein_hook_whole_spawned(struct span_lane *lane, struct span_frame *f, struct span_scope *s, uint64_t n)
{
	int64_t position = (int64_t)(n + f->span + lane->left.span);
	f->work += lane->left.work;
	s->best = position > s->best ? position : s->best;
}

HOOK void skein_hook_whole_sync(struct span_frame *f, struct span_scope *s, uint64_t n);
HOOK void skein_hook_whole_sync(struct span_frame *f, struct span_scope *s, uint64_t n)
{
	if ((int64_t)(n + f->span) < s->best)
		f->span = (uint64_t)s->best - n;
	s->best = -1;
}

/* The same for programs with so many sites that hooks are called: one call before that of a site, and one after it. They are one for all
 * parts of an object, so that `site` and `range` (its caller's first site, and above it how many it has) are numbers of the object's own. */
struct far {
	struct span_lane *lane;
	struct span_site *row, *first;
	uint32_t count;
	uint64_t key;
};

static inline __attribute__((always_inline)) struct far far_of(uint32_t site, uint64_t range)
{
	struct span_site *rows = (struct span_site *)skein_self.tables[skein_hook_object.slot];
	if (SPAN_RARELY(!rows))
		rows = skein_rt_span_rows(&skein_hook_object);
	return (struct far){.lane = skein_self.span,
	                    .row = &rows[site],
	                    .first = &rows[(uint32_t)range],
	                    .count = (uint32_t)(range >> 32),
	                    .key = skein_hook_object.first_key + (uint64_t)site * SPAN_MEASURES};
}

static inline __attribute__((always_inline)) uint32_t far_begin(const struct far *at)
{
	return at->row->open != 3 ? span_open(at->row, at->first, at->count, at->key) : 0;
}

FAR_HOOK uint32_t skein_hook_far_tell(uint32_t site, uint64_t range);
FAR_HOOK uint32_t skein_hook_far_tell(uint32_t site, uint64_t range)
{
	struct far at = far_of(site, range);
	at.lane->row = at.row;
	return far_begin(&at);
}

FAR_HOOK void skein_hook_far_tell_once(uint32_t site);
FAR_HOOK void skein_hook_far_tell_once(uint32_t site)
{
	struct far at = far_of(site, 0);
	span_once_begin(at.row, at.key);
	at.lane->row = at.row;
}

FAR_HOOK void skein_hook_far_told(struct span_frame *f, uint32_t site, uint64_t range, uint32_t top);
FAR_HOOK void skein_hook_far_told(struct span_frame *f, uint32_t site, uint64_t range, uint32_t top)
{
	struct far at = far_of(site, range);
	span_check(at.lane);
	if (SPAN_RARELY(top))
		span_close(at.lane, top, at.row, at.first, at.count, at.key);
	span_take(at.lane, f);
}

FAR_HOOK void skein_hook_far_told_beyond(struct span_frame *f, uint32_t site, uint64_t range, uint32_t top);
FAR_HOOK void skein_hook_far_told_beyond(struct span_frame *f, uint32_t site, uint64_t range, uint32_t top)
{
	struct far at = far_of(site, range);
	span_once_measured(at.lane, at.row, at.row->key);
	if (SPAN_RARELY(top & 2))
		span_close(at.lane, 2, at.row, at.first, at.count, at.key);
	span_take(at.lane, f);
}

FAR_HOOK void skein_hook_far_told_once(struct span_frame *f, uint32_t site);
FAR_HOOK void skein_hook_far_told_once(struct span_frame *f, uint32_t site)
{
	struct far at = far_of(site, 0);
	span_once_measured(at.lane, at.row, at.row->key);
	span_take(at.lane, f);
}

FAR_HOOK void skein_hook_far_told_leaf(struct span_frame *f, uint32_t site, uint64_t range, uint32_t top);
FAR_HOOK void skein_hook_far_told_leaf(struct span_frame *f, uint32_t site, uint64_t range, uint32_t top)
{
	struct far at = far_of(site, range);
	span_check(at.lane);
	if (SPAN_RARELY(top & 2)) {
		span_spread(at.lane);
		span_close(at.lane, 2, at.row, at.first, at.count, at.key);
	}
	span_take_leaf(at.lane, f);
}

FAR_HOOK void skein_hook_far_told_leaf_once(struct span_frame *f);
FAR_HOOK void skein_hook_far_told_leaf_once(struct span_frame *f)
{
	span_check(skein_self.span);
	span_take_leaf(skein_self.span, f);
}

FAR_HOOK uint32_t skein_hook_far_clear(uint32_t site, uint64_t range);
FAR_HOOK uint32_t skein_hook_far_clear(uint32_t site, uint64_t range)
{
	struct far at = far_of(site, range);
	at.lane->left = (struct span_figures){0};
	return far_begin(&at);
}

FAR_HOOK void skein_hook_far_clear_once(void);
FAR_HOOK void skein_hook_far_clear_once(void)
{
	struct far at = far_of(0, 0);
	at.lane->left = (struct span_figures){0};
}

FAR_HOOK void skein_hook_far_return(struct span_frame *f, uint32_t site, uint64_t range, uint32_t top);
FAR_HOOK void skein_hook_far_return(struct span_frame *f, uint32_t site, uint64_t range, uint32_t top)
{
	struct far at = far_of(site, range);
	span_call_end(at.lane, top, at.row, at.first, at.count, at.key);
	span_take(at.lane, f);
}

FAR_HOOK void skein_hook_far_return_beyond(struct span_frame *f, uint32_t site, uint64_t range, uint32_t top);
FAR_HOOK void skein_hook_far_return_beyond(struct span_frame *f, uint32_t site, uint64_t range, uint32_t top)
{
	struct far at = far_of(site, range);
	span_once_end(at.lane, at.row, at.key);
	if (SPAN_RARELY(top & 2))
		span_close(at.lane, 2, at.row, at.first, at.count, at.key);
	span_take(at.lane, f);
}

FAR_HOOK void skein_hook_far_return_once(struct span_frame *f, uint32_t site);
FAR_HOOK void skein_hook_far_return_once(struct span_frame *f, uint32_t site)
{
	struct far at = far_of(site, 0);
	span_once_end(at.lane, at.row, at.key);
	span_take(at.lane, f);
}

FAR_HOOK uint64_t skein_hook_far_foreign(uint32_t site);
FAR_HOOK uint64_t skein_hook_far_foreign(uint32_t site)
{
	struct far at = far_of(site, 0);
	return at.row->on_work[SPAN_LOCAL].count % SPAN_TIMED_EACH == 0 ? arch_tick() : 0;
}

/* What calls nothing back need not be open while it runs. */
FAR_HOOK void skein_hook_far_foreign_end(struct span_frame *f, uint32_t site, uint64_t range, uint64_t ticks, uint64_t cost);
FAR_HOOK void skein_hook_far_foreign_end(struct span_frame *f, uint32_t site, uint64_t range, uint64_t ticks, uint64_t cost)
{
	struct far at = far_of(site, range);
	uint32_t top = far_begin(&at);
	if (SPAN_RARELY(ticks))
		at.row->ticks += arch_tick() - ticks;
	at.lane->left = (struct span_figures){cost, cost, cost, cost, cost};
	span_once_end(at.lane, at.row, at.key);
	if (SPAN_RARELY(top & 2))
		span_close(at.lane, 2, at.row, at.first, at.count, at.key);
	span_take(at.lane, f);
}

FAR_HOOK void skein_hook_far_foreign_end_once(struct span_frame *f, uint32_t site, uint64_t ticks, uint64_t cost);
FAR_HOOK void skein_hook_far_foreign_end_once(struct span_frame *f, uint32_t site, uint64_t ticks, uint64_t cost)
{
	struct far at = far_of(site, 0);
	if (SPAN_RARELY(ticks))
		at.row->ticks += arch_tick() - ticks;
	at.lane->left = (struct span_figures){cost, cost, cost, cost, cost};
	span_once_end(at.lane, at.row, at.key);
	span_take(at.lane, f);
}

/* What the plugin has subjects call directly must be declared in the program. */
static void *const skein_hook_runtime[] __attribute__((used)) = {
	skein_rt_span_enter,          skein_rt_span_leave,      skein_rt_span_call,         skein_rt_span_return,
	skein_rt_span_catch,          skein_rt_span_scope,      skein_rt_span_spawn,        skein_rt_span_sync,
	skein_rt_span_loop,           skein_rt_span_iteration,  skein_rt_span_iterated,     skein_rt_span_looped,
	skein_rt_span_text,           skein_rt_span_task_flags, skein_rt_span_task_depends, skein_rt_span_taskwait,
	skein_rt_span_barrier,        skein_rt_span_group,      skein_rt_span_group_end,    skein_rt_span_undeferred,
	skein_rt_span_undeferred_end, skein_rt_span_task_if,    skein_rt_span_wait_for,     skein_rt_span_team,
	skein_rt_span_chunk,          skein_rt_span_under,      skein_rt_span_under_end,    skein_rt_span_under_leave,
	skein_rt_span_entered,        skein_rt_span_mark,       skein_rt_span_marked,       skein_rt_span_call_pointer,
	skein_rt_span_task,
};
