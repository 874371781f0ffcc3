/* SPDX-License-Identifier: MIT */
/* From raw recordings to the numbers and sentences of the idle lens, on a run whose answers are known.
 *
 * Called as `test_analysis --session FOLDER` it only writes the known run's session there, and as `test_analysis --recording
 * FILE` its recording. */
#include "unit/idle/result.h"

/* ---- a run that is known ---- */

static void logical_paths_have_no_runtime_and_one_root(void **state)
{
	(void)state;
	struct result r;
	idlemake_session(folder);
	analyse(&r);
	const struct idles *s = &r.idles;
	has(s, IDLES_LOGICAL, "root", 970, 925, 1900, 45);
	has(s, IDLES_LOGICAL, "prog", 970, 925, 1900, 45);
	has(s, IDLES_LOGICAL, "prog > _start > main", 970, 925, 1900, 45);
	has(s, IDLES_LOGICAL, "prog > _start > main > prepare@43 > loop@12 > line@13", 400, 400, 1200, 0);
	has(s, IDLES_LOGICAL, "prog > _start > main > task::work(int)@45", 340, 295, 10, 45);
	has(s, IDLES_LOGICAL, "prog > _start > main > task::work(int)@45 > step@22 > line@6", 295, 295, 0, 0);
	has(s, IDLES_LOGICAL, "prog > _start > main > task::work(int)@45 > line@26", 25, 0, 0, 25);
	has(s, IDLES_LOGICAL, "prog > _start > main > free_matrix@47 > free_matrix@33 > free@34", 200, 200, 600, 0);
	has(s, IDLES_LOGICAL, "prog > _start > main > toy_main@47 > line@7", 30, 30, 90, 0);
	for (size_t i = 0; i < s->scope_count; i++)
		if (s->scopes[i].tree == IDLES_LOGICAL && strncmp(s->run->routines[s->scopes[i].routine].name, "__kmp", 5) == 0)
			fail_msg("a frame of the runtime is on a logical path");
	done(&r);
}

static void physical_paths_are_stacks(void **state)
{
	(void)state;
	struct result r;
	idlemake_session(folder);
	analyse(&r);
	has(&r.idles, IDLES_PHYSICAL, "root", 970, 925, 1900, 45);
	has(&r.idles, IDLES_PHYSICAL, "prog > clone3", 220, 195, 0, 25);
	has(&r.idles, IDLES_PHYSICAL, "prog > clone3 > start_thread > __kmp_invoke_microtask > task::work(int) > step@22 > line@6", 195,
	    195, 0, 0);
	has(&r.idles, IDLES_PHYSICAL, "prog > clone3 > start_thread > __kmp_invoke_microtask > task::work(int) > __kmpc_omp_task_alloc@26",
	    25, 0, 0, 25);
	has(&r.idles, IDLES_PHYSICAL, "prog > _start > main > eval@47 > eval@61 > line@61", 30, 30, 90, 0);
	done(&r);
}

static void the_profilers_own_frames_are_what_they_stand_for(void **state)
{
	(void)state;
	struct result r;
	idlemake_session(folder);
	analyse(&r);
	has(&r.idles, IDLES_LOGICAL, "prog > _start > main > task::work(int)@45 > pthread_mutex_lock@24", 20, 0, 10, 20);
	done(&r);
}

static void overhead_has_kinds_and_samples_classes(void **state)
{
	(void)state;
	struct result r;
	idlemake_session(folder);
	analyse(&r);
	struct idles_sums total = idles_total(&r.idles, UINT32_MAX), first = idles_total(&r.idles, 1);
	assert_int_equal(total.overhead_by[IDLES_OVERHEAD_SYNC], 20 * MS);
	assert_int_equal(total.overhead_by[IDLES_OVERHEAD_TASK], 25 * MS);
	assert_int_equal(total.class_ns[RAW_IDLE_SERIAL], 630 * MS);
	assert_int_equal(total.class_ns[RAW_IDLE_UNDER], 20 * MS);
	assert_int_equal(total.class_ns[RAW_IDLE_FULL], 315 * MS);
	assert_int_equal(total.class_ns[RAW_IDLE_OVER], 5 * MS);
	assert_int_equal(idles_effort(&total), 2870 * MS);
	assert_true(first.samples == 120 && first.work_ns == 95 * MS && first.overhead_ns == 25 * MS);
	assert_true(r.idles.cores == 4 && r.idles.period_ns == MS && r.idles.unnamed == 0 && !r.idles.gomp);
	assert_true(r.idles.threads[0].cpu_ns == 760 * MS && r.idles.threads[1].paths_cut == 4);
	assert_string_equal(r.session.run.build_id, "b1d");
	done(&r);
}

