/* SPDX-License-Identifier: MIT */
#include "analyse/calls/verdict.h"

#include <stdlib.h>

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

/* ---- the stage that sets the pace ---- */

struct stage {
	uint64_t crew;
	double busy; /* part of its workers' lives */
};

static struct stage stage_of(const struct calls *calls, const uint64_t *crews, uint64_t crew)
{
	uint64_t alive = 0, working = 0;
	for (size_t w = 0; w < calls->run->worker_count; w++)
		if (crews[w] == crew) {
			alive += calls->run->workers[w].alive_ns;
			working += calls_working_ns(&calls->run->workers[w]);
		}
	return (struct stage){crew, share(working, alive)};
}

/* The kind of wait of the routine that waits longest. */
static struct calls_wait_sum main_wait(const struct calls *calls)
{
	struct calls_wait_sum routine = calls_longest_wait(calls, NULL, CALLS_OF_ROUTINE, 1u << CALLS_WAITS);
	return calls_longest_wait(calls, routine.wait, CALLS_OF_KIND, 1u << CALLS_WAITS);
}

/* Conditions and semaphores are what threads wait for work by. */
static bool is_for_work(const struct calls_wait *wait)
{
	return wait && (wait->kind == RAW_WAIT_CONDITION || wait->kind == RAW_WAIT_SEMAPHORE);
}

/* Where threads have different jobs and wait for work, the job whose threads hardly ever wait is the one that the others wait for.
 * crew 0: there is no such job. `others`: the share of the next one. */
static struct stage pace_of(const struct calls *calls, double *others)
{
	uint64_t *crews = calls_crews(calls);
	struct stage first = {0}, second = {0};
	for (size_t w = 0; w < calls->run->worker_count; w++) {
		struct stage stage = stage_of(calls, crews, crews[w]);
		if (calls_crew_start(crews[w]) == RUN_NOWHERE || stage.crew == first.crew || stage.crew == second.crew)
			continue;
		if (stage.busy > first.busy) {
			second = first;
			first = stage;
		} else if (stage.busy > second.busy || !second.crew) {
			second = stage;
		}
	}
	free(crews);
	*others = second.busy;
	return is_for_work(main_wait(calls).wait) && second.crew && first.busy >= CALLS_PACE && second.busy <= CALLS_PACE * first.busy
		? first
		: (struct stage){0};
}

static void judge_stages(const struct calls *calls, struct findings *verdict)
{
	double others;
	struct stage pace = pace_of(calls, &others);
	if (pace.crew)
		findings_add(
			verdict,
			"Threads that run %s set the pace: they were busy for %s of their life, those of every other kind for at most %s. "
			"Make that routine faster, or give it more threads.",
			describe(calls, calls_crew_start(pace.crew), verdict), text_percent(&verdict->pool, 100 * pace.busy),
			text_percent(&verdict->pool, 100 * others));
}

/* "the 4 workers that run work (prog.c:20)" */
static const char *describe_crew(const struct calls *calls, const struct calls_balance *b, struct findings *to)
{
	uint32_t start = calls_crew_start(b->crew);
	return start == RUN_NOWHERE ? pool_print(&to->pool, "the %zu workers of the OpenMP team", b->counted)
				    : pool_print(&to->pool, "the %zu workers that run %s", b->counted, describe(calls, start, to));
}

/* ---- no busy worker, one, several ---- */

/* Parts of wall time by number of busy workers. */
struct levels {
	double nobody, one, several;
	double mean; /* of busy workers */
	uint64_t nobody_ns, one_ns;
};

static struct levels levels_of(const struct calls *calls)
{
	struct levels l = {.nobody_ns = calls_level_ns(calls, 0, 0), .one_ns = calls_level_ns(calls, 1, 1)};
	uint64_t wall = calls_level_ns(calls, 0, UINT32_MAX);
	double sum = 0;
	for (size_t i = 0; i < calls->level_count; i++)
		if (calls->levels[i].routine == RUN_NOWHERE)
			sum += (double)calls->levels[i].ns * calls->levels[i].working;
	l.nobody = share(l.nobody_ns, wall);
	l.one = share(l.one_ns, wall);
	l.several = share(calls_level_ns(calls, 2, UINT32_MAX), wall);
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
	return share(p->flags & RAW_EXECED ? p->cpu_ns : p->wall_ns, run->wall_ns) >= 0.01;
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
	return routine == RUN_OUTSIDE ? "" : pool_print(&to->pool, " in %s", describe(calls, routine, to));
}

