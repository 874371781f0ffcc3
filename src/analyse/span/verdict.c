/* SPDX-License-Identifier: MIT */
#include "analyse/span/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyse/blame_place.h"
#include "analyse/caveats.h"
#include "analyse/opening.h"
#include "base/number.h"
#include "base/strv.h"
#include "base/text.h"

double spans_site_parallelism(const struct spans_site *site)
{
	return spans_sum_parallelism(&site->sums[SPANS_ON_WORK][SPAN_TOP_SITE]);
}

/* 5.6, 256, 1,545,727: as many digits as mean something. */
static const char *ratio(struct findings *to, double value)
{
	if (value < 0.95)
		return "less than 1"; /* with the cost of scheduling: more cores make it slower */
	return value < 100 ? pool_print(&to->pool, "%.1f", value) : text_count(&to->pool, number_whole(value + 0.5));
}

/* ---- names ---- */

/* The callee or, where calls go through a pointer, the most frequent one. */
static const char *name_of(struct findings *to, const struct spans *spans, const struct spans_site *site)
{
	if (!site->target_count)
		return spans_shown_callee(&to->pool, spans, site);
	const char *first = spans_shown_target(spans, &spans->targets[site->first_target]);
	return site->target_count == 1 ? first : pool_print(&to->pool, "%s and %zu more", first, site->target_count - 1);
}

/* On average over its executions; 0: a vectorised loop may have counted vectors. */
static double iterations_of(const struct spans_site *site)
{
	const struct span_sum *local = &site->sums[SPANS_ON_WORK][SPAN_LOCAL], *top = &site->sums[SPANS_ON_WORK][SPAN_TOP_SITE];
	bool tells = local->count && site->iterations && (double)top->work / (double)site->iterations >= SPANS_LEAST_ITERATION;
	return tells ? (double)site->iterations / (double)local->count : 0;
}

/* "the loop at mm.c:20, with 10 iterations". */
static const char *describe_loop(struct findings *to, const struct spans_site *site)
{
	double count = iterations_of(site);
	const char *average = site->sums[SPANS_ON_WORK][SPAN_LOCAL].count > 1 ? " on average" : "";
	return count < 1 ? pool_print(&to->pool, "the loop at %s:%u", str_base(site->file), site->line)
			 : pool_print(&to->pool, "the loop at %s:%u, with %s iterations%s,", str_base(site->file), site->line,
	                              text_count(&to->pool, number_whole(count + 0.5)), average);
}

/* "partition, called at sort.c:20:9 by pqsort,", "main itself, where the program starts,". */
static const char *describe(struct findings *to, const struct spans *spans, const struct spans_site *site)
{
	const char *name = name_of(to, spans, site), *verb = site->kind == SPANS_SPAWN ? "spawned" : "called";
	const char *where = *site->file && site->line ? pool_print(&to->pool, " at %s:%u", str_base(site->file), site->line) : "";
	if (site->kind == SPANS_LOOP && *where)
		return describe_loop(to, site);
	if (site->caller == RUN_OUTSIDE)
		return pool_print(&to->pool, "%s itself, where the program or a thread starts,", name);
	if (spans_creates_thread(site))
		verb = "a thread that is created";
	else if (site->target_count)
		verb = pool_print(&to->pool, "%s through a pointer", verb);
	return pool_print(&to->pool, "%s, %s%s by %s,", name, verb, where, spans_shown_caller(spans, site));
}

static const char *at_start(struct findings *to, const char *text)
{
	char *copy = pool_text(&to->pool, text);
	if (strncmp(copy, "the ", 4) == 0)
		*copy = 'T';
	return copy;
}

static const char *without_comma(struct findings *to, const char *text)
{
	size_t length = strlen(text);
	return length && text[length - 1] == ',' ? pool_print(&to->pool, "%.*s", (int)(length - 1), text) : text;
}

/* "locks and conditions": what makes up a tenth of the waiting at least. */
static const char *waited_for(struct findings *to, const struct spans_waits *waits)
{
	const char *list = "";
	for (int kind = 0; kind < RAW_WAIT_KINDS; kind++)
		if (waits->by_kind[kind] * 10 >= waits->waited_ns && waits->by_kind[kind])
			list = pool_print(&to->pool, "%s%s%ss", list, *list ? " and " : "", run_wait_names[kind]);
	return list;
}

