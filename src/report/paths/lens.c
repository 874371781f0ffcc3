/* SPDX-License-Identifier: MIT */
/* lens.c: what reports know of the paths lens. Its views are in the other files of this folder. */
#include "analyse/paths/verdict.h"
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

#define VIEW(name, help, option, sort, top, check) \
	{#name, help, option, view_paths_##name##_columns, VIEW_PATHS_##name##_COLUMNS, sort, NULL, top, check, view_paths_##name}

static const struct view views[] = {
	VIEW(paths, "executed paths, sorted by executed instructions (default)", OPTION_NONE, NULL, 20, view_paths_check),
	VIEW(functions, "per function: paths executed, and how few matter", OPTION_NONE, "flow", 20, view_paths_check),
	VIEW(branches, "how often each branch took each side", OPTION_NONE, NULL, 20, view_paths_check),
	VIEW(never, "what was never executed; with --routine also paths", OPTION_NONE, NULL, 40, view_paths_check_way),
	VIEW(copies, "counting cost of each copy, and of one copy alone", OPTION_NONE, NULL, 0, view_paths_check),
	VIEW(profitable, "functions that were divided among copies", OPTION_NONE, "hits_sequential", 20, view_paths_check),
	VIEW(stops, "frames that never returned, and where", OPTION_NONE, "count", 20, view_paths_check),
	VIEW(summary, "all figures of the run, one per row", OPTION_NONE, NULL, 0, view_paths_check),
	VIEW(source, "lines of --source FILE with counts; --path is marked", OPTION_SOURCE, NULL, 0, view_paths_check_source),
	VIEW(dot, "graph of --dot FUNCTION, for graphviz", OPTION_DOT, NULL, 0, view_paths_check_dot)};

const struct lens lens_paths = {
	.name = "paths",
	.question = "Which execution paths run, and exactly how often?",
	.views = views,
	.view_count = sizeof views / sizeof *views,
	.data_bytes = sizeof(struct paths_data),
	.load = load,
	.unload = unload,
	.read = read,
	.judge = judge,
	.knows_routine = knows_routine,
};
