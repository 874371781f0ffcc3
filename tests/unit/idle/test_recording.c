/* SPDX-License-Identifier: MIT */
/* A recording of the idle lens: what is stored comes back, and one that lies is refused. */
#include "unit/idle/result.h"

static int load(struct run *run, struct idles *idles, struct fail *why)
{
	struct store *store = store_open(recording, why);
	int result = store ? store_load_idle(store, run, idles, why) : -1;
	store_close(store);
	return result;
}

static void what_is_stored_comes_back(void **state)
{
	(void)state;
	struct result r;
	struct run run;
	struct idles after;
	struct fail why;
	idlemake_session(folder);
	save();
	analyse(&r);
	if (load(&run, &after, &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(after.scope_count, r.idles.scope_count);
	assert_int_equal(after.cost_count, r.idles.cost_count);
	assert_int_equal(after.event_count, r.idles.event_count);
	assert_memory_equal(after.threads, r.idles.threads, run.thread_count * sizeof *after.threads);
	for (uint32_t i = 0; i < after.scope_count; i++) {
		char x[2000], y[2000];
		describe(&r.idles, i, x, sizeof x);
		describe(&after, i, y, sizeof y);
		assert_string_equal(x, y);
		assert_string_equal(r.idles.scopes[i].file, after.scopes[i].file);
	}
	struct findings verdict = {0}, caveats = {0};
	idles_judge(&after, &usual, &verdict, &caveats);
	assert_int_equal(verdict.count, r.verdict.count);
	for (size_t i = 0; i < verdict.count; i++)
		assert_string_equal(verdict.lines[i], r.verdict.lines[i]);
	assert_int_equal(caveats.count, r.caveats.count);
	for (size_t i = 0; i < caveats.count; i++)
		assert_string_equal(caveats.lines[i], r.caveats.lines[i]);
	findings_free(&verdict);
	findings_free(&caveats);
	idles_free(&after);
	run_free(&run);
	done(&r);
}

static void change(const char *text)
{
	char command[600];
	snprintf(command, sizeof command, "sqlite3 '%s' \"%s\"", recording, text);
	assert_int_equal(system(command), 0);
}

static void a_recording_that_lies_is_refused(void **state)
{
	(void)state;
	static const char *const lies[] = {"update idle_scope set parent = scope where scope = 5",
	                                   "update idle_scope set parent = 999 where scope = 5",
	                                   "update idle_scope set parent = null where scope = 5",
	                                   "update idle_scope set routine = 99999 where scope = 5",
	                                   "update idle_scope set file = 99999 where scope = 5",
	                                   "update idle_scope set kind = 6 where scope = 5",
	                                   "update idle_scope set kind = 0 where scope = 5",
	                                   "delete from idle_scope where scope = 7",
	                                   "delete from idle_scope",
	                                   "delete from idle_total",
	                                   "update idle_scope set kind = 1, line = 77 where scope = 5",
	                                   "update idle_total set cores = 0",
	                                   "update or replace idle_cost set sampled = 3",
	                                   "update or replace idle_cost set overhead = 6",
	                                   "update idle_cost set idle_ns = -1",
	                                   "update or replace idle_cost set logical = 1",
	                                   "update or replace idle_cost set physical = 99999",
	                                   "update idle_event set event = 1",
	                                   "update idle_event set sampled = 9",
	                                   "update idle_thread set thread = 9 where sampled = 0",
	                                   "delete from thread where thread = 2",
	                                   "update idle_event_name set event = 5",
	                                   "delete from idle_file where file = 1"};
	struct run run;
	struct idles idles;
	struct fail why;
	idlemake_session(folder);
	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
		unlink(recording);
		save();
		change(lies[i]);
		if (load(&run, &idles, &why) == 0)
			fail_msg("nobody minds: %s", lies[i]);
		assert_non_null(strstr(why.text, "record again"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_stored_comes_back, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(a_recording_that_lies_is_refused, make_folder, remove_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
