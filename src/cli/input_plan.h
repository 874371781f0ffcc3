/* SPDX-License-Identifier: MIT */
/* input_plan.h: what `skein record input` was asked for, as options of the Valgrind tool (src/valgrind/main.c). */
#ifndef SKEIN_INPUT_PLAN_H
#define SKEIN_INPUT_PLAN_H

#include "analyse/session.h"
#include "build/strv.h"
#include "cli/arguments.h"

int input_plan(const struct arguments *a, struct strv *tool, struct session_plan *session, struct fail *why);

#endif
