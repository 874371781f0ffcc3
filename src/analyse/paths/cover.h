/* SPDX-License-Identifier: MIT */
/* cover.h: coverage by source file: executed lines, functions and outcomes of branches.
 *
 *     struct paths_cover cover;
 *     paths_cover(paths, &cover);
 *     for (size_t i = 0; i < cover.line_count; i++) … paths->files[cover.lines[i].file] … cover.lines[i].count …
 *     paths_cover_free(&cover);
 *
 * The count of a line is the largest count of the blocks in a function that have the line; counts of several
 * functions (inlined code) are added. Functions of which only part was counted are left out. Files are indices of
 * paths->files, the first of those that have the same name. */
#ifndef SKEIN_PATHS_COVER_H
#define SKEIN_PATHS_COVER_H

#include "analyse/paths/rank.h"

struct paths_cover_line {
	uint32_t file, line;
	uint64_t count;
};

struct paths_cover_function {
	uint32_t file, line; /* PATHS_NONE: the function is in none of the files */
	const char *name;    /* linkage name */
	uint64_t calls;
};

struct paths_cover_branch {
	uint32_t file, line;
	uint32_t profile;
	struct paths_outcome is;
};

struct paths_cover {
	struct paths_cover_line *lines; /* by file and line, each once */
	size_t line_count, line_room;
	struct paths_cover_function *functions; /* by file, line and name, each once */
	size_t function_count, function_room;
	struct paths_cover_branch *branches; /* by file, line, profile and block */
	size_t branch_count, branch_room;
};

void paths_cover(const struct paths *paths, struct paths_cover *cover);
void paths_cover_free(struct paths_cover *cover);

/* The lines of some functions only: those for which `wants` holds. */
void paths_cover_lines(const struct paths *paths, bool (*wants)(const void *context, const struct paths_profile *f), const void *context,
                       struct paths_cover *cover);

#endif
