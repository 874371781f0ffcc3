/* SPDX-License-Identifier: MIT */
/* What the span lens says of a run: bounds, the verdict and its thresholds, doubts. */
#include "unit/span/result.h"

static void bounds_are_those_of_the_theory(void **state)
{
	(void)state;
	struct spans s = {.work = 56000, .span = 10000, .burdened_span = 20000};
	assert_true(fabs(spans_bound(&s, SPANS_SPAN, 64) - 5.6) < 1e-9);
	assert_true(fabs(spans_bound(&s, SPANS_LINEAR, 64) - 64) < 1e-9);
	assert_true(fabs(spans_bound(&s, SPANS_GREEDY, 2) - 56000.0 / 33000) < 1e-9);
	assert_true(fabs(spans_bound(&s, SPANS_BURDENED, 2) - 56000.0 / 45000) < 1e-9);
	for (int bound = 0; bound < SPANS_BOUNDS; bound++)
		assert_true(bound == SPANS_SPAN || fabs(spans_bound(&s, (enum spans_bound)bound, 1) - 1) < 1e-9);
	assert_true(fabs(spans_gain(&s, 56000, 1000, 8) - 8) < 1e-9);
	assert_true(fabs(spans_gain(&s, 56000, 1000, 0) - 56) < 1e-9);
	assert_true(isnan(spans_gain(&s, 0, 0, 0)));
	assert_true(spans_bound(&(struct spans){0}, SPANS_GREEDY, 4) == 1);
}

static void the_verdict_follows_its_thresholds(void **state)
{
	(void)state;
	struct result r;
	static const struct {
		uint64_t cores;
		const char *said;
	} cases[] = {{8, "5.6: the program cannot use the 8 cores"},
	             {5, "enough for the 5 cores of this machine but not ample (50 would be)"},
	             {1, "enough for the 1 core of"}};
	spanmake_session(folder);
	analyse(&r);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		r.spans.cores = cases[i].cores;
		findings_free(&r.verdict);
		spans_judge(&r.spans, &r.verdict, &r.caveats);
		must_say(&r.verdict, cases[i].said);
	}
	r.spans.work = 500000000;
	findings_free(&r.verdict);
	spans_judge(&r.spans, &r.verdict, &r.caveats);
	must_say(&r.verdict, "ample for the 1 core of");
	must_say(&r.verdict,
	         "sort::partition(int), called at sort.c:3 by pqsort, has the largest part of the span in itself, 90 %; it is serial");
	must_say(&r.verdict, "The grain is too fine");
	r.spans.burdened_span = r.spans.span;
	r.spans.work = 56000;
	findings_free(&r.verdict);
	spans_judge(&r.spans, &r.verdict, &r.caveats);
	assert_false(says(&r.verdict, "grain"));
	must_say(&r.verdict, "raise the parallelism to 56.0 at most");
	done(&r);
}

static void a_serial_program_is_sent_to_another_lens(void **state)
{
	(void)state;
	struct result r;
	struct spanmake m;
	spanmake_plan(folder, "");
	spanmake_start(&m, RAW_FINISHED);
	m.raw.file->span_events[RAW_SPAN_SPAWNS] = 0;
	m.sites[2] = (struct span_site){0};
	m.log[8].key = m.log[9].key = m.log[10].key;
	m.lane->work = m.lane->span = m.lane->burdened_span = 10000;
	spanmake_write(&m, folder, "1000.raw");
	analyse(&r);
	must_say(&r.verdict, "its parallelism is 1. Use `skein record calls`");
	done(&r);
}

static void doubts_are_told(void **state)
{
	(void)state;
	struct result r;
	struct spanmake m;
	spanmake_session(folder);
	analyse(&r);
	must_say(&r.caveats, "This is one serial run");
	assert_false(says(&r.caveats, "create/join"));
	assert_false(says(&r.caveats, "preemption"));
	done(&r);
	spanmake_start(&m, RAW_FINISHED);
	m.raw.file->lost[RAW_LOST_NO_MEMORY] = 12;
	m.raw.file->span_events[RAW_SPAN_THREADS] = 4;
	m.raw.file->span_events[RAW_SPAN_JOINED] = 3;
	m.raw.file->span_events[RAW_SPAN_LOCKS] = 9;
	m.sites[4].on_work[SPAN_LOCAL].work = 5600;
	spanmake_write(&m, folder, "1000.raw");
	analyse(&r);
	must_say(&r.caveats, ": 12.");
	must_say(&r.caveats, "locks, conditions or atomics. The span follows thread creation and join only");
	must_say(&r.caveats, "1 of 4 threads were never joined");
	must_say(&r.caveats, "Foreign code has 10 % of the work. Its work comes from a fixed model");
	done(&r);
	spanmake_start(&m, RAW_FINISHED);
	m.raw.file->span_clock = RAW_CLOCK_TSC;
	m.sites[4].on_work[SPAN_LOCAL].work = 5600;
	spanmake_write(&m, folder, "1000.raw");
	analyse(&r);
	must_say(&r.caveats, "one preemption");
	assert_false(says(&r.caveats, "Foreign code")); /* it was measured */
	done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_are_those_of_the_theory),
		cmocka_unit_test(the_verdict_follows_its_thresholds),
		cmocka_unit_test(a_serial_program_is_sent_to_another_lens),
		cmocka_unit_test(doubts_are_told),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
