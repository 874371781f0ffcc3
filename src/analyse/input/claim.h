/* SPDX-License-Identifier: MIT */
/* claim.h: a claimed growth of a routine, and whether the measured one is worse.
 *
 *     struct inputs_claim claim;
 *     if (!inputs_claim_read("O(n log n)", &claim)) …
 *     if (inputs_claim_excess(&fit, &claim) > 0) …        the routine grows faster, beyond the confidence interval */
#ifndef SKEIN_INPUT_CLAIM_H
#define SKEIN_INPUT_CLAIM_H

#include "analyse/input/models.h"

struct inputs_claim {
	enum model model; /* a model with a name, or MODEL_POWER */
	double power;
};

bool inputs_claim_read(const char *text, struct inputs_claim *claim); /* claims are those of models_parse, and O(n^c) with c from 0 to 10 */

/* The least power of n by which the fit grows faster than claimed; 0: not beyond doubt. The fit must have a model. */
double inputs_claim_excess(const struct models_fit *fit, const struct inputs_claim *claim);

#endif
