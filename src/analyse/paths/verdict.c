/* SPDX-License-Identifier: MIT */
#include "analyse/paths/verdict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/caveats.h"
#include "analyse/names.h"
#include "analyse/opening.h"
#include "base/number.h"
#include "base/text.h"

enum { LONG_NAME = 60, LONG_LINES = 48, MOST_HOT = 3 };
#define MATTERS_PCT 10.0 /* percent of the flow that a further path needs to be named */
#define NEAR_PCT 90.0    /* percent of the slowest copy's operations that no copy can avoid */
#define DECIDES_PCT 1.0  /* percent of the flow that takes another outcome than the hot path */

struct judge {
	const struct paths *paths;
	const struct paths_rank *rank;
	struct findings *verdict;
};

static const char *name_of(struct pool *pool, const struct paths *p, const struct paths_profile *f)
{
	return names_short(pool, run_shown(&p->run->routines[f->routine]), LONG_NAME);
}

/* "an iteration of a loop of compress (bzip.c:120-133)" */
static const char *describe(const struct judge *j, const struct paths_path *path)
{
	static const char *const what[] = {[PATHS_ENTRY_TO_EXIT] = "a path through",
	                                   [PATHS_ENTRY_TO_BACK] = "the path entering a loop of",
	                                   [PATHS_BACK_TO_BACK] = "an iteration of a loop of",
	                                   [PATHS_BACK_TO_EXIT] = "the path leaving a loop of"};
	struct pool *pool = &j->verdict->pool;
	const char *lines = paths_lines(pool, j->paths, paths_walk(j->paths, path)),
		   *name = name_of(pool, j->paths, &j->paths->profiles[path->profile]);
	if (!*lines)
		return pool_print(pool, "%s %s", what[path->kind], name);
	return strlen(lines) > LONG_LINES ? pool_print(pool, "%s %s (%.*s…)", what[path->kind], name, LONG_LINES, lines)
					  : pool_print(pool, "%s %s (%s)", what[path->kind], name, lines);
}

/* ---- where control goes ---- */

static void say_hot(const struct judge *j)
{
	struct pool *pool = &j->verdict->pool;
	const struct paths_path *first = &j->paths->list[j->rank->order[0]];
	size_t enough = paths_rank_enough(j->paths, j->rank, 90);
	double share = paths_share((double)paths_flow(first), j->rank->flow);
	findings_add(j->verdict, "%s of %s executed path%s account%s for 90 %% of the executed instructions. The hottest is %s: %s.",
	             text_count(pool, (int64_t)enough), text_count(pool, (int64_t)j->rank->count), j->rank->count == 1 ? "" : "s",
	             enough == 1 ? "s" : "", describe(j, first), text_percent(pool, share));
	findings_tag(j->verdict, j->verdict->count - 1,
	             &(struct finding_tag){.kind = FINDING_HOT,
	                                   .routine = j->paths->profiles[first->profile].routine,
	                                   .share = share / 100,
	                                   .words = pool_print(pool, "%s of the instructions on one path", text_percent(pool, share))});
	for (size_t i = 1; i < j->rank->count && i < MOST_HOT; i++) {
		const struct paths_path *path = &j->paths->list[j->rank->order[i]];
		share = paths_share((double)paths_flow(path), j->rank->flow);
		if (share < MATTERS_PCT)
			break;
		findings_add(j->verdict, "The next is %s: %s.", describe(j, path), text_percent(pool, share));
	}
}

/* Of very large numbers of paths only the first digits are known. */
static const char *counted_paths(struct pool *pool, double paths)
{
	return paths < 1e12 ? text_count(pool, number_whole(paths)) : pool_print(pool, "%.1e", paths);
}

static const char *describe_hottest(const struct judge *j)
{
	struct pool *pool = &j->verdict->pool;
	const struct paths_path *first = &j->paths->list[j->rank->order[0]];
	return pool_print(pool, "%s, %s", describe(j, first),
	                  first->count == 1 ? "once" : pool_print(pool, "%s times", text_count(pool, (int64_t)first->count)));
}

static void say_some(const struct judge *j)
{
	struct pool *pool = &j->verdict->pool;
	size_t taken = j->rank->count;
	double asked = 0;
	bool all_new = true;
	for (size_t i = 0; i < j->paths->profile_count; i++) {
		const struct paths_profile *f = &j->paths->profiles[i];
		asked += f->flags & PATHS_IS_PART ? paths_asked(f) : 0;
		all_new &= !(f->flags & PATHS_IS_PART) || f->flags & PATHS_IS_REST;
	}
	const char *what = pool_print(pool, "%s path%s that %s", counted_paths(pool, asked), asked == 1 ? "" : "s",
	                              all_new              ? "had never been executed"
	                                      : asked == 1 ? "was requested"
	                                                   : "were requested");
	const char *how = all_new ? "executed now" : "taken", *verb = taken > 1 ? "were" : "was";
	if (asked < 1)
		findings_add(j->verdict, "Every requested path had been executed before: there was nothing to count.");
	else if (!taken)
		findings_add(j->verdict, "None of %s %s %s.", what, verb, how);
	else if (taken == 1)
		findings_add(j->verdict, "1 of %s was %s: %s.", what, how, describe_hottest(j));
	else
		findings_add(j->verdict, "%s of %s were %s; most instructions were executed on %s.", text_count(pool, (int64_t)taken), what,
		             how, describe_hottest(j));
	if (taken && asked > (double)taken)
		findings_add(j->verdict, "%s: %s (--view never).", all_new ? "Still never executed" : "Not taken",
		             counted_paths(pool, asked - (double)taken));
}

