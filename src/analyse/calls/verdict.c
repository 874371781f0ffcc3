/* SPDX-License-Identifier: MIT */
#include "analyse/calls/judge.h"
#include "analyse/opening.h"
#include "base/text.h"

const char *calls_describe(const struct calls *calls, uint32_t routine, struct findings *to)
{
	const struct run_routine *r = &calls->run->routines[routine];
	const char *place = text_place(&to->pool, r->file, r->line);
	return *place ? pool_print(&to->pool, "%s (%s)", run_shown(r), place) : run_shown(r);
}

const char *calls_describe_crew(const struct calls *calls, const struct calls_balance *b, struct findings *to)
{
	uint32_t start = calls_crew_start(b->crew);
	return start == RUN_NOWHERE ? pool_print(&to->pool, "the %zu workers of the OpenMP team", b->counted)
				    : pool_print(&to->pool, "the %zu workers that run %s", b->counted, calls_describe(calls, start, to));
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
		             calls_describe(calls, most, verdict), text_ns(&verdict->pool, (double)best),
		             text_share(&verdict->pool, (double)best, (double)total));
	if (most != RUN_OUTSIDE)
		findings_tag(verdict, verdict->count - 1,
		             &(struct finding_tag){.kind = FINDING_HOT,
		                                   .routine = most,
		                                   .share = total > 0 ? (double)best / (double)total : 0,
		                                   .words = pool_print(&verdict->pool, "%s of the working time",
		                                                       text_share(&verdict->pool, (double)best, (double)total))});
}

static void judge_balance(const struct calls *calls, struct findings *verdict)
{
	struct calls_balance b = calls_balance(calls);
	uint64_t wall = calls->run->wall_ns, cpu = calls->run->cpu_ns; /* the run takes longer where others have the cores */
	if (b.counted < 2 || calls_share(b.busiest_ns, cpu && cpu < wall ? cpu : wall) < CALLS_WORTH)
		return;
	struct calls_parts l = calls_parts_of(calls);
	const struct calls_wait *wait = calls_holding_wait(calls, l.one_ns);
	uint32_t task;
	bool takes_turns = calls_tasks_of_one(calls, &task) >= CALLS_ONE_RUNS || calls_lacks_tasks(calls, wait) ||
		(wait && (wait->kind == RAW_WAIT_LOCK || (wait->kind == RAW_WAIT_TASK && wait->routine != RUN_OUTSIDE)));
	if (b.ratio >= CALLS_UNEVEN && takes_turns && l.nobody + l.one >= CALLS_SEQUENTIAL_SHARE)
		return; /* the worker that gets the lock or the task works: dividing the work differently changes nothing */
	const char *crew = calls_describe_crew(calls, &b, verdict);
	if (b.ratio >= CALLS_UNEVEN) {
		uint32_t start = calls_crew_start(b.crew);
		findings_add(verdict,
		             "Work is uneven among %s: worker %u did %s of it, %.2f times the average of %s. Give the others a "
		             "part of it.",
		             crew, b.busiest, text_ns(&verdict->pool, (double)b.busiest_ns), b.ratio,
		             text_ns(&verdict->pool, (double)b.mean_ns));
		findings_tag(verdict, verdict->count - 1,
		             &(struct finding_tag){.kind = FINDING_UNEVEN,
		                                   .routine = start == RUN_NOWHERE ? FINDING_NO_ROUTINE : start,
		                                   .part = calls_share(b.busiest_ns - b.mean_ns, wall),
		                                   .words = pool_print(&verdict->pool, "worker %u did %.2f times the average", b.busiest,
		                                                       b.ratio)});
	} else
		findings_add(verdict, "Work is even among %s: the busiest did %.2f times their average.", crew, b.ratio);
}

/* ---- stages ---- */

static void judge_stages(const struct calls *calls, struct findings *verdict)
{
	double others;
	struct calls_stage pace = calls_pace(calls, &others);
	if (pace.crew)
		findings_add(
			verdict,
			"Threads that run %s set the pace: they were busy for %s of their life, those of every other kind for at most %s. "
			"Make that routine faster, or give it more threads.",
			calls_describe(calls, calls_crew_start(pace.crew), verdict), text_percent(&verdict->pool, 100 * pace.busy),
			text_percent(&verdict->pool, 100 * others));
	if (pace.crew)
		findings_tag(verdict, verdict->count - 1,
		             &(struct finding_tag){.kind = FINDING_SERIAL,
		                                   .routine = calls_crew_start(pace.crew),
		                                   .part = pace.busy - others,
		                                   .words = pool_print(&verdict->pool, "sets the pace, busy for %s of its threads' time",
		                                                       text_percent(&verdict->pool, 100 * pace.busy)),
		                                   .advice = "Make that routine faster, or give it more threads"});
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
	const char *of = pool_print(&to->pool, "%s of the waiting %s", part, calls_wait_noun(kind.wait));
	if (*object.wait->object)
		return pool_print(&to->pool, " %s is for %s%s%s.", of, object.wait->object, *place ? ", first at " : "", place);
	return pool_print(&to->pool, " %s is at %s.", of, place);
}

