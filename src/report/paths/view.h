/* SPDX-License-Identifier: MIT */
/* view.h: the views of the paths lens, each a function that lists the columns of a row, and one that makes the rows.
 *
 * The first columns of paths and summary are promised to scripts; more may follow them. `path` is a path's number
 * (analyse/paths/paths.h), or x and a hash where the function has too many; `flow` is how often it was taken times its
 * instructions. `graph` is the number of the function's graph, in the recording as well: copies that the compiler made of a
 * static function have graphs of their own. Columns ending in _pct are in percent of the program's, unless their name or meaning says otherwise. */
#ifndef SKEIN_VIEW_PATHS_H
#define SKEIN_VIEW_PATHS_H

#include "analyse/paths/rank.h"
#include "report/diff/table.h"
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

extern const struct diff_lens view_paths_diff;
extern const struct view view_paths_paths, view_paths_functions, view_paths_branches, view_paths_never, view_paths_blocks, view_paths_edges,
	view_paths_copies, view_paths_profitable, view_paths_stops, view_paths_summary, view_paths_source, view_paths_dot;
extern const struct figure_set figures_paths; /* figures.c */

int view_paths_check(const void *data, const struct view_ask *ask, struct fail *why);     /* --path fits --routine, and was taken */
int view_paths_check_way(const void *data, const struct view_ask *ask, struct fail *why); /* --path fits --routine */

bool view_paths_wants(const struct paths_data *d, const char *asked, const struct paths_profile *f);
/* the one of this name; NULL: any */
bool view_paths_is(const struct paths *p, const char *asked, const struct paths_path *path);
const char *view_paths_name(struct pool *pool, const struct paths *p, const struct paths_path *path);
const char *view_paths_name_of(struct pool *pool, const struct paths_profile *f, uint64_t number);
const char *view_paths_kind(enum paths_kind kind);
/* as paths_where, or "block 7"; "main.cpp:14 (stl_vector.h:1278)" if the code is from a header of the system */
const char *view_paths_where(struct pool *pool, const struct paths *p, const struct paths_profile *f, uint32_t block, bool last);
const struct run_routine *view_paths_routine(const struct paths *p, const struct paths_profile *f);
const char *view_paths_all_lines(struct pool *pool, const char *lines); /* a sentence that can be broken; NULL if there are none */
int64_t view_paths_whole(double value);                                 /* as a count: 2^62 at most; -1: not known */
const char *view_paths_possible(struct pool *pool, double possible);    /* 123, or 1.3e+30 */
void view_paths_head(struct sheet *s, const struct run_routine *r);     /* columns function, file, line */

/* branches.c: outcomes, and whose: the block that was reached most often first, those of one block together. The caller frees. */
struct view_paths_branch {
	uint32_t profile;
	struct paths_outcome is;
};
struct view_paths_branch *view_paths_list_branches(const struct paths_data *d, const struct view_ask *ask, size_t *count);
/* "" for PATHS_EXIT */
const char *view_paths_block_lines(struct pool *pool, const struct paths *p, const struct paths_profile *f, uint32_t block);
/* Where the block begins, or ends, which is where it branches: "" and -1 if that is not known. */
void view_paths_place(const struct paths *p, const struct paths_profile *f, uint32_t block, bool last, const char **file, int64_t *line);

/* way.c: the path of a function that has this name, whether it was taken or not. Hashes are names only of what was taken. */
struct view_paths_way {
	uint32_t begin, length;         /* edges, as in struct paths_path */
	uint32_t *steps;                /* the caller frees them */
	const struct paths_path *taken; /* NULL: the path was not taken */
};
bool view_paths_way(const struct paths *p, const struct paths_profile *f, const char *name, struct view_paths_way *way);
struct paths_walk view_paths_walk(const struct paths *p, const struct paths_profile *f, const struct view_paths_way *way);

#endif
