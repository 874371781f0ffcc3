/* SPDX-License-Identifier: MIT */
#include "run/valgrind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "relink/subject.h"

#define MOST_THREADS 4096 /* alive at once: each takes 7 KB from the beginning; Valgrind itself takes 500 for enough */

int valgrind_command(const char *tool, const struct strv *options, char **argv, struct strv *command, struct strv *environment,
                     struct fail *why)
{
	char *valgrind = NULL, *libdir = folder_libdir();
	struct fail unsaid;
	if (!libdir)
		return fail_set(
			why, FAIL_INTERNAL,
			"skein's own libraries are missing: there is no folder ../lib/skein beside the folder of its program; install skein again");
	char *ours = str_format("%s/" VALGRIND_TOOL_FILE, libdir, tool);
	if (subject_find("valgrind", &valgrind, &unsaid) < 0) {
		fail_set(why, FAIL_INTERNAL,
		         "the input lens runs this program under Valgrind, which is not installed: run `apt-get install valgrind`");
	} else if (access(ours, X_OK) < 0) {
		fail_set(why, FAIL_INTERNAL, "cannot run %s: %s; install skein again", ours, strerror(errno));
	} else {
		strv_add(command, valgrind);
		strv_addf(command, "--tool=%s", tool);
		strv_add(command, "-q");
		strv_add(command, "--log-file=/dev/null"); /* what it says would be among what the program says */
		strv_add(command, "--vgdb=no");
		strv_add(command, "--demangle=no");
		strv_add(command, "--fair-sched=yes");
		strv_add(command, "--trace-children=yes");
		strv_addf(command, "--max-threads=%d", MOST_THREADS);
		for (size_t i = 0; i < options->count; i++)
			strv_add(command, options->at[i]);
		for (; *argv; argv++)
			strv_add(command, *argv);
		strv_addf(environment, "VALGRIND_LIB=%s/valgrind", libdir);
	}
	free(valgrind);
	free(ours);
	free(libdir);
	return command->count ? 0 : -1;
}
