/* SPDX-License-Identifier: MIT */
/* doubt.c: what may be wrong with a recording of the calls lens. */
#include <math.h>

#include "analyse/calls/verdict.h"
#include "analyse/caveats.h"
#include "base/text.h"

#define NO_CORE_PCT 5.0 /* percent of the working time without a core from which a caveat says so */

static void doubt_processes(const struct run *run, struct findings *caveats)
{
	for (size_t i = 0; i < run->process_count; i++) {
		const struct run_process *p = &run->processes[i];
		if (caveats_is_cut_off(p))
			findings_add(caveats, "Process %u was killed or was still running: it is counted up to its last %s.", p->pid,
			             p->flags & RAW_NO_SNAPSHOTS ? "event" : "snapshot");
	}
	if (run->process_count > 1)
		findings_add(caveats,
		             "%zu processes are added up. Their workers are numbered one after another. Wall time (union) of a routine is "
		             "the sum over processes, at most the length of the run.",
		             run->process_count);
}

/* The error of a share of one half, whether or not the number of snapshots is even. */
static double half_error(const struct calls *calls)
{
	double error = calls_error(calls->snapshots, 2 * calls->snapshots) * sqrt(2);
	return error < 1 ? error : 1;
}

static void doubt_snapshots(const struct calls *calls, struct findings *caveats)
{
	const char *snapshots = text_count(&caveats->pool, (int64_t)calls->snapshots);
	if (!calls->has_times)
		findings_add(caveats,
		             "Only calls were counted: times, waiting and concurrency were not measured (record without --counts).");
	else if (!calls->has_snapshots)
		findings_add(caveats, "No snapshots were taken: wall time by routine, together and concurrency were not measured.");
	else if (calls->snapshots < CALLS_FEW_SNAPSHOTS)
		findings_add(caveats,
		             "Only %s snapshot%s taken: shares of wall time (wall, together, concurrency) are guesses; a share of one half "
		             "is uncertain by ± %.0f points. Record a longer run, or use a shorter --period.",
		             snapshots, calls->snapshots == 1 ? " was" : "s were", 100 * half_error(calls));
	else
		findings_add(caveats,
		             "Wall time by routine, together and concurrency are estimated from %s snapshots: a share of one half is "
		             "uncertain by ± %.1f points (95 %%).",
		             snapshots, 100 * half_error(calls));
}

static void doubt_cost(const struct calls *calls, struct findings *caveats)
{
	const struct run *run = calls->run;
	struct calls_sum all = calls_total(calls, CALLS_ALL);
	uint64_t measured = run->process_count ? run->processes[0].hook_ns : 0,
		 untimed = run->process_count ? run->processes[0].untimed_ns : 0,
		 usual = calls->has_times ? CALLS_HOOK_NS : CALLS_COUNT_HOOK_NS, hook_ns = measured ? measured : usual;
	double timed = (double)(calls->has_times ? all.timed_calls : all.calls), rest = (double)all.calls - timed,
	       hooks = timed * (double)hook_ns + rest * (double)untimed;
	const char *each = rest > 0 ? pool_print(&caveats->pool, "%llu ns per call that was timed, %llu per other call",
	                                         (unsigned long long)hook_ns, (unsigned long long)untimed)
				    : pool_print(&caveats->pool, "%llu ns per call", (unsigned long long)hook_ns);
	findings_add(caveats, "The profiler itself took about %s of the run's CPU time for %s calls (%s, %s) and %s for snapshots.",
	             text_share(&caveats->pool, hooks, (double)run->cpu_ns), text_count(&caveats->pool, all.calls), each,
	             measured ? "subtracted from the times above, not from wall time" : "an estimate",
	             text_share(&caveats->pool, (double)run->own_cpu_ns, (double)run->cpu_ns));
}

/* The largest error of a routine's direct time, as a share of all direct time. */
static void doubt_timing(const struct calls *calls, struct findings *caveats)
{
	struct calls_sum all = calls_total(calls, CALLS_ALL);
	int64_t worst = 0;
	if (!calls->has_times || all.timed_calls >= all.calls)
		return;
	for (uint32_t r = 1; r < calls->run->routine_count; r++) {
		int64_t error = calls_sum(calls, r, CALLS_ALL, CALLS_ALL).error_ns;
		worst = error > worst ? error : worst;
	}
	findings_add(
		caveats,
		"Counts are exact. %s of %s calls were timed, chosen at random, to keep the profiler cheap: the direct time of a routine is "
		"uncertain by at most %s of all direct time (95 %%). --exact times every call.",
		text_count(&caveats->pool, all.timed_calls), text_count(&caveats->pool, all.calls),
		text_share(&caveats->pool, (double)worst, (double)all.direct_ns));
}

static void doubt_cores(const struct calls *calls, struct findings *caveats)
{
	double off = 0, direct = (double)calls_total(calls, CALLS_ALL).direct_ns;
	for (size_t i = 0; i < calls->inside_count; i++)
		off += (double)calls->inside[i].off_cpu_ns;
	if (calls->run->wanted_ns < 0 && text_share_of(off, direct) > NO_CORE_PCT)
		findings_add(caveats,
		             "Working threads had no core for %s of their working time: there were more threads than cores, or other "
		             "programs ran. The column cpu_ns excludes that time.",
		             text_share(&caveats->pool, off, direct));
}

void calls_doubt(const struct calls *calls, struct findings *caveats)
{
	caveats_lost(calls->run, caveats);
	caveats_notes(calls->run, caveats);
	doubt_processes(calls->run, caveats);
	doubt_snapshots(calls, caveats);
	doubt_timing(calls, caveats);
	doubt_cost(calls, caveats);
	doubt_cores(calls, caveats);
}
