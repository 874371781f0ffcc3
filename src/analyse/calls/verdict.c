/* SPDX-License-Identifier: MIT */
#include "analyse/calls/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyse/caveats.h"

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static const char *name_of(const struct calls *calls, uint32_t routine)
{
	return calls->run->routines[routine].name;
}

/* " (file.c:12)", or nothing if that is not known. */
static const char *place_of(const struct calls *calls, uint32_t routine, char *to, size_t room)
{
	const struct run_routine *r = &calls->run->routines[routine];
	const char *slash = strrchr(r->file, '/');
	*to = 0;
	if (*r->file)
		snprintf(to, room, " (%s:%u)", slash ? slash + 1 : r->file, r->line);
	return to;
}

static const char *seconds(char *to, size_t room, uint64_t ns)
{
	snprintf(to, room, ns < 1000000 ? "%.3f ms" : ns < 1000000000 ? "%.1f ms" : "%.2f s", (double)ns / (ns < 1000000000 ? 1e6 : 1e9));
	return to;
}

/* ---- balance ---- */

uint64_t calls_working_ns(const struct run_worker *worker)
{
	uint64_t waited = run_waited_ns(worker);
	return worker->alive_ns > waited ? worker->alive_ns - waited : 0;
}

/* Snapshots tell which routine worked alone and for how long, but not in which worker: that time is divided over the
 * workers as the routine's direct time is. Exact where one worker runs the routine, as in most sequential parts. */
static uint64_t alone_ns(const struct calls *calls, uint32_t worker)
{
	double sum = 0;
	for (size_t i = 0; calls->snapshots >= CALLS_TOO_FEW_SNAPSHOTS && i < calls->level_count; i++) {
		const struct calls_level *level = &calls->levels[i];
		if (level->working != 1 || level->routine == RUN_NOWHERE)
			continue;
		int64_t mine = calls_sum(calls, level->routine, worker, CALLS_ALL).direct_ns,
			all = calls_sum(calls, level->routine, CALLS_ALL, CALLS_ALL).direct_ns;
		if (mine > 0 && all > 0)
			sum += (double)level->ns * (double)mine / (double)all;
	}
	return (uint64_t)sum;
}

uint64_t calls_shared_ns(const struct calls *calls, uint32_t worker)
{
	uint64_t working = calls_working_ns(&calls->run->workers[worker]), alone = alone_ns(calls, worker);
	return working > alone ? working - alone : 0;
}

struct calls_balance calls_balance(const struct calls *calls)
{
	struct calls_balance b = {.ratio = 1};
	uint64_t sum = 0;
	for (uint32_t w = 0; w < calls->run->worker_count; w++) {
		const struct run_worker *worker = &calls->run->workers[w];
		uint64_t shared = calls_shared_ns(calls, w);
		if (worker->wait_ns[RAW_WAIT_JOIN] > 9 * shared)
			continue;
		sum += shared;
		b.counted++;
		if (shared > b.busiest_ns) {
			b.busiest_ns = shared;
			b.busiest = w;
		}
	}
	b.mean_ns = b.counted ? sum / b.counted : 0;
	if (b.counted > 1 && b.mean_ns)
		b.ratio = (double)b.busiest_ns / (double)b.mean_ns;
	return b;
}

/* ---- findings ---- */

static double mean_working(const struct calls *calls)
{
	double sum = 0, wall = 0;
	for (size_t i = 0; i < calls->level_count; i++)
		if (calls->levels[i].routine == RUN_NOWHERE) {
			sum += (double)calls->levels[i].ns * calls->levels[i].working;
			wall += (double)calls->levels[i].ns;
		}
	return wall > 0 ? sum / wall : 0;
}

