/* SPDX-License-Identifier: MIT */
/* points.c: rows of points, found by size, in bins that widen when there are too many of them.
 *
 * Problem: each call of a routine may have another size.
 * Idea: sizes are exact until there are too many. Then only their first digits count, ever fewer, and rows are
 * merged in place. Bins are thus as wide as they must be and no wider, and of equal width on the logarithmic axis
 * where cost functions are looked at.
 * Cost: one look-up per activation; merging is paid for by the rows that it removes. At one digit 65 rows are left,
 * so merging ends. */
#include "core/input/points.h"
#include "core/input/choice.h"

enum { FIRST_ROOM = 4, FIRST_BITS = 16 };

static void put_together(struct input_point *p, const struct input_point *q)
{
	p->size_sum = input_add_up(p->size_sum, q->size_sum);
	p->calls += q->calls;
	p->cost_min = q->cost_min < p->cost_min ? q->cost_min : p->cost_min;
	p->cost_max = q->cost_max > p->cost_max ? q->cost_max : p->cost_max;
	p->cost_sum = input_add_up(p->cost_sum, q->cost_sum);
	input_add_squares(p->squares, q->squares[0], q->squares[1]);
	p->cost_outermost = input_add_up(p->cost_outermost, q->cost_outermost);
	p->self_sum = input_add_up(p->self_sum, q->self_sum);
	p->thread = input_add_up(p->thread, q->thread);
	p->external = input_add_up(p->external, q->external);
}

static uint64_t bin_of(uint64_t size, uint32_t bits)
{
	uint32_t digits = size ? 64 - (uint32_t)__builtin_clzll(size) : 0;
	return bits && digits > bits ? size >> (digits - bits) << (digits - bits) : size;
}

static void show(const struct input_port *port, struct input_point *rows, uint32_t count)
{
	if (port->shelf && rows)
		port->shelf->show(port->context, rows, count);
}

/* Merges the rows into bins of fewer digits. The index shrinks, so it needs no memory. */
static void widen(struct input_points *points, const struct input_port *port, uint32_t bits)
{
	uint32_t to = 0;
	points->bits = bits;
	show(port, points->rows, 0);
	input_map_clear(&points->index);
	for (uint32_t from = 0; from < points->count; from++) {
		struct input_point p = points->rows[from];
		p.size = bin_of(p.size, bits);
		p.bits = (uint16_t)bits;
		uint64_t *row = input_map_put(&points->index, port, p.size);
		if (*row) {
			put_together(&points->rows[*row - 1], &p);
		} else {
			*row = to + 1;
			points->rows[to++] = p;
		}
	}
	points->count = to;
	show(port, points->rows, to);
}

static struct input_point *take_rows(const struct input_port *port, uint32_t room)
{
	return port->shelf ? port->shelf->take(port->context, room) : port->take(port->context, room * sizeof(struct input_point));
}

static bool has_room(struct input_points *points, const struct input_port *port)
{
	if (points->count < points->room)
		return true;
	uint32_t room = points->room ? 2 * points->room : FIRST_ROOM;
	struct input_point *rows = take_rows(port, room);
	if (!rows)
		return false;
	for (uint32_t i = 0; i < points->count; i++)
		rows[i] = points->rows[i];
	show(port, points->rows, 0);
	show(port, rows, points->count);
	if (points->rows && !port->shelf)
		port->give(port->context, points->rows, points->room * sizeof *rows);
	points->rows = rows;
	points->room = room;
	return true;
}

/* The row of the size, like `fresh` if it is new; NULL: no memory. */
static struct input_point *row_of(struct input_points *points, const struct input_port *port, uint32_t sizes_max, uint64_t size,
                                  struct input_point fresh)
{
	for (;;) {
		uint64_t bin = bin_of(size, points->bits);
		uint64_t *row = input_map_find(&points->index, bin);
		if (row)
			return &points->rows[*row - 1];
		if (points->count >= sizes_max) {
			widen(points, port, points->bits ? points->bits - 1 : FIRST_BITS);
			continue;
		}
		if (!has_room(points, port) || !(row = input_map_put(&points->index, port, bin)))
			return NULL;
		*row = ++points->count;
		fresh.size = bin;
		fresh.bits = (uint16_t)points->bits;
		points->rows[*row - 1] = fresh;
		show(port, points->rows, points->count);
		return &points->rows[*row - 1];
	}
}

