/* SPDX-License-Identifier: MIT */
/* lens.c: what reports know of the span lens. Its views are in the other files of this folder. */
#include <stddef.h>
#include <string.h>

#include "analyse/span/verdict.h"
#include "report/lens.h"
#include "report/span/view.h"
#include "report/threads.h"
#include "report/view.h"

enum { REGIONS_NAMED = 64 }; /* in the search for what was meant */

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

/* The number of a name in a list, or -1 if the option was not given; `kinds` are the names for the sentence. */
static int read_name(const struct arguments *a, enum option option, const char *const *names, int count, const char *kinds, int *found,
                     struct fail *why)
{
	const char *name = arguments_value(a, option);
	*found = -1;
	for (int i = 0; name && i < count; i++)
		if (strcmp(names[i], name) == 0)
			*found = i;
	return name && *found < 0 ? fail_set(why, FAIL_USAGE, "--%s, not %.100s", kinds, name) : 0;
}

/* The recording may have been made under the region, with its sites. */
static int read_region(struct span_data *mine, const char *name, struct fail *why)
{
	const struct spans_region *region = name ? spans_find_region(&mine->spans, name) : NULL;
	const char *names[REGIONS_NAMED + 1] = {NULL}, *near;
	if (!name || strcmp(mine->spans.under, name) == 0)
		return 0;
	for (size_t i = 0; i < mine->spans.region_count && i < REGIONS_NAMED; i++)
		names[i] = mine->spans.regions[i].name;
	if (!mine->spans.region_count)
		return fail_set(
			why, FAIL_USAGE,
			"no region was marked in this run, so --under %.100s has nothing to show; mark it with skein_begin and skein_end",
			name);
	if (!region && (near = nearest(name, names)))
		return fail_set(why, FAIL_USAGE, "no region has the name %.100s; did you mean %.100s?", name, near);
	if (!region)
		return fail_set(why, FAIL_USAGE, "no region has the name %.100s; --view regions lists them", name);
	if (*mine->spans.under)
		return fail_set(why, FAIL_USAGE, "this run was recorded with --under %.100s: record again without it to see region %.100s",
		                mine->spans.under, name);
	spans_enter_region(&mine->spans, region);
	mine->no_sites = true;
	return 0;
}

int view_span_check(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct span_data *mine = data;
	(void)ask;
	if (mine->no_sites)
		return fail_set(
			why, FAIL_USAGE,
			"call sites of region %.100s were not recorded apart: use --view regions, summary or speedup, or `skein record span --under '%.100s'`",
			mine->spans.under, mine->spans.under);
	return 0;
}

static int read(void *data, const struct arguments *a, struct view_ask *ask, struct fail *why)
{
	struct span_data *mine = data;
	long cores;
	(void)ask;
	mine->source = arguments_value(a, OPTION_SOURCE);
	if (arguments_number(a, OPTION_CORES, 0, 1, 1000000, &cores, why) < 0 ||
	    read_name(a, OPTION_PROFILE, spans_profile_names, SPANS_PROFILES, "profile takes work or span", &mine->profile, why) < 0 ||
	    read_name(a, OPTION_MEASURE, spans_measure_names, SPAN_MEASURES, "measure takes top-call-site, top-caller or local",
	              &mine->measure, why) < 0 ||
	    read_region(mine, arguments_value(a, OPTION_UNDER), why) < 0)
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

bool view_span_asks(const struct span_data *d, int profile, int measure)
{
	return (d->profile < 0 || d->profile == profile) && (d->measure < 0 || d->measure == measure);
}

bool view_span_wants_target(const struct spans *spans, const char *asked, const struct spans_target *target)
{
	return target->routine == RUN_NOWHERE ? view_matches(asked, spans_target(spans, target))
					      : view_wants(asked, &spans->run->routines[target->routine]);
}

bool view_span_wants(const struct spans *spans, const char *asked, const struct spans_site *site)
{
	for (size_t i = 0; asked && i < site->target_count; i++)
		if (view_span_wants_target(spans, asked, &spans->targets[site->first_target + i]))
			return true;
	return view_matches(asked, spans_caller(spans, site)) || view_wants(asked, &spans->run->routines[site->caller]) ||
		(site->callee == RUN_NOWHERE ? view_matches(asked, spans_callee(spans, site))
	                                     : view_wants(asked, &spans->run->routines[site->callee]));
}

static bool knows_routine(const void *data, const char *name)
{
	const struct spans *spans = &((const struct span_data *)data)->spans;
	for (size_t i = 0; i < spans->site_count; i++)
		if (view_span_wants(spans, name, &spans->sites[i]))
			return true;
	return false;
}

static void fill_threads(const void *data, const struct view_ask *ask, struct sheet *s)
{
	(void)ask;
	threads_fill(&((const struct span_data *)data)->run, -1, s);
}

static const struct view view_span_threads = {
	.name = "threads",
	.help = "creator, start and end of each thread",
	.top = 40,
	.fill = fill_threads,
};

static const struct view *const views[] = {&view_span_sites,
                                           &view_span_table,
                                           &view_span_summary,
                                           &view_span_speedup,
                                           &view_span_what_if,
                                           &view_span_path,
                                           &view_span_targets,
                                           &view_span_threads,
                                           &view_span_regions,
                                           &view_span_source,
                                           NULL};

static const struct export_format exports[] = {{"pprof", .write_stacks = export_pprof, .is_binary = true},
                                               {"callgrind", .write_stacks = export_callgrind, .wants_arcs = true},
                                               {"csv", .is_folder = true},
                                               {0}};

static const struct lens_told told[] = {{"parallelism", "parallelism"}, {"span", "span"}, {NULL, NULL}};

const struct lens lens_span = {
	.name = "span",
	.question = "How parallel can it be, and which call site holds it back?",
	.told = told,
	.views = views,
	.diff = &view_span_diff,
	.data_bytes = sizeof(struct span_data),
	.run_at = offsetof(struct span_data, run),
	.load = load,
	.unload = unload,
	.read = read,
	.judge = judge,
	.knows_routine = knows_routine,
	.figures = &figures_span,
	.exports = exports,
	.stack = view_span_stack,
};
