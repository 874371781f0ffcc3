/* SPDX-License-Identifier: MIT */
/* sites.c: Cilkprof's profiles (section 6), a row a site in text, a row for each profile and measure elsewhere; and
 * the sites of the critical path in their order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strv.h"
#include "base/text.h"
#include "keys/mode.h"
#include "report/span/view.h"

const char *view_span_place(struct sheet *sheet, const struct spans_site *site)
{
	if (!site->line)
		return str_base(site->file);
	const char *place = text_place(&sheet->pool, site->file, site->line);
	return site->column ? pool_print(&sheet->pool, "%s:%u", place, site->column) : place;
}

int64_t view_span_line(const struct spans_site *site)
{
	return site && site->line ? (int64_t)site->line : SPANS_UNKNOWN;
}

int64_t view_span_column(const struct spans_site *site)
{
	return site && site->line ? (int64_t)site->column : SPANS_UNKNOWN;
}

const char *view_span_pair(struct sheet *sheet, const struct spans *spans, const struct spans_site *site)
{
	return sheet->is_text
		? pool_print(&sheet->pool, "%s -> %s", spans_shown_caller(spans, site), spans_shown_callee(&sheet->pool, spans, site))
		: pool_print(&sheet->pool, "%s -> %s", spans_caller(spans, site), spans_callee(spans, site));
}

struct site_row {
	const struct spans *spans;
	const struct spans_site *site;
	int profile, measure;
	bool one_profile, one_measure; /* was asked for: text has the same rows as CSV */
};

static const struct span_sum *sum_of(const struct site_row *r, int profile, int measure)
{
	return &r->site->sums[profile][measure];
}

static double share_of_span(const struct site_row *r)
{
	return 100 * spans_ratio(sum_of(r, SPANS_ON_SPAN, SPAN_LOCAL)->span, r->spans->span);
}

/* Of the program's work or span, as the profile says. */
static double share_of_profile(const struct site_row *r)
{
	const struct span_sum *sum = sum_of(r, r->profile, r->measure);
	return r->profile == SPANS_ON_WORK ? 100 * spans_ratio(sum->work, r->spans->work) : 100 * spans_ratio(sum->span, r->spans->span);
}

static const char *kind_text(const struct spans_site *site)
{
	return site->foreign && site->kind == SPANS_CALL ? "foreign" : site->inlined ? "inlined" : spans_kind_names[site->kind];
}

/* What matters of all profiles and measures, side by side. A site is sorted by what text shows of it, in CSV, too: the first of
 * its rows has no parallelism, and only the work on the critical path. */
static void put_usual(struct sheet *s, const struct site_row *r)
{
	COLUMN(s, PERCENT, NULL, "span%", share_of_span(r), .meaning = "share of the program's span, excluding callees");
	COLUMN(s, COUNT, NULL, "span", sum_of(r, SPANS_ON_SPAN, SPAN_LOCAL)->span, .meaning = "on the critical path, excluding callees");
	COLUMN(s, COUNT, NULL, "calls", sum_of(r, SPANS_ON_SPAN, SPAN_LOCAL)->count, .drop = 2, .meaning = "on the critical path");
	COLUMN(s, COUNT, NULL, "own work", sum_of(r, SPANS_ON_WORK, SPAN_LOCAL)->work, .drop = 6,
	       .meaning = "over all calls, excluding callees");
	COLUMN(s, COUNT, NULL, "work", sum_of(r, SPANS_ON_WORK, SPAN_TOP_SITE)->work, .drop = 5, .sorts = "work",
	       .meaning = "including callees, without recursive calls");
	COLUMN(s, COUNT, NULL, "its span", sum_of(r, SPANS_ON_WORK, SPAN_TOP_SITE)->span, .drop = 4,
	       .meaning = "including callees, without recursive calls");
	COLUMN(s, RATIO, NULL, "paral.", spans_sum_parallelism(sum_of(r, SPANS_ON_WORK, SPAN_TOP_SITE)), .sorts = "parallelism",
	       .meaning = "parallelism (work divided by span), including callees, without recursive calls");
}

