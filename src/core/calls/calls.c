/* SPDX-License-Identifier: MIT */
/* calls.c: the slow paths of calls.h: the index of arcs, stacks that were left by a jump, and frames that stand for
 * activations in other workers. */
#include "core/calls/calls.h"

struct calls_arc *calls_find(const struct calls_lane *lane, uint64_t key)
{
	uint64_t mask = (UINT64_C(1) << (64 - lane->shift)) - 1;
	uint64_t i = calls_hash(key, lane->shift);
	while (lane->index[i].key && lane->index[i].key != key)
		i = (i + 1) & mask;
	return lane->index[i].key ? lane->index[i].arc : (struct calls_arc *)0;
}

bool calls_index_has_room(const struct calls_lane *lane)
{
	return lane->index && lane->arcs + 1 <= UINT64_C(1) << (63 - lane->shift);
}

static void put(struct calls_slot *index, uint64_t shift, uint64_t key, struct calls_arc *arc)
{
	uint64_t mask = (UINT64_C(1) << (64 - shift)) - 1;
	uint64_t i = calls_hash(key, shift);
	while (index[i].key)
		i = (i + 1) & mask;
	index[i].arc = arc;
	index[i].key = key;
}

void calls_point(struct calls_lane *lane, uint64_t key, struct calls_arc *arc)
{
	put(lane->index, lane->shift, key, arc);
	lane->arcs++;
}

void calls_insert(struct calls_lane *lane, uint64_t key, struct calls_arc *arc)
{
	arc->caller = calls_routine_of(key);
	arc->callee = (uint32_t)key >> 4;
	arc->flags = key & 15;
	calls_point(lane, key, arc);
}

/* The new index is complete before it is seen, so a signal handler that interrupts the move finds the old one. */
void calls_index_move(struct calls_lane *lane, struct calls_slot *into, unsigned log2_slots)
{
	uint64_t shift = 64 - log2_slots;
	uint64_t old_slots = lane->index ? UINT64_C(1) << (64 - lane->shift) : 0;
	for (uint64_t i = 0; i < old_slots; i++)
		if (lane->index[i].key)
			put(into, shift, lane->index[i].key, lane->index[i].arc);
	lane->index = into;
	lane->shift = shift;
}

/* A frame that stands for an activation in another worker is not an activation: its time is lost time of the frame
 * below. */
static void end_elsewhere(struct calls_lane *lane, struct calls_frame *mine, uint64_t now)
{
	mine[-1].arc->displaced_ticks += now - mine->start;
	lane->top = mine - 1;
}

void calls_drop(struct calls_lane *lane, struct calls_frame *keep, uint64_t now)
{
	while (lane->top > keep) {
		struct calls_frame *mine = lane->top;
		if (mine->arc->flags & CALLS_ELSEWHERE)
			end_elsewhere(lane, mine, now);
		else
			calls_pop(lane, mine, calls_routine_of(mine->as_caller), now);
	}
}

void calls_adopt(struct calls_lane *lane, struct calls_arc *elsewhere, uint64_t as_caller, uint64_t now)
{
	struct calls_frame *mine = lane->top + 1;
	mine->as_caller = as_caller;
	mine->arc = elsewhere;
	mine->fork = 0;
	mine->start = now;
	lane->top = mine;
}

/* Goes from the top down, so that each activation sees in active[] only the frames of its routine that are open
 * below it, as at its own end. */
void calls_split(struct calls_lane *lane, uint64_t now)
{
	struct calls_frame *f;
	for (f = lane->top; f > lane->base; f--) {
		uint64_t spent = now - f->start, left;
		f->start = now;
		if (f->arc->flags & CALLS_ELSEWHERE) {
			f[-1].arc->displaced_ticks += spent;
			continue;
		}
		left = --lane->active[calls_routine_of(f->as_caller)];
		f->arc->elapsed_ticks += spent;
		if (left == 0)
			f->arc->outer_ticks += spent;
		else if ((uint32_t)left == 0)
			f->arc->nested_ticks += spent;
		f[-1].arc->callee_ticks += spent;
	}
	for (f = lane->top; f > lane->base; f--)
		if (!(f->arc->flags & CALLS_ELSEWHERE))
			lane->active[calls_routine_of(f->as_caller)]++;
}
