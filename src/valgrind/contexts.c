/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "valgrind/contexts.h"

#include "core/hash.h"
#include "pub_tool_libcbase.h"

static struct {
	struct input_map index; /* from parent and routine, as one number, to the context's number */
	struct context *rows;   /* [0] is number 1 */
	uint32_t count, room;
} contexts;

static Bool has_room(void)
{
	if (contexts.count < contexts.room)
		return True;
	uint32_t room = contexts.room ? 2 * contexts.room : 256;
	struct context *rows = contexts.count < CONTEXTS_MAX ? memory_port.take(NULL, room * sizeof *rows) : NULL;
	if (!rows)
		return False;
	if (contexts.rows) {
		VG_(memcpy)(rows, contexts.rows, contexts.count * sizeof *rows);
		memory_port.give(NULL, contexts.rows, contexts.room * sizeof *rows);
	}
	contexts.rows = rows;
	contexts.room = room;
	return True;
}

/* Where two pairs of parent and routine have the same number, the next one is tried. */
uint32_t contexts_below(uint32_t parent, const struct routine *r)
{
	if (!options.contexts)
		return 0;
	uint32_t depth = parent ? contexts.rows[parent - 1].depth + 1 : 0;
	if (depth > CONTEXTS_DEPTH)
		return parent;
	uint64_t hash = (hash_spread(r->key) ^ parent) >> 1;
	for (;; hash++) {
		uint64_t *value = input_map_put(&contexts.index, &memory_port, hash);
		if (!value)
			return parent;
		const struct context *c = *value ? &contexts.rows[*value - 1] : NULL;
		if (c && c->parent == parent && c->routine == r->key)
			return (uint32_t)*value;
		if (c)
			continue;
		if (!has_room())
			return parent;
		contexts.rows[contexts.count++] = (struct context){.parent = parent, .depth = depth, .routine = r->key};
		return (uint32_t)(*value = contexts.count);
	}
}

/* A routine remembers the points of the thread that called it last. */
struct input_routine *contexts_points(struct thread *t, struct routine *r, uint32_t context)
{
	if (options.contexts)
		return input_routine_of(&t->input.routines, context);
	if (r->owner != t->owner) {
		r->owner = t->owner;
		r->points = input_routine_of(&t->input.routines, r->key);
	}
	return r->points;
}

const struct context *contexts_all(uint32_t *count)
{
	*count = contexts.count;
	return contexts.rows;
}
