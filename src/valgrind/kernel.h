/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.h: what system calls read and write, and memory that comes and goes.
 *
 * Valgrind knows of every system call what it reads and writes, so there is no list of them here. What the kernel reads
 * is read by the thread that called; what it writes comes from outside (Figure 12). Of a file that is mapped every page
 * comes from outside when it is touched first (kernel_touch), so a large mapping costs what is used of it. Programs and
 * libraries, which the loader maps, do not. What another process writes into shared memory, and what io_uring does,
 * cannot be seen. */
#ifndef SKEIN_VALGRIND_KERNEL_H
#define SKEIN_VALGRIND_KERNEL_H

#include "valgrind/tool.h"

void kernel_start(void); /* the events are tracked from now on */
void kernel_forget(Addr start, SizeT bytes);

extern Addr kernel_files_start, kernel_files_end; /* no mapped file lies outside */
void kernel_touch_page(Addr address, SizeT bytes);

/* Before an access that is news. */
static inline void kernel_touch(Addr address, SizeT bytes)
{
	if (address < kernel_files_end && address + bytes > kernel_files_start)
		kernel_touch_page(address, bytes);
}

#endif
