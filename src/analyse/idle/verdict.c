/* SPDX-License-Identifier: MIT */
#include "analyse/idle/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/idle/blame.h"
#include "analyse/opening.h"
#include "base/text.h"

enum { MOST_NEXT = 3, STANDS_OUT_SAMPLES = 10 };
#define STANDS_OUT_PCT 10.0 /* of all idleness */
#define NEXT_PCT 5.0        /* part of all idleness: a routine with less gets no sentence */
#define FINE_PCT 33.0       /* percent of the overhead: with more for tasks, the tasks are too small */
#define OVER_PCT 10.0       /* part of the time at work with more threads than cores */

/* What the sentences are about. */
struct judge {
	const struct idles *idles;
	const struct idles_limits *limits;
	struct idles_sums total;
	uint64_t effort;
	struct idles_blame *blames; /* by idleness */
	size_t count;
	struct findings *verdict;
};

/* "free_matrix (cholesky.c:283)" */
static const char *describe(struct findings *to, const struct run *run, uint32_t routine)
{
	const struct run_routine *r = &run->routines[routine];
	const char *name = idles_short_name(&to->pool, run, routine);
	const char *place = r->line ? text_place(&to->pool, r->file, r->line) : "";
	return *place ? pool_print(&to->pool, "%s (%s)", name, place) : name;
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
};

static struct culprit culprit_of(const struct judge *j, const struct idles_blame *b)
{
	const struct idles *idles = j->idles;
	const struct idles_scope *context = &idles->scopes[b->context];
	const char *who = describe(j->verdict, idles->run, b->routine);
	uint32_t caller = context->parent;
	while (caller != IDLES_NO_SCOPE && idles->scopes[caller].kind != IDLES_ROUTINE && idles->scopes[caller].kind != IDLES_INLINED)
		caller = idles->scopes[caller].parent;
	if (is_serial(&b->sums) || !is_serial(&b->in_context) || 2 * b->in_context.idle_ns < b->sums.idle_ns || caller == IDLES_NO_SCOPE)
		return (struct culprit){who, &b->sums};
	const char *name = idles_short_name(&j->verdict->pool, idles->run, idles->scopes[caller].routine);
	const char *at =
		context->line ? pool_print(&j->verdict->pool, " at %s", text_place(&j->verdict->pool, context->file, context->line)) : "";
	return (struct culprit){pool_print(&j->verdict->pool, "%s, called by %s%s,", who, name, at), &b->in_context};
}

static const struct idles_blame *largest(const struct judge *j, uint64_t (*measure)(const struct idles_sums *sums))
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

static uint64_t of_overhead(const struct idles_sums *sums)
{
	return sums->overhead_ns;
}

static uint64_t of_tasks(const struct idles_sums *sums)
{
	return sums->overhead_by[IDLES_OVERHEAD_TASK] + sums->overhead_by[IDLES_OVERHEAD_SCHEDULE];
}

/* "synchronisation 8.1 %, scheduling 2.0 %", the largest first, of the effort */
static const char *list_kinds(const struct judge *j, const struct idles_sums *sums)
{
	const char *list = "";
	bool said[IDLES_OVERHEADS] = {false};
	for (int n = IDLES_OVERHEAD_NONE + 1; n < IDLES_OVERHEADS; n++) {
		int most = IDLES_OVERHEAD_NONE;
		for (int kind = IDLES_OVERHEAD_NONE + 1; kind < IDLES_OVERHEADS; kind++)
			if (!said[kind] && sums->overhead_by[kind] &&
			    (most == IDLES_OVERHEAD_NONE || sums->overhead_by[kind] > sums->overhead_by[most]))
				most = kind;
		if (most == IDLES_OVERHEAD_NONE)
			break;
		said[most] = true;
		list = pool_print(&j->verdict->pool, "%s%s%s %s", list, *list ? ", " : "", idles_overhead_names[most],
		                  text_share(&j->verdict->pool, (double)sums->overhead_by[most], (double)j->effort));
	}
	return list;
}

/* ---- the sentences ---- */

static void say_effective(const struct judge *j)
{
	const struct idles_blame *worker = largest(j, of_work);
	const char *who = worker
		? pool_print(&j->verdict->pool, ": %s has %s of the work", describe(j->verdict, j->idles->run, worker->routine),
	                     text_share(&j->verdict->pool, (double)worker->sums.work_ns, (double)j->total.work_ns))
		: "";
	if (j->idles->cores == 1)
		findings_add(
			j->verdict,
			"Only one core was allowed, so nothing could be idle; overhead is %s of the effort. What is left is serial performance%s.",
			text_share(&j->verdict->pool, (double)j->total.overhead_ns, (double)j->effort), who);
	else
		findings_add(
			j->verdict,
			"Cores were kept busy: idleness is %s and overhead %s of the effort on %u cores. The program is effectively parallel; what is left is serial performance%s.",
			text_share(&j->verdict->pool, (double)j->total.idle_ns, (double)j->effort),
			text_share(&j->verdict->pool, (double)j->total.overhead_ns, (double)j->effort), j->idles->cores, who);
}

