/* SPDX-License-Identifier: MIT */
/* blocks.c: the blocks of a function by number. LLVM-C has no way from a block to its place but a walk over all. */
#include "pass/blocks.h"

#include <stdlib.h>

static int by_address(const void *a, const void *b)
{
	LLVMBasicBlockRef x = ((const struct block_place *)a)->block, y = ((const struct block_place *)b)->block;
	return x < y ? -1 : x > y;
}

void blocks_begin(struct blocks *b, LLVMValueRef function)
{
	pass_is_at(function);
	b->count = LLVMCountBasicBlocks(function);
	b->at = pass_zeroed(b->count, sizeof *b->at);
	b->places = pass_zeroed(b->count, sizeof *b->places);
	LLVMGetBasicBlocks(function, b->at);
	for (size_t i = 0; i < b->count; i++)
		b->places[i] = (struct block_place){b->at[i], i};
	qsort(b->places, b->count, sizeof *b->places, by_address);
}

void blocks_end(struct blocks *b)
{
	free(b->at);
	free(b->places);
}

size_t blocks_number(const struct blocks *b, LLVMBasicBlockRef block)
{
	struct block_place key = {.block = block};
	return ((const struct block_place *)bsearch(&key, b->places, b->count, sizeof key, by_address))->number;
}
