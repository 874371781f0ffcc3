/* SPDX-License-Identifier: MIT */
/* sites.c: Cilkprof's profiles (section 6), a row a site in text, a row for each profile and measure elsewhere; and
 * the sites of the critical path in their order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "keys/mode.h"
#include "report/span/view.h"

const char *view_span_place(struct sheet *sheet, const struct spans_site *site)
{
	const char *slash = strrchr(site->file, '/'), *file = slash ? slash + 1 : site->file;
	if (!site->line)
		return file;
	return pool_print(&sheet->pool, site->column ? "%s:%u:%u" : "%s:%u", file, site->line, site->column);
}

/* Line 0 is a call that the compiler made of several: it has no place. */
void view_span_numbers(struct sheet *sheet, const struct spans_site *site)
{
	sheet_number(sheet, site && site->line ? site->line : SPANS_UNKNOWN);
	sheet_number(sheet, site && site->line ? site->column : SPANS_UNKNOWN);
}

const char *view_span_pair(struct sheet *sheet, const struct spans *spans, const struct spans_site *site)
{
	return pool_print(&sheet->pool, "%s -> %s", spans_caller(spans, site), spans_callee(spans, site));
}

/* What only text shows comes last, and other forms leave it out. */
const struct column view_span_sites_columns[VIEW_SPAN_sites_COLUMNS] = {
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", NULL, COLUMN_COUNT, 0, NULL},
	{"column", NULL, COLUMN_COUNT, 0, NULL},
	{"caller", NULL, COLUMN_NAME, 0, NULL},
	{"callee", NULL, COLUMN_NAME, 0, NULL},
	{"kind", NULL, COLUMN_TEXT, 0, NULL},
	{"profile", NULL, COLUMN_TEXT, 0, NULL},
	{"measure", NULL, COLUMN_TEXT, 0, NULL},
	{"count", NULL, COLUMN_COUNT, 0, NULL},
	{"work", NULL, COLUMN_COUNT, 0, NULL},
	{"span", NULL, COLUMN_COUNT, 0, NULL},
	{"parallelism", NULL, COLUMN_RATIO, 0, NULL},
	{"span_share", NULL, COLUMN_PERCENT, 0, NULL},
	{"real_ns", NULL, COLUMN_NS, 0, NULL},
	{"foreign", NULL, COLUMN_COUNT, 0, NULL},
	{"inlined", NULL, COLUMN_COUNT, 0, NULL},
	{NULL, "span%", COLUMN_PERCENT, 0, "share of the program's span, excluding callees"},
	{NULL, "span", COLUMN_AMOUNT, 0, "on the critical path, excluding callees"},
	{NULL, "calls", COLUMN_AMOUNT, 2, "on the critical path"},
	{NULL, "own work", COLUMN_AMOUNT, 6, "over all calls, excluding callees"},
	{NULL, "work", COLUMN_AMOUNT, 5, "including callees, without recursive calls"},
	{NULL, "its span", COLUMN_AMOUNT, 4, "including callees, without recursive calls"},
	{NULL, "paral.", COLUMN_RATIO, 0, "parallelism (work divided by span), including callees, without recursive calls"},
	{NULL, "kind", COLUMN_TEXT, 3, NULL},
	{NULL, "site", COLUMN_NAME, 0, NULL},
	{NULL, "where", COLUMN_TEXT, 1, NULL},
};

static void site_cells(struct sheet *s, const struct spans *spans, const struct spans_site *site, int profile, int measure)
{
	const struct span_sum *sum = &site->sums[profile][measure];
	sheet_lend(s, site->file);
	view_span_numbers(s, site);
	sheet_lend(s, spans_caller(spans, site));
	sheet_lend(s, spans_callee(spans, site));
	sheet_lend(s, spans_kind_names[site->kind]);
	sheet_lend(s, spans_profile_names[profile]);
	sheet_lend(s, spans_measure_names[measure]);
	sheet_number(s, (int64_t)sum->count);
	sheet_number(s, (int64_t)sum->work);
	sheet_number(s, (int64_t)sum->span);
	sheet_real(s, measure == SPAN_LOCAL ? NAN : spans_sum_parallelism(sum));
	sheet_real(s, profile == SPANS_ON_SPAN && measure == SPAN_LOCAL ? 100 * spans_ratio(sum->span, spans->span) : NAN);
	sheet_number(s, site->real_ns);
	sheet_number(s, site->foreign);
	sheet_number(s, site->inlined);
}

