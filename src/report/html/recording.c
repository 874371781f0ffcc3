/* SPDX-License-Identifier: MIT */
/* recording.c: what a page holds of a recording: for each lens its verdict, its caveats, and all of its views.
 *
 * Left out are views of which CSV says the same in another form (folded, dot), events one by one, of which there may be a
 * hundred million, rows beyond MOST_ROWS, or beyond MOST_GROUPED where rows make sense together only, such as the points of a
 * curve, or beyond what the view says that a page has (page_rows): the page says how many. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/blob.h"
#include "base/strv.h"
#include "report/html/html.h"
#include "report/html/sources.h"
#include "report/overview/overview.h"
#include "report/repeats/repeated.h"
#include "store/parts.h"

enum { MOST_ROWS = 1200000, MOST_GROUPED = 200000, MOST_SOURCES = 6 };

/* What is being written. */
struct writer {
	struct columns *columns;
	struct sources sources;
	FILE *head;
	struct store *store;
	const char *path;
	uint64_t started_real_ns;
	bool with_source;
};

static const struct run *run_of(const struct lens *lens, const void *data)
{
	return (const struct run *)((const char *)data + lens->run_at);
}

/* ---- sentences ---- */

static void put_text(const struct writer *w, const char *name, const char *text)
{
	fprintf(w->head, "\"%s\": ", name);
	columns_say(w->head, text);
}

static void put_lines(const struct writer *w, const char *name, const char *const *lines, size_t count)
{
	fprintf(w->head, "\"%s\": [", name);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? ", " : "", w->head);
		columns_say(w->head, lines[i]);
	}
	fputc(']', w->head);
}

static void put_tags(const struct writer *w, const struct findings *verdict, const struct run *run)
{
	fputs("\"tags\": [", w->head);
	for (size_t i = 0; i < verdict->tag_count; i++) {
		const struct finding_tag *tag = &verdict->tags[i];
		fprintf(w->head, "%s{\"kind\": \"%s\", \"from\": %zu, \"to\": %zu", i ? ", " : "", finding_names[tag->kind], tag->from,
		        tag->to);
		if (tag->routine < run->routine_count) {
			fputs(", \"routine\": ", w->head);
			columns_say(w->head, run->routines[tag->routine].name);
		}
		if (tag->object) {
			fputs(", \"object\": ", w->head);
			columns_say(w->head, tag->object);
		}
		fputc('}', w->head);
	}
	fputc(']', w->head);
}

static void put_findings(const struct writer *w, const struct lens *lens, const void *data, const struct repeated *repeated)
{
	struct findings verdict = {0}, caveats = {0};
	repeated_say(repeated, &verdict);
	lens->judge(data, &verdict, &caveats);
	put_lines(w, "verdict", verdict.lines, verdict.count);
	fprintf(w->head, ", \"openings\": %zu, ", verdict.openings);
	put_tags(w, &verdict, run_of(lens, data));
	fputs(", ", w->head);
	put_lines(w, "caveats", caveats.lines, caveats.count);
	findings_free(&verdict);
	findings_free(&caveats);
}

/* ---- views ---- */

static size_t column_of(const struct sheet *sheet, const char *name)
{
	size_t column = 0;
	while (column < sheet->column_count && (!sheet->columns[column].name || strcmp(sheet->columns[column].name, name) != 0))
		column++;
	return column;
}

/* Whether a row and the one before are of one group. */
static bool goes_on(const struct sheet *sheet, size_t column, size_t row)
{
	const struct cell *a = sheet_cell(sheet, row - 1, column), *b = sheet_cell(sheet, row, column);
	if (a->kind != CELL_TEXT || b->kind != CELL_TEXT)
		return a->kind == b->kind && a->number == b->number;
	return strcmp(a->text, b->text) == 0;
}

/* Whole groups, as many as there is room for; the first one in any case. */
static void keep_groups(struct sheet *sheet, const char *name)
{
	size_t column = column_of(sheet, name), keep = MOST_GROUPED;
	if (sheet->row_count <= keep || column == sheet->column_count)
		return;
	while (keep && goes_on(sheet, column, keep))
		keep--;
	for (keep += keep == 0; keep < sheet->row_count && goes_on(sheet, column, keep); keep++)
		;
	sheet_top(sheet, keep);
}

