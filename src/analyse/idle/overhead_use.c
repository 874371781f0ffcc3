/* SPDX-License-Identifier: MIT */
/* overhead_use.c: sentences about overhead: tasks that are too small, loops that are too short, locks, spinning, and the start of a runtime. */
#include <string.h>

#include "analyse/idle/judge.h"
#include "base/text.h"

#define FEWER_THREADS "create fewer threads, each with more work, or keep them in a pool"
#define FINE_PCT 33.0 /* percent of the overhead: with more for one use, that use is the cause */

static uint64_t of_tasks(const struct idles_sums *sums)
{
	return sums->overhead_by[IDLES_OVERHEAD_TASK] + sums->overhead_by[IDLES_OVERHEAD_SCHEDULE];
}

static uint64_t of_overhead(const struct idles_sums *sums)
{
	return sums->overhead_ns;
}

uint64_t judge_overhead_ns(const struct judge *j)
{
	return j->total.overhead_ns - (j->uses.start_ns < j->total.overhead_ns ? j->uses.start_ns : j->total.overhead_ns);
}

static bool is_much(const struct judge *j, uint64_t ns)
{
	return text_share_of((double)ns, (double)j->effort) >= j->limits->overhead_pct &&
		text_share_of((double)ns, (double)j->total.overhead_ns) >= FINE_PCT;
}

/* Of all that overhead was for, it was for threads that the program creates most of all. */
bool judge_is_threads(const struct judge *j)
{
	return is_much(j, j->uses.threads_ns) && j->uses.threads_ns > j->uses.tasks_ns && j->uses.threads_ns > j->uses.loops_ns;
}

bool judge_is_fine(const struct judge *j)
{
	return is_much(j, j->uses.tasks_ns) || is_much(j, j->uses.loops_ns) || judge_is_threads(j);
}

static bool is_sync(const struct judge *j)
{
	return 2 * (j->total.overhead_by[IDLES_OVERHEAD_SYNC] - j->uses.joins_ns) > judge_overhead_ns(j);
}

const char *judge_kinds(const struct judge *j)
{
	const char *list = "";
	bool said[IDLES_OVERHEADS] = {false};
	for (int n = IDLES_OVERHEAD_NONE + 1; n < IDLES_OVERHEADS; n++) {
		int most = IDLES_OVERHEAD_NONE;
		for (int kind = IDLES_OVERHEAD_NONE + 1; kind < IDLES_OVERHEADS; kind++)
			if (!said[kind] && j->total.overhead_by[kind] &&
			    (most == IDLES_OVERHEAD_NONE || j->total.overhead_by[kind] > j->total.overhead_by[most]))
				most = kind;
		if (most == IDLES_OVERHEAD_NONE)
			break;
		said[most] = true;
		list = pool_print(&j->verdict->pool, "%s%s%s %s", list, *list ? ", " : "", idles_overhead_names[most],
		                  judge_share(j, j->total.overhead_by[most], j->effort));
	}
	return list;
}

const char *judge_coarsen(const struct judge *j)
{
	if (is_sync(j))
		return "take locks less often, or work on parts that need none";
	if (judge_is_threads(j))
		return FEWER_THREADS;
	if (is_much(j, j->uses.loops_ns))
		return "make the parallel loops longer, merge parallel regions, or run short ones serially";
	if (is_much(j, j->uses.spins_ns))
		return "let threads block instead of spinning in sched_yield";
	return "make the pieces of parallel work larger";
}

static const char *most_of_all(const struct judge *j)
{
	const struct idles_blame *who = judge_largest(j, of_tasks);
	return who ? pool_print(&j->verdict->pool, ", most of all in %s", judge_describe(j, who->routine)) : "";
}

const char *judge_switch(const struct judge *j)
{
	if (is_much(j, j->uses.tasks_ns))
		return pool_print(&j->verdict->pool,
		                  "the tasks are too small%s; if larger ones leave cores idle, divide the work differently",
		                  most_of_all(j));
	if (is_much(j, j->uses.loops_ns))
		return pool_print(&j->verdict->pool, "the parallel loops are too short%s", most_of_all(j));
	if (is_much(j, j->uses.spins_ns))
		return pool_print(&j->verdict->pool, "threads spin in sched_yield instead of blocking%s", most_of_all(j));
	return "changing the task size will not help; try dividing the work differently";
}

