/* SPDX-License-Identifier: MIT */
/* cmd_merge.c: skein merge. Makes one recording of figures by rank of a folder of recordings. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/strv.h"
#include "cli/commands.h"
#include "report/ranks/collect.h"
#include "report/ranks/ranks.h"

enum { EVERY = 100 };

static void show_progress(void *context, size_t done, size_t all)
{
	(void)context;
	if (done % EVERY == 0 || done == all)
		fprintf(stderr, "\r\033[Kskein: merged %zu of %zu recordings%s", done, all, done == all ? "\n" : "");
}

/* FOLDER.skein, without the ".skein.d" or ".d" of a folder of ranks. */
static int default_output(const char *folder, char path[PATH_MAX], struct fail *why)
{
	size_t length = strlen(folder);
	while (length > 1 && folder[length - 1] == '/')
		length--;
	char *plain = str_format("%.*s", (int)length, folder);
	if (str_ends(plain, ".d"))
		plain[length - 2] = 0;
	if (str_ends(plain, ".skein"))
		plain[strlen(plain) - strlen(".skein")] = 0;
	int written = snprintf(path, PATH_MAX, "%s.all.skein", str_base(plain));
	free(plain);
	return written < PATH_MAX ? 0 : fail_set(why, FAIL_USAGE, "the name of the folder is too long: choose a file with -o");
}

static int export(const char *folder, const char *to, struct fail *why)
{
	struct store *store = collect_open(folder, why);
	int result = store ? 0 : -1;
	if (store && !store_has_parts(store))
		result = fail_set(why, FAIL_USAGE, "%.300s is neither a folder of recordings nor a merged recording", folder);
	if (result == 0)
		result = ranks_export(store, to, why);
	store_close(store);
	return result;
}

int cmd_merge(const struct arguments *a, struct fail *why)
{
	const char *output = arguments_value(a, OPTION_OUTPUT), *csv = arguments_value(a, OPTION_CSV_FOLDER);
	char path[PATH_MAX];
	size_t count;
	struct pool pool = {0};
	if (a->word_count == 0)
		return fail_set(why, FAIL_USAGE, "merge needs a folder of recordings: skein merge prog.skein.d -o all.skein");
	if (csv && output)
		return fail_set(why, FAIL_USAGE, "--csv writes files into a folder, -o a recording: give one of them");
	if (csv)
		return export(a->words[0], csv, why);
	if (!collect_is_folder(a->words[0]) && access(a->words[0], F_OK) == 0)
		return fail_set(why, FAIL_USAGE, "%.300s is not a folder: merge takes a folder of recordings", a->words[0]);
	if (output)
		snprintf(path, sizeof path, "%s", output);
	else if (default_output(a->words[0], path, why) < 0)
		return -1;
	if (store_check_target(path, why) < 0 ||
	    collect_merge(a->words[0], path, &count, isatty(STDERR_FILENO) ? show_progress : NULL, NULL, why) < 0)
		return -1;
	printf("Merged %zu recordings into %s; see `skein report %s`.\n", count, escape_plain(&pool, path), escape_plain(&pool, path));
	pool_free(&pool);
	return 0;
}
