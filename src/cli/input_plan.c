/* SPDX-License-Identifier: MIT */
#include "cli/input_plan.h"

#include <string.h>

enum { LEAST_SIZES = 128, MOST_SIZES = 1 << 20, USUAL_SIZES = 1024 };

int input_plan(const struct arguments *a, struct strv *tool, struct session_plan *session, struct fail *why)
{
	static const char *const switches[][2] = {
		{"contexts", "--skein-contexts=yes"}, {"count-returns", "--skein-count-returns=yes"}, {"count-locks", "--skein-count-locks=yes"}, {"keep-freed", "--skein-keep-freed=yes"}};
	const char *cost = arguments_value(a, "cost");
	long cell, sizes;
	if (arguments_number(a, "cell", 4, 1, 16, &cell, why) < 0 || arguments_number(a, "sizes", USUAL_SIZES, LEAST_SIZES, MOST_SIZES, &sizes, why) < 0)
		return -1;
	if (cell & (cell - 1))
		return fail_set(why, FAIL_USAGE, "--cell takes 1, 2, 4, 8 or 16 bytes, not %ld", cell);
	if (cost && strcmp(cost, "blocks") != 0 && strcmp(cost, "instructions") != 0)
		return fail_set(why, FAIL_USAGE, "--cost takes blocks or instructions, not %.100s", cost);
	session->mode = cost && strcmp(cost, "instructions") == 0 ? "instructions" : "blocks";
	strv_addf(tool, "--skein-cell=%ld", cell);
	strv_addf(tool, "--skein-sizes=%ld", sizes);
	strv_addf(tool, "--skein-cost=%s", session->mode);
	for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
		if (arguments_has(a, switches[i][0]))
			strv_add(tool, switches[i][1]);
	return 0;
}
