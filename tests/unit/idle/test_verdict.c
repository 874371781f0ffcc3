/* SPDX-License-Identifier: MIT */
/* The idle lens's sentences about waiting and overhead: locks, times in which no thread worked, threads without a core, the start of
 * a runtime. */
#include "unit/idle/result.h"

enum { MAIN = 1, WORK, LOCKING, FREE, RUNTIME, NODES = RUNTIME };

/* A run of task::work on two cores: ms of work, with ms of idleness; main calls it, and free_matrix. */
static void begin(struct rawmake *raw, uint64_t work, uint64_t idle, const char *settings)
{
	idlemake_plan(folder);
	if (settings) {
		char text[600];
		snprintf(text, sizeof text, "%s%s", "lens\tidle\nmode\tsampled\nnative\t/home/me/prog\ncommand\t./prog\n", settings);
		rawmake_text(folder, "session", text);
	}
	rawmake_start(raw, RAW_FINISHED);
	raw->file->lens = RAW_LENS_IDLE;
	idlemake_how(raw, 2);
	idlemake_module(raw, IDLEMAKE_PROG, "b1d", "/home/me/prog");
	idlemake_module(raw, IDLEMAKE_LIBC, "1", "/lib/of-tests/libc.so.6");
	idlemake_module(raw, IDLEMAKE_OMP, "0", "/opt/libomp.so.5");
	rawmake_thread(raw, 0, 0, 0, 1000000000, "prog");
	struct lcct_node *n = (struct lcct_node *)idlemake_table(raw, RAW_IDLE_NODES, RAW_NO_LANE, 1, sizeof *n, NODES) - 1;
	n[MAIN] = idlemake_call(0, idlemake_place(IDLEMAKE_PROG, 0x1110));
	n[WORK] = idlemake_call(MAIN, idlemake_place(IDLEMAKE_PROG, 0x1320));
	n[LOCKING] = idlemake_node(WORK, 1, SKEIN_1_0, idlemake_place(IDLEMAKE_LIBC, 0x210), 0);
	n[FREE] = idlemake_call(MAIN, idlemake_place(IDLEMAKE_PROG, 0x1410));
	n[RUNTIME] = idlemake_node(WORK, 1, SKEIN_1_0, idlemake_place(IDLEMAKE_OMP, 0x610), 0);
	struct raw_idle_cost *c = idlemake_table(raw, RAW_IDLE_COSTS, 0, 0, sizeof *c, 1);
	c[0] = idlemake_cost(WORK, (uint32_t)work, RAW_IDLE_UNDER, work, idle);
}

static void add_why(struct rawmake *raw, uint32_t node, uint32_t why, uint64_t ms)
{
	struct raw_idle_why *row = idlemake_table(raw, RAW_IDLE_WHY, 0, 0, sizeof *row, 1);
	*row = (struct raw_idle_why){node, why, ms * MS};
}

static struct raw_idle_wait *add_wait(struct rawmake *raw, uint32_t node, enum raw_wait kind, uint64_t object, uint64_t ms,
                                      uint64_t quiet_ms)
{
	struct raw_idle_wait *row = idlemake_table(raw, RAW_IDLE_WAITS, 0, 0, sizeof *row, 1);
	*row = (struct raw_idle_wait){
		.node = node, .kind = kind, .object = object, .waits = 1, .wait_ns = ms * MS, .quiet_ns = quiet_ms * MS};
	return row;
}

static void end(struct rawmake *raw, struct result *r)
{
	idlemake_write(raw, folder, "1.raw");
	analyse(r);
}

