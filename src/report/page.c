/* SPDX-License-Identifier: MIT */
/* page.c: a page of a report: loads what a lens recorded, lets a view fill a sheet, prints it with verdict and caveats. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/repeats/repeated.h"
#include "report/report.h"

enum { MOST_VIEWS = 32 };

static const struct view *find_view(const struct lens *lens, const char *name, struct fail *why)
{
	const char *names[MOST_VIEWS + 1];
	char list[300] = "";
	size_t count = 0;
	if (!name)
		return lens->views[0];
	const struct view *found = lens_view(lens, name);
	if (found)
		return found;
	for (const struct view *const *view = lens->views; *view && count < MOST_VIEWS; view++) {
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", count ? ", " : "", (*view)->name);
		names[count++] = (*view)->name;
	}
	names[count] = NULL;
	const char *near = nearest(name, names);
	if (near)
		fail_set(why, FAIL_USAGE, "the lens %s has no view %.100s; did you mean %s?", lens->name, name, near);
	else
		fail_set(why, FAIL_USAGE, "the lens %s has no view %.100s; its views are %s", lens->name, name, list);
	return NULL;
}

/* The view that is named, or that an option of its own asks for. */
static const struct view *choose_view(const struct lens *lens, const struct report_ask *ask, struct fail *why)
{
	for (const struct view *const *at = lens->views; *at; at++) {
		const struct view *view = *at;
		if (!view->chosen_by || !ask->arguments || !arguments_has(ask->arguments, view->chosen_by))
			continue;
		if (!ask->view_name || strcmp(ask->view_name, view->name) == 0)
			return view;
		fail_set(why, FAIL_USAGE, "--%s selects a view itself: leave out --view %.100s", option_names[view->chosen_by],
		         ask->view_name);
		return NULL;
	}
	return find_view(lens, ask->view_name, why);
}

static int make_page(const struct lens *lens, const void *data, const struct repeated *repeated, const struct view *view,
                     const struct report_ask *ask, const struct view_ask *asked_for, FILE *file, struct fail *why)
{
	struct findings verdict = {0}, caveats = {0};
	struct sheet sheet;
	int result = 0;
	sheet_start(&sheet, ask->form == REPORT_TEXT || ask->sort);
	sheet.is_text = ask->form == REPORT_TEXT;
	sheet.repeated = repeated;
	struct view_ask asked = *asked_for;
	if (asked.top < 0)
		asked.top = ask->form == REPORT_TEXT ? view->top : 0;
	if (view->pours && ask->form == REPORT_CSV && !ask->sort) {
		sheet.pour = file;
		sheet.pour_most = (size_t)asked.top;
	}
	view->fill(data, &asked, &sheet);
	const char *sort = ask->sort                                              ? ask->sort
		: view->sort && view->sort_else && !sheet_has(&sheet, view->sort) ? view->sort_else
										  : view->sort;
	if (sort)
		result = sheet_sort(&sheet, sort, why);
	size_t rows = sheet.row_count;
	if (asked.top > 0 && !sheet.pour)
		sheet_top(&sheet, (size_t)asked.top);
	if (result == 0) {
		repeated_say(repeated, &verdict);
		lens->judge(data, &verdict, &caveats);
		if (sheet.doubt)
			findings_add(&caveats, "%s", sheet.doubt);
		bool whole = view == lens->views[0] || ask->form != REPORT_TEXT;
		const char *heading = NULL;
		if (rows > sheet.row_count)
			heading = pool_print(&sheet.pool,
			                     sheet.is_tree && sheet.sorted_by ? "The %s largest of %s rows (--top 0 shows all):"
			                                                      : "The first %s of %s rows (--top 0 shows all):",
			                     text_count(&sheet.pool, (int64_t)sheet.row_count), text_count(&sheet.pool, (int64_t)rows));
		struct page page = {.lens = lens->name,
		                    .view = view->name,
		                    .heading = heading,
		                    .verdict = verdict.lines,
		                    .verdict_count = whole || verdict.count <= verdict.openings ? verdict.count : verdict.openings + 1,
		                    .caveats = caveats.lines,
		                    .caveat_count = caveats.count,
		                    .sheet = &sheet};
		if (ask->form == REPORT_CSV)
			out_csv(file, &page);
		else if (ask->form == REPORT_JSON)
			out_json(file, &page);
		else if (sheet.is_plain)
			out_plain(file, &page);
		else
			out_text(file, &page, report_width(file), report_colour(file));
		if (fflush(file) != 0 || ferror(file))
			result = fail_set(why, FAIL_INTERNAL, "cannot write the report: no space left, or the reader closed the pipe");
	}
	findings_free(&verdict);
	findings_free(&caveats);
	sheet_free(&sheet);
	return result;
}

