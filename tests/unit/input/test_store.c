/* SPDX-License-Identifier: MIT */
/* Recordings of the input lens: what is stored is what is read, runs add up, and files that lie do no harm. */
#include "unit/input/result.h"

static void load(struct run *run, struct inputs *inputs)
{
	struct fail why;
	struct store *store = store_open(recording, &why);
	if (!store || store_load_input(store, run, inputs, &why) < 0)
		fail_msg("%s", why.text);
	store_close(store);
}

static void what_is_stored_is_what_is_read(void **state)
{
	struct result r;
	struct run run;
	struct inputs inputs;
	(void)state;
	add_run(3, 12);
	analyse(&r);
	load(&run, &inputs);
	assert_int_equal(inputs.point_count, r.inputs.point_count);
	assert_int_equal(inputs.source_count, r.inputs.source_count);
	for (size_t i = 0; i < inputs.point_count; i++) {
		const struct inputs_point *a = &inputs.points[i], *b = &r.inputs.points[i];
		assert_string_equal(run.routines[inputs.contexts[a->context].routine].linkage,
		                    r.inputs.run->routines[r.inputs.contexts[b->context].routine].linkage);
		assert_int_equal(a->size, b->size);
		assert_int_equal(a->metrics, b->metrics);
		assert_int_equal(a->cost_sum, b->cost_sum);
		assert_true(fabs(a->squares - b->squares) <= 1e-9 * b->squares);
	}
	assert_memory_equal(inputs.sources, r.inputs.sources, inputs.source_count * sizeof *inputs.sources);
	inputs_free(&inputs);
	run_free(&run);
	done(&r);
}

static void runs_add_up_and_can_be_told_apart(void **state)
{
	struct run run;
	struct inputs inputs;
	struct inputs_curve curve;
	(void)state;
	unlink(recording);
	add_run(3, 8);
	add_run(8, 12);
	load(&run, &inputs);
	assert_int_equal(inputs.run_count, 2);
	assert_int_equal(run.thread_count, 4);
	uint32_t insert = 0;
	while (strcmp(run.routines[insert].linkage, "insert") != 0)
		insert++;
	struct inputs_pick pick = {insert, INPUTS_ANY, INPUTS_ANY, 0};
	inputs_curve(&inputs, &pick, INPUT_TRMS, &curve);
	assert_int_equal(curve.count, 10);
	assert_int_equal(curve.rows[5].size, 256);
	assert_int_equal(curve.rows[5].calls, 2);
	inputs_curve_free(&curve);
	inputs_keep_run(&inputs, 1);
	inputs_curve(&inputs, &pick, INPUT_TRMS, &curve);
	assert_int_equal(curve.count, 5);
	assert_int_equal(curve.rows[0].size, 256);
	assert_int_equal(curve.rows[0].calls, 1);
	inputs_curve_free(&curve);
	inputs_free(&inputs);
	run_free(&run);
}

