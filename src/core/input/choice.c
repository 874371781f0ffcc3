/* SPDX-License-Identifier: MIT */
/* choice.c: sets of functions that activations of a routine called through pointers, as bits of a word.
 *
 * Problem: an activation's set must be known when it ends, at the cost of a bit per call, and a routine may be given any
 * number of functions.
 * Idea: a routine numbers its functions as they come. A call of the function that was called last is one comparison, and
 * the set is a word in the frame. The few sets that a routine has are searched one by one.
 * Cost: a search of at most INPUT_TARGETS for a call of another function than the last one, and of at most INPUT_SETS for
 * an activation with another set than the routine's first. */
#include "core/input/choice.h"

#define OTHERS (1u << INPUT_TARGETS)
#define FIRST_ONLY 1u

/* NULL: no memory, or a key that has no room for the number of a set. */
static struct input_choice *choice_of(const struct input_routines *routines, struct input_routine *r)
{
	if (!r->choice && !(r->key & INPUT_SET_BITS))
		r->choice = routines->port->take(routines->port->context, sizeof *r->choice);
	return r->choice;
}

static void tell(const struct input_routines *routines, const struct input_routine *r, uint32_t set, uint32_t mask)
{
	const struct input_shelf *shelf = routines->port->shelf;
	for (uint32_t i = 0; shelf && i <= INPUT_TARGETS; i++)
		if (mask >> i & 1)
			shelf->tell(routines->port->context, input_set_key(r->key, set), routines->reader,
			            i < INPUT_TARGETS ? r->choice->targets[i] : INPUT_OTHER_TARGETS);
}

void input_choose_other(struct input_routines *routines, struct input_frame *frame, uint64_t target)
{
	struct input_routine *r = frame->routine;
	struct input_choice *c = r ? choice_of(routines, r) : NULL;
	uint32_t i = 0;
	if (!c)
		return;
	while (i < c->target_count && c->targets[i] != target)
		i++;
	if (i == c->target_count && i < INPUT_TARGETS)
		c->targets[c->target_count++] = target;
	r->target = target;
	r->target_bit = (uint16_t)(1u << i);
	frame->chosen |= r->target_bit;
}

struct input_routine *input_choice_points(struct input_routines *routines, const struct input_frame *frame)
{
	struct input_routine *r = frame->routine;
	struct input_choice *c = r->choice;
	uint32_t mask = frame->chosen, i = 0;
	if (!mask || !c)
		return r;
	while (i < c->set_count && c->masks[i] != mask)
		i++;
	if (i >= INPUT_SETS - 1) /* the last has what no other set has */
		i = INPUT_SETS - 1;
	if (!c->points[i]) {
		c->points[i] = input_routine_of(routines, input_set_key(r->key, i + 1));
		c->set_count = c->points[i] ? i + 1 : i;
		r->only = mask == FIRST_ONLY && i < INPUT_SETS - 1 ? c->points[i] : r->only;
	}
	if (c->points[i] && mask & ~c->masks[i]) {
		tell(routines, r, i + 1, mask & ~c->masks[i]);
		c->masks[i] |= mask;
	}
	return c->points[i] ? c->points[i] : r;
}

void input_choice_rows(const struct input_routine *r, void (*put)(void *context, uint64_t key, uint64_t target), void *context)
{
	const struct input_choice *c = r->choice;
	for (uint32_t set = 0; c && set < c->set_count; set++)
		for (uint32_t i = 0; i <= INPUT_TARGETS; i++)
			if (c->masks[set] >> i & 1)
				put(context, input_set_key(r->key, set + 1), i < INPUT_TARGETS ? c->targets[i] : INPUT_OTHER_TARGETS);
}

void input_choice_tell(const struct input_routines *routines, const struct input_routine *r)
{
	for (uint32_t set = 0; r->choice && set < r->choice->set_count; set++)
		tell(routines, r, set + 1, r->choice->masks[set]);
}
