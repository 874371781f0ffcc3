/* SPDX-License-Identifier: MIT */
/* doubt.c: what may be wrong with a recording of the idle lens. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/caveats.h"
#include "analyse/idle/verdict.h"
#include "base/text.h"

#define NORMAL_95 1.96
#define UNNAMED_PCT 1.0  /* part of the samples */
#define OWN_PCT 1.0      /* part of the CPU time */
#define CUT_PCT 0.1      /* part of the samples */
#define CLOCK_NS 200000u /* CPU time for the beginning and the end of a thread's clock, at most */

struct idles_thread idles_sum_threads(const struct idles *idles)
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

/* Idleness comes from the samples in which cores were free: the more of these, the surer a share of idleness. The
 * idleness of the effort is i / (i + rest): a change of i by a part d changes it by that share times the rest's share
 * times d. In a serial program nothing of it is a matter of chance. */
double idles_idle_error_pct(const struct idles *idles)
{
	struct idles_sums total = idles_total(idles, UINT32_MAX);
	uint64_t effort = idles_effort(&total);
	double with_free = idles->period_ns
		? (double)(total.class_ns[RAW_IDLE_SERIAL] + total.class_ns[RAW_IDLE_UNDER]) / (double)idles->period_ns
		: 0;
	if (!effort || !total.idle_ns || with_free < 1)
		return NAN;
	double share = (double)total.idle_ns / (double)effort;
	bool is_serial = total.class_ns[RAW_IDLE_SERIAL] == total.work_ns + total.overhead_ns;
	return is_serial ? 0 : 100 * share * (1 - share) * NORMAL_95 / sqrt(with_free);
}

static void doubt_samples(const struct idles *idles, struct findings *caveats)
{
	struct idles_sums total = idles_total(idles, UINT32_MAX);
	uint64_t effort = idles_effort(&total);
	if (!total.samples || !effort || !idles->period_ns)
		return;
	double share = (double)total.idle_ns / (double)effort, wide = NORMAL_95 * 100 / (2 * sqrt((double)total.samples)),
	       error = idles_idle_error_pct(idles);
	const char *samples = text_count(&caveats->pool, (int64_t)total.samples),
		   *period = text_ns(&caveats->pool, (double)idles->period_ns);
	if (error > 0)
		findings_add(caveats,
		             "All figures are estimated from %s samples, one per %s of CPU time: idleness is %.1f ± %.1f %% of the effort "
		             "(95 %%), and a share of the work is wrong by at most %.1f points.",
		             samples, period, 100 * share, error, wide);
	else
		findings_add(caveats,
		             "All figures are estimated from %s samples, one per %s of CPU time: a share of the work is wrong by at most "
		             "%.1f points (95 %%).",
		             samples, period, wide);
}

uint64_t idles_begun_threads(const struct idles *idles)
{
	uint64_t threads = 0;
	for (size_t i = 0; i < idles->run->process_count; i++)
		threads += idles->run->processes[i].threads;
	return threads;
}

bool idles_own_is_threads(const struct idles *idles, const struct idles_thread *sum)
{
	return idles_begun_threads(idles) * CLOCK_NS >= sum->own_ns;
}

/* A lower rate helps only if samples take that time, and not the beginning and the end of each thread's clock. */
static void doubt_own(const struct idles *idles, const struct idles_thread *sum, struct findings *caveats)
{
	uint64_t threads = idles_begun_threads(idles);
	if (text_share_of((double)sum->own_ns, (double)sum->cpu_ns) < OWN_PCT)
		return;
	const char *share = text_share(&caveats->pool, (double)sum->own_ns, (double)sum->cpu_ns);
	if (idles_own_is_threads(idles, sum))
		findings_add(caveats, "The profiler itself took %s of the CPU time, to begin and end its clock in %s thread%s.", share,
		             text_count(&caveats->pool, (int64_t)threads), text_s(threads));
	else
		findings_add(caveats, "The profiler itself took %s of the CPU time: take fewer samples (--rate).", share);
}

/* The sampled time must equal the CPU time of the threads. */
static void doubt_conservation(const struct idles *idles, const struct idles_thread *sum, struct findings *caveats)
{
	uint64_t seen = sum->work_ns + sum->dropped_ns + sum->own_ns;
	double off = sum->cpu_ns ? 100 * ((double)seen - (double)sum->cpu_ns) / (double)sum->cpu_ns : 0;
	if (fabs(off) > IDLES_CONSERVED_PCT)
		findings_add(
			caveats,
			"Work, overhead and dropped samples add up to %s %s than the CPU time of the threads (%s): that much was sampled "
			"wrongly.",
			text_percent(&caveats->pool, fabs(off)), off > 0 ? "more" : "less", text_ns(&caveats->pool, (double)sum->cpu_ns));
	doubt_own(idles, sum, caveats);
	if (text_share_of((double)sum->unseen_ns, (double)sum->cpu_ns) >= IDLES_CONSERVED_PCT)
		findings_add(
			caveats,
			"%s of the CPU time has no sample of its own (in the kernel, with signals blocked, or on a stack without room for "
			"one): it is charged to the place of the thread's next sample.",
			text_share(&caveats->pool, (double)sum->unseen_ns, (double)sum->cpu_ns));
	if (idles->unsampled)
		findings_add(caveats, "%s thread%s could not be sampled; the work of %s is missing.",
		             text_count(&caveats->pool, (int64_t)idles->unsampled), text_s(idles->unsampled),
		             idles->unsampled == 1 ? "that thread" : "those threads");
}

static void doubt_waits(const struct idles *idles, struct findings *caveats)
{
	if (idles->no_rings)
		findings_add(
			caveats,
			"Waits of %s thread%s in raw system calls could not be seen, because the kernel does not report context switches "
			"here. Such threads count as working, and idleness may be too low.",
			text_count(&caveats->pool, (int64_t)idles->no_rings), text_s(idles->no_rings));
	if (idles->timer_clock)
		findings_add(
			caveats,
			"Samples were taken by CPU-time timers, because perf events are not allowed here. The timers follow the kernel's "
			"clock tick, so that one sample may stand for several periods.");
}

/* The file with the most samples of work without a name. */
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
	if (text_share_of((double)sum->paths_cut, (double)samples) >= CUT_PCT)
		findings_add(caveats,
		             "The call paths of %s of the samples end before the program's start: their outer routines are missing.",
		             text_share(&caveats->pool, (double)sum->paths_cut, (double)samples));
	if (idles->nodes_lost)
		findings_add(caveats, "The call-path tree was full: %s samples were lost.",
		             text_count(&caveats->pool, (int64_t)idles->nodes_lost));
	if (text_share_of((double)idles->unnamed, (double)samples) >= UNNAMED_PCT)
		findings_add(caveats, "%s of the samples are in code without symbols%s%s: install its debugging symbols, or build with -g.",
		             text_share(&caveats->pool, (double)idles->unnamed, (double)samples), file ? ", most of them in " : "",
		             file ? file : "");
}

void idles_doubt(const struct idles *idles, struct findings *caveats)
{
	struct idles_thread sum = idles_sum_threads(idles);
	caveats_begin(idles->run, "what it did after its last sample is missing", caveats);
	doubt_samples(idles, caveats);
	doubt_conservation(idles, &sum, caveats);
	doubt_waits(idles, caveats);
	doubt_paths(idles, &sum, caveats);
}
