/* SPDX-License-Identifier: MIT */
/* claim.h: a claimed growth of a routine, and whether the measured one is worse.
 *
 *     struct inputs_claim claim;
 *     if (!inputs_claim_read("O(n log n)", &claim)) …
 *     if (inputs_claim_judge(&fit, &claim) == INPUTS_CLAIM_WORSE) …        the routine grows faster, beyond doubt */
#ifndef SKEIN_INPUT_CLAIM_H
#define SKEIN_INPUT_CLAIM_H

#include "analyse/input/models.h"

struct inputs_claim {
	enum model model; /* a model with a name, or MODEL_POWER */
	double power;
};

bool inputs_claim_read(const char *text, struct inputs_claim *claim); /* claims are those of models_parse, and O(n^c) with c from 0 to 10 */

enum inputs_claim_is {
	INPUTS_CLAIM_HOLDS,  /* cost grows like claimed or slower, as far as can be told with 95 % confidence */
	INPUTS_CLAIM_WORSE,  /* cost grows faster, with 99.9 % confidence */
	INPUTS_CLAIM_UNKNOWN /* neither, or the fit has no model */
};
enum inputs_claim_is inputs_claim_judge(const struct models_fit *fit, const struct inputs_claim *claim);

#endif
