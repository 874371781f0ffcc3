/* SPDX-License-Identifier: MIT */
/* levels.c: the first sentence of the calls lens: for how long no worker was busy, one, several, and why. */
#include "analyse/calls/judge.h"
#include "analyse/opening.h"
#include "base/text.h"

struct calls_parts calls_parts_of(const struct calls *calls)
{
	struct calls_parts l = {.nobody_ns = calls_level_ns(calls, 0, 0), .one_ns = calls_level_ns(calls, 1, 1)};
	uint64_t wall = calls_level_ns(calls, 0, UINT32_MAX);
	double sum = 0;
	for (size_t i = 0; i < calls->level_count; i++)
		if (calls->levels[i].routine == RUN_NOWHERE)
			sum += (double)calls->levels[i].ns * calls->levels[i].working;
	l.nobody = calls_share(l.nobody_ns, wall);
	l.one = calls_share(l.one_ns, wall);
	l.several = calls_share(calls_level_ns(calls, 2, UINT32_MAX), wall);
	l.mean = wall ? sum / (double)wall : 0;
	return l;
}

static bool lacks_cores(const struct run *run)
{
	return opening_no_core_pct(run) >= OPENING_NO_CORE_PCT;
}

/* A child that at once becomes another program is not worth a word: processes that lasted count, and their workers. */
static bool has_lasted(const struct run *run, size_t process)
{
	const struct run_process *p = &run->processes[process];
	return calls_share(p->flags & RAW_EXECED ? p->cpu_ns : p->wall_ns, run->wall_ns) >= 0.01;
}

static size_t lasting_processes(const struct run *run)
{
	size_t count = 0;
	for (size_t i = 0; i < run->process_count; i++)
		count += has_lasted(run, i);
	return count;
}

static size_t lasting_workers(const struct run *run)
{
	size_t count = 0;
	for (size_t i = 0; i < run->worker_count; i++)
		count += has_lasted(run, run->workers[i].process);
	return count;
}

/* " in serve (srv.c:12)", or nothing for code that is not profiled */
static const char *in_routine(const struct calls *calls, uint32_t routine, struct findings *to)
{
	return routine == RUN_OUTSIDE ? "" : pool_print(&to->pool, " in %s", calls_describe(calls, routine, to));
}

/* On a machine without free cores, a thread that could go on waits for one, and its wait does not tell. */
static const char *or_core(const struct calls *calls)
{
	return lacks_cores(calls->run) ? ", or for a core" : "";
}

/* CPU time of the program beyond the work of its routines: the kernel worked for them inside calls that count as waits. */
static uint64_t kernel_ns(const struct calls *calls)
{
	const struct run *run = calls->run;
	int64_t rest = (int64_t)run->cpu_ns - (int64_t)run->own_cpu_ns - calls_total(calls, CALLS_ALL).direct_ns;
	rest = run->system_ns < rest ? run->system_ns : rest;
	return rest > 0 ? (uint64_t)rest : 0;
}

/* Most of the time in which no worker was busy, and had a core or needed none. */
static bool is_kernel_busy(const struct calls *calls, const struct calls_parts *l)
{
	uint64_t wanted = calls->run->wanted_ns > 0 ? (uint64_t)calls->run->wanted_ns : 0;
	return kernel_ns(calls) && 2 * kernel_ns(calls) >= l->nobody_ns - (wanted < l->nobody_ns ? wanted : l->nobody_ns);
}

/* The routine that makes most calls for input and output. */
static const struct calls_wait *most_io(const struct calls *calls)
{
	const struct calls_wait *most = NULL;
	for (size_t i = 0; i < calls->wait_count; i++)
		if (calls->waits[i].kind == RAW_WAIT_IO && (!most || calls->waits[i].waits > most->waits))
			most = &calls->waits[i];
	return most;
}