static void add_one(struct input_point *p, uint64_t size, const struct input_activation *a)
{
	input_point_add(p, size, a->cost, a->self, a->outermost);
	p->thread = input_add_up(p->thread, a->thread);
	p->external = input_add_up(p->external, a->external);
}

static struct input_point fresh_of(const struct input_routines *routines, const struct input_routine *routine, unsigned metrics)
{
	return (struct input_point){.routine = routine->key,
	                            .reader = routines->reader,
	                            .metrics = (uint16_t)metrics,
	                            .cost_min = UINT64_MAX};
}

/* Rows move only here, when there are more of them. A row of several sizes must be looked up. */
static struct input_point *same_row_of(struct input_routines *routines, struct input_routine *routine, uint64_t size)
{
	struct input_point *p =
		row_of(&routine->same, routines->port, routines->sizes_max, size, fresh_of(routines, routine, INPUT_ALL_METRICS));
	routine->recent_size = p && p->size == size ? size + 1 : 0;
	routine->recent = p;
	if (p && size < INPUT_NEAR)
		routine->near[size] = (uint32_t)(p - routine->same.rows);
	return p;
}

void input_routine_add(struct input_routines *routines, struct input_routine *routine, const struct input_activation *a)
{
	uint64_t trms = a->size[INPUT_TRMS];
	if (a->size[INPUT_RMS] == trms && a->size[INPUT_RMS_EXTERNAL] == trms) {
		struct input_point *p = input_point_near(routine, trms);
		if (!p)
			p = same_row_of(routines, routine, trms);
		if (p)
			add_one(p, trms, a);
		else
			routines->lost++;
		return;
	}
	bool lost = false;
	for (int m = 0; m < INPUT_METRICS; m++) {
		struct input_point *p =
			row_of(&routine->own[m], routines->port, routines->sizes_max, a->size[m], fresh_of(routines, routine, 1u << m));
		if (p)
			add_one(p, a->size[m], a);
		else
			lost = true;
	}
	routines->lost += lost;
}

bool input_points_merge(struct input_points *into, const struct input_points *from, const struct input_port *port, uint32_t sizes_max)
{
	if (from->bits && (!into->bits || into->bits > from->bits))
		widen(into, port, from->bits);
	for (uint32_t i = 0; i < from->count; i++) {
		struct input_point *p = row_of(into, port, sizes_max, from->rows[i].size, (struct input_point){.cost_min = UINT64_MAX});
		if (!p)
			return false;
		put_together(p, &from->rows[i]);
	}
	return true;
}

bool input_routine_points(const struct input_routines *routines, const struct input_routine *routine, enum input_metric metric,
                          struct input_points *into)
{
	return input_points_merge(into, &routine->same, routines->port, routines->sizes_max) &&
		input_points_merge(into, &routine->own[metric], routines->port, routines->sizes_max);
}

void input_points_free(struct input_points *points, const struct input_port *port)
{
	input_map_free(&points->index, port);
	if (points->rows && !port->shelf)
		port->give(port->context, points->rows, points->room * sizeof *points->rows);
	*points = (struct input_points){0};
}

struct input_routine *input_routine_of(struct input_routines *routines, uint64_t key)
{
	uint64_t *value = input_map_put(&routines->map, routines->port, key);
	if (value && !*value) {
		struct input_routine *fresh = routines->port->take(routines->port->context, sizeof *fresh);
		if (fresh)
			fresh->key = key;
		*value = (uint64_t)(uintptr_t)fresh;
	}
	return value ? (struct input_routine *)(uintptr_t)*value : NULL;
}

void input_routine_clear(struct input_routine *routine, const struct input_port *port)
{
	routine->recent_size = 0;
	input_points_free(&routine->same, port);
	for (int m = 0; m < INPUT_METRICS; m++)
		input_points_free(&routine->own[m], port);
}

void input_routines_free(struct input_routines *routines)
{
	for (uint32_t i = 0; i < input_map_slots(&routines->map); i++) {
		struct input_routine *r = (struct input_routine *)(uintptr_t)routines->map.slots[i].value;
		if (!r)
			continue;
		input_routine_clear(r, routines->port);
		if (r->choice)
			routines->port->give(routines->port->context, r->choice, sizeof *r->choice);
		routines->port->give(routines->port->context, r, sizeof *r);
	}
	input_map_free(&routines->map, routines->port);
}
