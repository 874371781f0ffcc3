/* SPDX-License-Identifier: MIT */
#include "run/valgrind.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/blob.h"
#include "base/folder.h"
#include "build/elf64.h"
#include "relink/subject.h"

#define MOST_THREADS 4096 /* alive at once: each takes 7 KB from the beginning; Valgrind itself takes 500 for enough */

static int check_contents(const char *program, struct blob file, struct fail *why)
{
	struct elf64_dynamic dynamic;
	if (file.size >= 2 && memcmp(file.at, "#!", 2) == 0)
		return 0; /* its interpreter runs there */
	int type = elf64_type(file);
	if (type == ET_REL)
		return fail_set(why, FAIL_CANNOT_RUN, "%s is an object file, not a program", program);
	if (type != ET_EXEC && type != ET_DYN)
		return fail_set(why, FAIL_CANNOT_RUN, "%s is not a program: it is no 64-bit ELF file", program);
	elf64_dynamic(file, &dynamic);
	bool library = !dynamic.interpreter && dynamic.soname;
	elf64_dynamic_free(&dynamic);
	return library ? fail_set(why, FAIL_CANNOT_RUN, "%s is a shared library: profile a program that loads it", program) : 0;
}

int valgrind_check(const char *program, struct fail *why)
{
	struct stat st;
	struct blob file;
	if (stat(program, &st) < 0)
		return fail_set(why, FAIL_NOT_FOUND, "there is no program %s: %s", program, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fail_set(why, FAIL_CANNOT_RUN, "%s is %s, not a program", program, S_ISDIR(st.st_mode) ? "a folder" : "no file");
	if (access(program, X_OK) < 0)
		return fail_set(why, FAIL_CANNOT_RUN, "%s may not be run: %s; try `chmod +x %s`", program, strerror(errno), program);
	if ((st.st_mode & S_ISUID && st.st_uid != getuid()) || (st.st_mode & S_ISGID && st.st_mode & S_IXGRP && st.st_gid != getgid()))
		return fail_set(
			why, FAIL_CANNOT_RUN,
			"%s runs with other rights than yours (setuid or setgid), which it would not have under Valgrind: profile a copy without them",
			program);
	if (blob_read(program, &file, why) < 0)
		return -1;
	int result = check_contents(program, file, why);
	blob_free(&file);
	return result;
}

int valgrind_command(const char *tool, const struct strv *options, char **argv, struct strv *command, struct strv *environment,
                     struct fail *why)
{
	char *valgrind = NULL, *libdir = folder_libdir();
	struct fail unsaid;
	if (!libdir)
		return fail_set(why, FAIL_INTERNAL,
		                "skein's own libraries are missing: there is no folder ../lib/skein beside its program; install it again");
	char *ours = str_format("%s/" VALGRIND_TOOL_FILE, libdir, tool);
	if (subject_find("valgrind", &valgrind, &unsaid) < 0) {
		fail_set(why, FAIL_INTERNAL,
		         "the input lens runs programs under Valgrind, which is not installed: apt-get install valgrind");
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