static void events_that_were_counted_have_names(void **state)
{
	(void)state;
	struct result r;
	idlemake_session(folder);
	analyse(&r);
	assert_int_equal(r.idles.event_name_count, 1);
	assert_string_equal(r.idles.event_names[0], "LLC-misses");
	assert_int_equal(r.idles.event_count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct idles_event *e = &r.idles.events[i];
		assert_true(e->event == 0 && e->count == (e->thread == 0 ? 500000 : 200000));
	}
	must_say(&r.caveats, "The event r1234 could not be counted");
	done(&r);
}

/* ---- sentences ---- */

static void the_verdict_names_who_runs_serially(void **state)
{
	(void)state;
	struct result r;
	idlemake_session(folder);
	analyse(&r);
	assert_string_equal(
		r.verdict.lines[0],
		"Idle cores took 66 % of the effort; 63 % of that is charged to prepare (prog.c:10), which runs serially while 3 of 4 cores wait.");
	must_say(
		&r.verdict,
		"Make prepare (most at prog.c:13) parallel, do less there, or let it run beside other work. Removing this idleness saves at most 300 ms of 1.00 s.");
	must_say(&r.verdict, "free_matrix (prog.c:30), which runs serially while 3 of 4 cores wait (32 %)");
	assert_false(says(&r.verdict, "toy_main"));
	done(&r);
}

static void blame_is_the_users_routine_that_called(void **state)
{
	(void)state;
	struct result r;
	size_t count;
	idlemake_session(folder);
	analyse(&r);
	struct idles_blame *list = idles_blame(&r.idles, &count);
	assert_int_equal(count, 5);
	assert_string_equal(r.session.run.routines[list[1].routine].name, "free_matrix");
	assert_true(list[1].sums.idle_ns == 600 * MS && list[1].line == 34);
	assert_string_equal(r.session.run.routines[list[2].routine].name, "toy_main");
	assert_string_equal(r.session.run.routines[list[3].routine].name, "task::work(int)");
	assert_true(list[3].sums.overhead_ns == 45 * MS && list[3].line == 24);
	assert_string_equal(r.session.run.routines[list[4].routine].name, "step");
	free(list);
	done(&r);
}

/* A run of one routine with this much of each, in ms, on n cores; overhead is at a place in a runtime. */
static void one_routine(struct result *r, uint32_t cores, uint32_t samples, uint64_t work, uint64_t idle, uint64_t overhead,
                        uint64_t runtime)
{
	struct rawmake raw;
	idlemake_plan(folder);
	rawmake_start(&raw, RAW_FINISHED);
	raw.file->lens = RAW_LENS_IDLE;
	idlemake_how(&raw, cores);
	idlemake_module(&raw, IDLEMAKE_PROG, "b1d", "/home/me/prog");
	idlemake_module(&raw, IDLEMAKE_OMP, "0", "/opt/libomp.so.5");
	idlemake_module(&raw, IDLEMAKE_LIBC, "1", "/lib/of-tests/libc.so.6");
	rawmake_thread(&raw, 0, 0, 0, 1000000000, "prog");
	struct lcct_node *n = idlemake_table(&raw, RAW_IDLE_NODES, RAW_NO_LANE, 1, sizeof *n, 2);
	n[0] = idlemake_call(0, idlemake_place(IDLEMAKE_PROG, 0x1320));
	n[1] = idlemake_node(1, 1, SKEIN_1_0, runtime, 0);
	struct raw_idle_cost *c = idlemake_table(&raw, RAW_IDLE_COSTS, 0, 0, sizeof *c, 2);
	c[0] = idlemake_cost(1, samples, RAW_IDLE_FULL, work, idle);
	c[1] = idlemake_cost(2, 1, RAW_IDLE_FULL, overhead, 0);
	idlemake_write(&raw, folder, "1.raw");
	analyse(r);
}

