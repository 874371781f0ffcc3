/* SPDX-License-Identifier: MIT */
/* cmd_export.c: skein export. Writes what a recording holds in a form that other tools read. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/folder.h"
#include "cli/commands.h"
#include "report/lens.h"
#include "report/report.h"

enum { MOST_FORMATS = 32 };

/* The format of that name, and the lens that has it. */
static const struct export_format *find(const char *name, const struct lens **lens, struct fail *why)
{
	const char *names[MOST_FORMATS + 1];
	char list[200] = "";
	size_t count = 0;
	for (size_t i = 0; i < lens_count; i++)
		for (const struct export_format *f = lenses[i]->exports; f && f->name && count < MOST_FORMATS; f++) {
			*lens = lenses[i];
			if (strcmp(f->name, name) == 0)
				return f;
			snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", count ? ", " : "", f->name);
			names[count++] = f->name;
		}
	names[count] = NULL;
	const char *near = nearest(name, names);
	if (near)
		fail_set(why, FAIL_USAGE, "there is no format %.100s; did you mean %s?", name, near);
	else
		fail_set(why, FAIL_USAGE, "there is no format %.100s; the formats are %s", name, list);
	return NULL;
}

/* Into the file, or to standard output. A file that could not be written whole is removed. */
static int write_to(const char *output, const struct export_format *format, const void *data, struct fail *why)
{
	if (format->check && format->check(data, why) < 0)
		return -1;
	FILE *file = output ? fopen(output, "we") : stdout;
	if (!file)
		return fail_set(why, FAIL_INTERNAL, "cannot write %.300s: %s", output, strerror(errno));
	int result = format->write(data, file, why);
	bool bad = fflush(file) != 0 || ferror(file);
	if (output)
		bad |= fclose(file) != 0;
	if (result == 0 && bad)
		result = fail_set(why, FAIL_INTERNAL, "cannot write %.300s: no space left, or the reader closed the pipe",
		                  output ? output : "the export");
	if (result < 0 && output)
		folder_drop_file(output);
	return result;
}

int cmd_export(const struct arguments *a, struct fail *why)
{
	char path[PATH_MAX];
	const struct lens *lens;
	struct view_ask ask = {0};
	if (a->word_count == 0)
		return fail_set(why, FAIL_USAGE, "export needs a format: skein export lcov");
	const struct export_format *format = find(a->words[0], &lens, why);
	if (!format)
		return -1;
	if (a->word_count > 1)
		snprintf(path, sizeof path, "%s", a->words[1]);
	else if (report_newest(path, why) < 0)
		return -1;
	struct store *store = store_open(path, why);
	void *data = store ? lens_open(lens, store, a, &ask, why) : NULL;
	int result = data ? write_to(arguments_value(a, OPTION_OUTPUT), format, data, why) : -1;
	if (data)
		lens_close(lens, data);
	store_close(store);
	return result;
}
