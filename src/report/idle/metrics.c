/* SPDX-License-Identifier: MIT */
/* metrics.c: what can be asked of a context of the idle lens by name, and which threads a view is about. */
#include <string.h>

#include "report/idle/view.h"

const char *const idle_metric_names[] = {"work_ns",   "idle_ns",  "overhead_ns", "effort_ns", "samples", "critical_ns",
                                         "serial_ns", "under_ns", "full_ns",     "over_ns",   "cores"};
enum { NAMED = sizeof idle_metric_names / sizeof *idle_metric_names };
_Static_assert((int)NAMED + RAW_IDLE_EVENT_MAX == (int)IDLE_METRICS, "there is room for all metrics");

size_t idle_metrics(const struct idles *idles, const char *names[IDLE_METRICS])
{
	memcpy(names, idle_metric_names, sizeof idle_metric_names);
	for (size_t e = 0; e < idles->event_name_count; e++)
		names[NAMED + e] = idles->event_names[e];
	return NAMED + idles->event_name_count;
}

void idle_metric_values(const struct idles *idles, const struct idles_sums *sums, const uint64_t *events, double values[IDLE_METRICS])
{
	const uint64_t effort = idles_effort(sums);
	const uint64_t whole[] = {sums->work_ns,
	                          sums->idle_ns,
	                          sums->overhead_ns,
	                          effort,
	                          sums->samples,
	                          effort / idles->cores,
	                          sums->class_ns[RAW_IDLE_SERIAL],
	                          sums->class_ns[RAW_IDLE_UNDER],
	                          sums->class_ns[RAW_IDLE_FULL],
	                          sums->class_ns[RAW_IDLE_OVER],
	                          idles->cores};
	for (size_t i = 0; i < NAMED; i++)
		values[i] = (double)whole[i];
	for (size_t e = 0; e < idles->event_name_count; e++)
		values[NAMED + e] = (double)events[e];
}

int idle_metric_find(const struct idles *idles, const char *name)
{
	const char *names[IDLE_METRICS];
	size_t count = idle_metrics(idles, names), length = strlen(name);
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0 || (strncmp(names[i], name, length) == 0 && strcmp(names[i] + length, "_ns") == 0))
			return (int)i;
	return -1;
}

enum idles_tree view_idle_tree(const struct idle_asked *asked)
{
	return asked->physical ? IDLES_PHYSICAL : IDLES_LOGICAL;
}

uint32_t view_idle_next_thread(const struct idles *idles, const struct idle_asked *asked, uint32_t last)
{
	const uint32_t none = UINT32_MAX - 1;
	if (asked->thread >= 0)
		return last == none ? (uint32_t)asked->thread : none;
	if (!asked->by_thread)
		return last == none ? UINT32_MAX : none;
	for (uint32_t next = last == none ? 0 : last + 1; next < idles->run->thread_count; next++)
		if (idles->threads[next].samples)
			return next;
	return none;
}
