/* SPDX-License-Identifier: MIT */
/* cmd_export.c: skein export. Writes what a recording holds in a form that other tools read. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "report/paths/export.h"
#include "report/report.h"
#include "store/store.h"

static const struct format {
	const char *name;
	int (*write)(const struct paths *paths, FILE *file, struct fail *why);
} formats[] = {{"lcov", export_lcov}, {"llvm-profdata", export_profdata}};

static const struct format *find(const char *name, struct fail *why)
{
	const char *names[sizeof formats / sizeof *formats + 1] = {NULL};
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
		names[i] = formats[i].name;
	}
	const char *near = nearest(name, names);
	if (near)
		fail_set(why, FAIL_USAGE, "there is no format %.100s; did you mean %s?", name, near);
	else
		fail_set(why, FAIL_USAGE, "there is no format %.100s; the formats are lcov and llvm-profdata", name);
	return NULL;
}

/* Into the file, or to standard output. A file that could not be written whole is removed. */
static int write_to(const char *output, const struct format *format, const struct paths *paths, struct fail *why)
{
	if (paths_are_partial(paths))
		return fail_set(why, FAIL_USAGE,
		                "only some paths were counted (--only-paths), which says nothing of lines: record all of them");
	FILE *file = output ? fopen(output, "we") : stdout;
	if (!file)
		return fail_set(why, FAIL_INTERNAL, "cannot write %.300s: %s", output, strerror(errno));
	int result = format->write(paths, file, why);
	bool bad = fflush(file) != 0 || ferror(file);
	if (output)
		bad |= fclose(file) != 0;
	if (result == 0 && bad)
		result = fail_set(why, FAIL_INTERNAL, "cannot write %.300s: no space left, or the reader went away",
		                  output ? output : "the export");
	if (result < 0 && output)
		unlink(output);
	return result;
}

int cmd_export(const struct arguments *a, struct fail *why)
{
	char path[PATH_MAX];
	if (a->word_count == 0)
		return fail_set(why, FAIL_USAGE, "export needs a format: skein export lcov");
	const struct format *format = find(a->words[0], why);
	if (!format)
		return -1;
	if (a->word_count > 1)
		snprintf(path, sizeof path, "%s", a->words[1]);
	else if (report_newest(path, why) < 0)
		return -1;
	struct store *store = store_open(path, why);
	if (!store)
		return -1;
	struct run run;
	struct paths paths;
	int result = store_load_paths(store, &run, &paths, why);
	if (result == 0) {
		result = write_to(arguments_value(a, OPTION_OUTPUT), format, &paths, why);
		paths_free(&paths);
		run_free(&run);
	}
	store_close(store);
	return result;
}
