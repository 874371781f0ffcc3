/* SPDX-License-Identifier: MIT */
/* memory.c: memory for shadows: thousands of blocks of a few pages, which stay.
 *
 * The arena would round them up to a power of two, and clear them; here they are cut from untouched mappings. Freed
 * blocks go to the arena; a block that two threads made at once, so that one is superfluous, is lost. */
#include "rt/input/input.h"

#include "threads/arena.h"

enum { SLAB_BYTES = 4 << 20, ALIGNMENT = 64 };

struct slab {
	_Alignas(ALIGNMENT) _Atomic uint64_t used;
};

static _Atomic(struct slab *) current;

static bool is_cut(size_t bytes)
{
	return bytes == sizeof(struct input_concurrent_chunk) || bytes == sizeof(struct input_concurrent_world);
}

static void *cut(struct slab *slab, size_t bytes)
{
	uint64_t at = sizeof *slab + atomic_fetch_add_explicit(&slab->used, bytes, memory_order_relaxed);
	return at + bytes <= SLAB_BYTES ? (char *)slab + at : NULL;
}

static void *take(void *context, size_t bytes)
{
	(void)context;
	if (!is_cut(bytes))
		return arena_take(bytes);
	bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	for (;;) {
		struct slab *slab = atomic_load(&current);
		void *block = slab ? cut(slab, bytes) : NULL;
		if (block)
			return block;
		struct slab *fresh = arena_take(SLAB_BYTES);
		if (!fresh)
			return NULL;
		if (!atomic_compare_exchange_strong(&current, &slab, fresh))
			arena_give(fresh, SLAB_BYTES);
	}
}

static void give(void *context, void *block, size_t bytes)
{
	(void)context;
	if (!is_cut(bytes))
		arena_give(block, bytes);
}

const struct input_port input_memory = {.take = take, .give = give};
