/* SPDX-License-Identifier: MIT */
/* memory.h: memory of the command-line tool.
 *
 * skein works on files that were bounded when they were read; if memory still runs out there is nothing to save, so
 * these functions say so and end the program with status 125 instead of returning NULL to a hundred callers.
 *
 * MEMORY_GROW makes room for one more element of a growing array that is described by three variables:
 *
 *     MEMORY_GROW(run->threads, run->thread_count, run->thread_room);
 *     run->threads[run->thread_count++] = …;
 *
 * A pool owns strings that live as long as the thing they belong to and are freed together. */
#ifndef SKEIN_MEMORY_H
#define SKEIN_MEMORY_H

#include <stddef.h>

void *mem_or_die(void *memory);                             /* returns its argument; if that is NULL, ends the program */
void *memory_resize(void *old, size_t count, size_t bytes); /* as reallocarray, never NULL */
void *memory_zeroed(size_t count, size_t bytes);
char *memory_text(const char *text); /* as strdup */

#define MEMORY_GROW(array, count, room)                                            \
	do {                                                                       \
		if ((count) == (room)) {                                           \
			(room) = (room) ? 2 * (room) : 16;                         \
			(array) = memory_resize((array), (room), sizeof *(array)); \
		}                                                                  \
	} while (0)

struct pool {
	struct pool_block *blocks;
};

char *pool_text(struct pool *pool, const char *text);
char *pool_bytes(struct pool *pool, size_t bytes);
__attribute__((format(printf, 2, 3))) char *pool_print(struct pool *pool, const char *format, ...);
void pool_free(struct pool *pool);

#endif