/* What all workers waited for: "waited for input or output in serve (srv.c:12)". */
static const char *idle_reason(const struct calls *calls, const struct calls_parts *l, struct findings *to)
{
	const struct calls_wait *wait = calls_outward_wait(calls, l->nobody_ns / 2);
	uint64_t kernel = wait && wait->kind == RAW_WAIT_IO ? kernel_ns(calls) : 0;
	const struct calls_wait *inward = calls_first_wait(calls).wait;
	if (!wait && inward)
		return pool_print(&to->pool, "waited %s%s%s", calls_wait_noun(inward), in_routine(calls, inward->routine, to),
		                  or_core(calls));
	if (!wait)
		return "waited";
	const char *place = text_place(&to->pool, wait->file, wait->line);
	const char *worked = calls_share(kernel, l->nobody_ns) < CALLS_KERNEL_SHARE
		? ""
		: pool_print(&to->pool, ", or the kernel worked for it in such calls (%s of CPU time)", text_ns(&to->pool, (double)kernel));
	return pool_print(&to->pool, "%s%s%s%s%s",
	                  wait->kind == RAW_WAIT_MESSAGE              ? "waited for messages of other ranks"
	                          : wait->kind == RAW_WAIT_COLLECTIVE ? "waited for other ranks in collective calls"
	                          : wait->kind == RAW_WAIT_IO         ? "waited for input or output"
	                          : wait->kind == RAW_WAIT_JOIN       ? "waited for a child process"
	                                                              : "slept or waited for a signal",
	                  in_routine(calls, wait->routine, to), *place ? ", at " : "", place, worked);
}

/* What the reason is. */
static struct finding_tag idle_tag(const struct calls *calls, const struct calls_parts *l, struct findings *to)
{
	const struct calls_wait *wait = calls_outward_wait(calls, l->nobody_ns / 2), *inward = calls_first_wait(calls).wait;
	struct finding_tag tag = {.kind = FINDING_OUTSIDE, .routine = FINDING_NO_ROUTINE};
	if (wait || inward)
		tag = calls_tag_of_wait(calls, wait ? wait : inward);
	if (wait) {
		tag.kind = FINDING_OUTSIDE;
		tag.waits = false;
	}
	tag.confirms = tag.waits;
	tag.part = l->nobody;
	tag.words = pool_print(&to->pool, "no worker busy for %s of the run", text_percent(&to->pool, 100 * l->nobody));
	return tag;
}

static const struct calls_level *longest_alone(const struct calls *calls)
{
	const struct calls_level *longest = NULL;
	for (size_t i = 0; i < calls->level_count; i++) {
		const struct calls_level *level = &calls->levels[i];
		if (level->working == 1 && level->routine != RUN_NOWHERE && (!longest || level->ns > longest->ns))
			longest = level;
	}
	return longest;
}

/* The longest time for which one worker waited so: how long the routine may have held others up. */
static uint64_t held_up_ns(const struct calls *calls, const struct calls_wait *wait)
{
	uint64_t longest = 0;
	for (uint32_t w = 0; w < calls->run->worker_count; w++) {
		uint64_t sum = 0;
		for (size_t i = 0; i < calls->wait_count; i++)
			if (calls->waits[i].worker == w && calls->waits[i].routine == wait->routine && calls->waits[i].kind == wait->kind &&
			    calls_wait_rank(calls, &calls->waits[i]) == CALLS_WAITS)
				sum += calls->waits[i].ns;
		longest = sum > longest ? sum : longest;
	}
	return longest;
}

/* Only one worker ever runs the routine: it is not what several do at other times. */
static bool is_of_one_worker(const struct calls *calls, uint32_t routine)
{
	size_t workers = 0;
	for (uint32_t w = 0; w < calls->run->worker_count; w++)
		workers += calls_sum(calls, routine, w, CALLS_ALL).calls > 0;
	return workers == 1;
}

/* Why only one worker was busy: what follows "at most one was busy" as a fact, and as what must change first. */
struct reason {
	const char *fact, *until;
	bool is_serial; /* there was nothing for others to do */
	struct finding_tag tag;
};

const struct calls_wait *calls_holding_wait(const struct calls *calls, uint64_t one_ns)
{
	struct calls_wait_sum kind = calls_first_wait(calls);
	return kind.wait && kind.wait->kind != RAW_WAIT_IO && held_up_ns(calls, kind.wait) >= one_ns / 3 ? kind.wait : NULL;
}

static struct reason reason_of_wait(const struct calls *calls, const struct calls_wait *wait, struct findings *to)
{
	const char *in = in_routine(calls, wait->routine, to);
	const char *core = raw_wait_nature((enum raw_wait)wait->kind) == RAW_NATURE_SPINS ? or_core(calls) : "";
	struct finding_tag tag = calls_tag_of_wait(calls, wait);
	tag.confirms = tag.waits; /* the sentence has no more than that others waited */
	return (struct reason){pool_print(&to->pool, ": others waited %s%s%s", calls_wait_noun(wait), in, core),
	                       pool_print(&to->pool, "workers wait less %s%s", calls_wait_noun(wait), in), false, tag};
}