/* What to do about it; or, where the cause of such a wait is known, what it was for. */
static const char *advice_for(const struct calls *calls, const struct calls_wait *wait)
{
	if (wait->kind == RAW_WAIT_TASK && calls_tiny_tasks(calls).count)
		return "mostly for tasks, which are too small";
	if (calls_lacks_tasks(calls, wait))
		return "mostly at barriers, with no task to run";
	if (wait->kind == RAW_WAIT_BARRIER && opening_no_core_pct(calls->run) >= OPENING_NO_CORE_PCT &&
	    calls_balance(calls).ratio < CALLS_UNEVEN)
		return "mostly at barriers: threads had no core, or the work between barriers is too short";
	return advice[wait->kind];
}

/* Where no worker was busy, the first sentence has said what for. */
static bool is_idle_reason(const struct calls *calls, const struct calls_wait *wait)
{
	struct calls_parts l = calls_parts_of(calls);
	const struct calls_wait *reason = l.nobody >= 0.5 ? calls_outward_wait(calls, l.nobody_ns / 2) : NULL;
	return reason && reason->routine == wait->routine && reason->kind == wait->kind;
}

struct finding_tag calls_tag_of_wait(const struct calls *calls, const struct calls_wait *wait)
{
	static const enum finding_kind kinds[RAW_WAIT_KINDS] = {
		[RAW_WAIT_LOCK] = FINDING_LOCK,         [RAW_WAIT_CONDITION] = FINDING_SERIAL, [RAW_WAIT_SEMAPHORE] = FINDING_SERIAL,
		[RAW_WAIT_BARRIER] = FINDING_UNEVEN,    [RAW_WAIT_JOIN] = FINDING_SERIAL,      [RAW_WAIT_IO] = FINDING_OUTSIDE,
		[RAW_WAIT_SLEEP] = FINDING_OUTSIDE,     [RAW_WAIT_TASK] = FINDING_SERIAL,      [RAW_WAIT_MESSAGE] = FINDING_OUTSIDE,
		[RAW_WAIT_COLLECTIVE] = FINDING_UNEVEN,
	};
	struct calls_wait_sum object = calls_longest_wait(calls, wait, CALLS_OF_OBJECT, UINT32_MAX);
	return (struct finding_tag){.kind = kinds[wait->kind],
	                            .routine = wait->routine == RUN_OUTSIDE ? FINDING_NO_ROUTINE : wait->routine,
	                            .object = object.wait && *object.wait->object ? object.wait->object : NULL,
	                            .waits = kinds[wait->kind] == FINDING_SERIAL};
}

static void judge_waiting(const struct calls *calls, struct findings *verdict)
{
	uint64_t alive = calls_alive_ns(calls);
	for (uint32_t rank = CALLS_WAITS; rank <= CALLS_ASLEEP; rank++) {
		struct calls_wait_sum routine = calls_longest_wait(calls, NULL, CALLS_OF_ROUTINE, 1u << rank);
		struct calls_wait_sum kind = calls_longest_wait(calls, routine.wait, CALLS_OF_KIND, 1u << rank);
		if (!kind.wait || calls_share(routine.ns, alive) < CALLS_WAIT_SHARE || is_idle_reason(calls, kind.wait))
			continue;
		findings_add(verdict, "Most waiting is in %s: %s over all workers, %s.%s",
		             routine.wait->routine == RUN_OUTSIDE ? "code that is not profiled"
		                                                  : calls_describe(calls, routine.wait->routine, verdict),
		             text_ns(&verdict->pool, (double)routine.ns), advice_for(calls, kind.wait),
		             describe_object(calls, kind, 1u << rank, verdict));
		struct finding_tag tag = calls_tag_of_wait(calls, kind.wait);
		tag.words = pool_print(&verdict->pool, "%s of waiting", text_ns(&verdict->pool, (double)routine.ns));
		tag.confirms = true;
		if (kind.wait->kind != RAW_WAIT_JOIN) /* main waits for its threads */
			findings_tag(verdict, verdict->count - 1, &tag);
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
			calls_describe(calls, most, verdict), text_count(&verdict->pool, best), text_count(&verdict->pool, total),
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
		calls_judge_pieces(calls, verdict);
		calls_judge_parts(calls, verdict);
		judge_direct(calls, verdict);
		judge_waiting(calls, verdict);
		judge_stages(calls, verdict);
		judge_balance(calls, verdict);
	}
	calls_doubt(calls, caveats);
}
