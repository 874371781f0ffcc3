/* SPDX-License-Identifier: MIT */
/* claim.h: what somebody says of a routine's growth, and whether it is worse.
 *
 *     struct inputs_claim claim;
 *     if (!inputs_claim_read("O(n log n)", &claim)) …
 *     if (inputs_claim_excess(&fit, &claim) > 0) …        it grows faster, beyond the confidence interval
 */
#ifndef SKEIN_INPUT_CLAIM_H
#define SKEIN_INPUT_CLAIM_H

#include "analyse/input/models.h"

struct inputs_claim {
	enum model model; /* with a name, or MODEL_POWER: */
	double power;
};

bool inputs_claim_read(const char *text, struct inputs_claim *claim); /* those of models_parse, and O(n^c), c from 0 to 10 */

/* By what power of n it grows faster than claimed, at least; 0: not beyond doubt. The fit has a model. */
double inputs_claim_excess(const struct models_fit *fit, const struct inputs_claim *claim);

#endif