static struct reason reason_of_pace(const struct calls *calls, struct calls_stage pace, struct findings *to)
{
	const char *stage = calls_describe(calls, calls_crew_start(pace.crew), to);
	return (struct reason){pool_print(&to->pool, ": others waited for %s, which sets the pace", stage),
	                       pool_print(&to->pool, "%s, which sets the pace, is faster or has more threads", stage),
	                       false,
	                       {.kind = FINDING_SERIAL, .routine = calls_crew_start(pace.crew)}};
}

static struct reason reason_of_routine(const struct calls *calls, uint32_t routine, struct findings *to)
{
	const char *in = calls_describe(calls, routine, to), *fact = pool_print(&to->pool, ", mostly in %s", in);
	struct finding_tag tag = {.kind = FINDING_SERIAL, .routine = routine == RUN_OUTSIDE ? FINDING_NO_ROUTINE : routine};
	if (is_of_one_worker(calls, routine))
		return (struct reason){fact, pool_print(&to->pool, "that part, mostly %s, is made parallel", in), true, tag};
	return (struct reason){fact, pool_print(&to->pool, "%s always runs in several workers at once", in), false, tag};
}

/* Tasks are there for all workers: if one runs them, the others found none. */
static struct reason reason_of_tasks(const struct calls *calls, double of_one, uint32_t routine, struct findings *to)
{
	const char *ran = pool_print(&to->pool, "one worker ran %s of the tasks, most of them %s", text_percent(&to->pool, 100 * of_one),
	                             calls_describe(calls, routine, to));
	return (struct reason){pool_print(&to->pool, ": %s, and others found none%s", ran,
	                                  lacks_cores(calls->run) ? " or had no core" : ""),
	                       pool_print(&to->pool, "several tasks exist at the same time: %s", ran),
	                       false,
	                       {.kind = FINDING_SERIAL, .routine = routine}};
}

static struct reason reason_of_no_task(const struct calls *calls, uint32_t routine, struct findings *to)
{
	return (struct reason){pool_print(&to->pool, ": others were at a barrier and found no task to run%s",
	                                  lacks_cores(calls->run) ? ", or had no core" : ""),
	                       pool_print(&to->pool, "several tasks exist at the same time: most of them are %s",
	                                  calls_describe(calls, routine, to)),
	                       false,
	                       {.kind = FINDING_SERIAL, .routine = routine}};
}

static bool is_uneven_for(const struct calls *calls, const struct calls_balance *b, uint64_t one_ns)
{
	double busy = (double)calls_working_ns(&calls->run->workers[b->busiest]);
	return b->ratio >= CALLS_UNEVEN && (1 - 1 / b->ratio) * busy >= (double)one_ns / 3;
}

/* A wait for work or at a barrier is the effect of something else, if that can be found: of a slow stage, of a serial routine, of
 * uneven work. */
static struct reason one_reason(const struct calls *calls, const struct calls_parts *l, struct findings *to)
{
	double others;
	struct calls_stage pace = calls_pace(calls, &others);
	struct calls_balance b = calls_balance(calls);
	const struct calls_wait *wait = calls_holding_wait(calls, l->one_ns);
	const struct calls_level *alone = longest_alone(calls);
	bool has_alone = alone && alone->ns >= l->one_ns / 2;
	uint32_t task;
	double tasks_of_one = calls_tasks_of_one(calls, &task);
	bool takes_turns = wait && (wait->kind == RAW_WAIT_LOCK || (wait->kind == RAW_WAIT_TASK && wait->routine != RUN_OUTSIDE));
	if (takes_turns)
		return reason_of_wait(calls, wait, to);
	if (pace.crew)
		return reason_of_pace(calls, pace, to);
	if (tasks_of_one >= CALLS_ONE_RUNS)
		return reason_of_tasks(calls, tasks_of_one, task, to);
	if (has_alone && is_of_one_worker(calls, alone->routine))
		return reason_of_routine(calls, alone->routine, to);
	if (calls_lacks_tasks(calls, wait))
		return reason_of_no_task(calls, task, to);
	if (calls_is_for_work(wait))
		return reason_of_wait(calls, wait, to);
	if (is_uneven_for(calls, &b, l->one_ns)) {
		const char *crew = calls_describe_crew(calls, &b, to);
		uint32_t start = calls_crew_start(b.crew);
		return (struct reason){pool_print(&to->pool, ": work is uneven among %s", crew),
		                       pool_print(&to->pool, "work is divided evenly among %s", crew),
		                       false,
		                       {.kind = FINDING_UNEVEN, .routine = start == RUN_NOWHERE ? FINDING_NO_ROUTINE : start}};
	}
	if (wait && wait->routine != RUN_OUTSIDE)
		return reason_of_wait(calls, wait, to);
	if (has_alone)
		return reason_of_routine(calls, alone->routine, to);
	return (struct reason){"", "that part is made parallel", true, {.kind = FINDING_SERIAL, .routine = FINDING_NO_ROUTINE}};
}

