/* SPDX-License-Identifier: MIT */
/* addresses.c: hands out ranges of addresses one after the other, and maps them only where nothing is mapped yet.
 *
 * The first range begins at a different address in each process, as the loader's do: the address of this code says
 * where. Whatever lies in a range all the same is passed over. */
#include "raw/addresses.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include "arch/arch.h"
#include "raw/kernel.h"

#define STEP ((uint64_t)2 << 20) /* as large as a huge page: ranges of two lanes never share one */
enum { TRIES = 16, SPREAD_BITS = 8, SPREAD_LOG2 = 28 };

static struct {
	uint64_t begin, end;
	_Atomic uint64_t used;
} areas[] = {
#define X(begin, end) {begin, end, 0},
	ARCH_FREE_LIST(X)
#undef X
};

static uint64_t spread(void)
{
	return ((uintptr_t)&addresses_begin >> ARCH_PAGE_LOG2 & ((1u << SPREAD_BITS) - 1)) << SPREAD_LOG2;
}

/* 0: none is left. A range that an area has no room for leaves the rest of it unused. */
static uint64_t take(size_t most)
{
	uint64_t room = (most + 2 * STEP - 1) & -STEP; /* at least one page is free behind it */
	for (size_t i = 0; i < sizeof areas / sizeof *areas; i++) {
		uint64_t at = areas[i].begin + spread() + atomic_fetch_add(&areas[i].used, room);
		if (at < areas[i].end && room <= areas[i].end - at)
			return at;
	}
	return 0;
}

static void *map(uint64_t at, size_t bytes, int flags, int d, uint64_t offset)
{
	return kernel_map((void *)(uintptr_t)at, bytes, PROT_READ | PROT_WRITE, flags, d, offset);
}

/* An older kernel takes the address for a wish. */
static void *map_there(uint64_t at, size_t bytes, int flags, int d, uint64_t offset)
{
	void *got = map(at, bytes, flags | MAP_FIXED_NOREPLACE, d, offset);
	if (got && got != (void *)(uintptr_t)at) {
		kernel_unmap(got, bytes);
		return NULL;
	}
	return got;
}

void *addresses_begin(size_t most, size_t bytes, int flags, int d)
{
	for (int i = 0; i < TRIES; i++) {
		uint64_t at = take(most);
		void *got = at ? map_there(at, bytes, flags, d, 0) : NULL;
		if (got)
			return got;
	}
	return map(0, bytes, flags, d, 0);
}

bool addresses_extend(void *range, size_t from, size_t to, int flags, int d)
{
	return map_there((uint64_t)(uintptr_t)range + from, to - from, flags, d, from) != NULL;
}
