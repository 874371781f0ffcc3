/* SPDX-License-Identifier: MIT */
/* A recording gives back what the span lens stored, beside other lenses, and may come from anywhere. */
#include "unit/lib.h"

#include <sqlite3.h>

#include "analyse/span/verdict.h"
#include "store/store.h"
#include "unit/span/make.h"

#include "unit/session.h" /* last: others have parameters that are called folder */

static void save_calls(void)
{
	char aside[PATH_MAX];
	struct session session;
	struct calls calls;
	struct fail why;
	rawmake_session(folder);
	assert_int_equal(session_read(&session, folder, &why), 0);
	calls_build(&session, &calls);
	assert_int_equal(store_save_calls(recording, &calls, aside, &why), 0);
	assert_string_equal(aside, "");
	calls_free(&calls);
	session_free(&session);
	run_free(&session.run);
}

static void save(void)
{
	char aside[PATH_MAX];
	struct session session;
	struct spans spans;
	struct fail why;
	spanmake_session_with_targets(folder);
	assert_int_equal(session_read(&session, folder, &why), 0);
	spans_build(&session, &spans);
	spans.running = 3;
	spans.open_work = 70;
	spans.open_span = 60;
	spans.sites[0].iterations = 12;
	if (store_save_span(recording, &spans, aside, &why) < 0)
		fail_msg("%s", why.text);
	assert_string_equal(aside, "");
	spans_free(&spans);
	session_free(&session);
	run_free(&session.run);
}

static int load(struct run *run, struct spans *spans, struct fail *why)
{
	struct store *store = store_open(recording, why);
	int result = store ? store_load_span(store, run, spans, why) : -1;
	store_close(store);
	return result;
}

static void same_sites(const struct spans *before, const struct spans *after)
{
	assert_int_equal(after->site_count, before->site_count);
	for (size_t i = 0; i < before->site_count; i++) {
		const struct spans_site *x = &before->sites[i], *y = &after->sites[i];
		assert_string_equal(spans_caller(before, x), spans_caller(after, y));
		assert_string_equal(spans_callee(before, x), spans_callee(after, y));
		assert_string_equal(x->file, y->file);
		assert_true(x->line == y->line && x->column == y->column && x->kind == y->kind && x->place == y->place);
		assert_true(x->foreign == y->foreign && x->inlined == y->inlined && x->real_ns == y->real_ns);
		assert_memory_equal(x->sums, y->sums, sizeof x->sums);
	}
}

static void same_targets(const struct spans *before, const struct spans *after)
{
	assert_int_equal(before->target_count, 3);
	assert_int_equal(after->target_count, before->target_count);
	for (size_t i = 0; i < before->target_count; i++) {
		const struct spans_target *x = &before->targets[i], *y = &after->targets[i];
		assert_true(x->site == y->site && x->count == y->count);
		assert_string_equal(spans_target(before, x), spans_target(after, y));
	}
}

static void what_is_stored_comes_back(void **state)
{
	(void)state;
	struct session session;
	struct spans before, after;
	struct run run;
	struct fail why;
	save();
	assert_int_equal(session_read(&session, folder, &why), 0);
	spans_build(&session, &before);
	if (load(&run, &after, &why) < 0)
		fail_msg("%s", why.text);
	assert_true(after.work == before.work && after.span == before.span && after.burdened_span == before.burdened_span);
	assert_true(after.cores == 8 && after.burden == 1000 && after.atomic_routines == before.atomic_routines);
	assert_true(after.running == 3 && after.open_work == 70 && after.open_span == 60 && after.sites[0].iterations == 12);
	assert_memory_equal(after.events, before.events, sizeof after.events);
	assert_string_equal(after.clock, "insn");
	same_sites(&before, &after);
	assert_true(after.region_count == 2 && before.region_count == 2);
	assert_string_equal(after.regions[1].name, "sort, all of it");
	assert_string_equal(after.regions[1].file, "/src/sort.c");
	assert_true(after.regions[1].line == 12 && after.regions[1].begun == 4 && after.regions[1].count == 3);
	assert_true(after.regions[1].work == 50000 && after.regions[1].span == 9000 && after.regions[1].burdened_span == 20000);
	same_targets(&before, &after);
	assert_int_equal(after.what_if_count, 2);
	assert_string_equal(after.what_ifs[1].site, "pqsort->partition");
	assert_true(after.what_ifs[0].factor == 0.5 && after.what_ifs[0].span == 5500);
	spans_free(&before);
	spans_free(&after);
	session_free(&session);
	run_free(&session.run);
	run_free(&run);
}

