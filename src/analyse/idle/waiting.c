/* SPDX-License-Identifier: MIT */
/* waiting.c: sentences about what threads waited for: a lock, each other, or something outside of the program. */
#include <stdlib.h>
#include <string.h>

#include "analyse/blame_place.h"
#include "analyse/idle/judge.h"
#include "analyse/opening.h"
#include "base/number.h"
#include "base/text.h"

#define QUIET_PCT 10.0 /* of the run: less time in which no thread worked is not said first */
#define LATE_PCT 5.0   /* of the time in which no thread worked: with less without a core the time is not called a bound */
#define MOST_PCT 50.0  /* part of the idleness from which one reason is the reason */
/* Two threads that take turns with one lock may do so one after the other: then the second has no thread to wait for it. */
#define LOCK_PCT 33.0
#define WORKS_PCT 1.0 /* of the CPU time of the busiest thread: a thread with less waits by design */

/* ---- when no thread worked ---- */

static const char *const quiet_advice[RAW_WAIT_KINDS] = {
	[RAW_WAIT_LOCK] = "The thread that held the lock did not work either, or the lock was free and the next thread had no core.",
	[RAW_WAIT_CONDITION] = "Threads waited for each other, or for something outside of the program.",
	[RAW_WAIT_SEMAPHORE] = "Threads waited for each other, or for something outside of the program.",
	[RAW_WAIT_BARRIER] = "Threads waited for each other.",
	[RAW_WAIT_JOIN] = "The program waited for a child process.",
	[RAW_WAIT_IO] = "To save that time, overlap input and output with work.",
	[RAW_WAIT_SLEEP] = "The program itself calls sleep.",
	[RAW_WAIT_TASK] = "Threads waited for each other.",
	[RAW_WAIT_MESSAGE] = "Another rank sends too late.",
	[RAW_WAIT_COLLECTIVE] = "Another rank comes too late.",
};

static bool waits_for_events(const char *call)
{
	static const char *const calls[] = {"poll",        "ppoll",        "select", "pselect", "epoll_wait",
	                                    "epoll_pwait", "epoll_pwait2", "accept", "accept4"};
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (strcmp(call, calls[i]) == 0)
			return true;
	return false;
}

/* A process that was killed has not recorded the waits that went on then. What the kernel counted is a lower bound: for the
 * rest of the time no thread was on a core or ready for one. */
static uint64_t cut_off_ns(const struct run *run)
{
	if (run->died_of <= 0 || run->lasted_ns < 0 || run->ran_ns < 0 || run->wanted_ns < 0)
		return 0;
	uint64_t ran = (uint64_t)run->ran_ns > run->cpu_ns ? (uint64_t)run->ran_ns : run->cpu_ns, used = ran + (uint64_t)run->wanted_ns;
	return (uint64_t)run->lasted_ns > used ? (uint64_t)run->lasted_ns - used : 0;
}

/* A wait lasts until its thread has a core again. What the kernel counted as ready without a core, and no thread lacked while it
 * worked, was part of waits: for that long at most a thread was ready while none worked. */
static uint64_t woken_late_ns(const struct run *run)
{
	return run->wanted_ns > 0 ? number_count((double)run->wanted_ns - idles_rest_ns(run)) : 0;
}

/* For how long no thread worked, of how long a run. */
struct silence {
	uint64_t ns, wall_ns;
	bool is_bound;   /* the time may have been longer */
	bool is_cut_off; /* the time is known from outside only */
};

static struct silence measure_silence(const struct run *run, uint64_t quiet_ns)
{
	uint64_t cut_off = cut_off_ns(run), late = woken_late_ns(run), least = quiet_ns > late ? quiet_ns - late : 0;
	bool is_cut_off = cut_off > least, is_late = text_share_of((double)late, (double)quiet_ns) >= LATE_PCT;
	return (struct silence){.ns = is_cut_off  ? cut_off
	                                : is_late ? least
	                                          : quiet_ns,
	                        .wall_ns = run->died_of > 0 && run->lasted_ns > 0 ? (uint64_t)run->lasted_ns : run->wall_ns,
	                        .is_bound = is_cut_off || is_late,
	                        .is_cut_off = is_cut_off};
}