/* ---- pictures ---- */

static int refuse_picture(const struct lens *lens, const struct view *view, struct fail *why)
{
	char list[300] = "";
	for (const struct view *const *at = lens->views; *at; at++)
		if ((*at)->draw)
			snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", (*at)->name);
	return fail_set(why, FAIL_USAGE, "the view %s has no picture; --svg draws the views %s", view->name, list);
}

static int write_picture(const char *path, const char *text, size_t bytes, struct fail *why)
{
	FILE *file = fopen(path, "we");
	bool is_written = file && fwrite(text, 1, bytes, file) == bytes && fflush(file) == 0;
	int result = is_written ? 0 : fail_set(why, FAIL_INTERNAL, "cannot write the picture %.400s: %s", path, strerror(errno));
	if (file)
		fclose(file);
	return result;
}

/* Nothing is written unless there is something to draw. */
static int draw_picture(const struct view *view, const void *data, const struct view_ask *ask, const char *path, struct fail *why)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *memory = mem_or_die(open_memstream(&text, &bytes));
	int result = view->draw(data, ask, memory, why);
	if (fclose(memory) != 0 && result == 0)
		result = fail_set(why, FAIL_INTERNAL, "cannot draw the picture %.400s: %s", path, strerror(errno));
	if (result == 0)
		result = write_picture(path, text, bytes, why);
	free(text);
	return result;
}

/* Whether all figures of all runs are told: in the first view and in those about runs. CSV has no verdict. */
static bool tells_all(const struct lens *lens, const struct view *view, const struct report_ask *ask)
{
	bool is_first = view == lens->views[0], is_summary = strcmp(view->name, "summary") == 0;
	for (const struct view *const *of_runs = repeated_views; *of_runs; of_runs++)
		if (view == *of_runs)
			return true;
	return is_summary || (is_first && ask->form != REPORT_CSV);
}

int report_lens(struct store *store, const struct lens *lens, const struct report_ask *ask, FILE *file, struct fail *why)
{
	const struct arguments none = {0};
	struct view_ask asked = ask->view;
	const struct view *view = choose_view(lens, ask, why);
	const char *svg = ask->arguments ? arguments_value(ask->arguments, OPTION_SVG) : NULL;
	if (view && svg && !view->draw)
		return refuse_picture(lens, view, why);
	struct repeated repeated;
	if (!view || repeated_open(&repeated, store, lens, ask->arguments ? ask->arguments : &none, tells_all(lens, view, ask), why) < 0)
		return -1;
	void *data = lens_open(lens, store, ask->arguments ? ask->arguments : &none, &asked, why);
	if (!data) {
		repeated_close(&repeated);
		return -1;
	}
	int result = 0;
	if (asked.routine && !lens->knows_routine(data, asked.routine))
		result = fail_set(why, FAIL_USAGE, "this recording has no routine %.200s (a pattern such as '*parse*' may find it)",
		                  asked.routine);
	if (result == 0 && view->check)
		result = view->check(data, &asked, why);
	if (result == 0 && svg)
		result = draw_picture(view, data, &asked, svg, why);
	if (result == 0)
		result = make_page(lens, data, &repeated, view, ask, &asked, file, why);
	lens_close(lens, data);
	repeated_close(&repeated);
	return result;
}
