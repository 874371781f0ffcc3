/* SPDX-License-Identifier: MIT */
/* lens.c: what reports know of the paths lens. Its views are in the other files of this folder. */
#include <stdlib.h>

#include "analyse/paths/verdict.h"
#include "report/paths/view.h"

static void *load(struct store *store, struct fail *why)
{
	struct paths_data *data = memory_zeroed(1, sizeof *data);
	if (store_load_paths(store, &data->run, &data->paths, why) == 0) {
		paths_rank(&data->paths, &data->rank);
		return data;
	}
	free(data);
	return NULL;
}

static void unload(void *data)
{
	struct paths_data *mine = data;
	paths_rank_free(&mine->rank);
	paths_free(&mine->paths);
	run_free(&mine->run);
	free(mine);
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
		if (view_paths_wants(mine, &(struct view_ask){.routine = name}, &mine->paths.profiles[i]))
			return true;
	return false;
}

#define VIEW(name, help, sort, top, check) \
	{#name, help, view_paths_##name##_columns, VIEW_PATHS_##name##_COLUMNS, sort, NULL, top, check, view_paths_##name}

static const struct view views[] = {VIEW(paths, "executed paths, sorted by executed instructions (default)", NULL, 20, view_paths_check),
                                    VIEW(functions, "per function: paths executed, and how few matter", "flow", 20, view_paths_check),
                                    VIEW(branches, "how often each branch took each side", NULL, 20, view_paths_check),
                                    VIEW(never, "what was never executed; with --routine also paths", NULL, 40, view_paths_check_way),
                                    VIEW(copies, "counting cost of each copy, and of one copy alone", NULL, 0, view_paths_check),
                                    VIEW(profitable, "functions that were divided among copies", "hits_sequential", 20, view_paths_check),
                                    VIEW(stops, "frames that never returned, and where", "count", 20, view_paths_check),
                                    VIEW(summary, "all figures of the run, one per row", NULL, 0, view_paths_check),
                                    VIEW(source, "lines of --source FILE with counts; --path is marked", NULL, 0, view_paths_check_source),
                                    VIEW(dot, "graph of --dot FUNCTION, for graphviz", NULL, 0, view_paths_check_dot)};

const struct lens lens_paths = {
	.name = "paths",
	.question = "Which execution paths run, and exactly how often?",
	.views = views,
	.view_count = sizeof views / sizeof *views,
	.load = load,
	.unload = unload,
	.judge = judge,
	.knows_routine = knows_routine,
};