static const char *const wait_nouns[RAW_WAIT_KINDS] = {
	[RAW_WAIT_LOCK] = "for locks",      [RAW_WAIT_CONDITION] = "for conditions", [RAW_WAIT_SEMAPHORE] = "for semaphores",
	[RAW_WAIT_BARRIER] = "at barriers", [RAW_WAIT_JOIN] = "for threads to end",  [RAW_WAIT_IO] = "for input and output",
	[RAW_WAIT_SLEEP] = "asleep",        [RAW_WAIT_TASK] = "for tasks",
};

/* On a machine without free cores, a thread that could go on waits for one, and its wait does not tell. */
static const char *or_core(const struct calls *calls)
{
	return lacks_cores(calls->run) ? ", or for a core" : "";
}

/* What all workers waited for: "waited for input or output in serve (srv.c:12)". */
static const char *idle_reason(const struct calls *calls, uint64_t nobody_ns, struct findings *to)
{
	const struct calls_wait *wait = calls_outward_wait(calls, nobody_ns / 2);
	const struct calls_wait *inward = main_wait(calls).wait;
	if (!wait && inward)
		return pool_print(&to->pool, "waited %s%s%s", wait_nouns[inward->kind], in_routine(calls, inward->routine, to),
		                  or_core(calls));
	if (!wait)
		return "waited";
	return pool_print(&to->pool, "%s%s",
	                  wait->kind == RAW_WAIT_IO             ? "waited for input or output"
	                          : wait->kind == RAW_WAIT_JOIN ? "waited for a child process"
	                                                        : "slept or waited for a signal",
	                  in_routine(calls, wait->routine, to));
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
};

/* The wait for which others stood still for a third of the time; NULL: there is none. */
static const struct calls_wait *holding_wait(const struct calls *calls, uint64_t one_ns)
{
	struct calls_wait_sum kind = main_wait(calls);
	return kind.wait && kind.wait->kind != RAW_WAIT_IO && held_up_ns(calls, kind.wait) >= one_ns / 3 ? kind.wait : NULL;
}

static struct reason reason_of_wait(const struct calls *calls, const struct calls_wait *wait, struct findings *to)
{
	const char *in = in_routine(calls, wait->routine, to);
	const char *core = raw_wait_nature((enum raw_wait)wait->kind) == RAW_NATURE_SPINS ? or_core(calls) : "";
	return (struct reason){pool_print(&to->pool, ": others waited %s%s%s", wait_nouns[wait->kind], in, core),
	                       pool_print(&to->pool, "workers wait less %s%s", wait_nouns[wait->kind], in), false};
}

static struct reason reason_of_pace(const struct calls *calls, struct stage pace, struct findings *to)
{
	const char *stage = describe(calls, calls_crew_start(pace.crew), to);
	return (struct reason){pool_print(&to->pool, ": others waited for %s, which sets the pace", stage),
	                       pool_print(&to->pool, "%s, which sets the pace, is faster or has more threads", stage), false};
}

static struct reason reason_of_routine(const struct calls *calls, uint32_t routine, struct findings *to)
{
	const char *in = describe(calls, routine, to), *fact = pool_print(&to->pool, ", mostly in %s", in);
	if (is_of_one_worker(calls, routine))
		return (struct reason){fact, pool_print(&to->pool, "that part, mostly %s, is made parallel", in), true};
	return (struct reason){fact, pool_print(&to->pool, "%s always runs in several workers at once", in), false};
}

static bool is_uneven_for(const struct calls *calls, const struct calls_balance *b, uint64_t one_ns)
{
	double busy = (double)calls_working_ns(&calls->run->workers[b->busiest]);
	return b->ratio >= CALLS_UNEVEN && (1 - 1 / b->ratio) * busy >= (double)one_ns / 3;
}

/* A wait for work or at a barrier is the effect of something else, if that can be found: of a slow stage, of a serial routine, of
 * uneven work. */
