/* SPDX-License-Identifier: MIT */
/* branches.c: which way branches go. */
#include <math.h>
#include <stdlib.h>

#include "analyse/names.h"
#include "report/paths/view.h"

enum { LONG_NAME = 60 };

const struct column view_paths_branches_columns[VIEW_PATHS_branches_COLUMNS] = {
	{"function", NULL, COLUMN_NAME, 0, NULL},
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", NULL, COLUMN_COUNT, 0, NULL},
	{"block", NULL, COLUMN_COUNT, 0, NULL},
	{"edge", NULL, COLUMN_COUNT, 0, NULL},
	{"target", NULL, COLUMN_COUNT, 0, NULL},
	{"target_lines", NULL, COLUMN_TEXT, 0, NULL},
	{"count", "taken", COLUMN_COUNT, 0, NULL},
	{"of", "of", COLUMN_COUNT, 0, "how often the branch was reached"},
	{"taken_pct", "taken%", COLUMN_PERCENT, 0, NULL},
	{NULL, "branch", COLUMN_TEXT, 0, NULL},
	{NULL, "goes to", COLUMN_TEXT, 0, NULL},
	{NULL, "function", COLUMN_NAME, 0, NULL},
};

/* The last line of a block is where it branches. */
static struct paths_line branch_line(const struct paths *p, const struct paths_profile *f, uint32_t block)
{
	const struct paths_block *b = &p->blocks[f->first_block + block];
	for (uint32_t i = b->lines; i-- > 0;)
		if (p->lines[b->first_line + i].line)
			return p->lines[b->first_line + i];
	return (struct paths_line){PATHS_NONE, 0};
}

const char *view_paths_block_lines(struct pool *pool, const struct paths *p, const struct paths_profile *f, uint32_t block)
{
	struct paths_walk walk = {.paths = p, .profile = f, .at = block};
	return block == PATHS_EXIT ? "" : paths_lines(pool, p, walk);
}

void view_paths_branch_cells(struct sheet *s, const struct paths *p, const struct paths_profile *f, uint32_t block)
{
	struct paths_line line = branch_line(p, f, block);
	sheet_lend(s, view_paths_routine(p, f)->name);
	sheet_lend(s, line.file == PATHS_NONE ? "" : p->files[line.file]);
	sheet_number(s, line.line ? (int64_t)line.line : -1);
}

static void outcome_row(struct sheet *s, const struct paths *p, const struct view_paths_branch *b)
{
	const struct paths_profile *f = &p->profiles[b->profile];
	const struct paths_outcome *is = &b->is;
	const char *to = view_paths_block_lines(&s->pool, p, f, is->to);
	view_paths_branch_cells(s, p, f, is->block);
	sheet_number(s, is->block);
	sheet_number(s, is->edge);
	sheet_number(s, is->to == PATHS_EXIT ? -1 : (int64_t)is->to);
	sheet_lend(s, to);
	sheet_number(s, (int64_t)is->taken);
	sheet_number(s, (int64_t)is->of);
	sheet_real(s, is->of ? paths_share((double)is->taken, (double)is->of) : NAN);
	sheet_text(s, view_paths_where(&s->pool, p, f, is->block, true));
	sheet_text(s, is->to == PATHS_EXIT ? "out of the function" : view_paths_where(&s->pool, p, f, is->to, false));
	sheet_text(s, names_short(&s->pool, view_paths_routine(p, f)->name, LONG_NAME));
}

/* What was come to most often first; outcomes of one block stay together. */
static int by_count(const void *a, const void *b)
{
	const struct view_paths_branch *x = a, *y = b;
	if (x->is.of != y->is.of)
		return x->is.of > y->is.of ? -1 : 1;
	if (x->profile != y->profile)
		return x->profile < y->profile ? -1 : 1;
	if (x->is.block != y->is.block)
		return x->is.block < y->is.block ? -1 : 1;
	if (x->is.taken != y->is.taken)
		return x->is.taken > y->is.taken ? -1 : 1;
	return x->is.edge < y->is.edge ? -1 : x->is.edge > y->is.edge;
}

struct view_paths_branch *view_paths_list_branches(const struct paths_data *d, const struct view_ask *ask, size_t *count)
{
	struct view_paths_branch *list = NULL;
	size_t room = 0;
	*count = 0;
	for (uint32_t i = 0; i < d->paths.profile_count; i++) {
		const struct paths_profile *f = &d->paths.profiles[i];
		size_t outcomes;
		if (!view_paths_wants(d, ask->routine, f) || paths_is_partial(f))
			continue;
		struct paths_outcome *of = paths_outcomes(&d->paths, f, &outcomes);
		for (size_t k = 0; k < outcomes; k++) {
			MEMORY_GROW(list, *count, room);
			list[(*count)++] = (struct view_paths_branch){i, of[k]};
		}
		free(of);
	}
	if (*count)
		qsort(list, *count, sizeof *list, by_count);
	return list;
}

void view_paths_branches(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	size_t count;
	struct view_paths_branch *list = view_paths_list_branches(d, ask, &count);
	for (size_t i = 0; i < count; i++) {
		if (!list[i].is.of && !ask->all_rows)
			continue;
		if (i && list[i - 1].profile == list[i].profile && list[i - 1].is.block == list[i].is.block)
			sheet_follow(s, 0);
		else
			sheet_row(s, 0);
		outcome_row(s, &d->paths, &list[i]);
	}
	free(list);
}
