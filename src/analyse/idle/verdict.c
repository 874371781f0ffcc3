/* SPDX-License-Identifier: MIT */
#include "analyse/idle/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/blame_place.h"
#include "analyse/idle/judge.h"
#include "analyse/opening.h"
#include "base/number.h"
#include "base/text.h"

enum { MOST_NEXT = 3, STANDS_OUT_SAMPLES = 10 };
#define STANDS_OUT_PCT 10.0 /* of all idleness */
#define MOST_IDLE_PCT 50.0  /* of all idleness: a routine with more is where to begin, whatever its work */
#define AS_IDLE 0.75        /* of the idleness of the run per effort: a routine with less is only busy */
#define NEXT_PCT 5.0        /* part of all idleness: a routine with less gets no sentence */
#define EVEN_PCT 90.0       /* of the CPU time of the busiest thread: others with more have an even share */
#define WORKS_PCT 5.0       /* of the same: others with less do not take part in the work */
#define KERNEL_OWN_PCT 10.0 /* part of the CPU time for Skein, or of the effort for overhead: with more the kernel is not mentioned */
#define KERNEL_PCT 50.0     /* part of the CPU time in the kernel, from which that is news */
#define FAULT_NS 20000      /* kernel's time per page fault: with more, most of that time is for something else */
#define OVER_PCT 10.0       /* part of the time at work with more threads than cores */
#define OWN_PCT 25.0        /* part of the CPU time: if the profiler itself took more, that comes early */

const char *judge_name(const struct judge *j, uint32_t routine)
{
	return idles_short_name(&j->verdict->pool, j->idles->run, routine);
}

const char *judge_describe(const struct judge *j, uint32_t routine)
{
	const struct run_routine *r = &j->idles->run->routines[routine];
	const char *name = judge_name(j, routine), *place = r->line ? text_place(&j->verdict->pool, r->file, r->line) : "";
	return *place ? pool_print(&j->verdict->pool, "%s (%s)", name, place) : name;
}

const char *judge_share(const struct judge *j, uint64_t part, uint64_t whole)
{
	return text_share(&j->verdict->pool, (double)part, (double)whole);
}

const char *judge_time(const struct judge *j, double ns)
{
	return text_ns(&j->verdict->pool, ns);
}

const char *judge_saved(const struct judge *j, double ns)
{
	double wall = (double)j->idles->run->wall_ns;
	j->figures->saved_ns = number_count(fmin(ns, wall));
	return pool_print(&j->verdict->pool, "at most %s of %s", judge_time(j, fmin(ns, wall)), judge_time(j, wall));
}

void judge_tag(const struct judge *j, size_t from, const struct finding_tag *tag, double saved_ns)
{
	double wall = (double)j->idles->run->wall_ns;
	struct finding_tag whole = *tag;
	if (whole.routine == RUN_NOWHERE || whole.routine == RUN_OUTSIDE)
		whole.routine = FINDING_NO_ROUTINE;
	whole.part = wall > 0 ? fmin(saved_ns / wall, 1) : 0;
	findings_tag(j->verdict, from, &whole);
}

const char *judge_of_idleness(const struct judge *j, uint64_t ns)
{
	return pool_print(&j->verdict->pool, "%s of the idleness", judge_share(j, ns, j->total.idle_ns));
}

const char *judge_place(const struct judge *j, const char *before, const char *file, uint32_t line)
{
	return line ? pool_print(&j->verdict->pool, "%s%s", before, text_place(&j->verdict->pool, file, line)) : "";
}

enum idles_table1 idles_interpret(const struct idles_sums *sums, uint64_t effort, const struct idles_limits *limits)
{
	bool idle = text_share_of((double)sums->idle_ns, (double)effort) >= limits->idle_pct,
	     overhead = text_share_of((double)sums->overhead_ns, (double)effort) >= limits->overhead_pct;
	return idle ? (overhead ? IDLES_SWITCH : IDLES_REFINE) : overhead ? IDLES_COARSEN : IDLES_EFFECTIVE;
}

