/* SPDX-License-Identifier: MIT */
/* A recording keeps the runs of one series, gives back each of them, and knows the one in the middle. */
#include "unit/lib.h"

#include <sqlite3.h>

#include "report/repeats/repeated.h"
#include "report/repeats/totals.h"
#include "store/repeats.h"

#include "unit/session.h" /* last: others have parameters that are called folder */

/* A run of `series`: main and step, which is called that often. */
struct made {
	int64_t series, exit_code, died_of;
	uint32_t turn;
	uint64_t wall_ns, calls;
	bool stopped;
};

static void save(const struct made *m)
{
	struct run run;
	struct fail why;
	char aside[PATH_MAX];
	run_start(&run);
	run.lens = "calls";
	run.mode = "times";
	run.build_id = "b1d";
	run.series = m->series;
	run.turn = m->turn;
	run.exit_code = m->exit_code;
	run.died_of = m->died_of;
	run.stopped = m->stopped;
	run.wall_ns = m->wall_ns;
	run.started_real_ns = m->wall_ns; /* no two runs begin at once */
	uint32_t object = run_object(&run, "b1d", "/home/me/prog");
	run.process_count = run.worker_count = 1;
	run.processes = calloc(1, sizeof *run.processes);
	run.processes[0].threads = 1;
	run.workers = calloc(1, sizeof *run.workers);
	struct calls calls = {.run = &run, .has_times = true};
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t routine =
			run_routine(&run, &(struct run_routine){.object = object, .linkage = i ? "step" : "main", .file = "a.c"});
		MEMORY_GROW(calls.entries, calls.entry_count, calls.entry_room);
		calls.entries[calls.entry_count++] = (struct calls_entry){.routine = routine, .calls = i ? (int64_t)m->calls : 1};
	}
	if (store_save_calls(recording, &calls, aside, &why) < 0)
		fail_msg("%s", why.text);
	calls_free(&calls);
	run_free(&run);
}

static struct store *open_it(void)
{
	struct fail why;
	struct store *store = store_open(recording, &why);
	if (!store)
		fail_msg("%s", why.text);
	return store;
}

static void load_repeats(struct store *store, struct repeats *r)
{
	struct fail why;
	if (store_repeats(store, "calls", r, &why) < 0)
		fail_msg("%s", why.text);
}

static int64_t wall_of_loaded(struct store *store)
{
	struct run run;
	struct calls calls;
	struct fail why;
	if (store_load_calls(store, &run, &calls, &why) < 0)
		fail_msg("%s", why.text);
	int64_t wall = (int64_t)run.wall_ns;
	calls_free(&calls);
	run_free(&run);
	return wall;
}

/* Five runs, the third of which failed. */
static void save_five(void)
{
	unlink(recording);
	save(&(struct made){.series = 9, .turn = 1, .wall_ns = 500, .calls = 7});
	save(&(struct made){.series = 9, .turn = 2, .wall_ns = 300, .calls = 7});
	save(&(struct made){.series = 9, .turn = 3, .wall_ns = 100, .calls = 2, .exit_code = 3});
	save(&(struct made){.series = 9, .turn = 4, .wall_ns = 200, .calls = 8});
	save(&(struct made){.series = 9, .turn = 5, .wall_ns = 400, .calls = 7});
}

static void all_runs_of_a_series_come_back(void **state)
{
	static const uint64_t walls[] = {500, 300, 100, 200, 400};
	struct repeats r;
	(void)state;
	save_five();
	struct store *store = open_it();
	load_repeats(store, &r);
	assert_int_equal(r.count, 5);
	assert_int_equal(r.counted, 4);
	for (size_t i = 0; i < r.count; i++) {
		assert_int_equal(r.runs[i].turn, i + 1);
		assert_int_equal(r.runs[i].wall_ns, walls[i]);
		assert_int_equal(r.runs[i].counts, i != 2);
		store_choose(store, r.runs[i].run);
		assert_int_equal(wall_of_loaded(store), walls[i]);
	}
	assert_int_equal(repeats_find(&r, 4), 3);
	assert_int_equal(repeats_find(&r, 6), r.count);
	repeats_free(&r);
	store_close(store);
}

/* Of 200, 300, 400 and 500 the faster one in the middle. */
static void the_median_is_loaded_unless_a_run_was_chosen(void **state)
{
	struct repeats r;
	(void)state;
	save_five();
	struct store *store = open_it();
	load_repeats(store, &r);
	assert_int_equal(r.runs[r.median].turn, 2);
	assert_int_equal(wall_of_loaded(store), 300);
	store_choose(store, r.runs[0].run);
	assert_int_equal(wall_of_loaded(store), 500);
	store_choose(store, 0);
	assert_int_equal(wall_of_loaded(store), 300);
	store_choose(store, 12345); /* no run of this lens */
	assert_int_equal(wall_of_loaded(store), 300);
	repeats_free(&r);
	store_close(store);
}

static void another_series_replaces_all_of_it(void **state)
{
	struct repeats r;
	(void)state;
	save_five();
	save(&(struct made){.series = 10, .turn = 1, .wall_ns = 50});
	struct store *store = open_it();
	load_repeats(store, &r);
	assert_int_equal(r.count, 1);
	repeats_free(&r);
	store_close(store);
	save_five();
	save(&(struct made){.turn = 1, .wall_ns = 60}); /* alone */
	save(&(struct made){.turn = 1, .wall_ns = 70});
	store = open_it();
	load_repeats(store, &r);
	assert_int_equal(r.count, 1);
	assert_int_equal(wall_of_loaded(store), 70);
	repeats_free(&r);
	store_close(store);
}

