/* SPDX-License-Identifier: MIT */
/* shadow.h: the state of each memory cell: one per thread, and one that all threads share.
 *
 * Addresses are divided into cells of 2^cell_log2 bytes (1, 2, 4, 8 or 16), and these into chunks of INPUT_CELLS cells.
 * A thread has its own chunk wherever it has accessed memory, with a stamp for each cell: the time of the thread's
 * last access. All chunks of one number are linked in a *world*, where writes are noted for all threads. Each form
 * of the algorithm defines the rest of a world; this header has its head only.
 *
 *     struct input_chunk *c = input_chunk_at(shadow, &lane, cell / INPUT_CELLS);     made if missing; NULL: no memory
 *     c->stamps[cell % INPUT_CELLS]
 *
 * Chunks and worlds stay, unless they are dropped: a thread that takes over the lane of another one takes over its
 * chunks, and tells by their age which stamps are not its own. Any number of threads may use worlds at once; a lane
 * belongs to its thread. */
#ifndef SKEIN_CORE_INPUT_SHADOW_H
#define SKEIN_CORE_INPUT_SHADOW_H

#include <stdbool.h>
#include "core/input/map.h"

#ifndef INPUT_CELLS_LOG2 /* large, for memory from the kernel, where untouched pages cost nothing */
#define INPUT_CELLS_LOG2 14
#endif
#define INPUT_CELLS (1u << INPUT_CELLS_LOG2)
#ifndef INPUT_FRONT_LOG2
#define INPUT_FRONT_LOG2 9
#endif
#define INPUT_FRONT (1u << INPUT_FRONT_LOG2)
#define INPUT_NOWHERE UINT64_MAX /* a number that no chunk has */

struct input_world;

struct input_chunk {
	uint64_t number;
	struct input_world *world;
	struct input_chunk *next; /* the chunk of another lane with the same number */
	struct input_lane *lane;
	uint32_t stamps[INPUT_CELLS]; /* 0: never accessed; the form may have more fields behind */
};

struct input_world {
	struct input_chunk *chunks; /* atomic; grows at its head */
};

/* A thread's chunks, and in front a table of those used last. */
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

/* The first world from *number up to and including `last`; *number becomes its number. NULL: none. */
struct input_world *input_world_next(const struct input_shadow *shadow, uint64_t *number, uint64_t last);
struct input_world *input_world_at(struct input_shadow *shadow, uint64_t number); /* made if missing; NULL: no memory */

/* Resets cells [from, from + count) of the world, as if no thread had accessed them. No thread may access them
 * meanwhile. */
void input_world_forget(struct input_world *world, uint32_t from, uint32_t count);
/* Frees all chunks of a world and their memory, while no other thread runs. */
void input_world_drop(const struct input_shadow *shadow, struct input_world *world);

struct input_chunk *input_chunk_make(struct input_shadow *shadow, struct input_lane *lane, uint64_t number);

/* Arrays often lie a power of two apart: two places at equal offsets must not evict each other from the front. */
static inline uint32_t input_front_at(uint64_t number)
{
	return (uint32_t)(number ^ number >> INPUT_FRONT_LOG2) & (INPUT_FRONT - 1);
}

static inline struct input_chunk *input_chunk_at(struct input_shadow *shadow, struct input_lane *lane, uint64_t number)
{
	uint32_t at = input_front_at(number);
	return lane->front[at].number == number ? lane->front[at].chunk : input_chunk_make(shadow, lane, number);
}

/* Divides a range into pieces of one chunk each: cells [*from, *from + *count) of chunk *number; false: nothing is
 * left. */
struct input_range {
	uint64_t cell, end; /* cells that were not yet returned */
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

/* The cells that lie wholly inside the range. */
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
