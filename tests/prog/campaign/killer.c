/* SPDX-License-Identifier: MIT */
/* killer.c: kills what skein runs, at an instant that is counted from its beginning.
 *
 *     killer SKEIN DELAY_US [too] [FILE LAG_MS | FILE end]
 *
 * SKEIN is the process of `skein record`. Its descendants that bear another name are the subjects: the name changes with exec, so an
 * instant may lie in the loader or in the start of the runtime. With `too`, skein is killed as well. With FILE, which a `storm` writes,
 * the calls that had ended LAG_MS before the kill are printed; with `end`, the instant is counted from where main of the `storm`
 * returns. What skein starts later, as another copy, is killed too. Exit status 1: skein ended first, or what it runs; 3: skein did not end
 * within MOST_WAIT_US of the kill, and was killed for that. */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64, STEP_US = 200, END_STEP_US = 20, MOST_STEPS = 300000, MOST_WAIT_US = 120000000, NAME_BYTES = 32, LAG_STEP_MS = 50, MOST_LAGS = 256 };

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

/* Not a zombie either. */
static bool is_alive(int pid)
{
	char path[64], state = 'Z';
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	FILE *f = fopen(path, "r");
	if (!f)
		return false;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 'Z';
	fclose(f);
	return state != 'Z' && state != 'X';
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

/* Words of the first page: see storm.c. */
enum { ENDED = 2, ENDED_OF_OTHER = 5, IS_ENDING = 7, WORDS };

static void read_words(const char *path, uint64_t *words)
{
	memset(words, 0, WORDS * sizeof *words);
	FILE *f = fopen(path, "r");
	if (!f)
		return;
	if (fread(words, sizeof *words, WORDS, f) != WORDS)
		memset(words, 0, WORDS * sizeof *words);
	fclose(f);
}

static uint64_t ended(const char *path)
{
	uint64_t words[WORDS];
	read_words(path, words);
	return words[ENDED] + words[ENDED_OF_OTHER];
}

static bool is_ending(const char *path)
{
	uint64_t words[WORDS];
	read_words(path, words);
	return words[IS_ENDING];
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

/* Until the instant of the kill. */
static void wait_for(int skein, long delay_us, char **watch, int words)
{
	if (words < 2) {
		pause_us(delay_us);
	} else if (strcmp(watch[1], "end") != 0) {
		printf("%llu\n", (unsigned long long)wait_and_watch(delay_us, watch[0], atol(watch[1])));
	} else {
		for (int i = 0; i < MOST_STEPS && is_alive(skein) && !is_ending(watch[0]); i++)
			pause_us(END_STEP_US);
		pause_us(delay_us);
	}
}

/* Finds first: what skein had started is no child of its when skein is gone. Returns how many subjects were killed. */
static int kill_all(int skein, bool too)
{
	int subjects[MOST], n = find(skein, subjects, 0);
	if (too)
		kill(skein, SIGKILL);
	for (int i = 0; i < n; i++)
		kill(subjects[i], SIGKILL);
	return n;
}

int main(int argc, char **argv)
{
	bool too = argc > 3 && strcmp(argv[3], "too") == 0;
	char **watch = argv + (too ? 4 : 3);
	int subjects[MOST], n = 0, skein = argc > 2 ? atoi(argv[1]) : 0;
	if (skein <= 1)
		return 2;
	for (int i = 0; i < MOST_STEPS && is_alive(skein) && (n = find(skein, subjects, 0)) == 0; i++)
		pause_us(STEP_US);
	if (n == 0)
		return 1;
	wait_for(skein, atol(argv[2]), watch, (int)(argv + argc - watch));
	bool none = kill_all(skein, too) == 0;
	for (long us = 0; is_alive(skein); us += STEP_US) {
		if (us > MOST_WAIT_US) {
			kill_all(skein, true);
			return 3;
		}
		pause_us(STEP_US);
		kill_all(skein, false);
	}
	return none;
}
