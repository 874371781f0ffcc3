/* SPDX-License-Identifier: MIT */
/* memory.c: memory for shadows: thousands of blocks of a few pages, which stay; and for points, in the recording.
 *
 * The arena would round them up to a power of two, and clear them; here they are cut from untouched mappings. Freed
 * blocks go to the arena; a block that two threads made at once, so that one is superfluous, is lost.
 *
 * Points lie in tables of the recording, so that a process that is killed has lost none. */
#include "rt/input/input.h"

#include "raw/input_rows.h"
#include "raw/writer.h"
#include "threads/arena.h"

enum { SLAB_BYTES = 4 << 20, ALIGNMENT = 64, SETS_ROOM = 32 };

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

static struct input_point *take_rows(void *context, uint32_t room)
{
	(void)context;
	struct raw_table *table = raw_add_table(RAW_INPUT_POINTS, skein_self.lane ? skein_self.lane->number : RAW_NO_LANE, 0, room);
	return table ? raw_rows(table) : NULL;
}

static void show_rows(void *context, struct input_point *rows, uint32_t count)
{
	(void)context;
	__atomic_store_n(&((struct raw_table *)(void *)rows)[-1].used, count, __ATOMIC_RELEASE);
}

/* Which functions are in a set is known at once, too. */
static void tell_set(void *context, uint64_t key, uint32_t reader, uint64_t target)
{
	struct rt_input *w = input_worker(skein_self.lane);
	struct raw_table *table = w ? w->sets : NULL;
	(void)context;
	if (!table || table->used == table->capacity)
		table = raw_add_table(RAW_INPUT_SETS, skein_self.lane ? skein_self.lane->number : RAW_NO_LANE, 0, SETS_ROOM);
	if (w)
		w->sets = table;
	if (!table)
		return;
	((struct raw_input_set *)raw_rows(table))[table->used] = (struct raw_input_set){.routine = key, .target = target, .thread = reader};
	__atomic_store_n(&table->used, table->used + 1, __ATOMIC_RELEASE);
}

static const struct input_shelf shelf = {take_rows, show_rows, tell_set};
const struct input_port input_memory = {.take = take, .give = give, .shelf = &shelf};
