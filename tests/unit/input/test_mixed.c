/* SPDX-License-Identifier: MIT */
/* test_mixed.c: a routine whose cost depends on a function that it was given has no cost function of its own, and one whose
 * cost does not has one. `insert` is the routine; it calls `lookup` or `deep` through a pointer, or both. */
#include "unit/input/result.h"

#include "core/input/choice.h"

enum { SIZES = 40 };

static struct raw_input_point points[4 * SIZES];
static uint32_t count;

static uint64_t place(uint64_t offset)
{
	return inputmake_place(INPUTMAKE_PROG, offset);
}

static void put(uint32_t set, double size, double cost)
{
	points[count++] = point(input_set_key(place(INPUTMAKE_INSERT), set), (uint64_t)size, (uint64_t)cost);
}

/* Set 1 is lookup, set 2 is deep, set 3 both, set 0 none. */
static void write_points(void)
{
	static struct inputmake m;
	struct rawmake raw;
	char to[160];
	struct raw_input_how how = inputmake_how();
	uint64_t insert = place(INPUTMAKE_INSERT), lookup = place(INPUTMAKE_LOOKUP), deep = place(INPUTMAKE_DEEP);
	struct raw_input_set sets[] = {{input_set_key(insert, 1), lookup, 0, 0},
	                               {input_set_key(insert, 2), deep, 0, 0},
	                               {input_set_key(insert, 3), deep, 0, 0},
	                               {input_set_key(insert, 3), lookup, 0, 0}};
	rawmake_text(folder, "session", "lens\tinput\nmode\tblocks\nperiod_us\t1000\nnative\t/home/me/prog\ncommand\t./prog\n");
	inputmake_start(&m, &raw);
	inputmake_table(&m, RAW_INPUT_HOW, &how, sizeof how, 1);
	inputmake_table(&m, RAW_INPUT_SETS, sets, sizeof *sets, 4);
	inputmake_table(&m, RAW_INPUT_POINTS, points, sizeof *points, count);
	snprintf(to, sizeof to, "%s/1000.raw", folder);
	rawmake_write(&raw, to);
	rawmake_free(&raw);
}

/* Both functions at all sizes, or by turns. */
static enum models_why why_of(bool by_turns, double (*with_lookup)(double n), double (*with_deep)(double n))
{
	struct result r;
	count = 0;
	for (int i = 0; i < SIZES; i++) {
		double n = round(10 * pow(1.15, i));
		if (!by_turns || i % 2)
			put(1, n, with_lookup(n));
		if (!by_turns || i % 2 == 0)
			put(2, n, with_deep(n));
	}
	write_points();
	analyse(&r);
	enum models_why why = of(&r, "insert")->growth[INPUT_TRMS].why;
	assert_int_equal(of(&r, "insert")->calls, count);
	assert_true(why != MODELS_MIXED || isnan(of(&r, "insert")->x10_pct));
	done(&r);
	return why;
}

static double linear(double n)
{
	return 5 * n + 20;
}

static double dearer(double n)
{
	return 7 * n + 40;
}

static double ten_times(double n)
{
	return 50 * n;
}

static double square(double n)
{
	return n * n;
}

static void different_growth_is_not_one_curve(void **state)
{
	(void)state;
	for (int by_turns = 0; by_turns < 2; by_turns++) {
		assert_int_equal(why_of(by_turns, linear, square), MODELS_MIXED);
		assert_int_equal(why_of(by_turns, square, linear), MODELS_MIXED);
		assert_int_equal(why_of(by_turns, linear, ten_times), MODELS_MIXED);
	}
}

static void similar_costs_are_one_curve(void **state)
{
	(void)state;
	for (int by_turns = 0; by_turns < 2; by_turns++) {
		assert_int_equal(why_of(by_turns, linear, linear), MODELS_TOLD);
		assert_int_equal(why_of(by_turns, linear, dearer), MODELS_TOLD);
		assert_int_equal(why_of(by_turns, square, square), MODELS_TOLD);
	}
}

/* Small inputs with one function, large ones with the other: that is a step between them, not growth. */
static void other_functions_at_other_sizes_are_compared_by_their_curves(void **state)
{
	(void)state;
	for (int is_other = 0; is_other < 2; is_other++) {
		struct result r;
		count = 0;
		for (int i = 0; i < SIZES; i++) {
			double n = round(10 * pow(1.15, i));
			put(i >= SIZES / 2 ? 2 : 1, n, is_other && i >= SIZES / 2 ? 30 * linear(n) : linear(n));
		}
		write_points();
		analyse(&r);
		assert_int_equal(of(&r, "insert")->growth[INPUT_TRMS].why, is_other ? MODELS_MIXED : MODELS_TOLD);
		done(&r);
	}
}

