/* SPDX-License-Identifier: MIT */
/* branches.c: which way branches go. */
#include <math.h>
#include <stdlib.h>

#include "report/paths/view.h"
#include "report/view.h"

static struct paths_line line_of(const struct paths *p, const struct paths_profile *f, uint32_t block, bool last)
{
	const struct paths_block *b = &p->blocks[f->first_block + block];
	for (uint32_t i = 0; i < b->shown; i++) {
		const struct paths_line *line = &p->lines[b->first_shown + (last ? b->shown - 1 - i : i)];
		if (line->line)
			return *line;
	}
	return (struct paths_line){PATHS_NONE, 0};
}

const char *view_paths_block_lines(struct pool *pool, const struct paths *p, const struct paths_profile *f, uint32_t block)
{
	struct paths_walk walk = {.paths = p, .profile = f, .at = block};
	return block == PATHS_EXIT ? "" : paths_lines(pool, p, walk);
}

void view_paths_place(const struct paths *p, const struct paths_profile *f, uint32_t block, bool last, const char **file, int64_t *line)
{
	struct paths_line is = line_of(p, f, block, last);
	*file = is.file == PATHS_NONE ? "" : p->files[is.file];
	*line = is.line ? (int64_t)is.line : RUN_UNKNOWN;
}

struct outcome_row {
	const struct paths *paths;
	const struct paths_profile *profile;
	const struct paths_outcome *is;
	const struct run_routine *function;
	const char *file;
	int64_t line;
};

static const char *target_text(struct sheet *s, const struct outcome_row *r)
{
	return r->is->to == PATHS_EXIT ? "out of the function" : view_paths_where(&s->pool, r->paths, r->profile, r->is->to, false);
}

static void put_outcome(struct sheet *s, const struct outcome_row *r)
{
	COLUMN(s, NAME, "function", NULL, r->function->name);
	COLUMN(s, TEXT, "file", NULL, r->file);
	COLUMN(s, ID, "line", NULL, r->line);
	COLUMN(s, ID, "block", NULL, r->is->block);
	COLUMN(s, ID, "edge", NULL, r->is->edge);
	COLUMN(s, ID, "target", NULL, r->is->to == PATHS_EXIT ? RUN_UNKNOWN : (int64_t)r->is->to);
	COLUMN(s, TEXT, "target_lines", NULL, view_paths_block_lines(&s->pool, r->paths, r->profile, r->is->to));
	COLUMN(s, COUNT, "count", "taken", r->is->taken);
	COLUMN(s, COUNT, "of", "of", r->is->of, .meaning = "how often the branch was reached");
	COLUMN(s, PERCENT, "taken_pct", "taken%", r->is->of ? paths_share((double)r->is->taken, (double)r->is->of) : NAN);
	COLUMN(s, TEXT, NULL, "branch", view_paths_where(&s->pool, r->paths, r->profile, r->is->block, true));
	COLUMN(s, TEXT, NULL, "goes to", target_text(s, r));
	COLUMN(s, NAME, NULL, "function", view_name(s, r->function));
}

/* The block that was reached most often comes first; outcomes of one block stay together. */
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

static void fill_branches(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	const struct paths *p = &d->paths;
	size_t count;
	struct view_paths_branch *list = view_paths_list_branches(d, ask, &count);
	put_outcome(s, &(struct outcome_row){0});
	for (size_t i = 0; i < count; i++) {
		const struct paths_profile *f = &p->profiles[list[i].profile];
		struct outcome_row row = {.paths = p, .profile = f, .is = &list[i].is, .function = view_paths_routine(p, f)};
		if (!list[i].is.of && !ask->all_rows)
			continue;
		if (i && list[i - 1].profile == list[i].profile && list[i - 1].is.block == list[i].is.block)
			sheet_follow(s, 0);
		else
			sheet_row(s, 0);
		view_paths_place(p, f, list[i].is.block, true, &row.file, &row.line);
		put_outcome(s, &row);
	}
	free(list);
}

const struct view view_paths_branches = {
	.name = "branches",
	.help = "how often each branch took each side",
	.top = 20,
	.check = view_paths_check,
	.fill = fill_branches,
};
