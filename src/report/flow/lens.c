/* SPDX-License-Identifier: MIT */
/* lens.c: what reports know of the flow lens. Its views are in the other files of this folder. */
#include "report/lens.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/text.h"
#include "report/flow/view.h"

static int load(void *data, struct store *store, struct fail *why)
{
	struct flow_data *mine = data;
	if (store_load_flow(store, &mine->run, &mine->flows, why) < 0)
		return -1;
	mine->lazy = memory_zeroed(1, sizeof *mine->lazy);
	mine->lazy->store = store;
	return 0;
}

const struct flows_kept *view_flow_kept(const struct flow_data *data, struct fail *why)
{
	struct flow_lazy *lazy = data->lazy;
	if (data->flows.keeps == FLOWS_UNWANTED)
		fail_set(why, FAIL_USAGE,
		         "this recording does not have the events themselves, because of --no-events: record again without it");
	else if (data->flows.keeps == FLOWS_TOO_MANY)
		fail_set(
			why, FAIL_USAGE,
			"this recording does not have the events themselves, because they take more than 64 MiB: record less, with --for SECONDS");
	if (data->flows.keeps != FLOWS_KEPT)
		return NULL;
	if (!lazy->is_loaded && store_load_events(lazy->store, &data->flows, &lazy->kept, why) < 0)
		return NULL;
	lazy->is_loaded = true;
	return &lazy->kept;
}

static void unload(void *data)
{
	struct flow_data *mine = data;
	if (mine->lazy->is_loaded)
		flows_kept_free(&mine->lazy->kept);
	free(mine->lazy);
	flows_free(&mine->flows);
	run_free(&mine->run);
}

static int read(void *data, const struct arguments *a, struct view_ask *ask, struct fail *why)
{
	struct flow_data *mine = data;
	(void)ask;
	mine->is_sorted = arguments_has(a, OPTION_SORT);
	mine->dot = arguments_value(a, OPTION_DOT);
	if (arguments_number(a, OPTION_THREAD, -1, 0, 1000000000, &mine->thread, why) < 0)
		return -1;
	if (mine->thread >= 0 && (size_t)mine->thread >= mine->run.thread_count)
		return fail_set(why, FAIL_USAGE, "this recording has no thread %ld; its threads are 0 to %zu (see --view threads)",
		                mine->thread, mine->run.thread_count - 1);
	return view_flow_what_if(mine, a, why);
}

static void judge(const void *data, struct findings *verdict, struct findings *caveats)
{
	flows_judge(&((const struct flow_data *)data)->flows, verdict, caveats);
}

static bool knows_routine(const void *data, const char *name)
{
	const struct run *run = &((const struct flow_data *)data)->run;
	for (size_t i = 0; i < run->routine_count; i++)
		if (view_wants(name, &run->routines[i]))
			return true;
	return false;
}

static const struct view *const views[] = {&view_flow_waits,     &view_flow_objects,     &view_flow_path,
                                           &view_flow_slack,     &view_flow_threads,     &view_flow_timeline,
                                           &view_flow_intervals, &view_flow_concurrency, &view_flow_cores,
                                           &view_flow_calls,     &view_flow_arcs,        &view_flow_tasks,
                                           &view_flow_marks,     &view_flow_what_ifs,    &view_flow_summary,
                                           &view_flow_events,    &view_flow_dot,         NULL};

static int has_events(const void *data, struct fail *why)
{
	return view_flow_check_times(data, NULL, why) == 0 && view_flow_kept(data, why) ? 0 : -1;
}

static const struct export_format exports[] = {{"chrome-trace", .check = has_events, .write = view_flow_chrome},
                                               {"speedscope", .check = has_events, .write = view_flow_speedscope},
                                               {"otf2", .check = has_events, .write_folder = view_flow_otf2, .is_folder = true},
                                               {"folded", .write_stacks = export_folded},
                                               {"pprof", .write_stacks = export_pprof, .is_binary = true},
                                               {"csv", .is_folder = true},
                                               {0}};

static const struct lens_told told[] = {{"wall_ns", "wall time"}, {"minimum_ns", "minimum"}, {NULL, NULL}};

const struct lens lens_flow = {
	.name = "flow",
	.question = "What waited for what, and what is the shortest this run could have been?",
	.told = told,
	.views = views,
	.diff = &view_flow_diff,
	.data_bytes = sizeof(struct flow_data),
	.run_at = offsetof(struct flow_data, run),
	.load = load,
	.unload = unload,
	.read = read,
	.judge = judge,
	.knows_routine = knows_routine,
	.figures = &figures_flow,
	.exports = exports,
	.stack = view_flow_stack,
};

/* ---- what views share ---- */

int64_t view_flow_ns(const struct flows *f, uint64_t ns)
{
	return f->orders ? RUN_UNKNOWN : (int64_t)ns;
}

int view_flow_check_times(const void *data, const struct view_ask *ask, struct fail *why)
{
	(void)ask;
	if (!((const struct flow_data *)data)->flows.orders)
		return 0;
	return fail_set(why, FAIL_USAGE, "this recording has the order of events and no times: record without --order");
}

const char *view_flow_routine(const struct sheet *s, const struct flows *f, const struct flows_where *where)
{
	return where->routine == RUN_OUTSIDE ? "" : view_name(s, &f->run->routines[where->routine]);
}

const char *view_flow_place(struct sheet *s, const struct flows_where *where)
{
	return text_place(&s->pool, where->file, where->line);
}

int64_t view_flow_line(const struct flows_where *where)
{
	return *where->file ? (int64_t)where->line : RUN_UNKNOWN;
}

const char *view_flow_object(const struct flows *f, uint32_t object)
{
	return object == FLOWS_NONE ? "" : f->objects[object].name;
}

int64_t view_flow_thread(const struct flows *f, uint32_t thread)
{
	return thread < f->run->thread_count ? (int64_t)thread : RUN_UNKNOWN;
}
