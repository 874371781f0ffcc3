/* SPDX-License-Identifier: MIT */
/* only.c: only some paths of some functions are asked for (PLAN_ONLYPATHS): lines FUNCTION:NAME,NAME,… or FUNCTION:never-executed.
 * Lines for one function add up; one name may mean several functions, which are then all meant.
 *
 * Names are those that a report shows: Ball and Larus's numbers in the graph without cuts, or x and a hash where there
 * are too many for these. What is counted is all paths that consist of arcs of the asked ones, which P3 (section 2)
 * takes as the way to name a subset; no smaller set of arcs has them all. For never-executed these are the arcs that
 * lie on more paths than were executed through them. A function that is cut is counted whole. What was asked for goes
 * into the shape (shape.h), so that nothing else is reported. */
#include "pass/paths/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function that is named. */
struct named {
	struct paths_pass *s;
	struct paths_routine *r;
	struct paths_graph g;  /* without cuts */
	struct paths_labels l; /* of it, if paths have numbers */
	uint64_t paths;
	uint32_t *arcs;  /* room for a path */
	uint8_t *chosen; /* of arcs; NULL: it is cut */
};

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;
	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static void add_name(struct paths_names *names, uint64_t name)
{
	names->at = pass_grow(names->at, names->count, sizeof *names->at);
	names->at[names->count++] = name;
}

