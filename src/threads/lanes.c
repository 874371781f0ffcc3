/* SPDX-License-Identifier: MIT */
/* lanes.c: a free list of small numbers.
 *
 * Problem: lane numbers must stay small and be reused in O(1) while threads come and go at once; readers walk all
 * lanes without a lock; there is no fixed maximum.
 * Idea: a Treiber stack of freed lanes, its head a number with a tag against ABA; a fresh number when it is empty.
 * The lanes lie in chunks that double in size, so lane_at is a shift and two loads, and no lane ever moves.
 * Cost: one compare-and-swap each way. Differs from cprof (section 4.1.3), whose CEs are fixed at eight. */
#include "threads/lanes.h"
#include <stddef.h>
#include "raw/writer.h"
#include "threads/arena.h"

#define FIRST_SHIFT 5 /* lanes in the first chunk: 32 */
#define CHUNKS 17     /* 4,194,272 lanes: as many threads as a Linux system can have */
#define LANES_MAX ((1u << (FIRST_SHIFT + CHUNKS)) - (1u << FIRST_SHIFT))

static struct {
	_Atomic uint64_t free_list; /* low half: number + 1 of the top lane, 0 for none; high half: the tag */
	atomic_uint count;
	_Atomic(struct lane *) chunks[CHUNKS];
} lanes;

/* The shared record of lanes whose own record could not be added: written by all of them, never read. */
static struct raw_lane unrecorded;

unsigned lane_count(void)
{
	return atomic_load_explicit(&lanes.count, memory_order_acquire);
}

/* Chunk c begins at number (2^c - 1) * 32: adding 32 to a number makes its highest bit tell the chunk. */
static unsigned chunk_of(unsigned number)
{
	return 31 - (unsigned)__builtin_clz(number + (1u << FIRST_SHIFT)) - FIRST_SHIFT;
}

struct lane *lane_at(unsigned number)
{
	unsigned c = chunk_of(number);
	struct lane *chunk = atomic_load_explicit(&lanes.chunks[c], memory_order_acquire);

	return &chunk[number + (1u << FIRST_SHIFT) - (1u << (FIRST_SHIFT + c))];
}

static bool ensure_chunk(unsigned c)
{
	size_t bytes = sizeof(struct lane) << (FIRST_SHIFT + c);

	if (atomic_load_explicit(&lanes.chunks[c], memory_order_acquire))
		return true;
	struct lane *none = NULL, *chunk = arena_take(bytes);
	if (chunk && !atomic_compare_exchange_strong(&lanes.chunks[c], &none, chunk))
		arena_give(chunk, bytes);
	return chunk || none;
}

/* The number is published only when its lane can be looked at. */
static struct lane *fresh(void)
{
	unsigned number = atomic_load(&lanes.count);

	do {
		if (number >= LANES_MAX || !ensure_chunk(chunk_of(number)))
			return NULL;
	} while (!atomic_compare_exchange_weak(&lanes.count, &number, number + 1));
	lane_at(number)->number = number;
	return lane_at(number);
}

static struct lane *reuse(void)
{
	uint64_t head = atomic_load_explicit(&lanes.free_list, memory_order_acquire);

	while ((uint32_t)head) {
		struct lane *lane = lane_at((uint32_t)head - 1);
		uint64_t tag = (head >> 32) + 1;
		if (atomic_compare_exchange_weak_explicit(&lanes.free_list, &head, tag << 32 | atomic_load(&lane->next_free),
		                                          memory_order_acquire, memory_order_acquire))
			return lane;
	}
	return NULL;
}

static void add_record(struct lane *lane)
{
	struct raw_lane *record = raw_add(RAW_PENDING, sizeof *record);

	if (record) {
		record->lane = lane->number;
		raw_done(&record->record, RAW_LANE);
	}
	lane->record = record ? record : &unrecorded;
}

struct lane *lane_take(void)
{
	struct lane *lane = reuse();

	if (!lane)
		lane = fresh();
	if (!lane)
		return NULL;
	if (!lane->record)
		add_record(lane);
	lane->record->threads++;
	return lane;
}

void lane_give(struct lane *lane)
{
	uint64_t head = atomic_load_explicit(&lanes.free_list, memory_order_relaxed);

	do
		atomic_store(&lane->next_free, (uint32_t)head);
	while (!atomic_compare_exchange_weak_explicit(&lanes.free_list, &head, (head >> 32) << 32 | (lane->number + 1),
	                                              memory_order_release, memory_order_relaxed));
}

struct lane *lanes_restart(void)
{
	for (unsigned i = lane_count(); i-- > 0;) {
		struct lane *lane = lane_at(i);
		atomic_store(&lane->working, 0);
		atomic_store(&lane->alive, 0);
		atomic_store(&lane->wait_from, 0);
		atomic_store(&lane->self, NULL);
		atomic_store(&lane->thread, NULL);
		lane->record = NULL;
		lane->shared = NULL;
	}
	atomic_store(&lanes.free_list, 0);
	atomic_store(&lanes.count, 0);
	return lane_take();
}
