/* SPDX-License-Identifier: MIT */
/* views.c: the views of every lens that are about its runs. */
#include "report/repeats/repeated.h"

#include <math.h>

struct run_row {
	const struct repeated *repeated;
	const struct repeats_run *run;
	size_t index;
};

static const char *role(const struct run_row *r)
{
	return r->index == r->repeated->shown ? "shown" : r->run->counts ? "" : "does not count";
}

static void put_run(struct sheet *s, const struct run_row *r)
{
	COLUMN(s, ID, "run", "run", r->run->turn);
	COLUMN(s, NS, "wall_ns", "wall time", r->run->wall_ns);
	COLUMN(s, NS, "cpu_ns", "CPU time", r->run->cpu_ns);
	COLUMN(s, ID, "exit_code", NULL, r->run->exit_code);
	COLUMN(s, ID, "died_of", NULL, r->run->died_of);
	COLUMN(s, TEXT, "ended", "ended", repeated_end(&s->pool, r->run));
	COLUMN(s, ID, "counts", NULL, r->run->counts);
	COLUMN(s, TEXT, "role", "", role(r));
}

static void fill_runs(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct repeats *repeats = &s->repeated->repeats;
	(void)data, (void)ask;
	put_run(s, &(struct run_row){0});
	for (size_t i = 0; i < repeats->count; i++) {
		sheet_row(s, 0);
		put_run(s, &(struct run_row){s->repeated, &repeats->runs[i], i});
	}
}

static const struct view view_runs = {
	.name = "runs",
	.help = "the repeated runs, and which of them is shown",
	.fill = fill_runs,
};

static void put_difference(struct sheet *s, const struct difference *d)
{
	COLUMN(s, TEXT, "what", "figure", d->what);
	COLUMN(s, NAME, "subject", "of", d->subject);
	COLUMN(s, TEXT, "file", NULL, d->file);
	COLUMN(s, ID, "line", NULL, *d->file ? (int64_t)d->line : RUN_UNKNOWN);
	COLUMN(s, COUNT, "least", "least", d->least);
	COLUMN(s, COUNT, "most", "most", d->most);
}

static void fill_differences(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct differences *d = &s->repeated->differences;
	(void)data, (void)ask;
	put_difference(s, &(struct difference){0});
	for (size_t i = 0; i < d->count; i++) {
		sheet_row(s, 0);
		put_difference(s, &d->at[i]);
	}
}

static const struct view view_differences = {
	.name = "differences",
	.help = "exact figures that differ between repeated runs",
	.top = 20,
	.fill = fill_differences,
};

const struct view *const repeated_views[] = {&view_runs, &view_differences, NULL};