static int by_name(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static void sort_names(struct paths_names *names)
{
	size_t kept = 0;
	if (names->count)
		qsort(names->at, names->count, sizeof *names->at, by_name);
	for (size_t i = 0; i < names->count; i++)
		if (!kept || names->at[kept - 1] != names->at[i])
			names->at[kept++] = names->at[i];
	names->count = kept;
}

/* ---- paths that were never executed ---- */

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

static void choose_new(struct named *n)
{
	const struct paths_graph *g = &n->g;
	uint64_t *on = pass_zeroed(g->vertices, sizeof *on), *back = pass_zeroed(g->vertices, sizeof *back),
		 *taken = pass_zeroed(g->arcs, sizeof *taken);
	count_ways(g, on, back);
	for (size_t i = 0; i < n->r->before.count; i++)
		for (uint32_t k = paths_decode(&n->l, g, n->r->before.at[i], n->arcs); k-- > 0;)
			taken[n->arcs[k]]++;
	for (uint32_t a = 0; a < g->arcs; a++)
		n->chosen[a] |= times(back[g->arc[a].from], on[g->arc[a].to]) > taken[a];
	free(on);
	free(back);
	free(taken);
}

/* Paths that are known by their arcs get their names. */
static void name_executed(struct named *n)
{
	struct paths_routine *r = n->r;
	for (size_t i = 0; i < r->executed_count; i++) {
		uint64_t number = 0;
		for (uint32_t k = 0; k < r->executed[i].length; k++)
			number += r->executed[i].arcs[k] < n->g.arcs ? n->l.base[r->executed[i].arcs[k]] : 0;
		add_name(&r->before, number);
	}
	sort_names(&r->before);
	r->executed_count = 0;
}

static const char *ask_new(struct named *n)
{
	if (!n->r->is_known)
		return "it is not known which of its paths were executed: --plan must name a recording of all its paths";
	name_executed(n);
	if (n->chosen)
		choose_new(n);
	n->r->asked_new = true;
	return NULL;
}

/* ---- lists ---- */

static const char *no_such_path(const struct named *n)
{
	static char text[200];
	if (n->r->hashed)
		return "it has 2^62 paths or more, so its paths have names (x and 16 digits) instead of numbers: `skein report paths --routine` with its name shows them";
	if (n->paths == 1)
		return "it has one path, with the number 0";
	snprintf(text, sizeof text, "it has %llu paths, with the numbers 0 to %llu", (unsigned long long)n->paths,
	         (unsigned long long)n->paths - 1);
	return text;
}

static const char *ask_list(struct named *n, const char *list)
{
	for (char *end;; list = end + 1) {
		bool hash = *list == 'x';
		uint64_t name = strtoull(list + hash, &end, hash ? 16 : 10);
		if (hash != n->r->hashed || (hash ? name >> 62 != 0 : name >= n->paths))
			return no_such_path(n);
		for (uint32_t k = n->chosen ? paths_decode(&n->l, &n->g, name, n->arcs) : 0; k-- > 0;)
			n->chosen[n->arcs[k]] = 1;
		add_name(&n->r->asked, name);
		if (*end != ',')
			return NULL;
	}
}

/* ---- functions ---- */

static void look_at(struct named *n)
{
	static const struct paths_limits none = {.whole = UINT64_MAX, .piece = PATHS_PIECE_MAX};
	struct paths_routine *r = n->r;
	struct paths_memory *memory = &n->s->memory;
	enum paths_status status = paths_graph_build(&n->g, r->blocks, r->edge, r->edges, r->stops, &none, memory);
	double possible = status == PATHS_OK ? paths_possible(&n->g, memory) : 0;
	n->arcs = paths_take(memory, n->g.vertices, sizeof *n->arcs);
	if (status == PATHS_OK)
		status = paths_label_all(&n->l, &n->g, memory);
	if (status != PATHS_OK || memory->failed)
		pass_fail("out of memory for the paths of %s", n->s->p->routines[r->index].name);
	r->hashed = possible >= PATHS_NUMBERED;
	n->paths = r->hashed ? 0 : n->l.paths;
	if (r->graph.cuts)
		return;
	n->chosen = pass_zeroed(r->graph.arcs, 1);
	if (r->parts[0].chosen)
		memcpy(n->chosen, r->parts[0].chosen, r->graph.arcs);
}

/* What is wrong, or NULL. The function may have been named before. */
static const char *ask(struct paths_pass *s, struct paths_routine *r, const char *list)
{
	struct paths_mark mark = paths_mark(&s->memory);
	struct named n = {.s = s, .r = r};
	size_t asked = r->asked.count;
	look_at(&n);
	const char *wrong = strncmp(list, "never-executed", 14) == 0 ? ask_new(&n) : ask_list(&n, list);
	if (wrong) {
		r->asked.count = asked;
	} else {
		r->parts[0].chosen = n.chosen;
		r->parts[0].counts = true;
	}
	paths_release(&s->memory, mark);
	return wrong;
}

/* The object that has the function knows best: its sentence is marked (relink/relink.c). */
static void complain(const char *line, size_t bytes, const char *why, bool is_here)
{
	char path[4096];
	snprintf(path, sizeof path, "%s.unmet", pass_option(PLAN_TABLE));
	FILE *to = fopen(path, "a");
	if (!to ||
	    fprintf(to, "--only-paths %.*s\t%s--only-paths %.*s: %s\n", (int)bytes, line, is_here ? "!" : "", (int)bytes, line, why) < 0 ||
	    fclose(to) != 0)
		pass_fail("cannot write %s", path);
}

static void ask_line(struct paths_pass *s, const char *line, size_t bytes)
{
	const char *colon = memrchr(line, ':', bytes), *wrong = "there is no such function, or it was inlined into all its callers";
	char *name = colon ? strndup(line, (size_t)(colon - line)) : NULL;
	bool found = false, is_here = false;
	for (size_t i = 0; name && i < s->count; i++) {
		if (!select_is(name, s->p->routines[s->routines[i].index].name))
			continue;
		is_here = true;
		const char *other = ask(s, &s->routines[i], colon + 1);
		found |= !other;
		wrong = other ? other : wrong;
	}
	free(name);
	if (!found)
		complain(line, bytes, wrong, is_here);
}

/* For paths that were never executed, the names are those of the executed ones, minus those in a list. */
static void settle(struct paths_routine *r)
{
	struct paths_names others = {0};
	sort_names(&r->asked);
	if (!r->asked_new)
		return;
	for (size_t i = 0, k = 0; i < r->before.count; i++) {
		while (k < r->asked.count && r->asked.at[k] < r->before.at[i])
			k++;
		if (k == r->asked.count || r->asked.at[k] != r->before.at[i])
			add_name(&others, r->before.at[i]);
	}
	r->asked = others;
}

void paths_only(struct paths_pass *s)
{
	for (size_t i = 0; i < s->count; i++)
		s->routines[i].parts = pass_zeroed(1, sizeof *s->routines[i].parts);
	for (const char *line = pass_option(PLAN_ONLYPATHS), *next; *line; line = next) {
		size_t bytes = strcspn(line, "\n");
		next = line + bytes + (line[bytes] == '\n');
		ask_line(s, line, bytes);
	}
	for (size_t i = 0; i < s->count; i++)
		settle(&s->routines[i]);
}
