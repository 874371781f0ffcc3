/* SPDX-License-Identifier: MIT */
/* opening.h: what a verdict begins with, whatever the lens: that the program crashed or was stopped, that it lacked cores, and how long
 * a rank of several was in MPI.
 *
 *     opening_add(run, "Elapsed times include that time; counts are exact.", verdict);      first of all
 *
 * `trust` says how far the lens's figures can be trusted when the program lacked cores; NULL: that changes none of them,
 * and nothing is said about it. */
#ifndef SKEIN_OPENING_H
#define SKEIN_OPENING_H

#include "analyse/findings.h"
#include "analyse/run.h"

#define OPENING_NO_CORE_PCT 10.0 /* of the time in which threads could run: with less time without a core nothing is said */
#define OPENING_MINOR_PCT 20.0   /* of the time without a core: a cause with less is not named */
#define OPENING_LITTLE_PCT 2.0   /* of the run: with less time without a core, added over threads, nothing is said either */

void opening_add(const struct run *run, const char *trust, struct findings *verdict);
/* Says the same of cores where it fits; a lens whose figures do not depend on them says it last. */
void opening_say_cores(const struct run *run, const char *trust, struct findings *verdict);
double opening_no_core_pct(const struct run *run); /* 0 if it was not measured */

#endif