/* ---- which branch decides ---- */

static void say_decision(const struct judge *j)
{
	const struct paths *p = j->paths;
	struct pool *pool = &j->verdict->pool;
	const struct paths_path *first = &p->list[j->rank->order[0]];
	const struct paths_profile *f = &p->profiles[first->profile];
	struct paths_decision d = paths_decide(p, first);
	if (d.edge == PATHS_NONE || paths_share(d.apart, j->rank->flow) < DECIDES_PCT)
		return;
	const struct paths_edge *edge = &p->edges[f->first_edge + d.edge];
	const char *at = paths_where(pool, p, f, edge->from, true),
		   *to = edge->to == PATHS_EXIT ? "" : paths_where(pool, p, f, edge->to, false);
	if (!*at) /* the code has no line: the compiler made the branch */
		at = pool_print(pool, "the end of block %u of %s", edge->from, name_of(pool, p, f));
	if (strcmp(to, at) == 0) /* both sides are in one line: it does not tell which was taken */
		to = "";
	findings_add(
		j->verdict,
		"The deciding branch is at %s; it took the hot side%s%s%s in %s of %s times. Paths that take another side account for %s of the instructions.",
		at, *to ? " (to " : "", to, *to ? ")" : "", text_percent(pool, paths_share((double)d.taken, (double)(d.taken + d.other))),
		text_count(pool, (int64_t)(d.taken + d.other)), text_percent(pool, paths_share(d.apart, j->rank->flow)));
}

/* ---- what was never executed ---- */

static void say_never(const struct judge *j)
{
	const struct paths *p = j->paths;
	struct pool *pool = &j->verdict->pool;
	size_t outcomes = 0, never = 0, functions = 0, uncalled = 0;
	for (size_t i = 0; i < p->profile_count; i++) {
		const struct paths_profile *f = &p->profiles[i];
		if (paths_is_partial(f))
			continue;
		struct paths_figures g = paths_figures(p, f);
		outcomes += g.outcomes;
		never += g.never;
		functions++;
		uncalled += !f->paths && !f->stops && !f->entries;
	}
	if (never || uncalled)
		findings_add(j->verdict,
		             "Never executed: %s of %s outcomes of branches that were reached, and %s of %s functions (--view never).",
		             text_count(pool, (int64_t)never), text_count(pool, (int64_t)outcomes), text_count(pool, (int64_t)uncalled),
		             text_count(pool, (int64_t)functions));
}

/* ---- what copies saved ---- */

static void say_copies(const struct judge *j)
{
	const struct paths *p = j->paths;
	struct pool *pool = &j->verdict->pool;
	if (p->copies < 2)
		return;
	uint32_t slowest = paths_slowest(p);
	struct paths_hits all = paths_sequential_hits(p), most = paths_copy_hits(p, slowest);
	double floor = (double)paths_hits_floor(p);
	size_t divided = 0;
	for (size_t i = 0; i < p->profile_count; i++)
		divided += paths_is_divided(&p->profiles[i]);
	findings_add(
		j->verdict,
		"The slowest of %u copies executed %s of the probes that one copy without a plan would have (%s of %s); %s of %s functions %s divided.",
		p->copies, text_percent(pool, paths_share(paths_hits_sum(&most), paths_hits_sum(&all))),
		text_count(pool, number_whole(paths_hits_sum(&most))), text_count(pool, number_whole(paths_hits_sum(&all))),
		text_count(pool, (int64_t)divided), text_count(pool, (int64_t)p->profile_count), divided == 1 ? "was" : "were");
	if (floor * 100 >= paths_hits_sum(&most) * NEAR_PCT)
		findings_add(j->verdict,
		             "More copies would hardly help: one copy must count the most frequent path, which was executed %s times.",
		             text_count(pool, number_whole(floor)));
}

void paths_judge(const struct paths *paths, const struct paths_rank *rank, struct findings *verdict, struct findings *caveats)
{
	struct judge j = {paths, rank, verdict};
	opening_add(paths->run, NULL, verdict);
	bool partial = paths_are_partial(paths); /* then the program as a whole is not known */
	if (partial) {
		say_some(&j);
	} else if (rank->count == 0) {
		findings_add(verdict, "No path was completed: %s.",
		             caveats_are_cut_off(paths->run) ? "the program was stopped before one ended"
		                                             : "no profiled function was called");
	} else {
		say_hot(&j);
		say_decision(&j);
	}
	say_never(&j);
	say_copies(&j);
	paths_doubt(paths, caveats);
}