/* ---- what decides ---- */

enum rank { BELOW, ENOUGH, AMPLE };

/* A figure that is shown as the number of cores is enough for them. */
static enum rank rank_of(const struct spans *s, double p)
{
	double cores = (double)s->cores;
	return p >= SPANS_AMPLE * cores ? AMPLE : p + 0.05 >= cores ? ENOUGH : BELOW;
}

struct facts {
	double ideal, burdened, p; /* the last is the one that decides */
	enum rank rank;
	bool by_burden;
	bool is_fine; /* tasks are too small, or loops too short */
	double tiny;  /* work of an average task, which costs more to create; 0: it does not */
	struct spans_waits waits;
	double modelled_work, modelled_span; /* percent */
	const struct spans_site *largest, *loop;
	const struct spans_site *chain; /* spawns the tasks that make up the span, one after another; NULL: there is none */
	bool in_turn;                   /* the same of threads: each is awaited before the next one is created */
	const struct spans_site *made;  /* where the program creates them; NULL: not known */
};

/* The site that spawns most or, if loops are executed more often than tasks, the loop that is executed most; NULL: there is none. */
static const struct spans_site *finest(const struct spans *s)
{
	const struct spans_site *found = NULL;
	for (size_t i = 0; i < s->site_count; i++) {
		const struct spans_site *site = &s->sites[i];
		if ((site->kind == SPANS_LOOP || (site->kind == SPANS_SPAWN && !site->foreign)) &&
		    (!found || site->sums[SPANS_ON_WORK][SPAN_LOCAL].count > found->sums[SPANS_ON_WORK][SPAN_LOCAL].count))
			found = site;
	}
	return found;
}

/* Does the loop limit the program: on most of the path, with few iterations, and nothing parallel in these? */
static bool is_limiting(const struct spans *s, const struct spans_site *site)
{
	double own = spans_site_parallelism(site), count = iterations_of(site);
	return site->kind == SPANS_LOOP && count >= 2 && spans_parallelism(s) <= 1.5 * own && count < SPANS_AMPLE * (double)s->cores &&
		own <= 1.05 * count && (double)site->sums[SPANS_ON_SPAN][SPAN_TOP_SITE].span >= SPANS_MOST * (double)s->span;
}

/* Is each task of the site on the path that limits the program, and is that all there is? */
static bool is_chain(const struct spans *s, const struct spans_site *site)
{
	const struct span_sum *on_span = &site->sums[SPANS_ON_SPAN][SPAN_TOP_SITE];
	return site->kind == SPANS_SPAWN && !site->foreign && on_span->count >= 2 &&
		on_span->count == site->sums[SPANS_ON_WORK][SPAN_TOP_SITE].count && (double)on_span->span >= SPANS_MOST * (double)s->span &&
		spans_parallelism(s) < SPANS_NOT_PARALLEL;
}

/* What created threads did: what did not happen under main and constructors. */
static double work_of_threads(const struct spans *s)
{
	double work = (double)s->work;
	for (size_t i = 0; i < s->site_count; i++)
		work -= s->sites[i].caller == RUN_OUTSIDE ? (double)s->sites[i].sums[SPANS_ON_WORK][SPAN_TOP_SITE].work : 0;
	return work;
}

/* Do created threads do most of the work, at least two of them, and is there no parallelism all the same? Then the program waits for
 * each before it goes on: std::async(…).get(), or a create and a join in one loop. */
static bool is_in_turn(const struct spans *s)
{
	double created = 0, most = 0;
	for (size_t i = 0; i < s->run->thread_count; i++) {
		const struct run_thread *t = &s->run->threads[i];
		double cpu = t->process == 0 && t->number ? (double)t->cpu_ns : 0;
		created += cpu;
		most = cpu > most ? cpu : most;
	}
	return s->events[RAW_SPAN_THREADS] >= 2 && !s->running && !*s->under && spans_parallelism(s) < SPANS_NOT_PARALLEL &&
		work_of_threads(s) >= SPANS_MOST * (double)s->work && most < SPANS_ONE_THREAD * created;
}

