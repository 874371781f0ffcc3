/* SPDX-License-Identifier: MIT */
/* lens.c: what reports know of the input lens. Its views are in the other files of this folder. */
#include <stdlib.h>
#include <string.h>

#include "analyse/input/verdict.h"
#include "report/input/view.h"
#include "report/lens.h"

static void compute(struct input_data *data)
{
	free(data->results);
	data->results = inputs_results(&data->inputs, data->metric, data->measure, &data->result_count);
}

static void *load(struct store *store, struct fail *why)
{
	struct input_data *data = memory_zeroed(1, sizeof *data);
	data->metric = INPUT_TRMS;
	if (store_load_input(store, &data->run, &data->inputs, why) == 0) {
		compute(data);
		return data;
	}
	free(data);
	return NULL;
}

static void unload(void *data)
{
	struct input_data *mine = data;
	free(mine->results);
	inputs_free(&mine->inputs);
	run_free(&mine->run);
	free(mine);
}

/* The number of a name in a list, or -1. */
static int find(const char *const *names, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

static void adapt(void *data, const struct view_ask *ask)
{
	struct input_data *mine = data;
	int metric = ask->metric ? find(inputs_metric_names, INPUT_METRICS, ask->metric) : -1,
	    measure = ask->cost ? find(inputs_measure_names, MODELS_WORST + 1, ask->cost) : -1;
	bool one = ask->run > 0 && (size_t)ask->run <= mine->inputs.run_count;
	mine->metric = metric >= 0 ? (enum input_metric)metric : mine->metric;
	mine->measure = measure >= 0 ? (enum models_cost)measure : mine->measure;
	if (one)
		inputs_keep_run(&mine->inputs, (size_t)ask->run - 1);
	if (one || metric >= 0 || measure >= 0)
		compute(mine);
}

static void judge(const void *data, struct findings *verdict, struct findings *caveats)
{
	const struct input_data *mine = data;
	inputs_judge(&mine->inputs, mine->results, mine->result_count, mine->metric, verdict, caveats);
}

static bool knows_routine(const void *data, const char *name)
{
	const struct input_data *mine = data;
	for (size_t i = 0; i < mine->result_count; i++)
		if (view_input_wants(mine, &(struct view_ask){.routine = name}, mine->results[i].pick.routine))
			return true;
	return false;
}

int view_input_check(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct input_data *mine = data;
	if (ask->metric && find(inputs_metric_names, INPUT_METRICS, ask->metric) < 0)
		return fail_set(why, FAIL_USAGE, "the input lens has no metric %.100s; its metrics are rms, rms+external and trms",
		                ask->metric);
	if (ask->cost && find(inputs_measure_names, MODELS_WORST + 1, ask->cost) < 0)
		return fail_set(why, FAIL_USAGE, "--cost takes mean or worst, not %.100s", ask->cost);
	if (ask->run > 0 && (size_t)ask->run > mine->inputs.run_count)
		return fail_set(why, FAIL_USAGE, "this recording has no run %ld; its runs are 1 to %zu, see --view runs", ask->run,
		                mine->inputs.run_count);
	if (ask->thread >= 0 && (size_t)ask->thread >= mine->run.thread_count)
		return fail_set(why, FAIL_USAGE, "this recording has no thread %ld; its threads are 0 to %zu", ask->thread,
		                mine->run.thread_count ? mine->run.thread_count - 1 : 0);
	return 0;
}

int view_input_check_routine(const void *data, const struct view_ask *ask, struct fail *why)
{
	if (!ask->routine)
		return fail_set(why, FAIL_USAGE,
		                "this view is about one routine: name it with --routine (a pattern such as '*sort*' finds several)");
	return view_input_check(data, ask, why);
}

#define VIEW(name, help, sort, top, check) \
	{#name, help, view_input_##name##_columns, VIEW_INPUT_##name##_COLUMNS, sort, NULL, top, check, view_input_##name}

static const struct view views[] = {VIEW(routines, "how cost grows, and its share at 10 x input (default)", NULL, 20, view_input_check),
                                    VIEW(points, "cost of --routine by input size", NULL, 0, view_input_check_routine),
                                    VIEW(workload, "how often --routine was called with each size", NULL, 0, view_input_check_routine),
                                    VIEW(sources, "how much input comes from other threads and from outside", NULL, 20, view_input_check),
                                    VIEW(distribution, "how many routines have at least a given induced input", NULL, 0, view_input_check),
                                    VIEW(threads, "which thread's writes each thread reads", "cells", 40, view_input_check),
                                    VIEW(contexts, "routines by calling context, if contexts were recorded", "cost", 40, view_input_check),
                                    VIEW(runs, "the runs that reports add up", NULL, 0, view_input_check),
                                    VIEW(summary, "all figures of the run, one per row", NULL, 0, view_input_check)};

const struct lens lens_input = {
	.name = "input",
	.question = "How does each routine's cost grow with its input?",
	.views = views,
	.view_count = sizeof views / sizeof *views,
	.load = load,
	.unload = unload,
	.adapt = adapt,
	.judge = judge,
	.draw = view_input_draw,
	.knows_routine = knows_routine,
};
