/* SPDX-License-Identifier: MIT */
/* arena.c: free lists without locks, one per power of two.
 *
 * Problem: a task is created every hundred nanoseconds, by any thread, perhaps in a signal handler that interrupted
 * this very code, perhaps just before a fork.
 * Idea: each free list is a Treiber stack. Its head is one word: the block's address and, in the bits that an
 * aligned address leaves free, a tag that grows with each pop, so that a block which was popped and pushed
 * again between the load and the exchange is noticed (the ABA problem). A fresh block is cut from the current chunk
 * by one atomic addition.
 * What one thread takes another one often gives back (a task's creator and the thread that runs the task), and a
 * word that both change costs more than all the rest. So each thread keeps some small blocks on its own shelves
 * (self.h) and exchanges them with the others BATCH at a time. A signal handler that interrupted work on the shelves
 * passes them by.
 * Cost: a few instructions each way, a compare-and-swap every BATCH blocks, and clearing the block. What a chunk has left
 * when it is replaced, and what rounding up to a power of two adds, is wasted. */
#include "threads/arena.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "arch/arch.h"
#include "raw/addresses.h"
#include "raw/kernel.h"
#include "threads/self.h"

#define SMALLEST_SHIFT 6 /* a cache line: blocks of two threads never share one */
#define CLASSES 11       /* 64 bytes to ARENA_SMALL_BYTES */
#define BATCH 32u
#define CHUNK_BYTES (1u << 20)
#define OPEN_BYTES 65536u /* least part of what arena_reserve gives */
#define PATIENCE 64
#define TAG_STEP (UINT64_C(1) << (ARCH_ADDRESS_BITS - SMALLEST_SHIFT))
#define ADDRESS_MASK (TAG_STEP - 1)

_Static_assert(64u << (CLASSES - 1) == ARENA_SMALL_BYTES, "the classes end where mappings begin");

struct chunk {
	_Alignas(ARCH_CACHE_LINE_BYTES) _Atomic uint64_t used;
};

struct block {
	_Atomic(struct block *) next; /* in a free list, or the next batch */
	struct block *below;          /* on a shelf, or in a batch */
};

static struct {
	_Atomic(struct chunk *) chunk;
	_Atomic uint64_t free_lists[CLASSES];
	_Alignas(ARCH_CACHE_LINE_BYTES) _Atomic uint64_t batches[SELF_SHELVES]; /* each BATCH blocks, linked by `below` */
} arena;

static struct block *block_of(uint64_t head)
{
	return (struct block *)(uintptr_t)((head & ADDRESS_MASK) << SMALLEST_SHIFT);
}

static uint64_t head_of(const struct block *block, uint64_t tag)
{
	return (uint64_t)(uintptr_t)block >> SMALLEST_SHIFT | (tag & ~ADDRESS_MASK);
}

