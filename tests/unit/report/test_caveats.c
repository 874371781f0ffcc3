/* SPDX-License-Identifier: MIT */
/* What is said about the time in hooks: a share of enough samples, or why there is none. */
#include "unit/lib.h"

#include "analyse/caveats.h"

static void must_say(int64_t samples, int64_t in_hooks, int64_t died_of, const char *text)
{
	struct run run = {.samples = samples, .hook_samples = in_hooks, .died_of = died_of};
	struct findings caveats = {0};
	caveats_hooks(&run, "Costs do", &caveats);
	assert_int_equal(caveats.count, 1);
	assert_string_equal(caveats.lines[0], text);
	findings_free(&caveats);
}

static void test_share(void **state)
{
	(void)state;
	must_say(1000, 250, 0,
	         "Skein's own code ran in about 25 % of the CPU time outside the kernel (250 of 1,000 samples). Costs do not contain it.");
	must_say(100, 0, 0,
	         "Skein's own code ran in about 0 % of the CPU time outside the kernel (0 of 100 samples). Costs do not contain it.");
}

static void test_reasons(void **state)
{
	(void)state;
	must_say(99, 50, 0, "What Skein itself took is not measured: the run was too short. Costs do not contain it.");
	must_say(0, 0, 0, "What Skein itself took is not measured: the run was too short. Costs do not contain it.");
	must_say(RUN_UNKNOWN, RUN_UNKNOWN, RUN_UNKNOWN,
	         "What Skein itself took is not measured: the recording was recovered. Costs do not contain it.");
	must_say(
		RUN_UNKNOWN, RUN_UNKNOWN, 0,
		"What Skein itself took is not measured: the kernel does not let Skein look where the program is. Costs do not contain it.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_reasons),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
