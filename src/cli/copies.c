/* SPDX-License-Identifier: MIT */
/* copies.c: what was asked for, and the re-links. */
#include "cli/copies.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build/args.h"

static size_t core_count(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
	return count > 0 ? (size_t)count : 1;
}

int copies_read(struct copies *copies, const struct arguments *a, struct fail *why)
{
	const char *launch = arguments_value(a, "launch");
	long count, at_once;
	memset(copies, 0, sizeof *copies);
	if (arguments_number(a, "copies", 1, 1, COPIES_MOST, &count, why) < 0)
		return -1;
	if (launch)
		args_split(launch, strlen(launch), &copies->launch);
	if (launch && copies->launch.count == 0)
		return fail_set(why, FAIL_USAGE, "--launch needs the words to put before the program, such as 'mpirun -n 1'");
	/* Who launches has other machines, of which we know nothing. */
	long usual = launch || (size_t)count < core_count() ? count : (long)core_count();
	if (arguments_number(a, "at-once", usual, 1, COPIES_MOST, &at_once, why) < 0)
		return -1;
	copies->count = (size_t)count;
	copies->at_once = (size_t)at_once;
	copies->is_shared = arguments_has(a, "shared-folder");
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

static int link_one(const struct relink_request *ask, size_t count, size_t copy, struct relink_result *linked, struct fail *why)
{
	struct relink_request mine = *ask;
	struct strv plan = {0};
	for (const char *const *p = ask->plan; p && *p; p++)
		strv_add(&plan, *p);
	if (count > 1) {
		strv_addf(&plan, "COPIES=%zu", count);
		strv_addf(&plan, "COPY=%zu", copy);
	}
	mine.plan = (const char *const *)plan.at;
	int result = relink_program(&mine, linked, why);
	strv_free(&plan);
	return result;
}

/* Fills the cache. What fails here fails again below, where it can be told. */
static void link_at_once(const struct relink_request *ask, size_t count)
{
	size_t running = 0, most = core_count();
	struct relink_request quiet = *ask;
	quiet.progress = NULL;
	fflush(NULL);
	for (size_t copy = 0; copy < count; copy++) {
		if (running == most && wait(NULL) > 0)
			running--;
		pid_t child = fork();
		if (child == 0) {
			struct relink_result linked;
			struct fail unsaid;
			_exit(link_one(&quiet, count, copy, &linked, &unsaid) < 0);
		}
		running += child > 0;
	}
	while (running && wait(NULL) > 0)
		running--;
}

int copies_link(const struct copies *copies, const struct relink_request *ask, struct relink_result *linked, struct fail *why)
{
	if (copies->count > 1) {
		if (ask->progress) {
			char *text = str_format("re-linking %s for %s, %zu copies", str_base(ask->program), ask->lens, copies->count);
			ask->progress(ask->context, text);
			free(text);
		}
		link_at_once(ask, copies->count);
	}
	for (size_t i = 0; i < copies->count; i++)
		if (link_one(ask, copies->count, i, &linked[i], why) < 0) {
			while (i--)
				relink_result_free(&linked[i]);
			return -1;
		}
	return 0;
}