/* The figures of the profile and measure of the row. */
static void put_chosen(struct sheet *s, const struct site_row *r)
{
	const struct span_sum *sum = r->site ? sum_of(r, r->profile, r->measure) : NULL;
	COLUMN(s, TEXT, NULL, r->one_profile ? NULL : "profile", spans_profile_names[r->profile]);
	COLUMN(s, TEXT, NULL, r->one_measure ? NULL : "measure", spans_measure_names[r->measure]);
	COLUMN(s, COUNT, NULL, "calls", sum->count);
	COLUMN(s, COUNT, NULL, "work", sum->work);
	COLUMN(s, COUNT, NULL, "span", sum->span);
	COLUMN(s, RATIO, NULL, "paral.", r->measure == SPAN_LOCAL ? NAN : spans_sum_parallelism(sum),
	       .meaning = "parallelism (work divided by span)");
}

/* Scripts get a row for each profile and measure; text has one row per site, unless --profile or --measure chooses. */
static void put_site(struct sheet *s, const struct site_row *r)
{
	COLUMN(s, TEXT, "file", NULL, r->site->file);
	COLUMN(s, ID, "line", NULL, view_span_line(r->site));
	COLUMN(s, ID, "column", NULL, view_span_column(r->site));
	COLUMN(s, NAME, "caller", NULL, spans_caller(r->spans, r->site));
	COLUMN(s, NAME, "callee", NULL, spans_callee(r->spans, r->site));
	COLUMN(s, TEXT, "kind", NULL, spans_kind_names[r->site->kind]);
	COLUMN(s, TEXT, "profile", NULL, spans_profile_names[r->profile]);
	COLUMN(s, TEXT, "measure", NULL, spans_measure_names[r->measure]);
	COLUMN(s, COUNT, "count", NULL, sum_of(r, r->profile, r->measure)->count);
	COLUMN(s, COUNT, "work", NULL, sum_of(r, r->profile, r->measure)->work);
	COLUMN(s, COUNT, "span", NULL, sum_of(r, r->profile, r->measure)->span);
	COLUMN(s, RATIO, "parallelism", NULL, r->measure == SPAN_LOCAL ? NAN : spans_sum_parallelism(sum_of(r, r->profile, r->measure)));
	COLUMN(s, PERCENT, "span_share", NULL, r->profile == SPANS_ON_SPAN && r->measure == SPAN_LOCAL ? share_of_span(r) : NAN);
	COLUMN(s, NS, "real_ns", NULL, r->site->real_ns);
	COLUMN(s, COUNT, "foreign", NULL, r->site->foreign);
	COLUMN(s, COUNT, "inlined", NULL, r->site->inlined);
	if (r->one_profile || r->one_measure)
		put_chosen(s, r);
	else
		put_usual(s, r);
	COLUMN(s, TEXT, NULL, "kind", kind_text(r->site), .drop = 3);
	COLUMN(s, COUNT, "targets", NULL,
	       r->site->target_count && !spans_creates_thread(r->site) ? (int64_t)r->site->target_count : SPANS_UNKNOWN);
	COLUMN(s, PERCENT, "share", NULL, share_of_profile(r));
	COLUMN(s, NAME, NULL, "site", view_span_pair(s, r->spans, r->site));
	COLUMN(s, LIST, NULL, "targets", spans_shown_targets(&s->pool, r->spans, r->site), .meaning = VIEW_SPAN_TARGETS_MEANING);
	COLUMN(s, TEXT, NULL, "where", view_span_place(s, r->site), .drop = 1);
}

static const char *unit_of(struct pool *pool, const char *clock)
{
	static const char *const units[][2] = {{"insn", "counts of instructions"},
	                                       {"tsc", "ticks of the cycle counter"},
	                                       {"ns", "nanoseconds"}};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i][0], clock) == 0)
			return units[i][1];
	return pool_print(pool, "counts of %s", clock);
}

const char *view_span_unit(struct sheet *s, const struct spans *spans)
{
	const char *whose = *spans->under ? pool_print(&s->pool, " The span is the span of %s, not of the program.", spans->under) : "";
	return strcmp(spans->run->mode, MODE_WHOLE) == 0
		? "No sites were recorded (--no-sites)."
		: pool_print(&s->pool, "Work and span are %s.%s", unit_of(&s->pool, spans->clock), whose);
}

/* The first row of a site leads the others: the sheet is sorted by it, and text shows it alone. It is that of local figures on
 * the span, unless --profile or --measure leaves it out. */
