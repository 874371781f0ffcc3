/* SPDX-License-Identifier: MIT */
/* verdict.h: the verdict and the caveats of the calls lens, in sentences.
 *
 * The verdict names the share of wall time with at most one worker working and the bound on any speed-up that follows
 * from it (Amdahl), the largest sequential routine, the imbalance of the workers, the routine that waits most. The
 * thresholds: */
#ifndef SKEIN_CALLS_VERDICT_H
#define SKEIN_CALLS_VERDICT_H

#include "analyse/calls/calls.h"
#include "analyse/findings.h"

#define CALLS_SEQUENTIAL_SHARE 0.10 /* part of wall time: a run that is sequential for longer gets that as its first sentence */
#define CALLS_UNEVEN 1.20           /* busiest worker / average worker */
#define CALLS_WAIT_SHARE 0.05       /* part of all workers' time: less waiting is not a finding */
#define CALLS_FEW_SNAPSHOTS 100     /* with fewer snapshots, shares of wall time are guesses */
#define CALLS_TOO_FEW_SNAPSHOTS 30  /* with fewer snapshots, nothing is said about wall time */
#define CALLS_HOOK_NS 23            /* cost of one timed call on the reference machine */
#define CALLS_COUNT_HOOK_NS 2       /* cost of one counted call on the reference machine */

void calls_judge(const struct calls *calls, struct findings *verdict, struct findings *caveats);
void calls_doubt(const struct calls *calls, struct findings *caveats); /* the caveats; calls_judge calls this */

uint64_t calls_working_ns(const struct run_worker *worker); /* a worker's life less its waiting */

/* How evenly the workers share the work that they could share. A worker's time as the only busy one is left out (by
 * snapshots, see verdict.c), and so are workers that otherwise only wait for others to end. */
struct calls_balance {
	double ratio; /* busiest / average worker; 1 if fewer than two workers count */
	uint32_t busiest;
	uint64_t busiest_ns, mean_ns;
	size_t counted;
};
uint64_t calls_shared_ns(const struct calls *calls, uint32_t worker);
struct calls_balance calls_balance(const struct calls *calls);
int calls_main_wait(const struct run_worker *worker); /* the kind of wait that took longest */

#endif
