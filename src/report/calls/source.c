/* SPDX-License-Identifier: MIT */
/* source.c: the lines of a source file: what the routines that begin there did, and what is called there.
 *
 * Calls are counted by arc, not by call site: where several lines of a routine call the same callee, each of them shows the
 * figures of all, and says how many lines there are. */
#include <stdlib.h>
#include <string.h>

#include "report/calls/view.h"
#include "report/source.h"

static struct source_search search_of(const struct calls_data *d)
{
	struct source_search search = {.name = d->asked.source};
	for (uint32_t r = 1; r < d->run.routine_count; r++)
		if (d->run.routines[r].line && calls_sum(&d->calls, r, CALLS_ALL, CALLS_ALL).any)
			source_consider(&search, d->run.routines[r].file);
	for (size_t i = 0; i < d->run.site_count; i++)
		if (d->run.sites[i].line)
			source_consider(&search, d->run.sites[i].file);
	return search;
}

static int check_source(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct calls_data *d = data;
	(void)ask;
	if (!d->asked.source)
		return fail_set(why, FAIL_USAGE, "the view source needs a file: skein report calls --source FILE");
	struct source_search search = search_of(d);
	if (!search.found)
		return fail_set(why, FAIL_USAGE, "this recording has no routine and no call in a file %.200s", d->asked.source);
	return source_check(&search, why);
}

/* ---- figures by line ---- */

struct line {
	bool is_head, is_site;
	struct calls_sum head;     /* of the routines that begin here */
	struct calls_arc_row made; /* calls that are made here */
	uint32_t shared;           /* lines that make these calls together, at most */
};

struct lines {
	struct line *of;
	uint32_t last;
};

static void add_known(int64_t *sum, int64_t value)
{
	*sum = value == RUN_UNKNOWN ? *sum : (*sum == RUN_UNKNOWN ? 0 : *sum) + value;
}

static void add_head(struct line *line, const struct calls_sum *sum)
{
	if (!line->is_head)
		line->head = (struct calls_sum){.elapsed_ns = RUN_UNKNOWN, .direct_ns = RUN_UNKNOWN, .wait_ns = RUN_UNKNOWN};
	line->is_head = true;
	add_known(&line->head.calls, sum->calls);
	add_known(&line->head.elapsed_ns, sum->elapsed_ns);
	add_known(&line->head.direct_ns, sum->direct_ns);
	add_known(&line->head.wait_ns, sum->wait_ns);
}

/* The arcs of a site: they lie together, one for each state. */
static void add_arcs(struct line *line, const struct calls *c, const struct run_site *site)
{
	if (!line->is_site)
		line->made = (struct calls_arc_row){.elapsed_ns = RUN_UNKNOWN};
	line->is_site = true;
	for (size_t i = 0; i < c->arc_count; i++) {
		if (c->arcs[i].caller != site->caller || c->arcs[i].callee != site->callee)
			continue;
		add_known(&line->made.calls, c->arcs[i].calls);
		add_known(&line->made.elapsed_ns, c->arcs[i].elapsed_ns);
	}
}

static bool is_in(uint32_t last, uint32_t line)
{
	return line && line <= last;
}

static bool is_same_arc(const struct run_site *a, const struct run_site *b)
{
	return a->caller == b->caller && a->callee == b->callee;
}

