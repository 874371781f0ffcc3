/* SPDX-License-Identifier: MIT */
/* serial.c: read/write timestamping with one counter for all threads.
 *
 * Problem: after a write by one thread, a later read by another thread counts for all its activations, and updating
 * all of them at the write (Figure 10) is too slow.
 * Idea (sections 4.2 and 4.3, Figures 11 and 12): the counter at the last write of each cell is kept for all; a read
 * is induced if the write is later than the reader's own last access. The counter grows at calls, at switches and
 * before the kernel writes, so a thread's own access is never taken for that of another.
 * Cost: constant for each access, but for the search of the ancestor; nearly always one look-up.
 * Differs from the paper: one look-up instead of two (input.h), also for most first accesses: no other thread can
 * have written a cell that this thread has accessed since it was last interrupted (a switch, a write by the kernel).
 * A read of an older cell must remove the stamp's mark of a write, since the write was noted with an earlier counter
 * than others may have read it. Memory that only one thread uses has no stamps of writes: when a second thread reads
 * it for the first time, it is enough to know what was written at all. Three sizes are computed at once; the writer
 * is known; freed memory is forgotten. */
#include "core/input/serial.h"
#include "core/input/stack.h"

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

/* Most chunks are written by one thread only. If there is no memory to distinguish other writers, their writes are
 * charged to that thread. */
static void note_writer(struct input_serial *s, struct input_serial_world *world, uint32_t from, uint32_t count, uint16_t writer)
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

static inline void set_writer(struct input_serial *s, struct input_serial_world *world, uint32_t from, uint32_t count, uint16_t writer)
{
	if (world->writer != writer || world->writers)
		note_writer(s, world, from, count, writer);
}

enum { MARKS_BYTES = INPUT_CELLS / 8 };

static bool is_marked(const struct input_serial_world *world, uint32_t cell)
{
	return world->marks[cell / 64] >> cell % 64 & 1;
}

static void mark(struct input_serial_world *world, uint32_t from, uint32_t count, bool written)
{
	for (uint32_t cell = from, run; cell < from + count; cell += run) {
		run = 64 - cell % 64 < from + count - cell ? 64 - cell % 64 : from + count - cell;
		uint64_t bits = (run == 64 ? ~UINT64_C(0) : (UINT64_C(1) << run) - 1) << cell % 64;
		world->marks[cell / 64] = written ? world->marks[cell / 64] | bits : world->marks[cell / 64] & ~bits;
	}
}

/* The last access of the chunk's single user is not before its last write, and that is all that its reads compare. */
static void stamp_marked(struct input_serial *s, struct input_serial_world *world)
{
	const struct input_port *port = s->shadow.port;
	const struct input_chunk *first = world->head.chunks;
	while (first && first->next)
		first = first->next;
	for (uint32_t i = 0; i < INPUT_CELLS; i++)
		if (is_marked(world, i))
			world->stamps[i] = first && first->stamps[i] >> 1 ? first->stamps[i] >> 1 : 1;
	port->give(port->context, world->marks, MARKS_BYTES);
	world->marks = NULL;
}

static bool has_stamps(struct input_serial *s, struct input_serial_world *world)
{
	const struct input_port *port = s->shadow.port;
	if (world->stamps)
		return true;
	world->stamps = port->take(port->context, INPUT_CELLS * sizeof *world->stamps);
	if (world->stamps && world->marks)
		stamp_marked(s, world);
	return world->stamps;
}

/* Whether a write by this thread can be marked instead of stamped. */
static bool has_marks(struct input_serial *s, struct input_serial_world *world, uint16_t writer)
{
	const struct input_port *port = s->shadow.port;
	bool alone =
		!world->stamps && !world->head.chunks->next && (world->writer == NO_WRITER || (world->marks && world->writer == writer));
	if (alone && !world->marks)
		world->marks = port->take(port->context, MARKS_BYTES);
	return alone && world->marks;
}

/* The number of cells from `at` on in the same state: reads of them count alike. */
static uint32_t alike(const uint32_t *stamps, const uint32_t *writes, uint32_t at, uint32_t end)
{
	uint32_t i = at + 1;
	while (i < end && stamps[i] == stamps[at] && (!writes || writes[i] == writes[at]))
		i++;
	return i - at;
}

static void fill(uint32_t *stamps, uint32_t count, uint32_t stamp)
{
	for (uint32_t i = 0; i < count; i++)
		stamps[i] = stamp;
}

