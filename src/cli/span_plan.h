/* SPDX-License-Identifier: MIT */
/* span_plan.h: what `skein record span` asks of the pass and of the runtime.
 *
 * The pass gets MODE (insn; whole: no sites; general: another clock, --what-if or --under), ONLY, SKIP, INLINED=1, UNDER=SITE
 * and WHATIF=one SITE a line. The runtime gets lines of the session: clock, event_type and event_config (for
 * perf_event_open, where the clock is an event), burden, what_if (factors, divided by spaces), under (1). The report finds
 * under_site, what_if_sites and cores there. */
#ifndef SKEIN_SPAN_PLAN_H
#define SKEIN_SPAN_PLAN_H

#include "analyse/session.h"
#include "build/strv.h"
#include "cli/arguments.h"

enum { SPAN_PLAN_WHAT_IFS = 16 };

int span_plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why);

#endif