static void table_1_has_four_rows(void **state)
{
	(void)state;
	struct result r;
	const uint64_t task = idlemake_place(IDLEMAKE_OMP, 0x410), lock = idlemake_place(IDLEMAKE_LIBC, 0x210);
	one_routine(&r, 2, 1000, 960, 20, 20, task);
	must_say(
		&r.verdict,
		"The cores were busy: idle cores took 2.0 % of the effort on 2 cores, and overhead 2.0 %. What is left is serial performance: task::work(int) (prog.c:20) has 100 % of the work.");
	assert_int_equal(idles_interpret(&(struct idles_sums){.work_ns = 96, .idle_ns = 2, .overhead_ns = 2}, 100, &usual),
	                 IDLES_EFFECTIVE);
	done(&r);
	one_routine(&r, 2, 1000, 900, 40, 60, task);
	must_say(&r.verdict,
	         "Overhead took 6.0 % of the effort (task creation 6.0 %), idle cores 4.0 %: make the pieces of parallel work larger");
	must_say(
		&r.verdict,
		"The tasks are too small: creating and scheduling them takes 6.0 % of the effort, most of it for task::work(int) (prog.c:20).");
	done(&r);
	one_routine(&r, 2, 1000, 900, 60, 40, task);
	must_say(
		&r.verdict,
		"Idle cores took 6.0 % of the effort; 100 % of that is charged to task::work(int) (prog.c:20), which keeps 1.9 of 2 cores busy.");
	must_say(
		&r.verdict,
		"Divide the work of task::work(int) (most at prog.c:24) into more and smaller pieces, or share it out more evenly. Removing this idleness");
	done(&r);
	one_routine(&r, 2, 1000, 500, 300, 200, lock);
	must_say(&r.verdict, "and overhead another 20 %: changing the task size will not help; try dividing the work differently.");
	must_say(
		&r.verdict,
		"The overhead is synchronisation 20 % of the effort; task::work(int) (prog.c:20) has the most of it, 100 %. Take locks less often");
	done(&r);
	one_routine(&r, 2, 1000, 500, 300, 200, task);
	must_say(&r.verdict, "and overhead another 20 %: the tasks are too small");
	must_say(&r.verdict, "The tasks are too small: creating");
	done(&r);
}

static void too_few_samples_get_no_verdict(void **state)
{
	(void)state;
	struct result r;
	one_routine(&r, 2, 28, 28, 28, 1, 0);
	must_say(&r.verdict, "Only 29 samples were taken while the program worked, too few for a verdict (30 are needed)");
	assert_int_equal(r.verdict.count, 1);
	done(&r);
	one_routine(&r, 1, 29, 29, 0, 1, 0);
	must_say(&r.verdict, "Only one core was allowed, so no core could be idle");
	done(&r);
}

