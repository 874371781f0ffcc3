/* SPDX-License-Identifier: MIT */
#include "analyse/idle/reasons.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/blame_place.h"
#include "analyse/idle/overhead.h"
#include "base/number.h"
#include "base/strv.h"

/* A wait as a sentence names it: by the routine and line of the program. */
struct spot {
	const struct idles_wait *wait;
	uint32_t routine, line, scope;
	const char *file;
};

static struct spot spot_of(const struct idles *idles, const struct idles_wait *wait)
{
	struct spot spot = {.wait = wait, .routine = RUN_NOWHERE, .file = ""};
	uint32_t line, at = idles_blamed(idles, wait->scope[IDLES_LOGICAL], &line);
	if (at == IDLES_NO_SCOPE)
		return spot;
	const struct idles_scope *where = &idles->scopes[line];
	bool has_line = (where->kind == IDLES_LINE || line != at) && where->line && blame_is_programs_file(where->file);
	spot.routine = idles->scopes[at].routine;
	spot.scope = at;
	spot.file = has_line ? where->file : "";
	spot.line = has_line ? where->line : 0;
	return spot;
}

static int spot_order(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;
	if (x->routine != y->routine)
		return x->routine < y->routine ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->wait->kind != y->wait->kind)
		return x->wait->kind < y->wait->kind ? -1 : 1;
	int order = strcmp(x->file, y->file);
	return order ? order : strcmp(x->wait->object, y->wait->object);
}

static uint64_t of_wait(const struct idles_wait *wait)
{
	return wait->wait_ns;
}

static uint64_t of_quiet(const struct idles_wait *wait)
{
	return wait->quiet_ns;
}

static uint64_t of_held(const struct idles_wait *wait)
{
	return wait->held_ns;
}

/* Which waits count: of one kind (RAW_WAIT_KINDS: of any), of one process (UINT32_MAX: of any), and not for the end of a thread. */
struct chosen {
	uint32_t kind, process;
	bool no_threads;
};

/* A thread that is joined is one that works, or that waits itself. If neither is so, the thread has not begun yet, or has ended and the
 * other one has not been woken: the kernel works, or a core is lacking. */
static bool is_for_thread(const struct idles *idles, const struct idles_wait *wait)
{
	struct pool pool = {0};
	bool is = wait->kind == RAW_WAIT_JOIN && strstr(idles_called(&pool, idles, wait), "_join");
	pool_free(&pool);
	return is;
}

static bool is_chosen(const struct idles *idles, const struct chosen *chosen, const struct idles_wait *wait)
{
	return (chosen->kind == RAW_WAIT_KINDS || wait->kind == chosen->kind) &&
		(chosen->process == UINT32_MAX || idles->run->threads[wait->thread].process == chosen->process) &&
		!(chosen->no_threads && is_for_thread(idles, wait));
}

/* The spot with the most of a measure among the chosen waits, and how much that is. */
static struct spot largest(const struct idles *idles, const struct chosen *chosen, uint64_t (*measure)(const struct idles_wait *wait),
                           uint64_t *most)
{
	struct spot *spots = memory_resize(NULL, idles->wait_count, sizeof *spots), found = {.routine = RUN_NOWHERE, .file = ""};
	size_t count = 0;
	uint64_t here = 0;
	*most = 0;
	for (size_t i = 0; i < idles->wait_count; i++) {
		spots[count] = spot_of(idles, &idles->waits[i]);
		count += is_chosen(idles, chosen, &idles->waits[i]) && spots[count].routine != RUN_NOWHERE;
	}
	if (count)
		qsort(spots, count, sizeof *spots, spot_order);
	for (size_t i = 0; i < count; i++) {
		bool same = i && spot_order(&spots[i - 1], &spots[i]) == 0;
		here = (same ? here : 0) + measure(spots[i].wait);
		if (same && measure(spots[i - 1].wait) > measure(spots[i].wait))
			spots[i].wait = spots[i - 1].wait; /* the function with the most of it, if a line calls several */
		if (here > *most) {
			*most = here;
			found = spots[i];
		}
	}
	free(spots);
	return found;
}

