/* SPDX-License-Identifier: MIT */
/* input_serial.c: read/write timestamping with one counter for all threads.
 *
 * Problem: a write by one thread makes a later read by another thread news to all its activations, and nobody can tell them all (Figure 10 does).
 * Idea (sections 4.2 and 4.3, Figures 11 and 12): the counter at the last write of each cell is kept for all; a read is induced if that is later than the
 * reader's own last access. The counter grows at calls, at switches and before the kernel writes, so an access of one's own is never taken for another's.
 * Cost: constant for each access, but for the search of the ancestor; nearly always one look-up.
 * Differs from the paper: one look-up instead of two (input.h; a read on the slow path must take the stamp's mark of a write away, since the write has
 * been noted with an earlier counter); three sizes at once; who wrote is known; memory that is given back is forgotten. */
#include "core/input_serial.h"

enum { NO_WRITER = 0, KERNEL = 0xffff };

void input_serial_start(struct input_serial *s, const struct input_port *port, unsigned cell_log2)
{
	*s = (struct input_serial){.count = 1, .count_max = INPUT_COUNT_MAX};
	input_shadow_start(&s->shadow, port, cell_log2, sizeof(struct input_chunk), sizeof(struct input_serial_world));
}

static void take_over(struct input_serial *s, struct input_thread *t)
{
	t->count = s->running ? s->running->count : s->count;
	s->running = t;
}

bool input_serial_thread_start(struct input_serial *s, struct input_thread *t, uint32_t id, struct input_routine *routine)
{
	if (!t->form) {
		t->form = s;
		t->renumber = input_serial_renumber;
		t->next = s->threads;
		s->threads = t;
	}
	t->count_max = s->count_max;
	take_over(s, t);
	return input_thread_start(t, id, routine);
}

void input_serial_thread_end(struct input_serial *s, struct input_thread *t)
{
	if (t == s->running) {
		s->count = t->count;
		s->running = NULL;
	}
	input_thread_end(t);
}

void input_serial_switch(struct input_serial *s, struct input_thread *t)
{
	if (t == s->running)
		return;
	take_over(s, t);
	input_look_again(t);
}

static uint32_t writer_of(const struct input_serial_world *world, uint32_t cell)
{
	uint16_t writer = world->writers ? world->writers[cell] : world->writer;
	return writer == KERNEL ? INPUT_KERNEL : writer;
}

/* Most chunks are written by one thread alone. If there is no memory to keep others apart from it, they are taken for it. */
static void set_writer(struct input_serial *s, struct input_serial_world *world, uint32_t from, uint32_t count, uint16_t writer)
{
	const struct input_port *port = s->shadow.port;
	if (world->writer == NO_WRITER)
		world->writer = writer;
	if (!world->writers) {
		if (world->writer == writer)
			return;
		world->writers = port->take(port->context, INPUT_CELLS * sizeof *world->writers);
		if (!world->writers) {
			s->running->lost++;
			return;
		}
		for (uint32_t i = 0; i < INPUT_CELLS; i++)
			world->writers[i] = world->writer;
	}
	for (uint32_t i = from; i < from + count; i++)
		world->writers[i] = writer;
}

static bool has_stamps(struct input_serial *s, struct input_serial_world *world)
{
	const struct input_port *port = s->shadow.port;
	if (!world->stamps)
		world->stamps = port->take(port->context, INPUT_CELLS * sizeof *world->stamps);
	return world->stamps;
}

static void read_cell(struct input_thread *t, struct input_chunk *chunk, uint32_t cell)
{
	const struct input_serial_world *world = (const struct input_serial_world *)chunk->world;
	uint32_t stamp = chunk->stamps[cell];
	if (stamp >= t->limit)
		return;
	if (input_is_stale(t, stamp))
		stamp = 0;
	if (world->stamps && stamp >> 1 < world->stamps[cell])
		input_induced(t, stamp, writer_of(world, cell));
	else if (stamp >> 1 < input_top(t)->start)
		input_first(t, stamp);
	chunk->stamps[cell] = t->count << 1;
}

