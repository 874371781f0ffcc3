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

/* The CPU time of a child whose second thread, of that name, has burnt BURNT_MS. */
static double ran_ms(const char *name)
{
	char byte;
	struct cores cores = {0};
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		pthread_t thread;
		pthread_create(&thread, NULL, burn, (void *)(uintptr_t)name);
		pthread_join(thread, NULL);
		_exit(0);
	}
	assert_int_equal(read(ends[0], &byte, 1), 1);
	cores_look(&cores, child);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(ends[0]);
	close(ends[1]);
	double ms = (double)cores_sum(&cores).ran_ns / 1e6;
	cores_free(&cores);
	return ms;
}

static void the_profilers_threads_do_not_count(void **state)
{
	(void)state;
	assert_true(ran_ms(NULL) > BURNT_MS / 2.0);
	assert_true(ran_ms(SESSION_HELPER) < BURNT_MS / 2.0);
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
		cmocka_unit_test(who_hardly_wants_a_core_does_not_lack_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
