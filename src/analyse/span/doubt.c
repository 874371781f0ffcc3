/* SPDX-License-Identifier: MIT */
/* doubt.c: what may be wrong with a recording of the span lens. */
#include <math.h>
#include <string.h>

#include "analyse/caveats.h"
#include "analyse/span/verdict.h"
#include "base/text.h"

static void doubt_processes(const struct spans *s, struct findings *caveats)
{
	const struct run *run = s->run;
	if (run->process_count && caveats_is_cut_off(&run->processes[0]))
		findings_add(
			caveats,
			"Process %u was killed or was still running: work, span and the critical path are those of the calls that had returned.",
			run->processes[0].pid);
	if (run->process_count > 1)
		findings_add(caveats,
		             "The figures are those of the first of %zu processes; the others did %s more work, %s of the first one's.",
		             run->process_count, text_count(&caveats->pool, (int64_t)s->other_work),
		             text_share(&caveats->pool, (double)s->other_work, (double)s->program_work));
	if (*s->under)
		findings_add(caveats, "All figures are those of %s: %s invocation%s, %s of the program's work.", s->under,
		             text_count(&caveats->pool, (int64_t)s->under_count), s->under_count == 1 ? "" : "s, one after another",
		             text_share(&caveats->pool, (double)s->work, (double)s->program_work));
}

static void doubt_threads(const struct spans *s, struct findings *caveats)
{
	bool locks = s->events[RAW_SPAN_LOCKS] || s->events[RAW_SPAN_CONDITIONS], atomics = s->atomic_routines;
	const char *both = "locks, conditions or atomics", *one = locks ? "locks or conditions" : "atomics";
	if (locks || atomics)
		findings_add(caveats,
		             "Threads of this program also wait for each other through %s. The span follows thread creation and join only; "
		             "such waiting is not part of it.",
		             locks && atomics ? both : one);
	if (s->events[RAW_SPAN_JOINED] < s->events[RAW_SPAN_THREADS])
		findings_add(caveats, "%s of %s threads were never joined: they count as joined at the end of the program.",
		             text_count(&caveats->pool, (int64_t)(s->events[RAW_SPAN_THREADS] - s->events[RAW_SPAN_JOINED])),
		             text_count(&caveats->pool, (int64_t)s->events[RAW_SPAN_THREADS]));
}

static void doubt_structure(const struct spans *s, struct findings *caveats)
{
	findings_add(caveats, "This is one %srun: with another input, timing or random choice the program may be more or less parallel.",
	             s->events[RAW_SPAN_THREADS] ? "" : "serial ");
	if (s->events[RAW_SPAN_THREADS])
		doubt_threads(s, caveats);
}

static void doubt_foreign(const struct spans *s, struct findings *caveats)
{
	uint64_t real_ns = 0;
	double work, span;
	if (strcmp(s->clock, "insn") != 0)
		return; /* foreign code was measured like all other code */
	spans_modelled(s, &work, &span);
	for (size_t i = 0; i < s->site_count; i++) {
		const struct spans_site *site = &s->sites[i];
		if (site->foreign && !spans_creates_thread(site) && site->real_ns != SPANS_UNKNOWN && spans_wait(site) == SPANS_NO_WAIT)
			real_ns += (uint64_t)site->real_ns;
	}
	if (s->run->wall_ns && (work >= 100 * SPANS_FOREIGN_SHARE || span >= 100 * SPANS_FOREIGN_SHARE || real_ns > s->run->wall_ns / 100))
		findings_add(
			caveats,
			"Foreign code has %s of the work and %s of the span. Its cost comes from a fixed model and is not measured. Its calls "
			"really lasted about %s, including waits, in a run of %s.",
			text_percent(&caveats->pool, work), text_percent(&caveats->pool, span), text_ns(&caveats->pool, (double)real_ns),
			text_ns(&caveats->pool, (double)s->run->wall_ns));
}

static void doubt_targets(const struct spans *s, struct findings *caveats)
{
	uint64_t calls = 0;
	for (size_t i = 0; i < s->target_count; i++)
		calls += s->targets[i].routine == RUN_NOWHERE ? s->targets[i].count : 0;
	if (calls)
		findings_add(caveats,
		             "%s calls through pointers have no named target: a worker records at most 65,536 pairs of site and target.",
		             text_count(&caveats->pool, (int64_t)calls));
}

bool spans_is_timed(const struct spans *s)
{
	return strcmp(s->clock, "tsc") == 0 || strcmp(s->clock, "ns") == 0;
}

/* Hooks are not part of work and span: instructions are counted where they stand in the program, and clocks do not run in
 * hooks. But what a hook takes among other instructions is known to a few nanoseconds only. */
static void doubt_cost(const struct spans *s, struct findings *caveats)
{
	const struct run *run = s->run;
	uint64_t calls = spans_calls(s), hook_ns = run->process_count ? run->processes[0].hook_ns : 0;
	double hooks = fmin((double)calls * (double)hook_ns, (double)run->cpu_ns);
	const char *rest = spans_is_timed(s) ? ", but routines that take less time than that seem longer than they are" : "";
	if (run->cpu_ns && hook_ns)
		findings_add(
			caveats,
			"Skein itself took about %s of the run's CPU time for %s calls (%llu ns per call, an estimate) and %s for its start "
			"and end. Work and span do not contain it%s.",
			text_share(&caveats->pool, hooks, (double)run->cpu_ns), text_count(&caveats->pool, (int64_t)calls),
			(unsigned long long)hook_ns, text_share(&caveats->pool, (double)run->own_cpu_ns, (double)run->cpu_ns), rest);
}

static void doubt_clock(const struct spans *s, struct findings *caveats)
{
	if (spans_is_timed(s))
		findings_add(
			caveats,
			"The clock was %s: one preemption inside a child becomes part of the span. Record several times and trust what "
			"stays the same; the clock insn has no such noise.",
			s->clock);
	else if (strcmp(s->clock, "insn") != 0)
		findings_add(caveats, "Work and span are counts of %s, not times.", s->clock);
}

#define OUTSIDE_PCT 5.0

/* A program that waits for its disk is not made faster by cores, however parallel its work is. */
static void doubt_outside(const struct spans *s, struct findings *caveats)
{
	struct spans_waits waits = spans_waits(s);
	if (text_share_of((double)(waits.io_ns + waits.asleep_ns), (double)waits.alive_ns) >= OUTSIDE_PCT)
		findings_add(caveats,
		             "Threads were in calls for input or output for %s and asleep for %s. Work and span do not contain "
		             "waits; more cores do not shorten these.",
		             text_ns(&caveats->pool, (double)waits.io_ns), text_ns(&caveats->pool, (double)waits.asleep_ns));
}

void spans_doubt(const struct spans *s, struct findings *caveats)
{
	caveats_lost(s->run, caveats);
	caveats_notes(s->run, caveats);
	doubt_processes(s, caveats);
	doubt_structure(s, caveats);
	doubt_outside(s, caveats);
	doubt_foreign(s, caveats);
	doubt_targets(s, caveats);
	doubt_cost(s, caveats);
	doubt_clock(s, caveats);
}
