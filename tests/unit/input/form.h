/* SPDX-License-Identifier: MIT */
/* form.h: a form of the algorithm as tests see it, and the memory that it gets. */
#ifndef SKEIN_INPUT_FORM_H
#define SKEIN_INPUT_FORM_H

#include "unit/lib.h"

#include "core/input/input.h"

enum { LANES = 5 };

struct form {
	struct input_thread *(*thread)(int lane);
	void (*start)(unsigned cell_log2);
	void (*thread_start)(int lane, int id, int routine);
	void (*thread_end)(int lane);
	void (*turn)(int lane); /* it runs from now on */
	void (*sync)(int lane); /* it took a lock, or is about to give one */
	void (*call)(int lane, int routine);
	void (*back)(int lane, struct input_activation *ended);
	void (*read)(int lane, uint64_t address, uint32_t bytes);
	void (*write)(int lane, uint64_t address, uint32_t bytes);
	void (*modify)(int lane, uint64_t address, uint32_t bytes); /* a read, then a write */
	void (*kernel_write)(int lane, uint64_t address, uint32_t bytes);
	void (*forget)(int lane, uint64_t address, uint32_t bytes);
	bool locked;
};

/* ---- memory: all of it is taken back by heap_start ---- */

struct piece {
	struct piece *next, **last;
	size_t bytes;
	uint64_t unused;
};
static struct {
	struct piece *pieces;
	size_t left; /* bytes; what goes beyond is refused */
} heap;

static void *heap_take(void *context, size_t bytes)
{
	assert_ptr_equal(context, &heap);
	if (bytes > heap.left)
		return NULL;
	struct piece *p = calloc(1, sizeof *p + bytes);
	assert_non_null(p);
	*p = (struct piece){.next = heap.pieces, .last = &heap.pieces, .bytes = bytes};
	if (p->next)
		p->next->last = &p->next;
	heap.pieces = p;
	heap.left -= bytes;
	return p + 1;
}

static void heap_give(void *context, void *memory, size_t bytes)
{
	struct piece *p = (struct piece *)memory - 1;
	assert_ptr_equal(context, &heap);
	assert_int_equal(p->bytes, bytes);
	*p->last = p->next;
	if (p->next)
		p->next->last = p->last;
	heap.left += bytes;
	free(p);
}

static void heap_start(void)
{
	while (heap.pieces)
		heap_give(&heap, heap.pieces + 1, heap.pieces->bytes);
	heap.left = SIZE_MAX / 2;
}

static const struct input_port port = {.take = heap_take, .give = heap_give, .context = &heap};

#endif
