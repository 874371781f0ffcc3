/* SPDX-License-Identifier: MIT */
/* plan.c: what `skein record flow` asks of the recorder. */
#include "run/lens.h"

static int plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why)
{
	(void)pass;
	(void)why;
	session->mode = MODE_EVENTS;
	if (arguments_has(a, OPTION_NO_EVENTS))
		session_plan_set(session, SESSION_NO_EVENTS, "1");
	return 0;
}

RUN_LENS_SAVE(struct flows, flows_build, store_save_flow, flows_free)

const struct run_lens run_lens_flow = {
	.lens = &lens_flow,
	.plan = plan,
	.preload = "libskein-trace.so",
	.save = save,
};
