/* SPDX-License-Identifier: MIT */
/* series.h: in which order the runs of `skein record --repeat` are made.
 *
 * Warm-ups come first. Two programs (--against) run in pairs, one run of each: what the machine does meanwhile (another
 * program, a clock that changes) meets both. Which one of a pair goes first is left to chance, so that neither always runs in
 * the wake of the other; chance is a fixed sequence.
 *
 *     struct series_step *steps = series_steps(10, 1, 2, &count);        10 runs of each of 2 programs, after a warm-up of each
 *     for (size_t i = 0; i < count; i++)
 *             …run program steps[i].side; it is run steps[i].turn, or 0: a warm-up…
 *     free(steps);
 */
#ifndef SKEIN_RUN_SERIES_H
#define SKEIN_RUN_SERIES_H

#include <stddef.h>

enum { SERIES_SIDES = 2 };

struct series_step {
	unsigned side; /* 0, or 1 for the other program */
	unsigned turn; /* from 1; 0: a warm-up */
};

/* sides: 1 or 2. The caller frees. */
struct series_step *series_steps(unsigned runs, unsigned warmups, unsigned sides, size_t *count);

#endif
