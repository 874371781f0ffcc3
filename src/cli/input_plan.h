/* SPDX-License-Identifier: MIT */
/* input_plan.h: what `skein record input` was asked for: as a plan of the pass (src/pass/input.h) with settings of the session, and as options of the Valgrind
 * tool (src/valgrind/main.c). */
#ifndef SKEIN_INPUT_PLAN_H
#define SKEIN_INPUT_PLAN_H

#include "analyse/session.h"
#include "build/strv.h"
#include "cli/arguments.h"

int input_plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why);
bool input_tool_options(const struct arguments *a, struct strv *options); /* true: only Valgrind can do that. After input_plan, which refuses what is wrong */

#endif
