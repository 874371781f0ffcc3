/* SPDX-License-Identifier: MIT */
/* What the kernel counted of a program's threads: its own count, the profiler's do not; and what the opening makes of it. */
#include "unit/lib.h"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include "analyse/opening.h"
#include "keys/session.h"
#include "run/cores.h"

enum { BURNT_MS = 200 };

static int ends[2];

/* Tells when it has burnt its time, and stays. */
static void *burn(void *name)
{
	struct timespec used;
	if (name)
		prctl(PR_SET_NAME, name);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < BURNT_MS);
	while (write(ends[1], "x", 1) == 1)
		pause();
	return NULL;
}

/* What the kernel counted of a child whose second thread, of that name, has burnt BURNT_MS, within that much time for all threads. */
static struct cores_times times_of(const char *name, uint64_t within_ns)
{
	char byte;
	struct cores cores = {.looked_ns = 1000};
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		pthread_t thread;
		pthread_create(&thread, NULL, burn, (void *)(uintptr_t)name);
		pthread_join(thread, NULL);
		_exit(0);
	}
	assert_int_equal(read(ends[0], &byte, 1), 1);
	cores_look(&cores, child, 1000 + within_ns);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(ends[0]);
	close(ends[1]);
	struct cores_times times = cores_sum(&cores);
	cores_free(&cores);
	return times;
}

static double ran_ms(const char *name)
{
	return (double)times_of(name, 0).ran_ns / 1e6;
}

static void the_profilers_threads_do_not_count(void **state)
{
	(void)state;
	assert_true(ran_ms(NULL) > BURNT_MS / 2.0);
	assert_true(ran_ms(SESSION_HELPER) < BURNT_MS / 2.0);
}

/* Two threads were ready for more time than there was; or for less than one core had. */
static void threads_that_are_ready_beyond_the_cores_are_a_crowd(void **state)
{
	(void)state;
	struct cores_times crowded = times_of(NULL, 1), roomy = times_of(NULL, (uint64_t)1 << 50);
	assert_true(crowded.crowd_ns == crowded.wanted_ns);
	assert_true(roomy.crowd_ns == 0);
}

static void must_open_with(const struct run *run, const char *expected)
{
	struct findings verdict = {0};
	opening_add(run, "Beware.", &verdict);
	assert_int_equal(verdict.count, 1);
	assert_string_equal(verdict.lines[0], expected);
	findings_free(&verdict);
}

static void who_took_the_cores_is_said_where_it_is_known(void **state)
{
	(void)state;
	struct run run = {.lasted_ns = 1000000000, .ran_ns = 100000000, .wanted_ns = 900000000, .crowd_ns = 800000000};
	must_open_with(&run,
	               "The program had no core for 90 % of the time in which it could have run: it has more threads than cores. Beware.");
	run.crowd_ns = 400000000;
	must_open_with(
		&run,
		"The program had no core for 90 % of the time in which it could have run: other programs took the cores, and it has more threads than cores. Beware.");
	run.crowd_ns = 100000000;
	must_open_with(&run,
	               "The program had no core for 90 % of the time in which it could have run: other programs took the cores. Beware.");
	run.crowd_ns = RUN_UNKNOWN;
	must_open_with(
		&run,
		"The program had no core for 90 % of the time in which it could have run: other programs took the cores, or it has more threads than cores. Beware.");
}

static void who_hardly_wants_a_core_does_not_lack_one(void **state)
{
	(void)state;
	struct run run = {.lasted_ns = 1000000000, .ran_ns = 1000000, .wanted_ns = 9000000};
	assert_true(opening_no_core_pct(&run) == 0);
	run.wanted_ns = 900000000;
	run.ran_ns = 100000000;
	assert_true(opening_no_core_pct(&run) > 89 && opening_no_core_pct(&run) < 91);
	run.lasted_ns = RUN_UNKNOWN;
	assert_true(opening_no_core_pct(&run) > 89);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_profilers_threads_do_not_count),
		cmocka_unit_test(threads_that_are_ready_beyond_the_cores_are_a_crowd),
		cmocka_unit_test(who_took_the_cores_is_said_where_it_is_known),
		cmocka_unit_test(who_hardly_wants_a_core_does_not_lack_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
