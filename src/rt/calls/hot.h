/* SPDX-License-Identifier: MIT */
/* hot.h: enters and leaves a routine, for hooks and for calibrate.c; and the runtime's part of the hooks. */
#ifndef SKEIN_RT_HOT_H
#define SKEIN_RT_HOT_H

#include "arch/arch.h"
#include "core/calls/calls.h"
#include "rt/object.h"
#include "threads/threads.h"

/* times: what the inlined halves fall back to */
RT_API struct calls_frame *skein_rt_enter(struct skein_object *object, uint32_t index, uint32_t inherit);
RT_API struct calls_arc *skein_rt_arc(struct calls_lane *lane, uint64_t key);
RT_API void skein_rt_same(struct calls_lane *lane, struct calls_arc *arc, uint64_t weight);
RT_API uint64_t skein_rt_weight(struct calls_lane *lane, struct calls_arc *arc);
RT_API uint64_t skein_rt_spent(struct calls_lane *lane, struct calls_frame *mine, uint64_t now);
RT_API void skein_rt_leave(struct calls_frame *mine, uint64_t clock);
RT_API void skein_rt_catch(struct calls_frame *mine);

/* counts */
extern const void *skein_rt_restorer RT_API; /* where the C library has signal handlers return to */
RT_API uint64_t *skein_rt_counts(struct skein_object *object);
RT_API void skein_rt_arrive(uint64_t from, uint32_t routine, uint64_t concurrent);

#define HOT_RARELY(x) __builtin_expect(!!(x), 0)
#define HOT_PACE 255u /* after so many timed calls of an arc it is time to think about how many of them are timed */

static inline uint64_t hot_concurrent(void)
{
	return atomic_load_explicit(&skein_n_working, memory_order_relaxed) > 1;
}

/* The clock is read last on the way in. */
static inline __attribute__((always_inline)) void hot_time(struct calls_lane *lane, struct calls_frame *mine)
{
	struct calls_arc *arc = mine->arc;
	if (arc->left) {
		arc->left--;
		calls_time_not(lane, mine);
		return;
	}
	uint64_t weight = HOT_RARELY(arc->skip || (arc->calls & HOT_PACE) == 0) ? skein_rt_weight(lane, arc) : 1;
	calls_time_from(lane, mine, weight, calls_time(lane, arch_tick()));
}

static inline __attribute__((always_inline)) struct calls_frame *hot_enter(struct skein_object *object, uint32_t index, uint32_t inherit)
{
	struct calls_lane *lane = skein_self.calls;
	if (HOT_RARELY(lane->top + 1 >= lane->limit))
		return skein_rt_enter(object, index, inherit);
	uint32_t routine = object->first_routine + index;
	uint64_t concurrent = hot_concurrent();
	uint64_t key = calls_key(lane->top->as_caller, routine, concurrent);
	struct calls_arc *arc = calls_probe(lane, key);
	if (HOT_RARELY(!arc))
		arc = skein_rt_arc(lane, key);
	struct calls_frame *mine = calls_push(lane, arc, routine, concurrent, inherit);
	if (concurrent && HOT_RARELY(arc->calls <= 64 || (arc->calls & 63) == 0))
		skein_rt_same(lane, arc, arc->calls <= 64 ? 1 : 64);
	hot_time(lane, mine);
	return mine;
}

/* The clock is read first where it is read. */
static inline __attribute__((always_inline)) void hot_leave(struct skein_object *object, struct calls_frame *mine, uint32_t index)
{
	uint64_t weight = mine->weight, clock = weight ? arch_tick() : 0;
	struct calls_lane *lane = skein_self.calls;
	if (HOT_RARELY(lane->top != mine)) {
		skein_rt_leave(mine, weight ? clock : arch_tick());
		return;
	}
	uint32_t routine = object->first_routine + index;
	if (!weight) {
		calls_pop(lane, mine, routine, calls_seen(lane, mine));
		arch_add(&lane->bias, lane->untimed);
		return;
	}
	arch_add(&lane->bias, lane->inside);
	uint64_t now = calls_time(lane, clock), spent = now - mine->start;
	if (HOT_RARELY(weight > 1))
		spent = skein_rt_spent(lane, mine, now);
	lane->last = now;
	calls_pop(lane, mine, routine, spent);
	arch_add(&lane->bias, lane->outside);
}

#endif