static void put_view(struct writer *w, const struct view *view, const void *data, const struct view_ask *ask,
                     const struct repeated *repeated)
{
	struct sheet sheet;
	struct fail unsaid;
	sheet_start(&sheet, false);
	sheet.repeated = repeated;
	view->fill(data, ask, &sheet);
	size_t all = sheet.row_count + sheet.left_out;
	const char *sort = view->sort && view->sort_else && !sheet_has(&sheet, view->sort) ? view->sort_else : view->sort;
	if (sort && sheet_sort(&sheet, sort, &unsaid) < 0)
		sort = NULL;
	if (view->group)
		keep_groups(&sheet, view->group);
	if (sheet.row_count > MOST_ROWS)
		sheet_top(&sheet, MOST_ROWS);
	sources_note(&w->sources, &sheet);
	fputc('{', w->head);
	put_text(w, "name", view->name);
	fputs(", ", w->head);
	put_text(w, "help", view->help);
	fprintf(w->head, ", \"of\": %zu, ", all);
	if (sort) {
		put_text(w, "sort", sort);
		fputs(", ", w->head);
	}
	if (sheet.doubt) {
		put_text(w, "doubt", sheet.doubt);
		fputs(", ", w->head);
	}
	fputs("\"sheet\": ", w->head);
	columns_sheet(w->columns, &sheet, w->head);
	fputc('}', w->head);
	sheet_free(&sheet);
}

static bool is_left_out(const struct view *view)
{
	return view->chosen_by || (view->pours && !view->page_rows) || strcmp(view->name, "folded") == 0;
}

/* A view of one routine is one of all of them here. */
static bool can_show(const struct view *view, const void *data, struct view_ask *ask)
{
	struct fail unsaid;
	*ask = (struct view_ask){.all_rows = true, .most = view->page_rows};
	if (!view->check || view->check(data, ask, &unsaid) == 0)
		return true;
	ask->routine = "*";
	return view->check(data, ask, &unsaid) == 0;
}

static void put_views(struct writer *w, const struct lens *lens, const void *data, const struct repeated *repeated)
{
	const char *comma = "";
	fputs("\"views\": [", w->head);
	for (const struct view *const *at = lens->views; *at; at++) {
		struct view_ask ask;
		if (is_left_out(*at) || !can_show(*at, data, &ask))
			continue;
		fputs(comma, w->head);
		put_view(w, *at, data, &ask, repeated);
		comma = ",\n";
	}
	fputc(']', w->head);
}

/* ---- a lens ---- */

static void put_run(const struct writer *w, const struct run *run)
{
	fputs("\"run\": {", w->head);
	put_text(w, "mode", run->mode);
	fputs(", ", w->head);
	put_text(w, "command", run->command);
	fputs(", ", w->head);
	put_text(w, "build_id", run->build_id);
	fprintf(w->head,
	        ", \"started_ns\": \"%" PRIu64 "\", \"wall_ns\": %" PRIu64 ", \"cpu_ns\": %" PRIu64 ", \"workers\": %zu, \"threads\": %zu}",
	        run->started_real_ns, run->wall_ns, run->cpu_ns, run->worker_count, run->thread_count);
}

static int put_lens(struct writer *w, const struct lens *lens, struct fail *why)
{
	const struct arguments none = {0};
	struct view_ask ask = {.all_rows = true};
	struct repeated repeated;
	if (repeated_open(&repeated, w->store, lens, &none, true, why) < 0)
		return -1;
	void *data = lens_open(lens, w->store, &none, &ask, why);
	if (data) {
		const struct run *run = run_of(lens, data);
		w->started_real_ns = run->started_real_ns > w->started_real_ns ? run->started_real_ns : w->started_real_ns;
		put_run(w, run);
		fputs(", ", w->head);
		put_findings(w, lens, data, &repeated);
		fputs(", ", w->head);
		put_views(w, lens, data, &repeated);
		lens_close(lens, data);
	}
	repeated_close(&repeated);
	return data ? 0 : -1;
}

/* ---- sources ---- */

/* The view that shows a file's lines, or NULL. */
static const struct view *source_view(const struct lens *lens)
{
	for (const struct view *const *at = lens->views; *at; at++)
		if ((*at)->chosen_by == OPTION_SOURCE)
			return *at;
	return NULL;
}

