/* SPDX-License-Identifier: MIT */
/* From raw recordings to the numbers of the calls lens, on a run whose answers are known.
 *
 * Called as `test_analysis --session FOLDER` it only writes that run's session there, for command-line tests. */
#include "unit/lib.h"

#include "analyse/calls/calls.h"
#include "analyse/calls/verdict.h"

#include "unit/session.h" /* last: others have parameters that are called folder */

static void write_raw(const struct rawmake *raw, const char *name)
{
	char path[160];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	rawmake_write(raw, path);
}

struct result {
	struct session session;
	struct calls calls;
};

static void analyse(struct result *r)
{
	struct fail why;
	if (session_read(&r->session, folder, &why) < 0)
		fail_msg("%s", why.text);
	calls_build(&r->session, &r->calls);
}

static void done(struct result *r)
{
	calls_free(&r->calls);
	session_free(&r->session);
	run_free(&r->session.run);
}

static uint32_t routine(const struct result *r, const char *linkage)
{
	for (uint32_t i = 0; i < r->session.run.routine_count; i++)
		if (strcmp(r->session.run.routines[i].linkage, linkage) == 0)
			return i;
	fail_msg("no routine %s", linkage);
	return 0;
}

static void routines_have_cprofs_numbers(void **state)
{
	(void)state;
	struct result r;
	rawmake_session(folder);
	analyse(&r);
	uint32_t main_routine = routine(&r, "main"), work = routine(&r, "_ZN4task4workEi");
	struct calls_sum sum = calls_sum(&r.calls, main_routine, 0, CALLS_ALL);
	assert_int_equal(sum.elapsed_ns, 1000000000);
	assert_int_equal(sum.direct_ns, 10000000);
	assert_int_equal(sum.wait_ns, 590000000);
	/* What its threads did is callee time of main in their workers, and is not taken from its direct time. */
	sum = calls_sum(&r.calls, main_routine, 1, CALLS_ALL);
	assert_int_equal(sum.calls, 0);
	assert_int_equal(sum.direct_ns, 0);
	assert_int_equal(sum.callee_ns, 600000000);
	sum = calls_sum(&r.calls, work, CALLS_ALL, STATE_CONCURRENT);
	assert_int_equal(sum.calls, 2);
	assert_int_equal(sum.elapsed_ns, 1000000000);
	assert_int_equal(sum.direct_ns, 1000000000 - 400000000 - 100000000);
	assert_int_equal(sum.callee_calls, 1000);
	assert_false(calls_sum(&r.calls, work, CALLS_ALL, STATE_SEQUENTIAL).any);
	assert_int_equal(calls_total(&r.calls, CALLS_ALL).calls, 1004);
	assert_string_equal(r.session.run.routines[work].name, "task::work(int)");
	done(&r);
}

static void cpu_time_leaves_out_what_snapshots_saw_off_the_cores(void **state)
{
	(void)state;
	struct result r;
	rawmake_session(folder);
	analyse(&r);
	assert_int_equal(calls_cpu_ns(&r.calls, routine(&r, "prepare"), 400000000), 300000000);
	assert_int_equal(calls_cpu_ns(&r.calls, routine(&r, "never"), 5), 5);
	done(&r);
}

static void arcs_keep_their_case_and_sites_their_arc(void **state)
{
	(void)state;
	struct result r;
	rawmake_session(folder);
	analyse(&r);
	uint32_t work = routine(&r, "_ZN4task4workEi");
	bool found = false;
	for (size_t i = 0; i < r.calls.arc_count; i++)
		if (r.calls.arcs[i].callee == work) {
			found = true;
			assert_int_equal(r.calls.arcs[i].entry, STATE_SEQUENTIAL);
			assert_int_equal(r.calls.arcs[i].callee_call, STATE_CONCURRENT);
			assert_int_equal(r.calls.arcs[i].calls, 2);
		}
	assert_true(found);
	assert_int_equal(r.session.run.site_count, 3);
	done(&r);
}

