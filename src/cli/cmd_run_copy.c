/* SPDX-License-Identifier: MIT */
/* cmd_run_copy.c: skein run-copy, which no person types: a launcher starts it where a copy shall run. */
#include "cli/commands.h"
#include "run/copies/one.h"

int cmd_run_copy(char **argv)
{
	struct fail why;
	if (!argv[0] || argv[1]) {
		fail_set(&why, FAIL_USAGE, "run-copy is started by `skein record --launch` and takes one argument");
		return fail_print("skein", &why);
	}
	return copies_one(argv[0]);
}