static void text_cells(struct sheet *s, const struct spans *spans, const struct spans_site *site)
{
	const struct span_sum *on_span = &site->sums[SPANS_ON_SPAN][SPAN_LOCAL], *top = &site->sums[SPANS_ON_WORK][SPAN_TOP_SITE];
	sheet_real(s, 100 * spans_ratio(on_span->span, spans->span));
	sheet_number(s, (int64_t)on_span->span);
	sheet_number(s, (int64_t)on_span->count);
	sheet_number(s, (int64_t)site->sums[SPANS_ON_WORK][SPAN_LOCAL].work);
	sheet_number(s, (int64_t)top->work);
	sheet_number(s, (int64_t)top->span);
	sheet_real(s, spans_sum_parallelism(top));
	sheet_lend(s, site->foreign && site->kind == SPANS_CALL ? "foreign" : site->inlined ? "inlined" : spans_kind_names[site->kind]);
	sheet_text(s, view_span_pair(s, spans, site));
	sheet_text(s, view_span_place(s, site));
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

/* The row of local figures on the span leads the others: the sheet is sorted by it, and text shows it alone. */
void view_span_sites(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct spans *spans = &((const struct span_data *)data)->spans;
	for (size_t i = 0; i < spans->site_count; i++) {
		const struct spans_site *site = &spans->sites[i];
		if (!view_span_wants(spans, ask->routine, site))
			continue;
		sheet_row(s, 0);
		site_cells(s, spans, site, SPANS_ON_SPAN, SPAN_LOCAL);
		if (!ask->all_rows)
			text_cells(s, spans, site);
		for (int n = 1; ask->all_rows && n < SPANS_PROFILES * SPAN_MEASURES; n++) {
			sheet_follow(s, 0);
			site_cells(s, spans, site, n < SPAN_MEASURES ? SPANS_ON_SPAN : SPANS_ON_WORK, n % SPAN_MEASURES);
		}
	}
	const char *whose = *spans->under ? pool_print(&s->pool, " The span is the span of %s, not of the program.", spans->under) : "";
	s->legend = strcmp(spans->run->mode, MODE_WHOLE) == 0
		? "No sites were recorded (--no-sites)."
		: pool_print(&s->pool, "Work and span are %s.%s", unit_of(&s->pool, spans->clock), whose);
}

const struct column view_span_path_columns[VIEW_SPAN_path_COLUMNS] = {
	{"place", "place", COLUMN_COUNT, 0, NULL},
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", NULL, COLUMN_COUNT, 0, NULL},
	{"column", NULL, COLUMN_COUNT, 0, NULL},
	{"caller", NULL, COLUMN_NAME, 0, NULL},
	{"callee", NULL, COLUMN_NAME, 0, NULL},
	{"kind", "kind", COLUMN_TEXT, 3, NULL},
	{"count", "calls", COLUMN_AMOUNT, 2, NULL},
	{"span", "span", COLUMN_AMOUNT, 0, NULL},
	{"span_share", "span%", COLUMN_PERCENT, 0, NULL},
	{"cumulative_share", "sum%", COLUMN_PERCENT, 0, NULL},
	{NULL, "site", COLUMN_NAME, 0, NULL},
	{NULL, "where", COLUMN_TEXT, 1, NULL},
};

static int by_place(const void *a, const void *b)
{
	const struct spans_site *x = *(const struct spans_site *const *)a, *y = *(const struct spans_site *const *)b;
	return x->place < y->place ? -1 : x->place > y->place;
}

void view_span_path(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct spans *spans = &((const struct span_data *)data)->spans;
	const struct spans_site **list = spans_by_local_span(spans);
	uint64_t sum = 0;
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
		sheet_number(s, site->place);
		sheet_text(s, site->file);
		view_span_numbers(s, site);
		sheet_text(s, spans_caller(spans, site));
		sheet_text(s, spans_callee(spans, site));
		sheet_text(s, spans_kind_names[site->kind]);
		sheet_number(s, (int64_t)site->sums[SPANS_ON_SPAN][SPAN_LOCAL].count);
		sheet_number(s, (int64_t)spans_local(site));
		sheet_real(s, 100 * spans_ratio(spans_local(site), spans->span));
		sheet_real(s, 100 * spans_ratio(sum, spans->span));
		sheet_text(s, view_span_pair(s, spans, site));
		sheet_text(s, view_span_place(s, site));
	}
	free(list);
	s->legend =
		"Sites in the order in which their first call on the critical path ended. span and calls: all calls of the site on the path, excluding callees.";
}
