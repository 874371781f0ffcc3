/* SPDX-License-Identifier: MIT */
/* span_early.c: where in a routine has nothing been called yet?
 *
 * A routine that measures itself must know the row of its caller's site, which stands in its lane until it calls something
 * itself. A quick way out (the base case of a recursion) can read it at the end; only what calls has to keep it, and with
 * it a register that would be saved and restored on the quick way too. */
#include "pass/span.h"

#include <stdlib.h>

struct block {
	LLVMBasicBlockRef block;
	size_t index; /* in the caller's order */
};

static int by_address(const void *a, const void *b)
{
	LLVMBasicBlockRef x = ((const struct block *)a)->block, y = ((const struct block *)b)->block;
	return x < y ? -1 : x > y;
}

enum { REACHED = 1, MAY = 2, MUST = 4 }; /* have called before the block begins, on some way to it, on all */

static unsigned char meet(unsigned char in, unsigned char out)
{
	if (!(in & REACHED))
		return out;
	return (unsigned char)(REACHED | ((in | out) & MAY) | (in & out & MUST));
}

/* Fills early[]; false if some block with calls, or some way out, is reached both before and after a call. */
bool span_early(const LLVMBasicBlockRef *blocks, size_t count, const bool *calls, bool *early)
{
	struct block *sorted = malloc((count + 1) * sizeof *sorted);
	unsigned char *state = calloc(count + 1, 1);
	bool changed = true, clear = true;
	if (!sorted || !state)
		pass_fail("no memory left");
	for (size_t i = 0; i < count; i++)
		sorted[i] = (struct block){blocks[i], i};
	qsort(sorted, count, sizeof *sorted, by_address);
	state[0] = REACHED;
	while (changed) {
		changed = false;
		for (size_t i = 0; i < count; i++) {
			LLVMValueRef last = LLVMGetBasicBlockTerminator(blocks[i]);
			unsigned char out = calls[i] ? REACHED | MAY | MUST : state[i];
			for (unsigned k = 0; last && state[i] && k < LLVMGetNumSuccessors(last); k++) {
				struct block key = {.block = LLVMGetSuccessor(last, k)}, *to = bsearch(&key, sorted, count, sizeof *sorted, by_address);
				unsigned char in = meet(state[to->index], out);
				changed |= in != state[to->index];
				state[to->index] = in;
			}
		}
	}
	for (size_t i = 0; i < count; i++) {
		bool mixed = (state[i] & MAY) && !(state[i] & MUST);
		early[i] = !(state[i] & MAY);
		clear &= !mixed || (!calls[i] && !edit_leaves_at(blocks[i]));
	}
	free(sorted);
	free(state);
	return clear;
}
