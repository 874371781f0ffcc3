/* SPDX-License-Identifier: MIT */
/* forest.c: scopes seen top-down, bottom-up and flat.
 *
 * A view is a rule that says, for each scope, at which node of a forest its own costs are put; what a node has in all
 * follows from the nodes below it. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/strv.h"
#include "report/idle/view.h"

/* ---- nodes ---- */

/* File names are kept once, as scopes have them; those of routines are not. */
static uint64_t hash_node(const struct idle_node *n)
{
	uint64_t hash = hash_number(hash_number(HASH_START, n->parent), (uint64_t)n->kind << 32 | n->routine);
	return hash_text(hash_number(hash, n->line), n->file);
}

static bool is_node(const void *nodes, size_t number, const void *what)
{
	const struct idle_node *a = (const struct idle_node *)nodes + number, *b = what;
	return a->parent == b->parent && a->kind == b->kind && a->routine == b->routine && a->line == b->line &&
		strcmp(a->file, b->file) == 0;
}

uint32_t idle_forest_enter(struct idle_forest *f, const struct idle_node *node)
{
	size_t *place = lookup_at(&f->index, hash_node(node), is_node, f->nodes, node);
	if (!*place) {
		MEMORY_GROW(f->nodes, f->count, f->room);
		f->nodes[f->count++] = *node;
		*place = f->count;
	}
	return (uint32_t)*place - 1;
}

void idle_forest_free(struct idle_forest *f)
{
	free(f->nodes);
	lookup_free(&f->index);
}

/* ---- the three views ---- */

static uint32_t enter_scope(struct idle_forest *f, uint32_t parent, const struct idles_scope *s)
{
	return idle_forest_enter(
		f, &(struct idle_node){.parent = parent, .kind = s->kind, .routine = s->routine, .file = s->file, .line = s->line});
}

void idle_plant_top_down(struct idle_forest *f, enum idles_tree tree, long depth, uint32_t *nodes)
{
	(void)depth;
	for (size_t i = 0; i < f->idles->scope_count; i++) {
		const struct idles_scope *s = &f->idles->scopes[i];
		if (s->tree == tree)
			nodes[i] = enter_scope(f, s->parent == IDLES_NO_SCOPE ? IDLE_NO_NODE : nodes[s->parent], s);
	}
}

/* A routine where it is declared, under its file, or under the object that it is in. */
static uint32_t enter_declared(struct idle_forest *f, uint32_t routine)
{
	const struct run *run = f->idles->run;
	const struct run_routine *r = &run->routines[routine];
	struct idle_node file = {.parent = IDLE_NO_NODE,
	                         .kind = IDLE_FILE,
	                         .file = *r->file                     ? r->file
	                                 : r->object != RUN_NO_OBJECT ? run->objects[r->object].path
	                                                              : ""};
	uint32_t parent = idle_forest_enter(f, &file);
	return idle_forest_enter(
		f, &(struct idle_node){.parent = parent, .kind = IDLES_ROUTINE, .routine = routine, .file = r->file, .line = r->line});
}

void idle_plant_flat(struct idle_forest *f, enum idles_tree tree, long depth, uint32_t *nodes)
{
	(void)depth;
	for (size_t i = 0; i < f->idles->scope_count; i++) {
		const struct idles_scope *s = &f->idles->scopes[i];
		if (s->tree != tree)
			continue;
		if (s->kind == IDLES_INLINED || s->kind == IDLES_LOOP || s->kind == IDLES_LINE)
			nodes[i] = enter_scope(f, nodes[s->parent], s);
		else
			nodes[i] = enter_declared(f, s->kind == IDLES_ROUTINE ? s->routine : RUN_OUTSIDE);
	}
}

static uint32_t routine_around(const struct idles *idles, uint32_t scope)
{
	while (scope != IDLES_NO_SCOPE && idles->scopes[scope].kind != IDLES_ROUTINE)
		scope = idles->scopes[scope].parent;
	return scope;
}

/* The routine that ran, then its callers, each with the line that it calls from; what was inlined belongs to the
 * routine that it is in. A routine that calls itself is one caller, at the line of its outermost call. */
static uint32_t climb(struct idle_forest *f, uint32_t from, long depth)
{
	const struct idles *idles = f->idles;
	uint32_t at = routine_around(idles, from), routine = at == IDLES_NO_SCOPE ? RUN_OUTSIDE : idles->scopes[at].routine;
	const struct run_routine *r = &idles->run->routines[routine];
	uint32_t node = idle_forest_enter(
		f,
		&(struct idle_node){.parent = IDLE_NO_NODE, .kind = IDLES_ROUTINE, .routine = routine, .file = r->file, .line = r->line});
	while (at != IDLES_NO_SCOPE && depth-- > 0) {
		const struct idles_scope *callee = &idles->scopes[at];
		at = routine_around(idles, callee->parent);
		while (at != IDLES_NO_SCOPE && idles->scopes[at].routine == callee->routine) {
			callee = &idles->scopes[at];
			at = routine_around(idles, callee->parent);
		}
		if (at != IDLES_NO_SCOPE)
			node = idle_forest_enter(f,
			                         &(struct idle_node){.parent = node,
			                                             .kind = IDLES_ROUTINE,
			                                             .routine = idles->scopes[at].routine,
			                                             .file = callee->file,
			                                             .line = callee->line});
	}
	return node;
}