static bool stands_out(const struct judge *j)
{
	return j->count && text_share_of((double)j->blames[0].sums.idle_ns, (double)j->total.idle_ns) >= STANDS_OUT_PCT &&
		j->blames[0].sums.samples >= STANDS_OUT_SAMPLES;
}

static const char *idle_culprit(const struct judge *j)
{
	if (!j->count || !j->blames[0].sums.idle_ns)
		return "no routine could be named for it";
	struct culprit first = culprit_of(j, &j->blames[0]);
	if (!stands_out(j))
		return pool_print(&j->verdict->pool, "no routine stands out: the most, %s of all idleness, is in %s",
		                  text_share(&j->verdict->pool, (double)j->blames[0].sums.idle_ns, (double)j->total.idle_ns),
		                  describe(j->verdict, j->idles->run, j->blames[0].routine));
	return pool_print(&j->verdict->pool, "%s %s and holds %s of all idleness", first.who, how_it_runs(j, first.sums),
	                  text_share(&j->verdict->pool, (double)first.sums->idle_ns, (double)j->total.idle_ns));
}

static void say_refine(const struct judge *j)
{
	const char *idle = text_share(&j->verdict->pool, (double)j->total.idle_ns, (double)j->effort);
	if (is_serial(&j->total))
		findings_add(j->verdict, "The program is serial: %u of %u cores had nothing to do (idleness is %s of the effort); %s.",
		             j->idles->cores - 1, j->idles->cores, idle, idle_culprit(j));
	else
		findings_add(j->verdict, "Cores were idle for %s of the effort: %s.", idle, idle_culprit(j));
}

static void say_coarsen(const struct judge *j)
{
	const struct idles_blame *who = largest(j, of_overhead);
	findings_add(j->verdict,
	             "Overhead takes %s of the effort (%s) while idleness is low (%s): make the pieces of parallel work coarser%s.",
	             text_share(&j->verdict->pool, (double)j->total.overhead_ns, (double)j->effort), list_kinds(j, &j->total),
	             text_share(&j->verdict->pool, (double)j->total.idle_ns, (double)j->effort),
	             who ? pool_print(&j->verdict->pool, ", first in %s, which has %s of the overhead",
	                              describe(j->verdict, j->idles->run, who->routine),
	                              text_share(&j->verdict->pool, (double)who->sums.overhead_ns, (double)j->total.overhead_ns))
	                 : "");
}

/* Tasks that are too small cost idleness and overhead. Overhead of tasks is a kind of its own, and a larger grain
 * reduces it. */
static bool is_fine(const struct judge *j)
{
	return text_share_of((double)of_tasks(&j->total), (double)j->effort) >= j->limits->overhead_pct &&
		text_share_of((double)of_tasks(&j->total), (double)j->total.overhead_ns) >= FINE_PCT;
}

