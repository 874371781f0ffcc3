/* SPDX-License-Identifier: MIT */
/* memory.h: memory for the algorithms of the paths lens: a stack, in chunks that the caller provides.
 *
 *     struct paths_memory m = {.more = more_bytes, .context = …};
 *     struct paths_mark mark = paths_mark(&m);
 *     double *w = paths_take(&m, count, sizeof *w);        zeroed; NULL: no more
 *     paths_release(&m, mark);                             all that was taken since the mark is free again
 *
 * After a failure, `failed` stays set, so a caller may check once after several calls. Chunks are reused and never
 * freed here: the caller keeps a list of them, and frees them when none is in use. One thread. */
#ifndef SKEIN_CORE_PATHS_MEMORY_H
#define SKEIN_CORE_PATHS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

struct paths_chunk;

struct paths_memory {
	void *(*more)(void *context, size_t bytes); /* aligned for any type; need not be zeroed; NULL: no more */
	void *context;
	struct paths_chunk *first, *at;
	bool failed;
};

struct paths_mark {
	struct paths_chunk *at;
	size_t used;
};

void *paths_take(struct paths_memory *m, size_t count, size_t size);
struct paths_mark paths_mark(const struct paths_memory *m);
void paths_release(struct paths_memory *m, struct paths_mark mark);

/* What every algorithm of the lens returns. */
enum paths_status {
	PATHS_OK,
	PATHS_NO_MEMORY,
	PATHS_BAD_EDGE,   /* an edge from or to a block that does not exist */
	PATHS_NO_WAY_OUT, /* a block without an edge: a frame that ends there needs an edge to PATHS_EXIT */
	PATHS_TOO_LARGE,  /* more edges than 32 bits can number */
	PATHS_DISAGREE    /* counts of copies contradict each other: the copies did not behave identically */
};

#endif