static void judge_levels(const struct calls *calls, struct findings *verdict)
{
	uint64_t wall = calls_level_ns(calls, 0, UINT32_MAX), alone = calls_level_ns(calls, 0, 1);
	double sequential = share(alone, wall);
	char text[32];
	seconds(text, sizeof text, calls->run->wall_ns);
	if (calls->run->worker_count > 1 && calls->snapshots < CALLS_TOO_FEW_SNAPSHOTS)
		findings_add(
			verdict,
			"The run of %s was too short to tell how parallel it is (%llu snapshots): record a longer one, or use a shorter --period.",
			text, (unsigned long long)calls->snapshots);
	else if (calls->run->worker_count < 2)
		findings_add(verdict, "One worker did all the work of %s: the program does not run in parallel.", text);
	else if (sequential >= CALLS_SEQUENTIAL_SHARE)
		findings_add(
			verdict,
			"At most one of %zu workers was working for %.0f%% of %s: with any number of workers the run can get at most %.1f times faster until that part is made parallel.",
			calls->run->worker_count, 100 * sequential, text, 1 / sequential);
	else
		findings_add(
			verdict,
			"Several workers were working for %.0f%% of %s, %.1f of %zu on average; the sequential rest bounds any speed-up to %.0f times.",
			100 * (1 - sequential), text, mean_working(calls), calls->run->worker_count,
			sequential > 0.001 ? 1 / sequential : 1000);
}

static void judge_sequential(const struct calls *calls, struct findings *verdict)
{
	const struct calls_level *worst = NULL;
	uint64_t wall = calls_level_ns(calls, 0, UINT32_MAX);
	for (size_t i = 0; i < calls->level_count; i++) {
		const struct calls_level *level = &calls->levels[i];
		if (level->working == 1 && level->routine != RUN_NOWHERE && (!worst || level->ns > worst->ns))
			worst = level;
	}
	char place[300];
	if (worst && share(worst->ns, wall) >= 0.01 && calls->run->worker_count > 1)
		findings_add(
			verdict,
			"The largest sequential routine is %s%s: it worked alone for %.0f%% (+-%.1f) of wall time. Make it parallel, or overlap it with other work.",
			name_of(calls, worst->routine), place_of(calls, worst->routine, place, sizeof place), 100 * share(worst->ns, wall),
			100 * calls_error(worst->snapshots, calls->snapshots));
}

static void judge_direct(const struct calls *calls, struct findings *verdict)
{
	uint32_t most = RUN_OUTSIDE;
	int64_t best = 0, total = calls_total(calls, CALLS_ALL).direct_ns;
	for (size_t i = 0; i < calls->entry_count; i++) {
		uint32_t routine = calls->entries[i].routine;
		if (i && calls->entries[i - 1].routine == routine)
			continue;
		int64_t direct = calls_sum(calls, routine, CALLS_ALL, CALLS_ALL).direct_ns;
		if (direct > best) {
			best = direct;
			most = routine;
		}
	}
	char place[300], time[32];
	if (most != RUN_OUTSIDE)
		findings_add(verdict, "Most working time is in %s%s itself: %s, %.0f%% of all workers' working time.", name_of(calls, most),
		             place_of(calls, most, place, sizeof place), seconds(time, sizeof time, (uint64_t)best),
		             100 * share((uint64_t)best, (uint64_t)total));
}

static void judge_balance(const struct calls *calls, struct findings *verdict)
{
	struct calls_balance b = calls_balance(calls);
	char time[32];
	if (b.counted < 2 || share(b.busiest_ns, calls->run->wall_ns) < 0.01)
		return;
	if (b.ratio >= CALLS_UNEVEN)
		findings_add(
			verdict,
			"Work is uneven: while others could work, worker %u worked for %s, %.2f times the mean of %zu workers. Give the others a part of it.",
			b.busiest, seconds(time, sizeof time, b.busiest_ns), b.ratio, b.counted);
	else
		findings_add(verdict, "Work is even: the busiest of %zu workers worked %.2f times the mean.", b.counted, b.ratio);
}