/* std::thread creates its thread in the library, so that the site is a call of that. */
static bool makes_thread(const struct spans_site *site)
{
	static const char start[] = "std::thread::_M_start_thread(";
	return spans_creates_thread(site) || strncmp(site->callee_name, start, sizeof start - 1) == 0;
}

static const struct spans_site *most_called(const struct spans *s, uint32_t callee)
{
	const struct spans_site *found = NULL;
	for (size_t i = 0; i < s->site_count; i++) {
		const struct spans_site *site = &s->sites[i];
		bool is_one = callee == RUN_NOWHERE ? makes_thread(site) : site->callee == callee && site->caller != callee;
		if (is_one && (!found || site->sums[SPANS_ON_WORK][SPAN_LOCAL].count > found->sums[SPANS_ON_WORK][SPAN_LOCAL].count))
			found = site;
	}
	return found;
}

/* The site of the program itself that creates most threads: outwards from the create, through std::thread and std::async. */
static const struct spans_site *created_at(const struct spans *s)
{
	enum { DEEPEST = 12 };
	const struct spans_site *site = most_called(s, RUN_NOWHERE);
	for (int depth = 0; site && !blame_is_programs_file(site->file); depth++)
		site = depth < DEEPEST && site->caller != RUN_OUTSIDE ? most_called(s, site->caller) : NULL;
	return site;
}

/* The burden of the span is what a stolen task costs. Each OpenMP task must be created and scheduled, stolen or not: that adds to the work. */
static double tiny_work(const struct spans *s)
{
	double tasks = (double)s->events[RAW_SPAN_TASKS], each = tasks ? (double)s->work / tasks : 0;
	bool is_told = tasks >= SPANS_MANY_TASKS && strcmp(s->clock, "insn") == 0 && !*s->under && finest(s);
	return is_told && each < SPANS_TASK_COST ? each : 0;
}

static struct facts facts_of(const struct spans *s)
{
	struct facts f = {.ideal = spans_parallelism(s), .burdened = spans_burdened_parallelism(s), .largest = spans_largest(s, 0)};
	if (s->burdened_span < s->span)
		f.burdened = f.ideal; /* no burden was recorded */
	f.is_fine = f.burdened < SPANS_BURDENED_SHARE * f.ideal && rank_of(s, f.burdened) != AMPLE && finest(s);
	f.by_burden = rank_of(s, f.burdened) < rank_of(s, f.ideal) || (f.is_fine && f.burdened < 1);
	f.p = f.by_burden ? f.burdened : f.ideal;
	f.rank = rank_of(s, f.p);
	f.tiny = tiny_work(s);
	f.waits = spans_waits(s);
	spans_modelled(s, &f.modelled_work, &f.modelled_span);
	for (size_t i = 0; i < s->site_count; i++) {
		const struct spans_site *site = &s->sites[i];
		if (is_limiting(s, site) &&
		    (!f.loop || site->sums[SPANS_ON_SPAN][SPAN_TOP_SITE].span > f.loop->sums[SPANS_ON_SPAN][SPAN_TOP_SITE].span))
			f.loop = site;
		f.chain = is_chain(s, site) ? site : f.chain;
	}
	f.in_turn = !f.chain && is_in_turn(s);
	f.made = f.in_turn ? created_at(s) : NULL;
	return f;
}

/* Where the parallelism with the cost of scheduling is ample, that cost does not matter. `so`: what follows from the figure. */
static void judge_grain(const struct spans *s, const struct facts *f, const char *so, struct findings *verdict)
{
	const struct spans_site *site = finest(s);
	bool loops = site->kind == SPANS_LOOP;
	findings_add(
		verdict,
		"%s: with the cost of scheduling the parallelism is %s, not %s%s. Most often that is %s. %s The cost is taken as %s %s per %s (--burden).",
		loops ? "Parallel loops are too short" : "Tasks are too small", ratio(verdict, f->burdened), ratio(verdict, f->ideal), so,
		without_comma(verdict, describe(verdict, s, site)),
		loops ? "Merge parallel regions, remove barriers (nowait), or collapse nested loops." : "Spawn fewer and larger tasks.",
		text_count(&verdict->pool, (int64_t)s->burden), strcmp(s->clock, "insn") == 0 ? "instructions" : "ticks",
		loops ? "division of a loop" : "spawn and continuation");
}

