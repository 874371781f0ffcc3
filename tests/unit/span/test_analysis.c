/* SPDX-License-Identifier: MIT */
/* From raw recordings to the numbers and sentences of the span lens, on a run whose answers are known.
 *
 * Called as `test_analysis --session FOLDER` it only writes that run's session there, for command-line tests. */
#include "unit/span/result.h"

static void sites_have_both_profiles(void **state)
{
	(void)state;
	struct result r;
	spanmake_session(folder);
	analyse(&r);
	assert_int_equal(r.spans.work, 56000);
	assert_int_equal(r.spans.span, 10000);
	assert_int_equal(r.spans.burdened_span, 25000);
	assert_true(fabs(spans_parallelism(&r.spans) - 5.6) < 1e-9);
	assert_int_equal(r.spans.site_count, 6); /* line 6 was never reached */
	assert_int_equal(local_spans(&r), 10000);
	const struct spans_site *partition = at(&r, 3);
	assert_string_equal(spans_caller(&r.spans, partition), "pqsort");
	assert_string_equal(spans_callee(&r.spans, partition), "sort::partition(int)");
	same_sum(&partition->sums[SPANS_ON_SPAN][SPAN_LOCAL], 10, 9000, 9000);
	same_sum(&partition->sums[SPANS_ON_SPAN][SPAN_TOP_CALLER], 1, 6000, 6000);
	same_sum(&partition->sums[SPANS_ON_WORK][SPAN_LOCAL], 100, 54000, 54000);
	same_sum(&at(&r, 5)->sums[SPANS_ON_SPAN][SPAN_LOCAL], 6, 400, 400);
	assert_int_equal(at(&r, 4)->kind, SPANS_SPAWN);
	assert_ptr_equal(spans_largest(&r.spans, 0), partition);
	done(&r);
}

static void a_site_that_is_never_open_twice_has_top_caller_from_top_site(void **state)
{
	(void)state;
	struct result r;
	spanmake_session(folder);
	analyse(&r);
	same_sum(&at(&r, 11)->sums[SPANS_ON_WORK][SPAN_TOP_CALLER], 1, 55750, 9750);
	same_sum(&at(&r, 11)->sums[SPANS_ON_SPAN][SPAN_TOP_CALLER], 1, 55750, 9750);
	same_sum(&at(&r, 5)->sums[SPANS_ON_SPAN][SPAN_TOP_CALLER], 0, 0, 0);
	done(&r);
}

static void foreign_sites_have_a_real_time_and_start_has_no_caller(void **state)
{
	(void)state;
	struct result r;
	spanmake_session(folder);
	analyse(&r);
	assert_true(at(&r, 10)->foreign);
	assert_int_equal(at(&r, 10)->real_ns, 20000); /* one call of 1000 ns stands for 20 */
	assert_int_equal(at(&r, 3)->real_ns, SPANS_UNKNOWN);
	assert_string_equal(spans_caller(&r.spans, at(&r, 9)), "(start)");
	assert_string_equal(spans_callee(&r.spans, at(&r, 9)), "main");
	done(&r);
}

static void the_path_is_in_the_order_of_the_log(void **state)
{
	(void)state;
	struct result r;
	static const uint32_t lines[] = {10, 3, 5, 11, 9};
	spanmake_session(folder);
	analyse(&r);
	for (uint32_t i = 0; i < 5; i++)
		assert_true(i == 0 || at(&r, lines[i])->place > at(&r, lines[i - 1])->place);
	done(&r);
}

static void lanes_are_added_up(void **state)
{
	(void)state;
	struct result r;
	struct spanmake m;
	spanmake_plan(folder, "");
	spanmake_start(&m, RAW_FINISHED);
	struct span_kept *lane = rawmake_table(&m.raw, RAW_SPAN_LANE, 1, sizeof *lane, 1);
	*lane = (struct span_kept){.work = 1000, .span = 900, .burdened_span = 950};
	struct span_site *sites = rawmake_table(&m.raw, RAW_SPAN_SITES, 1, sizeof *sites, SPANMAKE_SITES);
	((struct raw_table *)(void *)sites - 1)->object = 3;
	sites[1].on_work[SPAN_LOCAL] = (struct span_sum){7, 1000, 900};
	spanmake_write(&m, folder, "1000.raw");
	analyse(&r);
	assert_int_equal(r.spans.work, 57000);
	assert_int_equal(r.spans.span, 10000); /* that of thread 0 has the others in it */
	same_sum(&at(&r, 3)->sums[SPANS_ON_WORK][SPAN_LOCAL], 107, 55000, 54900);
	done(&r);
}

