/* SPDX-License-Identifier: MIT */
/* plan.c: what `skein record input` was asked for: as a plan of the pass (src/pass/input/input.h) with settings of the
 * session, and as options of the Valgrind tool (src/valgrind/main.c). */

#include <string.h>

#include "run/lens.h"

enum { USUAL_CELL = 4, LEAST_SIZES = 128, MOST_SIZES = 1 << 20, USUAL_SIZES = 1024 };

static unsigned log2_of(long bytes)
{
	return (unsigned)__builtin_ctzl((unsigned long)bytes);
}

/* What both ways of recording are told of. */
static int read_plan(const struct arguments *a, long *cell, long *sizes, bool *instructions, struct fail *why)
{
	const char *cost = arguments_value(a, OPTION_COST);
	if (arguments_number(a, OPTION_CELL, USUAL_CELL, 1, 16, cell, why) < 0 ||
	    arguments_number(a, OPTION_SIZES, USUAL_SIZES, LEAST_SIZES, MOST_SIZES, sizes, why) < 0)
		return -1;
	if (*cell & (*cell - 1))
		return fail_set(why, FAIL_USAGE, "--cell takes 1, 2, 4, 8 or 16 bytes, not %ld", *cell);
	if (cost && strcmp(cost, "blocks") != 0 && strcmp(cost, "instructions") != 0)
		return fail_set(why, FAIL_USAGE, "--cost takes blocks or instructions, not %.100s", cost);
	*instructions = cost && strcmp(cost, "instructions") == 0;
	return 0;
}

static int plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why)
{
	long cell = 0, sizes = 0;
	bool instructions = false;
	if (read_plan(a, &cell, &sizes, &instructions, why) < 0)
		return -1;
	session->mode = instructions ? MODE_INSTRUCTIONS : MODE_BLOCKS;
	session_plan_set(session, SESSION_CELL_LOG2, pool_print(&session->pool, "%u", log2_of(cell)));
	session_plan_set(session, SESSION_SIZES_MAX, pool_print(&session->pool, "%ld", sizes));
	plan_add(pass, PLAN_CELL, "%u", log2_of(cell));
	if (instructions)
		plan_add(pass, PLAN_COST, MODE_INSTRUCTIONS);
	if (arguments_has(a, OPTION_COUNT_LOCKS)) {
		plan_add(pass, PLAN_LOCKS, "1");
		session_plan_set(session, SESSION_LOCKS, "1");
	}
	return 0;
}

static bool tool_options(const struct arguments *a, struct strv *options)
{
	/* Options that need Valgrind even for a program of skein-cc come first. */
	static const struct {
		enum option asked;
		const char *told;
	} switches[] = {{OPTION_CONTEXTS, "--skein-contexts=yes"},
	                {OPTION_COUNT_RETURNS, "--skein-count-returns=yes"},
	                {OPTION_KEEP_FREED, "--skein-keep-freed=yes"},
	                {OPTION_COUNT_LOCKS, "--skein-count-locks=yes"}};
	enum { ONLY_THERE = 3 };
	bool must = arguments_has(a, OPTION_VALGRIND), instructions = false;
	struct fail said_before;
	long cell = 0, sizes = 0;
	if (read_plan(a, &cell, &sizes, &instructions, &said_before) < 0)
		return false;
	strv_addf(options, "--skein-cell=%ld", cell);
	strv_addf(options, "--skein-sizes=%ld", sizes);
	strv_addf(options, "--skein-cost=%s", instructions ? "instructions" : "blocks");
	for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
		if (arguments_has(a, switches[i].asked)) {
			strv_add(options, switches[i].told);
			must |= i < ONLY_THERE;
		}
	return must;
}

RUN_LENS_SAVE(struct inputs, inputs_build, store_save_input, inputs_free)

const struct run_lens run_lens_input = {
	.lens = &lens_input,
	.plan = plan,
	.tool = "skein",
	.tool_options = tool_options,
	.save = save,
};
