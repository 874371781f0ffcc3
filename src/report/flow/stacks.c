/* SPDX-License-Identifier: MIT */
/* stacks.c: waits of the flow lens by call path, for exports. A path is the call that waited and its callers, as far as the recording has
 * them: it names the routines of callers, and of a recursion one. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "report/flow/view.h"

struct callers {
	const struct run *run;
	struct stacks *stacks;
	struct lookup index; /* of routines, by name */
	bool *is_shared;     /* by routine: others are called so, too */
};

static bool is_named(const void *routines, size_t number, const void *name)
{
	return strcmp(((const struct run_routine *)routines)[number].name, name) == 0;
}

static void index_names(struct callers *c)
{
	c->is_shared = memory_zeroed(c->run->routine_count, sizeof *c->is_shared);
	for (size_t i = 0; i < c->run->routine_count; i++) {
		const char *name = c->run->routines[i].name;
		size_t *place = lookup_at(&c->index, hash_text(HASH_START, name), is_named, c->run->routines, name);
		if (*place)
			c->is_shared[*place - 1] = true;
		else
			*place = i + 1;
	}
}

static uint32_t bare_function(struct stacks *s, const char *name)
{
	return stacks_function(s, &(struct stacks_function){name, "", "", 0, RUN_NO_OBJECT});
}

/* Callers are known by name: of which routine it is, if there are several, is not. */
static uint32_t caller_function(struct callers *c, const char *name)
{
	size_t *place = lookup_at(&c->index, hash_text(HASH_START, name), is_named, c->run->routines, name);
	if (*place && !c->is_shared[*place - 1])
		return stacks_routine(c->stacks, (uint32_t)*place - 1);
	return bare_function(c->stacks, name);
}

/* Where the next " < " divides callers: a template's argument in parentheses may hold one, too. */
static char *next_caller(char *text)
{
	int depth = 0;
	for (; *text; text++) {
		depth += *text == '(' ? 1 : *text == ')' ? -1 : 0;
		if (depth <= 0 && strncmp(text, " < ", 3) == 0)
			return text;
	}
	return NULL;
}

static uint32_t node_of(struct callers *c, const struct flows_wait *w)
{
	uint32_t functions[64], node = STACKS_NOWHERE;
	size_t count = 0;
	for (char *at = pool_text(&c->stacks->pool, w->callers), *next; at && *at && count < sizeof functions / sizeof *functions;
	     at = next) {
		next = next_caller(at);
		if (next) {
			*next = 0;
			next += 3;
		}
		functions[count++] = caller_function(c, at);
	}
	while (count--)
		node = stacks_call(c->stacks, node, functions[count], 0);
	if (w->where.routine == RUN_OUTSIDE)
		return stacks_call(c->stacks, node, bare_function(c->stacks, "(unknown)"), 0);
	bool is_own = strcmp(c->run->routines[w->where.routine].file, w->where.file) == 0;
	return stacks_call(c->stacks, node, stacks_routine(c->stacks, w->where.routine), is_own ? w->where.line : 0);
}

int view_flow_stack(const void *data, bool arcs, struct stacks *s, struct fail *why)
{
	const struct flow_data *mine = data;
	const struct flows *f = &mine->flows;
	struct callers c = {.run = f->run, .stacks = s};
	(void)arcs;
	stacks_start(s, f->run);
	if (view_flow_check_times(data, NULL, why) < 0)
		return -1;
	stacks_type(s, "waited", "nanoseconds");
	stacks_type(s, "waits", "count");
	index_names(&c);
	for (size_t i = 0; i < f->wait_count; i++) {
		const struct flows_wait *w = &f->waits[i];
		if (mine->thread >= 0 && w->thread != (uint32_t)mine->thread)
			continue;
		stacks_add(s,
		           &(struct stacks_sample){.node = node_of(&c, w),
		                                   .thread = w->thread < f->run->thread_count ? w->thread : STACKS_NOWHERE,
		                                   .wait = flows_wait_name(w->kind),
		                                   .object = view_flow_object(f, w->object)},
		           (const int64_t[]){(int64_t)w->waited_ns, (int64_t)w->count});
	}
	lookup_free(&c.index);
	free(c.is_shared);
	return 0;
}