void idle_plant_bottom_up(struct idle_forest *f, enum idles_tree tree, long depth, uint32_t *nodes)
{
	for (size_t i = 0; i < f->idles->scope_count; i++) /* callers, too, for what they have including callees */
		if (f->idles->scopes[i].tree == tree && f->idles->scopes[i].kind == IDLES_ROUTINE)
			nodes[i] = climb(f, (uint32_t)i, depth);
	for (size_t i = 0; i < f->idles->cost_count; i++) {
		uint32_t scope = f->idles->costs[i].scope[tree];
		if (nodes[scope] == IDLE_NO_NODE)
			nodes[scope] = climb(f, scope, depth);
	}
	for (size_t i = 0; i < f->idles->event_count; i++) {
		uint32_t scope = f->idles->events[i].scope[tree];
		if (nodes[scope] == IDLE_NO_NODE)
			nodes[scope] = climb(f, scope, depth);
	}
}

/* ---- costs ---- */

static void add_up(struct idle_forest *f)
{
	for (size_t i = f->count; i-- > 0;) {
		const struct idle_node *node = &f->nodes[i];
		if (node->parent == IDLE_NO_NODE)
			continue;
		struct idle_node *parent = &f->nodes[node->parent];
		idles_add(&parent->sums, &node->sums);
		for (size_t e = 0; e < f->idles->event_name_count; e++)
			parent->events[e] += node->events[e];
	}
}

/* ---- including and excluding callees ---- */

void idle_three_add(struct idle_three *to, const struct idles_sums *sums)
{
	to->work_ns += sums->work_ns;
	to->idle_ns += sums->idle_ns;
	to->overhead_ns += sums->overhead_ns;
}

/* In a tree that includes callees: a cost belongs to its line, to the loops around it, and to the routine that they are in. */
static void exclude(struct idle_forest *f, const struct idles_sums *sums, const uint32_t *nodes)
{
	for (size_t i = 0; i < f->idles->scope_count; i++)
		for (uint32_t n = idles_effort(&sums[i]) ? nodes[i] : IDLE_NO_NODE; n != IDLE_NO_NODE; n = f->nodes[n].parent) {
			idle_three_add(&f->nodes[n].own, &sums[i]);
			if (f->nodes[n].kind != IDLES_LINE && f->nodes[n].kind != IDLES_LOOP)
				break;
		}
	for (size_t i = 0; i < f->count; i++)
		idle_three_add(&f->nodes[i].whole, &f->nodes[i].sums);
}

/* In one that excludes them: a cost belongs to the nodes of all scopes above it, once to each, however often it is there. */
static void include(struct idle_forest *f, const struct idles_sums *sums, const uint32_t *nodes)
{
	size_t *seen = memory_zeroed(f->count, sizeof *seen);
	for (size_t i = 0; i < f->idles->scope_count; i++)
		for (uint32_t at = idles_effort(&sums[i]) ? (uint32_t)i : IDLES_NO_SCOPE; at != IDLES_NO_SCOPE;
		     at = f->idles->scopes[at].parent)
			for (uint32_t n = nodes[at]; n != IDLE_NO_NODE && seen[n] != i + 1; n = f->nodes[n].parent) {
				seen[n] = i + 1;
				idle_three_add(&f->nodes[n].whole, &sums[i]);
			}
	free(seen);
	for (size_t i = 0; i < f->count; i++)
		idle_three_add(&f->nodes[i].own, &f->nodes[i].sums);
}

void idle_forest_grow(struct idle_forest *f, const struct idles *idles, idle_plant *plant, enum idles_tree tree, long depth,
                      uint32_t thread)
{
	uint32_t *nodes = memory_resize(NULL, idles->scope_count, sizeof *nodes);
	memset(nodes, 0xff, idles->scope_count * sizeof *nodes);
	*f = (struct idle_forest){.idles = idles};
	plant(f, tree, depth >= 0 ? depth : INT32_MAX, nodes);
	for (size_t i = 0; i < idles->cost_count; i++)
		if (thread == UINT32_MAX || idles->costs[i].thread == thread)
			idles_count(&f->nodes[nodes[idles->costs[i].scope[tree]]].sums, &idles->costs[i]);
	for (size_t i = 0; i < idles->event_count; i++)
		if (thread == UINT32_MAX || idles->events[i].thread == thread)
			f->nodes[nodes[idles->events[i].scope[tree]]].events[idles->events[i].event] += idles->events[i].count;
	add_up(f);
	struct idles_sums *sums = memory_resize(NULL, idles->scope_count, sizeof *sums);
	idles_exclude(idles, tree, thread, sums);
	if (plant == idle_plant_top_down)
		exclude(f, sums, nodes);
	else
		include(f, sums, nodes);
	free(sums);
	free(nodes);
}

const char *idle_node_name(struct pool *pool, const struct idles *idles, const struct idle_node *node)
{
	const struct run *run = idles->run;
	switch (node->kind) {
	case IDLES_ROOT: return "(program)";
	case IDLES_PROCESS:
		return run->process_count > 1 ? pool_print(pool, "%s (process %u)", node->file, run->processes[node->line].pid)
					      : node->file;
	case IDLES_LOOP: return node->line ? pool_print(pool, "loop at %s:%u", str_base(node->file), node->line) : "loop";
	case IDLES_LINE: return pool_print(pool, "%s:%u", str_base(node->file), node->line);
	case IDLE_FILE: return *node->file ? str_base(node->file) : "(no file)";
	default: return idles_name(pool, run, node->routine);
	}
}
