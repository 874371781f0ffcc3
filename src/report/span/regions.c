/* SPDX-License-Identifier: MIT */
/* regions.c: the regions that the user marked with skein_begin and skein_end. */
#include <string.h>

#include "base/strv.h"
#include "report/span/view.h"

struct region_row {
	const struct spans *spans;
	const struct spans_region *region;
};

static const char *place(struct sheet *s, const struct spans_region *r)
{
	return pool_print(&s->pool, "%s:%u", str_base(r->file), r->line);
}

static void put_region(struct sheet *s, const struct region_row *r)
{
	const struct spans_region *g = r->region;
	COLUMN(s, NAME, "region", NULL, g->name);
	COLUMN(s, TEXT, "file", NULL, g->file);
	COLUMN(s, ID, "line", NULL, g->line);
	COLUMN(s, PERCENT, "work_share", "work%", 100 * spans_ratio(g->work, r->spans->program_work),
	       .meaning = "share of the program's work");
	COLUMN(s, COUNT, "count", "times", (int64_t)g->count,
	       .meaning = "executions that have ended; those in one of the same name do not count");
	COLUMN(s, COUNT, "unfinished", NULL, (int64_t)(g->begun - g->count));
	COLUMN(s, COUNT, "work", "work", (int64_t)g->work);
	COLUMN(s, COUNT, "span", "span", (int64_t)g->span, .meaning = "time from begin to end on infinitely many cores");
	COLUMN(s, RATIO, "parallelism", "paral.", spans_ratio(g->work, g->span));
	COLUMN(s, COUNT, "burdened_span", NULL, (int64_t)g->burdened_span);
	COLUMN(s, RATIO, "burdened_parallelism", "burdened", spans_ratio(g->work, g->burdened_span), .drop = 2);
	COLUMN(s, NAME, NULL, "region", g->name);
	COLUMN(s, TEXT, NULL, "where", place(s, g), .drop = 1);
}

static int check_regions(const void *data, const struct view_ask *ask, struct fail *why)
{
	(void)ask;
	if (!((const struct span_data *)data)->spans.region_count)
		return fail_set(why, FAIL_USAGE,
		                "no region was marked in this run: put skein_begin(\"name\") and skein_end() of skein/skein.h around it");
	return 0;
}

static void fill_regions(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct span_data *d = data;
	(void)ask;
	put_region(s, &(struct region_row){&d->spans, NULL});
	for (size_t i = 0; i < d->spans.region_count; i++) {
		const struct spans_region *region = &d->spans.regions[i];
		if (d->no_sites && strcmp(region->name, d->spans.under) != 0)
			continue;
		sheet_row(s, 0);
		put_region(s, &(struct region_row){&d->spans, region});
	}
	s->legend = view_span_unit(s, &d->spans);
}

const struct view view_span_regions = {
	.name = "regions",
	.help = "work, span and parallelism of marked regions",
	.sort = "work",
	.check = check_regions,
	.fill = fill_regions,
};
