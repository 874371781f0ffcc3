/* SPDX-License-Identifier: MIT */
#include "report/report.h"

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
