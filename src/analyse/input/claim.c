/* SPDX-License-Identifier: MIT */
#include "analyse/input/claim.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define LARGEST_POWER 10.0

/* Parentheses and signs of multiplication mean nothing to models_parse, which would take O(n for O(n): so they are
 * checked here. */
static bool is_closed(const char *text)
{
	int open = 0;
	for (; *text; text++) {
		open += *text == '(' ? 1 : *text == ')' ? -1 : 0;
		if (open < 0 || (open == 0 && *text != ')' && !isspace((unsigned char)*text) && *text != 'O' && *text != 'o'))
			return false;
	}
	return open == 0;
}

/* O(n^2.0) is O(n^2). */
static void use_name(struct inputs_claim *claim)
{
	static const enum model whole[] = {MODEL_1, MODEL_N, MODEL_N2, MODEL_N3};
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		if (claim->power == models_power(whole[i]))
			*claim = (struct inputs_claim){.model = whole[i]};
}

bool inputs_claim_read(const char *text, struct inputs_claim *claim)
{
	int end = 0;
	*claim = (struct inputs_claim){0};
	if ((*text != 'O' && *text != 'o') || !is_closed(text))
		return false;
	if (models_parse(text, &claim->model))
		return true;
	claim->model = MODEL_POWER;
	bool is_power = sscanf(text + 1, " ( n ^ %lf ) %n", &claim->power, &end) == 1 && end && !text[1 + end];
	use_name(claim);
	return is_power && claim->power >= 0 && claim->power <= LARGEST_POWER;
}

/* The steepest model with a name that grows slower than a power of n. */
static enum model below(double power)
{
	enum model m = MODEL_N3;
	while (m > MODEL_1 && models_power(m) >= power)
		m--;
	return m;
}

static bool is_worse(const struct models_fit *fit, const struct inputs_claim *claim)
{
	if (claim->model != MODEL_POWER)
		return models_is_worse(fit, claim->model);
	return models_is_worse(fit, below(claim->power)) && fit->sure > claim->power + MODELS_TOLERANCE;
}

static bool is_allowed(const struct models_fit *fit, const struct inputs_claim *claim)
{
	if (claim->model != MODEL_POWER)
		return models_allows(fit, claim->model);
	return fit->exponent_low <= claim->power + MODELS_TOLERANCE;
}

enum inputs_claim_is inputs_claim_judge(const struct models_fit *fit, const struct inputs_claim *claim)
{
	if (is_worse(fit, claim))
		return INPUTS_CLAIM_WORSE;
	return fit->model != MODEL_NONE && is_allowed(fit, claim) ? INPUTS_CLAIM_HOLDS : INPUTS_CLAIM_UNKNOWN;
}