/* "read, called by get at a.c:3 for f at a.c:9" */
static const char *where_it_waits(const struct judge *j, const struct idles_quiet *wait)
{
	struct pool *pool = &j->verdict->pool;
	const struct idles_scope *scope = &j->idles->scopes[wait->scope];
	uint32_t caller = judge_caller(j, wait->scope);
	bool has_caller = caller != IDLES_NO_SCOPE && blame_is_programs(j->idles->run, j->idles->scopes[caller].routine);
	const char *name = judge_name(j, wait->routine);
	return pool_print(pool, "%s%s%s%s", *wait->call ? wait->call : pool_print(pool, "a wait (%s)", run_wait_names[wait->kind]),
	                  *name == '(' ? "" : pool_print(pool, ", called by %s", name), /* in code without symbols */
	                  judge_place(j, " at ", wait->file, wait->line),
	                  has_caller ? pool_print(pool, " for %s%s", judge_name(j, j->idles->scopes[caller].routine),
	                                          judge_place(j, " at ", scope->file, scope->line))
	                             : "");
}

/* Most of the time in which no thread worked others waited for a lock whose holder waits for something else. */
static bool say_keeper(const struct judge *j, const char *long_time, uint64_t quiet_ns)
{
	struct idles_quiet keeper = idles_find_keeper(j->idles);
	if (keeper.routine == RUN_NOWHERE || 2 * keeper.ns < quiet_ns)
		return false;
	findings_add(j->verdict,
	             "%s: threads wait for a lock, and the thread that holds it waits in %s. Do not hold the lock while waiting.",
	             long_time, where_it_waits(j, &keeper));
	judge_tag(j, j->verdict->count - 1,
	          &(struct finding_tag){.kind = FINDING_LOCK,
	                                .routine = keeper.routine,
	                                .words = pool_print(&j->verdict->pool, "no thread worked for %s", judge_time(j, (double)keeper.ns)),
	                                .advice = "Do not hold the lock while waiting",
	                                .outside = true},
	          (double)keeper.ns);
	return true;
}

bool judge_quiet(const struct judge *j)
{
	const struct run *run = j->idles->run;
	struct idles_quiet quiet = idles_find_quiet(j->idles);
	struct silence s = measure_silence(run, quiet.ns);
	bool is_outside = quiet.kind == RAW_WAIT_IO || quiet.kind == RAW_WAIT_SLEEP || quiet.kind == RAW_WAIT_JOIN ||
		raw_wait_is_for_ranks((enum raw_wait)quiet.kind);
	if (text_share_of((double)s.ns, (double)s.wall_ns) < QUIET_PCT || (!is_outside && !s.is_cut_off && (int64_t)s.ns <= run->wanted_ns))
		return false; /* or threads that wait for each other had no core when their waits were over */
	j->figures->unworked_ns = s.ns;
	/* A child process may have worked that could not be recorded. */
	bool has_child = quiet.routine != RUN_NOWHERE && quiet.kind == RAW_WAIT_JOIN;
	uint64_t all = s.is_cut_off ? s.ns : quiet.ns;
	const char *long_time = pool_print(&j->verdict->pool, "No %sthread worked for %s%s of the %s run", has_child ? "recorded " : "",
	                                   s.is_bound ? "at least " : "", judge_time(j, (double)s.ns), judge_time(j, (double)s.wall_ns));
	if (say_keeper(j, long_time, s.ns))
		return 2 * s.ns > s.wall_ns;
	if (quiet.routine == RUN_NOWHERE || 2 * quiet.most_ns < quiet.ns || 2 * quiet.ns < s.ns) {
		findings_add(j->verdict, "%s. What follows is about the rest of it.", long_time);
		return 2 * s.ns > s.wall_ns;
	}
	j->figures->in_one_ns = quiet.most_ns;
	findings_add(j->verdict, "%s: %s spent %s of that time in %s%s. %s", long_time, judge_describe(j, quiet.routine),
	             quiet.most_ns >= all ? "all" : judge_share(j, quiet.most_ns, all),
	             *quiet.call ? quiet.call : pool_print(&j->verdict->pool, "a wait (%s)", run_wait_names[quiet.kind]),
	             judge_place(j, ", called at ", quiet.file, quiet.line),
	             waits_for_events(quiet.call) ? "The program waited for requests or other events." : quiet_advice[quiet.kind]);
	judge_tag(j, j->verdict->count - 1,
	          &(struct finding_tag){.kind = is_outside ? FINDING_OUTSIDE : FINDING_SERIAL,
	                                .routine = quiet.routine,
	                                .words = pool_print(&j->verdict->pool, "no thread worked for %s",
	                                                    judge_time(j, (double)quiet.most_ns))},
	          (double)quiet.most_ns);
	return 2 * s.ns > s.wall_ns;
}

