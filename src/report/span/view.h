/* SPDX-License-Identifier: MIT */
/* view.h: the views of the span lens, each a function that lists the columns of a row, and one that makes the rows.
 *
 * The first columns of sites and summary are promised to scripts; more may follow them. Shares are in percent of the
 * program's span or work, or of the chosen site's (--under). */
#ifndef SKEIN_VIEW_SPAN_H
#define SKEIN_VIEW_SPAN_H

#include "analyse/span/span.h"
#include "report/diff/table.h"
#include "report/lens.h"

struct span_data {
	struct run run;
	struct spans spans;
	const char *source; /* the file whose lines are asked for, or NULL */
	int profile;        /* enum spans_profile, only this one; -1: both */
	int measure;        /* only this one; -1: all */
	bool no_sites;      /* all is about a region whose sites were not recorded apart */
};

extern const struct diff_lens view_span_diff;
extern const struct view view_span_sites, view_span_table, view_span_summary, view_span_speedup, view_span_what_if, view_span_path,
	view_span_source, view_span_regions, view_span_targets;
extern const struct figure_set figures_span; /* figures.c */

int view_span_check(const void *data, const struct view_ask *ask, struct fail *why); /* of views that show sites */

#define VIEW_SPAN_TARGETS_MEANING "what was called through a pointer, and how often (--view targets: all)"

int view_span_draw_speedup(const void *data, const struct view_ask *ask, FILE *file, struct fail *why);
int view_span_stack(const void *data, bool arcs, struct stacks *stacks, struct fail *why); /* for exports */
bool view_span_asks(const struct span_data *d, int profile, int measure);                  /* --profile and --measure leave them in */
const char *view_span_unit(struct sheet *sheet, const struct spans *spans);                /* "Work and span are counts of instructions." */
/* by caller, callee or target: name or pattern */
bool view_span_wants_target(const struct spans *spans, const char *asked, const struct spans_target *target);
bool view_span_wants(const struct spans *spans, const char *asked, const struct spans_site *site);
/* file.c:12:5, without its folders */
const char *view_span_place(struct sheet *sheet, const struct spans_site *site);
/* Line and column of a site; SPANS_UNKNOWN: there is no site, or the compiler made the call of several, and it has no place. */
int64_t view_span_line(const struct spans_site *site);
int64_t view_span_column(const struct spans_site *site);
const char *view_span_pair(struct sheet *sheet, const struct spans *spans, const struct spans_site *site); /* caller -> callee */

#endif
