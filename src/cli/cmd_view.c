/* SPDX-License-Identifier: MIT */
/* cmd_view.c: skein view. Writes one HTML page with everything that the reports of a recording show. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/spawn.h"
#include "base/strv.h"
#include "cli/commands.h"
#include "report/html/html.h"
#include "report/report.h"

/* PROGRAM.html of ./runs/PROGRAM.skein */
static char *page_of(const char *recording)
{
	const char *base = str_base(recording);
	size_t length = strlen(base);
	if (str_ends(base, ".skein") && length > 6)
		length -= 6;
	return str_format("%.*s.html", (int)length, base);
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat is[2];
	return stat(a, &is[0]) == 0 && stat(b, &is[1]) == 0 && is[0].st_dev == is[1].st_dev && is[0].st_ino == is[1].st_ino;
}

static int check_files(const struct html_ask *ask, const char *output, struct fail *why)
{
	for (size_t i = 0; i < ask->count; i++)
		if (is_same_file(ask->paths[i], output))
			return fail_set(why, FAIL_USAGE, "%.300s is the recording itself: give the page another name with -o PAGE.html",
			                output);
	if (ask->count == 2 && is_same_file(ask->paths[0], ask->paths[1]))
		return fail_set(why, FAIL_USAGE, "%.300s and %.300s are the same file: give two recordings to compare them", ask->paths[0],
		                ask->paths[1]);
	return 0;
}

/* The file is touched only when all that it will hold is known. What could not be written whole is removed. */
static int write_page(const struct html_page *page, const char *output, struct fail *why)
{
	FILE *file = fopen(output, "we");
	if (!file)
		return fail_set(why, FAIL_INTERNAL, "cannot write %.300s: %s", output, strerror(errno));
	int result = html_write(page, file, why);
	bool bad = fflush(file) != 0 || ferror(file);
	bad |= fclose(file) != 0;
	if (result == 0 && bad)
		result = fail_set(why, FAIL_INTERNAL, "cannot write %.300s: no space left", output);
	if (result < 0)
		folder_drop_file(output);
	return result;
}

static int make_page(const struct html_ask *ask, const char *output, struct fail *why)
{
	struct html_page page;
	if (check_files(ask, output, why) < 0)
		return -1;
	int result = html_make(&page, ask, why);
	if (result == 0)
		result = write_page(&page, output, why);
	html_free(&page);
	return result;
}

/* By its whole path: a name alone could look like an option or an address. */
static int open_page(const char *output, struct fail *why)
{
	char *folder = folder_here(why), *path = folder ? str_absolute(folder, output) : NULL;
	char *argv[] = {(char *)"xdg-open", path, NULL};
	struct spawn job = {.argv = argv, .errors = "/dev/null"};
	int result = path && spawn_start(&job, why) == 0 && spawn_wait(&job) == 0 ? 0 : -1;
	if (path && result < 0)
		fail_set(why, FAIL_NOT_FOUND, "cannot open a browser: open %.300s in one yourself", output);
	free(path);
	free(folder);
	return result;
}

int cmd_view(const struct arguments *a, struct fail *why)
{
	char newest[PATH_MAX];
	const char *paths[2] = {newest};
	struct html_ask ask = {.paths = paths,
	                       .count = a->word_count ? a->word_count : 1,
	                       .with_source = !arguments_has(a, OPTION_NO_SOURCE)};
	if (!a->word_count && report_newest(newest, why) < 0)
		return -1;
	for (size_t i = 0; i < a->word_count; i++)
		paths[i] = a->words[i];
	const char *output = arguments_value(a, OPTION_OUTPUT);
	char *own = output ? NULL : page_of(paths[ask.count - 1]);
	output = output ? output : own;
	int result = make_page(&ask, output, why);
	if (result == 0)
		printf("Wrote %s. Open it in a browser.\n", output);
	if (result == 0 && arguments_has(a, OPTION_OPEN))
		result = open_page(output, why);
	free(own);
	return result;
}
