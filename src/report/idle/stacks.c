/* SPDX-License-Identifier: MIT */
/* stacks.c: the call paths of the idle lens, for exports: processes, routines and inlined routines. Loops and lines are not calls: of the
 * innermost one there is the line. */
#include <stdlib.h>
#include <string.h>

#include "report/idle/view.h"

enum { OWN_TYPES = 5 }; /* work, idle, overhead, effort, samples; events follow */

struct climber {
	const struct idles *idles;
	struct stacks *stacks;
	struct map nodes;    /* by scope and line: node + 1 */
	uint32_t *functions; /* by routine: function + 1, 0: none yet */
	struct step {
		uint32_t scope, line;
	} *path;
	size_t count, room;
};

static bool is_call(const struct idles_scope *s)
{
	return s->kind == IDLES_ROUTINE || s->kind == IDLES_INLINED;
}

/* The call, process or root that a loop or a line is in. */
static uint32_t around(const struct idles *idles, uint32_t scope)
{
	while (idles->scopes[scope].kind == IDLES_LOOP || idles->scopes[scope].kind == IDLES_LINE)
		scope = idles->scopes[scope].parent;
	return scope;
}

static uint32_t function_of(struct climber *c, const struct idles_scope *s)
{
	const struct run *run = c->idles->run;
	if (!is_call(s)) {
		const struct idle_node node = {.kind = s->kind, .file = s->file, .line = s->line};
		const char *name = idle_node_name(&c->stacks->pool, c->idles, &node);
		return stacks_function(c->stacks, &(struct stacks_function){name, "", "", 0, RUN_NO_OBJECT});
	}
	if (!c->functions[s->routine]) {
		const struct run_routine *r = &run->routines[s->routine];
		const char *name = idles_name(&c->stacks->pool, run, s->routine);
		c->functions[s->routine] =
			stacks_function(c->stacks, &(struct stacks_function){name, r->linkage, r->file, r->line, r->object}) + 1;
	}
	return c->functions[s->routine] - 1;
}

/* The line in a file, if that is the file of the routine: code of a header in its middle has lines of another file. */
static uint32_t line_in(const struct idles *idles, uint32_t scope, const char *file, uint32_t line)
{
	const struct idles_scope *s = &idles->scopes[scope];
	return is_call(s) && strcmp(idles->run->routines[s->routine].file, file) == 0 ? line : 0;
}

static void **known(struct climber *c, const struct step *step)
{
	return map_at(&c->nodes, (uint64_t)step->scope << 32 | step->line);
}

/* The node of a scope whose path has reached that line: up to the first call that has a node, then down again. */
static uint32_t node_of(struct climber *c, uint32_t scope)
{
	const struct idles *idles = c->idles;
	const struct idles_scope *s = &idles->scopes[scope];
	uint32_t line = s->kind == IDLES_LINE ? s->line : 0, node = STACKS_NOWHERE;
	const char *file = s->file;
	for (c->count = 0; scope != IDLES_NO_SCOPE;) {
		scope = around(idles, scope);
		s = &idles->scopes[scope];
		if (s->kind == IDLES_ROOT && c->count)
			break;
		struct step step = {scope, line_in(idles, scope, file, line)};
		MEMORY_GROW(c->path, c->count, c->room);
		c->path[c->count++] = step;
		void *found = *known(c, &step);
		if (found) {
			node = (uint32_t)(uintptr_t)found - 1;
			c->count--;
			break;
		}
		file = s->file;
		line = s->line;
		scope = s->parent;
	}
	while (c->count--) {
		const struct step *step = &c->path[c->count];
		node = stacks_call(c->stacks, node, function_of(c, &idles->scopes[step->scope]), step->line);
		*known(c, step) = (void *)((uintptr_t)node + 1);
	}
	return node;
}

static int take_types(const struct idle_data *mine, struct stacks *s, struct fail *why)
{
	bool is_found = mine->asked.metric < 0;
	static const char *const own[OWN_TYPES] = {"work", "idle", "overhead", "effort", "samples"};
	for (size_t t = 0; t < OWN_TYPES; t++)
		stacks_type(s, own[t], strcmp(own[t], "samples") == 0 ? "count" : "nanoseconds");
	for (size_t e = 0; e < mine->idles.event_name_count; e++)
		stacks_type(s, mine->idles.event_names[e], "count");
	for (size_t t = 0; t < s->type_count && !is_found; t++)
		if (idle_metric_find(&mine->idles, s->types[t].name) == mine->asked.metric) {
			s->chosen = t;
			is_found = true;
		}
	return is_found ? 0 : fail_set(why, FAIL_USAGE, "--metric of an export is work, idle, overhead, effort, samples or an event");
}

static bool is_asked(const struct idle_data *mine, uint32_t thread)
{
	return mine->asked.thread < 0 || (uint32_t)mine->asked.thread == thread;
}

int view_idle_stack(const void *data, bool arcs, struct stacks *s, struct fail *why)
{
	const struct idle_data *mine = data;
	const struct idles *idles = &mine->idles;
	enum idles_tree tree = view_idle_tree(&mine->asked);
	(void)arcs;
	stacks_start(s, &mine->run);
	s->period_ns = idles->period_ns;
	if (take_types(mine, s, why) < 0)
		return -1;
	struct climber c = {.idles = idles, .stacks = s, .functions = memory_zeroed(idles->run->routine_count, sizeof *c.functions)};
	for (size_t i = 0; i < idles->cost_count; i++) {
		struct idles_sums sums = {0};
		if (!is_asked(mine, idles->costs[i].thread))
			continue;
		idles_count(&sums, &idles->costs[i]);
		int64_t values[STACKS_TYPES] = {(int64_t)sums.work_ns, (int64_t)sums.idle_ns, (int64_t)sums.overhead_ns,
		                                (int64_t)idles_effort(&sums), (int64_t)sums.samples};
		stacks_add(s, &(struct stacks_sample){.node = node_of(&c, idles->costs[i].scope[tree]), .thread = idles->costs[i].thread},
		           values);
	}
	for (size_t i = 0; i < idles->event_count; i++) {
		const struct idles_event *e = &idles->events[i];
		int64_t values[STACKS_TYPES] = {0};
		values[OWN_TYPES + e->event] = (int64_t)e->count;
		if (is_asked(mine, e->thread) && OWN_TYPES + e->event < s->type_count)
			stacks_add(s, &(struct stacks_sample){.node = node_of(&c, e->scope[tree]), .thread = e->thread}, values);
	}
	map_free(&c.nodes);
	free(c.functions);
	free(c.path);
	return 0;
}
