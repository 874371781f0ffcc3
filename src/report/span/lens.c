/* SPDX-License-Identifier: MIT */
/* lens.c: what reports know of the span lens. Its views are in the other files of this folder. */
#include "report/lens.h"
#include "analyse/span/verdict.h"
#include "report/span/view.h"
#include "report/view.h"

static int load(void *data, struct store *store, struct fail *why)
{
	struct span_data *mine = data;
	return store_load_span(store, &mine->run, &mine->spans, why);
}

static void unload(void *data)
{
	struct span_data *mine = data;
	spans_free(&mine->spans);
	run_free(&mine->run);
}

static int read(void *data, const struct arguments *a, struct view_ask *ask, struct fail *why)
{
	struct span_data *mine = data;
	long cores;
	(void)ask;
	mine->source = arguments_value(a, OPTION_SOURCE);
	if (arguments_number(a, OPTION_CORES, 0, 1, 1000000, &cores, why) < 0)
		return -1;
	if (cores) {
		mine->spans.cores = (uint64_t)cores;
		mine->spans.other_machine = true;
	}
	return 0;
}

static void judge(const void *data, struct findings *verdict, struct findings *caveats)
{
	spans_judge(&((const struct span_data *)data)->spans, verdict, caveats);
}

bool view_span_wants(const struct spans *spans, const char *asked, const struct spans_site *site)
{
	return view_matches(asked, spans_caller(spans, site)) || view_matches(asked, spans_callee(spans, site));
}

static bool knows_routine(const void *data, const char *name)
{
	const struct spans *spans = &((const struct span_data *)data)->spans;
	for (size_t i = 0; i < spans->site_count; i++)
		if (view_span_wants(spans, name, &spans->sites[i]))
			return true;
	return false;
}

static const struct view *const views[] = {
	&view_span_sites, &view_span_summary, &view_span_speedup, &view_span_what_if, &view_span_path, &view_span_source, NULL};

const struct lens lens_span = {
	.name = "span",
	.question = "How parallel can it be, and which call site holds it back?",
	.views = views,
	.data_bytes = sizeof(struct span_data),
	.load = load,
	.unload = unload,
	.read = read,
	.judge = judge,
	.knows_routine = knows_routine,
};
