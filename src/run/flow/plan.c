/* SPDX-License-Identifier: MIT */
/* plan.c: what `skein record flow` asks of the recorder, and with --routines of the pass. */
#include <sched.h>
#include <unistd.h>

#include "run/lens.h"
#include "run/quota.h"

static unsigned cores_here(void)
{
	cpu_set_t mask;
	unsigned quota = quota_cores();
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned cores = sched_getaffinity(0, sizeof mask, &mask) == 0 ? (unsigned)CPU_COUNT(&mask) : online > 0 ? (unsigned)online : 1;
	return quota && quota < cores ? quota : cores;
}

static int plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why)
{
	bool routines = arguments_has(a, OPTION_ROUTINES);
	if (!routines && (arguments_has(a, OPTION_ONLY) || arguments_has(a, OPTION_SKIP)))
		return fail_set(why, FAIL_USAGE, "--only and --skip choose among routines: give --routines, too");
	session->mode = routines ? MODE_ROUTINES : MODE_EVENTS;
	if (routines) {
		plan_add(pass, PLAN_MODE, "%s", session->mode);
		run_lens_add_patterns(a, OPTION_ONLY, PLAN_ONLY, pass);
		run_lens_add_patterns(a, OPTION_SKIP, PLAN_SKIP, pass);
	}
	session_plan_set(session, SESSION_CORES, pool_print(&session->pool, "%u", cores_here()));
	return 0;
}

RUN_LENS_SAVE(struct flows, flows_build, store_save_flow, flows_free)

const struct run_lens run_lens_flow = {
	.lens = &lens_flow,
	.plan = plan,
	.preload = "libskein-trace.so",
	.sees_switches = true,
	.save = save,
};
