/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "valgrind/heap.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_vki.h"

#include "valgrind/access.h"
#include "valgrind/guest.h"
#include "valgrind/kernel.h"

enum {
	CLEARED_MOST = 128 << 10, /* larger blocks usually come from the kernel unchanged: see rt/input/models.c */
	LARGE = 4096
};

/* What was handed out: address to bytes. */
static struct input_map blocks;

static void keep(Addr block, UWord bytes)
{
	uint64_t *value = block ? input_map_put(&blocks, &memory_port, block) : NULL;
	if (value)
		*value = (bytes + 7) & ~(UWord)7; /* no allocator puts two blocks into one word */
}

/* A block is forgotten when it is handed out, not before: the allocator itself writes into free blocks. */
static void took(Addr block, UWord bytes)
{
	keep(block, bytes);
	if (block)
		kernel_forget(block, (bytes + 7) & ~(UWord)7);
}

/* Shadows of a large block are given back as soon as it is. */
static void gave(Addr block)
{
	uint64_t *value = input_map_find(&blocks, block), bytes = value ? *value : 0;
	if (value)
		input_map_remove(&blocks, block);
	if (bytes >= LARGE)
		kernel_forget(block, bytes);
}

void heap_entered(struct thread *t, UChar kind)
{
	UWord first = guest_register(t->tid, GUEST_FIRST);
	if (kind == HEAP_FREE) {
		gave(first);
		return;
	}
	if (t->heaps == HEAP_NEST)
		return;
	t->heap[t->heaps].depth = t->depth;
	t->heap[t->heaps].kind = kind;
	t->heap[t->heaps].first = first;
	t->heap[t->heaps].second = kind == HEAP_POSIX ? guest_register(t->tid, GUEST_THIRD) : guest_register(t->tid, GUEST_SECOND);
	t->heaps++;
}

static Addr word_at(Addr address)
{
	return VG_(am_is_valid_for_client)(address, sizeof(Addr), VKI_PROT_READ) ? *(Addr *)address : 0;
}

/* What is behind the old content is new, in its old place or in another. A block that has been moved was freed within
 * realloc, without a call that could be seen. */
static void reallocated(Addr from, Addr to, UWord bytes)
{
	uint64_t *had = from ? input_map_find(&blocks, from) : NULL, old = had ? *had : 0;
	if (!to && bytes)
		return;
	if (from && to != from)
		gave(from);
	keep(to, bytes);
	if (to && (had || !from) && old < bytes)
		kernel_forget(to + old, bytes - old);
}

/* calloc need not clear memory that comes from the kernel; for the caller there is no difference. */
static void cleared(Addr block, UWord bytes)
{
	took(block, bytes);
	if (block && bytes <= CLEARED_MOST)
		access_write(block, bytes);
}

void heap_left(struct thread *t)
{
	UWord first = t->heap[t->heaps - 1].first, second = t->heap[t->heaps - 1].second;
	UWord result = guest_register(t->tid, GUEST_RESULT);
	UChar kind = t->heap[--t->heaps].kind;
	if (t->heaps)
		return; /* operator new has called malloc, and is still to return */
	switch (kind) {
		/* clang-format off */
	case HEAP_MALLOC: took(result, first); break;
	case HEAP_CALLOC: cleared(result, first * second); break;
	case HEAP_ALIGNED: took(result, second); break;
	case HEAP_POSIX: took(result == 0 ? word_at(first) : 0, second); break;
	case HEAP_REALLOC: reallocated(first, result, second); break;
	default: break;
		/* clang-format on */
	}
}