static void what_may_be_wrong_is_said(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	idlemake_session(folder);
	analyse(&r);
	must_say(&r.caveats, "No events were lost.");
	must_say(
		&r.caveats,
		"970 samples, one per 1.00 ms of CPU time: idleness is 66.2 ± 1.7 % of the effort (95 %), and a share of the work is wrong by at most 3.1 points.");
	must_say(&r.caveats, "The call paths of 0.41 % of the samples end before the program's start");
	assert_false(says(&r.caveats, "add up to"));
	assert_false(says(&r.caveats, "raw system calls"));
	done(&r);
	idlemake_plan(folder);
	struct raw_idle_how *how = idlemake_start(&raw, 0);
	how->no_rings = 2;
	how->clock = RAW_IDLE_TIMER;
	how->unsampled = 1;
	how->nodes_lost = 9;
	idlemake_module(&raw, 9, "90", "/usr/lib/x86_64-linux-gnu/libgomp-of-tests.so.1");
	rawmake_thread(&raw, 3, 3, 400000000, 600000000, "half")->cpu_ns = 90 * MS;
	struct raw_idle_thread *more = idlemake_table(&raw, RAW_IDLE_THREAD, 3, 0, sizeof *more, 1);
	*more = (struct raw_idle_thread){.thread = 3, .cpu_ns = 60 * MS, .work_ns = 40 * MS, .own_ns = 20 * MS, .unseen_ns = 15 * MS};
	idlemake_write(&raw, folder, "1000.raw");
	analyse(&r);
	must_say(&r.caveats, "Waits of 2 threads in raw system calls could not be seen");
	must_say(&r.caveats, "CPU-time timers");
	must_say(&r.caveats, "1 thread could not be sampled");
	must_say(&r.caveats, "The call-path tree was full: 9 samples were lost");
	must_say(&r.caveats, "Process 1000 was killed or was still running");
	must_say(&r.caveats, "add up to 3.0 % less than the CPU time of the threads");
	must_say(&r.caveats, "The profiler itself took 2.1 % of the CPU time");
	must_say(&r.caveats, "1.6 % of the CPU time has no sample of its own");
	assert_non_null(strstr(r.verdict.lines[0], "libgomp"));
	done(&r);
}

static void code_without_symbols_is_counted(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	idlemake_plan(folder);
	idlemake_start(&raw, RAW_FINISHED);
	struct lcct_node *n = idlemake_table(&raw, RAW_IDLE_NODES, RAW_NO_LANE, 201, sizeof *n, 2);
	n[0] = idlemake_call(1, idlemake_place(IDLEMAKE_PROG, 0x9999));
	n[1] = idlemake_call(1, 0x7f0000001234); /* in no file */
	struct raw_idle_cost *c = idlemake_table(&raw, RAW_IDLE_COSTS, 2, 2, sizeof *c, 2);
	c[0] = idlemake_cost(201, 50, RAW_IDLE_FULL, 50, 0);
	c[1] = idlemake_cost(202, 10, RAW_IDLE_FULL, 10, 0);
	idlemake_write(&raw, folder, "1000.raw");
	analyse(&r);
	assert_int_equal(r.idles.unnamed, 60);
	has(&r.idles, IDLES_LOGICAL, "prog > _start > (unnamed)+0x0", 50, 50, 0, 0);
	has(&r.idles, IDLES_LOGICAL, "prog > _start > (unknown)", 10, 10, 0, 0);
	must_say(&r.caveats, "5.8 % of the samples are in code without symbols");
	done(&r);
}

/* ---- several processes, and files that lie ---- */

static void processes_have_scopes_of_their_own(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	idlemake_session(folder);
	idlemake_start(&raw, RAW_FINISHED | RAW_FORKED);
	raw.file->pid = 1001;
	raw.file->start_ns += 5;
	idlemake_write(&raw, folder, "1001.raw");
	analyse(&r);
	struct idles_sums total = idles_total(&r.idles, UINT32_MAX);
	assert_true(total.samples == 2 * 970 && total.idle_ns == 3800 * MS);
	assert_int_equal(r.session.run.thread_count, 6);
	size_t processes = 0;
	for (size_t i = 0; i < r.idles.scope_count; i++)
		processes += r.idles.scopes[i].kind == IDLES_PROCESS && r.idles.scopes[i].tree == IDLES_LOGICAL;
	assert_int_equal(processes, 2);
	assert_int_equal(idles_total(&r.idles, 4).samples, 120);
	done(&r);
}