static double local_share(const struct spans *s, const struct spans_site *site)
{
	return spans_ratio(spans_local(site), s->span);
}

/* Serial code of the program itself: a repair there would matter. */
static bool is_worth_it(const struct spans *s, const struct facts *f)
{
	return f->rank != AMPLE && !f->loop && !f->chain && !f->in_turn && f->largest && f->waits.percent < SPANS_WAIT_PCT &&
		!(f->by_burden && f->is_fine) && spans_site_parallelism(f->largest) < SPANS_SERIAL &&
		local_share(s, f->largest) >= SPANS_WORTH && (!f->largest->foreign || spans_creates_thread(f->largest));
}

static bool is_even(const struct spans_site *loop)
{
	return spans_site_parallelism(loop) >= SPANS_EVEN * iterations_of(loop);
}

/* ---- the first sentence ---- */

static const char *machine_of(const struct spans *s, struct findings *to)
{
	return pool_print(&to->pool, "%s%llu core%s%s", s->other_machine ? "" : "the ", (unsigned long long)s->cores, text_s(s->cores),
	                  s->other_machine ? "" : " of this machine");
}

/* "The parallelism is at most 4.0", "Under sort the parallelism is 1.6 with the cost of scheduling (26.0 without it)". */
static const char *figure(const struct spans *s, const struct facts *f, const char *how, struct findings *to)
{
	const char *whose = *s->under ? pool_print(&to->pool, "Under %s the", s->under) : "The";
	const char *burden = f->by_burden ? pool_print(&to->pool, " with the cost of scheduling (%s without it)", ratio(to, f->ideal)) : "";
	return pool_print(&to->pool, "%s parallelism is %s%s%s", whose, how, ratio(to, f->p), burden);
}

/* What the program lacks parallelism for. */
static const char *because(const struct spans *s, const struct facts *f, struct findings *to)
{
	if (f->in_turn)
		return pool_print(&to->pool,
		                  ", because its %s threads run one after another: each is awaited before the next one is created%s",
		                  text_count(&to->pool, (int64_t)s->events[RAW_SPAN_THREADS]),
		                  f->made ? pool_print(&to->pool, " (%s:%u, in %s)", str_base(f->made->file), f->made->line,
		                                       spans_shown_caller(s, f->made))
		                          : "");
	if (f->chain)
		return pool_print(&to->pool, ", because its tasks run one after another: %s", without_comma(to, describe(to, s, f->chain)));
	if (f->loop && is_even(f->loop))
		return pool_print(&to->pool, ", because of %s", without_comma(to, describe_loop(to, f->loop)));
	if (f->loop)
		return pool_print(&to->pool, ", because the iterations of the loop at %s:%u are uneven", str_base(f->loop->file),
		                  f->loop->line);
	if (!is_worth_it(s, f))
		return "";
	double at_once = (double)f->largest->sums[SPANS_ON_WORK][SPAN_LOCAL].work / (double)spans_local(f->largest);
	return pool_print(&to->pool, ", because %s is serial%s", name_of(to, s, f->largest),
	                  at_once < SPANS_NOT_PARALLEL
	                          ? ""
	                          : pool_print(&to->pool, ", and only %s of its calls can run at once on average", ratio(to, at_once)));
}

/* What the parallelism means on the cores. */
static const char *meaning(const struct spans *s, const struct facts *f, struct findings *to)
{
	const char *machine = machine_of(s, to), *who = *s->under ? "it" : "the program";
	const char *bound = f->by_burden
		? ""
		: pool_print(&to->pool, " No number of cores makes %s more than %s times as fast as one core.", who, ratio(to, f->ideal));
	if (f->rank == AMPLE)
		return pool_print(&to->pool, ", ample for %s (%d per core or more): %s can use %s.", machine, SPANS_AMPLE, who,
		                  s->cores == 1 ? "it" : "all of them");
	if (f->rank == ENOUGH)
		return pool_print(&to->pool, ": enough for %s, but not ample (%s or more).%s", machine,
		                  text_count(&to->pool, (int64_t)(SPANS_AMPLE * s->cores)), bound);
	if (f->ideal < SPANS_NOT_PARALLEL)
		return pool_print(&to->pool, ": almost nothing in %s can run in parallel%s.", *s->under ? "it" : "the program",
		                  because(s, f, to));
	return pool_print(&to->pool, ": %s cannot use %s%s.%s", who, machine, because(s, f, to), bound);
}

