/* SPDX-License-Identifier: MIT */
/* cmd_doctor.c: skein doctor. One line a thing that Skein needs, and the command that brings it where it is missing. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "relink/cache.h"
#include "relink/subject.h"
#include "run/events.h"
#include "run/lens.h"
#include "run/valgrind.h"

static bool say(bool good, const char *what, const char *where, const char *remedy)
{
	if (good)
		printf("ok       %-22s %s\n", what, where);
	else
		printf("missing  %-22s %s\n", what, remedy);
	return good;
}

static const struct {
	const char *program, *package, *why;
} tools[] = {
	{"clang-19", "clang-19", "compiles sources for skein-cc"},
	{"ld.lld-19", "lld-19", "re-links programs for a lens"},
	{"llvm-ar-19", "llvm-19", "creates archives of objects with bitcode"},
	{"valgrind", "valgrind", "records programs that skein-cc did not build, for the input lens"},
};

static bool check_tools(void)
{
	bool good = true;
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		char *path = NULL, remedy[200];
		struct fail why;
		snprintf(remedy, sizeof remedy, "%s: apt-get install %s", tools[i].why, tools[i].package);
		bool found = subject_find(tools[i].program, &path, &why) == 0;
		good &= say(found, tools[i].program, path, remedy);
		free(path);
	}
	return good;
}

static bool check_openmp(void)
{
	static const char *const places[] = {"/usr/lib/llvm-19/lib/libomp.so", "/usr/lib/llvm-19/lib/libomp.so.5", "/usr/lib/libomp.so"};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (access(places[i], R_OK) == 0)
			return say(true, "libomp", places[i], "");
	return say(false, "libomp", "", "runs OpenMP programs: apt-get install libomp-19-dev");
}

/* Skein's own files lie in ../lib/skein, seen from its program. */
static bool check_own_files(void)
{
	char folder[PATH_MAX], path[PATH_MAX + 64];
	ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
	folder[length > 0 ? length : 0] = 0;
	for (int up = 0; up < 2; up++) {
		char *slash = strrchr(folder, '/');
		if (slash)
			*slash = 0;
	}
	bool good = true;
	const char *names[32] = {"libskein-pass.so", "libskein-rt.so", "view.html"};
	char hooks[8][40], simulators[8][40];
	size_t count = 3;
	for (size_t i = 0; i < run_lens_count && i < 8; i++) {
		snprintf(hooks[i], sizeof hooks[i], "hooks-%s.o", run_lenses[i]->lens->name);
		names[count++] = run_lenses[i]->preload ? run_lenses[i]->preload : hooks[i];
		if (run_lenses[i]->tool) {
			snprintf(simulators[i], sizeof simulators[i], VALGRIND_TOOL_FILE, run_lenses[i]->tool);
			names[count++] = simulators[i];
		}
	}
	for (const char **name = names; *name; name++) {
		snprintf(path, sizeof path, "%s/lib/skein/%s", folder, *name);
		good &= say(access(path, R_OK) == 0, *name, path, "part of Skein itself: install skein again");
	}
	return good;
}

/* Nothing fails without it, so it is never missing. */
static void check_clock(void)
{
	struct event clock;
	struct fail why;
	events_find("cpu-clock", &clock);
	bool fine = events_try(&clock, "", &why) == 0;
	printf("%-8s %-22s %s\n", fine ? "ok" : "coarse", "sampling clock",
	       fine ? "perf events of the kernel"
	            : "the kernel refuses perf events: idle samples at most 250 times per second and cannot see waits in raw system calls, flow cannot see when threads have no core; lower /proc/sys/kernel/perf_event_paranoid to 2");
}

static bool check_cache(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char path[PATH_MAX];
	if (cache && *cache)
		snprintf(path, sizeof path, "%s", cache);
	else
		snprintf(path, sizeof path, "%s/.cache", home && *home ? home : "");
	/* The folder is made when it is needed: the nearest existing folder above must be writable. */
	char at[PATH_MAX];
	snprintf(at, sizeof at, "%s", path);
	while (*at && access(at, F_OK) < 0) {
		char *slash = strrchr(at, '/');
		if (!slash)
			break;
		*slash = 0;
	}
	struct cache open;
	struct fail unsaid;
	size_t length = strlen(path);
	if (cache_open(&open, &unsaid) == 0) {
		struct cache_size size = cache_measure(&open);
		snprintf(path + length, sizeof path - length, "/skein, %zu entr%s, %llu of %llu MiB", size.entries,
		         size.entries == 1 ? "y" : "ies", (unsigned long long)size.bytes >> 20, (unsigned long long)size.limit >> 20);
		cache_close(&open);
	}
	return say(*at && access(at, W_OK) == 0, "cache folder", path, "set XDG_CACHE_HOME to a folder that you can write to");
}

int cmd_doctor(const struct arguments *a, struct fail *why)
{
	(void)a;
	(void)why;
	bool good = check_tools();
	good &= check_openmp();
	good &= check_own_files();
	good &= check_cache();
	check_clock();
	puts(good ? "Nothing is missing." : "Something is missing: run the commands shown beside it.");
	return good ? 0 : 1;
}