/* ---- the lock ---- */

static bool is_on_path(const struct idles *idles, uint32_t scope, uint32_t routine)
{
	for (; scope != IDLES_NO_SCOPE; scope = idles->scopes[scope].parent)
		if (idles->scopes[scope].kind != IDLES_PROCESS && idles->scopes[scope].routine == routine)
			return true;
	return false;
}

static void find_holder(const struct idles *idles, struct idles_lock *lock)
{
	uint64_t *held = memory_zeroed(idles->run->routine_count, sizeof *held), with_taker = 0, all = 0;
	for (size_t i = 0; i < idles->why_count; i++) {
		const struct idles_why *why = &idles->whys[i];
		uint32_t line, at = why->why == RAW_IDLE_HELD ? idles_blamed(idles, why->scope, &line) : IDLES_NO_SCOPE;
		if (at == IDLES_NO_SCOPE)
			continue;
		uint32_t routine = idles->scopes[at].routine;
		held[routine] += why->ns;
		all += why->ns;
		with_taker += is_on_path(idles, why->scope, lock->taker) ? why->ns : 0;
		if (lock->holder == RUN_NOWHERE || held[routine] > held[lock->holder])
			lock->holder = routine;
	}
	lock->taker_holds = all && 2 * with_taker >= all;
	free(held);
}

bool idles_find_lock(const struct idles *idles, struct idles_lock *lock)
{
	struct spot most = largest(idles, &(struct chosen){RAW_WAIT_LOCK, UINT32_MAX, false}, of_wait, &lock->wait_ns);
	if (most.routine == RUN_NOWHERE)
		return false;
	lock->object = most.wait->object;
	lock->taker = most.routine;
	lock->file = most.file;
	lock->line = most.line;
	lock->holder = RUN_NOWHERE;
	find_holder(idles, lock);
	return true;
}

/* ---- when no thread worked ---- */

/* The part of an interposer that waits is called wait_NAME; a runtime tells its waits by itself, without a function. */
const char *idles_called(struct pool *pool, const struct idles *idles, const struct idles_wait *wait)
{
	uint32_t at = wait->scope[IDLES_PHYSICAL];
	while (at != IDLES_NO_SCOPE && idles->scopes[at].kind != IDLES_ROUTINE)
		at = idles->scopes[at].parent;
	if (at == IDLES_NO_SCOPE || blame_is_programs(idles->run, idles->scopes[at].routine))
		return "";
	const struct run_routine *routine = &idles->run->routines[idles->scopes[at].routine];
	bool is_ours = routine->object != RUN_NO_OBJECT && str_starts(str_base(idles->run->objects[routine->object].path), "libskein-");
	if (is_ours && str_starts(routine->linkage, "wait_"))
		return pool_text(pool, routine->linkage + strlen("wait_"));
	return is_ours && str_starts(routine->linkage, "threads_") ? "" : idles_short_name(pool, idles->run, idles->scopes[at].routine);
}

/* A wait ends when its thread is on a core again, which may be long after what it waited for has come: while the busiest thread was on a
 * core, or ready for one, some thread could work. The kernel has the time without a core for all threads together; it is shared out as
 * the time on a core is. */
static uint64_t most_quiet_ns(const struct idles *idles)
{
	const struct run *run = idles->run;
	uint64_t all = 0, busiest = 0,
		 wall = run->lasted_ns > 0 && (uint64_t)run->lasted_ns > run->wall_ns ? (uint64_t)run->lasted_ns : run->wall_ns;
	for (size_t i = 0; i < run->thread_count; i++) {
		all += idles->threads[i].cpu_ns;
		busiest = idles->threads[i].cpu_ns > busiest ? idles->threads[i].cpu_ns : busiest;
	}
	double share = all ? (double)busiest / (double)all : 0,
	       could = (double)busiest + (run->wanted_ns > 0 ? share * (double)run->wanted_ns : 0);
	return could < (double)wall ? wall - number_count(could) : 0;
}

