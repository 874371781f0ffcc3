/* SPDX-License-Identifier: MIT */
/* From raw recordings to the numbers and sentences of the input lens, on runs whose answers are known.
 *
 * Called as `test_report --recording FILE K L` it only adds the known run from K to L to a recording, and as
 * `test_report --session FOLDER K L` it leaves its session there. */
#include "report/input/view.h"
#include "unit/input/result.h"

static double sum_of(unsigned first, unsigned last, double (*f)(double n, double k))
{
	double sum = 0;
	for (unsigned k = first; k <= last; k++)
		sum += f(exp2(k), k);
	return sum;
}

static double squared(double n, double k)
{
	(void)k;
	return n * n;
}

static double plain(double n, double k)
{
	(void)k;
	return n;
}

static double merged(double n, double k)
{
	return 2 * n * k + 2;
}

/* ---- the known run ---- */

static void figures_are_those_of_the_known_run(void **state)
{
	struct result r;
	(void)state;
	inputmake_session(folder, 3, 12);
	analyse(&r);
	double n = sum_of(3, 12, plain), whole = sum_of(3, 12, squared) + sum_of(3, 12, merged) + 5 * n + 30 + 10 * n + 280 + 3 * n + 100;
	assert_int_equal(r.count, 7);
	assert_int_equal(inputs_cost(&r.inputs, INPUTS_ANY), (uint64_t)whole);
	const struct inputs_result *insert = of(&r, "insert"), *merge = of(&r, "_ZN4list5mergeEi"), *consume = of(&r, "consume"),
				   *deep = of(&r, "deep");
	assert_int_equal(insert->calls, 10);
	assert_int_equal(insert->cost, (uint64_t)sum_of(3, 12, squared));
	assert_int_equal(insert->sizes[INPUT_RMS], 10);
	assert_int_equal(insert->largest, 4096);
	assert_int_equal(merge->calls, 20);
	assert_int_equal(merge->cost, (uint64_t)sum_of(3, 12, merged));
	assert_int_equal(consume->sizes[INPUT_RMS], 1);
	assert_int_equal(consume->sizes[INPUT_RMS_EXTERNAL], 1);
	assert_int_equal(consume->sizes[INPUT_TRMS], 10);
	assert_int_equal(consume->thread_induced, (uint64_t)n - 10);
	assert_true(fabs(inputs_richness(consume) - 9) < 1e-9);
	assert_true(fabs(inputs_volume(consume) - (1 - 10 / n)) < 1e-9);
	assert_int_equal(deep->calls, 20);
	assert_int_equal(deep->cost, (uint64_t)(3 * n));
	assert_int_equal(deep->self, (uint64_t)(3 * n));
	assert_int_equal(deep->sizes[INPUT_TRMS], 11);
	done(&r);
}

static void models_are_the_known_ones(void **state)
{
	struct result r;
	(void)state;
	inputmake_session(folder, 3, 12);
	analyse(&r);
	assert_int_equal(of(&r, "insert")->growth[INPUT_TRMS].model, MODEL_N2);
	assert_int_equal(of(&r, "_ZN4list5mergeEi")->growth[INPUT_TRMS].model, MODEL_N_LOG);
	assert_int_equal(of(&r, "consume")->growth[INPUT_TRMS].model, MODEL_N);
	assert_int_equal(of(&r, "consume")->growth[INPUT_RMS].model, MODEL_NONE);
	assert_int_equal(of(&r, "lookup")->growth[INPUT_TRMS].model, MODEL_1);
	assert_int_equal(of(&r, "main")->growth[INPUT_TRMS].model, MODEL_NONE);
	assert_true(fabs(of(&r, "insert")->growth[INPUT_TRMS].exponent - 2) < 0.01);
	assert_true(of(&r, "insert")->growth[INPUT_TRMS].r2 > 0.9999);
	done(&r);
}

static void shares_at_ten_times_the_input_follow_from_the_model(void **state)
{
	struct result r;
	(void)state;
	inputmake_session(folder, 3, 12);
	analyse(&r);
	const struct inputs_result *insert = of(&r, "insert"), *consume = of(&r, "consume");
	double whole = (double)inputs_cost(&r.inputs, INPUTS_ANY), cost = (double)insert->cost;
	assert_true(fabs(insert->cost_pct - 100 * cost / whole) < 1e-6);
	assert_true(fabs(insert->x10_pct - 100 * 100 * cost / (100 * cost + 10 * (whole - cost))) < 0.1);
	assert_true(fabs(consume->x10_pct - consume->cost_pct) < 0.1);
	assert_true(isnan(of(&r, "main")->x10_pct)); /* no cost function */
	for (size_t i = 1; i < r.count; i++)
		assert_true(isnan(r.results[i].x10_pct) || r.results[i - 1].x10_pct >= r.results[i].x10_pct);
	done(&r);
}

