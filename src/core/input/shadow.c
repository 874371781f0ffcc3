/* SPDX-License-Identifier: MIT */
/* shadow.c: a tree of worlds for all, a table of chunks for each thread.
 *
 * Problem: an access needs its thread's stamp at once; shared data is needed rarely, but by all threads at the same
 * time; ten thousand threads must not pay for tables that are nearly empty.
 * Idea: each thread has a hash table of its chunks, with a small direct-mapped table in front, so its cost is in
 * proportion to its use. A chunk knows its world, so the tree of worlds is walked when a chunk is made and when a
 * range is forgotten, not when memory is accessed. The tree grows by compare-and-swap: the thread that is second
 * frees its node.
 * Differs from the paper (section 5), where every thread has three levels of tables, and memory that is given back keeps its stamps. */
#include "core/input/shadow.h"

enum { LEVELS = 3, LEVEL_LOG2 = 13, LEVEL = 1 << LEVEL_LOG2 };
#define NUMBERS (UINT64_C(1) << (LEVELS * LEVEL_LOG2))

void input_shadow_start(struct input_shadow *shadow, const struct input_port *port, unsigned cell_log2, size_t chunk_bytes,
                        size_t world_bytes)
{
	*shadow = (struct input_shadow){.port = port, .cell_log2 = cell_log2, .chunk_bytes = chunk_bytes, .world_bytes = world_bytes};
}

void input_lane_start(struct input_lane *lane)
{
	*lane = (struct input_lane){0};
	for (uint32_t i = 0; i < INPUT_FRONT; i++)
		lane->front[i].number = INPUT_NOWHERE;
}

/* What *place points at; allocated with `bytes` bytes if missing. */
static void *at_place(struct input_shadow *shadow, void **place, size_t bytes)
{
	void *there = __atomic_load_n(place, __ATOMIC_ACQUIRE);
	if (there)
		return there;
	void *fresh = shadow->port->take(shadow->port->context, bytes);
	if (!fresh || __atomic_compare_exchange_n(place, &there, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return fresh;
	shadow->port->give(shadow->port->context, fresh, bytes);
	return there;
}

struct input_world *input_world_at(struct input_shadow *shadow, uint64_t number)
{
	if (number >= NUMBERS)
		return NULL;
	void **place = (void **)&shadow->root;
	for (int level = LEVELS - 1; level >= 0; level--) {
		void **node = at_place(shadow, place, LEVEL * sizeof *node);
		if (!node)
			return NULL;
		place = &node[number >> (level * LEVEL_LOG2) & (LEVEL - 1)];
	}
	return at_place(shadow, place, shadow->world_bytes);
}

struct input_world *input_world_next(const struct input_shadow *shadow, uint64_t *number, uint64_t last)
{
	for (uint64_t n = *number; n <= last && n < NUMBERS;) {
		void *node = __atomic_load_n((void **)&shadow->root, __ATOMIC_ACQUIRE);
		int level = LEVELS;
		while (node && level--)
			node = __atomic_load_n(&((void **)node)[n >> (level * LEVEL_LOG2) & (LEVEL - 1)], __ATOMIC_ACQUIRE);
		if (node) {
			*number = n;
			return node;
		}
		n = ((n >> (level * LEVEL_LOG2)) + 1) << (level * LEVEL_LOG2); /* skip everything below */
	}
	return NULL;
}

static struct input_chunk *find(const struct input_lane *lane, uint64_t number)
{
	const uint64_t *value = input_map_find(&lane->chunks, number);
	return value ? (struct input_chunk *)(uintptr_t)*value : NULL;
}

static struct input_chunk *make(struct input_shadow *shadow, struct input_lane *lane, uint64_t number)
{
	struct input_world *world = input_world_at(shadow, number);
	struct input_chunk *chunk = world ? shadow->port->take(shadow->port->context, shadow->chunk_bytes) : NULL;
	if (!chunk)
		return NULL;
	uint64_t *value = input_map_put(&lane->chunks, shadow->port, number);
	if (!value) {
		shadow->port->give(shadow->port->context, chunk, shadow->chunk_bytes);
		return NULL;
	}
	*value = (uint64_t)(uintptr_t)chunk;
	chunk->number = number;
	chunk->world = world;
	chunk->lane = lane;
	chunk->next = __atomic_load_n(&world->chunks, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&world->chunks, &chunk->next, chunk, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return chunk;
}

struct input_chunk *input_chunk_make(struct input_shadow *shadow, struct input_lane *lane, uint64_t number)
{
	struct input_chunk *chunk = find(lane, number);
	if (!chunk && !(chunk = make(shadow, lane, number)))
		return NULL;
	uint32_t at = input_front_at(number);
	lane->front[at].number = number;
	lane->front[at].chunk = chunk;
	return chunk;
}

void input_world_forget(struct input_world *world, uint32_t from, uint32_t count)
{
	for (struct input_chunk *c = __atomic_load_n(&world->chunks, __ATOMIC_ACQUIRE); c; c = c->next)
		__builtin_memset(&c->stamps[from], 0, count * sizeof *c->stamps);
}

void input_world_drop(const struct input_shadow *shadow, struct input_world *world)
{
	struct input_chunk *next;
	for (struct input_chunk *c = world->chunks; c; c = next) {
		uint32_t at = input_front_at(c->number);
		if (c->lane->front[at].chunk == c)
			c->lane->front[at].number = INPUT_NOWHERE;
		input_map_remove(&c->lane->chunks, c->number);
		next = c->next;
		shadow->port->give(shadow->port->context, c, shadow->chunk_bytes);
	}
	world->chunks = NULL;
}
