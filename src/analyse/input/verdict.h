/* SPDX-License-Identifier: MIT */
/* verdict.h: the verdict and the caveats of the input lens, in sentences.
 *
 * First come routines that grow faster than n log n and matter, then routines for which rms alone would mislead
 * (Figures 4 to 7 of the paper), then expensive routines without a cost function. The thresholds: */
#ifndef SKEIN_INPUT_VERDICT_H
#define SKEIN_INPUT_VERDICT_H

#include "analyse/findings.h"
#include "analyse/input/result.h"

#define INPUTS_MATTERS_PCT 1.0 /* share of the cost now from which a steep routine matters */
/* share at ten times the input, by the lower end of the exponent's interval, from which a steep routine matters */
#define INPUTS_MATTERS_X10_PCT 5.0
#define INPUTS_NO_MODEL_PCT 10.0 /* share of the cost excluding callees from which a missing cost function is a finding */

void inputs_judge(const struct inputs *inputs, const struct inputs_result *results, size_t count, enum input_metric metric,
                  struct findings *verdict, struct findings *caveats);
void inputs_doubt(const struct inputs *inputs, struct findings *caveats); /* the caveats; inputs_judge calls this */

#endif