static void add_site(struct sheet *s, const struct span_data *d, const struct spans_site *site, bool all_rows)
{
	struct site_row row = {.spans = &d->spans, .site = site, .one_profile = d->profile >= 0, .one_measure = d->measure >= 0};
	bool first = true;
	for (int n = 0; n < SPANS_PROFILES * SPAN_MEASURES; n++) {
		row.profile = n < SPAN_MEASURES ? SPANS_ON_SPAN : SPANS_ON_WORK;
		row.measure = n % SPAN_MEASURES;
		if (!view_span_asks(d, row.profile, row.measure))
			continue;
		if (first)
			sheet_row(s, 0);
		else
			sheet_follow(s, 0);
		sheet_about(s, site->caller);
		sheet_own(s, site->callee == RUN_NOWHERE ? site->caller : site->callee);
		put_site(s, &row);
		first = false;
		if (!all_rows && !row.one_profile && !row.one_measure)
			return;
	}
}

static void fill_sites(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct span_data *d = data;
	struct fail ignored;
	put_site(s, &(struct site_row){.one_profile = d->profile >= 0, .one_measure = d->measure >= 0});
	for (size_t i = 0; i < d->spans.site_count; i++)
		if (view_span_wants(&d->spans, ask->routine, &d->spans.sites[i]))
			add_site(s, d, &d->spans.sites[i], ask->all_rows);
	sheet_sort(s, d->profile == SPANS_ON_WORK ? "work" : "span", &ignored);
	s->legend = view_span_unit(s, &d->spans);
}

const struct view view_span_sites = {
	.name = "sites",
	.help = "work and span of each call site (default)",
	.top = 20,
	.check = view_span_check,
	.fill = fill_sites,
};

/* ---- the critical path ---- */

struct step_row {
	const struct spans *spans;
	const struct spans_site *site;
	uint64_t sum; /* span of this site and of those before it */
};

static void put_step(struct sheet *s, const struct step_row *r)
{
	COLUMN(s, ID, "place", "place", r->site->place);
	COLUMN(s, TEXT, "file", NULL, r->site->file);
	COLUMN(s, ID, "line", NULL, view_span_line(r->site));
	COLUMN(s, ID, "column", NULL, view_span_column(r->site));
	COLUMN(s, NAME, "caller", NULL, spans_caller(r->spans, r->site));
	COLUMN(s, NAME, "callee", NULL, spans_callee(r->spans, r->site));
	COLUMN(s, TEXT, "kind", "kind", spans_kind_names[r->site->kind], .drop = 3);
	COLUMN(s, COUNT, "count", "calls", r->site->sums[SPANS_ON_SPAN][SPAN_LOCAL].count, .drop = 2);
	COLUMN(s, COUNT, "span", "span", spans_local(r->site));
	COLUMN(s, PERCENT, "span_share", "span%", 100 * spans_ratio(spans_local(r->site), r->spans->span));
	COLUMN(s, PERCENT, "cumulative_share", "sum%", 100 * spans_ratio(r->sum, r->spans->span));
	COLUMN(s, NAME, NULL, "site", view_span_pair(s, r->spans, r->site));
	COLUMN(s, LIST, NULL, "targets", spans_shown_targets(&s->pool, r->spans, r->site), .meaning = VIEW_SPAN_TARGETS_MEANING);
	COLUMN(s, TEXT, NULL, "where", view_span_place(s, r->site), .drop = 1);
}

static int by_place(const void *a, const void *b)
{
	const struct spans_site *x = *(const struct spans_site *const *)a, *y = *(const struct spans_site *const *)b;
	return x->place < y->place ? -1 : x->place > y->place;
}

static void fill_path(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct spans *spans = &((const struct span_data *)data)->spans;
	const struct spans_site **list = spans_by_local_span(spans);
	uint64_t sum = 0;
	put_step(s, &(struct step_row){0});
	if (spans->site_count)
		qsort(list, spans->site_count, sizeof *list, by_place);
	for (size_t i = 0; i < spans->site_count; i++) {
		const struct spans_site *site = list[i];
		if (!site->place)
			continue;
		sum += spans_local(site);
		if (!view_span_wants(spans, ask->routine, site))
			continue;
		sheet_row(s, 0);
		put_step(s, &(struct step_row){spans, site, sum});
	}
	free(list);
	s->legend =
		"Sites in the order in which their first call on the critical path ended. span and calls: all calls of the site on the path, excluding callees.";
}

const struct view view_span_path = {
	.name = "critical-path",
	.help = "the sites of the critical path, in order",
	.top = 40,
	.check = view_span_check,
	.fill = fill_path,
};