static bool is_serial(const struct idles_sums *sums)
{
	uint64_t all = sums->work_ns + sums->overhead_ns;
	return all && (double)sums->class_ns[RAW_IDLE_SERIAL] >= IDLES_SERIAL_SHARE * (double)all;
}

const char *idles_advice(const struct idles_sums *sums, const struct idles_limits *limits)
{
	static const char *const words[] = {
		[IDLES_EFFECTIVE] = "effective", [IDLES_COARSEN] = "coarsen", [IDLES_REFINE] = "refine", [IDLES_SWITCH] = "switch"};
	enum idles_table1 row = idles_interpret(sums, idles_effort(sums), limits);
	if (sums->samples < IDLES_LEAST_SAMPLES)
		return "";
	return row == IDLES_REFINE && is_serial(sums) ? "serial" : words[row];
}

/* How many cores worked while the scope ran, on average over its time. */
static double at_work(const struct judge *j, const struct idles_sums *sums)
{
	uint64_t effort = idles_effort(sums);
	return effort ? (double)j->idles->cores * (double)(sums->work_ns + sums->overhead_ns) / (double)effort : 0;
}

/* "runs serially while 1 of 2 cores waits" */
static const char *how_it_runs(const struct judge *j, const struct idles_sums *sums)
{
	unsigned cores = j->idles->cores;
	if (is_serial(sums))
		return pool_print(&j->verdict->pool, "runs serially while %u of %u cores wait%s", cores - 1, cores, cores == 2 ? "s" : "");
	return pool_print(&j->verdict->pool, "keeps %.1f of %u cores busy", at_work(j, sums), cores);
}

/* ---- which routine has the most idleness ---- */

/* What a sentence is about: a routine, or a routine as called by one caller, if it runs serially there and not
 * elsewhere. */
struct culprit {
	const char *who;
	const struct idles_sums *sums;
	const char *subject; /* what to change, */
	uint32_t routine;    /* routine of the subject */
	uint32_t within;     /* the caller that it is about; 0: all of them */
};

uint32_t judge_caller(const struct judge *j, uint32_t scope)
{
	const struct idles *idles = j->idles;
	uint32_t caller = idles->scopes[scope].parent;
	while (caller != IDLES_NO_SCOPE && idles->scopes[caller].kind != IDLES_ROUTINE && idles->scopes[caller].kind != IDLES_INLINED)
		caller = idles->scopes[caller].parent;
	return caller;
}

static struct culprit culprit_of(const struct judge *j, const struct idles_blame *b)
{
	const struct idles *idles = j->idles;
	const struct idles_scope *context = &idles->scopes[b->context];
	struct pool *pool = &j->verdict->pool;
	const char *at = judge_place(j, " at ", context->file, context->line), *most = judge_place(j, "most at ", b->file, b->line);
	const char *name = judge_name(j, b->routine);
	struct culprit all = {judge_describe(j, b->routine), &b->sums, *most ? pool_print(pool, "%s (%s)", name, most) : name, b->routine,
	                      0};
	uint32_t caller = judge_caller(j, b->context);
	if (caller == IDLES_NO_SCOPE || 2 * b->in_context.idle_ns < b->sums.idle_ns)
		return all;
	bool is_alone = !is_serial(&b->sums) && is_serial(&b->in_context), is_inlined = context->kind == IDLES_INLINED;
	const char *around = judge_name(j, idles->scopes[caller].routine);
	if (!is_alone && !is_inlined)
		return all;
	return (struct culprit){pool_print(pool, "%s, %s %s%s", all.who, is_inlined ? "inlined in" : "called by", around, at),
	                        is_alone ? &b->in_context : &b->sums,
	                        *at ? pool_print(pool, "%s (it calls %s%s)", around, name, at) : around,
	                        is_inlined ? idles->scopes[caller].routine : b->routine, is_inlined ? 0 : idles->scopes[caller].routine};
}

const struct idles_blame *judge_largest(const struct judge *j, uint64_t (*measure)(const struct idles_sums *sums))
{
	const struct idles_blame *found = NULL;
	for (size_t i = 0; i < j->count; i++)
		if (measure(&j->blames[i].sums) && (!found || measure(&j->blames[i].sums) > measure(&found->sums)))
			found = &j->blames[i];
	return found;
}

