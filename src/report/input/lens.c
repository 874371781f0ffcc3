/* SPDX-License-Identifier: MIT */
/* lens.c: what reports know of the input lens. Its views are in the other files of this folder. */
#include <stddef.h>
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
	(void)ask;
	mine->asked.svg = arguments_has(a, OPTION_SVG);
	mine->asked.overlay = arguments_has(a, OPTION_OVERLAY);
	mine->asked.linear = arguments_has(a, OPTION_LINEAR);
	if (read_measure(a, mine, why) < 0 || read_run(a, mine, why) < 0 || read_thread(a, mine, why) < 0)
		return -1;
	mine->results = inputs_results(&mine->inputs, mine->metric, mine->measure, &mine->result_count);
	return 0;
}

int view_input_check_plot(const struct input_data *d, enum view_input_plot plot, bool is_in_text, struct fail *why)
{
	bool wrong_overlay = d->asked.overlay && plot != VIEW_PLOT_OF_SIZES, wrong_linear = d->asked.linear && plot == VIEW_PLOT_NONE;
	if (wrong_overlay)
		return fail_set(why, FAIL_USAGE, "--overlay is for plots by input size: the views routines, points and workload");
	if (wrong_linear)
		return fail_set(why, FAIL_USAGE,
		                "--linear is for plots with logarithmic axes: the views routines, points, workload and distribution");
	if ((d->asked.overlay || d->asked.linear) && !d->asked.svg && !is_in_text)
		return fail_set(why, FAIL_USAGE, "--%s changes a plot, and none is drawn: add --svg FILE",
		                d->asked.overlay ? "overlay" : "linear");
	return 0;
}

int view_input_check_no_plot(const void *data, const struct view_ask *ask, struct fail *why)
{
	(void)ask;
	return view_input_check_plot(data, VIEW_PLOT_NONE, false, why);
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

static const struct export_format exports[] = {{"csv", .is_folder = true}, {0}};

static const struct lens_told told[] = {{"wall_ns", "wall time"}, {"cost", "cost"}, {NULL, NULL}};

const struct lens lens_input = {
	.name = "input",
	.question = "How does each routine's cost grow with its input?",
	.told = told,
	.views = views,
	.diff = &view_input_diff,
	.data_bytes = sizeof(struct input_data),
	.run_at = offsetof(struct input_data, run),
	.load = load,
	.unload = unload,
	.read = read,
	.judge = judge,
	.knows_routine = knows_routine,
	.figures = &figures_input,
	.exports = exports,
};
