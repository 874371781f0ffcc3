/* SPDX-License-Identifier: GPL-2.0-or-later */
/* heap.h: freed memory counts as never accessed when it is allocated again.
 *
 * The allocator is the subject's own, whichever it is: its routines are known by their names. A block that malloc or
 * a similar function returns is forgotten at that moment, and kept with its size until free. calloc counts as the
 * writer of its block. Reads by the C library's allocator are not input: see is_quiet of struct routine. An
 * allocator that is inlined or has other names is not seen: its blocks keep their history. */
#ifndef SKEIN_VALGRIND_HEAP_H
#define SKEIN_VALGRIND_HEAP_H

#include "valgrind/threads.h"

void heap_entered(struct thread *t, UChar kind); /* the routine on top of the stack begins */
void heap_left(struct thread *t);                /* the latest has returned, with its result */

#endif
