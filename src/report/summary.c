/* SPDX-License-Identifier: MIT */
#include "report/summary.h"

#include <math.h>

#include "base/number.h"
#include "report/repeats/repeated.h"

struct row {
	const char *name;
	struct cell value;
	const struct total *of_runs; /* NULL: the value is a text, or there is one run */
};

/* A count stays whole where its median is, or where it has so many digits that the next one says nothing. */
static struct cell of_runs(struct sheet *s, const struct row *r, double value)
{
	if (!r->of_runs || isnan(value))
		return (struct cell){.kind = CELL_EMPTY};
	if (r->value.kind == CELL_NUMBER && (value == floor(value) || fabs(value) >= 1000))
		return (struct cell){.kind = CELL_NUMBER, .number = number_whole(floor(value + 0.5))};
	return (struct cell){.kind = CELL_TEXT, .text = pool_print(&s->pool, r->value.kind == CELL_NUMBER ? "%.1f" : "%.4f", value)};
}

static const char *value_means(const struct repeated *repeated)
{
	if (!repeated || !repeated->totals.count)
		return NULL;
	return repeated->shown < repeated->repeats.count ? "of the run that the report shows" : "of all runs together";
}

static void put_row(struct sheet *s, const struct row *r)
{
	COLUMN(s, TEXT, "name", "figure", r->name);
	COLUMN(s, FIGURE, "value", "value", r->value, .meaning = value_means(s->repeated));
	if (!s->repeated || s->repeated->repeats.count < 2 || !s->repeated->totals.count)
		return;
	COLUMN(s, FIGURE, "median", "median", of_runs(s, r, r->of_runs ? r->of_runs->spread.median : NAN));
	COLUMN(s, FIGURE, "plus_minus", "+-", of_runs(s, r, r->of_runs ? r->of_runs->spread.plus_minus : NAN),
	       .meaning = "95 % of the medians of such runs lie at most so far away");
	COLUMN(s, FIGURE, "min", "min", of_runs(s, r, r->of_runs ? r->of_runs->spread.least : NAN));
	COLUMN(s, FIGURE, "max", "max", of_runs(s, r, r->of_runs ? r->of_runs->spread.most : NAN));
}

static void add(struct sheet *s, const char *name, struct cell value)
{
	struct row row = {name, value, s->repeated ? totals_find(&s->repeated->totals, name) : NULL};
	if (!s->row_count)
		put_row(s, &row);
	sheet_row(s, 0);
	put_row(s, &row);
}

void summary_count(struct sheet *s, const char *name, int64_t value)
{
	add(s, name, (struct cell){.kind = value == -1 ? CELL_EMPTY : CELL_NUMBER, .number = value});
}

void summary_text(struct sheet *s, const char *name, const char *value)
{
	add(s, name, (struct cell){.kind = CELL_TEXT, .text = value});
}

void summary_real(struct sheet *s, const char *name, double value)
{
	if (isnan(value))
		add(s, name, (struct cell){.kind = CELL_EMPTY});
	else
		summary_text(s, name, pool_print(&s->pool, "%.4f", value));
}

void summary_run(struct sheet *s, const struct run *run)
{
	if (lens_traits(run->lens) & LENS_HOOKS_ARE_WATCHED) {
		summary_count(s, "samples", run->samples);
		summary_count(s, "hook_samples", run->hook_samples);
	}
	summary_text(s, "mode", run->mode);
	summary_text(s, "command", run->command);
	summary_text(s, "build_id", run->build_id);
}
