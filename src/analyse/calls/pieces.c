/* SPDX-License-Identifier: MIT */
/* pieces.c: threads and tasks with so little work that creating them takes longer. */
#include <stdlib.h>
#include <string.h>

#include "analyse/calls/judge.h"
#include "base/text.h"

enum { SOME = 10, MANY = 1000, TINY_TASK_NS = 5000, TINY_THREAD_NS = 50000 };

static bool is_task(const struct run_routine *r)
{
	return r->kind == RUN_TASK_KIND || strstr(r->linkage, ".omp_task_entry.");
}

struct counted {
	int64_t calls;
	uint32_t routine; /* with most of them */
};

static struct counted tasks_of(const struct calls *calls, uint32_t worker)
{
	struct counted all = {.routine = RUN_NOWHERE};
	int64_t most = 0;
	for (size_t i = 0; i < calls->entry_count; i++) {
		uint32_t routine = calls->entries[i].routine;
		if ((i && calls->entries[i - 1].routine == routine) || !is_task(&calls->run->routines[routine]))
			continue;
		int64_t n = calls_sum(calls, routine, worker, CALLS_ALL).calls;
		all.calls += n;
		if (n > most) {
			most = n;
			all.routine = routine;
		}
	}
	return all;
}

/* What main and the bodies of parallel regions do themselves is no task's. */
static int64_t work_around_tasks(const struct calls *calls)
{
	int64_t sum = 0;
	for (size_t i = 0; i < calls->entry_count; i++) {
		const struct run_routine *r = &calls->run->routines[calls->entries[i].routine];
		bool is_body = (r->kind == RUN_OPENMP_KIND || r->kind == RUN_PARALLEL_KIND) && !is_task(r);
		sum += is_body || strcmp(r->linkage, "main") == 0 ? calls->entries[i].direct_ns : 0;
	}
	return sum;
}

/* The work of a task is at most its share of the rest. */
struct calls_pieces calls_tiny_tasks(const struct calls *calls)
{
	struct counted all = tasks_of(calls, CALLS_ALL);
	double rest = (double)(calls_total(calls, CALLS_ALL).direct_ns - work_around_tasks(calls));
	double work = all.calls ? rest / (double)all.calls : 0;
	return all.calls >= MANY && work < TINY_TASK_NS ? (struct calls_pieces){(uint64_t)all.calls, all.routine, work}
							: (struct calls_pieces){.routine = RUN_NOWHERE};
}

double calls_tasks_of_one(const struct calls *calls, uint32_t *routine)
{
	struct counted all = tasks_of(calls, CALLS_ALL);
	int64_t most = 0;
	for (uint32_t w = 0; w < calls->run->worker_count; w++) {
		int64_t mine = tasks_of(calls, w).calls;
		most = mine > most ? mine : most;
	}
	*routine = all.routine;
	return all.calls >= SOME ? (double)most / (double)all.calls : 0;
}

/* The busiest worker has far more of the work than of the tasks. */
static bool has_long_task(const struct calls *calls)
{
	struct calls_balance b = calls_balance(calls);
	double all = (double)tasks_of(calls, CALLS_ALL).calls, work = (double)b.mean_ns * (double)b.counted;
	return b.ratio >= CALLS_UNEVEN && 2 * (double)tasks_of(calls, b.busiest).calls / all < (double)b.busiest_ns / work;
}

/* A thread at a barrier runs tasks while there are any. */
bool calls_lacks_tasks(const struct calls *calls, const struct calls_wait *wait)
{
	if (!wait || wait->kind != RAW_WAIT_BARRIER || tasks_of(calls, CALLS_ALL).calls < SOME)
		return false;
	int64_t inside = 0;
	for (size_t i = 0; i < calls->entry_count; i++)
		inside += is_task(&calls->run->routines[calls->entries[i].routine]) ? calls->entries[i].elapsed_ns : 0;
	return 2 * inside >= calls_total(calls, CALLS_ALL).direct_ns && !has_long_task(calls);
}

/* A worker is what its threads do one after another; the first of a process runs main. */
struct calls_pieces calls_tiny_threads(const struct calls *calls)
{
	struct calls_pieces p = {.routine = RUN_NOWHERE};
	uint64_t *crews = calls_crews(calls), most = 0;
	int64_t work = 0;
	for (uint32_t w = 0; w < calls->run->worker_count; w++) {
		const struct run_worker *worker = &calls->run->workers[w];
		if (worker->lane == 0)
			continue;
		p.count += worker->threads;
		work += calls_total(calls, w).direct_ns;
		if (worker->threads > most && calls_crew_start(crews[w]) != RUN_NOWHERE) {
			most = worker->threads;
			p.routine = calls_crew_start(crews[w]);
		}
	}
	free(crews);
	p.work_ns = p.count ? (double)work / (double)p.count : 0;
	return p.count >= MANY && p.work_ns < TINY_THREAD_NS ? p : (struct calls_pieces){.routine = RUN_NOWHERE};
}

static const char *that_run(const struct calls *calls, uint32_t routine, struct findings *to)
{
	return routine == RUN_NOWHERE ? "" : pool_print(&to->pool, " that run %s", calls_describe(calls, routine, to));
}

static void tag_pieces(size_t from, const struct calls_pieces *pieces, const char *what, const char *advice, struct findings *verdict)
{
	findings_tag(verdict, from,
	             &(struct finding_tag){.kind = FINDING_GRAIN,
	                                   .routine = pieces->routine == RUN_NOWHERE ? FINDING_NO_ROUTINE : pieces->routine,
	                                   .words = pool_print(&verdict->pool, "%s %s", text_count(&verdict->pool, (int64_t)pieces->count),
	                                                       what),
	                                   .advice = advice});
}

void calls_judge_pieces(const struct calls *calls, struct findings *verdict)
{
	struct calls_pieces tasks = calls_tiny_tasks(calls), threads = calls_tiny_threads(calls);
	struct calls_wait_sum wait = calls_first_wait(calls);
	bool wait_for_tasks =
		wait.wait && wait.wait->kind == RAW_WAIT_TASK && calls_share(wait.ns, calls_alive_ns(calls)) >= CALLS_HELD_SHARE;
	size_t from = verdict->count;
	if (threads.count)
		findings_add(
			verdict,
			"The program created %s threads%s, which work for %s each: creating and ending one takes longer. Give each thread more "
			"work, or keep them in a pool.",
			text_count(&verdict->pool, (int64_t)threads.count), that_run(calls, threads.routine, verdict),
			text_ns(&verdict->pool, threads.work_ns));
	tag_pieces(from, &threads, "tiny threads", "Create fewer threads, each with more work, or keep them in a pool", verdict);
	from = verdict->count;
	if (tasks.count && wait_for_tasks)
		findings_add(
			verdict,
			"The program created %s tasks, most of them %s, which work for at most %s each: creating and scheduling one takes as "
			"long. Make fewer and larger tasks.",
			text_count(&verdict->pool, (int64_t)tasks.count), calls_describe(calls, tasks.routine, verdict),
			text_ns(&verdict->pool, tasks.work_ns));
	tag_pieces(from, &tasks, "tiny tasks", NULL, verdict);
}
