/* SPDX-License-Identifier: MIT */
/* lens.c: what reports know of the paths lens. Its views are in the other files of this folder. */
#include <stddef.h>

#include "analyse/paths/verdict.h"
#include "report/paths/export.h"
#include "report/paths/view.h"

static int load(void *data, struct store *store, struct fail *why)
{
	struct paths_data *mine = data;
	if (store_load_paths(store, &mine->run, &mine->paths, why) < 0)
		return -1;
	paths_rank(&mine->paths, &mine->rank);
	return 0;
}

static void unload(void *data)
{
	struct paths_data *mine = data;
	paths_rank_free(&mine->rank);
	paths_free(&mine->paths);
	run_free(&mine->run);
}

/* --dot is a view of one function, which it names. */
static int read(void *data, const struct arguments *a, struct view_ask *ask, struct fail *why)
{
	struct paths_data *mine = data;
	const char *dot = arguments_value(a, OPTION_DOT);
	mine->asked.path = arguments_value(a, OPTION_PATH);
	mine->asked.source = arguments_value(a, OPTION_SOURCE);
	if (dot && ask->routine)
		return fail_set(why, FAIL_USAGE, "--dot names its function: leave out --routine");
	ask->routine = dot ? dot : ask->routine;
	return 0;
}

static void judge(const void *data, struct findings *verdict, struct findings *caveats)
{
	const struct paths_data *mine = data;
	paths_judge(&mine->paths, &mine->rank, verdict, caveats);
}

static bool knows_routine(const void *data, const char *name)
{
	const struct paths_data *mine = data;
	for (size_t i = 0; i < mine->paths.profile_count; i++)
		if (view_paths_wants(mine, name, &mine->paths.profiles[i]))
			return true;
	return false;
}

static const struct view *const views[] = {&view_paths_paths,
                                           &view_paths_functions,
                                           &view_paths_branches,
                                           &view_paths_never,
                                           &view_paths_blocks,
                                           &view_paths_edges,
                                           &view_paths_copies,
                                           &view_paths_profitable,
                                           &view_paths_stops,
                                           &view_paths_summary,
                                           &view_paths_source,
                                           &view_paths_dot,
                                           NULL};

static int check_export(const void *data, struct fail *why)
{
	const struct paths_data *mine = data;
	return paths_are_partial(&mine->paths)
		? fail_set(why, FAIL_USAGE,
	                   "only some paths were counted (--only-paths), so counts of lines are not known: record all paths")
		: 0;
}

static int write_lcov(const void *data, FILE *file, struct fail *why)
{
	return export_lcov(&((const struct paths_data *)data)->paths, file, why);
}

static int write_profdata(const void *data, FILE *file, struct fail *why)
{
	return export_profdata(&((const struct paths_data *)data)->paths, file, why);
}

static int write_sample(const void *data, FILE *file, struct fail *why)
{
	return export_sample(&((const struct paths_data *)data)->paths, file, why);
}

static const struct export_format exports[] = {{"lcov", .check = check_export, .write = write_lcov},
                                               {"llvm-profdata", .check = check_export, .write = write_profdata},
                                               {"llvm-sample", .check = check_export, .write = write_sample},
                                               {"csv", .is_folder = true},
                                               {0}};

static const struct lens_told told[] = {{"wall_ns", "wall time"}, {"instructions", "instructions"}, {NULL, NULL}};

const struct lens lens_paths = {
	.name = "paths",
	.question = "Which execution paths run, and exactly how often?",
	.told = told,
	.views = views,
	.diff = &view_paths_diff,
	.data_bytes = sizeof(struct paths_data),
	.run_at = offsetof(struct paths_data, run),
	.load = load,
	.unload = unload,
	.read = read,
	.judge = judge,
	.knows_routine = knows_routine,
	.figures = &figures_paths,
	.exports = exports,
};