static void workers_threads_and_losses_are_known(void **state)
{
	(void)state;
	struct result r;
	rawmake_session(folder);
	analyse(&r);
	const struct run *run = &r.session.run;
	assert_int_equal(run->worker_count, 3);
	assert_int_equal(run->workers[2].alive_ns, 400000000);
	assert_int_equal(run->workers[2].wait_ns[RAW_WAIT_LOCK], 100000000);
	assert_int_equal(run->thread_count, 3);
	assert_string_equal(run->threads[1].name, "worker-a");
	assert_int_equal(run_lost_events(run), 7);
	assert_int_equal(run->inlined_count, 2);
	struct calls_balance balance = calls_balance(&r.calls);
	assert_int_equal(balance.counted, 2); /* main has another job */
	assert_int_equal(balance.busiest, 1);
	done(&r);
}

static void open_activations_of_a_killed_process_end_at_its_last_sign(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	rawmake_session(folder);
	rawmake_start(&raw, 0);
	rawmake_object(&raw, 0, 1, 6, "b1d", "prog.table", "/cache/prog");
	struct calls_arc *arc = rawmake_table(&raw, RAW_CALLS_ARCS, 0, sizeof *arc, 2);
	arc[0] = (struct calls_arc){.callee = 1, .calls = 1, .callee_calls = 3, .callee_ticks = 100000000};
	arc[1] = (struct calls_arc){.caller = 1, .callee = 2, .calls = 3, .elapsed_ticks = 100000000, .outer_ticks = 100000000};
	struct raw_open *open = rawmake_table(&raw, RAW_CALLS_OPEN, 0, sizeof *open, 2);
	open[0] = (struct raw_open){.callee = 1, .outer = 1, .start_tsc = 1000000};
	open[1] = (struct raw_open){.caller = 1, .callee = 2, .outer = 1, .start_tsc = 1000000 + 800000000};
	write_raw(&raw, "1000.raw");
	analyse(&r);
	struct calls_sum sum = calls_sum(&r.calls, routine(&r, "main"), CALLS_ALL, CALLS_ALL);
	assert_int_equal(sum.elapsed_ns, 1000000000);
	assert_int_equal(sum.callee_ns, 300000000);
	assert_int_equal(sum.direct_ns, 700000000);
	sum = calls_sum(&r.calls, routine(&r, "prepare"), CALLS_ALL, CALLS_ALL);
	assert_int_equal(sum.calls, 3);
	assert_int_equal(sum.elapsed_ns, 300000000);
	rawmake_free(&raw);
	done(&r);
}

/* The runtime takes off what hooks cost; what is left of a very short routine may lie below zero, as two's complement. */
static void times_below_zero_are_zero(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	rawmake_session(folder);
	rawmake_start(&raw, RAW_FINISHED);
	rawmake_object(&raw, 0, 1, 6, "b1d", "prog.table", "/cache/prog");
	struct calls_arc *arc = rawmake_table(&raw, RAW_CALLS_ARCS, 0, sizeof *arc, 2);
	arc[0] = (struct calls_arc){
		.callee = 1, .calls = 1, .elapsed_ticks = 500, .outer_ticks = 500, .callee_calls = 9, .callee_ticks = -(uint64_t)143};
	arc[1] = (struct calls_arc){.caller = 1, .callee = 2, .calls = 9, .elapsed_ticks = -(uint64_t)143, .outer_ticks = -(uint64_t)143};
	write_raw(&raw, "1000.raw");
	analyse(&r);
	assert_int_equal(calls_sum(&r.calls, routine(&r, "main"), CALLS_ALL, CALLS_ALL).direct_ns, 500);
	assert_int_equal(calls_sum(&r.calls, routine(&r, "main"), CALLS_ALL, CALLS_ALL).callee_ns, 0);
	assert_int_equal(calls_sum(&r.calls, routine(&r, "prepare"), CALLS_ALL, CALLS_ALL).elapsed_ns, 0);
	assert_true(r.calls.negative_ns == 0);
	rawmake_free(&raw);
	done(&r);
}