static void judge_waits(const struct spans *s, const struct facts *f, struct findings *verdict)
{
	struct pool *pool = &verdict->pool;
	findings_add(verdict,
	             "%s, and smaller in fact: threads waited %s of their time (%s of %s) for %s, and the span leaves that order out.%s",
	             figure(s, f, "at most ", verdict), text_percent(pool, f->waits.percent), text_ns(pool, (double)f->waits.waited_ns),
	             text_ns(pool, (double)f->waits.alive_ns), waited_for(verdict, &f->waits),
	             f->rank == BELOW ? pool_print(pool, " With the work shared out as in this run, the program cannot use %s.",
	                                           machine_of(s, verdict))
	                              : "");
	findings_add(verdict, "Use `skein record calls` to see in which routines threads waited.");
}

/* What the first sentence says where nothing else matters more. */
static void judge_order(const struct facts *f, struct findings *verdict)
{
	struct pool *pool = &verdict->pool;
	findings_add(verdict, "Threads waited %s of their time (%s of %s) for %s, and the span leaves that order out.",
	             text_percent(pool, f->waits.percent), text_ns(pool, (double)f->waits.waited_ns),
	             text_ns(pool, (double)f->waits.alive_ns), waited_for(verdict, &f->waits));
}

static void judge_model(const struct spans *s, const struct facts *f, struct findings *verdict)
{
	findings_add(
		verdict,
		"%s, a guess: foreign code is %s of the work and %s of the span, at a cost that a fixed model sets. `--clock ns` measures it.",
		figure(s, f, "about ", verdict), text_percent(&verdict->pool, f->modelled_work),
		text_percent(&verdict->pool, f->modelled_span));
	findings_add(verdict, "If the model holds, the parallelism is %s%s", ratio(verdict, f->p), meaning(s, f, verdict));
}

static void judge_open(const struct spans *s, const struct facts *f, struct findings *verdict)
{
	struct pool *pool = &verdict->pool;
	findings_add(verdict,
	             "%s: %s of %s threads had not ended. Calls that had not returned, %s of the work, are estimated from CPU time.",
	             figure(s, f, "about ", verdict), text_count(pool, (int64_t)s->running),
	             text_count(pool, (int64_t)s->events[RAW_SPAN_THREADS]), text_share(pool, (double)s->open_work, (double)s->work));
	findings_add(verdict, "If the estimate holds, the parallelism is %s%s", ratio(verdict, f->p), meaning(s, f, verdict));
}

static void judge_tiny(const struct spans *s, const struct facts *f, struct findings *verdict)
{
	findings_add(
		verdict,
		"Tasks are too small: each of the %s works for %s instructions on average, and creating and scheduling one costs as much or "
		"more. Most often that is %s. Spawn fewer and larger tasks. Without that cost the parallelism is %s.",
		text_count(&verdict->pool, (int64_t)s->events[RAW_SPAN_TASKS]), text_count(&verdict->pool, number_whole(f->tiny + 0.5)),
		without_comma(verdict, describe(verdict, s, finest(s))), ratio(verdict, f->p));
}

/* A model that is wrong by a factor of SPANS_MODEL_ERROR on the span does not matter where the parallelism is ample all the same. */
static bool is_guess(const struct spans *s, const struct facts *f)
{
	double worst = f->p / (1 + (SPANS_MODEL_ERROR - 1) * f->modelled_span / 100);
	return f->modelled_work >= SPANS_MODELLED_PCT || (f->modelled_span >= SPANS_MODELLED_PCT && rank_of(s, worst) != AMPLE);
}

