/* SPDX-License-Identifier: MIT */
/* plan.c: what `skein record calls` asks of the pass and of the runtime.
 *
 * keys/plan.h and keys/session.h say what each key means. */
#include "run/lens.h"

static int plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why)
{
	long percent;
	bool counts = arguments_has(a, OPTION_COUNTS), exact = arguments_has(a, OPTION_EXACT);
	if (arguments_number(a, OPTION_OVERHEAD, 5, 1, 100, &percent, why) < 0)
		return -1;
	if (exact + counts + (arguments_value(a, OPTION_OVERHEAD) != NULL) > 1)
		return fail_set(why, FAIL_USAGE,
		                "--counts times no call, --exact times every call, --overhead times some: give one of them");
	session->mode = counts ? MODE_COUNTS : MODE_TIMES;
	session_plan_set(session, SESSION_OVERHEAD, pool_print(&session->pool, "%ld", exact ? 0 : percent));
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
