/* SPDX-License-Identifier: MIT */
/* verdict.h: the verdict and the caveats of the calls lens, in sentences.
 *
 * The verdict tells wall time with no busy worker, with one and with several apart, says why, and gives the bound on any
 * speed-up that follows (Amdahl). Then come the routine with most work, the balance within each crew of workers, the stage that
 * sets the pace, and the routine that waits most. The thresholds: */
#ifndef SKEIN_CALLS_VERDICT_H
#define SKEIN_CALLS_VERDICT_H

#include "analyse/calls/calls.h"
#include "analyse/findings.h"

#define CALLS_SEQUENTIAL_SHARE 0.10 /* part of wall time: a run that is sequential for longer gets that as its first sentence */
#define CALLS_IDLE_SHARE 0.05       /* part of wall time with no busy worker from which the verdict tells it from one busy worker */
#define CALLS_UNEVEN 1.20           /* busiest worker / average worker */
#define CALLS_WORTH 0.05            /* part of wall or CPU time, the shorter: balance of less work is not a finding */
#define CALLS_PACE 0.75             /* part of its threads' lives from which a busy stage sets the pace, and of its share, for the others */
#define CALLS_WAIT_SHARE 0.05       /* part of all workers' time: less waiting is not a finding */
#define CALLS_HELD_SHARE 0.20       /* part of all workers' time: more waiting for each other is part of the first sentence */
#define CALLS_ONE_RUNS 0.9          /* part of all tasks: a worker that runs as many is the only one that runs them */
#define CALLS_KERNEL_SHARE 0.1      /* part of the time without a busy worker: as much CPU time of the kernel is worth a word */
#define CALLS_FEW_SNAPSHOTS 100     /* with fewer snapshots, shares of wall time are guesses */
#define CALLS_TOO_FEW_SNAPSHOTS 30  /* with fewer snapshots, nothing is said about wall time */
#define CALLS_HOOK_NS 23            /* cost of one timed call on the reference machine */
#define CALLS_COUNT_HOOK_NS 2       /* cost of one counted call on the reference machine */

void calls_judge(const struct calls *calls, struct findings *verdict, struct findings *caveats);
void calls_doubt(const struct calls *calls, struct findings *caveats); /* the caveats; calls_judge calls this */

uint64_t calls_working_ns(const struct run_worker *worker); /* a worker's life less its waiting */

/* Workers that do the same job (crews.c): by worker, equal numbers are one crew, 0 is none. The caller frees the array. */
uint64_t *calls_crews(const struct calls *calls);
uint32_t calls_crew_start(uint64_t crew); /* routine in which its threads started; RUN_NOWHERE: an OpenMP team, or none */

/* How evenly a crew shares its work: what each worker was busy with, without what main did alone. */
struct calls_balance {
	double ratio; /* busiest / average worker; 1 if fewer than two workers count */
	uint32_t busiest;
	uint64_t busiest_ns, mean_ns;
	size_t counted; /* 0: the crew cannot be judged */
	uint64_t crew;
};
uint64_t calls_shared_ns(const struct calls *calls, uint32_t worker);
struct calls_balance calls_balance_of(const struct calls *calls, const uint64_t *crews, uint64_t crew);
struct calls_balance calls_balance(const struct calls *calls); /* of the crew in which most time could be saved */

/* Waits (waiting.c). */
int calls_main_wait(const struct run_worker *worker); /* the kind of wait that took longest */
enum calls_wait_rank { CALLS_WAITS, CALLS_ASLEEP, CALLS_BY_DESIGN };
enum calls_wait_rank calls_wait_rank(const struct calls *calls, const struct calls_wait *wait);

/* The routine that waits longest over all workers; or, within the rows of a routine, the kind; or, within the rows of a
 * kind, the object. Only waits of `ranks` count: bits 1 << rank. */
enum calls_wait_part { CALLS_OF_ROUTINE = 1, CALLS_OF_KIND, CALLS_OF_OBJECT };
struct calls_wait_sum {
	const struct calls_wait *wait; /* the first of its rows; NULL: there is none */
	uint64_t ns;
};
struct calls_wait_sum calls_longest_wait(const struct calls *calls, const struct calls_wait *within, enum calls_wait_part part,
                                         uint32_t ranks);
/* The first row of the longest wait of one kind of a routine that no worker of the program ends: input, a child process, sleep. */
const struct calls_wait *calls_outward_wait(const struct calls *calls, uint64_t at_least_ns);

#endif