static uint64_t of_work(const struct idles_sums *sums)
{
	return sums->work_ns;
}

/* ---- the sentences ---- */

/* ", most of it in compress, called at store.c:12": a library's routine that does most of the work of the program's. */
static const char *most_in(const struct judge *j, const struct idles_blame *b)
{
	uint32_t scope;
	uint64_t ns = idles_most_called(j->idles, b->routine, &scope);
	if (2 * ns <= b->sums.work_ns)
		return "";
	const struct idles_scope *called = &j->idles->scopes[scope];
	return pool_print(&j->verdict->pool, ", most of it in %s%s", judge_name(j, called->routine),
	                  blame_is_programs_file(called->file) ? judge_place(j, ", called at ", called->file, called->line) : "");
}

/* The part of the CPU time, without Skein's own, that the kernel spent for the program. */
static double kernel_pct(const struct judge *j)
{
	const struct run *run = j->idles->run;
	double own = (double)idles_sum_threads(j->idles).own_ns, kernel = (double)run->system_ns - own;
	/* What the kernel does for threads and for Skein is no part of the work. */
	bool is_work = text_share_of(own, (double)run->cpu_ns) < KERNEL_OWN_PCT &&
		text_share_of((double)j->total.overhead_ns, (double)j->effort) < KERNEL_OWN_PCT;
	return is_work && run->system_ns >= 0 && run->user_ns >= 0 && kernel > 0 ? text_share_of(kernel, (double)run->user_ns + kernel) : 0;
}

static bool is_for_faults(const struct run *run)
{
	return run->faults > 0 && run->system_ns / run->faults < FAULT_NS;
}

/* Most time in the kernel has no sample of its own. */
static bool is_unseen(const struct judge *j)
{
	return 2 * (double)idles_sum_threads(j->idles).unseen_ns >= (double)j->idles->run->system_ns;
}

/* What the kernel took, if that is most: "92 % of the CPU time was in the kernel (1,024,310 page faults). …" A routine is named if it has
 * so much of the work that most time without a sample must be in it. */
static const char *in_kernel(const struct judge *j)
{
	const struct run *run = j->idles->run;
	struct pool *pool = &j->verdict->pool;
	const struct idles_blame *worker = judge_largest(j, of_work);
	if (kernel_pct(j) < KERNEL_PCT)
		return "";
	j->figures->kernel_pct = kernel_pct(j);
	uint64_t unseen = idles_sum_threads(j->idles).unseen_ns;
	bool is_faults = is_for_faults(run);
	bool is_most = worker && worker->sums.work_ns + unseen / 2 >= j->total.work_ns + j->total.overhead_ns;
	const char *most = is_most ? pool_print(pool, ", most of it to %s", judge_describe(j, worker->routine)) : "";
	return pool_print(pool, "%s of the CPU time was in the kernel (%s%s)%s.", text_percent(pool, kernel_pct(j)),
	                  is_faults ? text_count(pool, run->faults) : "", is_faults ? " page faults" : "mostly system calls",
	                  is_unseen(j) ? pool_print(pool, ". It is charged to the code that ran next%s", most) : "");
}

/* The routine that other lenses know: an inlined one is part of its caller there. */
static uint32_t around_inlined(const struct judge *j, const struct idles_blame *b)
{
	uint32_t caller = j->idles->scopes[b->context].kind == IDLES_INLINED ? judge_caller(j, b->context) : IDLES_NO_SCOPE;
	return caller == IDLES_NO_SCOPE ? b->routine : j->idles->scopes[caller].routine;
}

