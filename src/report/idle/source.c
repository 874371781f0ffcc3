/* SPDX-License-Identifier: MIT */
/* source.c: the lines of a source file with their work, idleness and overhead.
 *
 * A cost belongs to the line that it was sampled in. Including callees, it also belongs to the line of each call above it, once to
 * a line however often the line is there (recursion). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/idle/view.h"
#include "report/source.h"

static bool has_line(const struct idles_scope *s)
{
	return (s->kind == IDLES_LINE || s->kind == IDLES_ROUTINE || s->kind == IDLES_INLINED) && s->line && s->line < SOURCE_MOST_LINES;
}

static struct source_search search_of(const struct idle_data *d)
{
	struct source_search search = {.name = d->asked.source};
	for (size_t i = 0; i < d->idles.scope_count; i++)
		if (has_line(&d->idles.scopes[i]))
			source_consider(&search, d->idles.scopes[i].file);
	return search;
}

static int check_source(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct idle_data *d = data;
	(void)ask;
	if (!d->asked.source)
		return fail_set(why, FAIL_USAGE, "the view source needs a file: skein report idle --source FILE");
	struct source_search search = search_of(d);
	if (!search.found)
		return fail_set(why, FAIL_USAGE, "this recording has no sample in a file %.200s, nor in callees", d->asked.source);
	return source_check(&search, why);
}

/* ---- figures by line ---- */

struct lines {
	struct idle_three *own, *whole;
	size_t *seen; /* number + 1 of the last scope whose costs the line got */
	uint32_t last;
};

static void start_lines(struct lines *l, const struct idles *idles, const char *file)
{
	*l = (struct lines){0};
	for (size_t i = 0; i < idles->scope_count; i++)
		if (has_line(&idles->scopes[i]) && idles->scopes[i].line > l->last && strcmp(idles->scopes[i].file, file) == 0)
			l->last = idles->scopes[i].line;
	l->own = memory_zeroed((size_t)l->last + 1, sizeof *l->own);
	l->whole = memory_zeroed((size_t)l->last + 1, sizeof *l->whole);
	l->seen = memory_zeroed((size_t)l->last + 1, sizeof *l->seen);
}

static void free_lines(struct lines *l)
{
	free(l->own);
	free(l->whole);
	free(l->seen);
}

static void add_scope(struct lines *l, const struct idles *idles, const char *file, size_t scope, const struct idles_sums *sums)
{
	for (uint32_t at = (uint32_t)scope; at != IDLES_NO_SCOPE; at = idles->scopes[at].parent) {
		const struct idles_scope *s = &idles->scopes[at];
		if (!has_line(s) || s->line > l->last || l->seen[s->line] == scope + 1 || strcmp(s->file, file) != 0)
			continue;
		l->seen[s->line] = scope + 1;
		idle_three_add(&l->whole[s->line], sums);
		if (at == scope && s->kind == IDLES_LINE)
			idle_three_add(&l->own[s->line], sums);
	}
}

static void count_lines(struct lines *l, const struct idle_data *d, const char *file)
{
	const struct idles *idles = &d->idles;
	struct idles_sums *sums = memory_resize(NULL, idles->scope_count, sizeof *sums);
	start_lines(l, idles, file);
	idles_exclude(idles, view_idle_tree(&d->asked), d->asked.thread >= 0 ? (uint32_t)d->asked.thread : UINT32_MAX, sums);
	for (size_t i = 0; i < idles->scope_count; i++)
		if (idles_effort(&sums[i]))
			add_scope(l, idles, file, i, &sums[i]);
	free(sums);
}

/* ---- rows ---- */

struct line_row {
	const char *file, *text;
	uint32_t line;
	const struct idle_three *own, *whole; /* NULL: nothing was sampled in the line, nor in its callees */
	double effort;
};

static int64_t value(const struct idle_three *three, uint64_t ns)
{
	return three ? (int64_t)ns : RUN_UNKNOWN;
}

static double share(const struct line_row *r, uint64_t ns)
{
	return r->whole ? text_share_of((double)ns, r->effort) : NAN;
}

static void put_line(struct sheet *s, const struct line_row *r)
{
	static const struct idle_three none = {0};
	const struct idle_three *own = r->own ? r->own : &none, *whole = r->whole ? r->whole : &none;
	COLUMN(s, TEXT, "file", NULL, r->file);
	COLUMN(s, ID, "line", "line", r->line);
	COLUMN(s, NS, "work_ns", "work", value(r->own, own->work_ns), .meaning = "excluding callees");
	COLUMN(s, NS, "idle_ns", "idle", value(r->own, own->idle_ns), .drop = 2, .meaning = "idleness, excluding callees");
	COLUMN(s, NS, "overhead_ns", "overhead", value(r->own, own->overhead_ns), .drop = 3);
	COLUMN(s, NS, "incl_work_ns", "incl.", value(r->whole, whole->work_ns), .meaning = "work including callees");
	COLUMN(s, NS, "incl_idle_ns", NULL, value(r->whole, whole->idle_ns));
	COLUMN(s, NS, "incl_overhead_ns", NULL, value(r->whole, whole->overhead_ns));
	COLUMN(s, PERCENT, "incl_idle_pct_effort", "idle%", share(r, whole->idle_ns),
	       .meaning = "idleness including callees, as a share of the effort of the run");
	COLUMN(s, PERCENT, "incl_overhead_pct_effort", "over%", share(r, whole->overhead_ns), .drop = 1, .meaning = "overhead, likewise");
	COLUMN(s, CODE, "source", "source", r->text);
}

static void fill_source(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct idle_data *d = data;
	struct idles_sums total = idles_total(&d->idles, UINT32_MAX);
	struct source_search search = search_of(d);
	struct source_reader reader;
	struct lines lines;
	(void)ask;
	put_line(s, &(struct line_row){0});
	if (!source_begin(&reader, &search))
		return;
	count_lines(&lines, d, search.found);
	while (source_next(&reader)) {
		bool any = reader.line <= lines.last && lines.seen[reader.line];
		sheet_row(s, 0);
		put_line(s,
		         &(struct line_row){search.found, source_text(&s->pool, reader.text), reader.line,
		                            any ? &lines.own[reader.line] : NULL, any ? &lines.whole[reader.line] : NULL,
		                            (double)idles_effort(&total)});
	}
	s->doubt = source_end(&reader, &s->pool, &d->run, &search, lines.last);
	free_lines(&lines);
}

const struct view view_idle_source = {
	.name = "source",
	.help = "lines of --source FILE: work, idleness, overhead",
	.chosen_by = OPTION_SOURCE,
	.check = check_source,
	.fill = fill_source,
};
