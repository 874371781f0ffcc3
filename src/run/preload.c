/* SPDX-License-Identifier: MIT */
#include "run/preload.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/blob.h"
#include "base/folder.h"
#include "base/spawn.h"
#include "build/elf64.h"

/* ---- can it be done ---- */

/* The loader ignores what is to be preloaded into a program that gains rights. */
static bool gains_rights(const char *program, const struct stat *st)
{
	if (st->st_mode & S_ISUID && st->st_uid != getuid())
		return true;
	if (st->st_mode & S_ISGID && st->st_mode & S_IXGRP && st->st_gid != getgid())
		return true;
	return getuid() != 0 && getxattr(program, "security.capability", NULL, 0) > 0;
}

static int check_file(const char *program, const char *lens, int depth, struct fail *why);

/* A script runs in its interpreter. */
static int check_script(const char *program, struct blob file, const char *lens, int depth, struct fail *why)
{
	const char *text = (const char *)file.at;
	size_t from = 2, length;
	while (from < file.size && (text[from] == ' ' || text[from] == '\t'))
		from++;
	for (length = 0; from + length < file.size && !strchr(" \t\r\n", text[from + length]); length++)
		;
	char *interpreter = str_format("%.*s", (int)length, text + from);
	int result = depth > 4
		? fail_set(why, FAIL_CANNOT_RUN, "%s is a script for a script for a script: profile the program that is meant", program)
		: check_file(interpreter, lens, depth + 1, why);
	free(interpreter);
	return result;
}

static int check_contents(const char *program, struct blob file, const char *lens, int depth, struct fail *why)
{
	struct elf64_dynamic dynamic;
	if (file.size >= 2 && memcmp(file.at, "#!", 2) == 0)
		return check_script(program, file, lens, depth, why);
	int type = elf64_type(file);
	if (type == ET_REL)
		return fail_set(why, FAIL_CANNOT_RUN, "%s is an object file, not a program", program);
	if (type != ET_EXEC && type != ET_DYN)
		return fail_set(why, FAIL_CANNOT_RUN, "%s is not a program: it is no 64-bit ELF file", program);
	elf64_dynamic(file, &dynamic);
	bool dynamically = dynamic.interpreter, library = !dynamic.interpreter && dynamic.soname;
	elf64_dynamic_free(&dynamic);
	if (library)
		return fail_set(why, FAIL_CANNOT_RUN, "%s is a shared library: profile a program that loads it", program);
	if (!dynamically)
		return fail_set(why, FAIL_CANNOT_RUN, "%s is linked statically, where `%s` cannot be loaded: link it without -static",
		                program, lens);
	return 0;
}

static int check_file(const char *program, const char *lens, int depth, struct fail *why)
{
	struct stat st;
	struct blob file;
	if (stat(program, &st) < 0)
		return fail_set(why, FAIL_NOT_FOUND, "there is no program %s: %s", program, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fail_set(why, FAIL_CANNOT_RUN, "%s is %s, not a program", program, S_ISDIR(st.st_mode) ? "a folder" : "no file");
	if (access(program, X_OK) < 0)
		return fail_set(why, FAIL_CANNOT_RUN, "%s may not be run: %s; try `chmod +x %s`", program, strerror(errno), program);
	if (gains_rights(program, &st))
		return fail_set(
			why, FAIL_CANNOT_RUN,
			"%s runs with other rights than yours (setuid, setgid or capabilities), where nothing can be preloaded: profile a copy without them",
			program);
	if (blob_read(program, &file, why) < 0)
		return -1;
	int result = check_contents(program, file, lens, depth, why);
	blob_free(&file);
	return result;
}

int preload_check(const char *program, const char *lens, struct fail *why)
{
	return check_file(program, lens, 0, why);
}

/* ---- libgomp ---- */

/* Lets the loader do all its work but start the program: what it says about libgomp, and whether it misses anything. */
static bool loader_says(const char *program, const char *library_path, const char *answers, bool *uses_gomp)
{
	struct strv argv = {0}, environment = {0};
	struct fail ignored;
	struct blob text;
	extern char **environ;
	for (char **e = environ; *e; e++)
		if (!str_starts(*e, "LD_"))
			strv_add(&environment, *e);
	strv_add(&environment, "LD_TRACE_LOADED_OBJECTS=1");
	strv_add(&environment, "LD_WARN=yes");
	strv_add(&environment, "LD_BIND_NOW=yes");
	strv_addf(&environment, "LD_LIBRARY_PATH=%s", library_path);
	strv_add(&argv, program);
	struct spawn job = {.argv = argv.at, .input = "/dev/null", .output = answers, .errors = answers, .environment = environment.at};
	bool fits = spawn_start(&job, &ignored) == 0 && spawn_wait(&job) == 0 && blob_read(answers, &text, &ignored) == 0;
	if (fits) {
		char *copy = str_format("%.*s", (int)text.size, (const char *)text.at);
		*uses_gomp = strstr(copy, "libgomp.so.1");
		fits = !strstr(copy, "undefined symbol") && !strstr(copy, "version `");
		free(copy);
		blob_free(&text);
	}
	unlink(answers);
	strv_free(&argv);
	strv_free(&environment);
	return fits;
}

static char *prefixed(const char *name, const char *first, const char *separator)
{
	const char *before = getenv(name);
	return before && *before ? str_format("%s%s%s", first, separator, before) : str_copy(first);
}

/* True: the program's libgomp is to be libomp, which `library_path` leads to. */
static bool replace_gomp(const char *program, const char *folder, char **library_path, struct strv *notes)
{
	char *lib = str_format("%s/lib", folder), *name = str_format("%s/libgomp.so.1", lib), *answers = str_format("%s/loader", folder);
	bool uses = false, fits = false;
	if (access(SKEIN_LIBOMP, R_OK) == 0 && mkdir(lib, 0700) == 0 && symlink(SKEIN_LIBOMP, name) == 0) {
		*library_path = prefixed("LD_LIBRARY_PATH", lib, ":");
		fits = loader_says(program, *library_path, answers, &uses);
	}
	if (uses && !fits)
		strv_add(
			notes,
			"the program needs more of libgomp than LLVM's libomp has, so it ran on libgomp, which tells nobody when its threads wait: idleness is far too low. Build it with clang -fopenmp, or skein-cc");
	free(lib);
	free(name);
	free(answers);
	return fits;
}

int preload_environment(const char *library, const char *program, const char *folder, struct strv *environment, struct strv *notes,
                        struct fail *why)
{
	char *libdir = folder_libdir(), *library_path = NULL;
	if (!libdir)
		return fail_set(why, FAIL_INTERNAL,
		                "skein's own libraries are missing: there is no folder ../lib/skein beside its program; install it again");
	char *path = str_format("%s/%s", libdir, library), *all = prefixed("LD_PRELOAD", path, ":");
	if (access(path, R_OK) < 0) {
		fail_set(why, FAIL_INTERNAL, "cannot read %s: %s; install skein again", path, strerror(errno));
	} else if (strpbrk(path, " :")) {
		fail_set(why, FAIL_INTERNAL,
		         "the loader can preload no library whose path has a space or colon in it, as %s has: install skein elsewhere",
		         path);
	} else {
		strv_addf(environment, "LD_PRELOAD=%s", all);
		if (replace_gomp(program, folder, &library_path, notes))
			strv_addf(environment, "LD_LIBRARY_PATH=%s", library_path);
	}
	int result = environment->count ? 0 : -1;
	free(path);
	free(all);
	free(library_path);
	free(libdir);
	return result;
}