/* The figures that a lens has for the lines of a file; nothing if it has none. */
static void put_figures(struct writer *w, const struct lens *lens, const char *path, const char **comma)
{
	const struct view *view = source_view(lens);
	struct arguments a;
	struct fail unsaid;
	struct view_ask ask = {.all_rows = true};
	char *argv[] = {(char *)"--source", (char *)path, NULL};
	if (!view || !store_has_lens(w->store, lens->name) || arguments_parse(&a, COMMAND_REPORT, argv, &unsaid) < 0)
		return;
	void *data = lens_open(lens, w->store, &a, &ask, &unsaid);
	if (data && view->check(data, &ask, &unsaid) == 0) {
		static const char *const unneeded[] = {"file", "source"};
		struct sheet sheet;
		sheet_start(&sheet, false);
		view->fill(data, &ask, &sheet);
		for (size_t c = 0; c < sheet.column_count; c++)
			for (size_t i = 0; i < sizeof unneeded / sizeof *unneeded; i++)
				if (sheet.columns[c].name && strcmp(sheet.columns[c].name, unneeded[i]) == 0)
					sheet.columns[c].name = NULL;
		fprintf(w->head, "%s\"%s\": ", *comma, lens->name);
		columns_sheet(w->columns, &sheet, w->head);
		*comma = ", ";
		sheet_free(&sheet);
	}
	if (data)
		lens_close(lens, data);
	arguments_free(&a);
}

static void put_sources(struct writer *w)
{
	fputs("\"sources\": [", w->head);
	if (w->with_source)
		sources_choose(&w->sources, w->started_real_ns);
	for (size_t i = 0; i < w->sources.chosen; i++) {
		const struct sources_file *file = &w->sources.list[i];
		struct digest sum = {0};
		char hex[DIGEST_HEX];
		digest_add(&sum, file->text, file->bytes);
		digest_hex(&sum, hex);
		fprintf(w->head, "%s{", i ? ",\n" : "");
		put_text(w, "path", file->path);
		fprintf(w->head, ", \"digest\": \"%s\", \"newer\": %s, \"text\": ", hex, file->is_newer ? "true" : "false");
		columns_blob(w->columns, file->text, file->bytes, w->head);
		fputs(", \"figures\": {", w->head);
		const char *comma = "";
		for (size_t l = 0; i < MOST_SOURCES && l < lens_count; l++)
			put_figures(w, lenses[l], file->path, &comma);
		fputs("}}", w->head);
	}
	fputc(']', w->head);
}

/* ---- all ---- */

/* What the lenses say together. */
static int put_overview(struct writer *w, struct fail *why)
{
	struct overview overview;
	struct sheet routines;
	if (overview_make(w->store, &overview, why) < 0)
		return -1;
	fputs("\"overview\": ", w->head);
	overview_json(&overview, w->head);
	fputs(", \"functions\": ", w->head);
	sheet_start(&routines, false);
	overview_sheet(&overview, "routines", &routines);
	sources_note(&w->sources, &routines);
	columns_sheet(w->columns, &routines, w->head);
	fputs(",\n", w->head);
	sheet_free(&routines);
	overview_free(&overview);
	return 0;
}

static int put_lenses(struct writer *w, struct fail *why)
{
	const char *comma = "";
	fputs("\"lenses\": [", w->head);
	for (size_t i = 0; i < lens_count; i++) {
		const struct lens *lens = lenses[i];
		fprintf(w->head, "%s{\"name\": \"%s\", ", comma, lens->name);
		put_text(w, "question", lens->question);
		fputs(", ", w->head);
		bool is_there = store_has_lens(w->store, lens->name);
		fprintf(w->head, "\"measured\": %s", is_there ? "true, " : "false");
		if (is_there && put_lens(w, lens, why) < 0)
			return -1;
		fputc('}', w->head);
		comma = ",\n";
	}
	fputs("],\n", w->head);
	return 0;
}

int html_recording(const char *path, bool with_source, struct columns *columns, FILE *head, struct fail *why)
{
	struct writer w = {.columns = columns, .head = head, .path = path, .with_source = with_source};
	w.store = store_open(path, why);
	if (!w.store)
		return -1;
	if (store_has_parts(w.store)) {
		store_close(w.store);
		return fail_set(
			why, FAIL_USAGE,
			"%.300s compares many ranks, which a page cannot show: use `skein report %.300s`, or view the recording of one rank",
			path, path);
	}
	fputc('{', head);
	put_text(&w, "file", str_base(path));
	fputs(",\n", head);
	int result = put_overview(&w, why) < 0 ? -1 : put_lenses(&w, why);
	if (result == 0)
		put_sources(&w);
	fputc('}', head);
	sources_free(&w.sources);
	store_close(w.store);
	return result;
}
