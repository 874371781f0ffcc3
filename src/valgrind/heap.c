/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "valgrind/heap.h"

#include "libvex_guest_amd64.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_machine.h"
#include "pub_tool_vki.h"

#include "valgrind/kernel.h"

/* What was handed out: address to bytes. */
static struct input_map blocks;

#define REGISTER(t, name) get_register((t)->tid, offsetof(VexGuestAMD64State, guest_##name))
static UWord get_register(ThreadId tid, Int offset)
{
	UWord value = 0;
	VG_(get_shadow_regs_area)(tid, (UChar *)&value, 0, offset, sizeof value);
	return value;
}

static void took(Addr block, UWord bytes)
{
	uint64_t *value = block ? input_map_put(&blocks, &memory_port, block) : NULL;
	if (value)
		*value = (bytes + 7) & ~(UWord)7; /* no allocator puts two blocks into one word */
}

static void gave(Addr block)
{
	uint64_t *value = input_map_find(&blocks, block);
	if (!value)
		return;
	uint64_t bytes = *value;
	input_map_remove(&blocks, block);
	kernel_forget(block, bytes);
}

void heap_entered(struct thread *t, UChar kind)
{
	UWord first = REGISTER(t, RDI);
	if (kind == HEAP_FREE) {
		gave(first);
		return;
	}
	if (t->heaps == HEAP_NEST)
		return;
	t->heap[t->heaps].depth = t->depth;
	t->heap[t->heaps].kind = kind;
	t->heap[t->heaps].first = first;
	t->heap[t->heaps].second = kind == HEAP_POSIX ? REGISTER(t, RDX) : REGISTER(t, RSI);
	t->heaps++;
}

static Addr word_at(Addr address)
{
	return VG_(am_is_valid_for_client)(address, sizeof(Addr), VKI_PROT_READ) ? *(Addr *)address : 0;
}

/* A block that has been moved was freed within realloc, without a call that could be seen. */
static void reallocated(Addr from, Addr to, UWord bytes)
{
	uint64_t *had = input_map_find(&blocks, from);
	if (!to && bytes)
		return;
	if (from && to != from)
		gave(from);
	else if (had && *had > bytes)
		kernel_forget(from + bytes, *had - bytes);
	took(to, bytes);
}

void heap_left(struct thread *t)
{
	UWord first = t->heap[t->heaps - 1].first, second = t->heap[t->heaps - 1].second;
	UWord result = REGISTER(t, RAX);
	switch (t->heap[--t->heaps].kind) {
	case HEAP_MALLOC: took(result, first); break;
	case HEAP_CALLOC: took(result, first * second); break;
	case HEAP_ALIGNED: took(result, second); break;
	case HEAP_POSIX: took(result == 0 ? word_at(first) : 0, second); break;
	case HEAP_REALLOC: reallocated(first, result, second); break;
	}
}
