/* SPDX-License-Identifier: MIT */
#include "relink/pieces/callgraph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/graph.h"

struct callgraph_function {
	bool is_routine, is_unsteady, has_sites, is_unclear, is_weak; /* in some piece */
	bool is_called_outside, is_replaced, is_obscure;
	bool is_unknown; /* a call of the name may reach anything */
	bool steady, recursive;
	uint32_t component;
	size_t mentioned; /* the last piece that does, from 1 */
};

struct callgraph_call {
	size_t caller, callee;
	bool is_quiet; /* if it is a library's */
};

static size_t index_of(struct callgraph *g, const char *name, size_t object)
{
	size_t index = scoped_index(&g->names, name, object);

	if (index == g->function_count) {
		MEMORY_GROW(g->functions, g->function_count, g->function_room);
		g->functions[g->function_count++] = (struct callgraph_function){0};
	}
	return index;
}

/* ---- what pieces tell ---- */

static size_t index_of_word(struct callgraph *g, const char *word)
{
	return index_of(g, word + 1, *word == '-' ? g->pieces : 0);
}

static void mention(struct callgraph *g, size_t function)
{
	if (g->functions[function].mentioned == g->pieces)
		return;
	g->functions[function].mentioned = g->pieces;
	MEMORY_GROW(g->mentions, g->mention_count, g->mention_room);
	g->mentions[g->mention_count++] = function;
}

static void add_routine(struct callgraph *g, size_t caller, const char *flags, char *rest)
{
	struct callgraph_function *f = &g->functions[caller];

	f->is_routine = true;
	f->is_unsteady |= !strchr(flags, 's');
	f->has_sites |= !strchr(flags, 'l');
	f->is_unclear |= strchr(flags, 'u') != NULL;
	f->is_weak |= strchr(flags, 'w') != NULL;
	mention(g, caller);
	for (const char *word; (word = strsep(&rest, "\t"));) {
		if (!word[0] || !word[1])
			continue;
		size_t callee = index_of_word(g, word + 1);
		mention(g, callee);
		MEMORY_GROW(g->calls, g->call_count, g->call_room);
		g->calls[g->call_count++] = (struct callgraph_call){caller, callee, *word == 'q'};
	}
}

static void add_line(struct callgraph *g, char *line)
{
	char *rest = line, *kind = strsep(&rest, "\t"), *name = strsep(&rest, "\t"), *flags = strsep(&rest, "\t");

	if (!name || !*name)
		return;
	size_t function = index_of_word(g, name);
	if (*kind == 'f' && flags)
		add_routine(g, function, flags, rest);
	g->functions[function].is_called_outside |= *kind == 'o';
	g->functions[function].is_obscure |= *kind == 'x';
}

void callgraph_add(struct callgraph *g, const char *lines, size_t size)
{
	char *text = mem_or_die(strndup(lines, size)), *rest = text;

	MEMORY_GROW(g->firsts, g->pieces, g->piece_room);
	g->firsts[g->pieces++] = g->mention_count;
	for (char *line; (line = strsep(&rest, "\n"));)
		add_line(g, line);
	free(text);
}

void callgraph_refer(struct callgraph *g, const char *name)
{
	size_t function = index_of(g, name, 0);

	g->functions[function].is_called_outside = true;
}

void callgraph_replace(struct callgraph *g, const char *name)
{
	size_t function = index_of(g, name, 0);

	g->functions[function].is_replaced = true;
}

void callgraph_obscure(struct callgraph *g, const char *name)
{
	size_t function = index_of(g, name, 0);

	g->functions[function].is_obscure = true;
}

/* ---- what it proves ---- */

/* The node behind the last function is all other code. A call that leads nowhere is of a quiet library function. */
static size_t target_of(const struct callgraph *g, const struct callgraph_call *c)
{
	const struct callgraph_function *callee = &g->functions[c->callee];

	if (callee->is_unknown)
		return g->function_count;
	return callee->is_routine ? c->callee : c->is_quiet ? SIZE_MAX : g->function_count;
}

static void add_edge(struct graph_node *nodes, uint32_t *to, size_t *at, size_t from, size_t target)
{
	if (to)
		to[at[from]++] = (uint32_t)target;
	else
		nodes[from + 1].first++;
}

