/* SPDX-License-Identifier: MIT */
/* writers.c: a stack of free ids, and for each id the threads that had it, latest first. */
#include "core/input/writers.h"

struct input_writer {
	struct input_birth *births; /* atomic */
	uint32_t epoch;             /* the first unused epoch, while no thread has the id */
	uint32_t below;             /* the next in the stack of free ids */
};

bool input_writers_start(struct input_writers *w, const struct input_port *port)
{
	*w = (struct input_writers){.port = port, .fresh = 1, .ids_max = INPUT_IDS_MAX, .epochs_max = INPUT_EPOCHS_MAX};
	w->ids = port->take(port->context, INPUT_IDS_MAX * sizeof *w->ids);
	return w->ids;
}

static uint64_t on_top(uint64_t head, uint32_t id)
{
	return ((head >> 32) + 1) << 32 | id;
}

static uint32_t pop(struct input_writers *w)
{
	uint64_t head = __atomic_load_n(&w->unused, __ATOMIC_ACQUIRE);
	while ((uint32_t)head) {
		uint32_t below = __atomic_load_n(&w->ids[(uint32_t)head].below, __ATOMIC_RELAXED);
		if (__atomic_compare_exchange_n(&w->unused, &head, on_top(head, below), false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return (uint32_t)head;
	}
	return 0;
}

static void push(struct input_writers *w, uint32_t id)
{
	uint64_t head = __atomic_load_n(&w->unused, __ATOMIC_RELAXED);
	do
		__atomic_store_n(&w->ids[id].below, (uint32_t)head, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&w->unused, &head, on_top(head, id), false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
}

static uint32_t take_fresh(struct input_writers *w)
{
	uint32_t id = __atomic_load_n(&w->fresh, __ATOMIC_RELAXED);
	while (id < w->ids_max && !__atomic_compare_exchange_n(&w->fresh, &id, id + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	return id < w->ids_max ? id : 0;
}

uint32_t input_writers_take(struct input_writers *w, uint32_t thread)
{
	struct input_birth *birth = w->port->take(w->port->context, sizeof *birth);
	uint32_t id = birth ? pop(w) : 0;
	if (birth && !id)
		id = take_fresh(w);
	if (!id) {
		if (birth)
			w->port->give(w->port->context, birth, sizeof *birth);
		return 0;
	}
	*birth = (struct input_birth){w->ids[id].births, w->ids[id].epoch, thread};
	__atomic_store_n(&w->ids[id].births, birth, __ATOMIC_RELEASE);
	return input_word(id, birth->epoch, INPUT_BY_THREAD);
}

void input_writers_give(struct input_writers *w, uint32_t word)
{
	uint32_t id = input_word_id(word);
	w->ids[id].epoch = input_word_epoch(word) + 1;
	if (id && w->ids[id].epoch < w->epochs_max)
		push(w, id);
}

uint32_t input_writers_who(const struct input_writers *w, uint32_t word)
{
	const struct input_birth *b = __atomic_load_n(&w->ids[input_word_id(word)].births, __ATOMIC_ACQUIRE);
	while (b && b->epoch > input_word_epoch(word))
		b = b->before;
	return b ? b->thread : 0;
}

void input_writers_free(struct input_writers *w)
{
	for (uint32_t id = 0; id < w->fresh; id++) {
		struct input_birth *before;
		for (struct input_birth *b = w->ids[id].births; b; b = before) {
			before = b->before;
			w->port->give(w->port->context, b, sizeof *b);
		}
	}
	w->port->give(w->port->context, w->ids, INPUT_IDS_MAX * sizeof *w->ids);
	*w = (struct input_writers){0};
}
