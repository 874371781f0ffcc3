/* SPDX-License-Identifier: MIT */
#include "run/preload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/blob.h"
#include "base/folder.h"
#include "base/spawn.h"

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
			"the program needs functions of libgomp that LLVM's libomp does not have, so it ran with libgomp. Libgomp does not report when its threads wait, so idleness is far too low. Build the program with clang -fopenmp or skein-cc");
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
		return fail_set(
			why, FAIL_INTERNAL,
			"skein's own libraries are missing: there is no folder ../lib/skein beside the folder of its program; install skein again");
	char *path = str_format("%s/%s", libdir, library), *all = prefixed("LD_PRELOAD", path, ":");
	if (access(path, R_OK) < 0) {
		fail_set(why, FAIL_INTERNAL, "cannot read %s: %s; install skein again", path, strerror(errno));
	} else if (strpbrk(path, " :")) {
		fail_set(why, FAIL_INTERNAL, "cannot preload %s, because its path has a space or a colon: install skein in another folder",
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
