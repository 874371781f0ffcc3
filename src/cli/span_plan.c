/* SPDX-License-Identifier: MIT */
#include "cli/span_plan.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/lens.h"

/* ---- clocks ---- */

static const struct event {
	const char *name;
	uint32_t type;
	uint64_t config;
} events[] = {
	{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	{"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
	{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
	{"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
	{"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
	{"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
	{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
	{"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
};
enum { EVENTS = sizeof events / sizeof *events };

/* A name, or rHEX for a counter of the processor by its number, as perf has it. */
static bool find_event(const char *name, struct event *event)
{
	char *end;
	for (size_t i = 0; i < EVENTS; i++)
		if (strcmp(events[i].name, name) == 0) {
			*event = events[i];
			return true;
		}
	*event = (struct event){name, PERF_TYPE_RAW, name[0] == 'r' ? strtoull(name + 1, &end, 16) : 0};
	return name[0] == 'r' && isxdigit((unsigned char)name[1]) && *end == 0;
}

static int unknown_clock(const char *name, struct fail *why)
{
	const char *names[EVENTS + 4] = {"insn", "tsc", "ns"};
	char list[400] = "insn, tsc, ns";
	for (size_t i = 0; i < EVENTS; i++) {
		names[3 + i] = events[i].name;
		snprintf(list + strlen(list), sizeof list - strlen(list), ", %s", events[i].name);
	}
	names[3 + EVENTS] = NULL;
	const char *near = nearest(name, names);
	if (near)
		return fail_set(why, FAIL_USAGE, "there is no clock %.100s; did you mean %s?", name, near);
	return fail_set(why, FAIL_USAGE, "there is no clock %.100s; the clocks are %s, and rHEX for a counter of the processor by its number", name, list);
}

/* The subject would find out too late that its machine has no such counter, or that it may not be read. */
static int try_event(const struct event *event, struct fail *why)
{
	struct perf_event_attr attr = {.type = event->type, .size = sizeof attr, .config = event->config, .exclude_kernel = 1, .exclude_hv = 1};
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	int code = errno;
	if (fd >= 0) {
		close((int)fd);
		return 0;
	}
	if (code == EACCES || code == EPERM)
		return fail_set(why, FAIL_INTERNAL, "this user may not count %s here (%s): lower /proc/sys/kernel/perf_event_paranoid to 2 or less, or use another --clock", event->name,
		                strerror(code));
	return fail_set(why, FAIL_INTERNAL, "this machine cannot count %s (%s): use --clock insn, tsc or ns", event->name, strerror(code));
}

static int plan_clock(const struct arguments *a, struct session_plan *session, bool *general, struct fail *why)
{
	const char *name = arguments_value(a, "clock");
	struct event event;
	session_plan_set(session, "clock", name ? name : "insn");
	if (!name || strcmp(name, "insn") == 0)
		return 0;
	*general = true;
	if (strcmp(name, "tsc") == 0 || strcmp(name, "ns") == 0)
		return 0;
	if (!find_event(name, &event))
		return unknown_clock(name, why);
	if (try_event(&event, why) < 0)
		return -1;
	session_plan_set(session, "event_type", pool_print(&session->pool, "%u", event.type));
	session_plan_set(session, "event_config", pool_print(&session->pool, "%llu", (unsigned long long)event.config));
	return 0;
}

/* ---- sites ---- */

/* What stands in a line of its own must be one line. */
static int check_site(const char *option, const char *site, struct fail *why)
{
	if (!*site || strchr(site, '\n'))
		return fail_set(why, FAIL_USAGE, "--%s needs a site: a callee such as partition, CALLER->CALLEE, or FILE:LINE", option);
	return 0;
}

static bool is_factor(const char *text)
{
	size_t digits = strspn(text, "0123456789"), more = text[digits] == '.' ? 1 + strspn(text + digits + 1, "0123456789") : 0;
	return digits + more > (more > 0) && digits < 16 && digits + more < 32 && text[digits + more] == 0;
}

static int plan_what_ifs(const struct arguments *a, struct strv *pass, struct session_plan *session, bool *general, struct fail *why)
{
	const char *value, *sites = "", *factors = "";
	for (size_t n = 0; (value = arguments_nth(a, "what-if", n)); n++) {
		const char *cut = strrchr(value, '=');
		if (!cut || !is_factor(cut + 1))
			return fail_set(why, FAIL_USAGE, "--what-if takes SITE=FACTOR with a decimal factor that is not negative, e.g. partition=0.5, not %.200s", value);
		if (n == SPAN_PLAN_WHAT_IFS)
			return fail_set(why, FAIL_USAGE, "--what-if can be given %d times in one run: record again for more", SPAN_PLAN_WHAT_IFS);
		const char *site = pool_print(&session->pool, "%.*s", (int)(cut - value), value);
		if (check_site("what-if", site, why) < 0)
			return -1;
		sites = pool_print(&session->pool, "%s%s%s", sites, n ? "\n" : "", site);
		factors = pool_print(&session->pool, "%s%s%s", factors, n ? " " : "", cut + 1);
	}
	if (!*sites)
		return 0;
	*general = true;
	strv_addf(pass, "WHATIF=%s", sites);
	session_plan_set(session, "what_if", factors);
	session_plan_set(session, "what_if_sites", sites);
	return 0;
}

static int plan_under(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why)
{
	const char *site = arguments_value(a, "under");
	if (!site)
		return 0;
	if (check_site("under", site, why) < 0)
		return -1;
	strv_addf(pass, "UNDER=%s", site);
	session_plan_set(session, "under", "1");
	session_plan_set(session, "under_site", site);
	return 0;
}

int span_plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why)
{
	bool general = false, whole = arguments_has(a, "no-sites");
	long burden;
	if (arguments_number(a, "burden", -1, 0, LONG_MAX / 1024, &burden, why) < 0 || plan_clock(a, session, &general, why) < 0 ||
	    plan_what_ifs(a, pass, session, &general, why) < 0 || plan_under(a, pass, session, why) < 0)
		return -1;
	if (whole && (general || arguments_has(a, "under")))
		return fail_set(why, FAIL_USAGE, "--no-sites goes with the clock insn only, and with neither --what-if nor --under: leave one of them out");
	session->mode = whole ? "whole" : general ? "general" : "insn";
	strv_addf(pass, "MODE=%s", session->mode);
	lens_add_patterns(a, "only", "ONLY", pass);
	lens_add_patterns(a, "skip", "SKIP", pass);
	if (arguments_has(a, "inlined"))
		strv_add(pass, "INLINED=1");
	if (burden >= 0)
		session_plan_set(session, "burden", pool_print(&session->pool, "%ld", burden));
	session_plan_set(session, "cores", pool_print(&session->pool, "%ld", sysconf(_SC_NPROCESSORS_ONLN)));
	return 0;
}
