/* SPDX-License-Identifier: MIT */
/* view.h: the views of the paths lens, each a list of columns and a function that fills a sheet.
 *
 * The first columns of paths and summary are promised to scripts; more may follow them. `path` is a path's number
 * (analyse/paths/paths.h), or x and a hash where the function has too many; `flow` is how often it was taken times its
 * instructions. Columns ending in _pct are in percent of the program's, unless their name or meaning says otherwise. */
#ifndef SKEIN_VIEW_PATHS_H
#define SKEIN_VIEW_PATHS_H

#include "analyse/paths/rank.h"
#include "report/lens.h"

struct paths_data {
	struct run run;
	struct paths paths;
	struct paths_rank rank;
	struct paths_asked {
		const char *path;   /* only this one; NULL: all */
		const char *source; /* the file whose lines are asked for, or NULL */
	} asked;
};

/* clang-format off */
#define VIEW_PATHS_LIST(X)                                                                                              \
	X(paths, 21) X(functions, 25) X(branches, 13) X(never, 13) X(copies, 14) X(profitable, 13) X(stops, 10) X(summary, 2) X(source, 6) X(dot, 1)
/* clang-format on */
#define X(name, count)                                                 \
	enum { VIEW_PATHS_##name##_COLUMNS = count };                  \
	extern const struct column view_paths_##name##_columns[count]; \
	void view_paths_##name(const void *data, const struct view_ask *ask, struct sheet *sheet);
VIEW_PATHS_LIST(X)
#undef X

int view_paths_check(const void *data, const struct view_ask *ask, struct fail *why);        /* --path fits --routine, and was taken */
int view_paths_check_way(const void *data, const struct view_ask *ask, struct fail *why);    /* --path fits --routine */
int view_paths_check_source(const void *data, const struct view_ask *ask, struct fail *why); /* so, and there is such a file */
int view_paths_check_dot(const void *data, const struct view_ask *ask, struct fail *why);    /* one function is named */

bool view_paths_wants(const struct paths_data *d, const char *asked, const struct paths_profile *f);
/* the one of this name; NULL: any */
bool view_paths_is(const struct paths *p, const char *asked, const struct paths_path *path);
const char *view_paths_name(struct pool *pool, const struct paths *p, const struct paths_path *path);
const char *view_paths_name_of(struct pool *pool, const struct paths_profile *f, uint64_t number);
const char *view_paths_kind(enum paths_kind kind);
/* as paths_where, or "block 7" */
const char *view_paths_where(struct pool *pool, const struct paths *p, const struct paths_profile *f, uint32_t block, bool last);
const struct run_routine *view_paths_routine(const struct paths *p, const struct paths_profile *f);
const char *view_paths_all_lines(struct pool *pool, const char *lines); /* a sentence that can be broken; NULL if there are none */
int64_t view_paths_whole(double value);                                 /* as a count: 2^62 at most; -1: not known */
const char *view_paths_possible(struct pool *pool, double possible);    /* 123, or 1.3e+30 */
void view_paths_head(struct sheet *s, const struct paths *p, const struct paths_profile *f); /* cells function, file, line */

/* branches.c: outcomes, and whose: what was come to most often first, those of one block together. The caller frees. */
struct view_paths_branch {
	uint32_t profile;
	struct paths_outcome is;
};
struct view_paths_branch *view_paths_list_branches(const struct paths_data *d, const struct view_ask *ask, size_t *count);
/* "" for PATHS_EXIT */
const char *view_paths_block_lines(struct pool *pool, const struct paths *p, const struct paths_profile *f, uint32_t block);
/* cells function, file, line: where the block branches */
void view_paths_branch_cells(struct sheet *s, const struct paths *p, const struct paths_profile *f, uint32_t block);

/* way.c: the path of a function that has this name, whether it was taken or not. Hashes are names only of what was taken. */
struct view_paths_way {
	uint32_t begin, length;         /* edges, as in struct paths_path */
	uint32_t *steps;                /* the caller frees them */
	const struct paths_path *taken; /* NULL: it was not */
};
bool view_paths_way(const struct paths *p, const struct paths_profile *f, const char *name, struct view_paths_way *way);
struct paths_walk view_paths_walk(const struct paths *p, const struct paths_profile *f, const struct view_paths_way *way);

#endif
