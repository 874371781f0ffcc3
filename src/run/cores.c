/* SPDX-License-Identifier: MIT */
#include "run/cores.h"

#include <dirent.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "keys/session.h"

enum { DEEPEST = 64 }; /* a chain of processes that is longer is not a program's */

/* A thread, as far as it was seen. */
struct seen {
	struct cores_times times;
	unsigned looks;
	bool is_ours; /* a thread of the profiler's, not of the program's */
};

enum { LOOKS_AT_NAME = 3 }; /* a thread begins with its creator's name, and takes its own soon */

static bool is_ours(pid_t process, unsigned long tid)
{
	char path[64], name[32] = "";
	snprintf(path, sizeof path, "/proc/%d/task/%lu/comm", (int)process, tid);
	FILE *file = fopen(path, "re");
	bool ours = file && fgets(name, sizeof name, file) && strcmp(name, SESSION_HELPER "\n") == 0;
	if (file)
		fclose(file);
	return ours;
}

static void take(struct cores *cores, pid_t process, unsigned long tid, struct cores_times now)
{
	void **place = map_at(&cores->threads, tid);
	if (!*place)
		*place = memory_zeroed(1, sizeof(struct seen));
	struct seen *known = *place;
	if (now.ran_ns < known->times.ran_ns || now.wanted_ns < known->times.wanted_ns) {
		cores->ended.ran_ns += known->is_ours ? 0 : known->times.ran_ns;
		cores->ended.wanted_ns += known->is_ours ? 0 : known->times.wanted_ns;
		*known = (struct seen){0};
	}
	if (known->looks++ < LOOKS_AT_NAME)
		known->is_ours = is_ours(process, tid);
	known->times = now;
}

static void look_at(struct cores *cores, pid_t process, unsigned depth);

/* Processes that the thread started. A kernel without the file has no descendants to show. */
static void look_at_children(struct cores *cores, pid_t process, unsigned long tid, unsigned depth)
{
	char path[64];
	int child;
	snprintf(path, sizeof path, "/proc/%d/task/%lu/children", (int)process, tid);
	FILE *file = fopen(path, "re");
	while (file && fscanf(file, "%d", &child) == 1)
		look_at(cores, child, depth + 1);
	if (file)
		fclose(file);
}

static void look_at(struct cores *cores, pid_t process, unsigned depth)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/task", (int)process);
	DIR *folder = depth < DEEPEST ? opendir(path) : NULL;
	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		unsigned long tid = strtoul(entry->d_name, NULL, 10);
		struct cores_times now;
		if (!tid)
			continue;
		snprintf(path, sizeof path, "/proc/%d/task/%lu/schedstat", (int)process, tid);
		FILE *file = fopen(path, "re");
		if (file && fscanf(file, "%" SCNu64 " %" SCNu64, &now.ran_ns, &now.wanted_ns) == 2)
			take(cores, process, tid, now);
		if (file)
			fclose(file);
		look_at_children(cores, process, tid, depth);
	}
	if (folder)
		closedir(folder);
}

/* A program that has ended has no cores any more: then the last number holds. */
static void ask_allowed(struct cores *cores, pid_t process)
{
	cpu_set_t set;
	if (sched_getaffinity(process, sizeof set, &set) == 0)
		cores->allowed = (unsigned)CPU_COUNT(&set);
	else if (!cores->allowed)
		cores->allowed = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

static uint64_t above(uint64_t value, uint64_t base)
{
	return value > base ? value - base : 0;
}

void cores_look(struct cores *cores, pid_t process, uint64_t now_ns)
{
	ask_allowed(cores, process);
	look_at(cores, process, 0);
	struct cores_times sum = cores_sum(cores);
	uint64_t wanted = above(sum.wanted_ns, cores->last.wanted_ns), ready = wanted + above(sum.ran_ns, cores->last.ran_ns),
		 crowd = above(ready, cores->allowed * above(now_ns, cores->looked_ns));
	cores->ended.crowd_ns += crowd < wanted ? crowd : wanted;
	cores->last = sum;
	cores->looked_ns = now_ns;
}

struct cores_times cores_sum(const struct cores *cores)
{
	struct cores_times sum = cores->ended;
	for (size_t i = 0; i < cores->threads.room; i++) {
		const struct seen *one = cores->threads.at[i].value;
		sum.ran_ns += one && !one->is_ours ? one->times.ran_ns : 0;
		sum.wanted_ns += one && !one->is_ours ? one->times.wanted_ns : 0;
	}
	return sum;
}

void cores_free(struct cores *cores)
{
	for (size_t i = 0; i < cores->threads.room; i++)
		free(cores->threads.at[i].value);
	map_free(&cores->threads);
}
