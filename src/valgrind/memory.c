/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.c: memory for the algorithm: blocks from large regions, with a list of free blocks per size.
 *
 * Valgrind's own allocator stops the process when there is no more; here the answer is NULL, and the caller counts
 * the loss. Most memory is in shadow chunks, which come and go with the subject's memory, so a freed block is reused
 * for any block of its size. */
#include "valgrind/tool.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"

#include "arch/arch.h"

enum { STEP = 64, PIECE_MAX = 32 << 10, REGION = 1 << 20 };

struct piece {
	struct piece *next;
};

/* Valgrind's function for large regions returns a pointer, NULL if there is no more memory; from 3.24 on it returns a
 * result that may be an error. The compiler sees which. */
static inline void *from_pointer(void *region)
{
	return region;
}

static inline void *from_result(SysRes result)
{
	return sr_isError(result) ? NULL : (void *)sr_Res(result);
}

static void *new_region(SizeT bytes)
{
	return _Generic(VG_(am_shadow_alloc)(bytes), SysRes: from_result, default: from_pointer)(VG_(am_shadow_alloc)(bytes));
}

static struct {
	struct piece *free[PIECE_MAX / STEP + 1];
	char *at, *end; /* of the newest region: not yet handed out */
} memory;

static SizeT round_up(SizeT bytes, SizeT to)
{
	return (bytes + to - 1) / to * to;
}

static void *take(void *context, size_t bytes)
{
	(void)context;
	if (bytes > PIECE_MAX)
		return new_region(round_up(bytes, ARCH_PAGE_BYTES));
	bytes = round_up(bytes, STEP);
	struct piece **list = &memory.free[bytes / STEP], *piece = *list;
	if (piece) {
		*list = piece->next;
		VG_(memset)(piece, 0, bytes);
		return piece;
	}
	if ((SizeT)(memory.end - memory.at) < bytes) {
		char *region = new_region(REGION);
		if (!region)
			return NULL;
		memory.at = region;
		memory.end = region + REGION;
	}
	void *fresh = memory.at;
	memory.at += bytes;
	return fresh;
}

static void give(void *context, void *at, size_t bytes)
{
	(void)context;
	if (bytes > PIECE_MAX) {
		VG_(am_munmap_valgrind)((Addr)at, round_up(bytes, ARCH_PAGE_BYTES));
		return;
	}
	struct piece **list = &memory.free[round_up(bytes, STEP) / STEP], *piece = at;
	piece->next = *list;
	*list = piece;
}

const struct input_port memory_port = {.take = take, .give = give};