/* ---- processes that take turns ---- */

/* A process that has handed over counts as working until it waits, for which it may have no core for a while. */
bool judge_turns(const struct judge *j)
{
	struct idles_quiet wait = idles_longest_wait(j->idles, 0);
	unsigned processes = idles_sharing(j->idles);
	uint64_t all = j->total.work_ns + j->total.overhead_ns, alone = j->total.class_ns[RAW_IDLE_SERIAL];
	if (processes < 2 || wait.routine == RUN_NOWHERE || 2 * wait.ns < j->idles->run->wall_ns || 3 * alone < 2 * all)
		return false;
	findings_add(
		j->verdict,
		"%u processes share the work, but mostly one at a time: the program's first process waits in %s meanwhile. Idle cores took %s of the effort.",
		processes, where_it_waits(j, &wait), judge_share(j, j->total.idle_ns, j->effort));
	const char *remedy = wait.kind == RAW_WAIT_IO
		? "Give the other processes work before you wait for one of them"
		: "Let the processes run at the same time, as far as they do not need each other's results";
	findings_add(j->verdict, "%s. Removing this idleness saves %s.", remedy,
	             judge_saved(j, (double)j->total.idle_ns / (double)j->idles->cores));
	judge_tag(j, j->verdict->count - 2,
	          &(struct finding_tag){.kind = FINDING_SERIAL,
	                                .routine = wait.routine,
	                                .words = judge_of_idleness(j, j->total.idle_ns),
	                                .advice = remedy},
	          (double)j->total.idle_ns / (double)j->idles->cores);
	return true;
}

/* ---- locks ---- */

static uint64_t for_locks(const struct idles_reasons *why)
{
	return why->held_ns + why->by_kind[RAW_WAIT_LOCK];
}

/* Another routine has more idleness for another reason. */
static bool is_exceeded(const struct judge *j)
{
	for (size_t i = 0; i < j->count; i++) {
		const struct idles_blame *b = &j->blames[i];
		uint64_t locks = for_locks(&b->why), rest = b->sums.idle_ns > locks ? b->sums.idle_ns - locks : 0;
		if (rest > for_locks(&j->why) && text_share_of((double)locks, (double)b->sums.idle_ns) < LOCK_PCT)
			return true;
	}
	return false;
}

bool judge_is_lock(const struct judge *j)
{
	struct idles_lock lock;
	return text_share_of((double)for_locks(&j->why), (double)j->total.idle_ns) >= LOCK_PCT && !is_exceeded(j) &&
		idles_find_lock(j->idles, &lock);
}

/* Of the time in which no thread worked what may be due to locks: their holders waited. */
static uint64_t quiet_for_locks(const struct judge *j)
{
	struct idles_quiet quiet = idles_find_quiet(j->idles);
	uint64_t held = idles_find_keeper(j->idles).ns, locks = quiet.kind == RAW_WAIT_LOCK ? quiet.most_ns : 0;
	held = held > locks ? held : locks;
	return held < quiet.ns ? held : quiet.ns;
}

/* The holder waits with the lock for longer than it keeps cores idle by its work. */
static bool waits_with_it(const struct judge *j)
{
	struct idles_quiet keeper = idles_find_keeper(j->idles);
	return keeper.routine != RUN_NOWHERE && keeper.ns > for_locks(&j->why) / j->idles->cores;
}

