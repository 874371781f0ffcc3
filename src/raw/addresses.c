/* SPDX-License-Identifier: MIT */
/* addresses.c: hands out ranges of addresses one after the other, and maps them only where nothing is mapped yet.
 *
 * The first range begins at a different address in each process, as the loader's do: the address of this code says
 * where. The kernel puts what is mapped without a wish near the stack, programs and heaps lie near the bottom or above
 * the END, and sanitizers claim fixed parts below and above. Whatever lies there all the same is passed over. */
#include "raw/addresses.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include "arch/arch.h"
#include "raw/kernel.h"

#define BEGIN (UINT64_C(1) << (ARCH_ADDRESS_BITS - 1))
#define END (BEGIN + BEGIN / 4)
#define STEP ((uint64_t)2 << 20) /* as large as a huge page: ranges of two lanes never share one */
enum { TRIES = 16, SPREAD_BITS = 11, SPREAD_LOG2 = 32 };

static _Atomic uint64_t next;

static uint64_t first(void)
{
	return BEGIN + (((uintptr_t)&addresses_begin >> ARCH_PAGE_LOG2 & ((1u << SPREAD_BITS) - 1)) << SPREAD_LOG2);
}

static uint64_t take(size_t most)
{
	uint64_t none = 0;
	uint64_t room = (most + 2 * STEP - 1) & -STEP; /* at least one page is free behind it */
	atomic_compare_exchange_strong(&next, &none, first());
	uint64_t at = atomic_fetch_add(&next, room);
	return at + room <= END ? at : 0;
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
