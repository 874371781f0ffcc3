/* SPDX-License-Identifier: MIT */
/* A recording gives back what was stored, is never half written, and may come from anywhere. */
#include "unit/lib.h"

#include <sqlite3.h>

#include "analyse/calls/verdict.h"
#include "store/store.h"

#include "unit/session.h" /* last: others have parameters that are called folder */

static char recording[128];

static void save(const char *build_id, char aside[PATH_MAX])
{
	struct session session;
	struct calls calls;
	struct fail why;
	if (session_read(&session, folder, &why) < 0)
		fail_msg("%s", why.text);
	calls_build(&session, &calls);
	session.run.build_id = build_id;
	if (store_save_calls(recording, &calls, aside, &why) < 0)
		fail_msg("%s", why.text);
	calls_free(&calls);
	session_free(&session);
	run_free(&session.run);
}

static int load(struct run *run, struct calls *calls, struct fail *why)
{
	struct store *store = store_open(recording, why);
	int result = store ? store_load_calls(store, run, calls, why) : -1;
	store_close(store);
	return result;
}

static void what_is_stored_comes_back(void **state)
{
	(void)state;
	char aside[PATH_MAX];
	struct session session;
	struct calls before, after;
	struct run run;
	struct fail why;
	struct stat is;
	save("b1d", aside);
	assert_int_equal(session_read(&session, folder, &why), 0);
	calls_build(&session, &before);
	assert_int_equal(load(&run, &after, &why), 0);
	assert_int_equal(run.routine_count, session.run.routine_count);
	assert_int_equal(run.worker_count, 3);
	assert_int_equal(run.wall_ns, session.run.wall_ns);
	assert_int_equal(run_lost_events(&run), 7);
	assert_int_equal(run.inlined_count, 2);
	assert_int_equal(after.entry_count, before.entry_count);
	for (size_t i = 0; i < before.entry_count; i++) {
		const struct calls_entry *x = &before.entries[i], *y = &after.entries[i];
		assert_true(x->routine == y->routine && x->worker == y->worker && x->entry == y->entry);
		assert_memory_equal(&x->calls, &y->calls, sizeof *x - offsetof(struct calls_entry, calls));
	}
	assert_int_equal(after.arc_count, before.arc_count);
	for (size_t i = 0; i < before.arc_count; i++)
		assert_memory_equal(&before.arcs[i].calls, &after.arcs[i].calls,
		                    sizeof *before.arcs - offsetof(struct calls_arc_row, calls));
	assert_true(before.callee_count > 0);
	assert_int_equal(after.callee_count, before.callee_count);
	for (size_t i = 0; i < before.callee_count; i++)
		assert_memory_equal(&before.callees[i], &after.callees[i], sizeof *before.callees);
	assert_int_equal(after.level_count, before.level_count);
	assert_int_equal(after.together_count, before.together_count);
	assert_true(after.has_snapshots && after.has_times);
	assert_int_equal(stat(recording, &is), 0);
	assert_int_equal(is.st_mode & 0777, 0600);
	calls_free(&before);
	calls_free(&after);
	session_free(&session);
	run_free(&session.run);
	run_free(&run);
}

static int rows(const char *table)
{
	sqlite3 *db;
	sqlite3_stmt *ask;
	char text[128];
	snprintf(text, sizeof text, "SELECT count(*) FROM %s", table);
	sqlite3_open(recording, &db);
	sqlite3_prepare_v2(db, text, -1, &ask, NULL);
	int count = sqlite3_step(ask) == SQLITE_ROW ? sqlite3_column_int(ask, 0) : -1;
	sqlite3_finalize(ask);
	sqlite3_close(db);
	return count;
}

static void a_rank_and_its_messages_come_back(void **state)
{
	(void)state;
	char aside[PATH_MAX];
	struct session session;
	struct calls calls, after;
	struct run run;
	struct fail why;
	const struct run_rank rank = {3, 8, RUN_UNKNOWN, 2, 4, "job", "node7", "PMI"};
	assert_int_equal(session_read(&session, folder, &why), 0);
	calls_build(&session, &calls);
	session.run.build_id = "b1d";
	session.run.rank = rank;
	MEMORY_GROW(session.run.messages, session.run.message_count, session.run.message_room);
	session.run.messages[session.run.message_count++] = (struct run_message){"MPI_Recv", "message", 0, 1, RUN_UNKNOWN, 5, 40, 700, 300};
	assert_int_equal(store_save_calls(recording, &calls, aside, &why), 0);
	assert_int_equal(load(&run, &after, &why), 0);
	assert_true(run.rank.rank == 3 && run.rank.ranks == 8 && run.rank.task == RUN_UNKNOWN && run.rank.mpi_rank == 2 &&
	            run.rank.mpi_ranks == 4);
	assert_string_equal(run.rank.job, "job");
	assert_string_equal(run.rank.node, "node7");
	assert_string_equal(run.rank.launcher, "PMI");
	assert_int_equal(run.message_count, 1);
	const struct run_message *m = &run.messages[0];
	assert_string_equal(m->call, "MPI_Recv");
	assert_string_equal(m->kind, "message");
	assert_true(m->comm == 0 && m->peer == 1 && m->tag == RUN_UNKNOWN);
	assert_true(m->calls == 5 && m->bytes == 40 && m->wait_ns == 700 && m->longest_ns == 300);
	calls_free(&calls);
	calls_free(&after);
	session_free(&session);
	run_free(&session.run);
	run_free(&run);
}

