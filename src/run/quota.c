/* SPDX-License-Identifier: MIT */
/* quota.c: reads cpu.max (version 2) or cpu.cfs_quota_us (version 1) of the control group of a process and of those around it. */
#include "run/quota.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

static unsigned tighter(unsigned now, double cores)
{
	unsigned whole = (unsigned)number_within(ceil(cores), 0, UINT_MAX);
	if (!(cores > 0))
		return now;
	whole = whole ? whole : 1;
	return now && now < whole ? now : whole;
}

static double read_max(const char *folder)
{
	char path[PATH_MAX + 32];
	double quota = 0, period = 0;
	snprintf(path, sizeof path, "%s/cpu.max", folder);
	FILE *f = fopen(path, "re");
	if (!f)
		return 0;
	int got = fscanf(f, "%lf %lf", &quota, &period);
	fclose(f);
	return got == 2 && period > 0 ? quota / period : 0;
}

static double read_number(const char *folder, const char *name)
{
	char path[PATH_MAX + 32];
	double value = 0;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "re");
	if (f && fscanf(f, "%lf", &value) != 1)
		value = 0;
	if (f)
		fclose(f);
	return value;
}

/* From the group itself up to the root of the hierarchy. */
static unsigned climb(const char *root, char *group, unsigned cores)
{
	char folder[PATH_MAX];
	for (;;) {
		snprintf(folder, sizeof folder, "%s%s", root, group);
		double period = read_number(folder, "cpu.cfs_period_us");
		cores = tighter(cores, read_max(folder));
		if (period > 0)
			cores = tighter(cores, read_number(folder, "cpu.cfs_quota_us") / period);
		char *slash = strrchr(group, '/');
		if (!slash)
			return cores;
		*slash = 0;
	}
}

unsigned quota_cores_of(const char *process)
{
	char line[PATH_MAX], path[64];
	unsigned cores = 0;
	snprintf(path, sizeof path, "/proc/%.32s/cgroup", process);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f)) {
		char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;
		if (!group)
			continue;
		*group++ = 0;
		group[strcspn(group, "\n")] = 0;
		if (strcmp(names, ":") == 0)
			cores = climb("/sys/fs/cgroup", group, cores);
		else if (strstr(names, "cpu"))
			cores = climb("/sys/fs/cgroup/cpu", group, cores);
	}
	if (f)
		fclose(f);
	return cores;
}

unsigned quota_cores(void)
{
	return quota_cores_of("self");
}
