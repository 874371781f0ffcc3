/* SPDX-License-Identifier: MIT */
/* stacks.h: from the registers and the stack of a thread to a node of the calling-context tree, and what the thread waits for.
 *
 *     struct stacks s;
 *     stacks_open(&s);                                     behind files_open
 *     uint32_t node = stacks_node(&s, &record, &whole);    0: no room
 *     node = stacks_wait(&s, &record, &why_waits);         of a thread that is about to wait: where, and for what (account.h)
 *     stacks_close(&s);
 *
 * Frames of an OpenMP runtime are only physical, as in the sampler; where another thread was created is not known from outside. The kind
 * of a wait is known by the function of the C library that the thread is in, and the path of the wait ends there. */
#ifndef SKEIN_RUN_ATTACH_STACKS_H
#define SKEIN_RUN_ATTACH_STACKS_H

#include "base/map.h"
#include "core/idle/lcct.h"
#include "run/attach/look.h"

enum { STACKS_FRAMES = 4096 };

struct stacks_rows {
	uint32_t first, count, used;
	struct lcct_node *rows;
};

struct stacks {
	struct lcct *tree;
	struct stacks_rows **rows; /* all of the tree, in pieces */
	size_t row_count, row_room;
	void **blocks;
	size_t block_count, block_room;
	struct unwind_cache *cache;
	struct map symbols; /* by number of module */
	struct map kinds;   /* by place: what a function waits for, + 1; those that are not known are KIND_NONE */
	uint64_t *places;   /* of the walk, innermost first */
	size_t count;
	struct lcct_x *path;
};

void stacks_open(struct stacks *s);
void stacks_close(struct stacks *s);
uint32_t stacks_node(struct stacks *s, const struct look_record *record, bool *whole);
uint32_t stacks_wait(struct stacks *s, const struct look_record *record, uint32_t *why);
/* The same of a thread of which only the stack pointer and the code address are known. */
uint32_t stacks_wait_of(struct stacks *s, const struct look_record *record, uint32_t *why);

#endif