/* prepare is entered sequentially and calls itself while others work: 700 ns of its 1000 are the second call's. */
static void a_recursive_call_has_its_time_in_its_own_state(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	rawmake_session(folder);
	rawmake_start(&raw, RAW_FINISHED);
	rawmake_object(&raw, 0, 1, 6, "b1d", "prog.table", "/cache/prog");
	struct calls_arc *arc = rawmake_table(&raw, RAW_CALLS_ARCS, 0, sizeof *arc, 4);
	arc[0] = (struct calls_arc){
		.callee = 1, .calls = 1, .elapsed_ticks = 1000, .outer_ticks = 1000, .callee_calls = 1, .callee_ticks = 1000};
	arc[1] = (struct calls_arc){
		.caller = 1, .callee = 2, .calls = 1, .elapsed_ticks = 1000, .outer_ticks = 1000, .callee_calls = 1, .callee_ticks = 700};
	arc[2] = (struct calls_arc){.caller = 2,
	                            .callee = 2,
	                            .flags = CALLS_CONCURRENT,
	                            .calls = 1,
	                            .elapsed_ticks = 700,
	                            .callee_calls = 1,
	                            .callee_ticks = 300};
	arc[3] = (struct calls_arc){.caller = 2,
	                            .callee = 4,
	                            .flags = CALLS_CONCURRENT | CALLS_CALLER_CONCURRENT,
	                            .calls = 1,
	                            .elapsed_ticks = 300,
	                            .outer_ticks = 300};
	write_raw(&raw, "1000.raw");
	analyse(&r);
	uint32_t prepare = routine(&r, "prepare");
	struct calls_sum alone = calls_sum(&r.calls, prepare, 0, STATE_SEQUENTIAL),
			 beside = calls_sum(&r.calls, prepare, 0, STATE_CONCURRENT);
	assert_int_equal(calls_sum(&r.calls, prepare, CALLS_ALL, CALLS_ALL).elapsed_ns, 1000);
	assert_int_equal(alone.calls, 1);
	assert_int_equal(alone.elapsed_ns, 300);
	assert_int_equal(alone.direct_ns, 300);
	assert_int_equal(beside.calls, 1);
	assert_int_equal(beside.elapsed_ns, 700);
	assert_int_equal(beside.direct_ns, 400);
	rawmake_free(&raw);
	done(&r);
}

/* main, work and main again: nobody knows in whose time the second main ran, but its own time is its own. */
static void recursion_through_others_keeps_direct_below_elapsed(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	rawmake_session(folder);
	rawmake_start(&raw, RAW_FINISHED);
	rawmake_object(&raw, 0, 1, 6, "b1d", "prog.table", "/cache/prog");
	struct calls_arc *arc = rawmake_table(&raw, RAW_CALLS_ARCS, 0, sizeof *arc, 3);
	arc[0] = (struct calls_arc){
		.callee = 1, .calls = 1, .elapsed_ticks = 1000, .outer_ticks = 1000, .callee_calls = 1, .callee_ticks = 800};
	arc[1] = (struct calls_arc){
		.caller = 1, .callee = 3, .calls = 1, .elapsed_ticks = 800, .outer_ticks = 800, .callee_calls = 1, .callee_ticks = 600};
	arc[2] = (struct calls_arc){
		.caller = 3, .callee = 1, .flags = CALLS_CONCURRENT, .calls = 1, .elapsed_ticks = 600, .wait_ticks = 200};
	write_raw(&raw, "1000.raw");
	analyse(&r);
	uint32_t main_routine = routine(&r, "main");
	struct calls_sum alone = calls_sum(&r.calls, main_routine, 0, STATE_SEQUENTIAL),
			 beside = calls_sum(&r.calls, main_routine, 0, STATE_CONCURRENT);
	assert_int_equal(beside.direct_ns, 400);
	assert_int_equal(beside.elapsed_ns, 600);
	assert_int_equal(alone.direct_ns, 200);
	assert_int_equal(alone.elapsed_ns, 400);
	rawmake_free(&raw);
	done(&r);
}

/* main, work, main beside others, and main alone again: what the third main had is never missing from the second. */
static void recursion_in_both_states_leaves_nothing_below_zero(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	rawmake_session(folder);
	rawmake_start(&raw, RAW_FINISHED);
	rawmake_object(&raw, 0, 1, 6, "b1d", "prog.table", "/cache/prog");
	struct calls_arc *arc = rawmake_table(&raw, RAW_CALLS_ARCS, 0, sizeof *arc, 4);
	arc[0] = (struct calls_arc){
		.callee = 1, .calls = 1, .elapsed_ticks = 1000, .outer_ticks = 1000, .callee_calls = 1, .callee_ticks = 800};
	arc[1] = (struct calls_arc){
		.caller = 1, .callee = 3, .calls = 1, .elapsed_ticks = 800, .outer_ticks = 800, .callee_calls = 1, .callee_ticks = 600};
	arc[2] = (struct calls_arc){.caller = 3,
	                            .callee = 1,
	                            .flags = CALLS_CONCURRENT,
	                            .calls = 1,
	                            .elapsed_ticks = 600,
	                            .callee_calls = 1,
	                            .callee_ticks = 500};
	arc[3] = (struct calls_arc){.caller = 1, .callee = 1, .flags = CALLS_CALLER_CONCURRENT, .calls = 1, .elapsed_ticks = 500};
	write_raw(&raw, "1000.raw");
	analyse(&r);
	uint32_t main_routine = routine(&r, "main");
	struct calls_sum alone = calls_sum(&r.calls, main_routine, 0, STATE_SEQUENTIAL),
			 beside = calls_sum(&r.calls, main_routine, 0, STATE_CONCURRENT);
	assert_int_equal(beside.direct_ns, 100);
	assert_int_equal(beside.elapsed_ns, 100);
	assert_int_equal(beside.nested_ns, 0);
	assert_int_equal(alone.direct_ns, 700);
	assert_int_equal(alone.elapsed_ns, 900);
	assert_int_equal(alone.nested_ns, 0);
	rawmake_free(&raw);
	done(&r);
}

