/* SPDX-License-Identifier: MIT */
/* cmd_check.c: skein check. A performance test that does not depend on the machine: does a routine's cost grow faster than was claimed?
 *
 * Exit status: 0 no, 1 yes (beyond doubt), 3 it cannot be told from the sizes that were recorded, 2
 * wrong usage, 125 and 127 as everywhere. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/input/claim.h"
#include "base/escape.h"
#include "base/number.h"
#include "base/text.h"
#include "cli/commands.h"
#include "report/input/view.h"
#include "report/report.h"

enum { HOLDS = 0, IS_WORSE = 1, CANNOT_TELL = 3 };

struct claim {
	char *routine;
	const char *growth; /* as it was written */
	struct inputs_claim is;
};

/* Where "O(…)" begins behind the last colon; NULL: the word is no claim. */
static const char *growth_in(const char *word)
{
	const char *colon = strrchr(word, ':');
	if (!colon)
		return NULL;
	colon++;
	while (isspace((unsigned char)*colon))
		colon++;
	return (*colon == 'O' || *colon == 'o') && colon[1] == '(' ? colon : NULL;
}

static int read_claim(const char *word, struct pool *pool, struct claim *claim, struct fail *why)
{
	const char *end = strrchr(word, ':');
	claim->growth = growth_in(word);
	if (!inputs_claim_read(claim->growth, &claim->is))
		return fail_set(
			why, FAIL_USAGE,
			"%.100s is not a growth that can be checked: write O(1), O(log n), O(n), O(n log n), O(n^1.5), O(n^2), O(n^2 log n), O(n^3) or O(2^n)",
			claim->growth);
	while (end > word && isspace((unsigned char)end[-1]))
		end--;
	claim->routine = pool_print(pool, "%.*s", (int)(end - word), word);
	return *claim->routine ? 0 : fail_set(why, FAIL_USAGE, "a claim needs a routine: 'ROUTINE: %.100s'", claim->growth);
}

/* Whether the best model itself grows no faster than claimed. */
static bool is_slower(const struct models_fit *g, const struct inputs_claim *claim)
{
	return claim->model == MODEL_POWER ? g->exponent <= claim->power : g->model < MODELS_NAMED && g->model <= claim->model;
}

/* What is known about one routine and one claim, in one line. */
static int check_routine(const struct input_data *d, const struct inputs_result *r, const struct claim *claim)
{
	struct pool pool = {0};
	const struct models_fit *g = &r->growth[d->metric];
	const char *name = escape_plain(&pool, d->run.routines[r->pick.routine].name), *stated = escape_plain(&pool, claim->growth);
	const char *least = text_count(&pool, number_whole(g->smallest)), *most = text_count(&pool, number_whole(g->largest));
	const char *growth = g->model == MODEL_NONE ? pool_print(&pool, "at least n^%.2f", g->sure) : view_input_growth(&pool, g);
	enum inputs_claim_is is = inputs_claim_judge(g, &claim->is);
	int status = is == INPUTS_CLAIM_WORSE ? IS_WORSE : is == INPUTS_CLAIM_HOLDS ? HOLDS : CANNOT_TELL;
	if (status == IS_WORSE)
		printf("worse    %s: grows like %s, faster than %s (99.9 %% confidence), over %zu sizes from %s to %s\n", name, growth,
		       stated, g->sizes, least, most);
	else if (status == HOLDS)
		printf("holds    %s: %s (grows like %s%s, R2 %.3f, over %zu sizes from %s to %s)\n", name, stated, growth,
		       is_slower(g, &claim->is) ? "" : " or slower", g->r2, g->sizes, least, most);
	else if (g->model == MODEL_NONE)
		printf("unknown  %s: %s cannot be checked: %s\n", name, stated, view_input_why(&pool, g));
	else
		printf("unknown  %s: %s cannot be checked: it seems to grow like %s, but not beyond doubt, over %zu sizes from %s to %s\n",
		       name, stated, growth, g->sizes, least, most);
	pool_free(&pool);
	return status;
}

/* A failure counts more than a doubt. */
static int worst_of(int a, int b)
{
	return a == IS_WORSE || b == IS_WORSE ? IS_WORSE : a > b ? a : b;
}

/* The status, or -1. */
static int check_claims(const struct input_data *d, const struct claim *claims, size_t count, struct fail *why)
{
	int status = HOLDS;
	for (size_t c = 0; c < count; c++)
		if (!lens_input.knows_routine(d, claims[c].routine))
			return fail_set(why, FAIL_USAGE, "this recording has no routine %.200s (a pattern such as '*parse*' may find it)",
			                claims[c].routine);
	for (size_t c = 0; c < count; c++)
		for (size_t i = 0; i < d->result_count; i++)
			if (view_input_wants(d, claims[c].routine, d->results[i].pick.routine))
				status = worst_of(status, check_routine(d, &d->results[i], &claims[c]));
	if (fflush(stdout) != 0 || ferror(stdout))
		return fail_set(why, FAIL_INTERNAL, "cannot write the result: no space left, or the reader closed the pipe");
	return status;
}

static int check_file(const struct arguments *a, const char *path, const struct claim *claims, size_t count, struct fail *why)
{
	struct view_ask ask = {0};
	struct store *store = store_open(path, why);
	void *data = store ? lens_open(&lens_input, store, a, &ask, why) : NULL;
	int status = data ? check_claims(data, claims, count, why) : -1;
	if (data)
		lens_close(&lens_input, data);
	store_close(store);
	return status;
}

/* Words are claims and at most one file. */
int cmd_check(const struct arguments *a, struct fail *why)
{
	struct pool pool = {0};
	struct claim *claims = memory_zeroed(a->word_count, sizeof *claims);
	size_t count = 0;
	const char *file = NULL;
	char newest[PATH_MAX];
	int status = 0;
	for (size_t i = 0; i < a->word_count && status == 0; i++) {
		if (growth_in(a->words[i]))
			status = read_claim(a->words[i], &pool, &claims[count++], why);
		else if (file || strstr(a->words[i], ": "))
			status = fail_set(why, FAIL_USAGE, "%.200s is not a claim: write 'ROUTINE: O(n log n)'", a->words[i]);
		else
			file = a->words[i];
	}
	if (status == 0 && count == 0)
		status = fail_set(why, FAIL_USAGE, "check needs a claim: skein check 'ROUTINE: O(n log n)' FILE");
	if (status == 0 && !file)
		status = report_newest(newest, why);
	if (status == 0)
		status = check_file(a, file ? file : newest, claims, count, why);
	free(claims);
	pool_free(&pool);
	return status;
}
