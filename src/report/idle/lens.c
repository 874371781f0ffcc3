/* SPDX-License-Identifier: MIT */
/* lens.c: what reports know of the idle lens. Its views are in the other files of this folder. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "report/idle/view.h"
#include "report/lens.h"
#include "report/view.h"

static int load(void *data, struct store *store, struct fail *why)
{
	struct idle_data *mine = data;
	return store_load_idle(store, &mine->run, &mine->idles, why);
}

static void unload(void *data)
{
	struct idle_data *mine = data;
	free(mine->asked.derived);
	idles_free(&mine->idles);
	run_free(&mine->run);
}

/* ---- what can be asked ---- */

static int read_metric(const struct arguments *a, struct idle_data *mine, struct fail *why)
{
	const struct idles *idles = &mine->idles;
	const char *name = arguments_value(a, OPTION_METRIC);
	mine->asked.metric = name ? idle_metric_find(idles, name) : -1;
	if (!name || mine->asked.metric >= 0)
		return 0;
	char list[300] = "work, idle, overhead, effort, samples";
	for (size_t e = 0; e < idles->event_name_count; e++)
		snprintf(list + strlen(list), sizeof list - strlen(list), ", %s", idles->event_names[e]);
	return fail_set(why, FAIL_USAGE, "there is no metric %.100s in this recording; there are %s", name, list);
}

static int read_thread(const struct arguments *a, struct idle_data *mine, struct fail *why)
{
	size_t threads = mine->run.thread_count;
	mine->asked.by_thread = arguments_has(a, OPTION_BY_THREAD);
	if (arguments_number(a, OPTION_THREAD, -1, 0, 1000000000, &mine->asked.thread, why) < 0)
		return -1;
	if (mine->asked.thread >= 0 && (size_t)mine->asked.thread >= threads)
		return fail_set(why, FAIL_USAGE, "this recording has no thread %ld; its threads are 0 to %zu (see --view threads)",
		                mine->asked.thread, threads - 1);
	return 0;
}

static int read_derived(const struct arguments *a, struct idle_data *mine, struct fail *why)
{
	const char *names[IDLE_METRICS], *text;
	size_t count = idle_metrics(&mine->idles, names), room = 0;
	for (size_t n = 0; (text = arguments_nth(a, OPTION_DERIVE, n)); n++) {
		MEMORY_GROW(mine->asked.derived, mine->asked.derived_count, room);
		if (derive_parse(&mine->asked.derived[mine->asked.derived_count++], text, names, count, why) < 0)
			return -1;
	}
	return 0;
}

static int read(void *data, const struct arguments *a, struct view_ask *ask, struct fail *why)
{
	struct idle_data *mine = data;
	struct idle_asked *asked = &mine->asked;
	const char *paths = arguments_value(a, OPTION_PATHS);
	(void)ask;
	asked->source = arguments_value(a, OPTION_SOURCE);
	if (paths && strcmp(paths, "logical") != 0 && strcmp(paths, "physical") != 0)
		return fail_set(why, FAIL_USAGE, "--paths takes logical or physical, not %.100s", paths);
	asked->physical = paths && strcmp(paths, "physical") == 0;
	if (arguments_number(a, OPTION_DEPTH, -1, 0, 1000000000, &asked->depth, why) < 0 ||
	    arguments_percent(a, OPTION_THRESHOLD, -1, &asked->threshold, why) < 0 ||
	    arguments_percent(a, OPTION_MIN_IDLE_PCT, IDLES_HIGH_PCT, &asked->limits.idle_pct, why) < 0 ||
	    arguments_percent(a, OPTION_MIN_OVERHEAD_PCT, IDLES_HIGH_PCT, &asked->limits.overhead_pct, why) < 0)
		return -1;
	return read_metric(a, mine, why) < 0 || read_thread(a, mine, why) < 0 ? -1 : read_derived(a, mine, why);
}

static void judge(const void *data, struct findings *verdict, struct findings *caveats)
{
	const struct idle_data *mine = data;
	idles_judge(&mine->idles, &mine->asked.limits, verdict, caveats);
}

static bool knows_routine(const void *data, const char *name)
{
	const struct idles *idles = &((const struct idle_data *)data)->idles;
	for (size_t i = 0; i < idles->scope_count; i++)
		if (idles->scopes[i].kind != IDLES_ROOT && view_wants(name, &idles->run->routines[idles->scopes[i].routine]))
			return true;
	return false;
}

static const struct view *const views[] = {&view_idle_top_down, &view_idle_bottom_up, &view_idle_flat,   &view_idle_threads,
                                           &view_idle_summary,  &view_idle_folded,    &view_idle_source, NULL};

static const struct export_format exports[] = {{"folded", .write_stacks = export_folded},
                                               {"pprof", .write_stacks = export_pprof, .is_binary = true},
                                               {"callgrind", .write_stacks = export_callgrind, .wants_arcs = true},
                                               {"speedscope", .write_stacks = export_speedscope},
                                               {"perf-script", .write_stacks = export_perf_script},
                                               {"csv", .is_folder = true},
                                               {0}};

static const struct lens_told told[] = {{"wall_ns", "wall time"},
                                        {"idle_pct_effort", "idleness"},
                                        {"overhead_pct_effort", "overhead"},
                                        {NULL, NULL}};

const struct lens lens_idle = {
	.name = "idle",
	.question = "Where are cores wasted in this run: too little parallelism, or too much overhead?",
	.told = told,
	.views = views,
	.diff = &view_idle_diff,
	.data_bytes = sizeof(struct idle_data),
	.run_at = offsetof(struct idle_data, run),
	.load = load,
	.unload = unload,
	.read = read,
	.judge = judge,
	.knows_routine = knows_routine,
	.figures = &figures_idle,
	.exports = exports,
	.stack = view_idle_stack,
};
