/* SPDX-License-Identifier: MIT */
#include "run/valgrind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/folder.h"
#include "relink/subject.h"

#define MOST_THREADS 4096 /* alive at once: each takes 7 KB from the beginning; Valgrind itself takes 500 for enough */

/* Valgrind keeps some descriptors for itself: the highest that the hard limit allows. */
enum { DESCRIPTORS_TAKEN = 12, DESCRIPTORS_LEAST = DESCRIPTORS_TAKEN + 8, FILE_BYTES_LEAST = 256 << 10 };

/* What would fail in the middle of the run, or make the program fail, is said before it. */
static int limits_allow(struct fail *why)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_max < DESCRIPTORS_LEAST)
		return fail_set(why, FAIL_INTERNAL,
		                "Valgrind takes %d of the %llu descriptors that the limit allows, which leaves the program too few: raise "
		                "the limit with `ulimit -n 64`",
		                DESCRIPTORS_TAKEN, (unsigned long long)limit.rlim_max);
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < FILE_BYTES_LEAST)
		return fail_set(why, FAIL_INTERNAL,
		                "the limit on the size of files, %llu bytes, is too small for a recording: raise it with `ulimit -f 1024`",
		                (unsigned long long)limit.rlim_cur);
	return 0;
}

int valgrind_command(const char *tool, const struct strv *options, char **argv, struct strv *command, struct strv *environment,
                     struct fail *why)
{
	if (limits_allow(why) < 0)
		return -1;
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