static uint32_t routine_of(const struct calls_wait *wait)
{
	return wait && wait->routine != RUN_OUTSIDE ? wait->routine : FINDING_NO_ROUTINE;
}

/* Calls that never wait, and take most of the time all the same. */
static void say_kernel(const struct calls *calls, const struct calls_parts *l, const char *length, struct findings *verdict)
{
	findings_add(verdict,
	             "For %s of the %s run every worker was inside a call for input or output, most often%s, and the kernel worked there "
	             "for %s. Make fewer and larger calls.",
	             text_percent(&verdict->pool, 100 * l->nobody), length, in_routine(calls, most_io(calls)->routine, verdict),
	             text_ns(&verdict->pool, (double)kernel_ns(calls)));
	findings_tag(verdict, verdict->count - 1,
	             &(struct finding_tag){.kind = FINDING_KERNEL,
	                                   .routine = routine_of(most_io(calls)),
	                                   .part = l->nobody,
	                                   .words = pool_print(&verdict->pool, "in calls for input or output for %s of the run",
	                                                       text_percent(&verdict->pool, 100 * l->nobody)),
	                                   .advice = "Make fewer and larger calls"});
}

static void say_idle(const struct calls *calls, const struct calls_parts *l, const char *length, struct findings *verdict)
{
	const char *reason = idle_reason(calls, l, verdict), *nobody = text_percent(&verdict->pool, 100 * l->nobody);
	if (lasting_workers(calls->run) < 2)
		findings_add(verdict, "The only worker was busy for %s of the %s run; for the rest it %s.",
		             text_percent(&verdict->pool, 100 * l->one), length, reason);
	else if (l->nobody >= 0.95)
		findings_add(verdict, "No worker was busy for %s of the %s run: the program %s. More workers cannot shorten that.", nobody,
		             length, reason);
	else
		findings_add(
			verdict,
			"No worker was busy for %s of the %s run: the program %s. One was busy for %s, several for %s; more workers can shorten "
			"only these parts.",
			nobody, length, reason, text_percent(&verdict->pool, 100 * l->one), text_percent(&verdict->pool, 100 * l->several));
	struct finding_tag tag = idle_tag(calls, l, verdict);
	if (tag.routine != FINDING_NO_ROUTINE || tag.object)
		findings_tag(verdict, verdict->count - 1, &tag);
}

static void say_alone(const struct calls *calls, struct findings *verdict)
{
	const struct calls_level *longest = longest_alone(calls);
	uint64_t wall = calls_level_ns(calls, 0, UINT32_MAX);
	if (longest && calls_share(longest->ns, wall) >= 0.01)
		findings_add(verdict, "%s was busy alone for %s (± %.1f) of the run. Make it parallel, or overlap it with other work.",
		             calls_describe(calls, longest->routine, verdict),
		             text_share(&verdict->pool, (double)longest->ns, (double)wall),
		             100 * calls_error(longest->snapshots, calls->snapshots));
}

/* The bound holds for the program as it is, on a machine that gives it its cores. */
static void say_sequential(const struct calls *calls, const struct calls_parts *l, const char *length, struct findings *verdict)
{
	double sequential = l->nobody + l->one;
	struct reason reason = one_reason(calls, l, verdict);
	const char *part = text_percent(&verdict->pool, 100 * sequential);
	double bound = 1 / sequential < 1.01 ? 1.01 : 1 / sequential;
	size_t workers = lasting_workers(calls->run);
	if (lacks_cores(calls->run))
		findings_add(
			verdict,
			"For %s of the %s run at most one of %zu workers was busy%s. That bounds no speed-up here: with free cores the "
			"part may be smaller.",
			part, length, workers, reason.fact);
	else
		findings_add(
			verdict,
			"For %s of the %s run at most one of %zu workers was busy; more workers cannot make it more than %.*f times faster until %s.",
			part, length, workers, bound < 1.095 ? 2 : 1, bound, reason.until);
	reason.tag.part = lacks_cores(calls->run) ? 0 : l->one / 2;
	reason.tag.confirms |= lacks_cores(calls->run); /* then that is no bound */
	reason.tag.words = pool_print(&verdict->pool, "at most one worker busy for %s of the run", part);
	findings_tag(verdict, verdict->count - 1, &reason.tag);
	if (l->nobody >= CALLS_IDLE_SHARE)
		findings_add(verdict, "For %s of the run no worker was busy: the program %s.",
		             text_percent(&verdict->pool, 100 * l->nobody), idle_reason(calls, l, verdict));
	if (reason.is_serial)
		say_alone(calls, verdict);
}

