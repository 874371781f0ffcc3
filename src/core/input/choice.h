/* SPDX-License-Identifier: MIT */
/* choice.h: which functions an activation called through a pointer.
 *
 * A routine that is given a function, such as a sort with a comparison or an interpreter with its operations, costs what
 * that function costs: activations with different functions are not one curve. So a frame has the set of functions that
 * its activation called through pointers, itself or by a library, and activations of different sets have points of their
 * own. The routine's own points are those of activations that called none. Those that called its first such function alone
 * are as quick to count (input_routine.only), so that a routine with one function behind its pointer pays next to nothing.
 *
 *     input_choose(&t->routines, frame, target);     the activation of the frame has called this one; target: its key
 *     …
 *     input_choice_points(&t->routines, frame);      where the activation counts; in input_collect
 *
 * The points of a set have the routine's key with the number of the set in it (input_set_key). A routine has
 * INPUT_TARGETS functions, further ones are INPUT_OTHER_TARGETS, and INPUT_SETS sets, of which the last has all
 * activations with further sets. The routine itself has set 0. */
#ifndef SKEIN_CORE_INPUT_CHOICE_H
#define SKEIN_CORE_INPUT_CHOICE_H

#include "core/input/input.h"

enum { INPUT_TARGETS = 15, INPUT_SETS = 8 };
#define INPUT_OTHER_TARGETS UINT64_MAX
#define INPUT_SET_SHIFT 40 /* keys are numbers of routines or contexts, or places of a file below 2^40 bytes */
#define INPUT_SET_BITS (UINT64_C(0xff) << INPUT_SET_SHIFT)

struct input_choice {
	uint32_t target_count, set_count;
	uint64_t targets[INPUT_TARGETS];
	uint32_t masks[INPUT_SETS]; /* 1 << the number of a target, for each that is in the set */
	struct input_routine *points[INPUT_SETS];
};

static inline uint64_t input_set_key(uint64_t key, uint32_t set)
{
	return key | (uint64_t)set << INPUT_SET_SHIFT;
}

static inline uint64_t input_key_of_set(uint64_t key) /* the routine's key */
{
	return key & ~INPUT_SET_BITS;
}

/* Calls `put` with the key and one target, for each target of each set of the routine. */
void input_choice_rows(const struct input_routine *routine, void (*put)(void *context, uint64_t key, uint64_t target), void *context);
void input_choice_tell(const struct input_routines *routines,
                       const struct input_routine *routine); /* the shelf is told all of these again */
void input_choose_other(struct input_routines *routines, struct input_frame *frame, uint64_t target);
struct input_routine *input_choice_points(struct input_routines *routines, const struct input_frame *frame);

INPUT_INLINE void input_choose(struct input_routines *routines, struct input_frame *frame, uint64_t target)
{
	const struct input_routine *r = frame->routine;
	if (INPUT_RARELY(!r || r->target != target))
		input_choose_other(routines, frame, target);
	else
		frame->chosen |= r->target_bit;
}

#endif