/* What the sentence that was added last says of the kernel, if it says anything. */
static void tag_kernel(const struct judge *j)
{
	const struct idles_blame *worker = judge_largest(j, of_work);
	bool is_faults = is_for_faults(j->idles->run);
	if (*in_kernel(j))
		judge_tag(j, j->verdict->count - 1,
		          &(struct finding_tag){.kind = FINDING_KERNEL,
		                                .routine = worker ? around_inlined(j, worker) : RUN_NOWHERE,
		                                .share = kernel_pct(j) / 100,
		                                .words = pool_print(&j->verdict->pool, "%s of the CPU time",
		                                                    text_percent(&j->verdict->pool, kernel_pct(j))),
		                                .advice = is_faults ? "Map, touch and free less memory, or reuse it" : NULL},
		          0);
}

static void say_effective(const struct judge *j)
{
	const struct idles_blame *worker = judge_largest(j, of_work);
	uint64_t work = worker ? idles_work_in(j->idles, worker->routine) : 0;
	const char *who = worker ? pool_print(&j->verdict->pool, ": %s has %s of the work%s", judge_describe(j, worker->routine),
	                                      judge_share(j, work, j->total.work_ns), most_in(j, worker))
				 : "";
	j->figures->busiest_ns = work;
	const char *overhead = judge_share(j, j->total.overhead_ns, j->effort), *kernel = in_kernel(j);
	const char *left = *kernel && is_unseen(j) ? kernel : pool_print(&j->verdict->pool, "What is left is serial performance%s.", who);
	if (j->idles->cores == 1)
		findings_add(j->verdict, "%s, so no core could be idle%s; overhead took %s of the effort. %s",
		             run_is_ranked(j->idles->run) ? "A rank has one core here" : "Only one core was allowed",
		             run_is_ranked(j->idles->run) ? " while it worked" : "", overhead, left);
	else
		findings_add(j->verdict, "The cores were busy: idle cores took %s of the effort on %u cores, and overhead %s. %s",
		             judge_share(j, j->total.idle_ns, j->effort), j->idles->cores, overhead, left);
	judge_tag(j, j->verdict->count - 1,
	          &(struct finding_tag){.kind = FINDING_FINE,
	                                .routine = worker ? around_inlined(j, worker) : RUN_NOWHERE,
	                                .share = j->total.work_ns ? (double)work / (double)j->total.work_ns : 0,
	                                .words = pool_print(&j->verdict->pool, "%s of the work", judge_share(j, work, j->total.work_ns))},
	          0);
	tag_kernel(j);
}

/* A routine that has most of the work has most of the idleness, too, even if cores are less idle there than elsewhere. */
static bool is_only_busy(const struct judge *j, const struct idles_blame *b)
{
	double idle = text_share_of((double)b->sums.idle_ns, (double)j->total.idle_ns);
	return !is_serial(&b->sums) && idle < MOST_IDLE_PCT &&
		idle < AS_IDLE * text_share_of((double)idles_effort(&b->sums), (double)j->effort);
}

static bool is_worst(const struct judge *j, const struct idles_blame *b)
{
	return text_share_of((double)b->sums.idle_ns, (double)j->total.idle_ns) >= STANDS_OUT_PCT &&
		b->sums.samples >= STANDS_OUT_SAMPLES && !is_only_busy(j, b);
}

static bool stands_out(const struct judge *j)
{
	return j->count && is_worst(j, &j->blames[0]);
}

static void put_worst_first(struct judge *j)
{
	size_t at = 0;
	while (at < j->count && !is_worst(j, &j->blames[at]))
		at++;
	if (at == j->count)
		return;
	struct idles_blame worst = j->blames[at];
	memmove(j->blames + 1, j->blames, at * sizeof worst);
	j->blames[0] = worst;
}

/* A team of a runtime that waits for tasks while a routine runs alone has none to wait for: that is no reason. */
static const char *others(const struct judge *j, const struct idles_blame *b, const struct idles_sums *sums)
{
	return is_serial(sums) && 2 * b->why.by_kind[RAW_WAIT_TASK] > b->sums.idle_ns ? "" : judge_others(j, b);
}