/* Workers that wait for each other for a good part of their lives are the finding, not the bound. */
static const char *parallel_rest(const struct calls *calls, const struct calls_parts *l, struct findings *to)
{
	struct calls_wait_sum wait = calls_first_wait(calls);
	double sequential = l->nobody + l->one;
	if (wait.wait && wait.wait->kind != RAW_WAIT_IO && calls_share(wait.ns, calls_alive_ns(calls)) >= CALLS_HELD_SHARE)
		return pool_print(&to->pool, "; the others mostly waited %s%s", calls_wait_noun(wait.wait),
		                  in_routine(calls, wait.wait->routine, to));
	if (sequential < 0.01 || lacks_cores(calls->run))
		return "";
	return pool_print(&to->pool, "; the rest bounds any speed-up to %.0f times", 1 / sequential);
}

static void say_parallel(const struct calls *calls, const struct calls_parts *l, const char *length, struct findings *verdict)
{
	findings_add(verdict, "Several workers were busy%s for %s of the %s run, %.1f of %zu on average%s.",
	             lacks_cores(calls->run) ? ", or ready without a core," : "", text_percent(&verdict->pool, 100 * l->several), length,
	             l->mean, lasting_workers(calls->run), parallel_rest(calls, l, verdict));
}

/* "Their workers mostly waited for locks in fetch (c.c:12). ", or nothing */
static const char *what_processes_wait_for(const struct calls *calls, struct findings *to)
{
	struct calls_wait_sum wait = calls_first_wait(calls);
	if (!wait.wait || calls_share(wait.ns, calls_alive_ns(calls)) < CALLS_HELD_SHARE)
		return "";
	return pool_print(&to->pool, "Their workers mostly waited %s%s. ", calls_wait_noun(wait.wait),
	                  in_routine(calls, wait.wait->routine, to));
}

static void say_processes(const struct calls *calls, const struct calls_parts *l, size_t processes, const char *length,
                          struct findings *verdict)
{
	findings_add(
		verdict,
		"%zu processes ran within %s. %sIn the average process no worker was busy for %s of its time, one for %s, several for %s. "
		"How far processes overlap is not measured: this bounds no speed-up.",
		processes, length, what_processes_wait_for(calls, verdict), text_percent(&verdict->pool, 100 * l->nobody),
		text_percent(&verdict->pool, 100 * l->one), text_percent(&verdict->pool, 100 * l->several));
}

void calls_judge_parts(const struct calls *calls, struct findings *verdict)
{
	struct calls_parts l = calls_parts_of(calls);
	const char *length = text_ns(&verdict->pool, (double)calls->run->wall_ns);
	size_t processes = lasting_processes(calls->run), workers = lasting_workers(calls->run);
	bool told = calls->snapshots >= CALLS_TOO_FEW_SNAPSHOTS;
	if (workers > 1 && !told)
		findings_add(
			verdict,
			"The run of %s was too short to tell how parallel it is (%llu snapshots): record a longer one, or use a shorter "
			"--period.",
			length, (unsigned long long)calls->snapshots);
	else if (processes > 1)
		say_processes(calls, &l, processes, length, verdict);
	else if (told && l.nobody >= 0.5 && most_io(calls) && is_kernel_busy(calls, &l))
		say_kernel(calls, &l, length, verdict);
	else if (told && (l.nobody >= 0.5 || (workers < 2 && l.nobody >= CALLS_SEQUENTIAL_SHARE)))
		say_idle(calls, &l, length, verdict);
	else if (workers < 2)
		findings_add(verdict, "One worker did all the work of the %s run: it did not run in parallel.", length);
	else if (l.nobody + l.one >= CALLS_SEQUENTIAL_SHARE)
		say_sequential(calls, &l, length, verdict);
	else
		say_parallel(calls, &l, length, verdict);
}
