/* SPDX-License-Identifier: MIT */
/* lens.c: what reports know of the input lens. Its views are in the other files of this folder. */
#include <stdlib.h>
#include <string.h>

#include "analyse/input/verdict.h"
#include "report/input/view.h"
#include "report/lens.h"

static int load(void *data, struct store *store, struct fail *why)
{
	struct input_data *mine = data;
	return store_load_input(store, &mine->run, &mine->inputs, why);
}

static void unload(void *data)
{
	struct input_data *mine = data;
	free(mine->results);
	inputs_free(&mine->inputs);
	run_free(&mine->run);
}

/* ---- what can be asked ---- */

/* The number of a name in a list, or -1. */
static int find(const char *const *names, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

static int read_measure(const struct arguments *a, struct input_data *mine, struct fail *why)
{
	const char *metric = arguments_value(a, OPTION_METRIC), *cost = arguments_value(a, OPTION_COST);
	int is_metric = metric ? find(inputs_metric_names, INPUT_METRICS, metric) : INPUT_TRMS,
	    is_cost = cost ? find(inputs_measure_names, MODELS_WORST + 1, cost) : MODELS_MEAN;
	if (is_metric < 0)
		return fail_set(why, FAIL_USAGE, "the input lens has no metric %.100s; its metrics are rms, rms+external and trms", metric);
	if (is_cost < 0)
		return fail_set(why, FAIL_USAGE, "--cost takes mean or worst, not %.100s", cost);
	mine->metric = (enum input_metric)is_metric;
	mine->measure = (enum models_cost)is_cost;
	mine->asked.one_metric = metric != NULL;
	return 0;
}

static int read_run(const struct arguments *a, struct input_data *mine, struct fail *why)
{
	long run;
	if (arguments_number(a, OPTION_RUN, 0, 1, 1000000000, &run, why) < 0)
		return -1;
	if (run > 0 && (size_t)run > mine->inputs.run_count)
		return fail_set(why, FAIL_USAGE, "this recording has no run %ld; its runs are 1 to %zu (see --view runs)", run,
		                mine->inputs.run_count);
	if (run > 0)
		inputs_keep_run(&mine->inputs, (size_t)run - 1);
	return 0;
}

static int read_thread(const struct arguments *a, struct input_data *mine, struct fail *why)
{
	size_t threads = mine->run.thread_count;
	mine->asked.by_thread = arguments_has(a, OPTION_BY_THREAD);
	if (arguments_number(a, OPTION_THREAD, -1, 0, 1000000000, &mine->asked.thread, why) < 0)
		return -1;
	if (mine->asked.thread >= 0 && (size_t)mine->asked.thread >= threads)
		return fail_set(why, FAIL_USAGE, "this recording has no thread %ld; its threads are 0 to %zu", mine->asked.thread,
		                threads ? threads - 1 : 0);
	return 0;
}

static int read(void *data, const struct arguments *a, struct view_ask *ask, struct fail *why)
{
	struct input_data *mine = data;
	mine->asked.svg = arguments_value(a, OPTION_SVG);
	if (mine->asked.svg && !ask->routine)
		return fail_set(why, FAIL_USAGE, "--svg draws one routine: name it with --routine");
	if (read_measure(a, mine, why) < 0 || read_run(a, mine, why) < 0 || read_thread(a, mine, why) < 0)
		return -1;
	mine->results = inputs_results(&mine->inputs, mine->metric, mine->measure, &mine->result_count);
	return 0;
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
		if (view_input_wants(mine, name, mine->results[i].pick.routine))
			return true;
	return false;
}

static const struct view *const views[] = {&view_input_routines,     &view_input_points,
                                           &view_input_workload,     &view_input_sources,
                                           &view_input_distribution, &view_input_threads,
                                           &view_input_contexts,     &view_input_runs,
                                           &view_input_summary,      NULL};

const struct lens lens_input = {
	.name = "input",
	.question = "How does each routine's cost grow with its input?",
	.views = views,
	.data_bytes = sizeof(struct input_data),
	.load = load,
	.unload = unload,
	.read = read,
	.judge = judge,
	.draw = view_input_draw,
	.knows_routine = knows_routine,
};