/* "81 % of that is charged to f (a.c:3), which runs serially while 1 of 2 cores waits" */
static const char *idle_culprit(const struct judge *j)
{
	if (!j->count || !j->blames[0].sums.idle_ns)
		return "no routine could be named for it";
	struct culprit first = culprit_of(j, &j->blames[0]);
	j->figures->charged_ns = j->blames[0].sums.idle_ns;
	if (!stands_out(j))
		return pool_print(&j->verdict->pool, "no routine stands out: the most, %s of that, is charged to %s%s",
		                  judge_share(j, j->blames[0].sums.idle_ns, j->total.idle_ns), judge_describe(j, j->blames[0].routine),
		                  is_only_busy(j, &j->blames[0]) ? pool_print(&j->verdict->pool, ", which has %s of the work",
		                                                              judge_share(j, j->blames[0].sums.work_ns, j->total.work_ns))
		                                                 : "");
	j->figures->charged_ns = first.sums->idle_ns;
	return pool_print(&j->verdict->pool, "%s of that is charged to %s, which %s%s",
	                  judge_share(j, first.sums->idle_ns, j->total.idle_ns), first.who, how_it_runs(j, first.sums),
	                  others(j, &j->blames[0], first.sums));
}

static void say_refine(const struct judge *j)
{
	const char *idle = judge_share(j, j->total.idle_ns, j->effort);
	bool others_wait = j->count && *others(j, &j->blames[0], culprit_of(j, &j->blames[0]).sums);
	if (is_serial(&j->total) && !others_wait)
		findings_add(j->verdict, "The program is serial: %u of %u cores had nothing to do. Idle cores took %s of the effort; %s.",
		             j->idles->cores - 1, j->idles->cores, idle, idle_culprit(j));
	else
		findings_add(j->verdict, "Idle cores took %s of the effort; %s.", idle, idle_culprit(j));
}

static uint64_t of_overhead(const struct idles_sums *sums)
{
	return sums->overhead_ns;
}

static void say_coarsen(const struct judge *j)
{
	const struct idles_blame *who = judge_largest(j, of_overhead);
	findings_add(j->verdict, "Overhead took %s of the effort (%s), idle cores %s: %s%s.",
	             judge_share(j, j->total.overhead_ns, j->effort), judge_kinds(j), judge_share(j, j->total.idle_ns, j->effort),
	             judge_coarsen(j),
	             who ? pool_print(&j->verdict->pool, ", first in %s, which has %s of the overhead", judge_describe(j, who->routine),
	                              judge_share(j, who->sums.overhead_ns, j->total.overhead_ns))
	                 : "");
	judge_tag(j, j->verdict->count - 1,
	          &(struct finding_tag){.kind = FINDING_GRAIN,
	                                .routine = who ? who->routine : RUN_NOWHERE,
	                                .words = pool_print(&j->verdict->pool, "overhead is %s of the effort",
	                                                    judge_share(j, j->total.overhead_ns, j->effort))},
	          (double)judge_overhead_ns(j) / (double)j->idles->cores);
}

static void say_switch(const struct judge *j)
{
	if (judge_is_threads(j)) {
		judge_threads(j);
		return;
	}
	findings_add(j->verdict, "Idle cores took %s of the effort and overhead another %s: %s.",
	             judge_share(j, j->total.idle_ns, j->effort), judge_share(j, j->total.overhead_ns, j->effort), judge_switch(j));
	if (!stands_out(j))
		return;
	struct culprit first = culprit_of(j, &j->blames[0]);
	j->figures->charged_ns = first.sums->idle_ns;
	findings_add(j->verdict, "%s of the idleness is charged to %s, which %s%s.", judge_share(j, first.sums->idle_ns, j->total.idle_ns),
	             first.who, how_it_runs(j, first.sums), others(j, &j->blames[0], first.sums));
}

/* The parallel construct around the routine: "the parallel region at relax.c:32"; NULL: not known. */
static const char *construct_around(const struct judge *j, uint32_t scope)
{
	const struct idles *idles = j->idles;
	for (; scope != IDLES_NO_SCOPE; scope = idles->scopes[scope].parent) {
		const struct idles_scope *s = &idles->scopes[scope];
		const struct run_routine *routine = &idles->run->routines[s->routine];
		const char *linkage = routine->linkage, *what = "";
		run_construct(&j->verdict->pool, routine, &what);
		if (s->kind == IDLES_ROUTINE && s->line && idles_is_construct(linkage))
			return pool_print(&j->verdict->pool, "the %s at %s",
			                  strcmp(what, "(task)") == 0             ? "tasks"
			                          : strcmp(what, "(OpenMP)") == 0 ? "OpenMP construct"
			                                                          : "parallel region",
			                  text_place(&j->verdict->pool, s->file, s->line));
	}
	return NULL;
}