static void other_processes_are_named_and_left_out(void **state)
{
	(void)state;
	struct result r;
	struct spanmake m;
	spanmake_session(folder);
	spanmake_start(&m, RAW_FINISHED | RAW_FORKED);
	m.raw.file->pid = 1001;
	m.raw.file->start_ns++;
	m.lane->work = 5600;
	spanmake_write(&m, folder, "1001.raw");
	analyse(&r);
	assert_int_equal(r.spans.work, 56000);
	assert_int_equal(r.spans.other_work, 5600);
	must_say(&r.caveats, "first of 2 processes; the others did 5,600 more work, 10 %");
	done(&r);
	char path[160];
	snprintf(path, sizeof path, "%s/1001.raw", folder);
	unlink(path);
}

static void a_killed_process_has_what_had_ended(void **state)
{
	(void)state;
	struct result r;
	struct spanmake m;
	spanmake_plan(folder, "");
	spanmake_start(&m, 0);
	*m.lane = (struct span_kept){.log_number = m.lane->log_number, .end = 5 * sizeof *m.log};
	struct span_kept *lane = rawmake_table(&m.raw, RAW_SPAN_LANE, 1, sizeof *lane, 1);
	lane->work = 30; /* of a thread that had ended */
	spanmake_write(&m, folder, "1000.raw");
	analyse(&r);
	assert_int_equal(r.spans.span, 9200);
	assert_int_equal(r.spans.work, 56000); /* by its sites */
	must_say(&r.caveats, "Process 1000 was killed");
	done(&r);
}

static void under_a_site_everything_is_relative_to_it(void **state)
{
	(void)state;
	struct result r;
	struct spanmake m;
	spanmake_plan(folder, "under\t1\nunder_site\tpqsort\n");
	spanmake_start(&m, RAW_FINISHED);
	for (uint32_t lane = 0; lane < 2; lane++) {
		struct raw_span_under *under = rawmake_table(&m.raw, RAW_SPAN_UNDER, lane, sizeof *under, 1);
		*under = (struct raw_span_under){2, 20000, 4000, 5000, 2 * sizeof *m.log};
		m.log = rawmake_table(&m.raw, RAW_SPAN_LOG, lane, sizeof *m.log, 3);
		((struct raw_table *)(void *)m.log - 1)->object = RAW_SPAN_UNDER_LOG;
		m.log[0] = spanmake_entry(1, SPAN_LOCAL, 5, 3500, 3500);
		m.log[1] = spanmake_entry(2, SPAN_LOCAL, 5, 500, 500);
		m.log[2] = spanmake_entry(3, SPAN_LOCAL, 77, 77777, 77777); /* behind the end */
	}
	spanmake_write(&m, folder, "1000.raw");
	analyse(&r);
	assert_int_equal(r.spans.work, 40000);
	assert_int_equal(r.spans.span, 8000);
	assert_int_equal(r.spans.burdened_span, 10000);
	assert_int_equal(r.spans.program_work, 56000);
	assert_int_equal(r.spans.under_count, 4);
	assert_int_equal(local_spans(&r), 8000);
	must_say(&r.verdict, "Under pqsort the parallelism is 5.0");
	must_say(&r.caveats, "4 invocations");
	done(&r);
}

static void hostile_logs_are_read_no_further_than_they_go(void **state)
{
	(void)state;
	struct result r;
	struct spanmake m;
	for (int kind = 0; kind < 6; kind++) {
		spanmake_plan(folder, "");
		spanmake_start(&m, RAW_FINISHED);
		if (kind == 0)
			m.lane->end = UINT64_MAX;
		else if (kind == 1)
			m.log[5].sum.count = UINT64_MAX;
		else if (kind == 2)
			m.log[5].sum.count = 0;
		else if (kind == 3)
			m.log[2].key = UINT64_MAX - 1;
		else if (kind == 4)
			m.lane->log_number = 9;
		else
			m.what_ifs[0] = (struct raw_span_what_if){NAN, -1};
		spanmake_write(&m, folder, "1000.raw");
		analyse(&r);
		static const uint64_t expected[] = {10000, 9200, 9200, 1000, 0, 10000};
		assert_int_equal(local_spans(&r), expected[kind]);
		assert_int_equal(r.spans.what_if_count, kind == 5 ? 1 : 2);
		done(&r);
	}
}

