/* SPDX-License-Identifier: MIT */
/* view_span_source.c: the lines of a source file, with what the sites on them have of span and work. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/view_span.h"

enum { TAB = 4 };

const struct column view_span_source_columns[VIEW_SPAN_source_COLUMNS] = {
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", "line", COLUMN_COUNT, 0, NULL},
	{"span_share", "span%", COLUMN_PERCENT, 0, "of the span, in what is called here itself"},
	{"work_share", "work%", COLUMN_PERCENT, 0, "of the work, likewise"},
	{"span", NULL, COLUMN_COUNT, 0, NULL},
	{"work", NULL, COLUMN_COUNT, 0, NULL},
	{"count", "calls", COLUMN_AMOUNT, 1, NULL},
	{"source", "source", COLUMN_CODE, 0, NULL},
};

/* ---- which file is meant ---- */

/* Whether the shorter path is the end of the longer one, by whole names. */
static bool ends_alike(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	if (n > m)
		return ends_alike(b, a);
	return n && strcmp(b + m - n, a) == 0 && (n == m || a[0] == '/' || b[m - n - 1] == '/');
}

static const char *without_dots(const char *path)
{
	for (;;) {
		size_t dots = strncmp(path, "../", 3) == 0 ? 3 : strncmp(path, "./", 2) == 0 ? 2 : 0;
		if (!dots)
			return path;
		path += dots;
	}
}

/* The file of the recording's sites that the user means; *other is a second one that fits as well. */
static const char *recorded_file(const struct spans *spans, const char *name, const char **other)
{
	const char *found = NULL;
	*other = NULL;
	for (size_t i = 0; i < spans->site_count; i++) {
		const char *file = spans->sites[i].file;
		if (strcmp(file, name) == 0) {
			*other = NULL;
			return file;
		}
		if (!ends_alike(without_dots(file), without_dots(name)) || (found && strcmp(found, file) == 0))
			continue;
		*other = found ? file : NULL;
		found = found ? found : file;
	}
	return found;
}

/* As the user names it, else where the compiler found it. */
static FILE *open_source(const char *name, const char *recorded, struct stat *is)
{
	FILE *file = fopen(name, "re");
	if (!file && errno == ENOENT)
		file = fopen(recorded, "re");
	if (file && (fstat(fileno(file), is) < 0 || !S_ISREG(is->st_mode))) {
		fclose(file);
		errno = EINVAL;
		file = NULL;
	}
	return file;
}

int view_span_source_check(const void *data, const struct view_ask *ask, struct fail *why)
{
	const char *other, *recorded;
	struct stat is;
	if (!ask->source)
		return fail_set(why, FAIL_USAGE, "the view source needs a file: skein report span --source FILE");
	recorded = recorded_file(&((const struct span_data *)data)->spans, ask->source, &other);
	if (!recorded)
		return fail_set(why, FAIL_USAGE, "no call site of this recording is in a file %.200s", ask->source);
	if (other)
		return fail_set(why, FAIL_USAGE, "%.200s may be %.300s or %.300s: give more of its path", ask->source, recorded, other);
	FILE *file = open_source(ask->source, recorded, &is);
	if (!file)
		return fail_set(why, FAIL_NOT_FOUND, "cannot read the source file %.300s: %s; go to the folder where it is, or give its path", ask->source, strerror(errno));
	fclose(file);
	return 0;
}

/* ---- its lines ---- */

/* Tabs become spaces; the line's end goes. */
static const char *shown(struct pool *pool, const char *line)
{
	size_t room = strlen(line) * TAB + 1, at = 0;
	char *text = pool_bytes(pool, room);
	for (; *line && *line != '\n' && *line != '\r'; line++) {
		if (*line == '\t')
			do
				text[at++] = ' ';
			while (at % TAB);
		else
			text[at++] = *line;
	}
	text[at] = 0;
	return text;
}

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

static void line_row(struct sheet *s, const struct spans *spans, const char *recorded, uint32_t line, const char *text, const struct span_sum *sum)
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

/* Newer than the program, or than the run if the program is gone. */
static bool is_newer(const struct run *run, const struct stat *source)
{
	struct stat program;
	struct timespec limit = {.tv_sec = (time_t)(run->started_real_ns / 1000000000), .tv_nsec = (long)(run->started_real_ns % 1000000000)};
	if (stat(run->program, &program) == 0 && program.st_mtim.tv_sec < limit.tv_sec)
		limit = program.st_mtim;
	return source->st_mtim.tv_sec > limit.tv_sec || (source->st_mtim.tv_sec == limit.tv_sec && source->st_mtim.tv_nsec > limit.tv_nsec);
}

void view_span_source(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct spans *spans = &((const struct span_data *)data)->spans;
	const char *other, *recorded = recorded_file(spans, ask->source, &other);
	struct stat is;
	FILE *file = recorded ? open_source(ask->source, recorded, &is) : NULL;
	size_t count = 0, at = 0, room = 0;
	char *text = NULL;
	if (!file)
		return;
	const struct spans_site **list = sites_of(spans, recorded, &count);
	while (at < count && list[at]->line == 0)
		at++;
	for (uint32_t line = 1; getline(&text, &room, file) >= 0; line++) {
		struct span_sum sum = {0};
		bool any = false;
		for (; at < count && list[at]->line == line; at++, any = true)
			span_add(&sum, list[at]->sums[SPANS_ON_WORK][SPAN_LOCAL].count, list[at]->sums[SPANS_ON_WORK][SPAN_LOCAL].work, spans_local(list[at]));
		line_row(s, spans, recorded, line, shown(&s->pool, text), any ? &sum : NULL);
	}
	if (at < count || is_newer(spans->run, &is))
		s->doubt = pool_print(&s->pool, "%s was changed since the program was built: figures may stand at the wrong lines.", ask->source);
	free(list);
	free(text);
	fclose(file);
}
