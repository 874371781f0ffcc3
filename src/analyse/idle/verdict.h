/* SPDX-License-Identifier: MIT */
/* verdict.h: what the idle lens found, in sentences, and what may be wrong with it.
 *
 * Table 1 of the paper (section 2.3) for the program first, with the routine that has the most of what is wrong; then
 * the same for the routines that follow, with what mending each would bring at most. The thresholds: */
#ifndef SKEIN_IDLE_VERDICT_H
#define SKEIN_IDLE_VERDICT_H

#include "analyse/findings.h"
#include "analyse/idle/idle.h"

#define IDLES_HIGH_PCT 5.0      /* of the effort: idleness, or overhead, from which it is high */
#define IDLES_LEAST_SAMPLES 30  /* no verdict on fewer */
#define IDLES_SERIAL_SHARE 0.98 /* of its time with one thread at work: what is called serial */
#define IDLES_CONSERVED_PCT 1.0 /* of the CPU time: a larger difference between it and what was sampled is a doubt */

struct idles_limits {
	double idle_pct, overhead_pct; /* of the effort */
};

/* The four rows of Table 1. */
enum idles_table1 { IDLES_EFFECTIVE, IDLES_COARSEN, IDLES_REFINE, IDLES_SWITCH };
enum idles_table1 idles_interpret(const struct idles_sums *sums, uint64_t effort, const struct idles_limits *limits);

/* The same for one context in one word: effective, coarsen, refine, switch; serial: nothing in it is parallel; "": too few samples. */
const char *idles_advice(const struct idles_sums *sums, const struct idles_limits *limits);

void idles_judge(const struct idles *idles, const struct idles_limits *limits, struct findings *verdict, struct findings *caveats);
void idles_doubt(const struct idles *idles, struct findings *caveats); /* the second half of idles_judge */

#endif