static void an_object_with_no_table_is_a_note(void **state)
{
	(void)state;
	static const char *const bad[] = {"", "skein-table\t2\ns\t0\t4\t-1\t-\tf\t1\t1\tf\nend\t0\t1\n", "skein-table\t1\nend\t0\t0\n"};
	struct result r;
	spanmake_session(folder);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		rawmake_text(folder, "prog.table", bad[i]);
		analyse(&r);
		assert_int_equal(r.spans.work, 56000);
		assert_int_equal(r.spans.site_count, 0);
		must_say(&r.caveats, "no table");
		done(&r);
	}
}

static void a_table_shorter_than_the_rows_is_no_harm(void **state)
{
	(void)state;
	struct result r;
	spanmake_session(folder);
	rawmake_text(folder, "prog.table", "skein-table\t2\nr\t0\tmain\tf.c\t1\t-\ns\t0\t0\t-1\t-\tf.c\t11\t1\t-\nend\t1\t1\n");
	analyse(&r);
	assert_int_equal(r.spans.site_count, 1);
	assert_string_equal(spans_callee(&r.spans, at(&r, 11)), "(indirect)");
	done(&r);
}

/* Those of all lanes are added up; most calls come first, and what there was no room for comes last. */
static void calls_through_pointers_have_their_targets(void **state)
{
	(void)state;
	struct result r;
	spanmake_session_with_targets(folder);
	analyse(&r);
	const struct spans_site *site = at(&r, 6);
	assert_int_equal(site->target_count, 3);
	assert_int_equal(site->target_calls, 110);
	static const char *const names[] = {"(lib.so)+0x10", "(unknown)", "(other)"};
	static const uint64_t counts[] = {37, 23, 50};
	for (size_t i = 0; i < 3; i++) {
		const struct spans_target *t = &r.spans.targets[site->first_target + i];
		assert_string_equal(spans_target(&r.spans, t), names[i]);
		assert_int_equal(t->count, counts[i]);
	}
	assert_string_equal(spans_shown_targets(&r.spans.pool, &r.spans, site), "(lib.so)+0x10 37, (unknown) 23, (other) 50");
	assert_int_equal(at(&r, 3)->target_count, 0);
	assert_string_equal(spans_shown_targets(&r.spans.pool, &r.spans, at(&r, 3)), "");
	must_say(&r.caveats, "50 calls through pointers have no named target");
	done(&r);
}

static void recorded_what_ifs_keep_their_names(void **state)
{
	(void)state;
	struct result r;
	spanmake_session(folder);
	analyse(&r);
	assert_int_equal(r.spans.what_if_count, 2);
	assert_string_equal(r.spans.what_ifs[0].site, "partition");
	assert_true(r.spans.what_ifs[0].factor == 0.5 && r.spans.what_ifs[0].span == 5500);
	assert_string_equal(r.spans.what_ifs[1].site, "pqsort->partition");
	assert_true(r.spans.what_ifs[1].factor == 0 && r.spans.what_ifs[1].work == 2000);
	done(&r);
}

/* A thread's work stands at the site that created it, and is no call of it; and another thread than the first may call exit. */
static void work_without_a_count_is_kept_and_any_thread_may_end_the_program(void **state)
{
	(void)state;
	struct result r;
	struct spanmake m;
	spanmake_plan(folder, "");
	spanmake_start(&m, RAW_FINISHED);
	m.sites[5].on_work[SPAN_LOCAL] = (struct span_sum){0, 700, 600};
	((struct raw_table *)(void *)m.lane - 1)->lane = 4;
	((struct raw_table *)(void *)m.log - 1)->lane = 4;
	struct span_kept *lane = rawmake_table(&m.raw, RAW_SPAN_LANE, 0, sizeof *lane, 1);
	lane->work = 30;
	spanmake_write(&m, folder, "1000.raw");
	analyse(&r);
	same_sum(&at(&r, 6)->sums[SPANS_ON_WORK][SPAN_LOCAL], 0, 700, 600);
	assert_int_equal(r.spans.span, 10000);
	assert_int_equal(r.spans.work, 56030);
	assert_int_equal(local_spans(&r), 10000);
	done(&r);
}