static struct reason one_reason(const struct calls *calls, const struct levels *l, struct findings *to)
{
	double others;
	struct stage pace = pace_of(calls, &others);
	struct calls_balance b = calls_balance(calls);
	const struct calls_wait *wait = holding_wait(calls, l->one_ns);
	const struct calls_level *alone = longest_alone(calls);
	bool has_alone = alone && alone->ns >= l->one_ns / 2;
	if (wait && wait->kind == RAW_WAIT_LOCK)
		return reason_of_wait(calls, wait, to);
	if (pace.crew)
		return reason_of_pace(calls, pace, to);
	if (has_alone && is_of_one_worker(calls, alone->routine))
		return reason_of_routine(calls, alone->routine, to);
	if (is_for_work(wait))
		return reason_of_wait(calls, wait, to);
	if (is_uneven_for(calls, &b, l->one_ns)) {
		const char *crew = describe_crew(calls, &b, to);
		return (struct reason){pool_print(&to->pool, ": work is uneven among %s", crew),
		                       pool_print(&to->pool, "work is divided evenly among %s", crew), false};
	}
	if (wait && wait->routine != RUN_OUTSIDE)
		return reason_of_wait(calls, wait, to);
	if (has_alone)
		return reason_of_routine(calls, alone->routine, to);
	return (struct reason){"", "that part is made parallel", true};
}

static void say_idle(const struct calls *calls, const struct levels *l, const char *length, struct findings *verdict)
{
	const char *reason = idle_reason(calls, l->nobody_ns, verdict), *nobody = text_percent(&verdict->pool, 100 * l->nobody);
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
}

static void say_alone(const struct calls *calls, struct findings *verdict)
{
	const struct calls_level *longest = longest_alone(calls);
	uint64_t wall = calls_level_ns(calls, 0, UINT32_MAX);
	if (longest && share(longest->ns, wall) >= 0.01)
		findings_add(verdict, "%s was busy alone for %s (± %.1f) of the run. Make it parallel, or overlap it with other work.",
		             describe(calls, longest->routine, verdict), text_share(&verdict->pool, (double)longest->ns, (double)wall),
		             100 * calls_error(longest->snapshots, calls->snapshots));
}

/* The bound holds for the program as it is, on a machine that gives it its cores. */
static void say_sequential(const struct calls *calls, const struct levels *l, const char *length, struct findings *verdict)
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
	if (l->nobody >= CALLS_IDLE_SHARE)
		findings_add(verdict, "For %s of the run no worker was busy: the program %s.",
		             text_percent(&verdict->pool, 100 * l->nobody), idle_reason(calls, l->nobody_ns, verdict));
	if (reason.is_serial)
		say_alone(calls, verdict);
}

static void say_parallel(const struct calls *calls, const struct levels *l, const char *length, struct findings *verdict)
{
	double sequential = l->nobody + l->one;
	const char *bound =
		sequential >= 0.01 ? pool_print(&verdict->pool, "; the rest bounds any speed-up to %.0f times", 1 / sequential) : "";
	findings_add(verdict, "Several workers were busy for %s of the %s run, %.1f of %zu on average%s.",
	             text_percent(&verdict->pool, 100 * l->several), length, l->mean, lasting_workers(calls->run), bound);
}

static void say_processes(const struct levels *l, size_t processes, const char *length, struct findings *verdict)
{
	findings_add(
		verdict,
		"%zu processes ran within %s. In the average process no worker was busy for %s of its time, one for %s, several for %s. "
		"How far processes overlap is not measured: this bounds no speed-up.",
		processes, length, text_percent(&verdict->pool, 100 * l->nobody), text_percent(&verdict->pool, 100 * l->one),
		text_percent(&verdict->pool, 100 * l->several));
}

static void judge_levels(const struct calls *calls, struct findings *verdict)
{
	struct levels l = levels_of(calls);
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
		say_processes(&l, processes, length, verdict);
	else if (told && (l.nobody >= 0.5 || (workers < 2 && l.nobody >= CALLS_SEQUENTIAL_SHARE)))
		say_idle(calls, &l, length, verdict);
	else if (workers < 2)
		findings_add(verdict, "One worker did all the work of the %s run: it did not run in parallel.", length);
	else if (l.nobody + l.one >= CALLS_SEQUENTIAL_SHARE)
		say_sequential(calls, &l, length, verdict);
	else
		say_parallel(calls, &l, length, verdict);
}

