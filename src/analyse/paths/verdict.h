/* SPDX-License-Identifier: MIT */
/* verdict.h: the verdict of the paths lens (the hot paths, the deciding branch, what was never executed, what copies
 * saved) and its caveats. */
#ifndef SKEIN_PATHS_VERDICT_H
#define SKEIN_PATHS_VERDICT_H

#include "analyse/findings.h"
#include "analyse/paths/rank.h"

void paths_judge(const struct paths *paths, const struct paths_rank *rank, struct findings *verdict, struct findings *caveats);
void paths_doubt(const struct paths *paths, struct findings *caveats); /* the caveats; paths_judge calls this */

#endif
