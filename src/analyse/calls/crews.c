/* SPDX-License-Identifier: MIT */
/* crews.c: which workers do the same job, and how evenly they share it.
 *
 * Problem: in a pipeline every thread has another job, and main mostly waits: the mean of all workers means nothing.
 * Idea: workers whose threads started in the same routine are a crew, and so are the workers of an OpenMP team. A start
 * routine shows in the arcs: it is entered in a worker that never entered its caller. A start routine of the C++ library
 * stands for what it calls. Main is in a crew only if it does the same work itself.
 * Cost: for each routine that is called by an activation that has forked, a look-up per worker. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

#include "analyse/calls/verdict.h"

#define TEAM (UINT64_C(1) << 63) /* of a process */
#define OF_ROUTINE 1u            /* key less routine */

static bool is_entered(const struct calls *calls, uint32_t routine, uint32_t worker)
{
	return calls_sum(calls, routine, worker, CALLS_ALL).calls > 0;
}

static int64_t elapsed_in(const struct calls *calls, uint32_t routine, uint32_t worker)
{
	return calls_sum(calls, routine, worker, CALLS_ALL).elapsed_ns;
}

static bool is_main(const struct calls *calls, uint32_t worker)
{
	return calls->run->workers[worker].lane == 0;
}

static bool is_body(const struct run_routine *routine)
{
	return routine->kind == RUN_OPENMP_KIND || routine->kind == RUN_PARALLEL_KIND || routine->kind == RUN_TASK_KIND;
}

static bool is_of_library(const struct run_routine *routine)
{
	return strncmp(routine->name, "std::", 5) == 0 || strstr(routine->name, " std::") != NULL;
}

/* What the user gave to std::thread: the longest callee in this worker that is not the library's. */
static uint32_t below_library(const struct calls *calls, uint32_t routine, uint32_t worker)
{
	for (int depth = 0; depth < 8 && is_of_library(&calls->run->routines[routine]); depth++) {
		uint32_t longest = routine;
		int64_t most = -1;
		for (size_t i = 0; i < calls->arc_count; i++) {
			const struct calls_arc_row *arc = &calls->arcs[i];
			if (arc->caller != routine || arc->callee == routine || !is_entered(calls, arc->callee, worker) ||
			    elapsed_in(calls, arc->callee, worker) <= most)
				continue;
			most = elapsed_in(calls, arc->callee, worker);
			longest = arc->callee;
		}
		routine = longest;
	}
	return routine;
}

static bool leads_to_user(const struct calls *calls, uint32_t routine, uint32_t worker)
{
	return !is_of_library(&calls->run->routines[below_library(calls, routine, worker)]);
}

/* The C++ library starts two of its routines in each thread: one that runs what the user gave, and one that clears up. */
static bool is_rather_start(const struct calls *calls, uint32_t routine, uint32_t than, uint32_t worker)
{
	if (than == RUN_NOWHERE)
		return true;
	bool user = leads_to_user(calls, routine, worker), other = leads_to_user(calls, than, worker);
	return user != other ? user : elapsed_in(calls, routine, worker) > elapsed_in(calls, than, worker);
}

/* Of several start routines of a worker, the one with the longest time counts. */
static void find_starts(const struct calls *calls, uint32_t *starts)
{
	for (size_t i = 0; i < calls->arc_count; i++) {
		const struct calls_arc_row *arc = &calls->arcs[i];
		if (arc->caller != RUN_OUTSIDE && arc->callee_call != STATE_CONCURRENT)
			continue;
		for (uint32_t w = 0; w < calls->run->worker_count; w++)
			if (!is_main(calls, w) && is_entered(calls, arc->callee, w) &&
			    (arc->caller == RUN_OUTSIDE || !is_entered(calls, arc->caller, w)) && arc->callee != starts[w] &&
			    is_rather_start(calls, arc->callee, starts[w], w))
				starts[w] = arc->callee;
	}
	for (uint32_t w = 0; w < calls->run->worker_count; w++)
		if (starts[w] != RUN_NOWHERE)
			starts[w] = below_library(calls, starts[w], w);
}

/* Main takes part in the crew whose start routine it calls itself. */
static void join_main(const struct calls *calls, uint32_t *starts)
{
	for (uint32_t w = 0; w < calls->run->worker_count; w++)
		for (uint32_t other = 0; is_main(calls, w) && other < calls->run->worker_count; other++)
			if (!is_main(calls, other) && starts[other] != RUN_NOWHERE &&
			    calls->run->workers[w].process == calls->run->workers[other].process && is_entered(calls, starts[other], w))
				starts[w] = starts[other];
}

