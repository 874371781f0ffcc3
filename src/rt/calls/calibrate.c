/* SPDX-License-Identifier: MIT */
/* calibrate.c: measures the cost of a call's hooks on this machine, which is subtracted from the times of callee and
 * caller. An empty routine is entered and left a few thousand times in a separate lane, by the same code as in
 * hooks. The quickest of several rounds counts: it was not interrupted. The measured time of an empty routine lies
 * between the two readings of the clock and belongs to the callee; the rest belongs to the caller. Rounds in which no
 * call is timed tell what such a call takes. A tenth less than that is taken off: among other instructions the hooks are quicker than in a loop of their own, and a time that is
 * a little too long misleads less than one below zero. */
#include "rt/calls/calls.h"

#include "arch/arch.h"
#include "rt/calls/hot.h"

enum { ROUNDS = 24, CALLS = 128, FRAMES = 8, LOG2_SLOTS = 4 };

struct bench {
	struct calls_lane lane;
	struct calls_frame frames[FRAMES];
	struct calls_slot slots[1 << LOG2_SLOTS];
	struct calls_arc root, arc;
	uint64_t active[4];
};

static __attribute__((noinline)) struct calls_frame *enter(struct skein_object *object)
{
	return hot_enter(object, 0, 0);
}

static __attribute__((noinline)) void leave(struct skein_object *object, struct calls_frame *mine)
{
	hot_leave(object, mine, 0);
}

static __attribute__((noinline)) void call_empty(struct skein_object *object)
{
	struct calls_frame *mine = enter(object);
	__asm__ volatile("" : "+r"(mine) : : "memory");
	leave(object, mine);
}

/* Ticks per call; of these `within` are counted as the routine's own. */
static uint64_t round_of(struct skein_object *object, struct calls_arc *arc, uint64_t *within)
{
	uint64_t before = arc->elapsed_ticks, start = arch_tick();
	for (int i = 0; i < CALLS; i++)
		call_empty(object);
	uint64_t took = (arch_tick() - start) / CALLS;
	*within = (arc->elapsed_ticks - before) / CALLS;
	return took;
}

static uint64_t less_a_tenth(uint64_t ticks)
{
	return ticks * 9 / 10;
}

static struct calls_cost quickest(struct skein_object *object, struct calls_arc *arc)
{
	uint64_t whole = UINT64_MAX, inside = 0, untimed = UINT64_MAX, within;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t took = round_of(object, arc, &within);
		if (took < whole) {
			whole = took;
			inside = within < took ? within : took;
		}
		arc->left = CALLS;
		took = round_of(object, arc, &within);
		if (took < untimed)
			untimed = took;
	}
	return (struct calls_cost){less_a_tenth(inside), less_a_tenth(whole - inside), less_a_tenth(untimed)};
}

struct calls_cost calibrate(void)
{
	static struct bench b;
	struct skein_object object = {.first_routine = 1};
	struct calls_lane *lane = &b.lane, *mine = skein_self.calls;
	lane->base = b.frames;
	lane->limit = b.frames + FRAMES;
	lane->active = b.active;
	calls_index_move(lane, b.slots, LOG2_SLOTS);
	calls_insert(lane, calls_key(0, 1, 0), &b.arc);
	calls_insert(lane, calls_key(0, 1, 1), &b.arc);
	lane->top = lane->base - 1;
	calls_adopt(lane, &b.root, 0, 0);
	skein_self.calls = lane;
	struct calls_cost cost = quickest(&object, &b.arc);
	skein_self.calls = mine;
	return cost;
}
