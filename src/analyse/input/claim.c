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

/* n^c is above n^b log n for all b < c, however large the logarithm is at the sizes that were seen. */
static bool is_below(enum model model, double power)
{
	return model < MODEL_2N && models_power(model) < power;
}

double inputs_claim_excess(const struct models_fit *fit, const struct inputs_claim *claim)
{
	if (claim->model != MODEL_POWER)
		return models_is_worse(fit, claim->model) ? fit->beyond[claim->model] : 0;
	if (is_below(fit->model, claim->power))
		return 0;
	double excess = fit->exponent_low - claim->power;
	return excess > MODELS_TOLERANCE ? excess : 0;
}
