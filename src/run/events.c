/* SPDX-License-Identifier: MIT */
#include "run/events.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CACHE(cache, operation, result) \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##operation << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16)

/* Periods are such that a busy core gives about a thousand samples a second. */
static const struct event events[] = {
	{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 3000000},
	{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 3000000},
	{"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, 30000},
	{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, 10000},
	{"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 500000},
	{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, 10000},
	{"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, 100000},
	{"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, 3000000},
	{"L1-dcache-loads", PERF_TYPE_HW_CACHE, CACHE(L1D, READ, ACCESS), 1000000},
	{"L1-dcache-misses", PERF_TYPE_HW_CACHE, CACHE(L1D, READ, MISS), 50000},
	{"LLC-loads", PERF_TYPE_HW_CACHE, CACHE(LL, READ, ACCESS), 30000},
	{"LLC-misses", PERF_TYPE_HW_CACHE, CACHE(LL, READ, MISS), 10000},
	{"dTLB-misses", PERF_TYPE_HW_CACHE, CACHE(DTLB, READ, MISS), 10000},
	{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 10},
	{"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, 10},
	{"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1},
	{"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 1000000},
	{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 1000000},
	{"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, 1},
};
enum { EVENTS = sizeof events / sizeof *events };
_Static_assert((int)EVENTS <= (int)EVENTS_MAX, "events_names has room");

bool events_find(const char *name, struct event *event)
{
	char *end;
	for (size_t i = 0; i < EVENTS; i++)
		if (strcmp(events[i].name, name) == 0) {
			*event = events[i];
			return true;
		}
	*event = (struct event){name, PERF_TYPE_RAW, name[0] == 'r' ? strtoull(name + 1, &end, 16) : 0, 100000};
	return name[0] == 'r' && isxdigit((unsigned char)name[1]) && *end == 0;
}

void events_names(const char *names[EVENTS_MAX + 1], char *list, size_t list_bytes)
{
	for (size_t i = 0; i < EVENTS; i++) {
		names[i] = events[i].name;
		snprintf(list + strlen(list), list_bytes - strlen(list), "%s%s", *list ? ", " : "", events[i].name);
	}
	names[EVENTS] = NULL;
}

int events_try(const struct event *event, const char *instead, struct fail *why)
{
	struct perf_event_attr attr = {
		.type = event->type, .size = sizeof attr, .config = event->config, .exclude_kernel = 1, .exclude_hv = 1};
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	int code = errno;
	if (fd >= 0) {
		close((int)fd);
		return 0;
	}
	if (code == EACCES || code == EPERM)
		return fail_set(why, FAIL_INTERNAL,
		                "no permission to count %s (%s): lower /proc/sys/kernel/perf_event_paranoid to 2 or less, or %s",
		                event->name, strerror(code), instead);
	return fail_set(why, FAIL_INTERNAL, "this machine cannot count %s (%s): %s", event->name, strerror(code), instead);
}
