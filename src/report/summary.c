/* SPDX-License-Identifier: MIT */
#include "report/summary.h"

#include <math.h>

struct figure {
	const char *name;
	struct cell value;
};

static void put_figure(struct sheet *s, const struct figure *r)
{
	COLUMN(s, TEXT, "name", "figure", r->name);
	COLUMN(s, FIGURE, "value", "value", r->value);
}

static void add(struct sheet *s, const struct figure *figure)
{
	if (!s->row_count)
		put_figure(s, figure);
	sheet_row(s, 0);
	put_figure(s, figure);
}

void summary_count(struct sheet *s, const char *name, int64_t value)
{
	add(s, &(struct figure){name, {.kind = value == -1 ? CELL_EMPTY : CELL_NUMBER, .number = value}});
}

void summary_text(struct sheet *s, const char *name, const char *value)
{
	add(s, &(struct figure){name, {.kind = CELL_TEXT, .text = value}});
}

void summary_real(struct sheet *s, const char *name, double value)
{
	if (isnan(value))
		add(s, &(struct figure){name, {.kind = CELL_EMPTY}});
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
