/* SPDX-License-Identifier: MIT */
#include "build/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/spawn.h"

bool driver_is_divided(const struct args *args)
{
	size_t sources = 0;

	for (size_t i = 0; i < args->inputs_count; i++)
		sources += args->inputs[i].kind != ARGS_LINKED;
	return args->action == ARGS_LINK ? sources > 0 : args->action == ARGS_COMPILE && sources > 1;
}

/* `clang-19: warning: text [-Wname]`: said here, and by none of the parts. */
static void take_warning(const char *line, struct strv *quiet)
{
	static const char name[] = "[-W";
	const char *end = strrchr(line, ']'), *start = strstr(line, name);

	fprintf(stderr, "%s\n", line);
	while (start && strstr(start + 1, name))
		start = strstr(start + 1, name);
	if (start && end > start)
		strv_addf(quiet, "-Wno-%.*s", (int)(end - start - 3), start + 3);
}

static int ask(struct args *args, const char *driver, const char *log, bool *accepts, struct fail *why)
{
	struct strv words = {0}, lines = {0};
	char *warning = str_format("%s: warning: ", driver);

	strv_add(&words, driver);
	strv_add_all(&words, &args->words);
	strv_add(&words, "-###");
	struct spawn whole = {.argv = words.at, .errors = log, .output = "/dev/null"};
	int failed = spawn_start(&whole, why);
	*accepts = !failed && spawn_wait(&whole) == 0;
	if (*accepts)
		strv_read(&lines, log);
	for (size_t i = 0; i < lines.count; i++)
		if (str_starts(lines.at[i], warning))
			take_warning(lines.at[i], &args->quiet);
	strv_free(&words);
	strv_free(&lines);
	free(warning);
	return failed;
}

int driver_ask(struct args *args, const char *driver, bool *accepts, struct fail *why)
{
	char *folder = folder_temporary(why), *log = folder ? str_format("%s/log", folder) : NULL;
	int failed = log ? ask(args, driver, log, accepts, why) : -1;

	if (folder)
		folder_remove(folder);
	free(folder);
	free(log);
	return failed;
}
