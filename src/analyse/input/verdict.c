/* SPDX-License-Identifier: MIT */
#include "analyse/input/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/caveats.h"
#include "analyse/names.h"
#include "analyse/opening.h"
#include "base/number.h"
#include "base/strv.h"
#include "base/text.h"

enum { MOST_STEEP = 5, MOST_MISLED = 3, MOST_MIXED = 3, MOST_NAMELESS = 3, LONG_NAME = 60 };
enum { MOST_GIVEN = 4 }; /* sets of functions behind a pointer that a sentence names */

struct judge {
	const struct inputs *inputs;
	const struct inputs_result *results;
	size_t count;
	enum input_metric metric;
	struct findings *verdict;
};

/* "insert (sort.c:12)" */
static const char *describe(const struct judge *j, const struct inputs_result *r)
{
	struct pool *pool = &j->verdict->pool;
	const struct run_routine *routine = &j->inputs->run->routines[r->pick.routine];
	const char *name = names_short(pool, run_shown(routine), LONG_NAME);
	return *routine->file ? pool_print(pool, "%s (%s:%u)", name, str_base(routine->file), routine->line) : name;
}

/* ", 1.98 to 2.04, 95 %"; "": known to all digits that are shown */
static const char *interval(struct pool *pool, const struct models_fit *g)
{
	const char *text = inputs_interval(pool, g);
	return *text ? pool_print(pool, ", %s, 95 %%", text) : "";
}

static const char *exponents(struct pool *pool, const struct models_fit *g)
{
	if (g->model == MODEL_2N)
		return "2^n";
	if (g->model == MODEL_1)
		return "not at all";
	if (g->model == MODEL_NONE)
		return pool_print(pool, "at least n^%.2f", g->sure);
	double exponent = inputs_no_sign(g->exponent, 0.005);
	const char *name = g->model == MODEL_POWER ? pool_print(pool, "n^%.2f", exponent) : models_name(g->model);
	return pool_print(pool, "%s (exponent %.2f%s)", name, exponent, interval(pool, g));
}

static const char *grows(const struct judge *j, const struct models_fit *g)
{
	struct pool *pool = &j->verdict->pool;
	if (g->change_at <= 0 || g->model == MODEL_NONE)
		return exponents(pool, g);
	const char *at = text_count(pool, number_whole(g->change_at));
	return g->has_before ? pool_print(pool, "%s up to %s, then %s", models_name(g->before.model), at, exponents(pool, g))
			     : pool_print(pool, "%s, from %s on", exponents(pool, g), at);
}

/* ---- what grows ---- */

/* A routine's share at ten times the input, by the lower end of the exponent's interval: an uncertain exponent must
 * not alarm. */
static double sure_x10_pct(const struct inputs_result *r, const struct models_fit *g)
{
	double grown = r->cost_pct * pow(10, fmax(g->model == MODEL_NONE ? g->sure : g->exponent_low, 0) - 1);
	return fmin(r->x10_pct, 100 * grown / (grown + 100 - fmin(r->cost_pct, 100)));
}

static bool matters(const struct inputs_result *r, const struct models_fit *g)
{
	return r->cost_pct >= INPUTS_MATTERS_PCT || (g->model == MODEL_2N ? r->x10_pct : sure_x10_pct(r, g)) >= INPUTS_MATTERS_X10_PCT;
}

static const char *at_ten_times(const struct judge *j, const struct inputs_result *r)
{
	struct pool *pool = &j->verdict->pool;
	return isnan(r->x10_pct) ? "" : pool_print(pool, ", %s at ten times the input", text_percent(pool, r->x10_pct));
}

/* Whether the result counts where the program is judged as a whole: of a program whose own routines are not known all do. */
static bool is_counted(const struct judge *j, const struct inputs_result *r)
{
	return r->is_programs || !j->results[0].is_programs;
}

/* ---- what depends on a function that was given ---- */

