/* SPDX-License-Identifier: MIT */
#include "report/check/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MOST_DIGITS = 9 };

/* ---- comparing ---- */

static enum answer_status opposite(enum answer_status status)
{
	return status == ANSWER_HOLDS ? ANSWER_FAILS : status == ANSWER_FAILS ? ANSWER_HOLDS : ANSWER_UNKNOWN;
}

static enum answer_status is_less(struct answer_range value, struct answer_range bound, bool or_equal)
{
	if (or_equal ? value.high <= bound.low : value.high < bound.low)
		return ANSWER_HOLDS;
	return (or_equal ? value.low > bound.high : value.low >= bound.high) ? ANSWER_FAILS : ANSWER_UNKNOWN;
}

static enum answer_status is_equal(struct answer_range value, struct answer_range bound, long double tolerance)
{
	if (value.low > bound.high + tolerance || value.high < bound.low - tolerance)
		return ANSWER_FAILS;
	return value.low == value.high && bound.low == bound.high ? ANSWER_HOLDS : ANSWER_UNKNOWN;
}

enum answer_status answer_compare(struct answer_range value, enum claim_operator op, struct answer_range bound, long double tolerance)
{
	switch (op) {
	case CLAIM_LESS: return is_less(value, bound, false);
	case CLAIM_AT_MOST: return is_less(value, bound, true);
	case CLAIM_MORE: return opposite(is_less(value, bound, true));
	case CLAIM_AT_LEAST: return opposite(is_less(value, bound, false));
	case CLAIM_IS: return is_equal(value, bound, tolerance);
	default: return opposite(is_equal(value, bound, tolerance));
	}
}

/* ---- answers ---- */

struct answer *answers_add(struct answers *answers, const struct claim *claim, enum answer_status status)
{
	MEMORY_GROW(answers->list, answers->count, answers->room);
	struct answer *a = &answers->list[answers->count++];
	*a = (struct answer){.status = status,
	                     .word = status == ANSWER_HOLDS   ? "holds"
	                             : status == ANSWER_FAILS ? "fails"
	                                                      : "unknown",
	                     .claim = claim->text,
	                     .about = "",
	                     .figure = "",
	                     .bound = "",
	                     .sure = "",
	                     .file = claim->file,
	                     .line_number = claim->line};
	return a;
}

/* A failure counts more than a doubt. */
int answers_status(const struct answers *answers)
{
	int status = ANSWER_HOLDS;
	for (size_t i = 0; i < answers->count; i++)
		if (answers->list[i].status == ANSWER_FAILS || status == ANSWER_HOLDS)
			status = (int)answers->list[i].status;
	return status;
}

void answers_free(struct answers *answers)
{
	free(answers->list);
	pool_free(&answers->pool);
	*answers = (struct answers){0};
}

/* ---- figures ---- */

/* A figure, and the one that it is compared with: of another recording, or the number of the claim. */
struct pair {
	struct answers *answers;
	const struct claim *claim;
	const struct figures_found *found;
	const struct figure_found *is, *base; /* base: NULL if the claim has a number */
	struct answer_range value, bound;
	size_t runs, base_runs; /* of which the figures are those of the median */
	bool shows_name;
};

/* As many digits as it takes to tell a value from the bound that it is not equal to. */
static const char *value_text(struct pool *pool, enum unit unit, long double value, long double other)
{
	int digits = 0;
	while (value != other && digits < MOST_DIGITS &&
	       strcmp(figure_text(pool, unit, value, digits), figure_text(pool, unit, other, digits)) == 0)
		digits++;
	return figure_text(pool, unit, value, digits);
}

static const char *how_often(const struct pair *p)
{
	struct pool *pool = &p->answers->pool;
	if (p->runs < 2 && p->base_runs < 2)
		return p->base ? "measured once in each recording" : "measured once";
	const char *mine = p->runs < 2 ? "measured once" : pool_print(pool, "median of %zu runs", p->runs);
	if (!p->base)
		return mine;
	return p->base_runs < 2 ? pool_print(pool, "%s, there measured once", mine)
				: pool_print(pool, "%s, there of %zu", mine, p->base_runs);
}

static const char *sureness(const struct pair *p)
{
	struct pool *pool = &p->answers->pool;
	const struct figure_found *f = p->is;
	enum unit unit = p->claim->figure->unit;
	if (p->base && f->kind == FIGURE_EXACT && p->base->kind == FIGURE_EXACT && f->low == f->high && p->base->low == p->base->high)
		return "exact, both";
	if (p->base)
		return f->kind == FIGURE_EXACT && p->found->lost ? "events were lost" : how_often(p);
	if (f->kind == FIGURE_EXACT && f->low != f->high)
		return pool_print(pool, "%s event%s lost", text_count(pool, (int64_t)p->found->lost),
		                  p->found->lost == 1 ? " was" : "s were");
	if (f->kind == FIGURE_EXACT)
		return "exact";
	if (f->kind == FIGURE_MEASURED || f->low == f->high)
		return how_often(p);
	if (f->is_small_sample)
		return "too few samples to tell";
	const char *low = figure_text(pool, unit, f->low > 0 ? f->low : 0, 0), *high = figure_text(pool, unit, f->high, 0);
	return strcmp(low, high) != 0 ? pool_print(pool, "95 %%: %s to %s", low, high)
				      : pool_print(pool, "95 %%: ± %s", figure_text(pool, unit, (f->high - f->low) / 2, 0));
}

