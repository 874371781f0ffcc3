/* SPDX-License-Identifier: MIT */
/* cmd_report.c: skein report. Finds the recording and the lens, lets a view fill a sheet, prints the page. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/lens.h"
#include "cli/report.h"

int report_newest(char path[PATH_MAX], struct fail *why)
{
	glob_t found;
	struct timespec newest = {0};
	*path = 0;
	if (glob("*.skein", 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++) {
			struct stat is;
			if (stat(found.gl_pathv[i], &is) < 0 || !S_ISREG(is.st_mode))
				continue;
			bool newer = is.st_mtim.tv_sec != newest.tv_sec ? is.st_mtim.tv_sec > newest.tv_sec : is.st_mtim.tv_nsec > newest.tv_nsec;
			if (!*path || newer) {
				newest = is.st_mtim;
				snprintf(path, PATH_MAX, "%s", found.gl_pathv[i]);
			}
		}
		globfree(&found);
	}
	if (!*path)
		return fail_set(why, FAIL_NOT_FOUND, "there is no recording in this folder: make one with `skein record calls -- PROGRAM`");
	return 0;
}

/* Words are [LENS] [FILE]. A single word is a lens if one has that name, a file if it looks like one. */
static int sort_words(const struct arguments *a, const struct lens **lens, char path[PATH_MAX], struct fail *why)
{
	const char *file = a->word_count > 1 ? a->words[1] : NULL;
	*lens = NULL;
	if (a->word_count > 0) {
		const char *word = a->words[0];
		*lens = lens_find(word);
		if (!*lens && file)
			return lens_unknown(word, why);
		if (!*lens && !strchr(word, '/') && !strchr(word, '.') && access(word, F_OK) < 0)
			return lens_unknown(word, why);
		if (!*lens)
			file = word;
	}
	if (!file)
		return report_newest(path, why);
	snprintf(path, PATH_MAX, "%s", file);
	return 0;
}

static const struct view *find_view(const struct lens *lens, const char *name, struct fail *why)
{
	const char *names[32];
	char list[300] = "";
	if (!name)
		return &lens->views[0];
	for (size_t i = 0; i < lens->view_count; i++) {
		if (strcmp(lens->views[i].name, name) == 0)
			return &lens->views[i];
		names[i] = lens->views[i].name;
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
	}
	names[lens->view_count] = NULL;
	const char *near = nearest(name, names);
	if (near)
		fail_set(why, FAIL_USAGE, "the lens %s has no view %.100s; did you mean %s?", lens->name, name, near);
	else
		fail_set(why, FAIL_USAGE, "the lens %s has no view %.100s; its views are %s", lens->name, name, list);
	return NULL;
}

/* What only the idle lens asks. */
static int read_idle(const struct arguments *a, struct view_ask *view, struct fail *why)
{
	const char *paths = arguments_value(a, "paths");
	if (paths && strcmp(paths, "logical") != 0 && strcmp(paths, "physical") != 0)
		return fail_set(why, FAIL_USAGE, "--paths takes logical or physical, not %.100s", paths);
	view->physical = paths && strcmp(paths, "physical") == 0;
	view->by_thread = arguments_has(a, "by-thread");
	view->metric = arguments_value(a, "metric");
	view->arguments = a;
	if (arguments_number(a, "depth", -1, 0, 1000000000, &view->depth, why) < 0 || arguments_number(a, "thread", -1, 0, 1000000000, &view->thread, why) < 0)
		return -1;
	if (arguments_percent(a, "threshold", -1, &view->threshold, why) < 0 || arguments_percent(a, "min-idle-pct", -1, &view->min_idle, why) < 0)
		return -1;
	return arguments_percent(a, "min-overhead-pct", -1, &view->min_overhead, why);
}

/* What only the input lens asks. */
static int read_input(const struct arguments *a, struct view_ask *view, struct fail *why)
{
	view->cost = arguments_value(a, "cost");
	view->svg = arguments_value(a, "svg");
	if (view->svg && !view->routine)
		return fail_set(why, FAIL_USAGE, "--svg draws one routine: name it with --routine");
	return arguments_number(a, "run", 0, 1, 1000000000, &view->run, why);
}

/* What only the paths lens asks. --dot FUNCTION is a view of one function. */
static int read_paths(const struct arguments *a, struct report_ask *ask, struct fail *why)
{
	const char *dot = arguments_value(a, "dot");
	ask->view.path = arguments_value(a, "path");
	if (!dot)
		return 0;
	if (ask->view_name || ask->view.routine)
		return fail_set(why, FAIL_USAGE, "--dot is a view of its own, and names its function: leave out --view and --routine");
	ask->view_name = "dot";
	ask->view.routine = dot;
	return 0;
}

