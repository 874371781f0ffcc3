/* SPDX-License-Identifier: MIT */
/* loops_code.h: the control-flow graph of x86-64 machine code.
 *
 *     struct loops_code c;
 *     loops_code_read(&c, code, address, bytes);      at most 4 GB
 *     c.blocks[i].low, c.blocks[i].high               of block i, which goes on to c.to[c.first[i]] … c.to[c.first[i + 1] - 1]
 *     loops_code_free(&c);
 *
 * The targets of a jump through a table are not read from the table. Tables that seem to lead to the same places
 * share a node that is not a block, which leads to those places. */
#ifndef SKEIN_LOOPS_CODE_H
#define SKEIN_LOOPS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOPS_NONE 0xffffffffu

enum loops_flow { LOOPS_ON, LOOPS_BRANCH, LOOPS_JUMP, LOOPS_TABLE, LOOPS_STOP };

struct loops_code_block {
	uint64_t low, high;
	uint64_t branch;      /* address of the instruction that ends the block; its last byte if none does */
	enum loops_flow flow; /* how the block ends */
	bool works;           /* the block is more than padding */
	uint32_t target;      /* the block that a branch or jump leads to; LOOPS_NONE: elsewhere */
};

struct loops_code {
	struct loops_code_block *blocks; /* sorted; together they cover all code */
	uint32_t count;                  /* number of blocks */
	uint32_t node_count;             /* number of blocks and, behind them, nodes that are not blocks */
	uint32_t *first, *to;            /* the edges, by node */
	size_t edge_count, edge_room;
	uint64_t *table_branches; /* for nodes that are not blocks, by node - count: the jump that leads to the node */
};

void loops_code_read(struct loops_code *c, const unsigned char *code, uint64_t address, size_t bytes);
void loops_code_free(struct loops_code *c);
bool loops_code_falls_through(const struct loops_code *c, uint32_t block);

/* By block: the group of tables that leads to an orphan, or LOOPS_NONE; for a block that ends in such a jump, in `led`,
 * the group that it is of. Groups are numbered from 0; returns how many there are (loops_tables.c). Both arrays are the
 * caller's to free. */
uint32_t loops_tables_group(const struct loops_code *c, uint32_t **led, uint32_t **leads);

#endif
