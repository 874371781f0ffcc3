/* SPDX-License-Identifier: MIT */
/* killer.c: kills what skein runs, at an instant that is counted from its beginning.
 *
 *     killer SKEIN DELAY_US [too] [FILE LAG_MS]
 *
 * SKEIN is the process of `skein record`. Its descendants that bear another name are the subjects: the name changes with exec, so an
 * instant may lie in the loader or in the start of the runtime. With `too`, skein is killed as well. With FILE, which a `storm` writes,
 * the calls that had ended LAG_MS before the kill are printed. Exit status 1: skein ended first. */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64, STEP_US = 200, MOST_STEPS = 100000, NAME_BYTES = 32, PAGE = 4096, LAG_STEP_MS = 50, MOST_LAGS = 256 };

static bool is_skein(int pid)
{
	char path[64], name[NAME_BYTES] = "";
	snprintf(path, sizeof path, "/proc/%d/comm", pid);
	FILE *f = fopen(path, "r");
	if (!f)
		return true; /* gone: not one to kill */
	if (!fgets(name, sizeof name, f))
		strcpy(name, "skein\n");
	fclose(f);
	return strcmp(name, "skein\n") == 0;
}

/* Subjects below a process, from found[n] on; their number. */
static int find(int pid, int *found, int n)
{
	char path[64];
	int child;
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
	FILE *f = fopen(path, "r");
	if (!f)
		return n;
	while (n < MOST && fscanf(f, "%d", &child) == 1) {
		if (!is_skein(child))
			found[n++] = child;
		else
			n = find(child, found, n);
	}
	fclose(f);
	return n;
}

static uint64_t ended(const char *path)
{
	uint64_t page[PAGE / sizeof(uint64_t)] = {0};
	FILE *f = fopen(path, "r");
	if (!f)
		return 0;
	if (fread(page, sizeof page, 1, f) != 1)
		page[2] = page[5] = 0;
	fclose(f);
	return page[2] + page[5]; /* see storm.c */
}

static void pause_us(long us)
{
	nanosleep(&(struct timespec){.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000}, NULL);
}

/* Waits, and remembers what was published on the way. */
static uint64_t wait_and_watch(long delay_us, const char *path, long lag_ms)
{
	uint64_t seen[MOST_LAGS] = {0};
	long n = 0, behind = lag_ms / LAG_STEP_MS;
	for (; delay_us > LAG_STEP_MS * 1000L && n < MOST_LAGS; n++, delay_us -= LAG_STEP_MS * 1000L) {
		seen[n] = ended(path);
		pause_us(LAG_STEP_MS * 1000L);
	}
	pause_us(delay_us);
	return n > behind ? seen[n - 1 - behind] : 0;
}

int main(int argc, char **argv)
{
	bool too = argc > 3 && strcmp(argv[3], "too") == 0;
	char **watch = argv + (too ? 4 : 3);
	int subjects[MOST], n = 0, skein = argc > 2 ? atoi(argv[1]) : 0;
	if (skein <= 1)
		return 2;
	for (int i = 0; i < MOST_STEPS && kill(skein, 0) == 0 && (n = find(skein, subjects, 0)) == 0; i++)
		pause_us(STEP_US);
	if (n == 0)
		return 1;
	if (watch + 1 < argv + argc)
		printf("%llu\n", (unsigned long long)wait_and_watch(atol(argv[2]), watch[0], atol(watch[1])));
	else
		pause_us(atol(argv[2]));
	n = find(skein, subjects, 0);
	if (too)
		kill(skein, SIGKILL);
	for (int i = 0; i < n; i++)
		kill(subjects[i], SIGKILL);
	return n == 0;
}
