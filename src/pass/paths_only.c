/* SPDX-License-Identifier: MIT */
/* paths_only.c: only some paths of some functions are asked for (SKEIN_PASS_ONLYPATHS): lines FUNCTION:NUMBER,NUMBER,… or FUNCTION:never-executed.
 * Lines for one function add up; one name may mean several functions, which are then all meant.
 *
 * Numbers are those that a report shows: Ball and Larus's, in the graph without cuts. What is counted is all paths that consist of arcs of these, which P3 (section 2)
 * takes as the way to name a subset. For never-executed these are the arcs that lie on more paths than were executed through them; a function whose
 * executed paths are not known, or that has too many, is counted whole. */
#include "pass/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;
	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* How many ways lead to the exit from each vertex, and to it from the entry. */
static void count_ways(const struct paths_graph *g, uint64_t *on, uint64_t *back)
{
	on[g->exit] = back[g->entry] = 1;
	for (uint32_t i = g->reached; i-- > 0;)
		for (uint32_t v = g->order[i], a = g->out[v]; a < g->out[v + 1]; a++)
			on[v] = plus(on[v], on[g->arc[a].to]);
	for (uint32_t i = 0; i < g->reached; i++)
		for (uint32_t v = g->order[i], a = g->out[v]; a < g->out[v + 1]; a++)
			back[g->arc[a].to] = plus(back[g->arc[a].to], back[v]);
}

static void choose_new(struct paths_routine *r, uint8_t *chosen)
{
	const struct paths_graph *g = &r->graph;
	uint64_t *on = pass_zeroed(g->vertices, sizeof *on), *back = pass_zeroed(g->vertices, sizeof *back), *taken = pass_zeroed(g->arcs, sizeof *taken);
	count_ways(g, on, back);
	for (size_t i = 0; i < r->executed_count; i++)
		for (uint32_t k = 0; k < r->executed[i].length; k++)
			if (r->executed[i].arcs[k] < g->arcs)
				taken[r->executed[i].arcs[k]]++;
	for (uint32_t a = 0; a < g->arcs; a++)
		chosen[a] |= times(back[g->arc[a].from], on[g->arc[a].to]) > taken[a];
	free(on);
	free(back);
	free(taken);
}

/* False: there is no such path. */
static bool choose_number(struct paths_pass *s, struct paths_routine *r, uint64_t number, uint8_t *chosen)
{
	struct paths_mark mark = paths_mark(&s->memory);
	struct paths_labels l;
	uint32_t *arcs = paths_take(&s->memory, r->graph.reached, sizeof *arcs), count = 0;
	if (arcs && paths_label_all(&l, &r->graph, &s->memory) == PATHS_OK && number < l.paths)
		count = paths_decode(&l, &r->graph, number, arcs);
	for (uint32_t i = 0; i < count; i++)
		chosen[arcs[i]] = 1;
	paths_release(&s->memory, mark);
	return count > 0;
}

static void complain(const char *line, size_t bytes, const char *why)
{
	char path[4096];
	snprintf(path, sizeof path, "%s.unmet", pass_option("TABLE"));
	FILE *to = fopen(path, "a");
	if (!to || fprintf(to, "--only-paths %.*s\t--only-paths %.*s: %s\n", (int)bytes, line, (int)bytes, line, why) < 0 || fclose(to) != 0)
		pass_fail("cannot write %s", path);
}

/* What is wrong, or NULL. */
static const char *choose_list(struct paths_pass *s, struct paths_routine *r, const char *list, uint8_t *chosen)
{
	if (strncmp(list, "never-executed", 14) == 0) {
		if (!r->counted)
			return "it is not known what was executed of this function";
		choose_new(r, chosen);
		return NULL;
	}
	for (char *end;; list = end + 1) {
		if (!choose_number(s, r, strtoull(list, &end, 10), chosen))
			return "the function has no path of such a number";
		if (*end != ',')
			return NULL;
	}
}

/* The same, of a function that may have been named before. */
static const char *choose(struct paths_pass *s, struct paths_routine *r, const char *list)
{
	struct paths_part *part = &r->parts[0];
	const char *wrong = NULL;
	if (!r->graph.cuts) {
		uint8_t *chosen = pass_zeroed(r->graph.arcs, 1);
		if (part->chosen)
			memcpy(chosen, part->chosen, r->graph.arcs);
		wrong = choose_list(s, r, list, chosen);
		if (!wrong)
			part->chosen = chosen;
	}
	part->counts |= !wrong;
	return wrong;
}

static void choose_line(struct paths_pass *s, const char *line, size_t bytes)
{
	const char *colon = memrchr(line, ':', bytes), *wrong = "there is no such function, or it was inlined wherever it is called";
	char *name = colon ? strndup(line, (size_t)(colon - line)) : NULL;
	bool found = false;
	for (size_t i = 0; name && i < s->count; i++) {
		if (!select_is(name, s->p->routines[s->routines[i].index].name))
			continue;
		const char *other = choose(s, &s->routines[i], colon + 1);
		found |= !other;
		wrong = other ? other : wrong;
	}
	free(name);
	if (!found)
		complain(line, bytes, wrong);
}

void paths_only(struct paths_pass *s)
{
	for (size_t i = 0; i < s->count; i++)
		s->routines[i].parts = pass_zeroed(1, sizeof *s->routines[i].parts);
	for (const char *line = pass_option("ONLYPATHS"), *next; *line; line = next) {
		size_t bytes = strcspn(line, "\n");
		next = line + bytes + (line[bytes] == '\n');
		choose_line(s, line, bytes);
	}
}