/* What to do about a lock. If its holder mostly waits with it, the waiting is what to change. */
static const char *lock_remedy(const struct judge *j, const struct idles_lock *lock, const char *takes)
{
	struct pool *pool = &j->verdict->pool;
	const char *name = *lock->object ? lock->object : "the lock";
	struct idles_quiet keeper = idles_find_keeper(j->idles);
	if (!waits_with_it(j))
		return pool_print(pool, "Hold %s for less time, or split it%s", name, takes);
	return pool_print(pool, "Release %s%s before %s, or let each thread have its own", name, takes,
	                  *keeper.call ? pool_print(pool, "calling %s%s", keeper.call, judge_place(j, " at ", keeper.file, keeper.line))
	                               : "waiting");
}

void judge_lock(const struct judge *j)
{
	struct idles_lock lock;
	uint64_t ns = for_locks(&j->why);
	if (!idles_find_lock(j->idles, &lock))
		return;
	struct pool *pool = &j->verdict->pool;
	const char *name = *lock.object ? pool_print(pool, "the lock %s", lock.object) : "a lock";
	const char *who = lock.taker_holds || lock.holder == RUN_NOWHERE
		? pool_print(pool, lock.taker_holds ? "which %s holds" : "which %s takes", judge_describe(j, lock.taker))
		: pool_print(pool, "held in %s, for which %s waits", judge_describe(j, lock.holder), judge_describe(j, lock.taker));
	findings_add(j->verdict, "Idle cores took %s of the effort; for %s of that, other threads waited for %s, %s.",
	             judge_share(j, j->total.idle_ns, j->effort), judge_share(j, ns, j->total.idle_ns), name, who);
	j->figures->locked_ns = ns;
	const char *takes = *judge_place(j, "", lock.file, lock.line)
		? pool_print(pool, " (%s takes it%s)", judge_name(j, lock.taker), judge_place(j, " at ", lock.file, lock.line))
		: "";
	double saved_ns = (double)ns / (double)j->idles->cores + (double)quiet_for_locks(j);
	const char *remedy = lock_remedy(j, &lock, takes);
	findings_add(j->verdict, "%s: removing this idleness saves %s.", remedy, judge_saved(j, saved_ns));
	judge_tag(j, j->verdict->count - 2,
	          &(struct finding_tag){.kind = FINDING_LOCK,
	                                .routine = lock.taker_holds || lock.holder == RUN_NOWHERE ? lock.taker : lock.holder,
	                                .object = *lock.object ? lock.object : NULL,
	                                .words = judge_of_idleness(j, ns),
	                                .advice = remedy,
	                                .outside = waits_with_it(j)},
	          saved_ns);
}

/* ---- threads without a core ---- */

const char *judge_trust(const struct judge *j)
{
	uint64_t most = j->total.idle_ns + j->why.ready_ns;
	if (!j->idles->rings)
		return "A thread that is ready to run counts as working, so idleness is higher than shown.";
	const char *least = judge_share(j, j->total.idle_ns, j->effort), *highest = judge_share(j, most, j->effort + j->why.ready_ns);
	if (strcmp(least, highest) == 0)
		return "A thread that is ready to run counts as working; that hardly changes idleness here.";
	return pool_print(&j->verdict->pool,
	                  "A thread that is ready to run counts as working: idleness is %s of the effort; it is at most %s if such "
	                  "threads count as idle.",
	                  least, highest);
}

/* ---- other reasons ---- */

static bool may_be_by_design(enum raw_wait kind)
{
	return kind == RAW_WAIT_CONDITION || kind == RAW_WAIT_SEMAPHORE || kind == RAW_WAIT_IO || kind == RAW_WAIT_SLEEP;
}

/* Of all waiting of one kind the part of threads that do work: have a part of the busiest thread's CPU time. A program that was
 * killed may not have recorded it: then threads wait by design if one thread has all the work. */
static double share_of_workers(const struct judge *j, enum raw_wait kind, const uint64_t *cpu_ns, uint64_t busiest)
{
	const struct run *run = j->idles->run;
	uint64_t all = 0, of_workers = 0;
	size_t working = 0;
	for (size_t i = 0; i < run->worker_count; i++) {
		bool works = text_share_of((double)cpu_ns[i], (double)busiest) >= WORKS_PCT;
		all += run->workers[i].wait_ns[kind];
		of_workers += works ? run->workers[i].wait_ns[kind] : 0;
		working += works;
	}
	if (!all)
		return working == 1 && run->worker_count > 1 ? 0 : 100;
	return text_share_of((double)of_workers, (double)all);
}

