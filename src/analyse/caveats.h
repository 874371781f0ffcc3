/* SPDX-License-Identifier: MIT */
/* caveats.h: doubts that every lens shares: what was lost, and what was noted while the recording was made. */
#ifndef SKEIN_CAVEATS_H
#define SKEIN_CAVEATS_H

#include "analyse/findings.h"
#include "analyse/run.h"

void caveats_lost(const struct run *run, struct findings *caveats);
void caveats_notes(const struct run *run, struct findings *caveats);

#endif
