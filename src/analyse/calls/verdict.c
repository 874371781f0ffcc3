/* SPDX-License-Identifier: MIT */
#include "analyse/calls/verdict.h"

#include "analyse/opening.h"
#include "base/text.h"

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

/* "fib (file.c:12)", or the name alone if the place is not known. */
static const char *describe(const struct calls *calls, uint32_t routine, struct findings *to)
{
	const struct run_routine *r = &calls->run->routines[routine];
	const char *place = text_place(&to->pool, r->file, r->line);
	return *place ? pool_print(&to->pool, "%s (%s)", run_shown(r), place) : run_shown(r);
}

/* ---- balance ---- */

uint64_t calls_working_ns(const struct run_worker *worker)
{
	uint64_t waited = run_waited_ns(worker);
	return worker->alive_ns > waited ? worker->alive_ns - waited : 0;
}

/* Snapshots tell which routine worked alone and for how long, but not in which worker. That time is divided over the
 * workers in proportion to the routine's direct time, which is exact where one worker runs the routine. */
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
	const char *length = text_ns(&verdict->pool, (double)calls->run->wall_ns);
	if (calls->run->worker_count > 1 && calls->snapshots < CALLS_TOO_FEW_SNAPSHOTS)
		findings_add(
			verdict,
			"The run of %s was too short to tell how parallel it is (%llu snapshots): record a longer one, or use a shorter --period.",
			length, (unsigned long long)calls->snapshots);
	else if (calls->run->worker_count < 2)
		findings_add(verdict, "One worker did all the work of %s: the program does not run in parallel.", length);
	else if (sequential >= CALLS_SEQUENTIAL_SHARE)
		findings_add(
			verdict,
			"At most one of %zu workers was working for %s of %s: with any number of workers the run can get at most %.1f times faster until that part is made parallel.",
			calls->run->worker_count, text_percent(&verdict->pool, 100 * sequential), length, 1 / sequential);
	else
		findings_add(
			verdict,
			"Several workers were working for %s of %s, %.1f of %zu on average; the sequential rest bounds any speed-up to %.0f times.",
			text_percent(&verdict->pool, 100 * (1 - sequential)), length, mean_working(calls), calls->run->worker_count,
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
	if (worst && share(worst->ns, wall) >= 0.01 && calls->run->worker_count > 1)
		findings_add(
			verdict,
			"The largest sequential routine is %s: it worked alone for %s (± %.1f) of wall time. Make it parallel, or overlap it with other work.",
			describe(calls, worst->routine, verdict), text_share(&verdict->pool, (double)worst->ns, (double)wall),
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
	if (most != RUN_OUTSIDE)
		findings_add(verdict, "Most working time is in %s itself: %s, %s of all workers' working time.",
		             describe(calls, most, verdict), text_ns(&verdict->pool, (double)best),
		             text_share(&verdict->pool, (double)best, (double)total));
}

static void judge_balance(const struct calls *calls, struct findings *verdict)
{
	struct calls_balance b = calls_balance(calls);
	if (b.counted < 2 || share(b.busiest_ns, calls->run->wall_ns) < 0.01)
		return;
	if (b.ratio >= CALLS_UNEVEN)
		findings_add(
			verdict,
			"Work is uneven: while others could work, worker %u worked for %s, %.2f times the mean of %zu workers. Give the others a part of it.",
			b.busiest, text_ns(&verdict->pool, (double)b.busiest_ns), b.ratio, b.counted);
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
#define X(name, word, nature, advice) advice,
	RAW_WAIT_LIST(X)
#undef X
};

/* The kind of wait is taken from the worker in which the routine waited longest, since rows of routines have no
 * kinds. A thread that only waits for other threads to end is not a finding. */
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
	if (wait > 0 && share((uint64_t)wait, alive) >= CALLS_WAIT_SHARE)
		findings_add(verdict, "Most waiting is in %s: %s over all workers, %s.", describe(calls, worst->routine, verdict),
		             text_ns(&verdict->pool, (double)wait), advice[calls_main_wait(&calls->run->workers[worst->worker])]);
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
	if (most != RUN_OUTSIDE)
		findings_add(
			verdict,
			"%s was called most: %s of %s calls (%s); %s routines were called, %s of calls came while several workers were working.",
			describe(calls, most, verdict), text_count(&verdict->pool, best), text_count(&verdict->pool, total),
			text_share(&verdict->pool, (double)best, (double)total), text_count(&verdict->pool, called),
			text_share(&verdict->pool, (double)concurrent, (double)total));
}

void calls_judge(const struct calls *calls, struct findings *verdict, struct findings *caveats)
{
	opening_add(calls->run, calls->has_times ? "Elapsed and wall times include that time; counts and the column cpu_ns do not." : NULL,
	            verdict);
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
	calls_doubt(calls, caveats);
}