static void a_lock_is_named_with_who_holds_it(void **state)
{
	(void)state;
	struct rawmake raw;
	struct result r;
	const uint64_t lock = idlemake_place(IDLEMAKE_PROG, 0x8000);
	begin(&raw, 500, 500, NULL);
	add_why(&raw, WORK, RAW_IDLE_HELD, 400);
	add_why(&raw, WORK, RAW_WAIT_LOCK, 50);
	add_wait(&raw, LOCKING, RAW_WAIT_LOCK, lock, 400, 0);
	end(&raw, &r);
	assert_string_equal(r.verdict.lines[0],
	                    "Idle cores took 50 % of the effort; for 90 % of that, other threads waited for the lock table_lock, which "
	                    "task::work(int) (prog.c:20) holds.");
	must_say(&r.verdict,
	         "Hold table_lock for less time, or split it (task::work(int) takes it at prog.c:24): removing this idleness "
	         "saves at most 225 ms of 1.00 s.");
	assert_false(says(&r.verdict, "Divide the work"));
	done(&r);
	/* Another routine holds it than the one that waits. */
	begin(&raw, 500, 500, NULL);
	add_why(&raw, WORK, RAW_IDLE_HELD, 450);
	add_wait(&raw, FREE, RAW_WAIT_LOCK, 0, 400, 0);
	end(&raw, &r);
	must_say(&r.verdict,
	         "other threads waited for a lock, held in task::work(int) (prog.c:20), for which free_matrix (prog.c:30) waits.");
	done(&r);
	/* Another routine, with which the lock has nothing to do, has more idleness. */
	begin(&raw, 500, 300, NULL);
	add_why(&raw, WORK, RAW_IDLE_HELD, 300);
	add_wait(&raw, LOCKING, RAW_WAIT_LOCK, lock, 300, 0);
	struct raw_idle_cost *c = idlemake_table(&raw, RAW_IDLE_COSTS, 0, 0, sizeof *c, 1);
	c[0] = idlemake_cost(FREE, 500, RAW_IDLE_SERIAL, 500, 500);
	end(&raw, &r);
	assert_string_equal(r.verdict.lines[0],
	                    "Idle cores took 44 % of the effort; 62 % of that is charged to free_matrix (prog.c:30), "
	                    "which runs serially while 1 of 2 cores waits.");
	done(&r);
	/* A short wait is not the reason. */
	begin(&raw, 500, 500, NULL);
	add_why(&raw, WORK, RAW_IDLE_HELD, 20);
	add_wait(&raw, LOCKING, RAW_WAIT_LOCK, lock, 20, 0);
	end(&raw, &r);
	assert_false(says(&r.verdict, "table_lock"));
	must_say(&r.verdict, "Divide the work of task::work(int)");
	done(&r);
}

static void advice_follows_what_others_wait_for(void **state)
{
	(void)state;
	static const struct {
		uint32_t why;
		const char *said, *advice;
	} all[] = {{RAW_WAIT_BARRIER, "other threads wait at a barrier meanwhile", "out more evenly between barriers"},
	           {RAW_WAIT_CONDITION, "other threads wait for a condition meanwhile", "hand its results over earlier"},
	           {RAW_WAIT_SEMAPHORE, "other threads wait for a semaphore meanwhile", "hand its results over earlier"},
	           {RAW_WAIT_TASK, "other threads wait for tasks meanwhile", "into more and smaller pieces"},
	           {RAW_WAIT_SLEEP, "other threads sleep meanwhile", "into more and smaller pieces"}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct rawmake raw;
		struct result r;
		begin(&raw, 500, 300, NULL);
		add_why(&raw, WORK, all[i].why, 200);
		end(&raw, &r);
		must_say(&r.verdict, all[i].said);
		must_say(&r.verdict, all[i].advice);
		done(&r);
	}
}

static void threads_that_take_turns_are_not_a_serial_program(void **state)
{
	(void)state;
	struct rawmake raw;
	struct result r;
	begin(&raw, 1, 1, NULL);
	struct raw_idle_cost *c = idlemake_table(&raw, RAW_IDLE_COSTS, 0, 0, sizeof *c, 1);
	c[0] = idlemake_cost(WORK, 500, RAW_IDLE_SERIAL, 500, 500);
	add_why(&raw, WORK, RAW_WAIT_SEMAPHORE, 490);
	end(&raw, &r);
	assert_non_null(strstr(r.verdict.lines[0], "Idle cores took 50 % of the effort; 100 % of that is charged to task::work(int)"));
	assert_false(says(&r.verdict, "The program is serial"));
	assert_false(says(&r.verdict, "parallel, do less"));
	done(&r);
}

