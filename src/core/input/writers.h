/* SPDX-License-Identifier: MIT */
/* writers.h: words that name the writer of a cell, and distinguish every write that others may have seen from the
 * next.
 *
 * A word is a writer's id, its epoch, and whether the thread or the kernel wrote; 0 is no writer. A thread takes an
 * id and counts its epochs up. When they are used up it takes another id; when the thread ends, its id goes to the
 * next thread, which continues the epochs. So a word is never used twice, and an id belongs to one thread after
 * another:
 *
 *     uint32_t word = input_writers_take(&w, 7);      thread 7; 0: all ids are in use
 *     word = input_writers_next(&w, word);            the next epoch; 0: take another id
 *     input_writers_who(&w, word)                     7
 *     input_writers_give(&w, word);                   after its last use
 *
 * Any number of threads may call these at once. */
#ifndef SKEIN_CORE_INPUT_WRITERS_H
#define SKEIN_CORE_INPUT_WRITERS_H

#include <stdbool.h>
#include "core/input/map.h"

enum { INPUT_BY_THREAD = 1, INPUT_BY_KERNEL = 2, INPUT_BY = 3 };
#define INPUT_EPOCHS_LOG2 14
#define INPUT_EPOCHS_MAX (1u << INPUT_EPOCHS_LOG2)
#define INPUT_IDS_MAX (1u << (30 - INPUT_EPOCHS_LOG2))

/* A thread that has had an id, from `epoch` on. */
struct input_birth {
	struct input_birth *before;
	uint32_t epoch, thread;
};

struct input_writers {
	const struct input_port *port;
	struct input_writer *ids; /* id 0 is for words of unknown writers */
	uint64_t unused;          /* ids that were given back: a stack, tagged against ABA */
	uint32_t fresh;           /* the first id that was never used */
	uint32_t ids_max, epochs_max;
};

bool input_writers_start(struct input_writers *w, const struct input_port *port); /* false: no memory */
uint32_t input_writers_take(struct input_writers *w, uint32_t thread);
void input_writers_give(struct input_writers *w, uint32_t word);
uint32_t input_writers_who(const struct input_writers *w, uint32_t word); /* 0: not known */

void input_writers_free(struct input_writers *w); /* call this only while no other thread runs */

static inline uint32_t input_word(uint32_t id, uint32_t epoch, uint32_t by)
{
	return id << (INPUT_EPOCHS_LOG2 + 2) | epoch << 2 | by;
}

static inline uint32_t input_word_id(uint32_t word)
{
	return word >> (INPUT_EPOCHS_LOG2 + 2);
}

static inline uint32_t input_word_epoch(uint32_t word)
{
	return word >> 2 & (INPUT_EPOCHS_MAX - 1);
}

static inline uint32_t input_writers_next(const struct input_writers *w, uint32_t word)
{
	return input_word_epoch(word) + 1 < w->epochs_max ? word + 4 : 0;
}

#endif
