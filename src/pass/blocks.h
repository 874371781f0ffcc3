/* SPDX-License-Identifier: MIT */
/* blocks.h: the blocks of a function by number, as long as none is added or taken away.
 *
 *     struct blocks b;
 *     blocks_begin(&b, function);
 *     size_t entry = blocks_number(&b, LLVMGetEntryBasicBlock(function));   0: they are in the function's order
 *     … b.at[entry] …
 *     blocks_end(&b);
 */
#ifndef SKEIN_PASS_BLOCKS_H
#define SKEIN_PASS_BLOCKS_H

#include "pass/pass.h"

struct block_place {
	LLVMBasicBlockRef block;
	size_t number;
};

struct blocks {
	LLVMBasicBlockRef *at;
	size_t count;
	struct block_place *places; /* sorted by address */
};

void blocks_begin(struct blocks *b, LLVMValueRef function);
void blocks_end(struct blocks *b);
size_t blocks_number(const struct blocks *b, LLVMBasicBlockRef block); /* the block must be in the list */

#endif
