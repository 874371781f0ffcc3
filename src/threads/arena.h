/* SPDX-License-Identifier: MIT */
/* arena.h: memory for the runtime, straight from the kernel.
 *
 * The subject's allocator may be on the stack below us, so it is never used. Blocks are taken from a size class's
 * free list or cut from a mapped chunk; they are zeroed; freed blocks are reused, chunks are never unmapped.
 * Any thread may call; a signal handler may too, except that it gets NULL when it interrupted the arena itself.
 * NULL means no memory: the caller counts the loss and goes on. */
#ifndef SKEIN_THREADS_ARENA_H
#define SKEIN_THREADS_ARENA_H

#include <stddef.h>

void *arena_take(size_t bytes);
void arena_give(void *block, size_t bytes);
void *arena_reserve(size_t bytes); /* address space only: readable and writable, backed when touched; NULL if refused */
void arena_after_fork(void);       /* in the child */

#endif