int calls_main_wait(const struct run_worker *worker)
{
	int kind = 0;
	for (int k = 1; k < RAW_WAIT_KINDS; k++)
		if (worker->wait_ns[k] > worker->wait_ns[kind])
			kind = k;
	return kind;
}

static const char *const advice[RAW_WAIT_KINDS] = {
	[RAW_WAIT_LOCK] = "mostly for locks: hold the lock for less time, or split it",
	[RAW_WAIT_CONDITION] = "mostly for conditions: the work that it waits for comes too slowly",
	[RAW_WAIT_BARRIER] = "mostly at barriers: the work between them is uneven, or too short",
	[RAW_WAIT_JOIN] = "mostly for threads to end: it could work meanwhile",
	[RAW_WAIT_IO] = "mostly for input and output: overlap it with work",
	[RAW_WAIT_SLEEP] = "mostly asleep: it sleeps by its own will",
	[RAW_WAIT_TASK] = "mostly for tasks: there are too few of them, or one is too long",
};

/* The kind is that of the worker in which the routine waited longest: rows of routines do not tell kinds apart. A
 * thread that only waits for others to end is no finding. */
static void judge_waiting(const struct calls *calls, struct findings *verdict)
{
	const struct calls_entry *worst = NULL;
	uint64_t alive = 0;
	for (size_t i = 0; i < calls->run->worker_count; i++)
		alive += calls->run->workers[i].alive_ns;
	for (size_t i = 0; i < calls->entry_count; i++) {
		const struct calls_entry *row = &calls->entries[i];
		if (calls_main_wait(&calls->run->workers[row->worker]) != RAW_WAIT_JOIN && (!worst || row->wait_ns > worst->wait_ns))
			worst = row;
	}
	if (!worst)
		return;
	int64_t wait = calls_sum(calls, worst->routine, CALLS_ALL, CALLS_ALL).wait_ns;
	char place[300], time[32];
	if (wait > 0 && share((uint64_t)wait, alive) >= CALLS_WAIT_SHARE)
		findings_add(verdict, "Most waiting is in %s%s: %s over all workers, %s.", name_of(calls, worst->routine),
		             place_of(calls, worst->routine, place, sizeof place), seconds(time, sizeof time, (uint64_t)wait),
		             advice[calls_main_wait(&calls->run->workers[worst->worker])]);
}

static void judge_counts(const struct calls *calls, struct findings *verdict)
{
	int64_t total = calls_total(calls, CALLS_ALL).calls, best = 0, called = 0, concurrent = 0;
	uint32_t most = RUN_OUTSIDE;
	for (size_t i = 0; i < calls->entry_count; i++) {
		uint32_t routine = calls->entries[i].routine;
		concurrent += calls->entries[i].entry == STATE_CONCURRENT ? calls->entries[i].calls : 0;
		if (i && calls->entries[i - 1].routine == routine)
			continue;
		int64_t n = calls_sum(calls, routine, CALLS_ALL, CALLS_ALL).calls;
		called += n > 0;
		if (n > best) {
			best = n;
			most = routine;
		}
	}
	char place[300];
	if (most != RUN_OUTSIDE)
		findings_add(
			verdict,
			"%s%s was called most: %lld of %lld calls (%.0f%%); %lld routines were called, %.0f%% of calls came while several workers were working.",
			name_of(calls, most), place_of(calls, most, place, sizeof place), (long long)best, (long long)total,
			100 * share((uint64_t)best, (uint64_t)total), (long long)called,
			100 * share((uint64_t)concurrent, (uint64_t)total));
}

/* ---- caveats ---- */

