/* SPDX-License-Identifier: MIT */
/* verdict.h: the verdict and the caveats of the idle lens, in sentences.
 *
 * First comes Table 1 of the paper (section 2.3) for the program, with the routine that causes most; then the same
 * for the next routines, with what fixing each would save at most. The thresholds: */
#ifndef SKEIN_IDLE_VERDICT_H
#define SKEIN_IDLE_VERDICT_H

#include "analyse/findings.h"
#include "analyse/idle/idle.h"

#define IDLES_HIGH_PCT 5.0      /* part of the effort from which idleness, or overhead, is high */
#define IDLES_LEAST_SAMPLES 30  /* no verdict on fewer samples */
#define IDLES_SERIAL_SHARE 0.98 /* a routine is serial if only one thread works in this part of its time */
#define IDLES_CONSERVED_PCT 1.0 /* part of the CPU time: a larger difference between it and sampled time is a caveat */

struct idles_limits {
	double idle_pct, overhead_pct; /* of the effort */
};

/* The four rows of Table 1. */
enum idles_table1 { IDLES_EFFECTIVE, IDLES_COARSEN, IDLES_REFINE, IDLES_SWITCH };
enum idles_table1 idles_interpret(const struct idles_sums *sums, uint64_t effort, const struct idles_limits *limits);

/* Table 1 for one context in one word: effective, coarsen, refine, switch; serial: nothing in the context is
 * parallel; "": too few samples. */
const char *idles_advice(const struct idles_sums *sums, const struct idles_limits *limits);

/* Figures of sentences that no other table has; 0: no sentence has them. */
struct idles_figures {
	uint64_t unworked_ns; /* for how long no thread worked, at least */
	uint64_t in_one_ns;   /* the part of that in one call */
	uint64_t charged_ns;  /* idleness of the routine that is named first */
	uint64_t locked_ns;   /* idleness while others waited for locks */
	uint64_t saved_ns;    /* what the first remedy saves at most */
	uint64_t waits_ns;    /* of the routine that is named first, if that mostly waits */
	uint64_t busiest_ns;  /* work of the routine that has most of it, with the library code that it calls */
	double kernel_pct;    /* of the CPU time */
};
struct idles_figures idles_judge(const struct idles *idles, const struct idles_limits *limits, struct findings *verdict,
                                 struct findings *caveats);
void idles_doubt(const struct idles *idles, struct findings *caveats); /* the caveats; idles_judge calls this */

/* Half of the width of the 95 % confidence interval of the idleness, in percent of the effort: 0 where only one thread ever worked;
 * not a number: no sample tells. */
double idles_idle_error_pct(const struct idles *idles);
struct idles_thread idles_sum_threads(const struct idles *idles); /* over all threads */
uint64_t idles_begun_threads(const struct idles *idles);          /* how many there were, of all processes */
/* What the profiler itself took went to the beginning and the end of threads, and not to samples. */
bool idles_own_is_threads(const struct idles *idles, const struct idles_thread *sum);

#endif