/* What a remedy is for: a job, of which the routine to blame may be a small part, if other threads wait for that. */
struct remedied {
	uint32_t job; /* RUN_NOWHERE: the routine itself */
	uint64_t idle_ns;
};

static const char *remedy_for_others(const struct judge *j, const struct idles_blame *b, const struct culprit *c, struct remedied *what)
{
	uint64_t of_job;
	uint32_t job = idles_job(j->idles, b, &of_job);
	struct pool *pool = &j->verdict->pool;
	const char *who = c->subject;
	if (job != RUN_NOWHERE && job != c->routine && job != b->routine) {
		*what = (struct remedied){job, of_job};
		who = pool_print(pool, 2 * b->sums.idle_ns >= of_job ? "%s, mostly while it runs %s" : "%s", judge_describe(j, job),
		                 judge_name(j, b->routine));
	}
	return pool_print(pool, "Other threads wait for %s: hand its results over earlier, or share its work out", who);
}

/* What to do about idleness. */
static const char *remedy_for(const struct judge *j, const struct idles_blame *b, const struct culprit *c, struct remedied *what)
{
	struct pool *pool = &j->verdict->pool;
	const char *construct = construct_around(j, b->context), *semaphore = idles_semaphore_of(j->idles, c->routine);
	bool is_task = construct && strncmp(construct, "the tasks", strlen("the tasks")) == 0, is_alone = is_serial(c->sums);
	if (2 * b->why.by_kind[RAW_WAIT_SEMAPHORE] > b->sums.idle_ns && semaphore)
		return pool_print(pool, "Let more threads into %s, or hold the semaphore%s%s for less time", c->subject,
		                  *semaphore ? " " : "", semaphore);
	if (2 * b->why.by_kind[RAW_WAIT_BARRIER] > b->sums.idle_ns && !is_task && !(is_alone && !construct))
		return pool_print(pool, "Share the work of %s out more evenly between barriers", construct ? construct : c->subject);
	if (2 * (b->why.by_kind[RAW_WAIT_CONDITION] + b->why.by_kind[RAW_WAIT_SEMAPHORE]) > b->sums.idle_ns)
		return remedy_for_others(j, b, c, what);
	if (2 * b->why.blocked_ns > b->sums.idle_ns)
		return pool_print(
			pool,
			*in_kernel(j) && is_for_faults(j->idles->run)
				? "Other threads are blocked in the kernel while %s runs: map, touch and free less memory"
				: "Other threads are blocked in system calls or page faults while %s runs: let them block less, or share its work out",
			c->subject);
	if (is_alone)
		return pool_print(pool, "Make %s parallel, do less there, or let it run beside other work", c->subject);
	if (idles_interpret(c->sums, idles_effort(c->sums), j->limits) == IDLES_SWITCH)
		return pool_print(pool, "In %s idleness and overhead are both high: divide its work differently", c->subject);
	return pool_print(pool, "Divide the work of %s into more and smaller pieces, or share it out more evenly",
	                  construct ? construct : c->subject);
}

/* All threads that work have used the same CPU time, and the program lacked cores: then they end at different times by chance. */
static bool is_even(const struct judge *j)
{
	const struct idles *idles = j->idles;
	uint64_t busiest = 0;
	size_t many = 0;
	for (size_t i = 0; i < idles->run->thread_count; i++)
		busiest = idles->threads[i].cpu_ns > busiest ? idles->threads[i].cpu_ns : busiest;
	for (size_t i = 0; i < idles->run->thread_count; i++) {
		double share = text_share_of((double)idles->threads[i].cpu_ns, (double)busiest);
		if (share >= WORKS_PCT && share < EVEN_PCT)
			return false;
		many += share >= EVEN_PCT;
	}
	return many > 1 && opening_no_core_pct(idles->run) >= OPENING_NO_CORE_PCT;
}