/* The leaves of a recursion call another function than its inner nodes: a single size does not make it several curves. */
static void a_single_small_size_does_not_matter(void **state)
{
	struct result r;
	(void)state;
	count = 0;
	for (int i = 0; i < SIZES; i++)
		put(1, round(10 * pow(1.15, i)), linear(round(10 * pow(1.15, i))));
	put(0, 2, 1);
	put(2, 3, 1);
	write_points();
	analyse(&r);
	assert_int_equal(of(&r, "insert")->growth[INPUT_TRMS].why, MODELS_TOLD);
	done(&r);
}

static enum inputs_claim_is judge(const struct result *r, const char *text)
{
	struct inputs_claim claim;
	assert_true(inputs_claim_read(text, &claim));
	return inputs_claim_judge(&of(r, "insert")->growth[INPUT_TRMS], &claim);
}

static void the_verdict_names_functions_and_growth_and_no_claim_is_judged(void **state)
{
	struct result r;
	(void)state;
	assert_int_equal(why_of(true, linear, square), MODELS_MIXED);
	analyse(&r);
	must_say(&r.verdict,
	         "insert (prog.c:10) has 100 % of the cost, but no cost function of its own: it calls different functions through "
	         "a pointer, and its cost depends on which. Its growth is n^2 with deep, n with lookup.");
	assert_false(says(&r.verdict, "No routine with a significant share grows faster"));
	assert_int_equal(judge(&r, "O(n)"), INPUTS_CLAIM_UNKNOWN);
	assert_int_equal(judge(&r, "O(n^3)"), INPUTS_CLAIM_UNKNOWN);
	done(&r);
}

/* An interpreter runs short scripts without calls beside long ones with many. */
static void calling_nothing_is_a_choice_too(void **state)
{
	struct result r;
	(void)state;
	count = 0;
	for (int i = 0; i < SIZES; i++) {
		double n = round(10 * pow(1.15, i));
		put(i % 2 ? 0 : 3, n, i % 2 ? linear(n) : square(n));
	}
	write_points();
	analyse(&r);
	assert_int_equal(of(&r, "insert")->growth[INPUT_TRMS].why, MODELS_MIXED);
	must_say(&r.verdict, "Its growth is n^2 with ");
	must_say(&r.verdict, ", n without any of them.");
	done(&r);
}

/* ---- the recording ---- */

static void sets_are_stored_and_those_that_lie_are_refused(void **state)
{
	static const char *const harm[] = {"UPDATE input_point SET chosen = 9 WHERE chosen = 1",
	                                   "UPDATE input_chosen SET routine = 4711 WHERE chosen = 1",
	                                   "DELETE FROM input_chosen WHERE chosen = 1", "UPDATE input_chosen SET chosen = chosen + 10"};
	struct result r;
	struct run run;
	struct inputs inputs;
	char aside[PATH_MAX];
	struct fail why;
	(void)state;
	for (size_t i = 0; i <= sizeof harm / sizeof *harm; i++) {
		count = 0;
		for (uint32_t set = 0; set < 4; set++)
			put(set, 10, 100 + set);
		write_points();
		analyse(&r);
		unlink(recording);
		r.session.run.build_id = "b1d";
		assert_int_equal(store_save_input(recording, &r.inputs, aside, &why), 0);
		if (i < sizeof harm / sizeof *harm) {
			sqlite3 *db;
			assert_int_equal(sqlite3_open(recording, &db), SQLITE_OK);
			assert_int_equal(sqlite3_exec(db, harm[i], NULL, NULL, NULL), SQLITE_OK);
			sqlite3_close(db);
		}
		struct store *store = store_open(recording, &why);
		assert_non_null(store);
		int status = store_load_input(store, &run, &inputs, &why);
		store_close(store);
		if (i < sizeof harm / sizeof *harm) {
			if (status == 0)
				fail_msg("believed: %s", harm[i]);
		} else {
			assert_int_equal(inputs.set_count, 4);
			for (size_t k = 0; k < inputs.point_count; k++)
				assert_int_equal(inputs.sets[inputs.points[k].set].count,
				                 inputs.points[k].cost_sum == 103 ? 2 : inputs.points[k].cost_sum > 100);
			inputs_free(&inputs);
			run_free(&run);
		}
		done(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(different_growth_is_not_one_curve),
		cmocka_unit_test(similar_costs_are_one_curve),
		cmocka_unit_test(other_functions_at_other_sizes_are_compared_by_their_curves),
		cmocka_unit_test(a_single_small_size_does_not_matter),
		cmocka_unit_test(the_verdict_names_functions_and_growth_and_no_claim_is_judged),
		cmocka_unit_test(calling_nothing_is_a_choice_too),
		cmocka_unit_test(sets_are_stored_and_those_that_lie_are_refused),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
