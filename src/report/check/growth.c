/* SPDX-License-Identifier: MIT */
/* growth.c: a performance test that does not depend on the machine: does a routine's cost grow faster than was claimed? */
#include "base/escape.h"
#include "base/number.h"
#include "base/text.h"
#include "report/check/answer.h"
#include "report/input/view.h"

/* Whether the best model itself grows no faster than claimed. */
static bool is_slower(const struct models_fit *g, const struct inputs_claim *claim)
{
	return claim->model == MODEL_POWER ? g->exponent <= claim->power : g->model < MODELS_NAMED && g->model <= claim->model;
}

static void say(struct pool *pool, struct answer *a, const char *name, const struct claim *claim, const struct models_fit *g)
{
	const char *least = text_count(pool, number_whole(g->smallest)), *most = text_count(pool, number_whole(g->largest));
	const char *growth = g->model == MODEL_NONE ? pool_print(pool, "at least n^%.2f", g->sure) : view_input_growth(pool, g);
	const char *over = pool_print(pool, "over %zu sizes from %s to %s", g->sizes, least, most);
	a->about = name;
	a->figure = pool_print(pool, "grows like %s", growth);
	a->bound = claim->growth;
	if (a->status == ANSWER_FAILS) {
		a->line = pool_print(pool, "%s: grows like %s, faster than %s (99.9 %% confidence), %s", name, growth, claim->growth, over);
		a->sure = pool_print(pool, "99.9 %%, %s", over);
	} else if (a->status == ANSWER_HOLDS) {
		a->line = pool_print(pool, "%s: %s (grows like %s%s, R2 %.3f, %s)", name, claim->growth, growth,
		                     is_slower(g, &claim->is) ? "" : " or slower", g->r2, over);
		a->sure = pool_print(pool, "R2 %.3f, %s", g->r2, over);
	} else if (g->model == MODEL_NONE) {
		a->figure = "";
		a->sure = view_input_why(pool, g);
		a->line = pool_print(pool, "%s: %s cannot be checked: %s", name, claim->growth, a->sure);
	} else {
		a->sure = pool_print(pool, "not beyond doubt, %s", over);
		a->line = pool_print(pool, "%s: %s cannot be checked: it seems to grow like %s, but %s", name, claim->growth, growth,
		                     a->sure);
	}
}

/* What is known about one routine and one claim. */
static void answer_routine(struct answers *answers, const struct input_data *d, const struct inputs_result *r, const struct claim *claim)
{
	const struct models_fit *g = &r->growth[d->metric];
	enum inputs_claim_is is = inputs_claim_judge(g, &claim->is);
	struct answer *a = answers_add(answers, claim,
	                               is == INPUTS_CLAIM_WORSE           ? ANSWER_FAILS
	                                       : is == INPUTS_CLAIM_HOLDS ? ANSWER_HOLDS
	                                                                  : ANSWER_UNKNOWN);
	if (a->status == ANSWER_FAILS)
		a->word = "worse";
	a->lens = lens_input.name;
	say(&answers->pool, a, pool_text(&answers->pool, d->run.routines[r->pick.routine].name), claim, g);
}

int answer_growth(struct answers *answers, const struct claim *claim, const void *data, struct fail *why)
{
	const struct input_data *d = data;
	if (!lens_input.knows_routine(d, claim->routine))
		return fail_set(why, FAIL_USAGE, "this recording has no routine %.200s (a pattern such as '*parse*' may find it)",
		                claim->routine);
	for (size_t i = 0; i < d->result_count; i++)
		if (view_input_wants(d, claim->routine, d->results[i].pick.routine))
			answer_routine(answers, d, &d->results[i], claim);
	return 0;
}
