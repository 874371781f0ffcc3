/* SPDX-License-Identifier: MIT */
/* table.c: the tables of Cilkprof's Figures 2, 7 and 10: one row per site, with work and span of both profiles by all measures
 * side by side. Text has the columns of Figure 2; --profile has those of Figures 7 and 10, --measure one measure of both
 * profiles. CSV and JSON have all columns of what was asked for. */
#include "report/span/view.h"

struct table_row {
	const struct span_data *data;
	const struct spans_site *site;
};

/* The columns of one profile by one measure, as CSV names them. The ratio of local figures is not a parallelism (section 6). */
struct group_names {
	const char *count, *work, *span, *parallelism;
};
#define NAMES(group, ratio) {group "_count", group "_work", group "_span", group ratio}

static const struct group_names names[SPANS_PROFILES][SPAN_MEASURES] = {
	[SPANS_ON_WORK] = {[SPAN_TOP_SITE] = NAMES("on_work_top_call_site", "_parallelism"),
                           [SPAN_TOP_CALLER] = NAMES("on_work_top_caller", "_parallelism"),
                           [SPAN_LOCAL] = NAMES("on_work_local", "_ratio")},
	[SPANS_ON_SPAN] = {[SPAN_TOP_SITE] = NAMES("on_span_top_call_site", "_parallelism"),
                           [SPAN_TOP_CALLER] = NAMES("on_span_top_caller", "_parallelism"),
                           [SPAN_LOCAL] = NAMES("on_span_local", "_ratio")},
};

/* The order of columns, as in the figures. */
static const int measures[SPAN_MEASURES] = {SPAN_TOP_SITE, SPAN_TOP_CALLER, SPAN_LOCAL};

/* Where both profiles are shown, a heading ends with .w or .s; where all measures are, it begins with the measure. */
static const char *heading(struct sheet *s, const struct span_data *d, int profile, int measure, const char *figure)
{
	static const char *const prefixes[SPAN_MEASURES] = {[SPAN_TOP_SITE] = "", [SPAN_TOP_CALLER] = "caller ", [SPAN_LOCAL] = "local "};
	bool all = d->profile < 0 && d->measure < 0, is_local = measure == SPAN_LOCAL;
	if (all && (is_local ? profile == SPANS_ON_WORK : measure != SPAN_TOP_SITE)) /* Figure 2 has no such columns */
		return NULL;
	return pool_print(&s->pool, "%s%s%s", d->measure < 0 ? prefixes[measure] : "", figure,
	                  d->profile >= 0 || (all && is_local) ? ""
	                          : profile == SPANS_ON_WORK   ? ".w"
	                                                       : ".s");
}

/* In a narrow terminal, what tells least goes first: calls, the quotient of local figures, then figures of the top caller. */
static void put_group(struct sheet *s, const struct table_row *r, int profile, int measure)
{
	const struct group_names *name = &names[profile][measure];
	const struct span_data *d = r->data;
	const struct span_sum *sum = r->site ? &r->site->sums[profile][measure] : NULL;
	bool all = d->profile < 0 && d->measure < 0, is_local = measure == SPAN_LOCAL;
	int drop = d->measure >= 0 ? 0 : all ? (profile == SPANS_ON_SPAN && !is_local ? 4 : 0) : measure == SPAN_TOP_CALLER ? 3 : 0;
	COLUMN(s, COUNT, name->count, all ? NULL : heading(s, d, profile, measure, "calls"), sum->count, .drop = 7);
	COLUMN(s, COUNT, name->work, heading(s, d, profile, measure, "T1"), sum->work, .drop = is_local && d->measure < 0 ? 5 : drop);
	COLUMN(s, COUNT, name->span, heading(s, d, profile, measure, "Tinf"), sum->span, .drop = drop);
	COLUMN(s, RATIO, name->parallelism, is_local && all ? NULL : heading(s, d, profile, measure, is_local ? "T1/Tinf" : "par"),
	       spans_sum_parallelism(sum), .drop = is_local ? 6 : drop);
}

static void put_row(struct sheet *s, const struct table_row *r)
{
	const struct spans *spans = &r->data->spans;
	COLUMN(s, TEXT, "file", NULL, r->site->file);
	COLUMN(s, ID, "line", NULL, view_span_line(r->site));
	COLUMN(s, ID, "column", NULL, view_span_column(r->site));
	COLUMN(s, NAME, "caller", NULL, spans_caller(spans, r->site));
	COLUMN(s, NAME, "callee", NULL, spans_callee(spans, r->site));
	COLUMN(s, TEXT, "kind", NULL, spans_kind_names[r->site->kind]);
	for (int profile = 0; profile < SPANS_PROFILES; profile++)
		for (int m = 0; m < SPAN_MEASURES; m++)
			if (view_span_asks(r->data, profile, measures[m]))
				put_group(s, r, profile, measures[m]);
	COLUMN(s, NAME, NULL, "site", view_span_pair(s, spans, r->site));
	COLUMN(s, LIST, NULL, "targets", spans_shown_targets(&s->pool, spans, r->site), .meaning = VIEW_SPAN_TARGETS_MEANING);
	COLUMN(s, TEXT, NULL, "where", view_span_place(s, r->site), .drop = 2);
}

/* By what the tables are read for: what holds the program back on the span, what is large on work. */
static const char *largest(const struct span_data *d)
{
	int profile = d->profile >= 0 ? d->profile : SPANS_ON_SPAN, measure = d->measure >= 0 ? d->measure : SPAN_LOCAL;
	return profile == SPANS_ON_SPAN ? names[profile][measure].span : names[profile][measure].work;
}

static const char *legend_of(struct sheet *s, const struct span_data *d)
{
	static const char *const meanings[SPAN_MEASURES] = {
		[SPAN_TOP_SITE] = "including callees, without recursive calls of the site",
		[SPAN_TOP_CALLER] = "including callees, of calls whose caller is not under another call of itself",
		[SPAN_LOCAL] = "excluding callees"};
	bool all = d->profile < 0 && d->measure < 0;
	const char *local = d->measure >= 0 ? "" : all ? " local: excluding callees, on the critical path." : " local: excluding callees.";
	return pool_print(&s->pool, "%s T1: work, %s; Tinf: span, likewise; %s%s%s%s", view_span_unit(s, &d->spans),
	                  meanings[d->measure >= 0 ? d->measure : SPAN_TOP_SITE],
	                  d->measure == SPAN_LOCAL ? "T1/Tinf is not a parallelism." : "par: parallelism, T1 divided by Tinf.",
	                  d->profile >= 0 ? "" : " .w: all calls (on work); .s: calls on the critical path (on span).",
	                  d->measure < 0 && !all ? " caller: only calls whose caller is not under another call of itself." : "", local);
}

static void fill_table(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct span_data *d = data;
	struct fail ignored;
	put_row(s, &(struct table_row){d, NULL});
	for (size_t i = 0; i < d->spans.site_count; i++) {
		if (!view_span_wants(&d->spans, ask->routine, &d->spans.sites[i]))
			continue;
		sheet_row(s, 0);
		put_row(s, &(struct table_row){d, &d->spans.sites[i]});
	}
	sheet_sort(s, largest(d), &ignored);
	s->legend = legend_of(s, d);
}

const struct view view_span_table = {
	.name = "table",
	.help = "a row per site: both profiles, all measures",
	.top = 20,
	.check = view_span_check,
	.fill = fill_table,
};