/* Skein was killed after it had stored the run, and the session is recovered. */
static void a_run_that_is_stored_twice_is_there_once(void **state)
{
	struct repeats r;
	(void)state;
	save_five();
	save(&(struct made){.series = 9, .turn = 5, .wall_ns = 400, .calls = 7});
	struct store *store = open_it();
	load_repeats(store, &r);
	assert_int_equal(r.count, 5);
	repeats_free(&r);
	store_close(store);
}

static void if_all_failed_all_count(void **state)
{
	struct repeats r;
	(void)state;
	unlink(recording);
	for (uint32_t turn = 1; turn <= 3; turn++)
		save(&(struct made){.series = 9, .turn = turn, .wall_ns = turn * 100, .died_of = 11, .exit_code = RUN_UNKNOWN});
	struct store *store = open_it();
	load_repeats(store, &r);
	assert_int_equal(r.counted, 3);
	assert_int_equal(r.median, 1);
	repeats_free(&r);
	store_close(store);
}

static struct differences find_differences(void)
{
	struct differences d;
	struct repeats r;
	struct fail why;
	struct store *store = open_it();
	load_repeats(store, &r);
	if (store_differences(store, "calls", &r, &d, &why) < 0)
		fail_msg("%s", why.text);
	repeats_free(&r);
	store_close(store);
	return d;
}

static void exact_figures_that_differ_are_found(void **state)
{
	(void)state;
	save_five();
	struct differences d = find_differences();
	assert_true(d.compared);
	assert_int_equal(d.count, 1); /* not the 2 calls of the run that failed */
	assert_string_equal(d.at[0].what, "calls");
	assert_string_equal(d.at[0].subject, "step");
	assert_int_equal(d.at[0].least, 7);
	assert_int_equal(d.at[0].most, 8);
	differences_free(&d);
}

static void runs_that_were_ended_are_not_compared(void **state)
{
	(void)state;
	unlink(recording);
	save(&(struct made){.series = 9, .turn = 1, .wall_ns = 100, .calls = 7});
	save(&(struct made){.series = 9, .turn = 2, .wall_ns = 101, .calls = 9, .died_of = 15, .stopped = true});
	struct differences d = find_differences();
	assert_int_equal(d.count, 0);
	assert_false(d.compared);
	differences_free(&d);
}

static void figures_of_every_run_can_be_had(void **state)
{
	struct repeats r;
	struct totals totals;
	struct fail why;
	(void)state;
	save_five();
	struct store *store = open_it();
	load_repeats(store, &r);
	store_choose(store, r.runs[4].run);
	assert_int_equal(totals_load(store, &lens_calls, NULL, &r, &totals, &why), 0);
	assert_int_equal(wall_of_loaded(store), 400); /* what was chosen before still is */
	const struct total *calls = totals_find(&totals, "calls"), *wall = totals_find(&totals, "wall_ns");
	assert_non_null(calls);
	assert_non_null(wall);
	assert_null(totals_find(&totals, "command"));
	assert_true(calls->values[0] == 8 && calls->values[2] == 3 && calls->values[3] == 9);
	assert_true(calls->spread.least == 8 && calls->spread.most == 9); /* of the runs that count */
	assert_true(wall->spread.median == 350 && wall->spread.least == 200 && wall->spread.most == 500);
	totals_free(&totals);
	repeats_free(&r);
	store_close(store);
}

static void a_verdict_names_what_is_to_know_of_the_runs(void **state)
{
	struct repeated repeated;
	struct findings verdict = {0};
	struct fail why;
	(void)state;
	save_five();
	struct store *store = open_it();
	assert_int_equal(repeated_open(&repeated, store, &lens_calls, &(struct arguments){0}, true, &why), 0);
	repeated_say(&repeated, &verdict);
	must_say(&verdict, "Median of 4 runs: wall time 350 ns ± 150 ns");
	must_say(&verdict, "The report shows run 2.");
	must_say(&verdict, "1 of 5 runs failed and does not count: run 3 (exit status 3).");
	must_say(&verdict, "Exact figures differ between runs: calls of step 7 to 8.");
	assert_int_equal(verdict.openings, 3);
	findings_free(&verdict);
	repeated_close(&repeated);
	store_close(store);
}

static void change(const char *statement)
{
	sqlite3 *db;
	sqlite3_open(recording, &db);
	assert_int_equal(sqlite3_exec(db, statement, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void hostile_runs_are_refused(void **state)
{
	static const char *const changes[] = {
		"UPDATE run SET turn = -1",
		"UPDATE run SET exit_code = -7",
		"UPDATE run SET stopped = -1",
		"UPDATE run SET wall_ns = -1",
		"UPDATE run SET series = 'x', turn = 'y', died_of = 'z', stopped = -2",
		("WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) INSERT INTO run"
	         " SELECT i, 'calls', 'times', '', 0, 0, 0, 0, 9, i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM n"),
	};
	struct repeated repeated;
	struct fail why;
	(void)state;
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		save_five();
		change(changes[i]);
		struct store *store = open_it();
		assert_int_equal(repeated_open(&repeated, store, &lens_calls, &(struct arguments){0}, true, &why), -1);
		assert_int_equal(why.status, FAIL_INTERNAL);
		store_close(store);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_runs_of_a_series_come_back),
		cmocka_unit_test(the_median_is_loaded_unless_a_run_was_chosen),
		cmocka_unit_test(another_series_replaces_all_of_it),
		cmocka_unit_test(a_run_that_is_stored_twice_is_there_once),
		cmocka_unit_test(if_all_failed_all_count),
		cmocka_unit_test(exact_figures_that_differ_are_found),
		cmocka_unit_test(runs_that_were_ended_are_not_compared),
		cmocka_unit_test(figures_of_every_run_can_be_had),
		cmocka_unit_test(a_verdict_names_what_is_to_know_of_the_runs),
		cmocka_unit_test(hostile_runs_are_refused),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
