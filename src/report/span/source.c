/* SPDX-License-Identifier: MIT */
/* source.c: the lines of a source file, with what the sites on them have of span and work. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/source.h"
#include "report/span/view.h"

const struct column view_span_source_columns[VIEW_SPAN_source_COLUMNS] = {
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", "line", COLUMN_COUNT, 0, NULL},
	{"span_share", "span%", COLUMN_PERCENT, 0, "share of the span of the calls on this line, excluding callees"},
	{"work_share", "work%", COLUMN_PERCENT, 0, "the same for the work"},
	{"span", NULL, COLUMN_COUNT, 0, NULL},
	{"work", NULL, COLUMN_COUNT, 0, NULL},
	{"count", "calls", COLUMN_AMOUNT, 1, NULL},
	{"source", "source", COLUMN_CODE, 0, NULL},
};

/* ---- which file is meant ---- */

static struct source_search search_of(const struct spans *spans, const char *name)
{
	struct source_search search = {.name = name};
	for (size_t i = 0; i < spans->site_count; i++)
		source_consider(&search, spans->sites[i].file);
	return search;
}

int view_span_source_check(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct span_data *mine = data;
	(void)ask;
	if (!mine->source)
		return fail_set(why, FAIL_USAGE, "the view source needs a file: skein report span --source FILE");
	struct source_search search = search_of(&mine->spans, mine->source);
	if (!search.found)
		return fail_set(why, FAIL_USAGE, "no call site of this recording is in a file %.200s", mine->source);
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

static void line_row(struct sheet *s, const struct spans *spans, const char *recorded, uint32_t line, const char *text,
                     const struct span_sum *sum)
{
	sheet_row(s, 0);
	sheet_text(s, recorded);
	sheet_number(s, line);
	sheet_real(s, sum ? 100 * spans_ratio(sum->span, spans->span) : NAN);
	sheet_real(s, sum ? 100 * spans_ratio(sum->work, spans->work) : NAN);
	sheet_number(s, sum ? (int64_t)sum->span : SPANS_UNKNOWN);
	sheet_number(s, sum ? (int64_t)sum->work : SPANS_UNKNOWN);
	sheet_number(s, sum ? (int64_t)sum->count : SPANS_UNKNOWN);
	sheet_text(s, text);
}

void view_span_source(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct span_data *mine = data;
	const struct spans *spans = &mine->spans;
	(void)ask;
	struct source_search search = search_of(spans, mine->source);
	struct stat is;
	FILE *file = search.found ? source_open(&search, &is) : NULL;
	size_t count = 0, at = 0, room = 0;
	char *text = NULL;
	if (!file)
		return;
	const struct spans_site **list = sites_of(spans, search.found, &count);
	while (at < count && list[at]->line == 0)
		at++;
	for (uint32_t line = 1; getline(&text, &room, file) >= 0; line++) {
		struct span_sum sum = {0};
		bool any = false;
		for (; at < count && list[at]->line == line; at++, any = true)
			span_add(&sum, list[at]->sums[SPANS_ON_WORK][SPAN_LOCAL].count, list[at]->sums[SPANS_ON_WORK][SPAN_LOCAL].work,
			         spans_local(list[at]));
		line_row(s, spans, search.found, line, source_text(&s->pool, text), any ? &sum : NULL);
	}
	if (at < count || source_is_newer(spans->run, &is))
		s->doubt = pool_print(&s->pool, "%s was changed since the program was built: figures may stand at the wrong lines.",
		                      mine->source);
	free(list);
	free(text);
	fclose(file);
}