/* "sum", "sum and pairs", "sum and 3 more" */
static const char *name_of_set(const struct judge *j, const struct inputs_set *set)
{
	struct pool *pool = &j->verdict->pool;
	const char *names[2] = {"further functions", ""};
	size_t named = 0;
	for (uint32_t i = 0; i < set->count && named < 2; i++)
		if (set->routines[i] != RUN_OUTSIDE)
			names[named++] = names_short(pool, run_shown(&j->inputs->run->routines[set->routines[i]]), LONG_NAME);
	if (set->count == 1)
		return names[0];
	return set->count == 2 && named == 2 ? pool_print(pool, "%s and %s", names[0], names[1])
					     : pool_print(pool, "%s and %u more", names[0], set->count - 1);
}

static const char *class_of(struct pool *pool, const struct models_fit *g)
{
	switch (g->model) {
	case MODEL_1: return "constant";
	case MODEL_POWER: return pool_print(pool, "n^%.2f", g->exponent);
	default: return models_name(g->model);
	}
}

/* "n^2 with pairs, n with sum, constant without any of them": those whose growth is known, or nothing */
static const char *list_given(const struct judge *j, const struct inputs_given *given, size_t count)
{
	struct pool *pool = &j->verdict->pool;
	const char *list = "";
	for (size_t i = 0; i < count && i < MOST_GIVEN; i++) {
		if (given[i].fit.model == MODEL_NONE)
			continue;
		const struct inputs_set *set = &j->inputs->sets[given[i].set];
		const char *with = set->count ? pool_print(pool, "with %s", name_of_set(j, set)) : "without any of them";
		list = pool_print(pool, "%s%s%s %s", list, *list ? ", " : "", class_of(pool, &given[i].fit), with);
	}
	return count > MOST_GIVEN && *list ? pool_print(pool, "%s, and %zu more", list, count - MOST_GIVEN) : list;
}

static bool is_mixed(const struct judge *j, const struct inputs_result *r)
{
	return r->growth[j->metric].why == MODELS_MIXED && is_counted(j, r) && r->cost_pct >= INPUTS_NO_MODEL_PCT;
}

/* Whether such a routine grows faster than n log n with one of its functions. */
static bool is_steep_with_one(const struct judge *j, const struct inputs_result *r)
{
	struct inputs_given given[MOST_GIVEN];
	size_t count = inputs_given(j->inputs, &r->pick, j->metric, given, MOST_GIVEN);
	for (size_t i = 0; i < count && i < MOST_GIVEN; i++)
		if (models_is_worse(&given[i].fit, MODEL_N_LOG))
			return true;
	return false;
}

static void say_mixed(const struct judge *j)
{
	struct inputs_given given[MOST_GIVEN];
	size_t said = 0;
	for (size_t i = 0; i < j->count && said < MOST_MIXED; i++) {
		const struct inputs_result *r = &j->results[i];
		if (!is_mixed(j, r))
			continue;
		size_t count = inputs_given(j->inputs, &r->pick, j->metric, given, MOST_GIVEN);
		const char *known = list_given(j, given, count);
		findings_add(
			j->verdict,
			"%s has %s of the cost, but no cost function of its own: it calls different functions through a pointer, and its "
			"cost depends on which. %s",
			describe(j, r), text_percent(&j->verdict->pool, r->cost_pct),
			*known ? pool_print(&j->verdict->pool, "Its growth is %s. Look at these functions.", known)
			       : "Look at the functions that it calls.");
		said++;
	}
}

/* ---- where nothing is steep ---- */

/* The program's routine with most of the cost, excluding callees, among those with a cost function; NULL: none has a significant share. */
static const struct inputs_result *largest(const struct judge *j)
{
	const struct inputs_result *found = NULL;
	for (size_t i = 0; i < j->count; i++) {
		const struct inputs_result *r = &j->results[i];
		if (is_counted(j, r) && r->growth[j->metric].model != MODEL_NONE && (!found || r->self > found->self))
			found = r;
	}
	return found && inputs_share(found->self, inputs_cost(j->inputs, INPUTS_ANY)) >= INPUTS_NO_MODEL_PCT ? found : NULL;
}

