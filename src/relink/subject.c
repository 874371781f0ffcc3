/* SPDX-License-Identifier: MIT */
/* subject.c: looking at a program before it is profiled. */
#include "relink/subject.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/blob.h"
#include "base/strv.h"
#include "build/elf64.h"
#include "build/note.h"
#include "build/recipe.h"

int subject_find(const char *name, char **path, struct fail *why)
{
	struct stat st;
	const char *list = getenv("PATH");

	if (strchr(name, '/')) {
		*path = str_copy(name);
		return stat(name, &st) == 0 ? 0 : fail_set(why, FAIL_NOT_FOUND, "there is no program %s: %s", name, strerror(errno));
	}
	while (list && *list && *name) {
		size_t length = strcspn(list, ":");
		*path = str_format("%.*s/%s", (int)length, length ? list : ".", name);
		if (stat(*path, &st) == 0 && S_ISREG(st.st_mode) && access(*path, X_OK) == 0)
			return 0;
		free(*path);
		list += length + (list[length] == ':');
	}
	*path = NULL;
	return stat(name, &st) == 0 && *name
		? fail_set(why, FAIL_NOT_FOUND, "there is no program %s in PATH, but one in this folder: say ./%s", name, name)
		: fail_set(why, FAIL_NOT_FOUND, "there is no program %s in PATH or in this folder", name);
}

/* libtool puts a script in the place of a program that is not yet installed. */
static int script_sentence(const char *path, struct blob file, struct fail *why)
{
	struct stat st;
	char *folder = str_folder(path), *inner = str_format("%s/.libs/%s", folder, str_base(path));
	const char *start = (const char *)file.at + 2;
	int length;

	start += strspn(start, " ");
	length = (int)strcspn(start, " \t\r\n");
	if (stat(inner, &st) == 0)
		fail_set(why, FAIL_CANNOT_RUN, "%s is libtool's script around a program: profile %s", path, inner);
	else
		fail_set(
			why, FAIL_CANNOT_RUN,
			"%s is a script: profile the program that it starts, or its interpreter (%.*s, if that was built with skein-cc) with the script as first argument",
			path, length, start);
	free(folder);
	free(inner);
	return -1;
}

static int check_contents(const char *path, const char *lens, bool counts, struct blob file, struct fail *why)
{
	struct elf64_dynamic dynamic;
	struct note note;
	int type = elf64_type(file);

	if (file.size >= 2 && memcmp(file.at, "#!", 2) == 0)
		return script_sentence(path, file, why);
	if (type == ET_REL)
		return fail_set(why, FAIL_CANNOT_RUN, "%s is an object file, not a program: link it with skein-cc first", path);
	if (type != ET_EXEC && type != ET_DYN)
		return fail_set(why, FAIL_CANNOT_RUN, "%s is not a program: it is no 64-bit ELF file", path);
	if (note_read(path, &note, why) < 0)
		return -1;
	bool is_static = recipe_is_static(&note);
	note_free(&note);
	elf64_dynamic(file, &dynamic);
	bool starts = dynamic.interpreter;
	elf64_dynamic_free(&dynamic);
	/* Threads and waits are seen through the dynamic linker: without one there are no times worth having. */
	bool is_calls = strcmp(lens, "calls") == 0;
	if (is_static && !is_calls && strcmp(lens, "input") != 0 && strcmp(lens, "paths") != 0)
		return fail_set(
			why, FAIL_CANNOT_RUN,
			"%s is linked with -static, where `%s` sees neither threads nor the end of the program: link it without -static",
			path, lens);
	if (is_static && is_calls && !counts)
		return fail_set(why, FAIL_CANNOT_RUN,
		                "%s is linked with -static, where `%s` can only count: use --counts, or link it without -static", path,
		                lens);
	if (!starts && !is_static)
		return fail_set(why, FAIL_CANNOT_RUN, "%s is a shared library: profile a program that loads it", path);
	return 0;
}

int subject_check(const char *path, const char *lens, bool counts, struct fail *why)
{
	struct stat st;
	struct blob file;

	if (stat(path, &st) < 0)
		return fail_set(why, FAIL_NOT_FOUND, "there is no program %s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return fail_set(why, FAIL_CANNOT_RUN, "%s is a folder, not a program", path);
	if (!S_ISREG(st.st_mode))
		return fail_set(why, FAIL_CANNOT_RUN, "%s is not a file", path);
	if (access(path, X_OK) < 0)
		return fail_set(why, FAIL_CANNOT_RUN, "%s may not be run: %s; try `chmod +x %s`", path, strerror(errno), path);
	if (blob_read(path, &file, why) < 0)
		return -1;
	int failed = check_contents(path, lens, counts, file, why);
	blob_free(&file);
	return failed;
}
