/* SPDX-License-Identifier: GPL-2.0-or-later */
/* heap.h: memory that is freed starts afresh: who gets it next has never accessed it.
 *
 * The allocator is the subject's own, whichever it is: its routines are known by their names. What malloc and its kin
 * return is forgotten then, and is kept with its size until free. What calloc returns is written by it. What the C
 * library's allocator reads is no input: struct routine's is_quiet. An allocator that is inlined or has other names is
 * not seen: its memory stays the same to its readers. */
#ifndef SKEIN_VALGRIND_HEAP_H
#define SKEIN_VALGRIND_HEAP_H

#include "valgrind/threads.h"

void heap_entered(struct thread *t, UChar kind); /* the routine on top of the stack begins */
void heap_left(struct thread *t);                /* the latest has returned, with its result */

#endif
