/* SPDX-License-Identifier: MIT */
/* cmd_snapshot.c: skein snapshot. Makes a recording of what a program has done until now. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/session.h"
#include "cli/commands.h"
#include "run/session_folder.h"
#include "run/snapshot.h"
#include "store/store.h"

static int read_pid(const struct arguments *a, long *pid, struct fail *why)
{
	char *end;
	if (a->word_count != 1)
		return fail_set(why, FAIL_USAGE, "name the process: `skein snapshot PID`");
	*pid = strtol(a->words[0], &end, 10);
	if (*end || *pid <= 0)
		return fail_set(why, FAIL_USAGE, "%.100s is not the number of a process", a->words[0]);
	return 0;
}

/* PROGRAM.now.skein in this folder: the recording of the whole run comes later, and has another name. */
static int choose_output(const struct arguments *a, const char *folder, char recording[PATH_MAX], struct fail *why)
{
	struct session_plan plan;
	const char *output = arguments_value(a, OPTION_OUTPUT);
	if (session_plan_read(&plan, folder, why) < 0)
		return -1;
	session_default_output(plan.native, recording);
	session_plan_free(&plan);
	size_t stem = strlen(recording) - strlen(".skein");
	if (output)
		snprintf(recording, PATH_MAX, "%s", output);
	else
		snprintf(recording + stem, PATH_MAX - stem, ".now.skein");
	return store_check_target(recording, why);
}

int cmd_snapshot(const struct arguments *a, struct fail *why)
{
	long pid = 0;
	char folder[PATH_MAX], copy[PATH_MAX], recording[PATH_MAX];
	if (read_pid(a, &pid, why) < 0 || snapshot_find(pid, folder, why) < 0 || choose_output(a, folder, recording, why) < 0 ||
	    snapshot_copy(folder, recording, copy, why) < 0)
		return -1;
	int result = session_finish(copy, recording, false, stdout, why);
	if (result < 0)
		session_folder_remove(copy);
	return result;
}