static void advice_fits_where_the_waiting_is(void **state)
{
	(void)state;
	struct rawmake raw;
	struct result r;
	/* The routine with the idleness waits for the semaphore itself: one thread at a time is let in. */
	begin(&raw, 500, 300, NULL);
	add_why(&raw, WORK, RAW_WAIT_SEMAPHORE, 280);
	add_wait(&raw, WORK, RAW_WAIT_SEMAPHORE, idlemake_place(IDLEMAKE_PROG, 0x8000), 900, 0);
	end(&raw, &r);
	must_say(&r.verdict, "Let more threads into task::work(int) (most at prog.c:24), or hold the semaphore table_lock for less time.");
	assert_false(says(&r.verdict, "mostly waits"));
	done(&r);
	/* A routine that runs alone between barriers has nothing to share out evenly. */
	begin(&raw, 1, 1, NULL);
	struct raw_idle_cost *c = idlemake_table(&raw, RAW_IDLE_COSTS, 0, 0, sizeof *c, 1);
	c[0] = idlemake_cost(WORK, 500, RAW_IDLE_SERIAL, 500, 500);
	add_why(&raw, WORK, RAW_WAIT_BARRIER, 490);
	end(&raw, &r);
	must_say(&r.verdict, "Make task::work(int) (most at prog.c:24) parallel");
	assert_false(says(&r.verdict, "between barriers"));
	done(&r);
	/* A team has no tasks to wait for while a routine runs alone. */
	begin(&raw, 1, 1, NULL);
	c = idlemake_table(&raw, RAW_IDLE_COSTS, 0, 0, sizeof *c, 1);
	c[0] = idlemake_cost(WORK, 500, RAW_IDLE_SERIAL, 500, 500);
	add_why(&raw, WORK, RAW_WAIT_TASK, 490);
	end(&raw, &r);
	must_say(&r.verdict, "which runs serially while 1 of 2 cores waits.");
	done(&r);
	/* Threads that hand a lock on, and have no core when it is their turn, do not make a time in which no thread works news. */
	begin(&raw, 500, 300, "ran_ns\t500000000\nwanted_ns\t400000000\n");
	add_wait(&raw, LOCKING, RAW_WAIT_LOCK, 0, 400, 300);
	end(&raw, &r);
	assert_false(says(&r.verdict, "No thread worked"));
	done(&r);
}

static void a_holder_that_waits_is_the_cause(void **state)
{
	(void)state;
	struct rawmake raw;
	struct result r;
	begin(&raw, 100, 100, NULL);
	add_why(&raw, WORK, RAW_WAIT_LOCK, 90);
	add_wait(&raw, FREE, RAW_WAIT_LOCK, 0, 1900, 0);
	add_wait(&raw, WORK, RAW_WAIT_IO, 0, 650, 600)->held_ns = 620 * MS;
	end(&raw, &r);
	assert_string_equal(
		r.verdict.lines[0],
		"No thread worked for 600 ms of the 1.00 s run: threads wait for a lock, and the thread that holds it waits in a "
		"wait (io), called by task::work(int) at prog.c:24 for main at prog.c:43. Do not hold the lock while waiting.");
	must_say(&r.verdict,
	         "Release the lock (free_matrix takes it at prog.c:33) before waiting, or let each thread have its own: removing "
	         "this idleness saves at most 645 ms of 1.00 s.");
	done(&r);
}

static void time_in_the_kernel_is_said(void **state)
{
	(void)state;
	struct rawmake raw;
	struct result r;
	begin(&raw, 500, 0, "user_ns\t100000000\nsystem_ns\t900000000\nfaults\t400000\n");
	end(&raw, &r);
	must_say(&r.verdict, "90 % of the CPU time was in the kernel (400,000 page faults).");
	done(&r);
	begin(&raw, 500, 300, "user_ns\t100000000\nsystem_ns\t900000000\nfaults\t400\n");
	add_why(&raw, WORK, RAW_IDLE_BLOCKED, 250);
	end(&raw, &r);
	must_say(&r.verdict, "90 % of the CPU time was in the kernel (mostly system calls).");
	must_say(&r.verdict, "Other threads are blocked in system calls or page faults while task::work(int) (most at prog.c:24) runs");
	assert_false(says(&r.verdict, "Divide the work"));
	done(&r);
	begin(&raw, 500, 300, "user_ns\t900000000\nsystem_ns\t100000000\nfaults\t400000\n");
	end(&raw, &r);
	assert_false(says(&r.verdict, "kernel"));
	done(&r);
}

