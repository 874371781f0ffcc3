/* SPDX-License-Identifier: MIT */
/* plan.c: what `skein record idle` asks of the sampler.
 *
 * keys/session.h says what each key means. SESSION_CORES is a quota; the sampler sees the affinity mask itself. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run/events.h"
#include "run/lens.h"
#include "run/quota.h"

static int unknown_event(const char *name, struct fail *why)
{
	const char *names[EVENTS_MAX + 1];
	char list[600] = "";
	events_names(names, list, sizeof list);
	const char *near = nearest(name, names);
	if (near)
		return fail_set(why, FAIL_USAGE, "there is no event %.100s; did you mean %s?", name, near);
	return fail_set(why, FAIL_USAGE, "there is no event %.100s; the events are %s, and rHEX for a raw event of the processor", name,
	                list);
}

/* NAME or NAME:PERIOD. */
static int plan_event(struct session_plan *session, const char *asked, const char **events, const char **names, struct fail *why)
{
	const char *colon = strrchr(asked, ':');
	const char *name = colon ? pool_print(&session->pool, "%.*s", (int)(colon - asked), asked) : asked;
	struct event event;
	char *end = NULL;
	if (!events_find(name, &event))
		return unknown_event(name, why);
	if (colon)
		event.period = strtoull(colon + 1, &end, 10);
	if (event.period == 0 || (end && *end))
		return fail_set(why, FAIL_USAGE, "--event takes NAME or NAME:PERIOD with a period of at least 1, not %.100s", asked);
	if (events_try(&event, "leave out --event", why) < 0)
		return -1;
	*events = pool_print(&session->pool, "%s%s%u:%llu:%llu", *events, **events ? "," : "", event.type, (unsigned long long)event.config,
	                     (unsigned long long)event.period);
	*names = pool_print(&session->pool, "%s%s%s", *names, **names ? "," : "", name);
	return 0;
}

static int plan_events(const struct arguments *a, struct session_plan *session, struct fail *why)
{
	const char *events = "", *names = "", *asked;
	for (size_t n = 0; (asked = arguments_nth(a, OPTION_EVENT, n)); n++) {
		if (n == RAW_IDLE_EVENT_MAX)
			return fail_set(why, FAIL_USAGE, "--event can be given at most %d times per run: record again for more",
			                RAW_IDLE_EVENT_MAX);
		if (plan_event(session, asked, &events, &names, why) < 0)
			return -1;
	}
	session_plan_set(session, SESSION_EVENTS, events);
	session_plan_set(session, SESSION_EVENT_NAMES, names);
	return 0;
}

static uint64_t cycles_khz(void)
{
	struct session_plan first = {0}, second = {0};
	session_plan_read_clocks(&first);
	nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	session_plan_read_clocks(&second);
	return second.clock_ns > first.clock_ns ? (second.clock_tsc - first.clock_tsc) * 1000000 / (second.clock_ns - first.clock_ns)
						: 2000000;
}

static int plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why)
{
	long hertz;
	(void)pass;
	if (arguments_number(a, OPTION_RATE, 1000, 1, 20000, &hertz, why) < 0 || plan_events(a, session, why) < 0)
		return -1;
	session->mode = MODE_SAMPLED;
	session_plan_set(session, SESSION_HERTZ, pool_print(&session->pool, "%ld", hertz));
	session_plan_set(session, SESSION_CORES, pool_print(&session->pool, "%u", quota_cores()));
	session_plan_set(session, SESSION_KHZ, pool_print(&session->pool, "%llu", (unsigned long long)cycles_khz()));
	return 0;
}

RUN_LENS_SAVE(struct idles, idles_build, store_save_idle, idles_free)

const struct run_lens run_lens_idle = {
	.lens = &lens_idle,
	.plan = plan,
	.preload = "libskein-sample.so",
	.save = save,
};
