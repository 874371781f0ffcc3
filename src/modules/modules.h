/* SPDX-License-Identifier: MIT */
/* modules.h: which file the code at an address comes from.
 *
 *     uint64_t place = modules_place(address);      raw/format.h says what a place is
 *
 * A file is written to the recording (struct raw_module) when an address in it is first asked for; its number is never
 * used again, so a place stays true after dlclose. The address must be code that is loaded and stays so during the call:
 * the file's headers are read from memory. Code without a file, and files beyond the MODULES_MAX-th, have module 0.
 *
 * Any thread may call, with all signals blocked. modules_generation changes with each dlclose: from then on, an address
 * may belong to another file. */
#ifndef SKEIN_MODULES_H
#define SKEIN_MODULES_H

#include <stdatomic.h>
#include <stdint.h>

enum { MODULES_MAX = 4096 };

extern _Atomic uint32_t modules_closings;

static inline uint32_t modules_generation(void)
{
	return atomic_load_explicit(&modules_closings, memory_order_acquire);
}

void modules_closed(void); /* a file is being closed, or was */
void modules_start(void);
void modules_restart(void); /* in a forked child: the records stay, and numbers go on */
uint64_t modules_place(uintptr_t address);

#endif