static uint32_t before_mark(const struct input_serial_world *world, uint32_t at, uint32_t end)
{
	uint32_t stop = at + 1;
	while (stop < end && !is_marked(world, stop))
		stop++;
	return stop;
}

/* Reads a cell that the thread accessed before it was last interrupted: others may have written it since. A thread
 * without a stamp, where another thread was the single user, needs stamps of writes. */
static uint32_t read_old(struct input_thread *t, struct input_serial_world *world, uint32_t *stamps, uint32_t at, uint32_t end)
{
	uint32_t stamp = stamps[at];
	if (input_is_stale(t, stamp))
		stamp = 0;
	if (world->marks && !stamp && is_marked(world, at) && !has_stamps(t->form, world))
		t->lost++;
	uint32_t count = alike(stamps, world->stamps, at, world->marks && !stamp ? before_mark(world, at, end) : end);
	if (world->stamps && stamp >> 1 < world->stamps[at]) {
		for (uint32_t i = at, run; i < at + count; i += run) {
			uint32_t writer = writer_of(world, i);
			for (run = 1; i + run < at + count && writer_of(world, i + run) == writer; run++)
				;
			input_induced(t, stamp, writer, run);
		}
	} else if (stamp >> 1 < input_top(t)->start)
		input_first(t, stamp, count);
	fill(&stamps[at], count, t->count << 1);
	return count;
}

/* A cell that the thread has accessed since its last interruption is at most a first access, and its own write is
 * still the last one. */
static void read_cells(struct input_thread *t, struct input_chunk *chunk, uint32_t at, uint32_t end)
{
	uint32_t *stamps = chunk->stamps, count;
	for (; at < end; at += count) {
		uint32_t stamp = stamps[at];
		if (stamp >= t->limit) {
			count = 1;
		} else if (stamp >= t->base << 1) {
			count = 0;
			do
				stamps[at + count++] = t->count << 1 | (stamp & INPUT_WRITTEN);
			while (at + count < end && stamps[at + count] == stamp);
			input_first_here(t, stamp, count);
		} else {
			count = read_old(t, (struct input_serial_world *)chunk->world, stamps, at, end);
		}
	}
}

void input_serial_read_slow(struct input_serial *s, uint64_t address, uint64_t bytes)
{
	struct input_thread *t = s->running;
	struct input_range range = input_range_of(s->shadow.cell_log2, address, bytes);
	uint64_t number = range.cell >> INPUT_CELLS_LOG2;
	uint32_t from = (uint32_t)range.cell & (INPUT_CELLS - 1), count;
	/* This is the usual case. */
	if (range.end - range.cell <= INPUT_CELLS - from && t->lane.front[input_front_at(number)].number == number) {
		read_cells(t, t->lane.front[input_front_at(number)].chunk, from, from + (uint32_t)(range.end - range.cell));
		return;
	}
	while (input_range_next(&range, &number, &from, &count)) {
		struct input_chunk *chunk = input_chunk_at(&s->shadow, &t->lane, number);
		if (chunk)
			read_cells(t, chunk, from, from + count);
		else
			t->lost++;
	}
}

static bool is_last_writer(const struct input_thread *t, uint32_t stamp)
{
	return stamp >= t->base << 1 && stamp & INPUT_WRITTEN;
}

/* A second write since the thread's last interruption need not be recorded: no other thread has accessed the cell
 * since the first one. */
static void write_cells(struct input_serial *s, struct input_chunk *chunk, uint32_t from, uint32_t count)
{
	struct input_thread *t = s->running;
	struct input_serial_world *world = (struct input_serial_world *)chunk->world;
	uint16_t id = t->id < INPUT_OTHERS ? (uint16_t)t->id : INPUT_OTHERS;
	uint32_t *stamps = &chunk->stamps[from], known = 0;
	while (known < count && is_last_writer(t, stamps[known]))
		known++;
	if (known < count && has_marks(s, world, id)) {
		world->writer = id;
		mark(world, from, count, true);
	} else if (known < count && !has_stamps(s, world)) {
		t->lost++;
		return;
	}
	fill(stamps, count, t->count << 1 | INPUT_WRITTEN);
	if (known == count || world->marks)
		return;
	fill(&world->stamps[from], count, t->count);
	set_writer(s, world, from, count, id);
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
	if (world->marks)
		port->give(port->context, world->marks, MARKS_BYTES);
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
		if (w->marks)
			mark(w, from, count, false);
	}
}
