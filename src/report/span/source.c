/* SPDX-License-Identifier: MIT */
/* source.c: the lines of a source file, with what the sites on them have of span and work. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/source.h"
#include "report/span/view.h"

/* ---- which file is meant ---- */

static struct source_search search_of(const struct spans *spans, const char *name)
{
	struct source_search search = {.name = name};
	for (size_t i = 0; i < spans->site_count; i++)
		source_consider(&search, spans->sites[i].file);
	return search;
}

static int check_source(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct span_data *mine = data;
	if (!mine->source)
		return fail_set(why, FAIL_USAGE, "the view source needs a file: skein report span --source FILE");
	if (view_span_check(data, ask, why) < 0)
		return -1;
	struct source_search search = search_of(&mine->spans, mine->source);
	if (!search.found)
		return fail_set(why, FAIL_USAGE, "this recording has no call site in a file %.200s", mine->source);
	return source_check(&search, why);
}

/* ---- its lines ---- */

static int by_line(const void *a, const void *b)
{
	const struct spans_site *x = *(const struct spans_site *const *)a, *y = *(const struct spans_site *const *)b;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* The sites of one file by line; the caller frees. */
static const struct spans_site **sites_of(const struct spans *spans, const char *recorded, size_t *count)
{
	const struct spans_site **list = memory_resize(NULL, spans->site_count, sizeof *list);
	*count = 0;
	for (size_t i = 0; i < spans->site_count; i++)
		if (strcmp(spans->sites[i].file, recorded) == 0)
			list[(*count)++] = &spans->sites[i];
	if (*count)
		qsort(list, *count, sizeof *list, by_line);
	return list;
}

struct line_row {
	const struct spans *spans;
	const char *file, *text;
	uint32_t line;
	const struct span_sum *sum; /* of the sites on it; NULL: there are none */
};

static void put_line(struct sheet *s, const struct line_row *r)
{
	COLUMN(s, TEXT, "file", NULL, r->file);
	COLUMN(s, ID, "line", "line", r->line);
	COLUMN(s, PERCENT, "span_share", "span%", r->sum ? 100 * spans_ratio(r->sum->span, r->spans->span) : NAN,
	       .meaning = "share of the span of the calls on this line, excluding callees");
	COLUMN(s, PERCENT, "work_share", "work%", r->sum ? 100 * spans_ratio(r->sum->work, r->spans->work) : NAN,
	       .meaning = "the same for the work");
	COLUMN(s, COUNT, "span", NULL, r->sum ? (int64_t)r->sum->span : SPANS_UNKNOWN);
	COLUMN(s, COUNT, "work", NULL, r->sum ? (int64_t)r->sum->work : SPANS_UNKNOWN);
	COLUMN(s, COUNT, "count", "calls", r->sum ? (int64_t)r->sum->count : SPANS_UNKNOWN, .drop = 1);
	COLUMN(s, CODE, "source", "source", r->text);
}

static void fill_source(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct span_data *mine = data;
	const struct spans *spans = &mine->spans;
	(void)ask;
	struct source_search search = search_of(spans, mine->source);
	struct source_reader reader;
	size_t count = 0, at = 0;
	put_line(s, &(struct line_row){0});
	if (!source_begin(&reader, &search))
		return;
	const struct spans_site **list = sites_of(spans, search.found, &count);
	while (at < count && list[at]->line == 0)
		at++;
	while (source_next(&reader)) {
		struct span_sum sum = {0};
		bool any = false;
		for (; at < count && list[at]->line == reader.line; at++, any = true)
			span_add(&sum, list[at]->sums[SPANS_ON_WORK][SPAN_LOCAL].count, list[at]->sums[SPANS_ON_WORK][SPAN_LOCAL].work,
			         spans_local(list[at]));
		sheet_row(s, 0);
		put_line(s, &(struct line_row){spans, search.found, source_text(&s->pool, reader.text), reader.line, any ? &sum : NULL});
	}
	s->doubt = source_end(&reader, &s->pool, spans->run, &search, count ? list[count - 1]->line : 0);
	free(list);
}

const struct view view_span_source = {
	.name = "source",
	.help = "lines of --source FILE with their shares",
	.chosen_by = OPTION_SOURCE,
	.check = check_source,
	.fill = fill_source,
};
