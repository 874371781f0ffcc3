/* SPDX-License-Identifier: MIT */
/* early.c: where in a routine has nothing been called yet?
 *
 * A routine that measures itself must know the row of its caller's site, which stands in its lane until it calls something
 * itself. A quick way out (the base case of a recursion) can read it at the end; only what calls has to keep it, and with
 * it a register that would be saved and restored on the quick way too. */
#include "pass/span/span.h"

#include <stdlib.h>

enum { REACHED = 1, MAY = 2, MUST = 4 }; /* have called before the block begins, on some way to it, on all */

static unsigned char meet(unsigned char in, unsigned char out)
{
	if (!(in & REACHED))
		return out;
	return (unsigned char)(REACHED | ((in | out) & MAY) | (in & out & MUST));
}

/* Fills early[]; false if some block with calls, or some way out, is reached both before and after a call. */
bool span_early(const struct blocks *b, const bool *calls, bool *early)
{
	unsigned char *state = pass_zeroed(b->count, 1);
	bool changed = true, clear = true;
	state[0] = REACHED;
	while (changed) {
		changed = false;
		for (size_t i = 0; i < b->count; i++) {
			LLVMValueRef last = LLVMGetBasicBlockTerminator(b->at[i]);
			unsigned char out = calls[i] ? REACHED | MAY | MUST : state[i];
			for (unsigned k = 0; last && state[i] && k < LLVMGetNumSuccessors(last); k++) {
				size_t to = blocks_number(b, LLVMGetSuccessor(last, k));
				unsigned char in = meet(state[to], out);
				changed |= in != state[to];
				state[to] = in;
			}
		}
	}
	for (size_t i = 0; i < b->count; i++) {
		bool mixed = (state[i] & MAY) && !(state[i] & MUST);
		early[i] = !(state[i] & MAY);
		clear &= !mixed || (!calls[i] && !edit_leaves_at(b->at[i]));
	}
	free(state);
	return clear;
}
