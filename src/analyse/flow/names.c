/* SPDX-License-Identifier: MIT */
#include "analyse/flow/names.h"

#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/text.h"

/* How many of the first calls two objects share. */
static int shared_calls(const struct flow_named *a, const struct flow_named *b)
{
	int depth = 0;
	while (depth < FLOW_NAMES_DEPTH && strcmp(a->calls[depth], b->calls[depth]) == 0)
		depth++;
	return strcmp(a->kind, b->kind) == 0 ? depth : 0;
}

static bool is_same(const void *array, size_t number, const void *what)
{
	const struct flow_named *a = (const struct flow_named *)array + number, *b = what;
	return strcmp(a->kind, b->kind) == 0 && shared_calls(a, b) == FLOW_NAMES_DEPTH;
}

static const char *name_call(struct pool *pool, const struct run *run, const struct blame_frame *frame)
{
	const char *place = frame->line ? text_place(pool, frame->file, frame->line) : "";
	return *place ? place : pool_text(pool, run->routines[frame->routine].name);
}

uint32_t flow_names_add(struct flow_names *n, const char *kind, const struct run *run, const struct blame_frame *frames, size_t count)
{
	struct flow_named named = {.kind = kind};
	uint64_t hash = hash_text(HASH_START, kind);
	for (size_t i = 0; i < FLOW_NAMES_DEPTH; i++) {
		named.calls[i] = i < count ? name_call(&n->pool, run, &frames[i]) : "";
		hash = hash_text(hash_number(hash, i), named.calls[i]);
	}
	size_t *place = lookup_at(&n->index, hash, is_same, n->list, &named);
	if (!*place) {
		MEMORY_GROW(n->list, n->count, n->room);
		n->list[n->count++] = named;
		*place = n->count;
	}
	return (uint32_t)*place - 1;
}

static const char *name_by(struct pool *pool, const struct flow_named *named, int depth)
{
	const char *text = *named->calls[0] ? pool_print(pool, "%s at %s", named->kind, named->calls[0]) : named->kind;
	for (int i = 1; i < depth && *named->calls[i]; i++)
		text = pool_print(pool, "%s < %s", text, named->calls[i]);
	return text;
}

static int by_calls(const void *a, const void *b)
{
	const struct flow_named *x = *(struct flow_named *const *)a, *y = *(struct flow_named *const *)b;
	int order = strcmp(x->kind, y->kind);
	for (int i = 0; i < FLOW_NAMES_DEPTH && !order; i++)
		order = strcmp(x->calls[i], y->calls[i]);
	return order;
}

/* In order of their calls, each differs most from its neighbours where it must. */
static void name_group(struct flow_names *n, struct flow_named **group, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int depth = 0;
		if (count <= FLOW_NAMES_FEW && i > 0)
			depth = shared_calls(group[i], group[i - 1]);
		if (count <= FLOW_NAMES_FEW && i + 1 < count && shared_calls(group[i], group[i + 1]) > depth)
			depth = shared_calls(group[i], group[i + 1]);
		group[i]->name = name_by(&n->pool, group[i], depth + 1);
	}
}

void flow_names_settle(struct flow_names *n)
{
	struct flow_named **order = memory_zeroed(n->count + 1, sizeof *order);
	for (size_t i = 0; i < n->count; i++)
		order[i] = &n->list[i];
	if (n->count)
		qsort(order, n->count, sizeof *order, by_calls);
	for (size_t i = 0; i < n->count;) {
		size_t first = i;
		while (i < n->count && shared_calls(order[first], order[i]) > 0)
			i++;
		i += i == first;
		name_group(n, order + first, i - first);
	}
	free(order);
}

const char *flow_names_of(const struct flow_names *n, uint32_t number)
{
	return n->list[number].name;
}

void flow_names_free(struct flow_names *n)
{
	free(n->list);
	lookup_free(&n->index);
	pool_free(&n->pool);
}
