/* SPDX-License-Identifier: MIT */
/* arena.h: memory for the runtime, straight from the kernel.
 *
 * The subject's allocator may be on the stack below us, so it is never used. Blocks are zeroed and aligned to 64
 * bytes. Small ones (up to ARENA_SMALL_BYTES) come from a size class's free list or are cut from a mapped chunk;
 * they are reused when given back, and their chunks are never unmapped. Larger ones are mappings of their own.
 *
 *     struct team *team = arena_take(sizeof *team);
 *     …
 *     arena_give(team, sizeof *team);      the same size as it was taken with
 *
 * Any thread may call, and so may any signal handler, even one that interrupted the arena: there are no locks, so
 * there is also nothing to mend after a fork. NULL means no memory: the caller counts the loss and goes on. */
#ifndef SKEIN_THREADS_ARENA_H
#define SKEIN_THREADS_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#define ARENA_SMALL_BYTES 65536u

void *arena_take(size_t bytes);
void arena_give(void *block, size_t bytes); /* NULL is ignored */
void arena_clear_shelves(void);             /* the calling thread ends: what it kept for itself is for others */

/* Data that may become large and must not move: its first part is there, and grows at least twofold. Only what is
 * open counts against the limits of the subject. */
void *arena_reserve(size_t bytes, size_t *open_bytes);                                /* NULL if refused */
void arena_release(void *reserved, size_t open_bytes);                                /* NULL is ignored */
bool arena_open(void *reserved, size_t bytes, size_t *open_bytes, size_t want_bytes); /* false: no memory, or more than was reserved */

#endif
