/* SPDX-License-Identifier: MIT */
/* lens.c: what reports know of the span lens. Its views are in the other files of this folder. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/span/verdict.h"
#include "report/lens.h"
#include "report/span/view.h"

static void *load(struct store *store, struct fail *why)
{
	struct span_data *data = memory_zeroed(1, sizeof *data);
	if (store_load_span(store, &data->run, &data->spans, why) == 0)
		return data;
	free(data);
	return NULL;
}

static void unload(void *data)
{
	struct span_data *mine = data;
	spans_free(&mine->spans);
	run_free(&mine->run);
	free(mine);
}

static void adapt(void *data, const struct view_ask *ask)
{
	struct spans *spans = &((struct span_data *)data)->spans;
	if (!ask->cores)
		return;
	spans->cores = (uint64_t)ask->cores;
	spans->other_machine = true;
}

static void judge(const void *data, struct findings *verdict, struct findings *caveats)
{
	spans_judge(&((const struct span_data *)data)->spans, verdict, caveats);
}

static bool is_called(const char *asked, const char *name)
{
	return strcmp(asked, name) == 0 || fnmatch(asked, name, 0) == 0;
}

bool view_span_wants(const struct spans *spans, const struct view_ask *ask, const struct spans_site *site)
{
	return !ask->routine || is_called(ask->routine, spans_caller(spans, site)) || is_called(ask->routine, spans_callee(spans, site));
}

static bool knows_routine(const void *data, const char *name)
{
	const struct spans *spans = &((const struct span_data *)data)->spans;
	for (size_t i = 0; i < spans->site_count; i++)
		if (view_span_wants(spans, &(struct view_ask){.routine = name}, &spans->sites[i]))
			return true;
	return false;
}

#define VIEW(name, called, help, sort, top, check) \
	{called, help, view_span_##name##_columns, VIEW_SPAN_##name##_COLUMNS, sort, NULL, top, check, view_span_##name}

static const struct view views[] = {VIEW(sites, "sites", "work and span of each call site (default)", "span", 20, NULL),
                                    VIEW(summary, "summary", "all figures of the run, one per row", NULL, 0, NULL),
                                    VIEW(speedup, "speedup", "bounds on the speed-up for 1 to 256 cores", NULL, 0, NULL),
                                    VIEW(what_if, "what-if", "gain if a site were free or parallel", NULL, 0, NULL),
                                    VIEW(path, "critical-path", "the sites of the critical path, in order", NULL, 40, NULL),
                                    VIEW(source, "source", "lines of --source FILE with their shares", NULL, 0, view_span_source_check)};

const struct lens lens_span = {
	.name = "span",
	.question = "How parallel can it be, and which call site holds it back?",
	.views = views,
	.view_count = sizeof views / sizeof *views,
	.load = load,
	.unload = unload,
	.adapt = adapt,
	.judge = judge,
	.knows_routine = knows_routine,
};