/* Idleness for no other reason than that too few threads were left. */
static bool is_by_chance(const struct judge *j, const struct idles_blame *b, const struct culprit *c)
{
	uint64_t known = b->why.held_ns + b->why.blocked_ns;
	for (int kind = 0; kind < RAW_WAIT_KINDS; kind++)
		known += kind == RAW_WAIT_JOIN ? 0 : b->why.by_kind[kind];
	return 2 * known <= b->sums.idle_ns && !is_serial(c->sums) && !construct_around(j, b->context) && is_even(j);
}

/* Other threads have done their part of the same work. */
static bool is_shared_out(const struct idles_blame *b)
{
	return !is_serial(&b->sums) && 2 * b->why.by_kind[RAW_WAIT_BARRIER] > b->sums.idle_ns;
}

/* Removing idleness saves at most the time in which cores waited. */
static struct remedied say_remedy(const struct judge *j, const struct idles_blame *b)
{
	struct culprit c = culprit_of(j, b);
	struct remedied what = {RUN_NOWHERE, c.sums->idle_ns};
	if (judge_waits(j, b, c.routine))
		return what;
	if (is_by_chance(j, b, &c)) {
		findings_add(
			j->verdict,
			"The threads have even shares of the work: they end at different times because cores were lacking, so that this "
			"idleness (%s of %s) may not be there on a quiet machine.",
			judge_time(j, (double)what.idle_ns / (double)j->idles->cores), judge_time(j, (double)j->idles->run->wall_ns));
		return what;
	}
	const char *remedy = remedy_for(j, b, &c, &what);
	double saved_ns = (double)what.idle_ns / (double)j->idles->cores;
	findings_add(j->verdict, "%s. Removing this idleness saves %s.", remedy, judge_saved(j, saved_ns));
	judge_tag(j, j->verdict->count - 1,
	          &(struct finding_tag){.kind = is_shared_out(b) ? FINDING_UNEVEN : FINDING_SERIAL,
	                                .routine = what.job == RUN_NOWHERE ? c.routine : what.job,
	                                .within = what.job == RUN_NOWHERE ? c.within : 0,
	                                .words = judge_of_idleness(j, what.idle_ns),
	                                .advice = remedy},
	          saved_ns);
	return what;
}

/* The other routines that cores waited for; what runs during the job was said. */
static void say_next(const struct judge *j, uint32_t job)
{
	uint64_t of_job;
	const char *list = "";
	for (size_t i = 1; i < j->count && i <= MOST_NEXT; i++) {
		const struct idles_blame *b = &j->blames[i];
		if (text_share_of((double)b->sums.idle_ns, (double)j->total.idle_ns) < NEXT_PCT || b->sums.samples < IDLES_LEAST_SAMPLES ||
		    text_share_of((double)b->sums.idle_ns, (double)idles_effort(&b->sums)) < j->limits->idle_pct)
			continue; /* too little idleness to judge, or to save */
		struct culprit next = culprit_of(j, b);
		if (judge_mostly_waits(j, b, next.routine) || (job != RUN_NOWHERE && idles_job(j->idles, b, &of_job) == job))
			continue;
		list = pool_print(&j->verdict->pool, "%s%s%s, which %s (%s)", list, *list ? "; " : "", next.who, how_it_runs(j, next.sums),
		                  judge_share(j, next.sums->idle_ns, j->total.idle_ns));
	}
	if (*list)
		findings_add(j->verdict, "Next, with their shares of all idleness: %s.", list);
}

static void say_over(const struct judge *j)
{
	uint64_t all = j->total.work_ns + j->total.overhead_ns;
	if (text_share_of((double)j->total.class_ns[RAW_IDLE_OVER], (double)all) >= OVER_PCT)
		findings_add(
			j->verdict,
			"For %s of the time at work more threads worked than there are cores (%u): they took turns, which idleness does not show.",
			judge_share(j, j->total.class_ns[RAW_IDLE_OVER], all), j->idles->cores);
}