static void the_verdict_names_what_grows_and_where_rms_misleads(void **state)
{
	struct result r;
	(void)state;
	inputmake_session(folder, 3, 12);
	analyse(&r);
	assert_true(strncmp(r.verdict.lines[0], "insert (prog.c:10) grows like n^2", 33) == 0);
	assert_false(says(&r.verdict, "list::merge"));
	must_say(
		&r.caveats,
		"freed memory counts as new when it is allocated again; return addresses and the C library's own data are not input; synchronisation objects are not input");
	must_say(&r.caveats, "one thread at a time");
	must_say(&r.caveats, "5 activations did not return: control left their stack");
	must_say(&r.caveats, "No events were lost.");
	done(&r);
}

static void few_sizes_have_no_cost_function(void **state)
{
	struct result r;
	(void)state;
	inputmake_session(folder, 3, 8);
	analyse(&r);
	assert_int_equal(of(&r, "insert")->growth[INPUT_TRMS].model, MODEL_NONE);
	must_say(&r.verdict, "insert (prog.c:10) has");
	must_say(&r.verdict, "no cost function: only 6 sizes");
	done(&r);
}

/* A tenth of the cost that grows like n^2, beside something of one size: 100 * 10 / (100 * 10 + 10 * 90). */
static void a_small_routine_that_grows_has_a_large_share_later(void **state)
{
	static struct raw_input_point points[32];
	struct raw_input_how how = inputmake_how();
	struct result r;
	uint64_t cost = 0;
	uint32_t count = 0;
	(void)state;
	for (uint64_t n = 10; count < 10; n *= 2, count++) {
		points[count] = point(inputmake_place(INPUTMAKE_PROG, INPUTMAKE_INSERT), n, n * n);
		cost += n * n;
	}
	points[count++] = point(inputmake_place(INPUTMAKE_PROG, INPUTMAKE_LOOKUP), 1, 9 * cost);
	write_rows(&how, NULL, 0, points, count);
	analyse(&r);
	assert_true(fabs(of(&r, "insert")->cost_pct - 10) < 1e-9);
	assert_true(fabs(of(&r, "insert")->x10_pct - 100 * 1000.0 / 1900) < 0.05);
	done(&r);
}

/* ---- where rms misleads ---- */

/* A point for each metric: rms and trms as given, rms+external as trms. */
static uint32_t put_three(struct raw_input_point *to, uint64_t offset, double rms, double trms, double cost)
{
	for (int m = 0; m < INPUT_METRICS; m++) {
		to[m] = point(inputmake_place(INPUTMAKE_PROG, offset), (uint64_t)(m == INPUT_RMS ? rms : trms), (uint64_t)cost);
		to[m].metrics = (uint16_t)(1 << m);
		to[m].external = (uint64_t)(trms - rms);
	}
	return INPUT_METRICS;
}

static void rms_misleads_in_both_directions(void **state)
{
	static struct raw_input_point points[256];
	struct raw_input_how how = inputmake_how();
	struct result r;
	uint32_t count = 0;
	(void)state;
	for (int k = 0; k < 20; k++) {
		double rms = round(20 * pow(1.3, k));
		/* Figures 4 and 5 */
		count += put_three(points + count, INPUTMAKE_SELECT, rms, rms * rms, 5 * rms * rms);
		count += put_three(points + count, INPUTMAKE_INSERT, rms, round(1000 * pow(rms, 2.0 / 3)), 5000 * rms); /* Figure 6 */
		count += put_three(points + count, INPUTMAKE_CONSUME, 67 + k % 2, 100 * rms, 300 * rms);                /* Figure 7 */
		/* no difference */
		count += put_three(points + count, INPUTMAKE_MERGE, rms, rms + 1, 900 * rms);
	}
	write_rows(&how, NULL, 0, points, count);
	analyse(&r);
	must_say(&r.verdict, "insert (prog.c:10) grows like");
	must_say(&r.verdict, "grows like n^2");
	must_say(&r.verdict, "by trms: rms overstates its growth");
	must_say(&r.verdict, "insert (prog.c:10) grows like n ");
	must_say(&r.verdict, "by trms: rms hides its growth");
	must_say(&r.verdict, "consume (prog.c:30) grows like n ");
	must_say(&r.verdict, "by trms, while its rms is flat (2 sizes, at most 68)");
	assert_false(says(&r.verdict, "list::merge"));
	done(&r);
}

/* ---- claims ---- */