static void caution_processes(const struct run *run, struct findings *caveats)
{
	for (size_t i = 0; i < run->process_count; i++) {
		const struct run_process *p = &run->processes[i];
		if (!(p->flags & (RAW_FINISHED | RAW_EXECED)))
			findings_add(caveats, "Process %u was killed, or still ran: what it did is counted up to its last %s.", p->pid,
			             p->flags & RAW_NO_SNAPSHOTS ? "event" : "snapshot");
	}
	if (run->process_count > 1)
		findings_add(
			caveats,
			"%zu processes are added up; their workers are numbered one after another, and a union over processes is the sum of theirs, at most the run.",
			run->process_count);
}

/* Of a share of one half, whether or not the number of snapshots is even. */
static double half_error(const struct calls *calls)
{
	double error = calls_error(calls->snapshots, 2 * calls->snapshots) * sqrt(2);
	return error < 1 ? error : 1;
}

static void caution_snapshots(const struct calls *calls, struct findings *caveats)
{
	if (!calls->has_times)
		findings_add(caveats,
		             "Counts only: no times, no waiting, no concurrency levels were measured (record without --counts for them).");
	else if (!calls->has_snapshots)
		findings_add(caveats, "No snapshots were taken: wall time by routine, together and concurrency are not measured.");
	else if (calls->snapshots < CALLS_FEW_SNAPSHOTS)
		findings_add(
			caveats,
			"Only %llu snapshot%s taken: shares of wall time (wall, together, concurrency) are guesses, a share of one half is +-%.0f points. Record a longer run, or use a shorter --period.",
			(unsigned long long)calls->snapshots, calls->snapshots == 1 ? " was" : "s were", 100 * half_error(calls));
	else
		findings_add(
			caveats,
			"Wall times by routine, together and concurrency come from %llu snapshots: a share of one half is known to +-%.1f points (95%%).",
			(unsigned long long)calls->snapshots, 100 * half_error(calls));
}

static void caution_cost(const struct calls *calls, struct findings *caveats)
{
	const struct run *run = calls->run;
	int64_t count = calls_total(calls, CALLS_ALL).calls;
	uint64_t measured = run->process_count ? run->processes[0].hook_ns : 0,
		 hook_ns = measured ? measured
		: calls->has_times  ? CALLS_HOOK_NS
				    : CALLS_COUNT_HOOK_NS;
	findings_add(
		caveats,
		"The profiler itself took about %.1f%% of the run's CPU time for %lld calls (%llu ns each, %s) and %.1f%% for snapshots.",
		run->cpu_ns ? 100 * (double)count * (double)hook_ns / (double)run->cpu_ns : 0, (long long)count,
		(unsigned long long)hook_ns, measured ? "taken off the times above, not off wall time" : "an estimate",
		100 * share(run->own_cpu_ns, run->cpu_ns));
	int64_t off = 0;
	for (size_t i = 0; i < calls->inside_count; i++)
		off += (int64_t)calls->inside[i].off_cpu_ns;
	int64_t direct = calls_total(calls, CALLS_ALL).direct_ns;
	if (off > 0 && direct > 0 && share((uint64_t)off, (uint64_t)direct) > 0.05)
		findings_add(
			caveats,
			"Working threads had no core for %.0f%% of their working time: there were more of them than cores, or other programs ran; cpu_ns leaves it out.",
			100 * share((uint64_t)off, (uint64_t)direct));
}

void calls_judge(const struct calls *calls, struct findings *verdict, struct findings *caveats)
{
	if (calls->entry_count == 0)
		findings_add(verdict, "No profiled routine was called.");
	if (!calls->has_times)
		judge_counts(calls, verdict);
	else {
		judge_levels(calls, verdict);
		if (calls->snapshots >= CALLS_TOO_FEW_SNAPSHOTS)
			judge_sequential(calls, verdict);
		judge_direct(calls, verdict);
		judge_balance(calls, verdict);
		judge_waiting(calls, verdict);
	}
	caveats_lost(calls->run, caveats);
	caveats_notes(calls->run, caveats);
	caution_processes(calls->run, caveats);
	caution_snapshots(calls, caveats);
	caution_cost(calls, caveats);
}
