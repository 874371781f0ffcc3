/* SPDX-License-Identifier: MIT */
/* cmd_view.c: skein view. Writes one HTML page with everything that the reports of a recording show. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
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

/* A file that could not be written whole is removed. */
static int write_page(const struct html_ask *ask, const char *output, struct fail *why)
{
	FILE *file = fopen(output, "we");
	if (!file)
		return fail_set(why, FAIL_INTERNAL, "cannot write %.300s: %s", output, strerror(errno));
	int result = html_write(ask, file, why);
	bool bad = fflush(file) != 0 || ferror(file);
	bad |= fclose(file) != 0;
	if (result == 0 && bad)
		result = fail_set(why, FAIL_INTERNAL, "cannot write %.300s: no space left", output);
	if (result < 0)
		folder_drop_file(output);
	return result;
}

static int open_page(const char *output, struct fail *why)
{
	char *argv[] = {(char *)"xdg-open", (char *)output, NULL};
	struct spawn job = {.argv = argv};
	if (spawn_start(&job, why) < 0 || spawn_wait(&job) != 0)
		return fail_set(why, FAIL_NOT_FOUND, "cannot open a browser: open %.300s in one", output);
	return 0;
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
	int result = write_page(&ask, output, why);
	if (result == 0)
		printf("Wrote %s. Open it in a browser.\n", output);
	if (result == 0 && arguments_has(a, OPTION_OPEN))
		result = open_page(output, why);
	free(own);
	return result;
}