void judge_threads(const struct judge *j)
{
	const struct idles_blame *who = judge_largest(j, of_tasks);
	findings_add(j->verdict, "Creating and joining threads took %s of the effort%s: " FEWER_THREADS ". Idle cores took %s.",
	             judge_share(j, j->uses.threads_ns, j->effort),
	             who ? pool_print(&j->verdict->pool, ", most of it for %s", judge_describe(j, who->routine)) : "",
	             judge_share(j, j->total.idle_ns, j->effort));
	judge_tag(j, j->verdict->count - 1,
	          &(struct finding_tag){.kind = FINDING_GRAIN,
	                                .routine = who ? who->routine : RUN_NOWHERE,
	                                .words = pool_print(&j->verdict->pool, "creating and joining threads takes %s of the effort",
	                                                    judge_share(j, j->uses.threads_ns, j->effort)),
	                                .advice = "Create fewer threads, each with more work, or keep them in a pool"},
	          (double)j->uses.threads_ns / (double)j->idles->cores);
}

static const char *advice_without_end(const struct judge *j, const char *advice)
{
	return pool_print(&j->verdict->pool, "%.*s", (int)strcspn(advice, "."), advice);
}

static void say_use(const struct judge *j, const char *what, uint64_t ns, const char *advice)
{
	const struct idles_blame *who = judge_largest(j, of_tasks);
	findings_add(j->verdict, "%s takes %s of the effort%s. %s", what, judge_share(j, ns, j->effort),
	             who ? pool_print(&j->verdict->pool, ", most of it for %s", judge_describe(j, who->routine)) : "", advice);
	judge_tag(j, j->verdict->count - 1,
	          &(struct finding_tag){.kind = FINDING_GRAIN,
	                                .routine = who ? who->routine : RUN_NOWHERE,
	                                .words = pool_print(&j->verdict->pool, "overhead is %s of the effort",
	                                                    judge_share(j, ns, j->effort)),
	                                .advice = advice_without_end(j, advice)},
	          (double)ns / (double)j->idles->cores);
}

void judge_overhead(const struct judge *j, enum idles_table1 row)
{
	const struct idles_blame *who = judge_largest(j, of_overhead);
	bool is_high = row == IDLES_SWITCH || row == IDLES_COARSEN;
	if (judge_is_threads(j)) {
		if (row != IDLES_SWITCH) /* there the first sentence says so */
			say_use(j, "Creating and joining threads", j->uses.threads_ns,
			        "Create fewer, each with more work, or keep them in a pool.");
	} else if (is_much(j, j->uses.tasks_ns))
		say_use(j, "The tasks are too small: creating and scheduling them", j->uses.tasks_ns,
		        "Spawn larger pieces, and stop spawning when what is left is small.");
	else if (is_much(j, j->uses.loops_ns))
		say_use(j, "The parallel loops are too short: starting, sharing out and ending them", j->uses.loops_ns,
		        "Make them longer, merge parallel regions, or run short ones serially.");
	else if (is_much(j, j->uses.spins_ns))
		say_use(j, "Spinning in sched_yield", j->uses.spins_ns,
		        "Wait in a barrier, a condition or a semaphore, which gives the core away once.");
	else if (is_high && who)
		findings_add(j->verdict, "The overhead is %s of the effort; %s has the most of it, %s.%s", judge_kinds(j),
		             judge_describe(j, who->routine), judge_share(j, who->sums.overhead_ns, j->total.overhead_ns),
		             is_sync(j) ? " Take locks less often, or work on parts that need none." : "");
	if (is_much(j, j->uses.start_ns))
		findings_add(
			j->verdict,
			"Starting the runtime and its threads takes %s of the effort (%s): that is once per run, and matters less in a longer one.",
			judge_share(j, j->uses.start_ns, j->effort), judge_time(j, (double)j->uses.start_ns));
}
