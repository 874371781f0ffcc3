/* SPDX-License-Identifier: MIT */
/* verdict.h: the verdict and the caveats of the flow lens, in sentences.
 *
 * First what an idle machine would change, then what threads waited for where that made the run longer, then where the critical path is.
 * The thresholds: */
#ifndef SKEIN_FLOW_VERDICT_H
#define SKEIN_FLOW_VERDICT_H

#include "analyse/findings.h"
#include "analyse/flow/flows.h"

#define FLOWS_NEWS_PCT 2.0     /* of the run: a smaller difference is not worth a sentence */
#define FLOWS_WAIT_PCT 5.0     /* of the run: objects with less waiting get no sentence, unless freeing them saves something */
#define FLOWS_OUTSIDE_PCT 25.0 /* of the critical path: with more waiting for things outside of the program that is said */
#define FLOWS_ONE_PCT 50.0     /* of the critical path: a thread with more has it */
#define FLOWS_PACE_PCT 75.0    /* of the critical path: the thread that has it sets the pace */
#define FLOWS_MORE 1.5         /* times the work of any other thread: a thread with more could give some of it away */
#define FLOWS_OFTEN 10         /* a lock that is waited for less often gets no sentence unless freeing it saves something */
#define FLOWS_OPEN_PCT 5.0     /* of the waits: with more that nothing known ended, that is a caveat */

void flows_judge(const struct flows *flows, struct findings *verdict, struct findings *caveats);

#endif
