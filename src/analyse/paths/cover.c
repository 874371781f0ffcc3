/* SPDX-License-Identifier: MIT */
#include "analyse/paths/cover.h"

#include <stdlib.h>
#include <string.h>

#define COMPARE(x, y)                              \
	do {                                       \
		if ((x) != (y))                    \
			return (x) < (y) ? -1 : 1; \
	} while (0)

/* ---- files ---- */

struct file {
	const char *name;
	uint32_t index;
};

static int by_name(const void *a, const void *b)
{
	const struct file *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	COMPARE(order, 0);
	COMPARE(x->index, y->index);
	return 0;
}

/* Maps each file to the first of the same name, since each object has its own list of files. */
static uint32_t *first_of_name(const struct paths *paths)
{
	struct file *list = memory_zeroed(paths->file_count, sizeof *list);
	uint32_t *first = memory_zeroed(paths->file_count, sizeof *first);
	for (uint32_t i = 0; i < paths->file_count; i++)
		list[i] = (struct file){paths->files[i], i};
	if (paths->file_count)
		qsort(list, paths->file_count, sizeof *list, by_name);
	for (size_t i = 0; i < paths->file_count; i++)
		first[list[i].index] = i && strcmp(list[i].name, list[i - 1].name) == 0 ? first[list[i - 1].index] : list[i].index;
	free(list);
	return first;
}

/* ---- lines ---- */

static int line_order(const void *a, const void *b)
{
	const struct paths_cover_line *x = a, *y = b;
	COMPARE(x->file, y->file);
	COMPARE(x->line, y->line);
	COMPARE(x->count, y->count);
	return 0;
}

static bool same_line(const struct paths_cover_line *a, const struct paths_cover_line *b)
{
	return a->file == b->file && a->line == b->line;
}

/* Merges the lines of one function, from `first` on: each line once, with its largest count. */
static void take_function(const struct paths *paths, const struct paths_profile *f, const uint32_t *names, struct paths_cover *c)
{
	size_t first = c->line_count, kept = first;
	for (uint32_t b = 0; b < f->blocks; b++) {
		const struct paths_block *block = &paths->blocks[f->first_block + b];
		for (uint32_t i = 0; i < block->lines; i++) {
			const struct paths_line *line = &paths->lines[block->first_line + i];
			if (line->file == PATHS_NONE || !line->line)
				continue;
			MEMORY_GROW(c->lines, c->line_count, c->line_room);
			c->lines[c->line_count++] = (struct paths_cover_line){names[line->file], line->line, block->count};
		}
	}
	if (c->line_count > first)
		qsort(c->lines + first, c->line_count - first, sizeof *c->lines, line_order);
	for (size_t i = first; i < c->line_count; i++)
		if (i + 1 == c->line_count || !same_line(&c->lines[i], &c->lines[i + 1]))
			c->lines[kept++] = c->lines[i];
	c->line_count = kept;
}

static void add_up_lines(struct paths_cover *c)
{
	size_t kept = 0;
	if (c->line_count)
		qsort(c->lines, c->line_count, sizeof *c->lines, line_order);
	for (size_t i = 0; i < c->line_count; i++) {
		if (kept && same_line(&c->lines[kept - 1], &c->lines[i]))
			c->lines[kept - 1].count += c->lines[i].count;
		else
			c->lines[kept++] = c->lines[i];
	}
	c->line_count = kept;
}

void paths_cover_lines(const struct paths *paths, bool (*wants)(const void *context, const struct paths_profile *f), const void *context,
                       struct paths_cover *cover)
{
	uint32_t *names = first_of_name(paths);
	memset(cover, 0, sizeof *cover);
	for (size_t i = 0; i < paths->profile_count; i++)
		if (wants(context, &paths->profiles[i]))
			take_function(paths, &paths->profiles[i], names, cover);
	add_up_lines(cover);
	free(names);
}

/* ---- functions ---- */

static int function_order(const void *a, const void *b)
{
	const struct paths_cover_function *x = a, *y = b;
	COMPARE(x->file, y->file);
	COMPARE(x->line, y->line);
	return strcmp(x->name, y->name);
}

static uint32_t file_named(const struct paths *paths, const char *name)
{
	for (uint32_t i = 0; i < paths->file_count; i++)
		if (strcmp(paths->files[i], name) == 0)
			return i;
	return PATHS_NONE;
}

static void take_name(const struct paths *paths, const struct paths_profile *f, struct paths_cover *c)
{
	const struct run_routine *r = &paths->run->routines[f->routine];
	MEMORY_GROW(c->functions, c->function_count, c->function_room);
	c->functions[c->function_count++] = (struct paths_cover_function){file_named(paths, r->file), r->line, r->linkage, f->entries};
}

static void add_up_functions(struct paths_cover *c)
{
	size_t kept = 0;
	if (c->function_count)
		qsort(c->functions, c->function_count, sizeof *c->functions, function_order);
	for (size_t i = 0; i < c->function_count; i++) {
		if (kept && function_order(&c->functions[kept - 1], &c->functions[i]) == 0)
			c->functions[kept - 1].calls += c->functions[i].calls;
		else
			c->functions[kept++] = c->functions[i];
	}
	c->function_count = kept;
}

/* ---- branches ---- */

static int branch_order(const void *a, const void *b)
{
	const struct paths_cover_branch *x = a, *y = b;
	COMPARE(x->file, y->file);
	COMPARE(x->line, y->line);
	COMPARE(x->profile, y->profile);
	COMPARE(x->is.block, y->is.block);
	COMPARE(x->is.edge, y->is.edge);
	return 0;
}

/* A branch is at the last line of its block. */
static void take_branches(const struct paths *paths, uint32_t profile, const uint32_t *names, struct paths_cover *c)
{
	const struct paths_profile *f = &paths->profiles[profile];
	size_t count;
	struct paths_outcome *list = paths_outcomes(paths, f, &count);
	for (size_t i = 0; i < count; i++) {
		const struct paths_block *block = &paths->blocks[f->first_block + list[i].block];
		const struct paths_line *line = block->lines ? &paths->lines[block->first_line + block->lines - 1] : NULL;
		if (!line || line->file == PATHS_NONE || !line->line)
			continue;
		MEMORY_GROW(c->branches, c->branch_count, c->branch_room);
		c->branches[c->branch_count++] = (struct paths_cover_branch){names[line->file], line->line, profile, list[i]};
	}
	free(list);
}

static bool is_whole(const void *context, const struct paths_profile *f)
{
	(void)context;
	return !paths_is_partial(f);
}

void paths_cover(const struct paths *paths, struct paths_cover *cover)
{
	uint32_t *names = first_of_name(paths);
	paths_cover_lines(paths, is_whole, NULL, cover);
	for (uint32_t i = 0; i < paths->profile_count; i++) {
		if (!is_whole(NULL, &paths->profiles[i]))
			continue;
		take_name(paths, &paths->profiles[i], cover);
		take_branches(paths, i, names, cover);
	}
	add_up_functions(cover);
	if (cover->branch_count)
		qsort(cover->branches, cover->branch_count, sizeof *cover->branches, branch_order);
	free(names);
}

void paths_cover_free(struct paths_cover *cover)
{
	free(cover->lines);
	free(cover->functions);
	free(cover->branches);
	memset(cover, 0, sizeof *cover);
}