/* "2.39 s, 120 % of 1.99 s" */
static const char *figure_of(const struct pair *p)
{
	struct pool *pool = &p->answers->pool;
	enum unit unit = p->claim->figure->unit;
	if (!p->base)
		return value_text(pool, unit, p->is->value, p->bound.low);
	long double is = p->is->value, there = p->base->value;
	const char *value = value_text(pool, unit, is, there), *base = value_text(pool, unit, there, is);
	if (there <= 0)
		return pool_print(pool, "%s, there %s", value, base);
	return pool_print(pool, "%s, %s of %s", value, value_text(pool, UNIT_PERCENT, 100 * is / there, p->claim->bound.value), base);
}

/* What == leaves to rounding: half of what the last digit of the bound counts. What is counted is not rounded. */
static long double tolerance_of(const struct claim *claim)
{
	return claim->bound.kind == BOUND_OF || claim->figure->unit == UNIT_COUNT ? 0 : claim->bound.step / 2;
}

static struct answer *put(const struct pair *p, enum answer_status status, const char *figure, const char *sure)
{
	struct pool *pool = &p->answers->pool;
	struct answer *a = answers_add(p->answers, p->claim, status);
	a->lens = p->claim->lens->name;
	a->bound = p->claim->limit;
	a->figure = figure;
	a->sure = sure;
	if (p->is && p->shows_name)
		a->about = pool_print(pool, *p->is->place ? "%s (%s)" : "%s", p->is->name, p->is->place);
	const char *gap = *a->about ? " " : "";
	if (*figure)
		a->line = pool_print(pool, "%s: %s%s%s%s (%s)", p->claim->text, a->about, gap, figure,
		                     status == ANSWER_UNKNOWN && !p->is->is_small_sample ? ", which cannot be told from the bound" : "",
		                     sure);
	else
		a->line = pool_print(pool, "%s cannot be checked: %s%s%s", p->claim->text, a->about, gap, sure);
	return a;
}

static struct answer_range share_of(const struct figure_found *f, long double percent)
{
	return (struct answer_range){f->low == f->high ? f->value * percent / 100 : f->low * percent / 100,
	                             f->low == f->high ? f->value * percent / 100 : f->high * percent / 100};
}

static void judge(struct pair *p)
{
	const struct claim *claim = p->claim;
	bool is_point = p->is->low == p->is->high;
	p->value = (struct answer_range){is_point ? p->is->value : p->is->low, is_point ? p->is->value : p->is->high};
	p->bound = p->base ? share_of(p->base, claim->bound.value) : (struct answer_range){claim->bound.value, claim->bound.value};
	put(p, answer_compare(p->value, claim->op, p->bound, tolerance_of(claim)), figure_of(p), sureness(p));
}

/* The same routine in the other recording: of that name and place, or at least of that name. */
static const struct figure_found *same_in(const struct figures_found *other, const struct figure_found *f)
{
	const struct figure_found *found = NULL;
	for (size_t i = 0; i < other->count; i++) {
		const struct figure_found *g = &other->list[i];
		if (strcmp(g->name, f->name) == 0 && (!found || strcmp(g->place, f->place) == 0))
			found = g;
	}
	return found;
}

/* A pattern or a linkage name does not say which routine it is. */
static bool shows_names(struct pool *pool, const struct figures_found *found, const struct claim *claim)
{
	if (!claim->thing || found->count != 1)
		return claim->thing != NULL;
	const char *name = claim->caller ? pool_print(pool, "%s -> %s", claim->caller, claim->thing) : claim->thing;
	return strcmp(found->list[0].name, name) != 0;
}

static void answer_found(struct answers *answers, const struct claim *claim, const struct figures_found *found,
                         const struct figures_found *base, const char *base_why, const size_t runs[2])
{
	struct pool *pool = &answers->pool;
	struct pair p = {.answers = answers,
	                 .claim = claim,
	                 .found = found,
	                 .runs = runs[0],
	                 .base_runs = runs[1],
	                 .shows_name = shows_names(pool, found, claim)};
	if (!found->count)
		put(&p, ANSWER_UNKNOWN, "", pool_text(pool, found->missing));
	for (size_t i = 0; i < found->count; i++) {
		p.is = &found->list[i];
		p.base = base ? same_in(base, p.is) : NULL;
		if (!p.is->is_known)
			put(&p, ANSWER_UNKNOWN, "", pool_text(pool, found->missing));
		else if (base && (!p.base || !p.base->is_known))
			put(&p, ANSWER_UNKNOWN, "",
			    pool_print(pool, "%s: %s", claim->bound.of,
			               *base_why               ? base_why
			                       : base->missing ? base->missing
			                                       : pool_print(pool, "it has no %s", p.is->name)));
		else
			judge(&p);
	}
}

static int answer_figure(struct answers *answers, const struct claim *claim, struct recordings *recordings, const char *path,
                         const void *data, struct fail *why)
{
	struct figures_found found = {0}, base = {0};
	struct fail base_why = {0};
	const void *other = NULL;
	if (claim->bound.of && !(other = recordings_data(recordings, claim->bound.of, claim->lens, why)))
		return -1;
	int result = figures_find(claim->lens, data, claim->figure, claim->thing, claim->caller, &found, why);
	if (result == 0 && other)
		figures_find(claim->lens, other, claim->figure, claim->thing, claim->caller, &base, &base_why);
	const size_t runs[] = {recordings_runs(recordings, path, claim->lens),
	                       other ? recordings_runs(recordings, claim->bound.of, claim->lens) : 1};
	if (result == 0)
		answer_found(answers, claim, &found, other ? &base : NULL, base_why.text, runs);
	figures_free(&found);
	figures_free(&base);
	return result;
}

int answer_claim(struct answers *answers, const struct claim *claim, struct recordings *recordings, const char *path, struct fail *why)
{
	const void *data = recordings_data(recordings, path, claim_lens(claim), why);
	if (!data)
		return -1;
	return claim->lens ? answer_figure(answers, claim, recordings, path, data, why) : answer_growth(answers, claim, data, why);
}