static void counts_have_no_times(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	rawmake_session(folder);
	rawmake_start(&raw, RAW_FINISHED | RAW_COUNTS);
	rawmake_object(&raw, 0, 1, 6, "b1d", "prog.table", "/cache/prog");
	struct raw_site_count *sites = rawmake_table(&raw, RAW_CALLS_SITES, 0, sizeof *sites, 4);
	sites[0].sequential = 1;
	sites[1].concurrent = 300;
	sites[2].sequential = 200;
	sites[3].sequential = 99; /* its callee is not known: counted where it is entered */
	struct calls_arc *arc = rawmake_table(&raw, RAW_CALLS_ARCS, 1, sizeof *arc, 1);
	arc[0] = (struct calls_arc){.callee = 3, .flags = CALLS_CONCURRENT, .calls = 2};
	write_raw(&raw, "1000.raw");
	analyse(&r);
	struct calls_sum sum = calls_sum(&r.calls, routine(&r, "_ZN4task4workEi"), CALLS_ALL, CALLS_ALL);
	assert_int_equal(sum.calls, 2);
	assert_int_equal(sum.callee_calls, 500);
	assert_int_equal(sum.elapsed_ns, RUN_UNKNOWN);
	assert_int_equal(calls_total(&r.calls, CALLS_ALL).calls, 503);
	assert_int_equal(calls_total(&r.calls, CALLS_ALL).direct_ns, RUN_UNKNOWN);
	rawmake_free(&raw);
	done(&r);
}

static void processes_are_added_and_unions_stay_below_the_run(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	rawmake_session(folder);
	rawmake_start(&raw, RAW_FINISHED | RAW_FORKED);
	raw.file->pid = 1001;
	raw.file->snapshots = 10;
	rawmake_object(&raw, 0, 101, 6, "b1d", "prog.table", "/cache/prog"); /* other numbers, the same routines */
	struct calls_arc *arc = rawmake_table(&raw, RAW_CALLS_ARCS, 0, sizeof *arc, 1);
	arc[0] = (struct calls_arc){.callee = 101, .calls = 5};
	struct raw_inside *inside = rawmake_table(&raw, RAW_CALLS_INSIDE, RAW_NO_LANE, sizeof *inside, 1);
	inside[0] = (struct raw_inside){.routine = 101, .snapshots = 10, .union_ticks = 1000000000};
	write_raw(&raw, "1001.raw");
	analyse(&r);
	uint32_t main_routine = routine(&r, "main");
	assert_int_equal(calls_sum(&r.calls, main_routine, CALLS_ALL, CALLS_ALL).calls, 6);
	assert_int_equal(calls_sum(&r.calls, main_routine, 3, CALLS_ALL).calls, 5); /* workers are numbered through */
	assert_int_equal(calls_inside_of(&r.calls, main_routine)->union_ns, r.session.run.wall_ns);
	rawmake_free(&raw);
	done(&r);
	char path[160];
	snprintf(path, sizeof path, "%s/1001.raw", folder);
	unlink(path);
}

static void a_bad_raw_file_among_good_ones_is_a_note(void **state)
{
	(void)state;
	struct result r;
	rawmake_session(folder);
	rawmake_text(folder, "1002.raw", "nonsense");
	analyse(&r);
	assert_int_equal(r.session.process_count, 1);
	assert_int_equal(r.session.run.note_count, 1);
	done(&r);
	char path[160];
	snprintf(path, sizeof path, "%s/1002.raw", folder);
	unlink(path);
}