static bool is_same_line(const struct run_site *a, const struct run_site *b)
{
	return a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* Sites are sorted by caller, callee and line: those of one arc are neighbours. */
static void add_sites(struct lines *lines, const struct calls_data *d, const char *file)
{
	const struct run *run = &d->run;
	for (size_t i = 0, end; i < run->site_count; i = end) {
		uint32_t places = 0;
		for (end = i; end < run->site_count && is_same_arc(&run->sites[i], &run->sites[end]); end++)
			places += end == i || !is_same_line(&run->sites[end - 1], &run->sites[end]);
		for (size_t k = i; k < end; k++) {
			const struct run_site *site = &run->sites[k];
			if (!is_in(lines->last, site->line) || strcmp(site->file, file) != 0 || (k > i && is_same_line(site - 1, site)))
				continue;
			struct line *line = &lines->of[site->line];
			add_arcs(line, &d->calls, site);
			line->shared = places > line->shared ? places : line->shared;
		}
	}
}

static uint32_t last_line(const struct run *run, const char *file)
{
	uint32_t last = 0;
	for (size_t i = 0; i < run->routine_count; i++)
		if (run->routines[i].line > last && run->routines[i].line < SOURCE_MOST_LINES && strcmp(run->routines[i].file, file) == 0)
			last = run->routines[i].line;
	for (size_t i = 0; i < run->site_count; i++)
		if (run->sites[i].line > last && run->sites[i].line < SOURCE_MOST_LINES && strcmp(run->sites[i].file, file) == 0)
			last = run->sites[i].line;
	return last;
}

static void count_lines(struct lines *lines, const struct calls_data *d, const char *file)
{
	lines->last = last_line(&d->run, file);
	lines->of = memory_zeroed((size_t)lines->last + 1, sizeof *lines->of);
	for (uint32_t r = 1; r < d->run.routine_count; r++) {
		struct calls_sum sum = calls_sum(&d->calls, r, CALLS_ALL, CALLS_ALL);
		if (sum.any && is_in(lines->last, d->run.routines[r].line) && strcmp(d->run.routines[r].file, file) == 0)
			add_head(&lines->of[d->run.routines[r].line], &sum);
	}
	add_sites(lines, d, file);
}

/* ---- rows ---- */

struct line_row {
	const char *file, *text;
	uint32_t number;
	const struct line *line; /* NULL: nothing begins or is called there */
};

static int64_t if_head(const struct line_row *r, int64_t value)
{
	return r->line && r->line->is_head ? value : RUN_UNKNOWN;
}

static int64_t if_site(const struct line_row *r, int64_t value)
{
	return r->line && r->line->is_site ? value : RUN_UNKNOWN;
}

static void put_line(struct sheet *s, const struct line_row *r)
{
	static const struct line none = {0};
	const struct line *line = r->line ? r->line : &none;
	COLUMN(s, TEXT, "file", NULL, r->file);
	COLUMN(s, ID, "line", "line", r->number);
	COLUMN(s, COUNT, "calls", "calls", if_head(r, line->head.calls), .meaning = "of the routine that begins on this line");
	COLUMN(s, NS, "elapsed_ns", NULL, if_head(r, line->head.elapsed_ns));
	COLUMN(s, NS, "direct_ns", "direct", if_head(r, line->head.direct_ns), .meaning = "its time excluding callees and waiting");
	COLUMN(s, NS, "wait_ns", "wait", if_head(r, line->head.wait_ns), .drop = 2, .meaning = "its waiting");
	COLUMN(s, COUNT, "callee_calls", "made", if_site(r, line->made.calls), .meaning = "calls that this line makes");
	COLUMN(s, NS, "callee_elapsed_ns", "callees", if_site(r, line->made.elapsed_ns), .drop = 1, .meaning = "time of these calls");
	COLUMN(s, COUNT, "shared_by", "shared", line->shared > 1 ? (int64_t)line->shared : RUN_UNKNOWN, .drop = 3,
	       .meaning = "number of lines that make these calls together; the figures are those of all of them");
	COLUMN(s, CODE, "source", "source", r->text);
}

static void fill_source(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls_data *d = data;
	struct source_search search = search_of(d);
	struct source_reader reader;
	struct lines lines = {0};
	(void)ask;
	put_line(s, &(struct line_row){0});
	if (!source_begin(&reader, &search))
		return;
	count_lines(&lines, d, search.found);
	while (source_next(&reader)) {
		sheet_row(s, 0);
		put_line(s,
		         &(struct line_row){search.found, source_text(&s->pool, reader.text), reader.line,
		                            reader.line <= lines.last ? &lines.of[reader.line] : NULL});
	}
	s->doubt = source_end(&reader, &s->pool, &d->run, &search, lines.last);
	free(lines.of);
}

const struct view view_source = {
	.name = "source",
	.help = "lines of --source FILE with calls and times",
	.chosen_by = OPTION_SOURCE,
	.check = check_source,
	.fill = fill_source,
};
