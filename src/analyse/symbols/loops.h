/* SPDX-License-Identifier: MIT */
/* loops.h: the loops of a routine, from its machine code.
 *
 *     struct loops l;
 *     loops_find(&l, code, address, bytes);                       x86-64 code at that address; not copied
 *     for (uint32_t i = loops_at(&l, ip); i != LOOPS_NONE; i = l.loops[i].parent) …      innermost first
 *     loops_free(&l);
 *
 * A loop is a natural loop of the control-flow graph. Code of more than LOOPS_LARGEST bytes has none. The targets of
 * a jump through a table are not read from the table: code that nothing else leads to is taken as its targets
 * (loops_code.h). Bytes that are not instructions are skipped. */
#ifndef SKEIN_LOOPS_H
#define SKEIN_LOOPS_H

#include "analyse/symbols/loops_graph.h"

enum { LOOPS_LARGEST = 1 << 20 };

struct loops_loop {
	uint64_t head;                     /* address of the block through which every entry into the loop leads */
	uint32_t parent;                   /* the loop around it, or LOOPS_NONE */
	uint32_t first_latch, latch_count; /* in branches: those that go back to the head */
	uint32_t first_exit, exit_count;   /* in branches: conditional ones that may leave the loop */
};

/* Straight code; blocks are sorted and cover everything. A loop is the blocks that are in it or in a loop inside it. */
struct loops_block {
	uint64_t low, high;
	uint32_t loop; /* the innermost loop around the block, or LOOPS_NONE */
};

struct loops {
	struct loops_loop *loops; /* an inner loop comes before the one around it */
	size_t loop_count;
	struct loops_block *blocks;
	size_t block_count;
	uint64_t *branches; /* addresses of instructions */
	size_t branch_count;
};

void loops_find(struct loops *l, const unsigned char *code, uint64_t address, size_t bytes);
uint32_t loops_at(const struct loops *l, uint64_t address); /* the innermost loop around the address, or LOOPS_NONE */
void loops_free(struct loops *l);

#endif
