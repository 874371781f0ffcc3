/* SPDX-License-Identifier: MIT */
/* read.c: memory of the process that the walk is in. A walk over the stack of another process reads by its own unwind_read
 * (run/attach/files.c). */
#include <string.h>
#include "unwind/memory.h"
#include "unwind/unwind.h"

static bool is_on_stack(const struct unwind *u, uintptr_t low, uintptr_t high)
{
	return low >= u->stack_low && high <= u->stack_high && low <= high;
}

bool unwind_read(struct unwind *u, uintptr_t address, void *to, size_t bytes)
{
	if (!is_on_stack(u, address, address + bytes)) {
		if (address + bytes < address)
			return false;
		for (uintptr_t page = address & -(uintptr_t)ARCH_PAGE_BYTES; page < address + bytes; page += ARCH_PAGE_BYTES) {
			if (page != u->good_page && !memory_is_there(page))
				return false;
			u->good_page = page;
		}
	}
	memcpy(to, (const void *)address, bytes);
	return true;
}