static void say_moderate(const struct judge *j, size_t modelled, size_t counted)
{
	struct pool *pool = &j->verdict->pool;
	const struct inputs_result *r = largest(j);
	const char *most = !r ? ""
			      : pool_print(pool, ": %s, with %s of the cost excluding callees, grows like %s", describe(j, r),
	                                   text_percent(pool, inputs_share(r->self, inputs_cost(j->inputs, INPUTS_ANY))),
	                                   grows(j, &r->growth[j->metric]));
	findings_add(j->verdict,
	             "No routine with a significant share grows faster than n log n (%zu of %zu routine%s ha%s a cost function)%s.",
	             modelled, counted, counted == 1 ? "" : "s", counted == 1 ? "s" : "ve", most);
	if (r)
		findings_tag(j->verdict, j->verdict->count - 1,
		             &(struct finding_tag){.kind = FINDING_FINE,
		                                   .routine = r->pick.routine,
		                                   .share = r->self_pct / 100,
		                                   .words = pool_print(pool, "grows like %s", grows(j, &r->growth[j->metric]))});
}

static void say_steep(const struct judge *j)
{
	size_t steep = 0, modelled = 0, counted = 0, sized = 0;
	bool steep_with_one = false;
	for (size_t i = 0; i < j->count; i++) {
		const struct inputs_result *r = &j->results[i];
		counted += is_counted(j, r);
		sized += is_counted(j, r) && r->rank >= 0;
		modelled += is_counted(j, r) && r->growth[j->metric].model != MODEL_NONE;
		steep_with_one |= is_mixed(j, r) && is_steep_with_one(j, r);
		if (!models_is_worse(&r->growth[j->metric], MODEL_N_LOG) || !matters(r, &r->growth[j->metric]))
			continue;
		if (++steep > MOST_STEEP)
			continue;
		findings_add(j->verdict, "%s grows like %s: %s of the cost now (%s excluding callees)%s.", describe(j, r),
		             grows(j, &r->growth[j->metric]), text_percent(&j->verdict->pool, r->cost_pct),
		             text_percent(&j->verdict->pool, r->self_pct), at_ten_times(j, r));
		findings_tag(j->verdict, j->verdict->count - 1,
		             &(struct finding_tag){.kind = FINDING_GROWTH,
		                                   .routine = r->pick.routine,
		                                   .share = r->cost_pct / 100,
		                                   .grown = isnan(r->x10_pct) ? 0 : sure_x10_pct(r, &r->growth[j->metric]) / 100,
		                                   .words = pool_print(&j->verdict->pool, "grows like %s",
		                                                       grows(j, &r->growth[j->metric]))});
	}
	if (steep > MOST_STEEP)
		findings_add(j->verdict, "%zu more routine%s with a significant share also grow%s faster than n log n.", steep - MOST_STEEP,
		             steep - MOST_STEEP == 1 ? "" : "s", steep - MOST_STEEP == 1 ? "s" : "");
	if (steep == 0 && modelled && !steep_with_one)
		say_moderate(j, modelled, counted);
	if (modelled == 0 && sized)
		findings_add(j->verdict, "No routine has a cost function; the column `grows like` says why for each.");
	else if (modelled == 0)
		findings_add(
			j->verdict,
			"No routine has a cost function: none was called with %d different input sizes over a factor of %d. Record more runs with other inputs; they add up.",
			MODELS_SIZES, (int)MODELS_RANGE);
}

/* ---- where rms would mislead ---- */

static const char *sources(const struct judge *j, const struct inputs_result *r)
{
	return pool_print(&j->verdict->pool, "%s of its input comes from other threads, %s from outside",
	                  text_percent(&j->verdict->pool, inputs_share(r->thread_induced, r->total[INPUT_TRMS])),
	                  text_percent(&j->verdict->pool, inputs_share(r->external, r->total[INPUT_TRMS])));
}

/* The sentence, or NULL if rms and trms agree. */
static const char *misled(const struct judge *j, const struct inputs_result *r)
{
	const struct models_fit *rms = &r->growth[INPUT_RMS], *trms = &r->growth[INPUT_TRMS];
	struct pool *pool = &j->verdict->pool;
	if (trms->model == MODEL_NONE || r->thread_induced + r->external == 0)
		return NULL;
	if (rms->model == MODEL_NONE)
		return pool_print(pool, "grows like %s by trms, while %s (%zu size%s, at most %s)", grows(j, trms),
		                  rms->why < MODELS_UNEVEN ? "its rms is flat" : "rms cannot tell", rms->sizes, text_s(rms->sizes),
		                  text_count(pool, number_whole(rms->largest)));
	if (rms->exponent_low > trms->exponent_high)
		return pool_print(pool, "grows like %s by rms, but like %s by trms: rms overstates its growth", grows(j, rms),
		                  grows(j, trms));
	if (trms->exponent_low > rms->exponent_high)
		return pool_print(pool, "grows like %s by rms, but like %s by trms: rms hides its growth", grows(j, rms), grows(j, trms));
	return NULL;
}

