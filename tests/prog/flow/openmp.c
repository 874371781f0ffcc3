/* SPDX-License-Identifier: MIT */
/* openmp PART: what OpenMP's threads wait for, with work by each thread's own CPU clock. Prints what is true of the run (truth.h).
 *
 * A team has three threads, always the same. Members enter a region behind its opening, and leave it together; a task begins behind its
 * creation, and who waits for tasks goes on behind their ends. Tasks are taken to stay on the threads on which they ran. What the runtime
 * does while a thread has nothing to do, it may spin, is no work. */
#include "truth.h"

#include <omp.h>

enum { TEAM = 3, TURNS = 4 };

static struct thing region = {.parties = TEAM}, meeting = {.parties = TEAM};

/* ---- regions ---- */

/* The first thread has opened the region, and works all the time; others had nothing to do since their last operation. */
static void enter(void)
{
	truth_me = omp_get_thread_num();
	truth.threads[truth_me].tid = gettid();
	truth_got(SHARE, &region, 0, truth_me ? truth_left : truth_now());
}

/* A team that does `body` in each of its threads. */
static void in_team(void (*body)(void))
{
	TRUTH_SEND(RELEASE, &region, 0, (void)0);
#pragma omp parallel num_threads(TEAM)
	{
		enter();
		body();
		TRUTH_SEND(ARRIVE, &region, 0, (void)0);
	}
	truth_got(PASS, &region, 0, truth_left);
}

static void meet(void)
{
	TRUTH_SEND(ARRIVE, &meeting, 0, (void)0);
#pragma omp barrier
	truth_got(PASS, &meeting, 0, truth_left);
}

/* The last thread is late each time. */
static void turns(void)
{
	for (int turn = 0; turn < TURNS; turn++) {
		truth_work((uint64_t)(truth_me == TEAM - 1 ? 30 : 10 + 5 * truth_me) * MS);
		meet();
	}
}

/* One iteration for each thread, and a barrier at the end of each loop. */
static void loops(void)
{
	for (int turn = 0; turn < TURNS; turn++) {
#pragma omp for schedule(static)
		for (int i = 0; i < TEAM; i++) {
			truth_work((uint64_t)(i == TEAM - 1 ? 30 : 8) * MS);
			TRUTH_SEND(ARRIVE, &meeting, 0, (void)0);
		}
		truth_got(PASS, &meeting, 0, truth_left);
	}
}

static void several_regions(void)
{
	for (int turn = 0; turn < 2; turn++) {
		in_team(loops);
		truth_work(10 * MS);
	}
}

/* ---- critical sections ---- */

static struct thing table;

static ROUTINE void table_change(void)
{
	struct moment before = truth_now();
#pragma omp critical(table)
	{
		truth_got(ACQUIRE, &table, 0, before);
		truth_work(8 * MS);
		TRUTH_SEND(RELEASE, &table, 0, (void)0);
	}
}

static void sections(void)
{
	for (int i = 0; i < 6; i++) {
		truth_work(4 * MS);
		table_change();
	}
}

/* ---- tasks ---- */

/* A task, and what those that it creates leave for it. */
struct work {
	struct thing created, children;
};

static struct work *new_work(void)
{
	struct work *w = calloc(1, sizeof *w);
	TRUTH_SEND(RELEASE, &w->created, 0, (void)0);
	return w;
}

static void begin_task(struct work *w)
{
	truth_me = omp_get_thread_num();
	truth_got(SHARE, &w->created, 0, truth_left);
}

static void end_task(struct work *parent)
{
	TRUTH_SEND(UNSHARE, &parent->children, 0, (void)0);
}

/* Until here the thread has worked. */
static void mark(void)
{
	TRUTH_SEND(BEGIN, NULL, 0, (void)0);
}

static void all_ended(struct work *w)
{
	truth_got(ACQUIRE, &w->children, 0, truth_left);
}

/* The fifth task is long. */
static void create_some(struct work *me)
{
	for (int i = 0; i < 9; i++) {
		struct work *w = new_work();
#pragma omp task firstprivate(w, i) shared(me)
		{
			begin_task(w);
			truth_work((uint64_t)(i == 4 ? 60 : 12) * MS);
			end_task(me);
		}
		mark();
	}
}

static void for_tasks(void)
{
#pragma omp single nowait
	{
		static struct work me;
		create_some(&me);
		truth_work(5 * MS);
		mark();
#pragma omp taskwait
		all_ended(&me);
		truth_work(5 * MS);
	}
	meet();
}

/* The single construct's own barrier; each task creates another one, which the group waits for, too. */
static void for_group(void)
{
	static struct work me;
	static struct thing single;
#pragma omp single
	{
#pragma omp taskgroup
		{
			for (int i = 0; i < 5; i++) {
				struct work *w = new_work();
#pragma omp task firstprivate(w)
				{
					begin_task(w);
					truth_work(10 * MS);
					struct work *inner = new_work();
#pragma omp task firstprivate(inner)
					{
						begin_task(inner);
						truth_work(14 * MS);
						end_task(&me);
					}
					end_task(&me);
				}
				mark();
			}
		}
		all_ended(&me);
		truth_work(5 * MS);
		TRUTH_SEND(RELEASE, &single, 0, (void)0);
	}
	truth_got(SHARE, &single, 0, truth_left);
}

/* A tree of tasks, each of which waits for its two children. */
static long fib(int n)
{
	long a = 0, b = 0;
	static const struct work none;
	if (n < 2) {
		truth_work(10 * MS);
		return n;
	}
	struct work *me = malloc(sizeof *me), *first, *second;
	*me = none;
	first = new_work();
#pragma omp task shared(a) firstprivate(first, me, n)
	{
		begin_task(first);
		a = fib(n - 1);
		end_task(me);
	}
	mark();
	second = new_work();
#pragma omp task shared(b) firstprivate(second, me, n)
	{
		begin_task(second);
		b = fib(n - 2);
		end_task(me);
	}
	mark();
#pragma omp taskwait
	all_ended(me);
	truth_work(MS);
	return a + b;
}

static void tree(void)
{
#pragma omp single nowait
	fib(6);
	meet();
}

static const struct {
	const char *name;
	void (*body)(void);
} parts[] = {{"barrier", turns}, {"loop", loops}, {"critical", sections}, {"tasks", for_tasks}, {"group", for_group}, {"fib", tree}};

int main(int argc, char **argv)
{
	const char *part = argc > 1 ? argv[1] : "";
	truth_begin();
	truth.thread_count = TEAM;
	if (strcmp(part, "regions") == 0)
		several_regions();
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strcmp(part, parts[i].name) == 0)
			in_team(parts[i].body);
	truth_print();
	return 0;
}