uint64_t *calls_crews(const struct calls *calls)
{
	size_t count = calls->run->worker_count;
	uint32_t *starts = memory_resize(NULL, count, sizeof *starts);
	uint64_t *crews = memory_zeroed(count, sizeof *crews);
	memset(starts, 0xff, count * sizeof *starts);
	find_starts(calls, starts);
	join_main(calls, starts);
	for (size_t w = 0; w < count; w++)
		crews[w] = starts[w] == RUN_NOWHERE ? 0 : (uint64_t)starts[w] + OF_ROUTINE;
	for (size_t i = 0; i < calls->entry_count; i++) {
		const struct calls_entry *row = &calls->entries[i];
		if (row->calls > 0 && is_body(&calls->run->routines[row->routine]))
			crews[row->worker] = TEAM | calls->run->workers[row->worker].process;
	}
	free(starts);
	return crews;
}

uint32_t calls_crew_start(uint64_t crew)
{
	return crew == 0 || crew & TEAM ? RUN_NOWHERE : (uint32_t)(crew - OF_ROUTINE);
}

/* ---- balance ---- */

uint64_t calls_working_ns(const struct run_worker *worker)
{
	uint64_t waited = run_waited_ns(worker);
	return worker->alive_ns > waited ? worker->alive_ns - waited : 0;
}

/* Snapshots tell for how long a routine worked alone. What main did so is not part of the common work, unless others
 * of its crew run the same routine: then they might have taken it over. */
static uint64_t alone_ns(const struct calls *calls, uint32_t worker)
{
	uint64_t sum = 0;
	for (size_t i = 0; calls->snapshots >= CALLS_TOO_FEW_SNAPSHOTS && i < calls->level_count; i++) {
		const struct calls_level *level = &calls->levels[i];
		if (level->working != 1 || level->routine == RUN_NOWHERE)
			continue;
		int64_t mine = calls_sum(calls, level->routine, worker, CALLS_ALL).direct_ns,
			all = calls_sum(calls, level->routine, CALLS_ALL, CALLS_ALL).direct_ns;
		if (mine > 0 && mine == all)
			sum += level->ns;
	}
	return sum;
}

/* A thread that waits for a core counts as working, but does no more work for that. */
static uint64_t cpu_ns(const struct run *run, uint32_t worker)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < run->thread_count; i++)
		sum += run->threads[i].worker == worker ? run->threads[i].cpu_ns : 0;
	return sum;
}

uint64_t calls_shared_ns(const struct calls *calls, uint32_t worker)
{
	uint64_t working = calls_working_ns(&calls->run->workers[worker]), cpu = cpu_ns(calls->run, worker),
		 alone = is_main(calls, worker) ? alone_ns(calls, worker) : 0, shared = working > alone ? working - alone : 0;
	return cpu && cpu < working ? number_count((double)shared * ((double)cpu / (double)working)) : shared;
}

/* Where threads come and go, a worker is not a thread: the first ones get most of them, and that is no fault. */
static bool is_comparable(const struct calls *calls, const uint64_t *crews, uint64_t crew)
{
	uint64_t threads = 0;
	for (size_t w = 0; w < calls->run->worker_count; w++) {
		if (crews[w] != crew || calls->run->workers[w].lane == 0)
			continue;
		if (threads && threads != calls->run->workers[w].threads)
			return false;
		threads = calls->run->workers[w].threads;
	}
	return true;
}

struct calls_balance calls_balance_of(const struct calls *calls, const uint64_t *crews, uint64_t crew)
{
	struct calls_balance b = {.ratio = 1, .crew = crew};
	uint64_t sum = 0;
	if (crew == 0 || !is_comparable(calls, crews, crew))
		return b;
	for (uint32_t w = 0; w < calls->run->worker_count; w++) {
		uint64_t shared = crews[w] == crew ? calls_shared_ns(calls, w) : 0;
		if (crews[w] != crew || calls->run->workers[w].wait_ns[RAW_WAIT_JOIN] > 9 * shared)
			continue;
		sum += shared;
		b.counted++;
		if (shared > b.busiest_ns) {
			b.busiest_ns = shared;
			b.busiest = w;
		}
	}
	b.mean_ns = b.counted ? sum / b.counted : 0;
	if (b.counted > 1 && b.mean_ns)
		b.ratio = (double)b.busiest_ns / (double)b.mean_ns;
	return b;
}

struct calls_balance calls_balance(const struct calls *calls)
{
	struct calls_balance worst = {.ratio = 1};
	uint64_t *crews = calls_crews(calls);
	for (size_t w = 0; w < calls->run->worker_count; w++) {
		bool is_first = crews[w] != 0;
		for (size_t i = 0; i < w; i++)
			is_first &= crews[i] != crews[w];
		struct calls_balance b = is_first ? calls_balance_of(calls, crews, crews[w]) : worst;
		if (is_first && b.counted > 1 && (!worst.counted || b.busiest_ns - b.mean_ns > worst.busiest_ns - worst.mean_ns))
			worst = b;
	}
	free(crews);
	return worst;
}