static void the_same_lens_again_replaces_its_run(void **state)
{
	(void)state;
	char aside[PATH_MAX];
	unlink(recording);
	save("b1d", aside);
	int routines = rows("routine"), entries = rows("calls_routine"), threads = rows("thread");
	save("b1d", aside);
	assert_string_equal(aside, "");
	assert_int_equal(rows("run"), 1);
	assert_int_equal(rows("routine"), routines);
	assert_int_equal(rows("calls_routine"), entries);
	assert_int_equal(rows("thread"), threads);
}

static void another_build_keeps_the_old_file_aside(void **state)
{
	(void)state;
	char aside[PATH_MAX];
	save("b1d", aside);
	save("0ther", aside);
	assert_non_null(strstr(aside, "prog.skein.old-1"));
	save("th1rd", aside);
	assert_non_null(strstr(aside, "prog.skein.old-2"));
	assert_int_equal(rows("run"), 1);
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
		"DROP TABLE calls_arc",
		"DROP TABLE calls_level; CREATE VIEW calls_level AS SELECT 1 AS run, 1 AS working, NULL AS routine, 1 AS snapshots, randomblob(1000000000) AS ns",
		"ALTER TABLE calls_inside ADD COLUMN more INTEGER GENERATED ALWAYS AS (1)",
		"UPDATE calls_routine SET worker = worker + 1000000",
		"UPDATE calls_routine SET calls = -5",
		"UPDATE calls_arc SET callee = 99999",
		"UPDATE calls_arc SET entry = 'nowhere'",
		"UPDATE routine SET routine = routine + 1000000000 WHERE routine > 2",
		"UPDATE routine SET object = 77 WHERE object IS NOT NULL",
		"UPDATE routine SET kind = 'odd'",
		"UPDATE worker SET process = 3",
		"UPDATE thread SET worker = -1",
		"UPDATE lost SET cause = 4000000000",
		"CREATE TRIGGER more AFTER INSERT ON run BEGIN DELETE FROM run; END",
		"CREATE VIEW more AS SELECT randomblob(1000000000)",
		"CREATE TABLE more (x)",
		"CREATE VIRTUAL TABLE more USING fts5 (x)",
		"CREATE INDEX more ON run (lens)",
		"CREATE INDEX more ON run (abs(wall_ns))",
		"ANALYZE",
		"PRAGMA writable_schema = on; INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'note'",
		"PRAGMA writable_schema = on; INSERT INTO sqlite_schema VALUES ('table', 'more', 'more', 0, '')",
		"PRAGMA writable_schema = on; UPDATE sqlite_schema SET sql = replace(sql, 'text TEXT', 'textTEXT')",
		"PRAGMA writable_schema = on; UPDATE sqlite_schema SET sql = replace(sql, 'mode TEXT', 'mode \"TEXT  \"')",
		"PRAGMA user_version = 99",
		"PRAGMA application_id = 1",
		"DELETE FROM run",
	};
	char aside[PATH_MAX];
	struct run run;
	struct calls calls;
	struct fail why;
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		unlink(recording);
		save("b1d", aside);
		change(changes[i]);
		if (load(&run, &calls, &why) == 0)
			fail_msg("accepted after: %s", changes[i]);
		assert_true(why.status == FAIL_INTERNAL || why.status == FAIL_NOT_FOUND);
	}
}

