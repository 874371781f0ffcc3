/* SPDX-License-Identifier: MIT */
/* targets.c: what was called through pointers: a row per site and target. */
#include "base/text.h"
#include "report/span/view.h"
#include "report/view.h"

struct target_row {
	const struct spans *spans;
	const struct spans_target *target;
};

static const struct spans_site *site_of(const struct target_row *r)
{
	return &r->spans->sites[r->target->site];
}

/* NULL: the recording had no room for these targets. */
static const struct run_routine *routine_of(const struct target_row *r)
{
	return r->target->routine == RUN_NOWHERE ? NULL : &r->spans->run->routines[r->target->routine];
}

static const char *file_of(const struct target_row *r)
{
	return routine_of(r) ? routine_of(r)->file : "";
}

static int64_t line_of(const struct target_row *r)
{
	return routine_of(r) && routine_of(r)->line ? (int64_t)routine_of(r)->line : SPANS_UNKNOWN;
}

static void put_target(struct sheet *s, const struct target_row *r)
{
	COLUMN(s, TEXT, "file", NULL, site_of(r)->file);
	COLUMN(s, ID, "line", NULL, view_span_line(site_of(r)));
	COLUMN(s, ID, "column", NULL, view_span_column(site_of(r)));
	COLUMN(s, NAME, "caller", NULL, spans_caller(r->spans, site_of(r)));
	COLUMN(s, TEXT, "kind", NULL, spans_kind_names[site_of(r)->kind]);
	COLUMN(s, NAME, "target", NULL, spans_target(r->spans, r->target));
	COLUMN(s, TEXT, "target_file", NULL, file_of(r));
	COLUMN(s, ID, "target_line", NULL, line_of(r));
	COLUMN(s, COUNT, "count", "calls", r->target->count);
	COLUMN(s, PERCENT, "share", "share%", text_share_of((double)r->target->count, (double)site_of(r)->target_calls), .drop = 2,
	       .meaning = "share of the site's calls");
	COLUMN(s, NAME, NULL, "caller", spans_shown_caller(r->spans, site_of(r)));
	COLUMN(s, TEXT, NULL, "called at", view_span_place(s, site_of(r)));
	COLUMN(s, NAME, NULL, "target", spans_shown_target(r->spans, r->target));
	COLUMN(s, TEXT, NULL, "target at", text_place(&s->pool, file_of(r), routine_of(r) ? routine_of(r)->line : 0), .drop = 1);
}

static bool is_wanted(const struct spans *spans, const char *asked, const struct spans_target *target)
{
	const struct spans_site *site = &spans->sites[target->site];
	return view_matches(asked, spans_caller(spans, site)) || view_wants(asked, &spans->run->routines[site->caller]) ||
		view_span_wants_target(spans, asked, target);
}

static void fill_targets(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct spans *spans = &((const struct span_data *)data)->spans;
	struct fail ignored;
	put_target(s, &(struct target_row){0});
	for (size_t i = 0; i < spans->target_count; i++) {
		if (spans_creates_thread(&spans->sites[spans->targets[i].site]) || !is_wanted(spans, ask->routine, &spans->targets[i]))
			continue;
		sheet_row(s, 0);
		put_target(s, &(struct target_row){spans, &spans->targets[i]});
	}
	sheet_sort(s, "count", &ignored);
	s->legend = "Calls through pointers and virtual calls, on and off the critical path.";
}

const struct view view_span_targets = {
	.name = "targets",
	.help = "what was called through pointers, and how often",
	.top = 40,
	.check = view_span_check,
	.fill = fill_targets,
};