static void say_switch(const struct judge *j)
{
	const char *remedy = is_fine(j) ? "the tasks are too small; if larger ones leave cores idle, divide the work in another way"
					: "another grain will not help, another way to divide the work may";
	findings_add(j->verdict, "Cores were idle for %s of the effort and overhead takes another %s: %s. %s.",
	             text_share(&j->verdict->pool, (double)j->total.idle_ns, (double)j->effort),
	             text_share(&j->verdict->pool, (double)j->total.overhead_ns, (double)j->effort), remedy, idle_culprit(j));
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

/* What to do about idleness, and what that saves: at most the time in which cores waited. */
static void say_remedy(const struct judge *j, const struct idles_blame *b)
{
	const struct idles_sums *sums = culprit_of(j, b).sums;
	const char *name = idles_short_name(&j->verdict->pool, j->idles->run, b->routine);
	const char *at = b->line ? pool_print(&j->verdict->pool, " (most at %s)", text_place(&j->verdict->pool, b->file, b->line)) : "";
	const char *construct = construct_around(j, b->context), *what;
	double saved = (double)sums->idle_ns / (double)j->idles->cores;
	if (is_serial(sums))
		what = pool_print(&j->verdict->pool, "Make %s%s parallel, do less there, or let it run beside other work", name, at);
	else if (idles_interpret(sums, idles_effort(sums), j->limits) == IDLES_SWITCH)
		what = pool_print(&j->verdict->pool, "In %s%s idleness and overhead are both high: divide its work in another way", name,
		                  at);
	else
		what = pool_print(&j->verdict->pool, "Divide the work of %s%s into more and smaller pieces, or share it out more evenly",
		                  construct ? construct : name, construct ? "" : at);
	findings_add(j->verdict, "%s: without its idleness the run would be at most %s of %s shorter.", what,
	             text_ns(&j->verdict->pool, saved), text_ns(&j->verdict->pool, (double)j->idles->run->wall_ns));
}

/* The other routines that cores waited for. */
static void say_next(const struct judge *j)
{
	const char *list = "";
	for (size_t i = 1; i < j->count && i <= MOST_NEXT; i++) {
		const struct idles_blame *b = &j->blames[i];
		if (text_share_of((double)b->sums.idle_ns, (double)j->total.idle_ns) < NEXT_PCT || b->sums.samples < IDLES_LEAST_SAMPLES ||
		    text_share_of((double)b->sums.idle_ns, (double)idles_effort(&b->sums)) < j->limits->idle_pct)
			continue; /* too little idleness to judge, or to save */
		struct culprit next = culprit_of(j, b);
		size_t comma = strlen(next.who) - (next.who[strlen(next.who) - 1] == ',');
		list = pool_print(&j->verdict->pool, "%s%s%.*s, which %s (%s)", list, *list ? "; " : "", (int)comma, next.who,
		                  how_it_runs(j, next.sums),
		                  text_share(&j->verdict->pool, (double)next.sums->idle_ns, (double)j->total.idle_ns));
	}
	if (*list)
		findings_add(j->verdict, "Next, with their shares of all idleness: %s.", list);
}

static void say_overhead(const struct judge *j, enum idles_table1 row)
{
	const struct idles_blame *tasks = largest(j, of_tasks), *who = largest(j, of_overhead);
	if (is_fine(j) && tasks)
		findings_add(
			j->verdict,
			"The grain is too fine: creating and scheduling tasks takes %s of the effort, most of it for %s. Spawn larger pieces, and stop spawning when what is left is small.",
			text_share(&j->verdict->pool, (double)of_tasks(&j->total), (double)j->effort),
			describe(j->verdict, j->idles->run, tasks->routine));
	else if ((row == IDLES_SWITCH || row == IDLES_COARSEN) && who)
		findings_add(j->verdict, "The overhead is %s of the effort; %s has the most of it, %s.%s", list_kinds(j, &j->total),
		             describe(j->verdict, j->idles->run, who->routine),
		             text_share(&j->verdict->pool, (double)who->sums.overhead_ns, (double)j->total.overhead_ns),
		             2 * j->total.overhead_by[IDLES_OVERHEAD_SYNC] > j->total.overhead_ns
		                     ? " Take locks less often, or work on parts that need none."
		                     : "");
}

static void say_over(const struct judge *j)
{
	uint64_t all = j->total.work_ns + j->total.overhead_ns;
	if (text_share_of((double)j->total.class_ns[RAW_IDLE_OVER], (double)all) >= OVER_PCT)
		findings_add(
			j->verdict,
			"For %s of the time at work more threads worked than there are cores (%u): they took turns, which no idleness shows.",
			text_share(&j->verdict->pool, (double)j->total.class_ns[RAW_IDLE_OVER], (double)all), j->idles->cores);
}

static bool has_ompt(const struct run *run)
{
	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].flags & RAW_OMPT)
			return true;
	return false;
}

static void say_verdict(const struct judge *j)
{
	enum idles_table1 row = idles_interpret(&j->total, j->effort, j->limits);
	bool is_idle = row == IDLES_REFINE || row == IDLES_SWITCH;
	if (row == IDLES_EFFECTIVE)
		say_effective(j);
	else if (row == IDLES_COARSEN)
		say_coarsen(j);
	else if (row == IDLES_REFINE)
		say_refine(j);
	else
		say_switch(j);
	if (is_idle && stands_out(j) && !(row == IDLES_SWITCH && is_fine(j))) {
		say_remedy(j, &j->blames[0]);
		say_next(j);
	}
	say_overhead(j, row);
	say_over(j);
}

void idles_judge(const struct idles *idles, const struct idles_limits *limits, struct findings *verdict, struct findings *caveats)
{
	struct judge j = {.idles = idles, .limits = limits, .total = idles_total(idles, UINT32_MAX), .verdict = verdict};
	j.effort = idles_effort(&j.total);
	j.blames = idles_blame(idles, &j.count);
	opening_add(idles->run, "A thread that is ready to run counts as working, so idleness is higher than shown.", verdict);
	if (idles->gomp && !has_ompt(idles->run))
		findings_add(
			verdict,
			"This program ran on gcc's OpenMP runtime (libgomp), whose waiting threads cannot be seen: the idleness below is far too low. Run it on LLVM's libomp.");
	if (j.total.samples < IDLES_LEAST_SAMPLES)
		findings_add(
			verdict,
			"Only %llu sample%s %s taken while the program worked, too few for a verdict (%d are needed): let the program work for longer, or take samples more often (--rate).",
			(unsigned long long)j.total.samples, j.total.samples == 1 ? "" : "s", j.total.samples == 1 ? "was" : "were",
			IDLES_LEAST_SAMPLES);
	else
		say_verdict(&j);
	free(j.blames);
	idles_doubt(idles, caveats);
}
