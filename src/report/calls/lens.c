/* SPDX-License-Identifier: MIT */
/* lens.c: what reports know of the calls lens. Its views are in the other files of this folder. */
#include <stddef.h>

#include "analyse/calls/verdict.h"
#include "report/calls/view.h"
#include "report/lens.h"

static int load(void *data, struct store *store, struct fail *why)
{
	struct calls_data *mine = data;
	return store_load_calls(store, &mine->run, &mine->calls, why);
}

static void unload(void *data)
{
	struct calls_data *mine = data;
	calls_free(&mine->calls);
	run_free(&mine->run);
}

static int read(void *data, const struct arguments *a, struct view_ask *ask, struct fail *why)
{
	struct calls_asked *asked = &((struct calls_data *)data)->asked;
	(void)ask;
	asked->source = arguments_value(a, OPTION_SOURCE);
	asked->by_worker = arguments_has(a, OPTION_BY_WORKER);
	return arguments_number(a, OPTION_WORKER, -1, 0, 1000000000, &asked->worker, why);
}

static void judge(const void *data, struct findings *verdict, struct findings *caveats)
{
	calls_judge(&((const struct calls_data *)data)->calls, verdict, caveats);
}

static bool knows_routine(const void *data, const char *name)
{
	const struct run *run = &((const struct calls_data *)data)->run;
	for (size_t i = 0; i < run->routine_count; i++)
		if (view_wants(name, &run->routines[i]))
			return true;
	return false;
}

static const struct view *const views[] = {
	&view_routines, &view_family,      &view_arcs,    &view_callees, &view_workers, &view_waits, &view_threads,
	&view_together, &view_concurrency, &view_inlined, &view_summary, &view_source,  NULL};

static const struct export_format exports[] = {{"pprof", .write_stacks = export_pprof, .is_binary = true},
                                               {"callgrind", .write_stacks = export_callgrind, .wants_arcs = true},
                                               {"speedscope", .write_stacks = export_speedscope},
                                               {"csv", .is_folder = true},
                                               {0}};

static const struct lens_told told[] = {{"wall_ns", "wall time"}, {"cpu_ns", "CPU time"}, {NULL, NULL}};

const struct lens lens_calls = {
	.name = "calls",
	.question = "How many calls, how long, and with whom?",
	.told = told,
	.views = views,
	.diff = &view_calls_diff,
	.data_bytes = sizeof(struct calls_data),
	.run_at = offsetof(struct calls_data, run),
	.load = load,
	.unload = unload,
	.read = read,
	.judge = judge,
	.knows_routine = knows_routine,
	.figures = &figures_calls,
	.exports = exports,
	.stack = view_calls_stack,
};