static void describe(const struct idles *idles, const struct spot *spot, struct idles_quiet *quiet)
{
	if (spot->routine == RUN_NOWHERE)
		return;
	quiet->kind = spot->wait->kind;
	quiet->routine = spot->routine;
	quiet->scope = spot->scope;
	quiet->call = idles_called(&idles->run->pool, idles, spot->wait);
	quiet->file = spot->file;
	quiet->line = spot->line;
}

/* If a child process was the last to wait, the recorded program waited for it meanwhile, and is what the user knows. */
struct idles_quiet idles_find_quiet(const struct idles *idles)
{
	struct idles_quiet quiet = {.routine = RUN_NOWHERE, .call = "", .file = ""};
	const struct chosen any = {RAW_WAIT_KINDS, UINT32_MAX, .no_threads = true};
	struct spot most = largest(idles, &any, of_quiet, &quiet.most_ns);
	for (size_t i = 0; i < idles->wait_count; i++)
		quiet.ns += is_chosen(idles, &any, &idles->waits[i]) ? idles->waits[i].quiet_ns : 0;
	if (most.routine != RUN_NOWHERE && idles->run->threads[most.wait->thread].process != 0) {
		uint64_t waited;
		struct spot own = largest(idles, &(struct chosen){RAW_WAIT_KINDS, 0, .no_threads = true}, of_wait, &waited);
		bool is_own = own.routine != RUN_NOWHERE && 2 * waited >= quiet.ns;
		most = is_own ? own : most;
		quiet.most_ns = is_own ? waited : quiet.most_ns;
	}
	uint64_t bound = most_quiet_ns(idles);
	if (quiet.ns > bound) {
		quiet.most_ns = number_count((double)quiet.most_ns * (double)bound / (double)quiet.ns);
		quiet.ns = bound;
	}
	describe(idles, &most, &quiet);
	return quiet;
}

struct idles_quiet idles_find_keeper(const struct idles *idles)
{
	struct idles_quiet keeper = {.routine = RUN_NOWHERE, .call = "", .file = ""};
	struct spot most = largest(idles, &(struct chosen){RAW_WAIT_KINDS, UINT32_MAX, false}, of_held, &keeper.most_ns);
	for (size_t i = 0; i < idles->wait_count; i++)
		keeper.ns += idles->waits[i].held_ns;
	describe(idles, &most, &keeper);
	return keeper;
}

struct idles_quiet idles_longest_wait(const struct idles *idles, uint32_t process)
{
	struct idles_quiet longest = {.routine = RUN_NOWHERE, .call = "", .file = ""};
	for (uint32_t kind = 0; kind < RAW_WAIT_KINDS; kind++) {
		uint64_t ns;
		struct spot spot = largest(idles, &(struct chosen){kind, process, .no_threads = true}, of_wait, &ns);
		if ((kind != RAW_WAIT_IO && kind != RAW_WAIT_JOIN) || ns <= longest.ns)
			continue;
		longest.ns = longest.most_ns = ns;
		describe(idles, &spot, &longest);
	}
	return longest;
}

unsigned idles_sharing(const struct idles *idles)
{
	const uint64_t tenth = idles_total(idles, UINT32_MAX).work_ns / 10;
	uint64_t *work = memory_zeroed(idles->run->process_count, sizeof *work);
	unsigned sharing = 0;
	for (size_t i = 0; i < idles->cost_count; i++) {
		struct idles_sums sums = {0};
		idles_count(&sums, &idles->costs[i]);
		if (idles->costs[i].thread < idles->run->thread_count &&
		    idles->run->threads[idles->costs[i].thread].process < idles->run->process_count)
			work[idles->run->threads[idles->costs[i].thread].process] += sums.work_ns;
	}
	for (size_t i = 0; i < idles->run->process_count; i++)
		sharing += work[i] && work[i] >= tenth;
	free(work);
	return sharing;
}