static void claims_are_read(void **state)
{
	static const struct {
		const char *text;
		enum model model;
		double power;
	} good[] = {{"O(1)", MODEL_1, 0},
	            {"O(log n)", MODEL_LOG, 0},
	            {"O(n)", MODEL_N, 0},
	            {"O(n log n)", MODEL_N_LOG, 0},
	            {"o( n*log(n) )", MODEL_N_LOG, 0},
	            {"O(n^2)", MODEL_N2, 0},
	            {"O(n^2 log n)", MODEL_N2_LOG, 0},
	            {"O(n^3)", MODEL_N3, 0},
	            {"O(2^n)", MODEL_2N, 0},
	            {"O(n^1.5)", MODEL_POWER, 1.5},
	            {"O( n ^ 0.5 ) ", MODEL_POWER, 0.5},
	            {"O(n^2.0)", MODEL_N2, 0},
	            {"O(n^0)", MODEL_1, 0},
	            {"O(n^1)", MODEL_N, 0},
	            {"O(n^4)", MODEL_POWER, 4}};
	static const char *const bad[] = {"",        "O",          "O()",     "n",     "O(n",      "O(n))",       "O(m)", "O(n^)",
	                                  "O(n^-1)", "O(n^1.5) x", "O(n^99)", "O(n!)", "O(n^nan)", "O(n) + O(1)", "x(n)", "O(n^2 log^2 n)"};
	struct inputs_claim claim;
	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		if (!inputs_claim_read(good[i].text, &claim))
			fail_msg("not read: %s", good[i].text);
		assert_int_equal(claim.model, good[i].model);
		assert_true(claim.power == good[i].power);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (inputs_claim_read(bad[i], &claim))
			fail_msg("read: %s", bad[i]);
}

static enum inputs_claim_is judge(const struct result *r, const char *routine, const char *text)
{
	struct inputs_claim claim;
	assert_true(inputs_claim_read(text, &claim));
	return inputs_claim_judge(&of(r, routine)->growth[INPUT_TRMS], &claim);
}

static void only_faster_growth_exceeds_a_claim(void **state)
{
	struct result r;
	(void)state;
	inputmake_session(folder, 3, 12);
	analyse(&r);
	static const char *const rising[] = {"O(1)",     "O(log n)", "O(n)",         "O(n log n)", "O(n^1.01)",
	                                     "O(n^1.5)", "O(n^2)",   "O(n^2 log n)", "O(n^3)",     "O(2^n)"};
	static const struct {
		const char *routine;
		size_t first; /* claim that holds */
	} known[] = {{"lookup", 0}, {"consume", 2}, {"_ZN4list5mergeEi", 3}, {"insert", 6}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		for (size_t c = 0; c < sizeof rising / sizeof *rising; c++)
			if (judge(&r, known[i].routine, rising[c]) != (c < known[i].first ? INPUTS_CLAIM_WORSE : INPUTS_CLAIM_HOLDS))
				fail_msg("%s: %s", known[i].routine, rising[c]);
	done(&r);
}

/* ---- for suites in shell ---- */

static int make(const char *what, const char *where, const char *first, const char *last)
{
	if (strcmp(what, "--session") == 0) {
		inputmake_session(where, (unsigned)atoi(first), (unsigned)atoi(last));
		return 0;
	}
	make_folder(NULL);
	snprintf(recording, sizeof recording, "%s", where);
	add_run((unsigned)atoi(first), (unsigned)atoi(last));
	return remove_folder(NULL);
}

/* What the verdict says of a routine without a model, its row says, too. */
static void rows_say_what_is_proven(void **state)
{
	struct pool pool = {0};
	struct models_fit fit = {.model = MODEL_NONE, .why = MODELS_SCATTERED, .sure = 2.18};
	(void)state;
	assert_string_equal(view_input_growth(&pool, &fit), "(cannot tell)");
	fit.refuted[MODEL_N_LOG] = true;
	assert_string_equal(view_input_growth(&pool, &fit), "(at least n^2.18)");
	pool_free(&pool);
}

int main(int argc, char **argv)
{
	if (argc == 5)
		return make(argv[1], argv[2], argv[3], argv[4]);
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_those_of_the_known_run),
		cmocka_unit_test(models_are_the_known_ones),
		cmocka_unit_test(shares_at_ten_times_the_input_follow_from_the_model),
		cmocka_unit_test(a_small_routine_that_grows_has_a_large_share_later),
		cmocka_unit_test(the_verdict_names_what_grows_and_where_rms_misleads),
		cmocka_unit_test(few_sizes_have_no_cost_function),
		cmocka_unit_test(rms_misleads_in_both_directions),
		cmocka_unit_test(rows_say_what_is_proven),
		cmocka_unit_test(claims_are_read),
		cmocka_unit_test(only_faster_growth_exceeds_a_claim),
	};
	return cmocka_run_group_tests_name("input_report", tests, make_folder, remove_folder);
}
