/* SPDX-License-Identifier: MIT */
#include "report/report.h"
#include "report/repeats/repeated.h"

#include <glob.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { USUAL_WIDTH = 80, LEAST_WIDTH = 60, MOST_WIDTH = 10000, ROWS_AFTER_A_RUN = 10 };

unsigned report_width(FILE *file)
{
	struct winsize size;
	const char *columns = getenv("COLUMNS");
	long width = columns ? strtol(columns, NULL, 10) : 0;
	if (isatty(fileno(file)) && ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col)
		width = size.ws_col;
	if (width <= 0)
		return USUAL_WIDTH;
	return width < LEAST_WIDTH ? LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : (unsigned)width;
}

bool report_colour(FILE *file)
{
	const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
	return isatty(fileno(file)) && !(no_colour && *no_colour) && terminal && *terminal && !(terminal[0] == 'd' && terminal[1] == 'u');
}

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
			bool newer = is.st_mtim.tv_sec != newest.tv_sec ? is.st_mtim.tv_sec > newest.tv_sec
									: is.st_mtim.tv_nsec > newest.tv_nsec;
			if (!*path || newer) {
				newest = is.st_mtim;
				snprintf(path, PATH_MAX, "%s", found.gl_pathv[i]);
			}
		}
		globfree(&found);
	}
	if (!*path)
		return fail_set(why, FAIL_NOT_FOUND,
		                "there is no recording in this folder: record one with `skein record calls -- PROGRAM`");
	return 0;
}

static int overview_of(struct store *store, const struct lens *lens, FILE *file, struct fail *why)
{
	if (!store_has_lens(store, lens->name)) {
		fprintf(file, "%s  not measured: skein record %s -- PROGRAM\n\n", lens->name, lens->name);
		return 0;
	}
	struct view_ask ask = {0};
	struct repeated repeated;
	if (repeated_open(&repeated, store, lens, &(struct arguments){0}, true, why) < 0)
		return -1;
	void *data = lens_open(lens, store, &(struct arguments){0}, &ask, why);
	if (!data) {
		repeated_close(&repeated);
		return -1;
	}
	struct findings verdict = {0}, caveats = {0};
	struct sheet nothing;
	sheet_start(&nothing, true);
	repeated_say(&repeated, &verdict);
	lens->judge(data, &verdict, &caveats);
	fprintf(file, "%s  %s\n", lens->name, lens->question);
	struct page page = {
		.lens = lens->name, .view = "overview", .verdict = verdict.lines, .verdict_count = verdict.count, .sheet = &nothing};
	out_text(file, &page, report_width(file), report_colour(file));
	findings_free(&verdict);
	findings_free(&caveats);
	sheet_free(&nothing);
	lens_close(lens, data);
	repeated_close(&repeated);
	return 0;
}

int report_overview(struct store *store, FILE *file, struct fail *why)
{
	for (size_t i = 0; i < lens_count; i++)
		if (overview_of(store, lenses[i], file, why) < 0)
			return -1;
	return 0;
}

int report_short(const char *path, const struct lens *lens, FILE *file, struct fail *why)
{
	struct store *store = store_open(path, why);
	if (!store)
		return -1;
	struct report_ask ask = {.view = {.top = ROWS_AFTER_A_RUN}};
	int result = report_lens(store, lens, &ask, file, why);
	store_close(store);
	return result;
}