const struct idles_wait *idles_own_wait(const struct idles *idles, uint32_t routine, uint64_t *wait_ns)
{
	const struct idles_wait *most = NULL;
	*wait_ns = 0;
	for (size_t i = 0; i < idles->wait_count; i++) {
		const struct idles_wait *wait = &idles->waits[i];
		if ((wait->kind != RAW_WAIT_IO && wait->kind != RAW_WAIT_SLEEP) || spot_of(idles, wait).routine != routine)
			continue;
		*wait_ns += wait->wait_ns;
		most = !most || wait->wait_ns > most->wait_ns ? wait : most;
	}
	return most;
}

const char *idles_semaphore_of(const struct idles *idles, uint32_t routine)
{
	uint64_t most;
	struct spot spot = largest(idles, &(struct chosen){RAW_WAIT_SEMAPHORE, UINT32_MAX, false}, of_wait, &most);
	return spot.routine == routine ? spot.wait->object : NULL;
}

/* ---- what overhead was for ---- */

static bool has_any(const char *linkage, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strstr(linkage, words[i]))
			return true;
	return false;
}

/* What the frames of a cost outside of the program tell. */
struct frames_tell {
	bool start, task, thread, runtime, yield;
};

static struct frames_tell frames_of(const struct idles *idles, const struct idles_cost *cost)
{
	static const char *const starts[] = {"serial_initialize",  "middle_initialize",   "parallel_initialize", "helper_initialize",
	                                     "runtime_initialize", "affinity_initialize", "env_initialize",      "initialize_env",
	                                     "create_worker",      "register_library"};
	static const char *const tasks[] = {"_task", "spawn", "steal"};
	static const char *const threads[] = {"pthread_create", "thrd_create", "clone", "pthread_join", "thrd_join", "St6thread"};
	struct frames_tell tell = {0};
	for (uint32_t at = cost->scope[IDLES_PHYSICAL]; at != IDLES_NO_SCOPE; at = idles->scopes[at].parent) {
		const struct run_routine *r = &idles->run->routines[idles->scopes[at].routine];
		if (idles->scopes[at].kind != IDLES_ROUTINE)
			continue;
		if (r->object != RUN_NO_OBJECT && overhead_module(idles->run->objects[r->object].path) == OVERHEAD_USER)
			break;
		tell.runtime |= r->object != RUN_NO_OBJECT && overhead_module(idles->run->objects[r->object].path) == OVERHEAD_RUNTIME;
		tell.start |= has_any(r->linkage, starts, sizeof starts / sizeof *starts);
		tell.task |= has_any(r->linkage, tasks, sizeof tasks / sizeof *tasks) && !strstr(r->linkage, "invoke");
		tell.thread |= has_any(r->linkage, threads, sizeof threads / sizeof *threads);
		tell.yield |= strstr(r->linkage, "yield") != NULL;
	}
	return tell;
}

/* Adds a cost to what it was for. A worker of a runtime has frames that invoke a body as a task, or a "microtask", whatever it was made
 * from. */
static void add_use(struct idles_uses *uses, const struct idles *idles, const struct idles_cost *cost)
{
	struct frames_tell tell = frames_of(idles, cost);
	struct idles_sums sums = {0};
	idles_count(&sums, cost);
	if (cost->overhead == IDLES_OVERHEAD_SYNC) {
		uint64_t joins = tell.thread && !tell.runtime ? sums.overhead_ns : 0;
		uses->joins_ns += joins;
		uses->threads_ns += joins;
		return;
	}
	*(tell.start || (tell.thread && tell.runtime) ? &uses->start_ns
	          : tell.thread                       ? &uses->threads_ns
	          : tell.task                         ? &uses->tasks_ns
	          : tell.yield && !tell.runtime       ? &uses->spins_ns
	                                              : &uses->loops_ns) += sums.overhead_ns;
}

struct idles_uses idles_find_uses(const struct idles *idles)
{
	struct idles_uses uses = {0};
	for (size_t i = 0; i < idles->cost_count; i++)
		if (idles->costs[i].overhead != IDLES_OVERHEAD_NONE && idles->costs[i].overhead != IDLES_OVERHEAD_MEMORY)
			add_use(&uses, idles, &idles->costs[i]);
	return uses;
}
