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

#define MPI_WRAPPER "libskein-mpi.so"

/* Lets the loader do all its work but start the program; what it says, or NULL. The caller frees. */
static char *loader_text(const char *program, const char *library_path, const char *answers)
{
	char *copy = NULL;
	struct strv argv = {0}, environment = {0};
	struct fail ignored;
	struct blob text;
	extern char **environ;
	for (char **e = environ; *e; e++)
		if (!str_starts(*e, "LD_") || (!library_path && str_starts(*e, "LD_LIBRARY_PATH=")))
			strv_add(&environment, *e);
	strv_add(&environment, "LD_TRACE_LOADED_OBJECTS=1");
	strv_add(&environment, "LD_WARN=yes");
	strv_add(&environment, "LD_BIND_NOW=yes");
	if (library_path)
		strv_addf(&environment, "LD_LIBRARY_PATH=%s", library_path);
	strv_add(&argv, program);
	struct spawn job = {.argv = argv.at, .input = "/dev/null", .output = answers, .errors = answers, .environment = environment.at};
	if (spawn_start(&job, &ignored) == 0 && spawn_wait(&job) == 0 && blob_read(answers, &text, &ignored) == 0) {
		copy = str_format("%.*s", (int)text.size, (const char *)text.at);
		blob_free(&text);
	}
	unlink(answers);
	strv_free(&argv);
	strv_free(&environment);
	return copy;
}

/* What it says about libgomp, and whether it misses anything. */
static bool loader_says(const char *program, const char *library_path, const char *answers, bool *uses_gomp)
{
	char *text = loader_text(program, library_path, answers);
	bool fits = text && !strstr(text, "undefined symbol") && !strstr(text, "version `");
	*uses_gomp = text && strstr(text, "libgomp.so.1");
	free(text);
	return fits;
}

/* Other loaders than glibc's would start the program. */
bool preload_uses_mpi(const char *program, const char *loader, const char *folder)
{
	if (!loader || !strstr(loader, "/ld-linux"))
		return false;
	char *answers = str_format("%s/loader", folder), *text = loader_text(program, NULL, answers);
	bool uses = text && strstr(text, "\tlibmpi");
	free(text);
	free(answers);
	return uses;
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

/* A library of ours, as the loader takes it; NULL: `why` says so. The caller frees. */
static char *own_library(const char *name, struct fail *why)
{
	char *libdir = folder_libdir();
	if (!libdir) {
		fail_set(
			why, FAIL_INTERNAL,
			"skein's own libraries are missing: there is no folder ../lib/skein beside the folder of its program; install skein again");
		return NULL;
	}
	char *path = str_format("%s/%s", libdir, name);
	free(libdir);
	bool fits = access(path, R_OK) == 0;
	if (!fits)
		fail_set(why, FAIL_INTERNAL, "cannot read %s: %s; install skein again", path, strerror(errno));
	else if (strpbrk(path, " :")) {
		fits = false;
		fail_set(why, FAIL_INTERNAL, "cannot preload %s, because its path has a space or a colon: install skein in another folder",
		         path);
	}
	if (fits)
		return path;
	free(path);
	return NULL;
}

static void add_preload(struct strv *environment, const char *first, const char *second)
{
	char *both = second ? str_format("%s:%s", first, second) : str_copy(first), *all = prefixed("LD_PRELOAD", both, ":");
	strv_addf(environment, "LD_PRELOAD=%s", all);
	free(both);
	free(all);
}

int preload_mpi(struct strv *environment, struct fail *why)
{
	char *path = own_library(MPI_WRAPPER, why);
	if (path)
		add_preload(environment, path, NULL);
	bool fits = path != NULL;
	free(path);
	return fits ? 0 : -1;
}

int preload_environment(const char *library, bool uses_mpi, const char *program, const char *folder, struct strv *environment,
                        struct strv *notes, struct fail *why)
{
	char *path = own_library(library, why), *wrapper = path && uses_mpi ? own_library(MPI_WRAPPER, why) : NULL, *library_path = NULL;
	bool fits = path && (wrapper || !uses_mpi);
	if (fits) {
		add_preload(environment, path, wrapper);
		if (replace_gomp(program, folder, &library_path, notes))
			strv_addf(environment, "LD_LIBRARY_PATH=%s", library_path);
	}
	free(path);
	free(wrapper);
	free(library_path);
	return fits ? 0 : -1;
}