static void bad_tables_and_sessions_are_refused_or_noted(void **state)
{
	(void)state;
	static const char *const bad[] = {"",
	                                  "skein-table\t99\nend\t0\t0\n",
	                                  "skein-table\t2\nr\t1\tx\tf\t1\t-\nend\t1\t0\n",
	                                  "skein-table\t2\nr\t0\tx\tf\t1\t-\n",
	                                  "skein-table\t2\ns\t0\t4\t-1\t-\tf\t1\t1\nend\t0\t1\n",
	                                  "skein-table\t2\ni\tx\tf\t1\t9\nend\t0\t0\n",
	                                  "skein-table\t2\nend\t5\t0\n"};
	struct result r;
	struct fail why;
	rawmake_session(folder);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		rawmake_text(folder, "prog.table", bad[i]);
		analyse(&r);
		assert_true(r.session.run.note_count >= 1);
		assert_int_equal(calls_total(&r.calls, CALLS_ALL).calls, 1004); /* counted, without names */
		done(&r);
	}
	rawmake_text(folder, "session", "lens\tcalls\n");
	assert_int_equal(session_read(&r.session, folder, &why), -1);
	assert_int_equal(session_read(&r.session, "/nowhere", &why), -1);
	assert_int_equal(why.status, FAIL_NOT_FOUND);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Whatever the reader lets through, the analysis, the verdict and the sums survive. */
static void mutated_recordings_are_analysed_without_harm(void **state)
{
	(void)state;
	struct result r;
	struct fail why;
	char path[160];
	static unsigned char bytes[RAWMAKE_ROOM], copy[RAWMAKE_ROOM];
	uint64_t seed = 7;
	rawmake_session(folder);
	snprintf(path, sizeof path, "%s/1000.raw", folder);
	FILE *file = fopen(path, "rb");
	size_t size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	for (int round = 0; round < 1000; round++) {
		memcpy(copy, bytes, size);
		for (int n = 0; n < 3; n++) {
			uint32_t word = (uint32_t)next_random(&seed) >> next_random(&seed) % 32;
			size_t at = RAW_HEADER_BYTES + (size_t)(next_random(&seed) % ((size - RAW_HEADER_BYTES) / 4)) * 4;
			memcpy(copy + at, &word, sizeof word);
		}
		file = fopen(path, "wb");
		fwrite(copy, 1, size, file);
		fclose(file);
		if (session_read(&r.session, folder, &why) < 0)
			continue;
		struct findings verdict = {0}, caveats = {0};
		calls_build(&r.session, &r.calls);
		calls_judge(&r.calls, &verdict, &caveats);
		findings_free(&verdict);
		findings_free(&caveats);
		done(&r);
	}
}

static void sampling_error_is_binomial(void **state)
{
	(void)state;
	assert_true(calls_error(500, 1000) > 0.0309 && calls_error(500, 1000) < 0.0311);
	assert_true(calls_error(0, 0) == 1);
	assert_true(calls_error(5000, 1000) == 0);
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "--session") == 0) {
		rawmake_session(argv[2]);
		return 0;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(routines_have_cprofs_numbers),
		cmocka_unit_test(cpu_time_leaves_out_what_snapshots_saw_off_the_cores),
		cmocka_unit_test(arcs_keep_their_case_and_sites_their_arc),
		cmocka_unit_test(workers_threads_and_losses_are_known),
		cmocka_unit_test(open_activations_of_a_killed_process_end_at_its_last_sign),
		cmocka_unit_test(times_below_zero_are_zero),
		cmocka_unit_test(a_recursive_call_has_its_time_in_its_own_state),
		cmocka_unit_test(recursion_through_others_keeps_direct_below_elapsed),
		cmocka_unit_test(recursion_in_both_states_leaves_nothing_below_zero),
		cmocka_unit_test(counts_have_no_times),
		cmocka_unit_test(processes_are_added_and_unions_stay_below_the_run),
		cmocka_unit_test(a_bad_raw_file_among_good_ones_is_a_note),
		cmocka_unit_test(bad_tables_and_sessions_are_refused_or_noted),
		cmocka_unit_test(mutated_recordings_are_analysed_without_harm),
		cmocka_unit_test(sampling_error_is_binomial),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
