/* SPDX-License-Identifier: MIT */
/* verdict.h: what the input lens found, in sentences, and what may be wrong with it.
 *
 * First routines that grow faster than n log n and matter, then those of which rms alone would tell a wrong story
 * (Figures 4 to 7 of the paper), then those that have no cost function though much is spent in them. The thresholds: */
#ifndef SKEIN_INPUT_VERDICT_H
#define SKEIN_INPUT_VERDICT_H

#include "analyse/findings.h"
#include "analyse/input/result.h"

#define INPUTS_MATTERS_PCT 1.0 /* of the cost now, */
/* or with ten times the input, by the lower end of the exponent's interval: from here a steep routine matters */
#define INPUTS_MATTERS_X10_PCT 5.0
#define INPUTS_NO_MODEL_PCT 10.0 /* of the cost, without what it calls: from here a missing cost function is a finding */

void inputs_judge(const struct inputs *inputs, const struct inputs_result *results, size_t count, enum input_metric metric,
                  struct findings *verdict, struct findings *caveats);
void inputs_doubt(const struct inputs *inputs, struct findings *caveats); /* the second half of inputs_judge */

#endif