/* Returns whether the grain is what the first sentence is about. */
static bool judge_parallelism(const struct spans *s, const struct facts *f, struct findings *verdict)
{
	bool waits = f->waits.percent >= SPANS_WAIT_PCT;
	if (waits && f->modelled_work < SPANS_MODELLED_PCT)
		judge_waits(s, f, verdict);
	else if (is_guess(s, f)) {
		judge_model(s, f, verdict);
		if (waits)
			judge_order(f, verdict);
	} else if ((double)s->open_work >= SPANS_OPEN_SHARE * (double)s->work)
		judge_open(s, f, verdict);
	else if (f->by_burden && f->is_fine) {
		judge_grain(s, f,
		            pool_print(&verdict->pool, ", %s %s", f->rank == BELOW ? "too little for" : "enough but not ample for",
		                       machine_of(s, verdict)),
		            verdict);
		return true;
	} else if (f->tiny && f->rank != BELOW)
		judge_tiny(s, f, verdict);
	else
		findings_add(verdict, "%s%s", figure(s, f, "", verdict), meaning(s, f, verdict));
	return false;
}

/* A signal stops the program between two instructions, and its stacks are gone: what open calls did is in no table. */
static void judge_stop(const struct spans *s, struct findings *verdict)
{
	if (s->run->process_count && caveats_is_cut_off(&s->run->processes[0]))
		findings_add(verdict, "These are figures of calls that had returned. What open calls had done is not known.");
}

/* ---- what holds it back ---- */

/* A loop is its routine's. */
static bool is_of_caller(const struct spans_site *site)
{
	return site->kind == SPANS_LOOP || site->callee == RUN_NOWHERE;
}

static uint32_t routine_of(const struct spans_site *site)
{
	uint32_t routine = is_of_caller(site) ? site->caller : site->callee;
	return routine == RUN_OUTSIDE ? FINDING_NO_ROUTINE : routine;
}

/* What the sentences behind `from` are about: the site, without which the span is `left` at best. */
static void tag(const struct spans *s, const struct spans_site *site, size_t from, double left, struct findings *verdict)
{
	double work = (double)s->work, cores = (double)s->cores, now = spans_gain(s, work, (double)s->span, cores),
	       then = spans_gain(s, work, left > 1 ? left : 1, cores);
	findings_tag(verdict, from,
	             &(struct finding_tag){.kind = site->kind == SPANS_LOOP ? FINDING_UNEVEN : FINDING_SERIAL,
	                                   .routine = routine_of(site),
	                                   .within = is_of_caller(site) ? 0 : site->caller,
	                                   .part = then > now && now > 0 ? 1 - now / then : 0,
	                                   .cores = (double)s->span / (left > 1 ? left : 1),
	                                   .share = 1 - left / (double)s->span,
	                                   .words = pool_print(&verdict->pool, "%s of the span",
	                                                       text_share(&verdict->pool, (double)s->span - left, (double)s->span))});
}

static const char *whose_span(const struct spans *s, struct findings *to)
{
	return *s->under ? pool_print(&to->pool, " of %s", s->under) : "";
}

static void judge_loop(const struct spans *s, const struct spans_site *loop, struct findings *verdict)
{
	double own = spans_site_parallelism(loop), inside = (double)loop->sums[SPANS_ON_SPAN][SPAN_TOP_SITE].span;
	findings_add(verdict, "%s accounts for %s of the span%s; its parallelism is %s%s.", at_start(verdict, describe_loop(verdict, loop)),
	             text_share(&verdict->pool, (double)loop->sums[SPANS_ON_SPAN][SPAN_TOP_SITE].span, (double)s->span),
	             whose_span(s, verdict), ratio(verdict, own),
	             is_even(loop) ? ", one per iteration: divide the work into more iterations, or collapse nested loops"
	                           : ", because its iterations are uneven: divide the long ones");
	tag(s, loop, verdict->count - 1, (double)s->span - inside, verdict);
}

static void judge_site(const struct spans *s, const struct facts *f, struct findings *verdict)
{
	const struct spans_site *site = f->largest;
	double own = spans_site_parallelism(site);
	const char *who = at_start(verdict, describe(verdict, s, site)), *nature = "",
		   *share = text_share(&verdict->pool, (double)spans_local(site), (double)s->span), *of = whose_span(s, verdict);
	if (local_share(s, site) < SPANS_WORTH) {
		findings_add(verdict, "No call site dominates the span%s: the largest part, %s, is that of %s.", of, share,
		             without_comma(verdict, describe(verdict, s, site)));
		return;
	}
	if (is_worth_it(s, f))
		nature = "; it is serial: make it parallel, or do less there";
	else if (own < SPANS_SERIAL)
		nature = "; it is serial";
	else if (isfinite(own))
		nature = pool_print(&verdict->pool, "; including its callees it has a parallelism of %s", ratio(verdict, own));
	findings_add(verdict, "%s alone accounts for %s of the span%s%s.", who, share, of, nature);
}

