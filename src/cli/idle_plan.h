/* SPDX-License-Identifier: MIT */
/* idle_plan.h: what `skein record idle` asks of the sampler.
 *
 * The sampler gets lines of the session: hertz, cores (a quota; the affinity mask it sees itself), khz (of the cycle counter), events (TYPE:CONFIG:PERIOD, divided
 * by commas). The report finds event_names there, divided by commas in the same order. */
#ifndef SKEIN_IDLE_PLAN_H
#define SKEIN_IDLE_PLAN_H

#include "analyse/session.h"
#include "build/strv.h"
#include "cli/arguments.h"

int idle_plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why);

#endif
