/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access.h: reads and writes by the running thread, as generated code reports them.
 *
 * There is a function for each usual size of an access and each size of cells; access_hook chooses it. The last of
 * each kind takes any size. */
#ifndef SKEIN_VALGRIND_ACCESS_H
#define SKEIN_VALGRIND_ACCESS_H

#include "valgrind/tool.h"

enum access_kind { ACCESS_READ, ACCESS_WRITE, ACCESS_MODIFY /* a read, then a write of the same bytes */, ACCESS_KINDS };

struct access_hook {
	void *function; /* takes the address */
	const HChar *name;
	Bool takes_bytes; /* takes the number of bytes too */
};

const struct access_hook *access_hook(enum access_kind kind, UInt bytes);

void access_read(Addr address, SizeT bytes);
void access_write(Addr address, SizeT bytes);

#endif