/* What is parallel, where serial code around it hides that: the site with most work whose own parallelism is much larger. */
static void judge_kernel(const struct spans *s, const struct facts *f, struct findings *verdict)
{
	const struct spans_site *kernel = NULL;
	for (size_t i = 0; i < s->site_count; i++) {
		const struct spans_site *site = &s->sites[i];
		const struct span_sum *top = &site->sums[SPANS_ON_WORK][SPAN_TOP_SITE];
		double own = spans_site_parallelism(site);
		if (own >= SPANS_KERNEL * f->ideal && own >= 2 && (double)top->work >= SPANS_WORTH * (double)s->work &&
		    (!kernel || top->work > kernel->sums[SPANS_ON_WORK][SPAN_TOP_SITE].work))
			kernel = site;
	}
	if (!kernel || f->rank == AMPLE || spans_site_parallelism(f->largest) >= SPANS_SERIAL)
		return;
	findings_add(verdict, "%s has %s of the work, and a parallelism of %s by itself.", at_start(verdict, describe(verdict, s, kernel)),
	             text_share(&verdict->pool, (double)kernel->sums[SPANS_ON_WORK][SPAN_TOP_SITE].work, (double)s->work),
	             ratio(verdict, spans_site_parallelism(kernel)));
}

static void judge_repair(const struct spans *s, const struct facts *f, struct findings *verdict)
{
	double left = (double)s->span - (double)spans_local(f->largest), cores = (double)s->cores, work = (double)s->work;
	const char *now = ratio(verdict, spans_gain(s, work, (double)s->span, cores)),
		   *then = left > 0 ? ratio(verdict, spans_gain(s, work, left, cores)) : now, *name = name_of(verdict, s, f->largest);
	const char *here = strcmp(now, then) != 0
		? pool_print(&verdict->pool, ", and the speed-up on %s from %s to %s", machine_of(s, verdict), now, then)
		: "";
	if (left * SPANS_NOTHING_LEFT <= (double)s->span)
		findings_add(
			verdict,
			"If %s were perfectly parallel, almost nothing of the span would be left; another path may become critical first (--view what-if).",
			name);
	else
		findings_add(
			verdict,
			"If %s were perfectly parallel, the parallelism could rise to %s%s; another path may become critical first (--view what-if).",
			name, ratio(verdict, work / left), here);
}

/* All of it is serial; of the site that has most of it that can be changed. */
static void tag_serial(const struct spans *s, const struct spans_site *largest, size_t from, struct findings *verdict)
{
	double share = largest ? local_share(s, largest) : 0;
	bool is_one = share >= SPANS_WORTH && !largest->foreign && routine_of(largest) != FINDING_NO_ROUTINE;
	struct finding_tag tag = {.kind = FINDING_SERIAL, .routine = FINDING_NO_ROUTINE, .words = "a parallelism of 1", .confirms = true};
	if (is_one) {
		tag.routine = routine_of(largest);
		tag.within = is_of_caller(largest) ? 0 : largest->caller;
		tag.part = s->cores ? share * (1 - 1 / (double)s->cores) : 0;
		tag.words =
			pool_print(&verdict->pool, "a parallelism of 1, with %s of the work", text_percent(&verdict->pool, 100 * share));
	}
	findings_tag(verdict, from, &tag);
}

static void judge_serial(const struct spans *s, struct findings *verdict)
{
	const struct spans_site *largest = spans_largest(s, 0);
	if (*s->under)
		findings_add(verdict, "Under %s there is no spawn, task, parallel loop or thread: its parallelism is 1.", s->under);
	else
		findings_add(
			verdict,
			"The program has no spawn, task, parallel loop or thread: its parallelism is 1. Use `skein record calls` to see where its time goes.");
	size_t said = verdict->count - 1;
	judge_stop(s, verdict);
	if (largest)
		findings_add(verdict, "%s alone accounts for %s of the work.", at_start(verdict, describe(verdict, s, largest)),
		             text_share(&verdict->pool, (double)spans_local(largest), (double)s->span));
	tag_serial(s, largest, said, verdict);
}

