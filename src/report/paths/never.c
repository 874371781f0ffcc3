/* SPDX-License-Identifier: MIT */
/* never.c: what was never taken: outcomes of branches, paths of a function, functions. */
#include <stdlib.h>

#include "base/text.h"
#include "report/paths/view.h"
#include "report/view.h"

enum { MOST_NEVER = 1000 };

struct never_row {
	const char *what;
	const struct run_routine *function;
	const char *file;
	int64_t line;
	const char *path, *kind;          /* "" of what is not a path */
	int64_t of, blocks, instructions; /* -1: not known */
	const char *lines;
	const char *where, *would_go; /* as text has it */
};

static void put_never(struct sheet *s, const struct never_row *r)
{
	COLUMN(s, TEXT, "what", "never", r->what);
	COLUMN(s, NAME, "function", NULL, r->function->name);
	COLUMN(s, TEXT, "file", NULL, r->file);
	COLUMN(s, ID, "line", NULL, r->line);
	COLUMN(s, TEXT, "path", NULL, r->path);
	COLUMN(s, TEXT, "kind", NULL, r->kind);
	COLUMN(s, COUNT, "of", "of", r->of, .meaning = "how often the branch was reached");
	COLUMN(s, COUNT, "blocks", NULL, r->blocks);
	COLUMN(s, COUNT, "instructions", NULL, r->instructions);
	COLUMN(s, TEXT, "lines", NULL, r->lines);
	COLUMN(s, TEXT, NULL, "where", r->where);
	COLUMN(s, NAME, NULL, "function", view_name(s, r->function));
	COLUMN(s, CODE, NULL, "would go", r->would_go);
}

/* Of which only the function is known so far. */
static struct never_row row_of(const char *what, const struct run_routine *function)
{
	return (struct never_row){.what = what,
	                          .function = function,
	                          .file = function->file,
	                          .line = function->line,
	                          .path = "",
	                          .kind = "",
	                          .of = RUN_UNKNOWN,
	                          .blocks = RUN_UNKNOWN,
	                          .instructions = RUN_UNKNOWN,
	                          .lines = "",
	                          .where = "",
	                          .would_go = ""};
}

static void never_outcomes(struct sheet *s, const struct paths_data *d, const struct view_ask *ask)
{
	const struct paths *p = &d->paths;
	size_t count;
	struct view_paths_branch *list = view_paths_list_branches(d, ask, &count);
	for (size_t i = 0; i < count && list[i].is.of; i++) {
		const struct paths_profile *f = &p->profiles[list[i].profile];
		const struct paths_outcome *is = &list[i].is;
		if (is->taken)
			continue;
		bool leaves = is->to == PATHS_EXIT;
		struct never_row row = row_of("outcome", view_paths_routine(p, f));
		view_paths_place(p, f, is->block, true, &row.file, &row.line);
		row.of = (int64_t)is->of;
		row.blocks = !leaves;
		row.instructions = leaves ? 0 : (int64_t)p->blocks[f->first_block + is->to].instructions;
		row.lines = view_paths_block_lines(&s->pool, p, f, is->to);
		row.where = view_paths_where(&s->pool, p, f, is->block, true);
		row.would_go = leaves ? "out of the function" : *row.lines ? row.lines : view_paths_where(&s->pool, p, f, is->to, false);
		sheet_row(s, 0);
		put_never(s, &row);
	}
	free(list);
}

/* A path that is no recorded one. */
static void never_path(struct sheet *s, const struct paths *p, const struct paths_profile *f, uint64_t number,
                       const struct view_paths_way *way)
{
	struct paths_walk walk = view_paths_walk(p, f, way), again = walk;
	struct never_row row = row_of("path", view_paths_routine(p, f));
	bool ends = p->edges[f->first_edge + way->steps[way->length - 1]].to == PATHS_EXIT;
	row.blocks = row.instructions = 0;
	for (uint32_t b; (b = paths_walk_next(&again)) != PATHS_NONE; row.blocks++)
		row.instructions += p->blocks[f->first_block + b].instructions;
	row.path = view_paths_name_of(&s->pool, f, number);
	row.kind = view_paths_kind(way->begin == PATHS_NONE ? (ends ? PATHS_ENTRY_TO_EXIT : PATHS_ENTRY_TO_BACK)
	                                   : ends           ? PATHS_BACK_TO_EXIT
	                                                    : PATHS_BACK_TO_BACK);
	row.lines = row.would_go = paths_lines(&s->pool, p, walk);
	row.where = pool_print(&s->pool, "path %s", row.path);
	sheet_row(s, 1);
	put_never(s, &row);
}

static void never_arcs(struct sheet *s, const struct paths *p, const struct paths_profile *f, const struct paths_graph *g, uint64_t number,
                       const uint32_t *arcs, uint32_t count)
{
	struct view_paths_way way = {g->arc[arcs[0]].kind == PATHS_HEAD ? g->arc[arcs[0]].to : PATHS_NONE, count - 1,
	                             memory_zeroed(count, sizeof *way.steps), NULL};
	for (uint32_t i = 1; i < count; i++)
		way.steps[i - 1] = g->arc[arcs[i]].edge;
	never_path(s, p, f, number, &way);
	free(way.steps);
}