static void *map(size_t bytes)
{
	return kernel_map(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static unsigned class_of(size_t bytes)
{
	if (bytes <= 1u << SMALLEST_SHIFT)
		return 0;
	return 64 - (unsigned)__builtin_clzl(bytes - 1) - SMALLEST_SHIFT;
}

static struct block *pop(_Atomic uint64_t *list)
{
	uint64_t head = atomic_load_explicit(list, memory_order_acquire);

	for (;;) {
		struct block *block = block_of(head);
		if (!block)
			return NULL;
		/* Another thread may own the block by now and write to it: then `next` is garbage, and the exchange
		 * fails. */
		struct block *next = atomic_load_explicit(&block->next, memory_order_relaxed);
		if (atomic_compare_exchange_weak_explicit(list, &head, head_of(next, head + TAG_STEP), memory_order_acquire,
		                                          memory_order_acquire))
			return block;
	}
}

static void push(_Atomic uint64_t *list, struct block *block)
{
	uint64_t head = atomic_load_explicit(list, memory_order_relaxed);

	do
		atomic_store_explicit(&block->next, block_of(head), memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(list, &head, head_of(block, head), memory_order_release, memory_order_relaxed));
}

/* Two threads that find the chunk full both map a new one; the slower one gives its own back. */
static bool replace_chunk(struct chunk *full)
{
	struct chunk *fresh = map(CHUNK_BYTES);

	if (!fresh)
		return false;
	atomic_init(&fresh->used, sizeof *fresh);
	if (!atomic_compare_exchange_strong(&arena.chunk, &full, fresh))
		kernel_unmap(fresh, CHUNK_BYTES);
	return true;
}

static void *cut(size_t bytes)
{
	for (;;) {
		struct chunk *chunk = atomic_load_explicit(&arena.chunk, memory_order_acquire);
		if (chunk) {
			uint64_t at = atomic_fetch_add_explicit(&chunk->used, bytes, memory_order_relaxed);
			if (at + bytes <= CHUNK_BYTES)
				return (char *)chunk + at;
		}
		if (!replace_chunk(chunk))
			return NULL;
	}
}

static struct block *take_from_shelf(unsigned class)
{
	struct skein_self *self = &skein_self;
	struct self_shelf *shelf = &self->shelves[class];

	if (self->shelving)
		return NULL;
	self->shelving = 1;
	atomic_signal_fence(memory_order_seq_cst);
	if (!shelf->top && (shelf->top = pop(&arena.batches[class])))
		shelf->count = BATCH;
	struct block *block = shelf->top;
	if (block) {
		shelf->top = block->below;
		shelf->count--;
	}
	atomic_signal_fence(memory_order_seq_cst);
	self->shelving = 0;
	return block;
}

/* The topmost BATCH blocks go to others when there are twice as many. */
static void trim_shelf(struct self_shelf *shelf, unsigned class)
{
	struct block *first = shelf->top, *last = first;

	if (shelf->count < 2 * BATCH)
		return;
	for (unsigned i = 1; i < BATCH; i++)
		last = last->below;
	shelf->top = last->below;
	shelf->count -= BATCH;
	last->below = NULL;
	push(&arena.batches[class], first);
}

static bool give_to_shelf(struct block *block, unsigned class)
{
	struct skein_self *self = &skein_self;
	struct self_shelf *shelf = &self->shelves[class];

	if (self->shelving)
		return false;
	self->shelving = 1;
	atomic_signal_fence(memory_order_seq_cst);
	block->below = shelf->top;
	shelf->top = block;
	shelf->count++;
	trim_shelf(shelf, class);
	atomic_signal_fence(memory_order_seq_cst);
	self->shelving = 0;
	return true;
}

void arena_clear_shelves(void)
{
	struct skein_self *self = &skein_self;

	for (unsigned class = 0; class < SELF_SHELVES && !self->shelving; class ++)
		for (struct block *block; (block = self->shelves[class].top);) {
			self->shelves[class].top = block->below;
			self->shelves[class].count--;
			push(&arena.free_lists[class], block);
		}
}

void *arena_take(size_t bytes)
{
	if (bytes > ARENA_SMALL_BYTES)
		return map(bytes);

	unsigned class = class_of(bytes);
	struct block *block = class < SELF_SHELVES ? take_from_shelf(class) : NULL;
	if (!block)
		block = pop(&arena.free_lists[class]);
	if (block)
		return memset(block, 0, bytes);
	return cut((size_t)1 << (class + SMALLEST_SHIFT));
}

void arena_give(void *block, size_t bytes)
{
	if (!block)
		return;
	unsigned class = class_of(bytes);
	if (bytes > ARENA_SMALL_BYTES)
		kernel_unmap(block, bytes);
	else if (class >= SELF_SHELVES || !give_to_shelf(block, class))
		push(&arena.free_lists[class], block);
}

void *arena_reserve(size_t bytes, size_t *open_bytes)
{
	void *at = addresses_begin(bytes, OPEN_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	*open_bytes = at ? OPEN_BYTES : 0;
	return at;
}

void arena_release(void *reserved, size_t open_bytes)
{
	if (reserved)
		kernel_unmap(reserved, open_bytes);
}

/* Another thread may be opening the same part: it is waited for. */
static bool others_opened(const size_t *open_bytes, size_t had)
{
	for (int i = 0; i < PATIENCE; i++) {
		if (__atomic_load_n(open_bytes, __ATOMIC_ACQUIRE) != had)
			return true;
		kernel_call(SYS_sched_yield);
	}
	return false;
}

static size_t next_size(size_t had, size_t want_bytes, size_t most)
{
	size_t open = want_bytes > 2 * had ? want_bytes : 2 * had;

	open = (open + OPEN_BYTES - 1) & ~(size_t)(OPEN_BYTES - 1);
	return open < most ? open : most;
}

bool arena_open(void *reserved, size_t bytes, size_t *open_bytes, size_t want_bytes)
{
	size_t had;

	while (want_bytes > (had = __atomic_load_n(open_bytes, __ATOMIC_ACQUIRE))) {
		size_t open = next_size(had, want_bytes, bytes);
		if (want_bytes > bytes)
			return false;
		if (addresses_extend(reserved, had, open, MAP_PRIVATE | MAP_ANONYMOUS, -1))
			__atomic_store_n(open_bytes, open, __ATOMIC_RELEASE);
		else if (!others_opened(open_bytes, had))
			return false;
	}
	return true;
}