void input_serial_read_slow(struct input_serial *s, uint64_t address, uint64_t bytes)
{
	struct input_thread *t = s->running;
	struct input_range range = input_range_of(s->shadow.cell_log2, address, bytes);
	uint64_t number;
	uint32_t from, count;
	while (input_range_next(&range, &number, &from, &count)) {
		struct input_chunk *chunk = input_chunk_at(&s->shadow, &t->lane, number);
		if (!chunk)
			t->lost++;
		for (uint32_t i = from; chunk && i < from + count; i++)
			read_cell(t, chunk, i);
	}
}

static void write_cells(struct input_serial *s, struct input_chunk *chunk, uint32_t from, uint32_t count)
{
	struct input_thread *t = s->running;
	struct input_serial_world *world = (struct input_serial_world *)chunk->world;
	if (!has_stamps(s, world)) {
		t->lost++;
		return;
	}
	for (uint32_t i = from; i < from + count; i++) {
		chunk->stamps[i] = t->count << 1 | INPUT_WRITTEN;
		world->stamps[i] = t->count;
	}
	set_writer(s, world, from, count, t->id < INPUT_OTHERS ? (uint16_t)t->id : INPUT_OTHERS);
}

void input_serial_write_slow(struct input_serial *s, uint64_t address, uint64_t bytes)
{
	struct input_thread *t = s->running;
	struct input_range range = input_range_of(s->shadow.cell_log2, address, bytes);
	uint64_t number;
	uint32_t from, count;
	while (input_range_next(&range, &number, &from, &count)) {
		struct input_chunk *chunk = input_chunk_at(&s->shadow, &t->lane, number);
		if (chunk)
			write_cells(s, chunk, from, count);
		else
			t->lost++;
	}
}

void input_serial_kernel_write(struct input_serial *s, uint64_t address, uint64_t bytes)
{
	struct input_range range = input_range_of(s->shadow.cell_log2, address, bytes);
	uint64_t number;
	uint32_t from, count;
	input_look_again(s->running);
	while (input_range_next(&range, &number, &from, &count)) {
		struct input_serial_world *world = (struct input_serial_world *)input_world_at(&s->shadow, number);
		if (!world || !has_stamps(s, world)) {
			s->running->lost++;
			continue;
		}
		for (uint32_t i = from; i < from + count; i++)
			world->stamps[i] = s->running->count;
		set_writer(s, world, from, count, KERNEL);
	}
}

static void drop(struct input_serial *s, struct input_serial_world *world)
{
	const struct input_port *port = s->shadow.port;
	input_world_drop(&s->shadow, &world->head);
	if (world->stamps)
		port->give(port->context, world->stamps, INPUT_CELLS * sizeof *world->stamps);
	if (world->writers)
		port->give(port->context, world->writers, INPUT_CELLS * sizeof *world->writers);
	*world = (struct input_serial_world){0};
}

void input_serial_forget(struct input_serial *s, uint64_t address, uint64_t bytes)
{
	struct input_range range = input_range_inside(s->shadow.cell_log2, address, bytes);
	for (uint64_t number = range.cell >> INPUT_CELLS_LOG2; range.cell < range.end; number++) {
		struct input_world *world = input_world_next(&s->shadow, &number, (range.end - 1) >> INPUT_CELLS_LOG2);
		if (!world)
			return;
		struct input_serial_world *w = (struct input_serial_world *)world;
		uint32_t from, count = input_range_in(&range, number, &from);
		if (count == INPUT_CELLS) {
			drop(s, w);
			continue;
		}
		input_world_forget(world, from, count);
		if (w->stamps)
			__builtin_memset(&w->stamps[from], 0, count * sizeof *w->stamps);
	}
}
