/* SPDX-License-Identifier: MIT */
/* view.h: the views of the span lens, each a list of columns and a function that fills a sheet.
 *
 * The first columns of sites and summary are promised to scripts; more may follow them. Shares are in percent of the
 * program's span or work, or of the chosen site's (--under). */
#ifndef SKEIN_VIEW_SPAN_H
#define SKEIN_VIEW_SPAN_H

#include "analyse/span/span.h"
#include "report/lens.h"

struct span_data {
	struct run run;
	struct spans spans;
	const char *source; /* the file whose lines are asked for, or NULL */
};

#define VIEW_SPAN_LIST(X) X(sites, 26) X(summary, 2) X(speedup, 5) X(what_if, 14) X(path, 13) X(source, 8)
#define X(name, count)                                                \
	enum { VIEW_SPAN_##name##_COLUMNS = count };                  \
	extern const struct column view_span_##name##_columns[count]; \
	void view_span_##name(const void *data, const struct view_ask *ask, struct sheet *sheet);
VIEW_SPAN_LIST(X)
#undef X

/* is there such a file, and one recorded file for it? */
int view_span_source_check(const void *data, const struct view_ask *ask, struct fail *why);

/* by caller or callee: name or pattern */
bool view_span_wants(const struct spans *spans, const char *asked, const struct spans_site *site);
/* file.c:12:5, without its folders */
const char *view_span_place(struct sheet *sheet, const struct spans_site *site);
/* the cells line and column; NULL: none */
void view_span_numbers(struct sheet *sheet, const struct spans_site *site);
const char *view_span_pair(struct sheet *sheet, const struct spans *spans, const struct spans_site *site); /* caller -> callee */

#endif