static void nothing_in_an_old_recording_runs_when_a_run_is_added(void **state)
{
	(void)state;
	static const char *const changes[] = {
		"CREATE TRIGGER more AFTER INSERT ON calls_routine BEGIN UPDATE calls_routine SET calls = 7; END",
		"CREATE TRIGGER more AFTER INSERT ON run BEGIN INSERT INTO note SELECT new.run, 1000 + a.line, 'x' FROM routine a, routine b; END",
		"CREATE TRIGGER more AFTER DELETE ON run BEGIN SELECT raise(abort, 'no'); END",
	};
	char aside[PATH_MAX];
	struct run run;
	struct calls calls;
	struct fail why;
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		unlink(recording);
		save("b1d", aside);
		int routines = rows("calls_routine"), notes = rows("note");
		change(changes[i]);
		assert_int_equal(store_check_target(recording, &why), -1);
		assert_non_null(strstr(why.text, "the trigger more"));
		save("b1d", aside);
		assert_non_null(strstr(aside, "prog.skein.old-"));
		unlink(aside);
		assert_int_equal(rows("calls_routine"), routines);
		assert_int_equal(rows("note"), notes);
		assert_int_equal(load(&run, &calls, &why), 0);
		assert_int_not_equal(calls.entries[0].calls, 7);
		calls_free(&calls);
		run_free(&run);
	}
}

static void mutated_recordings_never_crash(void **state)
{
	(void)state;
	char aside[PATH_MAX];
	static unsigned char bytes[1 << 20], copy[1 << 20];
	uint64_t seed = 99;
	unlink(recording);
	save("b1d", aside);
	FILE *file = fopen(recording, "rb");
	size_t size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	for (int round = 0; round < 400; round++) {
		struct run run;
		struct calls calls;
		struct fail why;
		memcpy(copy, bytes, size);
		for (int n = 0; n < 20; n++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			copy[100 + (seed >> 33) % (size - 100)] = (unsigned char)(seed >> 20);
		}
		file = fopen(recording, "wb");
		fwrite(copy, 1, round % 4 ? size : size * (size_t)(round % 64) / 64, file);
		fclose(file);
		if (load(&run, &calls, &why) == 0) {
			struct findings verdict = {0}, caveats = {0};
			calls_judge(&calls, &verdict, &caveats);
			findings_free(&verdict);
			findings_free(&caveats);
			calls_free(&calls);
			run_free(&run);
		}
	}
}

static void a_file_that_is_no_recording_is_not_overwritten(void **state)
{
	(void)state;
	struct fail why;
	rawmake_text(folder, "prog.skein", "my thesis");
	assert_int_equal(store_check_target(recording, &why), -1);
	assert_int_equal(why.status, FAIL_INTERNAL);
	unlink(recording);
	assert_int_equal(store_check_target(recording, &why), 0);
}

/* Issue 2: ten million calls over 300 routines in less than 1 MB. */
static void a_large_run_makes_a_small_recording(void **state)
{
	(void)state;
	char aside[PATH_MAX], name[32];
	struct run run;
	struct fail why;
	struct stat is;
	run_start(&run);
	run.lens = "calls";
	run.mode = "times";
	run.build_id = "b1d";
	uint32_t object = run_object(&run, "b1d", "/home/me/prog");
	struct calls calls = {.run = &run, .has_times = true};
	for (uint32_t i = 1; i <= 300; i++) {
		snprintf(name, sizeof name, "some_module_routine_%u", i);
		run_routine(&run,
		            &(struct run_routine){.object = object, .linkage = name, .file = "/home/me/src/module/file.c", .line = i});
	}
	run.process_count = 1;
	run.processes = calloc(1, sizeof *run.processes);
	run.worker_count = 4;
	run.workers = calloc(4, sizeof *run.workers);
	for (uint32_t i = 1; i <= 300; i++)
		for (uint32_t w = 0; w < 4; w++) {
			MEMORY_GROW(calls.entries, calls.entry_count, calls.entry_room);
			calls.entries[calls.entry_count++] =
				(struct calls_entry){i,      w, w ? 1 : 0, 8333, 123456789, 123456789, 8333, 123456789,
			                             123456, 0, 8333,      833,  12345,     0,         0};
			MEMORY_GROW(calls.arcs, calls.arc_count, calls.arc_room);
			calls.arcs[calls.arc_count++] =
				(struct calls_arc_row){i, (i * (w + 7)) % 300 + 1, 1, 0, 1, 8333, 123456789, 8333, 833, 12345, 123456789};
		}
	calls_sort(&calls);
	unlink(recording);
	assert_int_equal(store_save_calls(recording, &calls, aside, &why), 0);
	assert_int_equal(stat(recording, &is), 0);
	assert_true(is.st_size < 1000000);
	calls_free(&calls);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_stored_comes_back),
		cmocka_unit_test(a_rank_and_its_messages_come_back),
		cmocka_unit_test(the_same_lens_again_replaces_its_run),
		cmocka_unit_test(another_build_keeps_the_old_file_aside),
		cmocka_unit_test(hostile_recordings_are_refused),
		cmocka_unit_test(nothing_in_an_old_recording_runs_when_a_run_is_added),
		cmocka_unit_test(mutated_recordings_never_crash),
		cmocka_unit_test(a_file_that_is_no_recording_is_not_overwritten),
		cmocka_unit_test(a_large_run_makes_a_small_recording),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