static void runs_that_were_made_otherwise_are_left_out(void **state)
{
	struct run run;
	struct inputs inputs;
	sqlite3 *db;
	(void)state;
	unlink(recording);
	add_run(3, 8);
	assert_int_equal(sqlite3_open(recording, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "UPDATE input_how SET cell_bytes = 8", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	add_run(8, 12);
	load(&run, &inputs);
	assert_int_equal(inputs.run_count, 1);
	assert_int_equal(inputs.runs_left_out, 1);
	assert_int_equal(run.thread_count, 2);
	inputs_free(&inputs);
	run_free(&run);
}

/* What a damaged recording says is refused, never believed. */
static void wrong_references_are_refused(void **state)
{
	static const char *const harm[] = {"UPDATE input_point SET context = 99 WHERE context = 1",
	                                   "UPDATE input_point SET thread = 7 WHERE thread = 1",
	                                   "UPDATE input_point SET process = 3",
	                                   "UPDATE input_point SET metrics = 8 WHERE metrics = 7",
	                                   "UPDATE input_point SET calls = -1",
	                                   "UPDATE input_point SET bits = 64",
	                                   "UPDATE input_point SET cost_norm = 1e300",
	                                   "UPDATE input_context SET parent = context WHERE context = 2",
	                                   "UPDATE input_context SET routine = 4711 WHERE context = 2",
	                                   "DELETE FROM input_context WHERE context = 0",
	                                   "UPDATE input_matrix SET reader = 9",
	                                   "UPDATE input_matrix SET writer = -3 WHERE writer = -1",
	                                   "UPDATE input_how SET process = 1",
	                                   "UPDATE input_how SET cost = 2"};
	(void)state;
	for (size_t i = 0; i < sizeof harm / sizeof *harm; i++) {
		struct run run;
		struct inputs inputs;
		struct fail why;
		sqlite3 *db;
		unlink(recording);
		add_run(3, 4);
		assert_int_equal(sqlite3_open(recording, &db), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, harm[i], NULL, NULL, NULL), SQLITE_OK);
		sqlite3_close(db);
		struct store *store = store_open(recording, &why);
		assert_non_null(store);
		if (store_load_input(store, &run, &inputs, &why) == 0)
			fail_msg("believed: %s", harm[i]);
		store_close(store);
	}
}

/* ---- raw files that lie ---- */

static void contexts_are_merged_by_routine_and_recursion_counts_once(void **state)
{
	struct raw_input_how how = inputmake_how();
	const uint64_t insert = inputmake_place(INPUTMAKE_PROG, INPUTMAKE_INSERT), deep = inputmake_place(INPUTMAKE_PROG, INPUTMAKE_DEEP);
	struct raw_input_context contexts[] = {{1, 0, insert}, {2, 1, deep}, {3, 2, insert}, {4, 0, deep}};
	struct raw_input_point points[] = {point(1, 10, 100), point(2, 10, 50), point(3, 5, 20), point(4, 7, 30)};
	struct result r;
	(void)state;
	how.options |= RAW_INPUT_HAS_CONTEXTS;
	write_rows(&how, contexts, 4, points, 4);
	analyse(&r);
	assert_true(r.inputs.has_contexts);
	assert_int_equal(r.inputs.context_count, 5);
	assert_int_equal(of(&r, "insert")->calls, 2);
	assert_int_equal(of(&r, "insert")->cost, 100);
	assert_int_equal(of(&r, "deep")->cost, 80);
	done(&r);
}

static void contexts_that_lie_are_taken_for_outermost_ones(void **state)
{
	struct raw_input_how how = inputmake_how();
	struct raw_input_context contexts[] = {{1, 2, 5}, {2, 1, 6}, {3, 3, 7}, {4, 99, 8}, {0, 1, 9}, {0xffffffff, 1, 9}};
	struct raw_input_point points[] = {point(1, 1, 1),  point(2, 1, 1), point(3, 1, 1),         point(4, 1, 1),
	                                   point(77, 1, 5), point(0, 1, 1), point(UINT64_MAX, 1, 1)};
	struct result r;
	(void)state;
	how.options |= RAW_INPUT_HAS_CONTEXTS;
	points[0].thread = 4711; /* nobody has said anything of it */
	points[1].bits = 999;
	points[2].cost_sum = points[2].self_sum = points[2].calls = points[2].size_sum = UINT64_MAX;
	points[3].metrics = 0xffff;
	write_rows(&how, contexts, 6, points, 7);
	analyse(&r);
	for (size_t i = 1; i < r.inputs.context_count; i++)
		assert_true(r.inputs.contexts[i].parent < i);
	for (size_t i = 0; i < r.inputs.point_count; i++)
		assert_true(r.inputs.points[i].thread < r.session.run.thread_count);
	must_say(&r.caveats, "2 activations are left out");
	assert_int_equal(r.inputs.source_count, 2);
	assert_int_equal(r.inputs.sources[0].writer, 0);
	assert_int_equal(r.inputs.sources[1].writer, INPUTS_OTHERS);
	assert_int_equal(r.inputs.sources[1].cells, 3);
	done(&r);
}

static void a_process_that_says_nothing_of_itself_is_read(void **state)
{
	struct raw_input_point points[] = {point(1, 1, 1), point(4711, 1, 1)};
	struct result r;
	(void)state;
	write_rows(NULL, NULL, 0, points, 2);
	analyse(&r);
	assert_int_equal(r.count, 1); /* both are routines that no table names */
	done(&r);
}

/* Whatever stands in a raw file, what is made of it can be stored, and read again, or is refused. */
static void damaged_raw_files_do_no_harm(void **state)
{
	static unsigned char bytes[RAWMAKE_ROOM];
	char raw[160], aside[PATH_MAX];
	(void)state;
	snprintf(raw, sizeof raw, "%s/1000.raw", folder);
	inputmake_session(folder, 3, 6);
	FILE *file = fopen(raw, "rb");
	size_t size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	for (int round = 0; round < 100; round++) {
		struct session session;
		struct inputs inputs;
		struct fail why;
		file = fopen(raw, "wb");
		fwrite(bytes, 1, size, file);
		for (uint64_t n = 1 + chance(30); n; n--) {
			fseek(file, (long)(chance(10) ? RAW_HEADER_BYTES + chance(size - RAW_HEADER_BYTES) : chance(RAW_HEADER_BYTES / 8)),
			      SEEK_SET);
			fputc((int)(chance(3) ? chance(256) : chance(2) * 255), file);
		}
		fclose(file);
		if (session_read(&session, folder, &why) < 0)
			continue;
		inputs_build(&session, &inputs);
		size_t count;
		struct inputs_result *results = inputs_results(&inputs, INPUT_TRMS, MODELS_MEAN, &count);
		struct findings verdict = {0}, caveats = {0};
		inputs_judge(&inputs, results, count, INPUT_TRMS, &verdict, &caveats);
		unlink(recording);
		if (store_save_input(recording, &inputs, aside, &why) < 0)
			fail_msg("%s", why.text);
		struct run run;
		struct inputs again;
		load(&run, &again);
		assert_int_equal(again.source_count, inputs.source_count);
		inputs_free(&again);
		run_free(&run);
		findings_free(&verdict);
		findings_free(&caveats);
		free(results);
		inputs_free(&inputs);
		session_free(&session);
		run_free(&session.run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_stored_is_what_is_read),
		cmocka_unit_test(runs_add_up_and_can_be_told_apart),
		cmocka_unit_test(runs_that_were_made_otherwise_are_left_out),
		cmocka_unit_test(wrong_references_are_refused),
		cmocka_unit_test(contexts_are_merged_by_routine_and_recursion_counts_once),
		cmocka_unit_test(contexts_that_lie_are_taken_for_outermost_ones),
		cmocka_unit_test(a_process_that_says_nothing_of_itself_is_read),
		cmocka_unit_test(damaged_raw_files_do_no_harm),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