static void a_file_that_lies_loses_samples_not_the_report(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	idlemake_plan(folder);
	idlemake_start(&raw, RAW_FINISHED);
	struct lcct_node *n = idlemake_table(&raw, RAW_IDLE_NODES, RAW_NO_LANE, 300, sizeof *n, 4);
	n[0] = idlemake_call(301, idlemake_place(IDLEMAKE_PROG, 0x1110)); /* each other's parents */
	n[1] = idlemake_call(300, idlemake_place(IDLEMAKE_PROG, 0x1210));
	n[2] = idlemake_node(302, 1, SKEIN_1_0, 0, 0);                    /* its own, and nowhere */
	n[3] = idlemake_call(999, idlemake_place(IDLEMAKE_PROG, 0x1410)); /* an orphan */
	idlemake_table(&raw, RAW_IDLE_NODES, RAW_NO_LANE, UINT32_MAX, sizeof *n, 3);
	struct raw_idle_cost *c = idlemake_table(&raw, RAW_IDLE_COSTS, 7, 77, sizeof *c, 5);
	for (uint32_t i = 0; i < 4; i++)
		c[i] = idlemake_cost(300 + i, 1, RAW_IDLE_FULL, 1, 0);
	c[4] = idlemake_cost(12345, 3, RAW_IDLE_FULL, 3, 0);
	struct raw_idle_event *e = idlemake_table(&raw, RAW_IDLE_EVENTS, 7, 78, sizeof *e, 1);
	e[0] = (struct raw_idle_event){300, 99, 1};
	idlemake_write(&raw, folder, "1000.raw");
	analyse(&r);
	assert_int_equal(idles_total(&r.idles, UINT32_MAX).samples, 974);
	assert_int_equal(r.session.run.thread_count, 4);
	must_say(&r.caveats, "3 samples are left out");
	has(&r.idles, IDLES_LOGICAL, "prog > free_matrix > line@33", 1, 1, 0, 0);
	done(&r);
}

static void bodies_of_constructs_have_names(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {{"main.omp_outlined", "main (parallel)"},
	                                       {"main.omp_outlined.1", "main (parallel)"},
	                                       {".omp_outlined.", "(parallel)"},
	                                       {"_ZN4task4workEi.omp_outlined", "task::work(int) (parallel)"},
	                                       {".omp_task_entry..15", "(task)"},
	                                       {"fib._omp_fn.0", "fib (OpenMP)"},
	                                       {"step.cilk_for", "step (cilk_for)"},
	                                       {"f.cilk_spawn.2", "f (cilk_spawn)"},
	                                       {"main", "main"}};
	struct run run;
	struct pool pool = {0};
	run_start(&run);
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		uint32_t routine = run_routine(&run, &(struct run_routine){.object = RUN_NO_OBJECT, .linkage = pairs[i][0], .file = ""});
		assert_string_equal(idles_name(&pool, &run, routine), pairs[i][1]);
	}
	uint32_t routine =
		run_routine(&run,
	                    &(struct run_routine){.object = RUN_NO_OBJECT, .linkage = "g._omp_fn.1", .file = "", .kind = RUN_TASK_KIND});
	assert_string_equal(idles_name(&pool, &run, routine), "g (task)");
	pool_free(&pool);
	run_free(&run);
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "--session") == 0) {
		idlemake_session(argv[2]);
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "--recording") == 0) {
		make_folder(NULL);
		snprintf(recording, sizeof recording, "%s", argv[2]);
		idlemake_session(folder);
		save();
		return remove_folder(NULL);
	}
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
		TEST(logical_paths_have_no_runtime_and_one_root),
		TEST(physical_paths_are_stacks),
		TEST(the_profilers_own_frames_are_what_they_stand_for),
		TEST(overhead_has_kinds_and_samples_classes),
		TEST(events_that_were_counted_have_names),
		TEST(the_verdict_names_who_runs_serially),
		TEST(blame_is_the_users_routine_that_called),
		TEST(table_1_has_four_rows),
		TEST(too_few_samples_get_no_verdict),
		TEST(what_may_be_wrong_is_said),
		TEST(code_without_symbols_is_counted),
		TEST(processes_have_scopes_of_their_own),
		TEST(a_file_that_lies_loses_samples_not_the_report),
		TEST(bodies_of_constructs_have_names)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
