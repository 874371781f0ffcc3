/* SPDX-License-Identifier: MIT */
/* skein: a profiler for parallel programs. Looks the command up and runs it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"

int main(int argc, char **argv)
{
	/* A limit on the size of files shall be an error that can be reported, not a death. */
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		help_overview(stderr);
		return FAIL_USAGE;
	}
	const char *name = argv[1];
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		name = "help";
	else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
		name = "version";
	if (strcmp(name, "run-copy") == 0) /* not for people: what a launcher starts */
		return cmd_run_copy(argv + 2);
	const struct command *command = command_find(name);
	if (command)
		return command_run(command, argv + 2);
	struct fail why;
	command_unknown(name, &why);
	return fail_print("skein", &why);
}