static void say_own(const struct judge *j)
{
	struct pool *pool = &j->verdict->pool;
	struct idles_thread sum = idles_sum_threads(j->idles);
	if (text_share_of((double)sum.own_ns, (double)sum.cpu_ns) < OWN_PCT)
		return;
	const char *threads = text_count(pool, (int64_t)idles_begun_threads(j->idles));
	findings_add(j->verdict, "Skein itself took %s of the CPU time%s: shares leave that time out, elapsed times do not.",
	             judge_share(j, sum.own_ns, sum.cpu_ns),
	             idles_own_is_threads(j->idles, &sum) ? pool_print(pool, ", to begin and end its clock in %s threads", threads) : "");
}

static bool has_ompt(const struct run *run)
{
	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].flags & RAW_OMPT)
			return true;
	return false;
}

/* The first sentence; true: it is about idleness for which it gives no advice yet. */
static bool say_first(const struct judge *j, enum idles_table1 row)
{
	bool is_idle = row == IDLES_REFINE || row == IDLES_SWITCH;
	if (is_idle && judge_is_lock(j)) {
		judge_lock(j);
		return false;
	}
	if (row == IDLES_REFINE && judge_turns(j))
		return false;
	if (row == IDLES_EFFECTIVE)
		say_effective(j);
	else if (row == IDLES_COARSEN)
		say_coarsen(j);
	else if (row == IDLES_REFINE)
		say_refine(j);
	else
		say_switch(j);
	return is_idle && !(row == IDLES_SWITCH && judge_is_fine(j));
}

static void say_verdict(const struct judge *j)
{
	struct idles_sums without_start = j->total;
	without_start.overhead_ns = judge_overhead_ns(j);
	enum idles_table1 row = idles_interpret(&without_start, j->effort, j->limits);
	bool needs_advice = say_first(j, row);
	say_own(j);
	if (*in_kernel(j) && !(row == IDLES_EFFECTIVE && is_unseen(j))) {
		findings_add(j->verdict, "%s", in_kernel(j));
		if (row != IDLES_EFFECTIVE)
			tag_kernel(j);
	}
	if (needs_advice && !j->is_quiet && stands_out(j)) {
		struct remedied what = say_remedy(j, &j->blames[0]);
		say_next(j, what.job);
	}
	judge_overhead(j, row);
	say_over(j);
}

static void say_few(const struct judge *j)
{
	unsigned long long samples = j->total.samples;
	findings_add(
		j->verdict,
		"Only %llu sample%s %s taken while the program worked, too few for a verdict (%d are needed): let the program work for "
		"longer, or take samples more often (--rate).",
		samples, text_s(samples), samples == 1 ? "was" : "were", IDLES_LEAST_SAMPLES);
}

struct idles_figures idles_judge(const struct idles *idles, const struct idles_limits *limits, struct findings *verdict,
                                 struct findings *caveats)
{
	struct idles_figures figures = {0};
	struct judge j = {
		.idles = idles, .limits = limits, .total = idles_total(idles, UINT32_MAX), .verdict = verdict, .figures = &figures};
	j.effort = idles_effort(&j.total);
	j.blames = idles_blame(idles, &j.count);
	j.uses = idles_find_uses(idles);
	for (size_t i = 0; i < idles->why_count; i++)
		idles_reason(&j.why, &idles->whys[i]);
	judge_forget_design(&j);
	put_worst_first(&j);
	opening_add(idles->run, judge_trust(&j), verdict);
	j.is_quiet = judge_quiet(&j);
	if (idles->gomp && !has_ompt(idles->run))
		findings_add(
			verdict,
			"This program ran on gcc's OpenMP runtime (libgomp), whose waiting threads cannot be seen: the idleness below is far too low. Run it on LLVM's libomp.");
	if (j.total.samples < IDLES_LEAST_SAMPLES)
		say_few(&j);
	else
		say_verdict(&j);
	free(j.blames);
	idles_doubt(idles, caveats);
	return figures;
}
