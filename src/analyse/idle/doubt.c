/* SPDX-License-Identifier: MIT */
/* doubt.c: what may be wrong with a recording of the idle lens. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/caveats.h"
#include "analyse/idle/verdict.h"

#define NORMAL_95 1.96
#define UNNAMED_PCT 1.0 /* of the samples */
#define OWN_PCT 1.0     /* of the CPU time */
#define CUT_PCT 0.1     /* of the samples */

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static struct idles_thread sum_threads(const struct idles *idles)
{
	struct idles_thread sum = {0};
	for (size_t i = 0; i < idles->run->thread_count; i++) {
		const struct idles_thread *t = &idles->threads[i];
		sum.cpu_ns += t->cpu_ns;
		sum.work_ns += t->work_ns;
		sum.dropped_ns += t->dropped_ns;
		sum.own_ns += t->own_ns;
		sum.unseen_ns += t->unseen_ns;
		sum.paths_cut += t->paths_cut;
		sum.samples += t->samples;
		sum.dropped += t->dropped;
	}
	return sum;
}

/* Idleness comes from the samples in which cores were free: a share of it is as sure as they are many. The idleness of the effort is
 * i / (i + rest): a change of i by a part d changes it by that share times the rest's share times d. */
static void doubt_samples(const struct idles *idles, struct findings *caveats)
{
	struct idles_sums total = idles_total(idles, UINT32_MAX);
	uint64_t effort = idles_effort(&total);
	if (!total.samples || !effort || !idles->period_ns)
		return;
	double with_free = (double)(total.class_ns[RAW_IDLE_SERIAL] + total.class_ns[RAW_IDLE_UNDER]) / (double)idles->period_ns;
	double share = (double)total.idle_ns / (double)effort, wide = NORMAL_95 * 100 / (2 * sqrt((double)total.samples));
	if (total.idle_ns && with_free >= 1)
		findings_add(
			caveats,
			"Everything is estimated from %llu samples, one for each %.3g ms of CPU time: idleness is %.1f ± %.1f %% of the effort (95 %%), and a share of the work is off by %.1f %% at most.",
			(unsigned long long)total.samples, (double)idles->period_ns / 1e6, 100 * share,
			100 * share * (1 - share) * NORMAL_95 / sqrt(with_free), wide);
	else
		findings_add(
			caveats,
			"Everything is estimated from %llu samples, one for each %.3g ms of CPU time: a share of the work is off by %.1f %% at most (95 %%).",
			(unsigned long long)total.samples, (double)idles->period_ns / 1e6, wide);
}

/* What was sampled must be the CPU time that the threads had. */
static void doubt_conservation(const struct idles *idles, const struct idles_thread *sum, struct findings *caveats)
{
	uint64_t seen = sum->work_ns + sum->dropped_ns + sum->own_ns;
	double off = sum->cpu_ns ? 100 * ((double)seen - (double)sum->cpu_ns) / (double)sum->cpu_ns : 0;
	if (fabs(off) > IDLES_CONSERVED_PCT)
		findings_add(
			caveats,
			"Work, overhead and what was dropped add up to %.1f %% %s than the CPU time of the threads (%.3g ms): so much was sampled wrongly.",
			fabs(off), off > 0 ? "more" : "less", (double)sum->cpu_ns / 1e6);
	if (percent(sum->own_ns, sum->cpu_ns) >= OWN_PCT)
		findings_add(caveats, "The profiler itself took %.1f %% of the CPU time: take fewer samples (--rate).",
		             percent(sum->own_ns, sum->cpu_ns));
	if (percent(sum->unseen_ns, sum->cpu_ns) >= IDLES_CONSERVED_PCT)
		findings_add(
			caveats,
			"%.1f %% of the CPU time has no sample of its own (in the kernel, or with signals blocked): it counts where the thread was seen next.",
			percent(sum->unseen_ns, sum->cpu_ns));
	if (idles->unsampled)
		findings_add(caveats, "%llu thread%s could not be sampled: the work of %s is missing.",
		             (unsigned long long)idles->unsampled, idles->unsampled == 1 ? "" : "s", idles->unsampled == 1 ? "it" : "them");
}

static void doubt_waits(const struct idles *idles, struct findings *caveats)
{
	if (idles->no_rings)
		findings_add(
			caveats,
			"Waits of %llu thread%s in raw system calls could not be seen (the kernel does not tell of their context switches): who waits so counts as working, and idleness may be too low.",
			(unsigned long long)idles->no_rings, idles->no_rings == 1 ? "" : "s");
	if (idles->timer_clock)
		findings_add(
			caveats,
			"Samples were taken by CPU-time timers, since perf events are not allowed here: they come with the kernel's clock tick, and a sample may stand for several periods.");
}

/* The file that has most of the samples of work without a name. */
static const char *nameless_file(const struct idles *idles)
{
	const struct run *run = idles->run;
	uint64_t *samples = memory_zeroed(run->object_count, sizeof *samples);
	size_t most = 0;
	for (size_t i = 0; i < idles->cost_count; i++) {
		const struct run_routine *routine = &run->routines[idles->scopes[idles->costs[i].scope[IDLES_PHYSICAL]].routine];
		if (routine->object == RUN_NO_OBJECT || routine->linkage[0] != '(' || idles->costs[i].overhead != IDLES_OVERHEAD_NONE)
			continue;
		samples[routine->object] += idles->costs[i].samples;
		most = samples[routine->object] > samples[most] ? routine->object : most;
	}
	bool any = run->object_count && samples[most];
	free(samples);
	return any ? run->objects[most].path : NULL;
}

static void doubt_paths(const struct idles *idles, const struct idles_thread *sum, struct findings *caveats)
{
	uint64_t samples = idles_total(idles, UINT32_MAX).samples;
	const char *file = nameless_file(idles);
	if (percent(sum->paths_cut, samples) >= CUT_PCT)
		findings_add(caveats,
		             "The call paths of %.1f %% of the samples end before the program's start: their outer routines are missing.",
		             percent(sum->paths_cut, samples));
	if (idles->nodes_lost)
		findings_add(caveats, "%llu samples found no room in the tree of call paths.", (unsigned long long)idles->nodes_lost);
	if (percent(idles->unnamed, samples) >= UNNAMED_PCT)
		findings_add(
			caveats,
			"%.1f %% of the samples are in code that no symbol names%s%s: install its debugging symbols, or build with -g.",
			percent(idles->unnamed, samples), file ? ", most of them in " : "", file ? file : "");
}

void idles_doubt(const struct idles *idles, struct findings *caveats)
{
	struct idles_thread sum = sum_threads(idles);
	caveats_lost(idles->run, caveats);
	caveats_notes(idles->run, caveats);
	for (size_t i = 0; i < idles->run->process_count; i++)
		if (!(idles->run->processes[i].flags & (RAW_FINISHED | RAW_EXECED)))
			findings_add(caveats, "Process %u was killed, or still ran: what it did after its last sample is missing.",
			             idles->run->processes[i].pid);
	doubt_samples(idles, caveats);
	doubt_conservation(idles, &sum, caveats);
	doubt_waits(idles, caveats);
	doubt_paths(idles, &sum, caveats);
}
