/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.h: reads and writes by system calls, and memory that is mapped and unmapped.
 *
 * Valgrind knows of every system call what it reads and writes, so there is no list of them here. Reads by the
 * kernel count as reads by the calling thread; writes by the kernel come from outside (Figure 12). A page of a
 * mapped file comes from outside when it is first touched (kernel_touch), so a large mapping costs in proportion to
 * its use. Programs and libraries, which the loader maps, do not come from outside. Writes of other processes to
 * shared memory, and io_uring, are not seen. */
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
