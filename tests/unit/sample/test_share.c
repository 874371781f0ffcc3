/* SPDX-License-Identifier: MIT */
/* Clocks that threads share: every thread is ticked, and rings tell who has a core. Each test runs in a process of its own, since the clocks
 * are those of a process. */
#include "unit/lib.h"

#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include "raw/kernel.h"
#include "sample/ticks_share.h"

enum { PERIOD_NS = 1000000, BURN_MS = 60, CANNOT = 77, FORGOTTEN_AFTER = 2000 };

static _Thread_local volatile int ticks;
static volatile int all_ticks;

static void on_tick(int number)
{
	(void)number;
	ticks++;
	__atomic_add_fetch(&all_ticks, 1, __ATOMIC_RELAXED);
}

static uint64_t cpu_ns(void)
{
	return kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void burn(uint64_t ms)
{
	for (uint64_t end = cpu_ns() + ms * 1000000; cpu_ns() < end;)
		for (volatile int i = 0; i < 20000; i++)
			;
}

static void begin(void)
{
	struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
	sigaction(SIGTRAP, &action, NULL);
	ticks_start(PERIOD_NS, "");
	if (ticks_signal() != SIGTRAP)
		_exit(CANNOT);
	if (!shared_open())
		_exit(99);
}

static void on_one_core(void)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
}

static void in_child(int (*what)(void))
{
	int status = -1;
	pid_t pid = fork();
	if (pid == 0)
		_exit(what());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT)
		skip();
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- ticks ---- */

static void *burns(void *enough)
{
	burn(BURN_MS);
	*(bool *)enough = ticks >= BURN_MS / 4;
	return NULL;
}

static int tick_all(void)
{
	enum { THREADS = 4 };
	pthread_t thread[THREADS];
	bool enough[THREADS + 1] = {0};
	begin();
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, burns, &enough[i]);
	burns(&enough[THREADS]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i <= THREADS; i++)
		if (!enough[i])
			return 1;
	return all_ticks <= 2 * (THREADS + 1) * BURN_MS ? 0 : 2;
}

static void every_thread_is_ticked(void **state)
{
	(void)state;
	in_child(tick_all);
}

static int part(void)
{
	begin();
	burn(BURN_MS);
	int before = all_ticks;
	ticks_part();
	int at_once = all_ticks;
	burn(BURN_MS);
	return !before || ticks_are_shared() || all_ticks != at_once;
}

static void no_clock_ticks_after_they_part(void **state)
{
	(void)state;
	in_child(part);
}

static int fork_again(void)
{
	begin();
	burn(BURN_MS);
	int status = -1, before = all_ticks;
	pid_t pid = fork();
	if (pid == 0) {
		ticks_forget_shared();
		burn(BURN_MS);
		bool none = all_ticks == before && !ticks_are_shared();
		_exit(none && shared_open() && ticks_are_shared() ? 0 : 1);
	}
	return waitpid(pid, &status, 0) != pid || status != 0 || !before;
}

static void a_forked_child_has_none_until_it_asks(void **state)
{
	(void)state;
	in_child(fork_again);
}

static void *waits_for_a_byte(void *d)
{
	char c;
	return read(*(int *)d, &c, 1) == 1 ? NULL : d;
}

static int open_late(void)
{
	int d[2];
	pthread_t thread;
	struct sigaction action = {.sa_handler = on_tick};
	sigaction(SIGTRAP, &action, NULL);
	ticks_start(PERIOD_NS, "");
	if (ticks_signal() != SIGTRAP || pipe(d))
		return CANNOT;
	pthread_create(&thread, NULL, waits_for_a_byte, &d[0]);
	bool shared = shared_open();
	return write(d[1], "", 1) != 1 || shared;
}

static void a_process_that_has_threads_gets_none(void **state)
{
	(void)state;
	in_child(open_late);
}

/* ---- who has a core ---- */

static volatile int other_tid;
static _Atomic uint64_t other_known, my_known;
static volatile bool stop;

static void *spins(void *unused)
{
	other_tid = (int)kernel_tid();
	while (!stop)
		;
	return unused;
}

static void *sleeps(void *d)
{
	other_tid = (int)kernel_tid();
	return waits_for_a_byte(d);
}

static int blocked(void)
{
	int d[2];
	pthread_t thread;
	begin();
	if (pipe(d))
		return 1;
	pthread_create(&thread, NULL, sleeps, &d[0]);
	while (!other_tid)
		sched_yield();
	usleep(20000);
	enum ticks_state state = shared_state(other_tid, &other_known), mine = shared_state((int)kernel_tid(), &my_known);
	for (int i = 0; i < FORGOTTEN_AFTER; i++) { /* the ring has no record of it any more */
		usleep(1);
		if (shared_state(other_tid, &other_known) != TICKS_BLOCKED)
			return 2;
	}
	return write(d[1], "", 1) != 1 || state != TICKS_BLOCKED || mine != TICKS_RUNNING;
}

static void a_thread_that_waits_is_blocked_and_one_that_looks_runs(void **state)
{
	(void)state;
	in_child(blocked);
}

/* Two threads on one core take turns: while one looks, the other has lost its core against its will. */
static int ready(void)
{
	pthread_t thread;
	int seen = 0;
	begin();
	on_one_core();
	pthread_create(&thread, NULL, spins, NULL);
	while (!other_tid)
		sched_yield();
	for (int i = 0; i < 2 * BURN_MS; i++) {
		burn(1);
		enum ticks_state state = shared_state(other_tid, &other_known);
		if (state == TICKS_BLOCKED)
			return 1;
		seen += state == TICKS_READY;
	}
	stop = true;
	pthread_join(thread, NULL);
	return seen < BURN_MS ? 2 : 0;
}

static void a_thread_that_lost_its_core_is_ready(void **state)
{
	(void)state;
	in_child(ready);
}

static int switches(void)
{
	int kept = 0;
	begin();
	on_one_core();
	for (int i = 0; i < 100; i++) {
		uint64_t before = shared_switches();
		kernel_pid();
		kept += shared_switches() == before;
	}
	uint64_t before = shared_switches();
	usleep(1000);
	return shared_switches() == before || before == UINT64_MAX || kept < 50;
}

static void a_sleep_is_a_switch_and_a_short_call_is_none(void **state)
{
	(void)state;
	in_child(switches);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_thread_is_ticked),
		cmocka_unit_test(no_clock_ticks_after_they_part),
		cmocka_unit_test(a_forked_child_has_none_until_it_asks),
		cmocka_unit_test(a_process_that_has_threads_gets_none),
		cmocka_unit_test(a_thread_that_waits_is_blocked_and_one_that_looks_runs),
		cmocka_unit_test(a_thread_that_lost_its_core_is_ready),
		cmocka_unit_test(a_sleep_is_a_switch_and_a_short_call_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
