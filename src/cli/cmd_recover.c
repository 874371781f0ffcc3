/* SPDX-License-Identifier: MIT */
/* cmd_recover.c: skein recover. Makes a recording of the session of a skein that was killed. */
#include <stdlib.h>
#include <string.h>

#include "analyse/session.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/session_folder.h"
#include "store/store.h"

static int recover(const struct arguments *a, struct fail *why)
{
	if (a->word_count == 0)
		return fail_set(why, FAIL_USAGE, "recover needs the folder of a session: skein recover .NAME.session-…");
	struct session_plan plan;
	char recording[PATH_MAX];
	const char *output = arguments_value(a, "output");
	if (session_plan_read(&plan, a->words[0], why) < 0)
		return -1;
	if (output)
		snprintf(recording, sizeof recording, "%s", output);
	else
		session_default_output(plan.native, recording);
	session_plan_free(&plan);
	if (store_check_target(recording, why) < 0)
		return -1;
	return session_finish(a->words[0], recording, arguments_has(a, "keep-raw"), stdout, why);
}

int cmd_recover(char **argv)
{
	struct arguments a;
	struct fail why;
	if (arguments_parse(&a, "recover", 1, false, argv, &why) < 0)
		return fail_print("skein", &why);
	int result = 0;
	if (a.help)
		help_command(stdout, command_find("recover"), NULL);
	else
		result = recover(&a, &why);
	arguments_free(&a);
	return result < 0 ? fail_print("skein", &why) : 0;
}
