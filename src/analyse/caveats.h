/* SPDX-License-Identifier: MIT */
/* caveats.h: doubts about a recording that every lens shares: what was lost, what was noted while it was made, and
 * which processes did not end.
 *
 *     caveats_begin(run, "activations that had not returned are missing", caveats);       first of all
 *     findings_add(caveats, …);                                                           then the lens's own */
#ifndef SKEIN_CAVEATS_H
#define SKEIN_CAVEATS_H

#include "analyse/findings.h"
#include "analyse/run.h"

void caveats_lost(const struct run *run, struct findings *caveats);
/* What hooks took that skein looked at from outside. `figures`: what does not contain it, "Costs do". */
void caveats_hooks(const struct run *run, const char *figures, struct findings *caveats);
void caveats_notes(const struct run *run, struct findings *caveats);
bool caveats_is_cut_off(const struct run_process *process); /* killed, or still running when the recording was made */
bool caveats_are_cut_off(const struct run *run);            /* at least one process was */

/* Adds all shared caveats. `missing`: what the lens lacks of a process that was cut off. */
void caveats_begin(const struct run *run, const char *missing, struct findings *caveats);

#endif