/* ---- work ---- */

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
	if (b.counted < 2 || share(b.busiest_ns, calls->run->wall_ns) < CALLS_WORTH)
		return;
	struct levels l = levels_of(calls);
	const struct calls_wait *wait = holding_wait(calls, l.one_ns);
	if (b.ratio >= CALLS_UNEVEN && wait && wait->kind == RAW_WAIT_LOCK && l.nobody + l.one >= CALLS_SEQUENTIAL_SHARE)
		return; /* the worker that gets the lock works: dividing the work differently changes nothing */
	const char *crew = describe_crew(calls, &b, verdict);
	if (b.ratio >= CALLS_UNEVEN)
		findings_add(verdict,
		             "Work is uneven among %s: worker %u did %s of it, %.2f times the average of %s. Give the others a "
		             "part of it.",
		             crew, b.busiest, text_ns(&verdict->pool, (double)b.busiest_ns), b.ratio,
		             text_ns(&verdict->pool, (double)b.mean_ns));
	else
		findings_add(verdict, "Work is even among %s: the busiest did %.2f times their average.", crew, b.ratio);
}

/* ---- waiting ---- */

static const char *const advice[RAW_WAIT_KINDS] = {
#define X(name, word, nature, advice) advice,
	RAW_WAIT_LIST(X)
#undef X
};

/* What most of the waits were for, as a sentence with a space before it, or "". */
static const char *describe_object(const struct calls *calls, struct calls_wait_sum kind, uint32_t ranks, struct findings *to)
{
	struct calls_wait_sum object = calls_longest_wait(calls, kind.wait, CALLS_OF_OBJECT, ranks);
	const char *place = object.wait ? text_place(&to->pool, object.wait->file, object.wait->line) : "";
	if (!object.wait || object.ns < kind.ns / 2 || (!*place && !*object.wait->object))
		return "";
	const char *part = object.ns >= kind.ns - kind.ns / 200 ? "All" : text_share(&to->pool, (double)object.ns, (double)kind.ns);
	if (*object.wait->object)
		return pool_print(&to->pool, " %s of that is for %s%s%s.", part, object.wait->object, *place ? ", first at " : "", place);
	return pool_print(&to->pool, " %s of that is at %s.", part, place);
}

/* Where no worker was busy, the first sentence has said what for. */
static bool is_idle_reason(const struct calls *calls, const struct calls_wait *wait)
{
	struct levels l = levels_of(calls);
	const struct calls_wait *reason = l.nobody >= 0.5 ? calls_outward_wait(calls, l.nobody_ns / 2) : NULL;
	return reason && reason->routine == wait->routine && reason->kind == wait->kind;
}

static void judge_waiting(const struct calls *calls, struct findings *verdict)
{
	uint64_t alive = 0;
	for (size_t i = 0; i < calls->run->worker_count; i++)
		alive += calls->run->workers[i].alive_ns;
	for (uint32_t rank = CALLS_WAITS; rank <= CALLS_ASLEEP; rank++) {
		struct calls_wait_sum routine = calls_longest_wait(calls, NULL, CALLS_OF_ROUTINE, 1u << rank);
		struct calls_wait_sum kind = calls_longest_wait(calls, routine.wait, CALLS_OF_KIND, 1u << rank);
		if (!kind.wait || share(routine.ns, alive) < CALLS_WAIT_SHARE || is_idle_reason(calls, kind.wait))
			continue;
		findings_add(verdict, "Most waiting is in %s: %s over all workers, %s.%s",
		             routine.wait->routine == RUN_OUTSIDE ? "code that is not profiled"
		                                                  : describe(calls, routine.wait->routine, verdict),
		             text_ns(&verdict->pool, (double)routine.ns), advice[kind.wait->kind],
		             describe_object(calls, kind, 1u << rank, verdict));
		return;
	}
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
			"%s was called most: %s of %s calls (%s). %s routines were called; %s of calls were made while several workers were busy.",
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
		judge_direct(calls, verdict);
		judge_waiting(calls, verdict);
		judge_stages(calls, verdict);
		judge_balance(calls, verdict);
	}
	calls_doubt(calls, caveats);
}
