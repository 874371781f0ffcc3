/* SPDX-License-Identifier: MIT */
/* cmd_trend.c: skein trend. One figure over many recordings, in the order in which they are given. */
#include "cli/commands.h"
#include "report/diff/trend.h"

int cmd_trend(const struct arguments *a, struct fail *why)
{
	struct trend trend;
	if (arguments_has(a, OPTION_CSV) && arguments_has(a, OPTION_JSON))
		return fail_set(why, FAIL_USAGE, "--csv and --json exclude each other: choose one");
	if (a->word_count < 2)
		return fail_set(why, FAIL_USAGE, "trend needs a figure and recordings: skein trend span.parallelism *.skein");
	if (trend_open(&trend, a->words[0], a->words + 1, a->word_count - 1, why) < 0)
		return -1;
	int result = trend_show(stdout, &trend,
	                        arguments_has(a, OPTION_CSV)            ? REPORT_CSV
	                                : arguments_has(a, OPTION_JSON) ? REPORT_JSON
	                                                                : REPORT_TEXT,
	                        why);
	trend_close(&trend);
	return result;
}