static void when_no_thread_worked_is_said_first(void **state)
{
	(void)state;
	struct rawmake raw;
	struct result r;
	begin(&raw, 100, 100, NULL);
	add_wait(&raw, FREE, RAW_WAIT_SLEEP, 0, 650, 600);
	add_wait(&raw, LOCKING, RAW_WAIT_IO, 0, 90, 40);
	end(&raw, &r);
	assert_string_equal(
		r.verdict.lines[0],
		"No thread worked for 640 ms of the 1.00 s run: free_matrix (prog.c:30) spent 94 % of that time in a wait (sleep), called at "
		"prog.c:33. The program itself calls sleep.");
	must_say(&r.verdict, "Idle cores took 50 % of the effort");
	assert_false(says(&r.verdict, "Divide the work"));
	done(&r);
	begin(&raw, 300, 10, NULL);
	add_wait(&raw, FREE, RAW_WAIT_SLEEP, 0, 650, 60);
	end(&raw, &r);
	assert_false(says(&r.verdict, "No thread worked"));
	done(&r);
	/* A child process that is not recorded may have worked. */
	begin(&raw, 300, 10, NULL);
	add_wait(&raw, FREE, RAW_WAIT_JOIN, 0, 650, 600);
	end(&raw, &r);
	must_say(&r.verdict,
	         "No recorded thread worked for 600 ms of the 1.00 s run: free_matrix (prog.c:30) spent all of that time in a wait (join)");
	done(&r);
	/* A thread that is ready without a core is not one that waits: that may be 200 ms of these 600. */
	begin(&raw, 300, 10, "ran_ns\t300000000\nwanted_ns\t200000000\n");
	add_wait(&raw, FREE, RAW_WAIT_IO, 0, 650, 600);
	end(&raw, &r);
	must_say(&r.verdict, "No thread worked for at least 400 ms of the 1.00 s run");
	done(&r);
	begin(&raw, 300, 10, "ran_ns\t300000000\nwanted_ns\t700000000\n");
	add_wait(&raw, FREE, RAW_WAIT_IO, 0, 650, 600);
	end(&raw, &r);
	assert_false(says(&r.verdict, "No thread worked"));
	done(&r);
	/* What went on when the process was killed is known from outside only. */
	begin(&raw, 300, 10, "died_of\t15\nlasted_ns\t10000000000\nran_ns\t1000000000\nwanted_ns\t500000000\n");
	end(&raw, &r);
	must_say(&r.verdict, "No thread worked for at least 8.50 s of the 10.0 s run. What follows is about the rest of it.");
	done(&r);
}

static void a_routine_that_is_only_busy_does_not_come_first(void **state)
{
	(void)state;
	struct rawmake raw;
	struct result r;
	begin(&raw, 800, 45, NULL); /* nearly all the work, and the most idleness */
	struct raw_idle_cost *c = idlemake_table(&raw, RAW_IDLE_COSTS, 0, 0, sizeof *c, 2);
	c[0] = idlemake_cost(FREE, 31, RAW_IDLE_SERIAL, 31, 31);
	c[1] = idlemake_cost(MAIN, 29, RAW_IDLE_SERIAL, 29, 29);
	end(&raw, &r);
	assert_string_equal(r.verdict.lines[0],
	                    "Idle cores took 11 % of the effort; 30 % of that is charged to free_matrix (prog.c:30), which runs serially "
	                    "while 1 of 2 cores waits.");
	must_say(&r.verdict, "task::work(int) (prog.c:20), which keeps 1.9 of 2 cores busy (43 %)");
	done(&r);
	/* With half of the idleness it is where to begin. */
	begin(&raw, 800, 105, NULL);
	c = idlemake_table(&raw, RAW_IDLE_COSTS, 0, 0, sizeof *c, 1);
	c[0] = idlemake_cost(FREE, 31, RAW_IDLE_SERIAL, 31, 31);
	end(&raw, &r);
	must_say(&r.verdict, "77 % of that is charged to task::work(int) (prog.c:20)");
	done(&r);
}

static void a_routine_that_waits_is_not_to_be_divided(void **state)
{
	(void)state;
	struct rawmake raw;
	struct result r;
	begin(&raw, 50, 50, NULL);
	add_wait(&raw, WORK, RAW_WAIT_IO, 0, 900, 0);
	end(&raw, &r);
	must_say(&r.verdict, "task::work(int) itself mostly waits (900 ms in io)");
	assert_false(says(&r.verdict, "Divide the work"));
	assert_false(says(&r.verdict, "parallel, do less"));
	done(&r);
}