static void say_misled(const struct judge *j)
{
	size_t said = 0, all = 0;
	for (size_t i = 0; i < j->count; i++) {
		const char *what = matters(&j->results[i], &j->results[i].growth[j->metric]) ? misled(j, &j->results[i]) : NULL;
		if (!what)
			continue;
		all++;
		if (said < MOST_MISLED) {
			findings_add(j->verdict, "%s %s (%s).", describe(j, &j->results[i]), what, sources(j, &j->results[i]));
			said++;
		}
	}
	if (all > said)
		findings_add(j->verdict, "Rms misleads for %zu more routine%s (columns model_rms and exponent_rms).", all - said,
		             all - said == 1 ? "" : "s");
}

/* ---- where nothing can be said ---- */

static int by_self(const void *a, const void *b)
{
	const struct inputs_result *x = *(const struct inputs_result *const *)a, *y = *(const struct inputs_result *const *)b;
	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return x->pick.routine < y->pick.routine ? -1 : 1;
}

static const char *why_not(const struct judge *j, const struct models_fit *g)
{
	struct pool *pool = &j->verdict->pool;
	switch (g->why) {
	case MODELS_NO_SIZES: return "it reads nothing";
	case MODELS_FEW_SIZES: return pool_print(pool, "only %zu size%s", g->sizes, g->sizes == 1 ? "" : "s");
	case MODELS_UNEVEN: return "most of its sizes lie close together";
	case MODELS_CHANGED:
		return pool_print(pool, "its cost changes at %s, and there are too few larger sizes",
		                  text_count(pool, number_whole(g->change_at)));
	case MODELS_SCATTERED: return "calls with similar sizes differ too much in cost";
	case MODELS_MIXED: return "it calls different functions through a pointer";
	default: return pool_print(pool, "only sizes from %.0f to %.0f", g->smallest, g->largest);
	}
}

static void say_nameless(const struct judge *j)
{
	const struct inputs_result **list = memory_zeroed(j->count, sizeof *list);
	uint64_t whole = inputs_cost(j->inputs, INPUTS_ANY);
	size_t count = 0;
	for (size_t i = 0; i < j->count; i++)
		if (is_counted(j, &j->results[i]) && j->results[i].growth[j->metric].model == MODEL_NONE &&
		    j->results[i].growth[j->metric].why != MODELS_MIXED && inputs_share(j->results[i].self, whole) >= INPUTS_NO_MODEL_PCT)
			list[count++] = &j->results[i];
	if (count)
		qsort(list, count, sizeof *list, by_self);
	for (size_t i = 0; i < count && i < MOST_NAMELESS; i++)
		findings_add(j->verdict, "%s has %s of the cost itself, but no cost function: %s.", describe(j, list[i]),
		             text_percent(&j->verdict->pool, inputs_share(list[i]->self, whole)), why_not(j, &list[i]->growth[j->metric]));
	free(list);
}

void inputs_judge(const struct inputs *inputs, const struct inputs_result *results, size_t count, enum input_metric metric,
                  struct findings *verdict, struct findings *caveats)
{
	struct judge j = {inputs, results, count, metric, verdict};
	opening_add(inputs->run, NULL, verdict);
	if (count == 0) {
		findings_add(verdict, "No activation of a routine was recorded: %s.",
		             caveats_are_cut_off(inputs->run) ? "none had ended when the program was stopped"
		                                              : "the program ended at once, or has no routine that could be seen");
	} else {
		say_steep(&j);
		say_misled(&j);
		say_mixed(&j);
		say_nameless(&j);
	}
	inputs_doubt(inputs, caveats);
}
