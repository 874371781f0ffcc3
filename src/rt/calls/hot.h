/* SPDX-License-Identifier: MIT */
/* hot.h: enters and leaves a routine, for hooks and for calibrate.c; and the runtime's part of the hooks. */
#ifndef SKEIN_RT_HOT_H
#define SKEIN_RT_HOT_H

#include "arch/arch.h"
#include "core/calls/calls.h"
#include "rt/object.h"
#include "threads/threads.h"

/* times: what the inlined halves fall back to. They end with these calls, so that they need save no register. */
RT_API struct calls_frame *skein_rt_enter(struct skein_object *object, uint32_t index, uint32_t inherit);
RT_API struct calls_frame *skein_rt_time(struct calls_lane *lane, struct calls_frame *mine);
RT_API void skein_rt_count(struct calls_lane *lane, struct calls_frame *mine, uint64_t clock);
RT_API void skein_rt_leave(struct calls_frame *mine, uint64_t clock);
RT_API void skein_rt_catch(struct calls_frame *mine);

/* counts */
extern const void *skein_rt_restorer RT_API; /* where the C library has signal handlers return to */
RT_API uint64_t *skein_rt_counts(struct skein_object *object);
RT_API void skein_rt_arrive(uint64_t from, uint32_t routine, uint64_t concurrent);

#define HOT_RARELY(x) __builtin_expect(!!(x), 0)

static inline uint64_t hot_concurrent(void)
{
	return atomic_load_explicit(&skein_n_working, memory_order_relaxed) > 1;
}

/* Is it time to see whether other workers are in the routine, too? */
static inline bool hot_looks_around(const struct calls_arc *arc)
{
	return arc->calls < 64 || (arc->calls & 63) == 0;
}

/* Is it time to think about how many calls of the arc are timed? */
static inline bool hot_thinks(const struct calls_arc *arc)
{
	return (arc->calls & 255) == 0;
}

/* The clock is read last on the way in. */
static inline __attribute__((always_inline)) struct calls_frame *hot_enter(struct skein_object *object, uint32_t index, uint32_t inherit)
{
	struct calls_lane *lane = skein_self.calls;
	struct calls_frame *caller = lane->top;
	if (HOT_RARELY(caller + 1 >= lane->limit))
		return skein_rt_enter(object, index, inherit);
	uint32_t routine = object->first_routine + index;
	uint64_t concurrent = hot_concurrent();
	struct calls_arc *arc;
	if (!calls_probe(lane, calls_key(caller->as_caller, routine, concurrent), &arc) || HOT_RARELY(concurrent && hot_looks_around(arc)))
		return skein_rt_enter(object, index, inherit);
	struct calls_frame *mine = calls_push(lane, arc, routine, concurrent, inherit);
	if (arc->left) {
		arc->left--;
		calls_time_not(lane, mine);
		return mine;
	}
	if (HOT_RARELY(arc->skip || hot_thinks(arc)))
		return skein_rt_time(lane, mine);
	calls_time_from(lane, mine, 1, calls_time(lane, arch_tick()));
	return mine;
}

/* The clock is read first where it is read. */
static inline __attribute__((always_inline)) void hot_leave(struct skein_object *object, struct calls_frame *mine, uint32_t index)
{
	uint64_t weight = mine->weight, clock = weight ? arch_tick() : 0;
	struct calls_lane *lane = skein_self.calls;
	if (HOT_RARELY(lane->top != mine)) {
		skein_rt_leave(mine, clock);
		return;
	}
	uint32_t routine = object->first_routine + index;
	if (!weight) {
		calls_pop(lane, mine, routine, calls_seen(lane, mine));
		arch_add(&lane->bias, lane->untimed);
		return;
	}
	if (HOT_RARELY(weight > 1)) {
		skein_rt_count(lane, mine, clock);
		return;
	}
	arch_add(&lane->bias, lane->inside);
	uint64_t now = calls_time(lane, clock);
	lane->last = now;
	calls_pop(lane, mine, routine, now - mine->start);
	arch_add(&lane->bias, lane->outside);
}

#endif