/* The one that --path names. */
static void never_one(struct sheet *s, const struct paths *p, const struct paths_profile *f, const char *name)
{
	struct view_paths_way way;
	if (!view_paths_way(p, f, name, &way))
		return;
	if (!way.taken) {
		never_path(s, p, f, strtoull(name, NULL, 10), &way);
		s->legend = view_paths_all_lines(&s->pool, paths_lines(&s->pool, p, view_paths_walk(p, f, &way)));
	}
	free(way.steps);
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static uint64_t *taken_numbers(const struct paths *p, const struct paths_profile *f)
{
	uint64_t *taken = memory_zeroed(f->paths + 1, sizeof *taken);
	for (size_t i = 0; i < f->paths; i++)
		taken[i] = p->list[f->first_path + i].number;
	taken[f->paths] = UINT64_MAX;
	qsort(taken, f->paths, sizeof *taken, by_number);
	return taken;
}

/* A path that nothing but the name is known of. */
static void never_name(struct sheet *s, const struct paths *p, const struct paths_profile *f, uint64_t name)
{
	struct never_row row = row_of("path", view_paths_routine(p, f));
	row.path = view_paths_name_of(&s->pool, f, name);
	row.where = pool_print(&s->pool, "path %s", row.path);
	row.would_go = "(not known: it was never taken)";
	sheet_row(s, 1);
	put_never(s, &row);
}

/* Paths that were asked for by name are in a list; otherwise all numbers are tried. */
static void never_paths(struct sheet *s, const struct paths *p, const struct paths_profile *f, size_t most)
{
	struct paths_memory memory;
	struct paths_graph g;
	struct paths_labels labels;
	paths_memory_start(&memory);
	bool listed = f->flags & PATHS_IS_PART && !(f->flags & PATHS_IS_REST), numbered = f->possible < PATHS_NUMBERED;
	if ((listed || numbered) && paths_graph_of(p, f, &g, &memory) && (!numbered || paths_label_all(&labels, &g, &memory) == PATHS_OK)) {
		uint64_t *taken = taken_numbers(p, f), *next = taken, end = listed ? f->names : labels.paths;
		uint32_t *arcs = memory_zeroed(g.reached + 2, sizeof *arcs);
		size_t shown = 0;
		for (uint64_t i = 0; i < end && shown < most; i++) {
			uint64_t number = listed ? p->names[f->first_name + i] : i;
			while (*next < number)
				next++;
			if (number == *next || !paths_is_asked(p, f, number))
				continue;
			uint32_t count = numbered ? paths_decode(&labels, &g, number, arcs) : 0;
			if (count > 1)
				never_arcs(s, p, f, &g, number, arcs, count);
			else
				never_name(s, p, f, number);
			shown++;
		}
		free(taken);
		free(arcs);
	}
	paths_memory_free(&memory);
}

static void never_functions(struct sheet *s, const struct paths_data *d, const struct view_ask *ask)
{
	const struct paths *p = &d->paths;
	for (size_t i = 0; i < p->profile_count; i++) {
		const struct paths_profile *f = &p->profiles[i];
		if (f->entries || f->paths || f->stops || paths_is_partial(f) || !view_paths_wants(d, ask->routine, f))
			continue;
		struct never_row row = row_of("function", view_paths_routine(p, f));
		row.blocks = f->blocks;
		row.where = text_place(&s->pool, row.file, row.function->line);
		sheet_row(s, 2);
		put_never(s, &row);
	}
}

static void fill_never(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	put_never(s, &(struct never_row){0});
	if (!d->asked.path)
		never_outcomes(s, d, ask);
	bool some = false;
	for (size_t i = 0; i < d->paths.profile_count; i++) {
		const struct paths_profile *f = &d->paths.profiles[i];
		bool part = f->flags & PATHS_IS_PART;
		double never = paths_asked(f) - (double)f->paths;
		some |= paths_is_partial(f);
		if (!view_paths_wants(d, ask->routine, f) || f->flags & PATHS_IS_NONE || (!ask->routine && !part))
			continue;
		if (d->asked.path) {
			never_one(s, &d->paths, f, d->asked.path);
			continue;
		}
		never_paths(s, &d->paths, f, MOST_NEVER);
		if (never > MOST_NEVER)
			s->doubt = pool_print(&s->pool, "%s has %s paths that were %snever taken; %s are listed.",
			                      view_paths_routine(&d->paths, f)->name, view_paths_possible(&s->pool, never),
			                      part ? "asked for and " : "", f->possible < PATHS_NUMBERED ? "the first 1,000" : "none");
	}
	never_functions(s, d, ask);
	if (some && !d->asked.path)
		s->legend = "Paths that --only-paths asked for and that were not executed.";
	else if (!ask->routine)
		s->legend =
			"Outcomes that were never taken although the branch was reached, then functions that were never executed. --routine NAME also lists paths.";
}

const struct view view_paths_never = {
	.name = "never",
	.help = "what was never executed; with --routine also paths",
	.top = 40,
	.check = view_paths_check_way,
	.fill = fill_never,
};
