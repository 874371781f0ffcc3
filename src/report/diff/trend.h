/* SPDX-License-Identifier: MIT */
/* trend.h: one figure over many recordings.
 *
 *     struct trend trend;
 *     if (trend_open(&trend, "span.parallelism", paths, 3, &why) < 0) …
 *     trend_show(stdout, &trend, REPORT_TEXT, &why);
 *     trend_close(&trend);
 *
 * A figure is LENS.FIGURE, a row of the lens's summary, or LENS.ROUTINE.FIGURE, a column of its routines. */
#ifndef SKEIN_TREND_H
#define SKEIN_TREND_H

#include "report/report.h"

struct trend_point {
	const char *path;
	uint64_t recorded_ns; /* since 1970 */
	struct cell value;
	const char *missing; /* why there is no value; NULL: there is one */
};

struct trend {
	const struct lens *lens;
	const char *routine; /* "": a figure of the run */
	const char *figure;
	enum unit unit;
	struct trend_point *points;
	size_t count;
	struct pool pool;
};

int trend_open(struct trend *trend, const char *figure, char *const *paths, size_t count, struct fail *why);
int trend_show(FILE *file, const struct trend *trend, enum report_form form, struct fail *why);
void trend_close(struct trend *trend);

#endif