static void threads_without_a_core_bound_idleness(void **state)
{
	(void)state;
	static const char lacks[] = "ran_ns\t500000000\nwanted_ns\t500000000\n";
	struct rawmake raw;
	struct result r;
	begin(&raw, 500, 200, lacks);
	add_why(&raw, WORK, RAW_IDLE_READY, 300);
	end(&raw, &r);
	must_say(&r.verdict, "idleness is 29 % of the effort; it is at most 50 % if such threads count as idle.");
	done(&r);
	begin(&raw, 500, 200, lacks);
	add_why(&raw, WORK, RAW_IDLE_READY, 1);
	end(&raw, &r);
	must_say(&r.verdict, "counts as working; that hardly changes idleness here.");
	done(&r);
}

static void overhead_is_told_by_its_use(void **state)
{
	(void)state;
	static const struct {
		uint64_t offset;
		const char *said;
	} all[] = {{0x610, "Starting the runtime and its threads takes 9.1 % of the effort (100 ms): that is once per run"},
	           {0x210, "The parallel loops are too short: starting, sharing out and ending them takes 9.1 % of the effort"},
	           {0x410, "The tasks are too small: creating and scheduling them takes 9.1 % of the effort"}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct rawmake raw;
		struct result r;
		begin(&raw, 1000, 0, NULL);
		struct lcct_node *n = idlemake_table(&raw, RAW_IDLE_NODES, RAW_NO_LANE, 100, sizeof *n, 1);
		n[0] = idlemake_node(WORK, 1, SKEIN_1_0, idlemake_place(IDLEMAKE_OMP, all[i].offset), 0);
		struct raw_idle_cost *c = idlemake_table(&raw, RAW_IDLE_COSTS, 0, 0, sizeof *c, 1);
		c[0] = idlemake_cost(100, 100, RAW_IDLE_FULL, 100, 0);
		end(&raw, &r);
		must_say(&r.verdict, all[i].said);
		for (size_t k = 0; k < sizeof all / sizeof *all; k++)
			assert_true(k == i || !says(&r.verdict, all[k].said));
		assert_true((i == 0) == says(&r.verdict, "The cores were busy"));
		done(&r);
	}
}

static void waiting_is_kept_in_a_recording(void **state)
{
	(void)state;
	struct rawmake raw;
	struct store *store;
	struct run run;
	struct idles idles;
	struct fail why;
	begin(&raw, 500, 500, NULL);
	add_why(&raw, WORK, RAW_IDLE_HELD, 400);
	add_why(&raw, WORK, RAW_WAIT_LOCK, 50);
	add_why(&raw, WORK, RAW_IDLE_READY, 7);
	add_why(&raw, WORK, 0xdead, 7); /* of a later version */
	add_why(&raw, WORK, RAW_IDLE_BLOCKED, 9);
	add_wait(&raw, LOCKING, RAW_WAIT_LOCK, idlemake_place(IDLEMAKE_PROG, 0x8000), 400, 30)->held_ns = 20 * MS;
	idlemake_write(&raw, folder, "1.raw");
	save();
	store = store_open(recording, &why);
	assert_non_null(store);
	assert_int_equal(store_load_idle(store, &run, &idles, &why), 0);
	assert_int_equal(idles.why_count, 4);
	assert_int_equal(idles.wait_count, 1);
	struct idles_reasons sum = {0};
	for (size_t i = 0; i < idles.why_count; i++)
		idles_reason(&sum, &idles.whys[i]);
	assert_true(sum.held_ns == 400 * MS && sum.by_kind[RAW_WAIT_LOCK] == 50 * MS && sum.ready_ns == 7 * MS && sum.blocked_ns == 9 * MS);
	assert_string_equal(idles.waits[0].object, "table_lock");
	assert_true(idles.waits[0].wait_ns == 400 * MS && idles.waits[0].quiet_ns == 30 * MS && idles.waits[0].held_ns == 20 * MS);
	idles_free(&idles);
	run_free(&run);
	store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
		TEST(a_lock_is_named_with_who_holds_it),
		TEST(advice_follows_what_others_wait_for),
		TEST(threads_that_take_turns_are_not_a_serial_program),
		TEST(advice_fits_where_the_waiting_is),
		TEST(a_holder_that_waits_is_the_cause),
		TEST(time_in_the_kernel_is_said),
		TEST(when_no_thread_worked_is_said_first),
		TEST(a_routine_that_is_only_busy_does_not_come_first),
		TEST(a_routine_that_waits_is_not_to_be_divided),
		TEST(threads_without_a_core_bound_idleness),
		TEST(overhead_is_told_by_its_use),
		TEST(waiting_is_kept_in_a_recording)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