static void creating_a_thread_is_a_spawn_and_no_foreign_work(void **state)
{
	(void)state;
	struct result r;
	struct spanmake m;
	spanmake_session(folder);
	rawmake_text(
		folder, "prog.table",
		"skein-table\t2\nr\t0\tmain\tf.c\t1\t-\ns\t0\t0\t-1\tpthread_create\tf.c\t7\t1\tf1\ns\t1\t0\t-1\tpthread_mutex_lock\tf.c\t8\t1\tf\nend\t1\t2\n");
	spanmake_start(&m, RAW_FINISHED);
	m.raw.file->span_events[RAW_SPAN_SPAWNS] = 0;
	m.raw.file->span_events[RAW_SPAN_THREADS] = m.raw.file->span_events[RAW_SPAN_JOINED] = 1;
	m.sites[0].on_work[SPAN_TOP_SITE] = (struct span_sum){1, 50, 9750}; /* the thread's work is in its own lane */
	spanmake_write(&m, folder, "1000.raw");
	analyse(&r);
	assert_int_equal(at(&r, 7)->kind, SPANS_SPAWN);
	assert_int_equal(r.spans.events[RAW_SPAN_SPAWNS], 0);
	assert_true(isnan(spans_sum_parallelism(&at(&r, 7)->sums[SPANS_ON_WORK][SPAN_TOP_SITE])));
	must_say(&r.caveats, "locks or conditions. The span follows thread creation and join only");
	done(&r);
}

static void spawns_and_loops_are_counted_by_their_sites(void **state)
{
	(void)state;
	struct result r;
	struct spanmake m;
	spanmake_plan(folder, "");
	spanmake_start(&m, RAW_FINISHED);
	m.raw.file->span_events[RAW_SPAN_SPAWNS] = 0;
	spanmake_write(&m, folder, "1000.raw");
	analyse(&r);
	assert_int_equal(r.spans.events[RAW_SPAN_SPAWNS], 100);
	assert_false(spans_is_serial(&r.spans));
	done(&r);
}

static void without_sites_there_are_none(void **state)
{
	(void)state;
	struct result r;
	struct spanmake m;
	spanmake_plan(folder, "mode\twhole\n");
	spanmake_start(&m, RAW_FINISHED);
	spanmake_write(&m, folder, "1000.raw");
	analyse(&r);
	assert_int_equal(r.spans.work, 56000);
	assert_int_equal(r.spans.site_count, 0);
	done(&r);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Whatever the reader lets through, the analysis, the verdict and the bounds survive. */
static void mutated_recordings_are_analysed_without_harm(void **state)
{
	(void)state;
	struct fail why;
	struct result r;
	char path[160];
	static unsigned char bytes[RAWMAKE_ROOM], copy[RAWMAKE_ROOM];
	uint64_t seed = 7;
	spanmake_session_with_targets(folder);
	snprintf(path, sizeof path, "%s/1000.raw", folder);
	FILE *file = fopen(path, "rb");
	size_t size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	for (int round = 0; round < 2000; round++) {
		memcpy(copy, bytes, size);
		for (int n = 0; n < 3; n++) {
			uint32_t word = (uint32_t)next_random(&seed) >> next_random(&seed) % 32;
			size_t place = RAW_HEADER_BYTES + (size_t)(next_random(&seed) % ((size - RAW_HEADER_BYTES) / 4)) * 4;
			memcpy(copy + place, &word, sizeof word);
		}
		file = fopen(path, "wb");
		fwrite(copy, 1, size, file);
		fclose(file);
		memset(&r, 0, sizeof r);
		if (session_read(&r.session, folder, &why) < 0)
			continue;
		spans_build(&r.session, &r.spans);
		spans_judge(&r.spans, &r.verdict, &r.caveats);
		done(&r);
	}
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "--session") == 0) {
		spanmake_session(argv[2]);
		return 0;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sites_have_both_profiles),
		cmocka_unit_test(a_site_that_is_never_open_twice_has_top_caller_from_top_site),
		cmocka_unit_test(foreign_sites_have_a_real_time_and_start_has_no_caller),
		cmocka_unit_test(the_path_is_in_the_order_of_the_log),
		cmocka_unit_test(lanes_are_added_up),
		cmocka_unit_test(other_processes_are_named_and_left_out),
		cmocka_unit_test(a_killed_process_has_what_had_ended),
		cmocka_unit_test(under_a_site_everything_is_relative_to_it),
		cmocka_unit_test(hostile_logs_are_read_no_further_than_they_go),
		cmocka_unit_test(an_object_with_no_table_is_a_note),
		cmocka_unit_test(a_table_shorter_than_the_rows_is_no_harm),
		cmocka_unit_test(recorded_what_ifs_keep_their_names),
		cmocka_unit_test(work_without_a_count_is_kept_and_any_thread_may_end_the_program),
		cmocka_unit_test(creating_a_thread_is_a_spawn_and_no_foreign_work),
		cmocka_unit_test(calls_through_pointers_have_their_targets),
		cmocka_unit_test(spawns_and_loops_are_counted_by_their_sites),
		cmocka_unit_test(without_sites_there_are_none),
		cmocka_unit_test(mutated_recordings_are_analysed_without_harm),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
