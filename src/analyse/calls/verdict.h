/* SPDX-License-Identifier: MIT */
/* verdict.h: what the calls lens found, in sentences, and what may be wrong with it.
 *
 * The rules are those of the project's notes: the share of wall time with at most one worker working and the bound on
 * any speed-up that follows from it (Amdahl), the largest sequential routine, the imbalance of the workers, the
 * routine that waits most. The thresholds: */
#ifndef SKEIN_CALLS_VERDICT_H
#define SKEIN_CALLS_VERDICT_H

#include "analyse/calls/calls.h"
#include "analyse/findings.h"

#define CALLS_SEQUENTIAL_SHARE 0.10 /* a run that is sequential for longer is told so first */
#define CALLS_UNEVEN 1.20           /* busiest worker against the mean */
#define CALLS_WAIT_SHARE 0.05       /* of all workers' time: less waiting is no finding */
#define CALLS_FEW_SNAPSHOTS 100     /* with fewer, shares of wall time are guesses */
#define CALLS_TOO_FEW_SNAPSHOTS 30  /* with fewer, nothing is said of them */
#define CALLS_HOOK_NS 23            /* cost of one timed call on the reference machine */
#define CALLS_COUNT_HOOK_NS 2       /* the same, counts only */

void calls_judge(const struct calls *calls, struct findings *verdict, struct findings *caveats);
void calls_doubt(const struct calls *calls, struct findings *caveats); /* the second half of calls_judge */

uint64_t calls_working_ns(const struct run_worker *worker); /* a worker's life less its waiting */

/* How even the work is that several workers could share: of each worker's working time, what it did while it was the
 * only one is left out (by snapshots, see verdict.c), and so are workers that then only wait for others to end. */
struct calls_balance {
	double ratio; /* busiest against mean; 1 if fewer than two workers count */
	uint32_t busiest;
	uint64_t busiest_ns, mean_ns;
	size_t counted;
};
uint64_t calls_shared_ns(const struct calls *calls, uint32_t worker);
struct calls_balance calls_balance(const struct calls *calls);
int calls_main_wait(const struct run_worker *worker); /* the kind of wait that took longest */

#endif
