/* SPDX-License-Identifier: MIT */
/* cmd_recover.c: skein recover. Makes a recording of the session of a skein that was killed. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyse/session.h"
#include "base/escape.h"
#include "base/locale.h"
#include "cli/commands.h"
#include "run/copies/brief.h"
#include "run/copies/copies.h"
#include "run/session_folder.h"
#include "store/store.h"

/* Copies are worth something only together. */
static int check_copies(const struct session_plan *plan, const char *folder, struct fail *why)
{
	size_t copies = strtoull(session_plan_setting(plan, SESSION_COPIES), NULL, 10);
	if (copies < 2)
		return 0;
	if (strcmp(session_plan_setting(plan, SESSION_COPY), "0") != 0)
		return fail_set(why, FAIL_USAGE, "%.500s is one of %zu copies, which are recovered together: name the folder above it",
		                folder, copies);
	long running = session_folder_user(folder);
	if (running)
		return fail_set(why, FAIL_INTERNAL,
		                "process %ld of the session is still running: recover the session when all processes have ended", running);
	for (size_t i = 0; i < copies && i < COPIES_MOST; i++) {
		char copy[PATH_MAX], begun[PATH_MAX + 16];
		copies_folder_of(folder, i, copy);
		snprintf(begun, sizeof begun, "%s/" COPIES_BEGUN, copy);
		if (access(begun, F_OK) < 0 || !session_folder_has_recordings(copy))
			return fail_set(
				why, FAIL_INTERNAL,
				"copy %zu of %zu did not run before skein was stopped, and the other copies are of no use without it: record again",
				i, copies);
	}
	return 0;
}

/* One line per session: the folder, what was recorded there, and whether it still is. */
static void list_session(const char *folder)
{
	struct pool pool = {0};
	struct session_plan plan;
	struct fail why;
	char path[PATH_MAX];
	const char *line;
	if (session_plan_read(&plan, folder, &why) < 0) {
		line = pool_print(&pool, "%s  cannot be recovered: %s", folder, why.text);
	} else {
		long user = realpath(folder, path) ? session_folder_user(path) : 0;
		line = pool_print(&pool, "%s  %s  %s%s", folder, plan.lens, plan.command, user ? "  (still running)" : "");
		session_plan_free(&plan);
	}
	locale_put(stdout, escape_plain(&pool, line));
	putchar('\n');
	pool_free(&pool);
}

static int list_sessions(struct fail *why)
{
	glob_t found;
	if (glob(".*.session-*", 0, NULL, &found) != 0)
		return fail_set(
			why, FAIL_NOT_FOUND,
			"there is no session in this folder: go to the folder of the recording, or name one, `skein recover FOLDER`");
	for (size_t i = 0; i < found.gl_pathc; i++)
		list_session(found.gl_pathv[i]);
	puts("To turn one into a recording, use `skein recover FOLDER`.");
	globfree(&found);
	return 0;
}

int cmd_recover(const struct arguments *a, struct fail *why)
{
	if (a->word_count == 0)
		return list_sessions(why);
	struct session_plan plan;
	char recording[PATH_MAX];
	const char *output = arguments_value(a, OPTION_OUTPUT);
	if (session_plan_read(&plan, a->words[0], why) < 0)
		return -1;
	if (check_copies(&plan, a->words[0], why) < 0) {
		session_plan_free(&plan);
		return -1;
	}
	if (output)
		snprintf(recording, sizeof recording, "%s", output);
	else
		session_default_output(plan.native, recording);
	session_plan_free(&plan);
	if (store_check_target(recording, why) < 0)
		return -1;
	return session_finish(a->words[0], recording, arguments_has(a, OPTION_KEEP_RAW), stdout, why);
}
