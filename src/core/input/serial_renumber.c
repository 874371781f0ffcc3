/* SPDX-License-Identifier: MIT */
/* serial_renumber.c: restarts the counter without changing the result of any comparison of two stamps.
 *
 * Problem: stamps have 31 bits, a run may have more calls.
 * Idea (section 4.4, Figure 13): stamps answer two questions only: which open activations began before an access,
 * and whether a write of the same cell came before the access, after it, or was the access. With A, the starts of
 * all open activations in order, an access between A[q] and A[q + 1] becomes one of three numbers: 3q before the
 * write, 3q + 1 as the write, 3q + 2 after it. Cells are independent of each other.
 * Cost: O(a log a + cells log a), once in 2^31 calls and switches.
 * Differs from the paper as printed: q is the last activation that started *before* the write (line 10 has it the other
 * way round), and line 13 compares the cell's own stamp. Stamps of ended threads in a lane stay older than the
 * lane's next thread. */
#include "core/input/serial.h"

struct starts {
	uint32_t *at;
	size_t count;
};

static size_t open_frames(const struct input_serial *s)
{
	size_t count = 0;
	for (const struct input_thread *t = s->threads; t; t = t->next)
		count += t->depth;
	return count;
}

static void sift(uint32_t *heap, size_t at, size_t count)
{
	uint32_t value = heap[at];
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && heap[child + 1] > heap[child])
			child++;
		if (heap[child] <= value)
			break;
		heap[at] = heap[child];
	}
	heap[at] = value;
}

static void sort(uint32_t *values, size_t count)
{
	for (size_t i = count / 2; i--;)
		sift(values, i, count);
	for (size_t i = count; i-- > 1;) {
		uint32_t largest = values[0];
		values[0] = values[i];
		values[i] = largest;
		sift(values, 0, i);
	}
}

static bool gather(const struct input_serial *s, struct starts *a)
{
	const struct input_port *port = s->shadow.port;
	size_t to = 0;
	a->count = open_frames(s);
	a->at = port->take(port->context, (a->count + 1) * sizeof *a->at);
	if (!a->at)
		return false;
	for (const struct input_thread *t = s->threads; t; t = t->next)
		for (uint32_t i = 0; i < t->depth; i++)
			a->at[to++] = t->frames[i].start;
	sort(a->at, a->count);
	return true;
}

/* The number of activations that began at or before the count. */
static uint32_t rank(const struct starts *a, uint32_t count)
{
	size_t low = 0, high = a->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (a->at[middle] > count)
			high = middle;
		else
			low = middle + 1;
	}
	return (uint32_t)low;
}

static uint32_t renumber_stamp(const struct starts *a, uint32_t stamp, uint32_t write)
{
	uint32_t count = stamp >> 1, j = rank(a, count);
	uint32_t place = !write || rank(a, write) != j || count < write ? 0 : count == write ? 1 : 2;
	return (3 * j + place) << 1;
}

static void renumber_world(const struct starts *a, struct input_serial_world *world)
{
	for (struct input_chunk *c = world->head.chunks; c; c = c->next)
		for (uint32_t i = 0; i < INPUT_CELLS; i++)
			if (c->stamps[i])
				c->stamps[i] = renumber_stamp(a, c->stamps[i], world->stamps ? world->stamps[i] : 0);
	for (uint32_t i = 0; world->stamps && i < INPUT_CELLS; i++)
		if (world->stamps[i])
			world->stamps[i] = 3 * rank(a, world->stamps[i]) + 1;
}

/* There is no memory for A: all stamps become 0, as if nothing had been accessed. The loss is counted. */
static void forget_all(struct input_serial *s)
{
	s->running->lost++;
	input_serial_forget(s, 0, UINT64_MAX);
	for (struct input_thread *t = s->threads; t; t = t->next)
		for (uint32_t i = 0; i < t->depth; i++)
			t->frames[i].start = 3 * (i + 1);
}

static void renumber_all(struct input_serial *s, const struct starts *a)
{
	struct input_world *world;
	for (uint64_t n = 0; (world = input_world_next(&s->shadow, &n, UINT64_MAX)); n++)
		renumber_world(a, (struct input_serial_world *)world);
	for (struct input_thread *t = s->threads; t; t = t->next)
		for (uint32_t i = 0; i < t->depth; i++)
			t->frames[i].start = 3 * rank(a, t->frames[i].start);
}

void input_serial_renumber(struct input_thread *t)
{
	struct input_serial *s = t->form;
	const struct input_port *port = s->shadow.port;
	struct starts a;
	if (gather(s, &a)) {
		renumber_all(s, &a);
		port->give(port->context, a.at, (a.count + 1) * sizeof *a.at);
	} else {
		forget_all(s);
	}
	t->count = 3 * (uint32_t)a.count + 3;
	t->base = t->count;
}
