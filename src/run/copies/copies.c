/* SPDX-License-Identifier: MIT */
/* copies.c: what was asked for. */
#include "run/copies/copies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>

#include "base/spawn.h"
#include "build/args.h"

int copies_read(struct copies *copies, const struct arguments *a, struct fail *why)
{
	const char *launch = arguments_value(a, OPTION_LAUNCH);
	long count, at_once;
	memset(copies, 0, sizeof *copies);
	if (arguments_number(a, OPTION_COPIES, 1, 1, COPIES_MOST, &count, why) < 0)
		return -1;
	if (launch)
		args_split(launch, strlen(launch), &copies->launch);
	if (launch && copies->launch.count == 0)
		return fail_set(why, FAIL_USAGE, "--launch needs the command to put before the program, such as 'mpirun -n 1'");
	/* A launcher has other machines, whose cores are not known. */
	long usual = launch || (size_t)count < spawn_cores() ? count : (long)spawn_cores();
	if (arguments_number(a, OPTION_AT_ONCE, usual, 1, COPIES_MOST, &at_once, why) < 0)
		return -1;
	copies->count = (size_t)count;
	copies->at_once = (size_t)at_once;
	copies->is_shared = arguments_has(a, OPTION_SHARED_FOLDER);
	return 0;
}

void copies_free(struct copies *copies)
{
	strv_free(&copies->launch);
}

void copies_folder_of(const char *session, size_t copy, char folder[PATH_MAX])
{
	if (copy)
		snprintf(folder, PATH_MAX, "%.4000s/copy-%zu", session, copy);
	else
		snprintf(folder, PATH_MAX, "%s", session);
}

bool copies_can_fix_addresses(void)
{
	int before = personality(0xffffffff);
	if (before < 0 || personality((unsigned long)before | ADDR_NO_RANDOMIZE) < 0)
		return false;
	personality((unsigned long)before);
	return true;
}
