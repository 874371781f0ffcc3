/* SPDX-License-Identifier: MIT */
/* memory.h: reads memory that may not exist, or may be unmapped meanwhile.
 *
 *     if (memory_copy(address, &word, sizeof word)) …        another thread may be unmapping it
 *     if (memory_is_there(address)) … *(long *)address …      no thread will, but the address may be garbage
 *
 * Both ask the kernel, so that nothing can fault: some 100 to 300 ns each. memory_is_there answers for the eight bytes
 * at an address that is a multiple of eight, and so for their page. No libc, errno stays; any thread, any signal
 * handler. */
#ifndef SKEIN_UNWIND_MEMORY_H
#define SKEIN_UNWIND_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool memory_is_there(uintptr_t address);
bool memory_copy(uintptr_t from, void *to, size_t bytes);

#endif