static int read_form(const struct arguments *a, struct report_ask *ask, struct fail *why)
{
	if (arguments_has(a, "csv") && arguments_has(a, "json"))
		return fail_set(why, FAIL_USAGE, "--csv and --json are two forms: choose one");
	ask->form = arguments_has(a, "csv") ? REPORT_CSV : arguments_has(a, "json") ? REPORT_JSON : REPORT_TEXT;
	ask->view_name = arguments_value(a, "view");
	ask->sort = arguments_value(a, "sort");
	ask->view.all_rows = ask->form != REPORT_TEXT;
	ask->view.routine = arguments_value(a, "routine");
	ask->view.by_worker = arguments_has(a, "by-worker");
	ask->view.source = arguments_value(a, "source");
	if (ask->view.source && ask->view_name && strcmp(ask->view_name, "source") != 0)
		return fail_set(why, FAIL_USAGE, "--source is a view of its own: leave out --view %.100s", ask->view_name);
	if (ask->view.source)
		ask->view_name = "source";
	if (read_idle(a, &ask->view, why) < 0 || read_input(a, &ask->view, why) < 0 || read_paths(a, ask, why) < 0)
		return -1;
	if (arguments_number(a, "top", -1, 0, 1000000000, &ask->view.top, why) < 0 || arguments_number(a, "cores", 0, 1, 1000000, &ask->view.cores, why) < 0)
		return -1;
	return arguments_number(a, "worker", -1, 0, 1000000000, &ask->view.worker, why);
}

static int make_page(const struct lens *lens, const void *data, const struct view *view, const struct report_ask *ask, FILE *file, struct fail *why)
{
	struct findings verdict = {0}, caveats = {0};
	struct sheet sheet;
	int result = 0;
	sheet_start(&sheet, view->columns, view->column_count);
	struct view_ask asked = ask->view;
	if (asked.top < 0)
		asked.top = ask->form == REPORT_TEXT ? view->top : 0;
	view->fill(data, &asked, &sheet);
	const char *sort = ask->sort ? ask->sort : view->sort && view->sort_else && !sheet_has(&sheet, view->sort) ? view->sort_else : view->sort;
	if (sort)
		result = sheet_sort(&sheet, sort, why);
	size_t rows = sheet.row_count;
	if (asked.top > 0)
		sheet_top(&sheet, (size_t)asked.top);
	if (result == 0) {
		lens->judge(data, &verdict, &caveats);
		if (sheet.doubt)
			findings_add(&caveats, "%s", sheet.doubt);
		bool whole = view == &lens->views[0] || ask->form != REPORT_TEXT;
		char heading[200] = "";
		if (rows > sheet.row_count)
			snprintf(heading, sizeof heading, "The first %zu of %zu rows (--top 0 shows all):", sheet.row_count, rows);
		struct page page = {.lens = lens->name, .view = view->name, .heading = *heading ? heading : NULL, .verdict = verdict.lines, .verdict_count = whole || !verdict.count ? verdict.count : 1,
		                    .caveats = caveats.lines, .caveat_count = caveats.count, .sheet = &sheet};
		if (ask->form == REPORT_CSV)
			out_csv(file, &page);
		else if (ask->form == REPORT_JSON)
			out_json(file, &page);
		else if (sheet.is_plain)
			out_plain(file, &page);
		else
			out_text(file, &page, report_width(file), report_colour(file));
		if (fflush(file) != 0 || ferror(file))
			result = fail_set(why, FAIL_INTERNAL, "cannot write the report: no space left, or the reader went away");
	}
	findings_free(&verdict);
	findings_free(&caveats);
	sheet_free(&sheet);
	return result;
}

int report_lens(struct store *store, const struct lens *lens, const struct report_ask *ask, FILE *file, struct fail *why)
{
	const struct view *view = find_view(lens, ask->view_name, why);
	if (!view)
		return -1;
	void *data = lens->load(store, why);
	if (!data)
		return -1;
	int result = 0;
	if (lens->adapt)
		lens->adapt(data, &ask->view);
	if (ask->view.routine && !lens->knows_routine(data, ask->view.routine))
		result = fail_set(why, FAIL_USAGE, "this recording has no routine %.200s (a pattern such as '*parse*' may find it)", ask->view.routine);
	if (result == 0 && view->check)
		result = view->check(data, &ask->view, why);
	if (result == 0)
		result = make_page(lens, data, view, ask, file, why);
	if (result == 0 && ask->view.svg && lens->draw)
		result = lens->draw(data, &ask->view, why);
	lens->unload(data);
	return result;
}

static int report(const struct arguments *a, struct fail *why)
{
	struct report_ask ask = {0};
	const struct lens *lens;
	char path[PATH_MAX];
	if (read_form(a, &ask, why) < 0 || sort_words(a, &lens, path, why) < 0)
		return -1;
	struct store *store = store_open(path, why);
	if (!store)
		return -1;
	int result = 0;
	size_t measured = 0;
	const struct lens *last = lenses[0];
	for (size_t i = 0; i < lens_count; i++)
		if (store_has_lens(store, lenses[i]->name)) {
			measured++;
			last = lenses[i];
		}
	if (!lens && measured < 2)
		lens = last;
	if (lens && arguments_fit_lens(a, lens->name, why) == 0)
		result = report_lens(store, lens, &ask, stdout, why);
	else if (lens)
		result = -1;
	else if (a->given_count)
		result = fail_set(why, FAIL_USAGE, "%.400s holds several lenses, and an option is for one of them: name it, as in `skein report %s`", path, last->name);
	else
		result = report_overview(store, stdout, why);
	store_close(store);
	return result;
}

int cmd_report(char **argv)
{
	struct arguments a;
	struct fail why;
	if (arguments_parse(&a, "report", 2, false, argv, &why) < 0)
		return fail_print("skein", &why);
	int result = 0;
	if (a.help)
		help_command(stdout, command_find("report"), a.word_count ? a.words[0] : NULL);
	else
		result = report(&a, &why);
	arguments_free(&a);
	return result < 0 ? fail_print("skein", &why) : 0;
}
