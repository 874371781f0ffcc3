/* SPDX-License-Identifier: MIT */
/* plan.c: what `skein record flow` asks of the recorder, and with --routines of the pass. */
#include <sched.h>
#include <unistd.h>

#include "run/lens.h"
#include "run/quota.h"

enum { MOST_SECONDS = 1000000 };

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
	uint64_t last;
	long after;
	if (arguments_bytes(a, OPTION_LAST, 0, &last, why) < 0 || arguments_number(a, OPTION_AFTER, 0, 1, MOST_SECONDS, &after, why) < 0)
		return -1;
	if (last)
		session_plan_set(session, SESSION_LAST_BYTES, pool_print(&session->pool, "%llu", (unsigned long long)last));
	if (after)
		session_plan_set(session, SESSION_AFTER_NS, pool_print(&session->pool, "%ld000000000", after));
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
	if (arguments_has(a, OPTION_ORDER) && after)
		return fail_set(why, FAIL_USAGE, "--after needs times, and --order leaves them out");
	if (arguments_has(a, OPTION_ORDER))
		session_plan_set(session, SESSION_ORDER, "1");
	if (arguments_has(a, OPTION_NO_SWITCHES))
		session_plan_set(session, SESSION_ESTIMATES, "1");
	if (arguments_has(a, OPTION_NO_EVENTS))
		session_plan_set(session, SESSION_NO_EVENTS, "1");
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
