/* SPDX-License-Identifier: MIT */
/* plan.c: what `skein record calls` asks of the pass and of the runtime.
 *
 * keys/plan.h and keys/session.h say what each key means. */
#include "run/lens.h"

static int plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why)
{
	(void)why;
	session->mode = arguments_has(a, OPTION_COUNTS) ? MODE_COUNTS : MODE_TIMES;
	plan_add(pass, PLAN_MODE, "%s", session->mode);
	run_lens_add_patterns(a, OPTION_ONLY, PLAN_ONLY, pass);
	run_lens_add_patterns(a, OPTION_SKIP, PLAN_SKIP, pass);
	return 0;
}

RUN_LENS_SAVE(struct calls, calls_build, store_save_calls, calls_free)

const struct run_lens run_lens_calls = {
	.lens = &lens_calls,
	.plan = plan,
	.save = save,
};