/* Counts edges first, then puts them where they belong. */
static void add_edges(const struct callgraph *g, struct graph_node *nodes, uint32_t *to, size_t *at)
{
	size_t outside = g->function_count;

	for (size_t i = 0; i < g->call_count; i++) {
		size_t target = target_of(g, &g->calls[i]);
		if (target != SIZE_MAX)
			add_edge(nodes, to, at, g->calls[i].caller, target);
	}
	for (size_t i = 0; i < g->function_count; i++) {
		const struct callgraph_function *f = &g->functions[i];
		if (f->is_unclear)
			add_edge(nodes, to, at, i, outside);
		if (f->is_routine && (f->is_called_outside || f->is_unknown) && strcmp(g->names.at[i].name, "main") != 0)
			add_edge(nodes, to, at, outside, i);
	}
}

static void solve(struct callgraph *g, bool is_general)
{
	size_t count = g->function_count + 1, *at = mem_or_die(calloc(count, sizeof *at));
	struct graph_node *nodes = mem_or_die(calloc(count + 1, sizeof *nodes));

	add_edges(g, nodes, NULL, NULL);
	for (size_t i = 0; i < count; i++) {
		at[i] = nodes[i].first;
		nodes[i + 1].first += nodes[i].first;
		nodes[i].steady = i < g->function_count && !is_general && !g->functions[i].is_unsteady;
	}
	uint32_t *to = mem_or_die(calloc(nodes[count].first + 1, sizeof *to));
	add_edges(g, nodes, to, at);
	graph_solve(&(struct graph){nodes, count, to});
	for (size_t i = 0; i < g->function_count; i++) {
		g->functions[i].steady = nodes[i].steady;
		g->functions[i].recursive = nodes[i].recursive;
		g->functions[i].component = nodes[i].component;
	}
	free(at);
	free(nodes);
	free(to);
}

/* A weak function of a library may give way to another object's when the program is loaded. */
void callgraph_solve(struct callgraph *g, bool is_program, bool is_general)
{
	for (size_t i = 0; i < g->function_count; i++) {
		struct callgraph_function *f = &g->functions[i];
		f->is_unknown = f->is_obscure || (f->is_routine && f->is_replaced) || (f->is_weak && !is_program);
	}
	solve(g, is_general);
}

const char *callgraph_broken(const struct callgraph *g, bool (*is_there)(void *program, const char *name), void *program)
{
	for (size_t i = 0; i < g->call_count; i++) {
		const struct callgraph_function *callee = &g->functions[g->calls[i].callee];
		const struct scoped_name *name = &g->names.at[g->calls[i].callee];
		bool is_trusted = callee->is_routine && !callee->is_unknown && !name->object;
		if (is_trusted && !is_there(program, name->name) && is_there(program, g->names.at[g->calls[i].caller].name))
			return name->name;
	}
	return NULL;
}

/* ---- what pieces must know ---- */

static void write_function(const struct callgraph *g, size_t index, size_t component, FILE *to)
{
	const struct callgraph_function *f = &g->functions[index];
	const struct scoped_name *name = &g->names.at[index];

	fprintf(to, "%c%s\t-%s%s%s%s%s\t%zu\n", name->object ? '-' : '+', name->name, f->steady ? "s" : "", f->recursive ? "r" : "",
	        f->is_called_outside || f->is_unknown ? "o" : "", f->has_sites ? "" : "l", f->is_unknown ? "x" : "", component);
}

void callgraph_write(struct callgraph *g, size_t piece, FILE *to)
{
	struct map components = {0}; /* to what each is called here */
	size_t count = 0, end = piece + 1 < g->pieces ? g->firsts[piece + 1] : g->mention_count;

	for (size_t i = g->firsts[piece]; i < end; i++) {
		const struct callgraph_function *f = &g->functions[g->mentions[i]];
		if (!f->is_routine && !f->is_unknown)
			continue;
		void **number = map_at(&components, f->component + 1);
		*number = *number ? *number : (void *)(uintptr_t)++count;
		write_function(g, g->mentions[i], (size_t)(uintptr_t)*number, to);
	}
	map_free(&components);
}

void callgraph_free(struct callgraph *g)
{
	scoped_free(&g->names);
	free(g->functions);
	free(g->calls);
	free(g->mentions);
	free(g->firsts);
	*g = (struct callgraph){0};
}
