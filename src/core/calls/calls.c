/* SPDX-License-Identifier: MIT */
/* calls.c: the slow paths of calls.h: the index of arcs, stacks that were left by a jump, and frames that stand for
 * activations in other workers; and which calls are timed. */
#include "core/calls/calls.h"

/* ---- calls that are not timed ---- */

/* Vigna's splitmix64. */
static uint64_t random_of(struct calls_lane *lane)
{
	uint64_t z = lane->chance += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* -log2 of a random number between 0 and 1, in 65536ths: exact at 32 places of each octave and straight in between. */
static uint64_t minus_log2(uint64_t random)
{
	static const uint32_t log2_of[33] = {0,     2909,  5732,  8473,  11136, 13727, 16248, 18704, 21098, 23433, 25711,
	                                     27936, 30109, 32234, 34312, 36346, 38336, 40286, 42196, 44068, 45904, 47705,
	                                     49472, 51207, 52911, 54584, 56229, 57845, 59434, 60997, 62534, 64047, 65536};
	unsigned zeros = (unsigned)__builtin_clzll(random | 1);
	uint64_t rest = random << zeros << 1; /* behind the first 1 */
	unsigned place = (unsigned)(rest >> 59);
	uint64_t part = rest << 5 >> 48;
	uint64_t log2 = log2_of[place] + ((log2_of[place + 1] - log2_of[place]) * part >> 16);
	return ((uint64_t)zeros + 1) * 65536 - log2;
}

/* Each call is timed with the probability 1/w, whatever happened to those before it: the number of calls up to the next
 * one that is timed has the geometric distribution. */
static uint64_t draw(struct calls_lane *lane, unsigned log2_weight)
{
	static const uint32_t per_log2[CALLS_LOG2_WEIGHTS + 1] = {0,       65536,   157904,   340190,   703860,  1430802,
	                                                          2884497, 5791797, 11606352, 23235439, 46493603};
	return minus_log2(random_of(lane)) * per_log2[log2_weight] >> 32;
}

void calls_draw(struct calls_lane *lane, struct calls_arc *arc)
{
	uint64_t skip = arc->skip ? draw(lane, (unsigned)__builtin_ctzll((uint64_t)arc->skip + 1)) : 0;
	arc->left = (uint32_t)skip;
	arch_add(&arc->skipped_calls, skip);
}

static void add_square(uint64_t *sum, uint64_t factor, uint64_t square)
{
	unsigned __int128 more = (unsigned __int128)factor * square + CALLS_SQUARE / 2, all = *sum + more / CALLS_SQUARE;
	*sum = all > UINT64_MAX ? UINT64_MAX : (uint64_t)all;
}

uint64_t calls_spent(struct calls_lane *lane, const struct calls_frame *mine, uint64_t now)
{
	uint64_t seen = calls_seen(lane, mine), unseen = now - mine->start - seen, weight = mine->weight;
	if (weight == 0)
		return seen;
	lane->last = now;
	if (weight == 1)
		return now - mine->start;
	uint64_t size = (int64_t)unseen < 0 ? -unseen : unseen, usual = size < CALLS_UNUSUAL ? size : CALLS_UNUSUAL;
	add_square(&mine->arc->squares, weight, usual * usual);
	add_square(&mine->arc->variance, weight * (weight - 1), size >> 32 ? UINT64_MAX : size * size);
	return seen + weight * unseen;
}

/* ---- the index ---- */

struct calls_arc *calls_find(const struct calls_lane *lane, uint64_t key)
{
	uint64_t home = calls_hash(key, lane->shift), k = 0;
	while (lane->index[home ^ k].key && lane->index[home ^ k].key != key)
		k++;
	return lane->index[home ^ k].key ? lane->index[home ^ k].arc : (struct calls_arc *)0;
}

bool calls_index_has_room(const struct calls_lane *lane)
{
	return lane->index && 4 * (lane->arcs + 1) <= UINT64_C(1) << (64 - lane->shift);
}

static void put(struct calls_slot *index, uint64_t shift, uint64_t key, struct calls_arc *arc)
{
	uint64_t home = calls_hash(key, shift), k = 0;
	while (index[home ^ k].key)
		k++;
	index[home ^ k].arc = arc;
	index[home ^ k].key = key;
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

/* ---- stacks ---- */

/* A frame that stands for an activation in another worker is not an activation: its time is lost time of the frame
 * below. */
static void end_elsewhere(struct calls_lane *lane, struct calls_frame *mine, uint64_t now)
{
	mine[-1].arc->displaced_ticks += now - mine->start;
	lane->top = mine - 1;
}

void calls_drop(struct calls_lane *lane, struct calls_frame *keep, uint64_t now)
{
	lane->last = now;
	while (lane->top > keep) {
		struct calls_frame *mine = lane->top;
		if (mine->arc->flags & CALLS_ELSEWHERE)
			end_elsewhere(lane, mine, now);
		else
			calls_pop(lane, mine, calls_routine_of(mine->as_caller), calls_spent(lane, mine, now));
	}
}

void calls_adopt(struct calls_lane *lane, struct calls_arc *elsewhere, uint64_t as_caller, uint64_t now)
{
	struct calls_frame *mine = lane->top + 1;
	mine->as_caller = as_caller;
	mine->arc = elsewhere;
	mine->fork = 0;
	calls_time_from(lane, mine, 1, now);
	lane->top = mine;
}

/* Goes from the top down, so that each activation sees in active[] only the frames of its routine that are open
 * below it, as at its own end. */
void calls_split(struct calls_lane *lane, uint64_t now)
{
	struct calls_frame *f;
	lane->last = now;
	for (f = lane->top; f > lane->base; f--) {
		uint64_t spent = calls_spent(lane, f, now), left;
		f->start = f->before = now;
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
