/* SPDX-License-Identifier: MIT */
/* verdict.h: what the paths lens says first (where control goes, which branch decides it, what was never executed, what
 * copies saved), and what may be wrong with it. */
#ifndef SKEIN_PATHS_VERDICT_H
#define SKEIN_PATHS_VERDICT_H

#include "analyse/findings.h"
#include "analyse/paths/rank.h"

void paths_judge(const struct paths *paths, const struct paths_rank *rank, struct findings *verdict, struct findings *caveats);
void paths_doubt(const struct paths *paths, struct findings *caveats); /* part of the former */

#endif