static int number(const char *question)
{
	sqlite3 *db;
	sqlite3_stmt *ask;
	sqlite3_open(recording, &db);
	sqlite3_prepare_v2(db, question, -1, &ask, NULL);
	int count = sqlite3_step(ask) == SQLITE_ROW ? sqlite3_column_int(ask, 0) : -1;
	sqlite3_finalize(ask);
	sqlite3_close(db);
	return count;
}

static void both_lenses_are_kept(void **state)
{
	(void)state;
	struct run run;
	struct spans spans;
	struct fail why;
	unlink(recording);
	save_calls();
	save();
	int sites = number("SELECT count(*) FROM span_site"), sums = number("SELECT count(*) FROM span_sum");
	save_calls();
	save();
	assert_int_equal(number("SELECT count(*) FROM run"), 2);
	assert_int_equal(number("SELECT count(*) FROM span_site"), sites);
	assert_int_equal(number("SELECT count(*) FROM span_sum"), sums);
	assert_int_equal(number("SELECT count(*) FROM span_total"), 1);
	assert_true(number("SELECT count(*) FROM calls_routine") > 0);
	assert_int_equal(number("SELECT sum(span) FROM span_sum WHERE profile = 'span' AND measure = 'local'"), 10000);
	assert_int_equal(load(&run, &spans, &why), 0);
	assert_string_equal(spans_callee(&spans, spans_largest(&spans, 0)), "sort::partition(int)");
	spans_free(&spans);
	run_free(&run);
}

static void change(const char *statement)
{
	sqlite3 *db;
	char *message = NULL;
	sqlite3_open(recording, &db);
	if (sqlite3_exec(db, statement, NULL, NULL, &message) != SQLITE_OK)
		fail_msg("%s: %s", statement, message);
	sqlite3_close(db);
}

static void hostile_recordings_are_refused(void **state)
{
	(void)state;
	static const char *const changes[] = {
		"DROP TABLE span_path",
		"DROP TABLE span_sum; CREATE VIEW span_sum AS SELECT 1 AS run, 0 AS site, 'work' AS profile, 'local' AS measure, 1 AS count, 1 AS work, 1 AS span",
		"DELETE FROM span_total",
		"UPDATE span_total SET work = -5",
		"UPDATE span_total SET cores = 0",
		"UPDATE span_site SET caller = 99999",
		"UPDATE span_site SET callee = -2 WHERE callee IS NOT NULL",
		"UPDATE span_site SET site = site + 5000",
		"UPDATE span_site SET kind = 'odd'",
		"UPDATE span_site SET line = -1",
		"UPDATE span_site SET real_ns = -7",
		"UPDATE span_sum SET site = site + 1000",
		"UPDATE span_sum SET profile = profile || 's'",
		"UPDATE span_sum SET measure = measure || 's'",
		"UPDATE span_sum SET count = -1",
		"UPDATE span_path SET site = 4000000000",
		"UPDATE span_what_if SET work = -1.5",
		"UPDATE span_what_if SET span = 9e999",
	};
	struct run run;
	struct spans spans;
	struct fail why;
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		unlink(recording);
		save();
		change(changes[i]);
		if (load(&run, &spans, &why) == 0)
			fail_msg("accepted after: %s", changes[i]);
		assert_int_equal(why.status, FAIL_INTERNAL);
	}
}

static void a_recording_of_another_lens_says_how_to_get_this_one(void **state)
{
	(void)state;
	struct run run;
	struct spans spans;
	struct fail why;
	unlink(recording);
	save_calls();
	assert_int_equal(load(&run, &spans, &why), -1);
	assert_int_equal(why.status, FAIL_NOT_FOUND);
	assert_non_null(strstr(why.text, "skein record span"));
}

static void mutated_recordings_never_crash(void **state)
{
	(void)state;
	static unsigned char bytes[1 << 20], copy[1 << 20];
	uint64_t seed = 11;
	unlink(recording);
	save();
	FILE *file = fopen(recording, "rb");
	size_t size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	for (int round = 0; round < 400; round++) {
		struct run run;
		struct spans spans;
		struct fail why;
		memcpy(copy, bytes, size);
		for (int n = 0; n < 20; n++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			copy[100 + (seed >> 33) % (size - 100)] = (unsigned char)(seed >> 20);
		}
		file = fopen(recording, "wb");
		fwrite(copy, 1, size, file);
		fclose(file);
		if (load(&run, &spans, &why) == 0) {
			struct findings verdict = {0}, caveats = {0};
			spans_judge(&spans, &verdict, &caveats);
			findings_free(&verdict);
			findings_free(&caveats);
			spans_free(&spans);
			run_free(&run);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_stored_comes_back),      cmocka_unit_test(both_lenses_are_kept),
		cmocka_unit_test(hostile_recordings_are_refused), cmocka_unit_test(a_recording_of_another_lens_says_how_to_get_this_one),
		cmocka_unit_test(mutated_recordings_never_crash),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
