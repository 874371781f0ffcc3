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
	} cases[] = {
		{8,
	         "The parallelism is 5.6: the program cannot use the 8 cores of this machine, because sort::partition(int) is serial, and only 6.0 of its calls can run at once on average."},
		{5, "The parallelism is 5.6: enough for the 5 cores of this machine, but not ample (50 or more)."},
		{1,
	         "enough for the 1 core of this machine, but not ample (10 or more). No number of cores makes the program more than 5.6 "
	         "times as fast as one core."}};
	spanmake_session(folder);
	analyse(&r);
	r.spans.burdened_span = r.spans.span;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		r.spans.cores = cases[i].cores;
		findings_free(&r.verdict);
		spans_judge(&r.spans, &r.verdict, &r.caveats);
		must_say(&r.verdict, cases[i].said);
	}
	r.spans.work = 500000000;
	findings_free(&r.verdict);
	spans_judge(&r.spans, &r.verdict, &r.caveats);
	must_say(&r.verdict, "The parallelism is 50,000, ample for the 1 core of this machine (10 per core or more)");
	must_say(&r.verdict, "sort::partition(int), called at sort.c:3 by pqsort, alone accounts for 90 % of the span; it is serial.");
	assert_false(says(&r.verdict, "make it parallel"));
	r.spans.work = 56000;
	findings_free(&r.verdict);
	spans_judge(&r.spans, &r.verdict, &r.caveats);
	must_say(&r.verdict, "; it is serial: make it parallel, or do less there.");
	must_say(&r.verdict, "If sort::partition(int) were perfectly parallel, the parallelism could rise to 56.0");
	done(&r);
}

/* The cost of scheduling is the news where it decides, and is not mentioned where it does not. */
static void the_burden_is_told_where_it_decides(void **state)
{
	(void)state;
	struct result r;
	spanmake_session(folder);
	analyse(&r);
	r.spans.cores = 2;
	r.spans.burdened_span = 35000;
	findings_free(&r.verdict);
	spans_judge(&r.spans, &r.verdict, &r.caveats);
	must_say(
		&r.verdict,
		"Tasks are too small: with the cost of scheduling the parallelism is 1.6, not 5.6, too little for the 2 cores of this machine.");
	assert_false(says(&r.verdict, "make it parallel"));
	r.spans.work = 5600000;
	findings_free(&r.verdict);
	spans_judge(&r.spans, &r.verdict, &r.caveats);
	must_say(&r.verdict, "The parallelism is 560, ample");
	assert_false(says(&r.verdict, "too small"));
	r.spans.work = 56000;
	r.spans.burdened_span = 18000;
	findings_free(&r.verdict);
	spans_judge(&r.spans, &r.verdict, &r.caveats);
	assert_false(says(&r.verdict, "too small"));
	must_say(&r.verdict, "The parallelism is 5.6: enough for");
	done(&r);
}

/* Thresholds of what makes the figure a bound, a guess or an estimate. */
static void the_first_sentence_says_what_the_figure_is(void **state)
{
	(void)state;
	struct result r;
	struct run_worker worker = {.alive_ns = 1000, .wait_ns = {[RAW_WAIT_JOIN] = 200, [RAW_WAIT_LOCK] = 39}};
	spanmake_session(folder);
	analyse(&r);
	r.spans.burdened_span = r.spans.span;
	struct run run = *r.spans.run;
	run.workers = &worker;
	run.worker_count = 1;
	r.spans.run = &run;
	findings_free(&r.verdict);
	spans_judge(&r.spans, &r.verdict, &r.caveats);
	assert_false(says(&r.verdict, "waited"));
	worker.wait_ns[RAW_WAIT_LOCK] = 400;
	worker.wait_ns[RAW_WAIT_IO] = 300;
	findings_free(&r.verdict);
	spans_judge(&r.spans, &r.verdict, &r.caveats);
	must_say(&r.verdict,
	         "The parallelism is at most 5.6, and smaller in fact: threads waited 50 % of their time (400 ns of 800 ns) for locks");
	worker.wait_ns[RAW_WAIT_LOCK] = 0;
	struct spans_site *foreign = NULL;
	for (size_t i = 0; i < r.spans.site_count; i++)
		foreign = r.spans.sites[i].foreign ? &r.spans.sites[i] : foreign;
	struct span_sum was = foreign->sums[SPANS_ON_SPAN][SPAN_LOCAL];
	foreign->sums[SPANS_ON_SPAN][SPAN_LOCAL].span = r.spans.span / 2;
	findings_free(&r.verdict);
	spans_judge(&r.spans, &r.verdict, &r.caveats);
	must_say(&r.verdict, "The parallelism is about 5.6, a guess: foreign code is 0.36 % of the work and 50 % of the span");
	r.spans.work *= 1000;
	findings_free(&r.verdict);
	spans_judge(&r.spans, &r.verdict, &r.caveats);
	must_say(&r.verdict, "The parallelism is 5,600, ample");
	r.spans.work /= 1000;
	foreign->sums[SPANS_ON_SPAN][SPAN_LOCAL] = was;
	r.spans.open_work = r.spans.work / 2;
	r.spans.running = 1;
	r.spans.events[RAW_SPAN_THREADS] = 3;
	findings_free(&r.verdict);
	spans_judge(&r.spans, &r.verdict, &r.caveats);
	must_say(&r.verdict, "The parallelism is about 5.6: 1 of 3 threads had not ended.");
	r.spans.run = &r.session.run;
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
	must_say(&r.caveats, "Foreign code has 10 % of the work and 2.0 % of the span. Its cost comes from a fixed model");
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
		cmocka_unit_test(bounds_are_those_of_the_theory),           cmocka_unit_test(the_verdict_follows_its_thresholds),
		cmocka_unit_test(the_burden_is_told_where_it_decides),      cmocka_unit_test(the_first_sentence_says_what_the_figure_is),
		cmocka_unit_test(a_serial_program_is_sent_to_another_lens), cmocka_unit_test(doubts_are_told),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
