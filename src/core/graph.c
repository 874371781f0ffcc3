/* SPDX-License-Identifier: MIT */
#include "core/graph.h"

/* Node i's `stack` and `path` are element i of two stacks: of nodes that have no component yet, and of those that are being visited. */
struct search {
	const struct graph *g;
	struct graph_node *nodes;
	size_t stacked, depth;
	uint32_t counter, components;
};

static void push(struct search *s, uint32_t v)
{
	struct graph_node *n = &s->nodes[v];
	n->index = n->low = ++s->counter;
	n->on_stack = true;
	n->next = n->first;
	s->nodes[s->stacked++].stack = v;
	s->nodes[s->depth++].path = v;
}

/* Is all that the node leads to steady? Of its own component that is not known yet, and each node says it for itself. */
static bool leads_to_steady(const struct search *s, const struct graph_node *n)
{
	for (size_t e = n->first; e < n[1].first; e++) {
		const struct graph_node *to = &s->nodes[s->g->to[e]];
		if (!to->steady && !to->on_stack)
			return false;
	}
	return true;
}

static bool leads_to_itself(const struct search *s, uint32_t v)
{
	for (size_t e = s->nodes[v].first; e < s->nodes[v + 1].first; e++)
		if (s->g->to[e] == v)
			return true;
	return false;
}

/* The nodes above `v` on the stack, and v. */
static void pop_component(struct search *s, uint32_t v)
{
	size_t first = s->stacked;
	bool steady = true;
	do {
		const struct graph_node *n = &s->nodes[s->nodes[--first].stack];
		steady = steady && n->steady && leads_to_steady(s, n);
	} while (s->nodes[first].stack != v);
	bool recursive = s->stacked - first > 1 || leads_to_itself(s, v);
	s->components++;
	while (s->stacked > first) {
		struct graph_node *n = &s->nodes[s->nodes[--s->stacked].stack];
		n->on_stack = false;
		n->steady = steady;
		n->recursive = recursive;
		n->component = s->components;
	}
}

static void go_back(struct search *s, uint32_t v)
{
	if (s->nodes[v].low == s->nodes[v].index)
		pop_component(s, v);
	if (!--s->depth)
		return;
	struct graph_node *before = &s->nodes[s->nodes[s->depth - 1].path];
	if (s->nodes[v].low < before->low)
		before->low = s->nodes[v].low;
}

static void visit(struct search *s, uint32_t start)
{
	push(s, start);
	while (s->depth) {
		uint32_t v = s->nodes[s->depth - 1].path;
		struct graph_node *n = &s->nodes[v];
		if (n->next == n[1].first) {
			go_back(s, v);
			continue;
		}
		uint32_t w = s->g->to[n->next++];
		if (!s->nodes[w].index)
			push(s, w);
		else if (s->nodes[w].on_stack && s->nodes[w].index < n->low)
			n->low = s->nodes[w].index;
	}
}

void graph_solve(const struct graph *g)
{
	struct search s = {.g = g, .nodes = g->nodes};
	for (uint32_t v = 0; v < g->count; v++)
		if (!g->nodes[v].index)
			visit(&s, v);
}