/* A thread that waits for its whole life, such as one that closes files in the background, does not wait for the code that runs
 * meanwhile. */
void judge_forget_design(struct judge *j)
{
	const struct run *run = j->idles->run;
	uint64_t *cpu_ns = memory_zeroed(run->worker_count, sizeof *cpu_ns), busiest = 0;
	for (size_t i = 0; i < run->thread_count; i++)
		if (run->threads[i].worker < run->worker_count)
			cpu_ns[run->threads[i].worker] += j->idles->threads[i].cpu_ns;
	for (size_t i = 0; i < run->worker_count; i++)
		busiest = cpu_ns[i] > busiest ? cpu_ns[i] : busiest;
	for (int kind = 0; kind < RAW_WAIT_KINDS; kind++) {
		if (!may_be_by_design((enum raw_wait)kind) || share_of_workers(j, (enum raw_wait)kind, cpu_ns, busiest) >= MOST_PCT)
			continue;
		j->why.by_kind[kind] = 0;
		for (size_t i = 0; i < j->count; i++)
			j->blames[i].why.by_kind[kind] = 0;
	}
	free(cpu_ns);
}

const char *judge_others(const struct judge *j, const struct idles_blame *b)
{
	static const char *const what[RAW_WAIT_KINDS] = {
		[RAW_WAIT_LOCK] = "wait for a lock meanwhile",
		[RAW_WAIT_CONDITION] = "wait for a condition meanwhile",
		[RAW_WAIT_SEMAPHORE] = "wait for a semaphore meanwhile",
		[RAW_WAIT_BARRIER] = "wait at a barrier meanwhile",
		[RAW_WAIT_TASK] = "wait for tasks meanwhile",
		[RAW_WAIT_IO] = "are in input or output meanwhile",
		[RAW_WAIT_SLEEP] = "sleep meanwhile",
		[RAW_WAIT_MESSAGE] = "wait for messages meanwhile",
		[RAW_WAIT_COLLECTIVE] = "wait in collective calls meanwhile",
	};
	for (int kind = 0; kind < RAW_WAIT_KINDS; kind++)
		if (what[kind] && text_share_of((double)b->why.by_kind[kind], (double)b->sums.idle_ns) >= MOST_PCT)
			return pool_print(&j->verdict->pool, "; other threads %s", what[kind]);
	if (text_share_of((double)b->why.blocked_ns, (double)b->sums.idle_ns) >= MOST_PCT)
		return "; other threads are blocked in the kernel meanwhile";
	return text_share_of((double)b->why.held_ns, (double)b->sums.idle_ns) >= MOST_PCT ? "; other threads wait for a lock that it holds"
											  : "";
}

bool judge_mostly_waits(const struct judge *j, const struct idles_blame *b, uint32_t routine)
{
	uint64_t ns;
	return idles_own_wait(j->idles, routine, &ns) && ns >= b->sums.work_ns + b->sums.overhead_ns;
}

/* A loop that waits for events has little work, and what it waits for does not come sooner if that is divided. */
bool judge_waits(const struct judge *j, const struct idles_blame *b, uint32_t routine)
{
	uint64_t ns;
	const struct idles_wait *wait = idles_own_wait(j->idles, routine, &ns);
	if (!judge_mostly_waits(j, b, routine))
		return false;
	const char *call = idles_called(&j->verdict->pool, j->idles, wait);
	j->figures->waits_ns = ns;
	findings_add(j->verdict,
	             "%s itself mostly waits (%s in %s): its idleness is worth %s of the %s run, and dividing its work saves little.",
	             judge_name(j, routine), judge_time(j, (double)ns), *call ? call : run_wait_names[wait->kind],
	             judge_time(j, (double)b->sums.idle_ns / (double)j->idles->cores), judge_time(j, (double)j->idles->run->wall_ns));
	return true;
}