/* What runs one after another could run on all cores, as far as there are pieces. */
static void tag_turns(const struct spans *s, const struct spans_site *site, double pieces, const char *what, struct findings *verdict)
{
	double cores = fmin(fmax(pieces, 1), (double)s->cores);
	findings_tag(verdict, verdict->count - 1,
	             &(struct finding_tag){.kind = FINDING_SERIAL,
	                                   .routine = site && site->caller != RUN_OUTSIDE ? site->caller : FINDING_NO_ROUTINE,
	                                   .part = 1 - 1 / cores,
	                                   .cores = fmax(pieces, 1),
	                                   .words = pool_print(&verdict->pool, "%s %s one after another",
	                                                       text_count(&verdict->pool, number_whole(pieces)), what),
	                                   .advice = pool_print(&verdict->pool, "Begin several %s before you wait for one", what)});
}

/* What the sentence about the parallelism is about, where that is more than the figure. */
static void tag_first(const struct spans *s, const struct facts *f, struct findings *verdict)
{
	if (f->in_turn)
		tag_turns(s, f->made, (double)s->events[RAW_SPAN_THREADS], "threads", verdict);
	else if (f->chain)
		tag_turns(s, f->chain, (double)f->chain->sums[SPANS_ON_SPAN][SPAN_TOP_SITE].count, "tasks", verdict);
	else if (f->is_fine || (f->tiny && f->rank != BELOW))
		findings_tag(verdict, verdict->count - 1,
		             &(struct finding_tag){.kind = FINDING_GRAIN,
		                                   .routine = routine_of(finest(s)),
		                                   .cores = f->is_fine && f->burdened > 0 ? f->ideal / f->burdened : 0,
		                                   .words = f->is_fine
		                                           ? pool_print(&verdict->pool, "parallelism %s instead of %s",
		                                                        ratio(verdict, f->burdened), ratio(verdict, f->ideal))
		                                           : pool_print(&verdict->pool, "%s instructions per task",
		                                                        text_count(&verdict->pool, number_whole(f->tiny + 0.5)))});
	else if (f->rank == AMPLE && f->waits.percent < SPANS_WAIT_PCT)
		findings_tag(verdict, verdict->count - 1,
		             &(struct finding_tag){.kind = FINDING_FINE,
		                                   .routine = FINDING_NO_ROUTINE,
		                                   .words = pool_print(&verdict->pool, "a parallelism of %s", ratio(verdict, f->p))});
}

static void judge_parallel(const struct spans *s, struct findings *verdict)
{
	struct facts f = facts_of(s);
	bool is_said = judge_parallelism(s, &f, verdict);
	judge_stop(s, verdict);
	tag_first(s, &f, verdict);
	size_t before = verdict->count;
	if (f.loop && f.rank != AMPLE)
		judge_loop(s, f.loop, verdict);
	else if (f.largest)
		judge_site(s, &f, verdict);
	if (f.is_fine && !is_said)
		judge_grain(s, &f, "", verdict);
	if (f.largest)
		judge_kernel(s, &f, verdict);
	if (is_worth_it(s, &f)) {
		judge_repair(s, &f, verdict);
		tag(s, f.largest, before, (double)s->span - (double)spans_local(f.largest), verdict);
	}
}

void spans_judge(const struct spans *s, struct findings *verdict, struct findings *caveats)
{
	opening_add(s->run, spans_is_timed(s) ? "Work and span include that time, so the parallelism is a guess: use --clock insn." : NULL,
	            verdict);
	if (s->work == 0)
		findings_add(verdict,
		             *s->under ? "Nothing ran under %s: it was not called, or no site has that name."
		                       : "No work of profiled code was recorded%s.",
		             s->under);
	else if (spans_is_serial(s))
		judge_serial(s, verdict);
	else
		judge_parallel(s, verdict);
	if (!spans_is_timed(s))
		opening_say_cores(s->run, "Work and span do not include that time.", verdict);
	spans_doubt(s, caveats);
}
