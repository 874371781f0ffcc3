/* SPDX-License-Identifier: MIT */
/* Context switches of programs that know when they sleep, and when two of them want one core. The programs are this one, with a
 * word that says what to do. */
#include "unit/lib.h"

#include <dirent.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include "keys/session.h"
#include "run/launch.h"

enum { SLEEPS = 50, BUSY_MS = 150, PLAY_MS = 2000, ROUNDS = 60000, CHUNK = SESSION_SWITCHES_CHUNK };

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- the programs ---- */

/* Who is there, in the order of their beginnings. */
static void say_tid(void)
{
	FILE *file = fopen("tids", "a");
	if (file)
		fprintf(file, "%ld\n", syscall(SYS_gettid));
	if (file)
		fclose(file);
}

static void stay_on_one_core(void)
{
	cpu_set_t may, one;
	CPU_ZERO(&one);
	sched_getaffinity(0, sizeof may, &may);
	for (int core = CPU_SETSIZE; core--;)
		if (CPU_ISSET(core, &may)) {
			CPU_SET(core, &one);
			break;
		}
	sched_setaffinity(0, sizeof one, &one);
}

static void sleep_often(void)
{
	say_tid();
	for (int i = 0; i < SLEEPS; i++)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void *sleep_in_thread(void *unused)
{
	sleep_often();
	return unused;
}

static void run_thread(void)
{
	pthread_t thread;
	say_tid();
	pthread_create(&thread, NULL, sleep_in_thread, NULL);
	pthread_join(thread, NULL);
}

static void be_busy(void)
{
	say_tid();
	struct timespec spent = {0};
	while (spent.tv_sec * 1000 + spent.tv_nsec / 1000000 < BUSY_MS) /* of CPU time: on a loaded machine, too, several turns */
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
}

static void two_are_busy(void)
{
	stay_on_one_core();
	for (int i = 0; i < 2; i++)
		if (fork() == 0) {
			be_busy();
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
}

/* A byte goes there and back until the time is over or the rounds are done: each byte is two switches of each process, on one core. */
static void play(long rounds)
{
	int there[2], back[2];
	char ball = 0;
	stay_on_one_core();
	say_tid();
	if (pipe(there) < 0 || pipe(back) < 0)
		_exit(1);
	if (fork() == 0) {
		say_tid();
		close(there[1]);
		while (read(there[0], &ball, 1) == 1 && write(back[1], &ball, 1) == 1)
			;
		_exit(0);
	}
	uint64_t from = now_ns();
	for (long i = 0; rounds ? i < rounds : now_ns() - from < PLAY_MS * UINT64_C(1000000); i++)
		if (write(there[1], &ball, 1) != 1 || read(back[0], &ball, 1) != 1)
			_exit(1);
	close(there[1]);
	wait(NULL);
}

static int be_program(const char *what)
{
	if (strcmp(what, "--sleep") == 0)
		sleep_often();
	else if (strcmp(what, "--thread") == 0)
		run_thread();
	else if (strcmp(what, "--busy") == 0)
		two_are_busy();
	else if (strcmp(what, "--play") == 0)
		play(0);
	else
		play(ROUNDS);
	return 0;
}

/* ---- what was recorded of them ---- */

static char *own_path(void)
{
	static char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	assert_true(length > 0);
	return path;
}

static struct switches_seen see(const char *what, const char *folder)
{
	char *argv[] = {own_path(), (char *)(uintptr_t)what, NULL};
	struct switches switches;
	struct launch_end end;
	struct fail why;
	sigset_t before;
	sigprocmask(SIG_SETMASK, NULL, &before);
	switches_open(&switches, folder);
	assert_int_equal(launch_run(&(struct launch){.path = argv[0], .argv = argv, .session_folder = folder, .switches = &switches}, &end,
	                            &why),
	                 0);
	launch_give_signals_back(&before);
	assert_int_equal(end.code, 0);
	assert_int_equal(end.signal, 0);
	if (!end.switched.is_allowed) {
		print_message("# skipped: the kernel does not allow perf_event_open with context_switch here\n");
		skip();
	}
	return end.switched;
}

static struct flow_record *records;
static size_t record_count, record_room;

/* Chunk by chunk; within each, records are of one core and in order. */
static void read_file(void)
{
	static uint64_t chunk[CHUNK / 8];
	struct flow_reader reader;
	struct flow_record record;
	FILE *file = fopen(SESSION_SWITCHES_FILE, "r");
	assert_non_null(file);
	record_count = 0;
	for (size_t got; (got = fread(chunk, 1, CHUNK, file));) {
		assert_int_equal(got, CHUNK);
		size_t first = record_count;
		flow_reader_start(&reader, chunk, CHUNK);
		while (flow_log_get(&reader, &record)) {
			MEMORY_GROW(records, record_count, record_room);
			records[record_count++] = record;
			assert_true(record.kind == FLOW_OFF || record.kind == FLOW_ON);
			assert_int_equal(record.field[1], records[first].field[1]);
			assert_true(record.time >= records[record_count - (record_count - first > 1 ? 2 : 1)].time);
		}
		assert_false(reader.is_bad);
		assert_true(record_count > first);
	}
	fclose(file);
}

static int by_time(const void *a, const void *b)
{
	const struct flow_record *x = a, *y = b;
	return x->time < y->time ? -1 : x->time > y->time;
}

/* Number of a thread, by the order in which they began. */
static uint64_t tid_of(int n)
{
	char text[4096], *at = text;
	snprintf(text, sizeof text, "%s", lib_read("tids"));
	uint64_t tid = 0;
	for (int i = 0; i <= n; i++)
		tid = strtoull(at, &at, 10);
	assert_true(tid > 0);
	return tid;
}

struct tally {
	uint64_t on, off, preempted;
	enum flow_kind first;
	uint64_t out_of_turn; /* an OFF behind an OFF, or an ON behind an ON */
};

static struct tally tally_of(uint64_t tid)
{
	struct tally t = {.first = FLOW_KINDS};
	enum flow_kind last = FLOW_KINDS;
	for (size_t i = 0; i < record_count; i++) {
		const struct flow_record *r = &records[i];
		if (r->field[0] != tid)
			continue;
		t.first = last == FLOW_KINDS ? r->kind : t.first;
		t.out_of_turn += r->kind == last;
		last = r->kind;
		t.on += r->kind == FLOW_ON;
		t.off += r->kind == FLOW_OFF;
		t.preempted += r->kind == FLOW_OFF && r->field[2];
	}
	return t;
}

static struct switches_seen see_what_there_is(const char *what)
{
	uint64_t from = now_ns();
	struct switches_seen seen = see(what, ".");
	uint64_t end = now_ns();
	read_file();
	qsort(records, record_count, sizeof *records, by_time);
	assert_int_equal(seen.count, record_count);
	for (size_t i = 0; i < record_count; i++)
		assert_true(records[i].time >= from && records[i].time <= end);
	return seen;
}

static struct switches_seen see_all(const char *what)
{
	struct switches_seen seen = see_what_there_is(what);
	assert_int_equal(seen.lost, 0);
	return seen;
}

/* ---- the tests ---- */

static void who_sleeps_is_not_preempted(void **state)
{
	(void)state;
	see_all("--sleep");
	struct tally t = tally_of(tid_of(0));
	assert_true(t.off - t.preempted >= SLEEPS);
	assert_int_equal(t.first, FLOW_OFF);
	assert_int_equal(t.out_of_turn, 0);
	assert_int_equal(t.off, t.on);
}

static void a_thread_begins_with_on(void **state)
{
	(void)state;
	see_all("--thread");
	struct tally first = tally_of(tid_of(0)), second = tally_of(tid_of(1));
	assert_int_equal(first.first, FLOW_OFF);
	assert_int_equal(second.first, FLOW_ON);
	assert_int_equal(second.out_of_turn, 0);
	assert_true(second.off - second.preempted >= SLEEPS);
	assert_int_equal(second.on, second.off + 1);
}

/* A core is theirs in turn, for a few milliseconds each. */
static void who_shares_a_core_is_preempted(void **state)
{
	(void)state;
	see_all("--busy");
	for (int i = 0; i < 2; i++) {
		uint64_t tid = tid_of(i), core = UINT64_MAX;
		assert_true(tally_of(tid).preempted >= 3);
		for (size_t k = 0; k < record_count; k++) {
			if (records[k].field[0] != tid)
				continue;
			core = core == UINT64_MAX ? records[k].field[1] : core;
			assert_int_equal(records[k].field[1], core);
		}
	}
}

/* Where other programs keep the reader from its core, rings fill up: that is counted. */
static void many_switches_are_all_recorded(void **state)
{
	(void)state;
	struct switches_seen seen = see_what_there_is("--play");
	assert_true(seen.count + seen.lost > 20000);
	if (seen.lost)
		skip();
	for (int i = 0; i < 2; i++) {
		struct tally t = tally_of(tid_of(i));
		assert_int_equal(t.out_of_turn, 0);
		assert_true(t.off > seen.count / 5);
		assert_true(t.on <= t.off + 1 && t.off <= t.on + 1);
	}
}

static bool kernel_counts_lost(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
	                               .size = sizeof attr,
	                               .config = PERF_COUNT_SW_DUMMY,
	                               .exclude_kernel = 1,
	                               .exclude_hv = 1,
	                               .read_format = PERF_FORMAT_LOST};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* While the rings are not read they fill up. */
static void what_a_ring_has_no_room_for_is_counted(void **state)
{
	struct switches switches;
	int status = 0;
	(void)state;
	switches_open(&switches, ".");
	pid_t child = fork();
	if (child == 0) {
		execl(own_path(), "program", "--rounds", NULL);
		_exit(1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	struct switches_seen seen = switches_stop(&switches);
	assert_int_equal(status, 0);
	if (!seen.is_allowed || !kernel_counts_lost()) {
		print_message("# skipped: the kernel does not count the records that it loses\n");
		skip();
	}
	read_file();
	assert_int_equal(seen.count, record_count);
	assert_true(seen.lost > 0);
	assert_true(seen.count + seen.lost >= 4 * ROUNDS - 10);
}

static void what_the_file_does_not_take_is_counted(void **state)
{
	(void)state;
	struct switches_seen seen = see("--sleep", "/nowhere");
	assert_int_equal(seen.count, 0);
	assert_true(seen.lost >= 2 * SLEEPS);
}

static int open_files(void)
{
	int count = 0;
	DIR *list = opendir("/proc/self/fd");
	while (readdir(list))
		count++;
	closedir(list);
	return count;
}

static void nothing_stays_open(void **state)
{
	(void)state;
	int before = open_files();
	struct switches switches;
	struct launch_end end;
	struct fail why;
	switches_open(&switches, ".");
	assert_int_equal(switches_stop(&switches).count, 0);
	assert_int_equal(open_files(), before);
	switches_open(&switches, ".");
	struct launch launch = {.path = "/nowhere", .argv = (char *[]){"x", NULL}, .session_folder = ".", .switches = &switches};
	assert_int_equal(launch_run(&launch, &end, &why), -1);
	assert_int_equal(end.switched.count, 0);
	assert_int_equal(open_files(), before);
	see("--sleep", ".");
	assert_int_equal(open_files(), before);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(who_sleeps_is_not_preempted, lib_enter, lib_leave),
		cmocka_unit_test_setup_teardown(a_thread_begins_with_on, lib_enter, lib_leave),
		cmocka_unit_test_setup_teardown(who_shares_a_core_is_preempted, lib_enter, lib_leave),
		cmocka_unit_test_setup_teardown(many_switches_are_all_recorded, lib_enter, lib_leave),
		cmocka_unit_test_setup_teardown(what_a_ring_has_no_room_for_is_counted, lib_enter, lib_leave),
		cmocka_unit_test_setup_teardown(what_the_file_does_not_take_is_counted, lib_enter, lib_leave),
		cmocka_unit_test_setup_teardown(nothing_stays_open, lib_enter, lib_leave),
	};
	if (argc > 1 && strncmp(argv[1], "--", 2) == 0)
		return be_program(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
