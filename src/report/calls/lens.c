/* SPDX-License-Identifier: MIT */
/* lens.c: what reports know of the calls lens. Its views are in the other files of this folder. */
#include "report/lens.h"
#include "analyse/calls/verdict.h"
#include "report/calls/view.h"

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

#define VIEW(name, help, sort, sort_else, top) \
	{#name, help, OPTION_NONE, view_##name##_columns, VIEW_##name##_COLUMNS, sort, sort_else, top, NULL, view_##name}

static const struct view views[] = {VIEW(routines, "calls and times per routine (default)", "direct_ns", "calls", 20),
                                    VIEW(family, "a routine's callers and callees, with their shares", NULL, NULL, 0),
                                    VIEW(arcs, "calls per arc and case (S-S, S-C, C-S, C-C)", "elapsed_ns", "calls", 20),
                                    VIEW(workers, "work, waits and threads of each worker", NULL, NULL, 0),
                                    VIEW(together, "which routines ran at the same time, and for how long", "together_ns", NULL, 20),
                                    VIEW(concurrency, "wall time by number of working threads, and what ran then", NULL, NULL, 0),
                                    VIEW(inlined, "routines that exist only inlined, or were removed", "routine", NULL, 20),
                                    VIEW(summary, "all figures of the run, one per row", NULL, NULL, 0)};

const struct lens lens_calls = {
	.name = "calls",
	.question = "How many calls, how long, and with whom?",
	.views = views,
	.view_count = sizeof views / sizeof *views,
	.data_bytes = sizeof(struct calls_data),
	.load = load,
	.unload = unload,
	.read = read,
	.judge = judge,
	.knows_routine = knows_routine,
};
