/* SPDX-License-Identifier: MIT */
/* shadow.h: what is known of each memory cell: by each thread, and by all.
 *
 * Addresses are divided into cells of 2^cell_log2 bytes (1, 2, 4, 8 or 16), and these into chunks of INPUT_CELLS cells.
 * A thread has a chunk of its own wherever it has accessed memory, with a stamp for each cell: when the thread accessed
 * it last. All chunks of one number hang together in a *world*, where writes are noted for everybody; what a world
 * looks like is up to the form of the algorithm, here it has a head only.
 *
 *     struct input_chunk *c = input_chunk_at(shadow, &lane, cell / INPUT_CELLS);     made when it is missing; NULL: no memory
 *     c->stamps[cell % INPUT_CELLS]
 *
 * Chunks and worlds stay, unless they are dropped: a thread that takes over the lane of another one takes over its
 * chunks, and tells by their age which stamps are not its own. Of worlds any number of threads may ask at once; a lane
 * belongs to its thread. */
#ifndef SKEIN_CORE_INPUT_SHADOW_H
#define SKEIN_CORE_INPUT_SHADOW_H

#include <stdbool.h>
#include "core/input/map.h"

#ifndef INPUT_CELLS_LOG2 /* large, where memory is the kernel's and pages that nobody touches cost nothing */
#define INPUT_CELLS_LOG2 14
#endif
#define INPUT_CELLS (1u << INPUT_CELLS_LOG2)
#ifndef INPUT_FRONT
#define INPUT_FRONT 512u
#endif
#define INPUT_NOWHERE UINT64_MAX /* the number of no chunk */

struct input_world;

struct input_chunk {
	uint64_t number;
	struct input_world *world;
	struct input_chunk *next; /* of the same number, another lane's */
	struct input_lane *lane;
	uint32_t stamps[INPUT_CELLS]; /* 0: never; more may follow that belongs to the form */
};

struct input_world {
	struct input_chunk *chunks; /* atomic; grows at its head */
};

/* A thread's chunks, in front of them those that it used last. */
struct input_lane {
	struct {
		uint64_t number;
		struct input_chunk *chunk;
	} front[INPUT_FRONT];
	struct input_map chunks;
};

struct input_shadow {
	const struct input_port *port;
	uint64_t **root; /* atomic: the tree of worlds */
	size_t chunk_bytes, world_bytes;
	unsigned cell_log2;
};

void input_shadow_start(struct input_shadow *shadow, const struct input_port *port, unsigned cell_log2, size_t chunk_bytes,
                        size_t world_bytes);
void input_lane_start(struct input_lane *lane);

/* The first world from *number on, which becomes its number, up to and with `last`; NULL: none. */
struct input_world *input_world_next(const struct input_shadow *shadow, uint64_t *number, uint64_t last);
struct input_world *input_world_at(struct input_shadow *shadow, uint64_t number); /* made when it is missing; NULL: no memory */

/* No thread has ever accessed cells [from, from + count) of the world. Nobody may access them at this time. */
void input_world_forget(struct input_world *world, uint32_t from, uint32_t count);
/* all of them, and the memory: while no other thread runs */
void input_world_drop(const struct input_shadow *shadow, struct input_world *world);

struct input_chunk *input_chunk_make(struct input_shadow *shadow, struct input_lane *lane, uint64_t number);

static inline struct input_chunk *input_chunk_at(struct input_shadow *shadow, struct input_lane *lane, uint64_t number)
{
	uint32_t at = (uint32_t)number & (INPUT_FRONT - 1);
	return lane->front[at].number == number ? lane->front[at].chunk : input_chunk_make(shadow, lane, number);
}

/* For a call with each piece of a range that lies in one chunk: cells [*from, *from + *count) of chunk *number; false:
 * nothing is left of it. */
struct input_range {
	uint64_t cell, end; /* not yet given out */
};

static inline struct input_range input_range_of(unsigned cell_log2, uint64_t address, uint64_t bytes)
{
	uint64_t last = address > UINT64_MAX - bytes ? UINT64_MAX : address + bytes - 1;
	return bytes ? (struct input_range){address >> cell_log2, (last >> cell_log2) + 1} : (struct input_range){0, 0};
}

static inline bool input_range_next(struct input_range *range, uint64_t *number, uint32_t *from, uint32_t *count)
{
	if (range->cell >= range->end)
		return false;
	*number = range->cell >> INPUT_CELLS_LOG2;
	*from = (uint32_t)(range->cell & (INPUT_CELLS - 1));
	uint64_t left = range->end - range->cell;
	*count = left < INPUT_CELLS - *from ? (uint32_t)left : INPUT_CELLS - *from;
	range->cell += *count;
	return true;
}

/* The cells that lie wholly in it. */
static inline struct input_range input_range_inside(unsigned cell_log2, uint64_t address, uint64_t bytes)
{
	uint64_t end = address > UINT64_MAX - bytes ? UINT64_MAX : address + bytes;
	uint64_t first = address ? ((address - 1) >> cell_log2) + 1 : 0;
	return (struct input_range){first, end >> cell_log2};
}

/* How many cells of the range are in that chunk, from *from on: the chunk has at least one of them. */
static inline uint32_t input_range_in(const struct input_range *range, uint64_t number, uint32_t *from)
{
	uint64_t first = number << INPUT_CELLS_LOG2;
	*from = range->cell > first ? (uint32_t)(range->cell - first) : 0;
	uint64_t end = range->end - first;
	return (end < INPUT_CELLS ? (uint32_t)end : INPUT_CELLS) - *from;
}

#endif
