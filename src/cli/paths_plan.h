/* SPDX-License-Identifier: MIT */
/* paths_plan.h: what `skein record paths` asks of the pass, and what its report shall know.
 *
 * The pass gets ONLY, SKIP, ONLYPATHS (lines FUNCTION:LIST), WEIGHTS (a file in the user's cache folder, made of the recording that --plan names; its name has a digest of its content),
 * and for several copies SHARE (best, p3 or pbl) and TURNS=1 if the program has one thread; COPIES and COPY are added by copies.c. Every copy's session has copies, copy and
 * share (all, if there is one copy). */
#ifndef SKEIN_PATHS_PLAN_H
#define SKEIN_PATHS_PLAN_H

#include "analyse/session.h"
#include "build/strv.h"
#include "cli/arguments.h"

int paths_plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why);

#endif
