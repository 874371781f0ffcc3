/* SPDX-License-Identifier: MIT */
/* plan.c: what `skein record span` asks of the pass and of the runtime.
 *
 * keys/plan.h and keys/session.h say what each key means. */

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "run/events.h"
#include "run/lens.h"

enum { MOST_WHAT_IFS = 16 };

/* ---- clocks ---- */

static int unknown_clock(const char *name, struct fail *why)
{
	const char *names[EVENTS_MAX + 4] = {"insn", "tsc", "ns"};
	char list[400] = "insn, tsc, ns";
	events_names(names + 3, list, sizeof list);
	const char *near = nearest(name, names);
	if (near)
		return fail_set(why, FAIL_USAGE, "there is no clock %.100s; did you mean %s?", name, near);
	return fail_set(why, FAIL_USAGE, "there is no clock %.100s; the clocks are %s, and rHEX for a raw event of the processor", name,
	                list);
}

static int plan_clock(const struct arguments *a, struct session_plan *session, bool *general, struct fail *why)
{
	const char *name = arguments_value(a, OPTION_CLOCK);
	struct event event;
	session_plan_set(session, SESSION_CLOCK, name ? name : "insn");
	if (!name || strcmp(name, "insn") == 0)
		return 0;
	*general = true;
	if (strcmp(name, "tsc") == 0 || strcmp(name, "ns") == 0)
		return 0;
	if (!events_find(name, &event))
		return unknown_clock(name, why);
	if (events_try(&event, "use --clock insn, tsc or ns", why) < 0)
		return -1;
	session_plan_set(session, SESSION_EVENT_TYPE, pool_print(&session->pool, "%u", event.type));
	session_plan_set(session, SESSION_EVENT_CONFIG, pool_print(&session->pool, "%llu", (unsigned long long)event.config));
	return 0;
}

/* ---- sites ---- */

/* What stands in a line of its own must be one line. */
static int check_site(enum option option, const char *site, struct fail *why)
{
	if (!*site || strchr(site, '\n'))
		return fail_set(why, FAIL_USAGE, "--%s needs a site: a callee such as partition, CALLER->CALLEE, or FILE:LINE",
		                option_names[option]);
	return 0;
}

static int plan_what_ifs(const struct arguments *a, struct strv *pass, struct session_plan *session, bool *general, struct fail *why)
{
	const char *value, *sites = "", *factors = "";
	for (size_t n = 0; (value = arguments_nth(a, OPTION_WHAT_IF, n)); n++) {
		const char *cut = strrchr(value, '=');
		if (!cut || !number_is_factor(cut + 1))
			return fail_set(
				why, FAIL_USAGE,
				"--what-if takes SITE=FACTOR with a decimal factor of at least 0, such as partition=0.5, not %.200s",
				value);
		if (n == MOST_WHAT_IFS)
			return fail_set(why, FAIL_USAGE, "--what-if can be given at most %d times per run: record again for more",
			                MOST_WHAT_IFS);
		const char *site = pool_print(&session->pool, "%.*s", (int)(cut - value), value);
		if (check_site(OPTION_WHAT_IF, site, why) < 0)
			return -1;
		sites = pool_print(&session->pool, "%s%s%s", sites, n ? "\n" : "", site);
		factors = pool_print(&session->pool, "%s%s%s", factors, n ? " " : "", cut + 1);
	}
	if (!*sites)
		return 0;
	*general = true;
	plan_add(pass, PLAN_WHATIF, "%s", sites);
	session_plan_set(session, SESSION_WHAT_IF, factors);
	session_plan_set(session, SESSION_WHAT_IF_SITES, sites);
	return 0;
}

static int plan_under(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why)
{
	const char *site = arguments_value(a, OPTION_UNDER);
	if (!site)
		return 0;
	if (check_site(OPTION_UNDER, site, why) < 0)
		return -1;
	plan_add(pass, PLAN_UNDER, "%s", site);
	session_plan_set(session, SESSION_UNDER, "1");
	session_plan_set(session, SESSION_UNDER_SITE, site);
	return 0;
}

static int plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why)
{
	bool general = false, whole = arguments_has(a, OPTION_NO_SITES);
	long burden;
	if (arguments_number(a, OPTION_BURDEN, -1, 0, LONG_MAX / 1024, &burden, why) < 0 || plan_clock(a, session, &general, why) < 0 ||
	    plan_what_ifs(a, pass, session, &general, why) < 0 || plan_under(a, pass, session, why) < 0)
		return -1;
	if (whole && (general || arguments_has(a, OPTION_UNDER)))
		return fail_set(why, FAIL_USAGE,
		                "--no-sites works with the clock insn only, and not with --what-if or --under: leave one of them out");
	session->mode = whole ? MODE_WHOLE : general ? MODE_GENERAL : MODE_INSN;
	plan_add(pass, PLAN_MODE, "%s", session->mode);
	run_lens_add_patterns(a, OPTION_ONLY, PLAN_ONLY, pass);
	run_lens_add_patterns(a, OPTION_SKIP, PLAN_SKIP, pass);
	if (arguments_has(a, OPTION_INLINED))
		plan_add(pass, PLAN_INLINED, "1");
	if (burden >= 0)
		session_plan_set(session, SESSION_BURDEN, pool_print(&session->pool, "%ld", burden));
	session_plan_set(session, SESSION_CORES, pool_print(&session->pool, "%ld", sysconf(_SC_NPROCESSORS_ONLN)));
	return 0;
}

RUN_LENS_SAVE(struct spans, spans_build, store_save_span, spans_free)

/* The program shall run in one thread whatever it asks OpenMP for: the algorithm is one for a serial run. */
static const char *const environment[] = {"OMP_NUM_THREADS=1", "OMP_DYNAMIC=false", "OMP_THREAD_LIMIT=1", NULL};

const struct run_lens run_lens_span = {
	.lens = &lens_span,
	.plan = plan,
	.environment = environment,
	.save = save,
};
