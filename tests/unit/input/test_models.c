/* SPDX-License-Identifier: MIT */
/* test_models.c: analyse/models on costs that were made by a known model, with noise.
 *
 * A model counts as right if it is the one that made the costs, or a neighbour that cannot be told from it: whose best
 * fit to the costs without noise is off by less than half of the noise. MODELS_SAY=1 prints how often it was right. */
#include <math.h>
#include "unit/lib.h"

#include "analyse/input/models.h"
#include "analyse/input/models_data.h"

enum { POINTS = 64, TRIALS = 100 };

static uint64_t chance_state = 88172645463325252;

static double chance(void)
{
	chance_state ^= chance_state << 13;
	chance_state ^= chance_state >> 7;
	chance_state ^= chance_state << 17;
	return (double)(chance_state >> 11) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(chance() + 1e-300)) * cos(6.283185307179586 * chance());
}

struct truth {
	enum model model;
	double a, b, exponent;
};

static double cost_of(const struct truth *t, double n)
{
	return t->a + t->b * (t->model == MODEL_POWER ? pow(n, t->exponent) : models_f(t->model, n));
}

static struct truth random_truth(enum model model, double smallest)
{
	struct truth t = {.model = model, .b = 1 + 20 * chance(), .exponent = 0.5 + 3 * chance()};
	if (model == MODEL_1)
		return (struct truth){.model = model, .a = 1000 + 1000 * chance()};
	t.a = 2 * chance() * cost_of(&t, smallest);
	return t;
}

/* Sizes that are evenly spread on a logarithmic axis, more or less. Returns how many. */
static size_t make_points(const struct truth *t, double smallest, double decades, size_t wanted, double noise, struct models_point *points)
{
	size_t count = 0;
	double last = 0;
	for (size_t i = 0; i < wanted; i++) {
		double n = round(smallest * pow(10, decades * (double)i / (double)(wanted - 1)));
		if (n <= last)
			n = last + 1;
		if (n > smallest * pow(10, decades) * 1.001)
			break;
		last = n;
		double cost = cost_of(t, n) * fmax(0.05, 1 + noise * normal());
		uint64_t calls = 1 + (uint64_t)(20 * chance());
		points[count++] = (struct models_point){n, calls, 0.9 * cost, 1.1 * cost, cost * (double)calls};
	}
	return count;
}

/* The error of the best fit of a + b f(n) to costs without noise, by least squares of relative errors. */
static double distance(enum model model, const struct models_point *points, size_t count, const struct truth *t)
{
	double a = 0, b = 0, squares = 0;
	for (int round = 0; round < 5; round++) {
		double w = 0, mx = 0, my = 0, xx = 0, xy = 0;
		squares = 0;
		for (int pass = 0; pass < 3; pass++)
			for (size_t i = 0; i < count; i++) {
				double x = models_f(model, points[i].size), y = cost_of(t, points[i].size), line = a + b * x;
				double about = round ? fmin(fmax(line, y / 4), y * 4) : y, u = 1 / (about * about);
				w += pass ? 0 : u;
				mx += pass ? 0 : u * x;
				my += pass ? 0 : u * y;
				xx += pass == 1 ? u * (x - mx / w) * (x - mx / w) : 0;
				xy += pass == 1 ? u * (x - mx / w) * (y - my / w) : 0;
				if (pass == 2) {
					double new_b = xx > 0 && xy > 0 ? xy / xx : 0, value = my / w + new_b * (x - mx / w);
					double e = log(y / fmin(fmax(value, y / 100), y * 100));
					squares += e * e;
				}
			}
		b = xx > 0 && xy > 0 ? xy / xx : 0;
		a = my / w - b * mx / w;
	}
	return sqrt(squares / (double)count);
}

static bool is_right(const struct models_fit *fit, const struct truth *t, const struct models_point *points, size_t count, double noise)
{
	if (fit->model == t->model)
		return true;
	return fit->model < MODELS_NAMED && distance(fit->model, points, count, t) < fmax(noise / 2, 1e-3);
}

static double smallest_of(enum model model)
{
	return model == MODEL_2N ? 1 : floor(2 + 50 * chance() * chance());
}

static double rate(double noise, double decades, size_t wanted, double *exactly, enum model *worst)
{
	double all = 0, least = 2;
	*exactly = 0;
	for (enum model m = MODEL_1; m < MODELS_NAMED; m++) {
		int right = 0, exact = 0;
		for (int i = 0; i < TRIALS; i++) {
			struct models_point points[POINTS];
			double smallest = smallest_of(m);
			struct truth t = random_truth(m, smallest);
			size_t count = make_points(&t, smallest, m == MODEL_2N ? fmin(decades, 2) : decades, wanted, noise, points);
			struct models_fit fit = models_fit(points, count, MODELS_MEAN);
			right += is_right(&fit, &t, points, count, noise);
			exact += fit.model == m;
		}
		all += right;
		*exactly += exact;
		if (right < least * TRIALS) {
			least = (double)right / TRIALS;
			*worst = m;
		}
	}
	*exactly /= TRIALS * MODELS_NAMED;
	return all / (TRIALS * MODELS_NAMED);
}

static void say(double noise, double decades, size_t wanted)
{
	double exactly;
	enum model worst;
	double right = rate(noise, decades, wanted, &exactly, &worst);
	print_message("noise %4.0f %%, %.0f decades, %2zu points: right %5.1f %%, exactly %5.1f %%, least for %s\n", 100 * noise, decades,
	              wanted, 100 * right, 100 * exactly, models_name(worst));
}

static void models_are_found_in_noise(void **state)
{
	(void)state;
	double exactly;
	enum model worst;
	for (size_t wanted = 12; wanted <= 60; wanted *= 2) {
		assert_true(rate(0.05, 2, wanted, &exactly, &worst) >= 0.95);
		assert_true(rate(0, 2, wanted, &exactly, &worst) >= 0.99);
		assert_true(rate(0.20, 3, wanted, &exactly, &worst) >= 0.80);
	}
	for (int i = 0; getenv("MODELS_SAY") && i < 5; i++)
		for (size_t wanted = 8; wanted <= 64; wanted *= 2)
			for (double decades = 1; decades <= 3; decades++)
				say((double[]){0, 0.01, 0.05, 0.10, 0.20}[i], decades, wanted);
}

static struct models_fit fit_of(double (*cost)(double), double smallest, double decades, size_t wanted, double noise)
{
	struct models_point points[POINTS];
	size_t count = 0;
	for (size_t i = 0; i < wanted; i++) {
		double n = round(smallest * pow(10, decades * (double)i / (double)(wanted - 1)));
		if (count && n <= points[count - 1].size)
			continue;
		double y = cost(n) * fmax(0.05, 1 + noise * normal());
		points[count++] = (struct models_point){n, 5, y, y, 5 * y};
	}
	return models_fit(points, count, MODELS_MEAN);
}

/* ---- lower-order terms ---- */

static double insertion_sort(double n)
{
	return n * (n - 1) / 2 + 3 * n + 7;
}
static double pairs(double n)
{
	return n * (n - 1) / 2;
}
static double merge_sort(double n)
{
	return n * log2(n) - n + 1 + 5 * n;
}
static double comparisons(double n)
{
	return n * log2(n) - n + 1;
}
static double scan(double n)
{
	return 12 * n - 9;
}
static double search(double n)
{
	return 9 * floor(log2(n)) + 20;
}

static void what_textbooks_say_is_not_called_worse(void **state)
{
	(void)state;
	static const struct {
		double (*cost)(double);
		enum model model;
	} known[] = {{insertion_sort, MODEL_N2}, {pairs, MODEL_N2}, {merge_sort, MODEL_N_LOG},
	             {comparisons, MODEL_N_LOG}, {scan, MODEL_N},   {search, MODEL_LOG}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		for (double noise = 0; noise <= 0.05; noise += 0.05)
			for (double smallest = 4; smallest <= 64; smallest *= 2) {
				struct models_fit fit = fit_of(known[i].cost, smallest, 2.5, 40, noise);
				assert_false(models_is_worse(&fit, known[i].model));
				assert_false(models_is_worse(&fit, MODEL_2N));
				/* With noise a merge sort is not told from a scan whose slope changes: then nothing is claimed. */
				bool is_hard = noise > 0 && known[i].model == MODEL_N_LOG;
				assert_true(models_is_worse(&fit, known[i].model - 1) || is_hard);
				assert_false(models_allows(&fit, known[i].model - 1));
			}
}

static void worse_is_said_beyond_doubt_only(void **state)
{
	(void)state;
	int wrongly = 0, rightly = 0, could = 0;
	for (enum model m = MODEL_1; m < MODELS_NAMED; m++)
		for (int i = 0; i < TRIALS; i++) {
			struct models_point points[POINTS];
			double smallest = smallest_of(m);
			struct truth t = random_truth(m, smallest);
			size_t count = make_points(&t, smallest, 2, 30, 0.10, points);
			struct models_fit fit = models_fit(points, count, MODELS_MEAN);
			for (enum model stated = MODEL_1; stated < MODELS_NAMED; stated++)
				if (stated >= m)
					wrongly += models_is_worse(&fit, stated);
				else if (stated + 2 <= m)
					could++, rightly += models_is_worse(&fit, stated);
		}
	if (getenv("MODELS_SAY"))
		print_message("noise 10 %%: wrongly worse %d of %d, worse by two steps and said %d of %d\n", wrongly, TRIALS * 36, rightly,
		              could);
	assert_true(wrongly < TRIALS * 36 / 40); /* 2.5 % lie below the interval */
	assert_true(rightly > could / 100 * 95);
}

static void an_exponent_lies_in_its_interval(void **state)
{
	(void)state;
	int inside = 0, trials = 400, power = 0;
	for (int i = 0; i < trials; i++) {
		struct models_point points[POINTS];
		struct truth t = random_truth(MODEL_POWER, 10);
		size_t count = make_points(&t, 10, 2, 30, 0.05, points);
		struct models_fit fit = models_fit(points, count, MODELS_MEAN);
		inside += fit.exponent_low <= t.exponent && t.exponent <= fit.exponent_high;
		power += fit.model == MODEL_POWER;
		assert_true(fit.exponent_low <= fit.exponent && fit.exponent <= fit.exponent_high);
	}
	if (getenv("MODELS_SAY"))
		print_message("exponents inside: %d of %d; said to be a power law: %d\n", inside, trials, power);
	assert_true(inside >= trials * 90 / 100);
	assert_true(power >= trials / 2); /* the others are near a model with a name */
}

static void costs_at_ten_times_the_input_are_foreseen(void **state)
{
	(void)state;
	for (enum model m = MODEL_1; m < MODEL_2N; m++)
		for (int i = 0; i < 50; i++) {
			struct models_point points[POINTS];
			struct truth t = random_truth(m, 8);
			size_t count = make_points(&t, 8, 2, 30, 0.01, points);
			struct models_fit fit = models_fit(points, count, MODELS_MEAN);
			double there = cost_of(&t, 10 * fit.largest), said = models_cost_at(&fit, 10 * fit.largest);
			assert_true(said > 0.9 * there && said < 1.1 * there);
			assert_true(m == MODEL_1 || fit.r2 > 0.95);
		}
}

/* b (f(n) + k g(n)), as real programs cost. */
static enum model model_of(enum model f, double k, double power, double noise, double smallest, double decades)
{
	struct models_point points[POINTS];
	for (size_t i = 0; i < 40; i++) {
		double n = round(smallest * pow(10, decades * (double)i / 39)) + (double)i,
		       lower = f == MODEL_N3 || f == MODEL_N2_LOG ? n * n : n;
		double cost = 7 * (f == MODEL_POWER ? pow(n, power) : models_f(f, n) + k * lower) * (1 + noise * normal());
		points[i] = (struct models_point){n, 4, cost, cost, 4 * cost};
	}
	return models_fit(points, 40, MODELS_MEAN).model;
}

static void lower_terms_do_not_hide_a_model(void **state)
{
	(void)state;
	for (int round = 0; round < 20; round++) {
		for (double k = 0; k <= 6; k += 2) {
			assert_int_equal(model_of(MODEL_N_LOG, k, 0, 0, 4, 2), MODEL_N_LOG);
			assert_int_equal(model_of(MODEL_N_LOG, k, 0, 0.01, 4, 3), MODEL_N_LOG);
		}
		for (double k = 0; k <= 60; k += 20)
			assert_int_equal(model_of(MODEL_N2, k, 0, 0.005, 10, 2.5), MODEL_N2);
		for (double k = 10; k <= 20; k += 5)
			assert_int_equal(model_of(MODEL_N_LOG, k, 0, 0.005, 10, 2.5), MODEL_N_LOG);
		assert_int_equal(model_of(MODEL_N2, 300, 0, 0.02, 200, 1.5), MODEL_N2);
		assert_int_equal(model_of(MODEL_N3, 30, 0, 0.005, 10, 2), MODEL_N3);
		assert_int_equal(model_of(MODEL_POWER, 0, 1.5, 0.02, 10, 2), MODEL_POWER);
		assert_int_equal(model_of(MODEL_POWER, 0, 1.7, 0.02, 10, 2), MODEL_POWER);
		assert_int_equal(model_of(MODEL_POWER, 0, 2.5, 0.02, 10, 2), MODEL_POWER);
	}
}

/* A routine that does one of two things: a search of 9 to 320 cells, mostly, or, seldom and in large, a copy. Both are linear. */
static void costs_of_two_kinds_are_not_called_worse(void **state)
{
	(void)state;
	struct models_point points[128];
	size_t count = 0;
	for (double n = 9; n <= 320; n += 3)
		points[count++] = (struct models_point){n, 30, 10, 10 + n, 30 * (10 + 0.66 * n)};
	for (double n = 13; n <= 2100; n = 2 * n + 2)
		points[count++] = (struct models_point){n, 9, 100, 10 * n, 9 * (60 + 5.3 * n)};
	struct models_fit fit = models_fit(points, count, MODELS_MEAN);
	assert_true(fit.model == MODEL_NONE || fit.exponent_low < 1);
	assert_false(models_is_worse(&fit, MODEL_N));
	assert_true(models_is_worse(&fit, MODEL_1));
}

static void little_is_no_model(void **state)
{
	(void)state;
	struct models_point points[POINTS];
	struct truth t = {MODEL_N, 10, 3, 0};
	struct models_fit fit = models_fit(NULL, 0, MODELS_MEAN);
	assert_true(fit.model == MODEL_NONE && fit.sizes == 0 && models_why_none(&fit));
	size_t count = make_points(&t, 10, 2, 7, 0, points);
	fit = models_fit(points, count, MODELS_MEAN);
	assert_true(fit.model == MODEL_NONE && fit.sizes == 7 && models_why_none(&fit));
	count = make_points(&t, 10, 0.9, 20, 0, points);
	fit = models_fit(points, count, MODELS_MEAN);
	assert_true(fit.model == MODEL_NONE && fit.sizes > 8 && models_why_none(&fit));
	assert_false(models_is_worse(&fit, MODEL_1));
	assert_true(models_cost_at(&fit, 100) == 0);
	count = make_points(&t, 10, 1, 8, 0, points);
	points[count++] = (struct models_point){0, 1, 5, 5, 5}; /* no place for it, and no harm */
	fit = models_fit(points, count, MODELS_MEAN);
	assert_true(fit.model == MODEL_N && fit.sizes == 8 && !models_why_none(&fit));
}

/* A thousand sizes, in any order; one of them costs a hundred times too much. The worst of each size is twice its mean. */
static void many_points_are_put_together(void **state)
{
	(void)state;
	static struct models_point points[1000];
	for (size_t i = 0; i < 1000; i++) {
		double n = (double)((i * 617) % 1000 + 1), y = 5 * n * log2(n) + 100;
		points[i] = (struct models_point){n, 2, y / 2, 2 * y, 2 * y};
	}
	points[500].cost_sum *= 100;
	for (enum models_cost cost = MODELS_MEAN; cost <= MODELS_WORST; cost++) {
		struct models_fit fit = models_fit(points, 1000, cost);
		assert_int_equal(fit.model, MODEL_N_LOG);
		assert_int_equal(fit.sizes, 1000);
		assert_true(fit.smallest == 1 && fit.largest == 1000);
		double there = (cost == MODELS_WORST ? 2 : 1) * (5 * 1e4 * log2(1e4) + 100);
		assert_true(fabs(models_cost_at(&fit, 1e4) / there - 1) < 0.1);
	}
}

static void odd_costs_do_no_harm(void **state)
{
	(void)state;
	struct models_point points[POINTS];
	for (int kind = 0; kind < 4; kind++) {
		for (size_t i = 0; i < POINTS; i++) {
			double y = kind == 0 ? 0 : kind == 1 ? 1.8e19 : kind == 2 ? (i & 1 ? 1e18 : 1) : 1000.0 / (double)(i + 1);
			points[i] = (struct models_point){(double)(i + 1) * 1e15, 1, y, y, y};
		}
		struct models_fit fit = models_fit(points, POINTS, MODELS_MEAN);
		assert_true((fit.model != MODEL_NONE || kind == 2) && !isnan(fit.is.a) && !isnan(fit.exponent) && !isnan(fit.r2));
		assert_true(kind == 2 || fit.model == MODEL_1);
		assert_false(models_is_worse(&fit, MODEL_N));
	}
}

static double odd_size(int kind, size_t i)
{
	double large = floor(1000 * chance());
	switch (kind) {
	case 0: return fmod(large, 5);
	case 1: return 1 + fmod(large, 20);
	case 2: return ldexp(1 + fmod(large, 9), (int)(60 * chance()));
	case 3: return 1e18 * (1 + fmod(large, 30));
	default: return i < 20 ? 1 + (double)i : 1000 + large;
	}
}

static void any_points_have_figures(void **state)
{
	(void)state;
	static struct models_point points[300];
	for (int trial = 0; trial < 1000; trial++) {
		size_t count = (size_t)((trial % 5 ? 40 : 300) * chance());
		for (size_t i = 0; i < count; i++) {
			double y = chance() < 0.2 ? 0 : chance() < 0.2 ? 1.8e19 : ldexp(1 + chance(), (int)(60 * chance()));
			points[i] = (struct models_point){odd_size(trial % 6, i), (uint64_t)(10 * chance()), y, y, y};
		}
		struct models_fit fit = models_fit(points, count, trial % 2 ? MODELS_MEAN : MODELS_WORST);
		assert_true(fit.exponent_low <= fit.exponent && fit.exponent <= fit.exponent_high);
		assert_true(fit.ten_low <= fit.ten_high && models_cost_at(&fit, 100) >= 0 && fit.r2 >= 0 && fit.r2 <= 1);
		assert_true((fit.model == MODEL_NONE) == (models_why_none(&fit) != NULL));
	}
}

static void names_are_understood(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum model model;
	} known[] = {{"O(n log n)", MODEL_N_LOG}, {"n log n", MODEL_N_LOG}, {" O( N * log(N) ) ", MODEL_N_LOG},
	             {"O(1)", MODEL_1},           {"log n", MODEL_LOG},     {"O(log(n))", MODEL_LOG},
	             {"O(n)", MODEL_N},           {"n", MODEL_N},           {"O(n^2)", MODEL_N2},
	             {"n^2 log n", MODEL_N2_LOG}, {"O(n^3)", MODEL_N3},     {"2^n", MODEL_2N}};
	enum model m;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		assert_true(models_parse(known[i].text, &m));
		assert_int_equal(m, known[i].model);
	}
	for (m = MODEL_1; m < MODELS_NAMED; m++) {
		enum model again;
		assert_true(models_parse(models_name(m), &again));
		assert_int_equal(again, m);
	}
	assert_false(models_parse("", &m));
	assert_false(models_parse("O()", &m));
	assert_false(models_parse("n^4", &m));
	assert_false(models_parse("power law", &m));
	assert_false(models_parse("n log n log n log n log n log n log n log n log n log n log n", &m));
}

/* Costs of a copy of a few words, as recorded: its last step is no exponential growth. */
static void a_small_step_is_not_exponential(void **state)
{
	(void)state;
	static const double sizes[] = {1, 2, 4, 5, 8, 9, 17, 18, 20}, costs[] = {3, 3, 3, 3, 3, 3, 5, 5, 9};
	struct models_point points[9];
	for (size_t i = 0; i < 9; i++)
		points[i] = (struct models_point){
			.size = sizes[i], .calls = 3, .cost_min = costs[i], .cost_max = costs[i], .cost_sum = 3 * costs[i]};
	assert_int_not_equal(models_fit(points, 9, MODELS_MEAN).model, MODEL_2N);
	for (size_t i = 0; i < 9; i++)
		points[i].cost_min = points[i].cost_max = points[i].cost_sum = 3 * exp2(sizes[i]);
	for (size_t i = 0; i < 9; i++)
		points[i].calls = 1;
	assert_int_equal(models_fit(points, 9, MODELS_MEAN).model, MODEL_2N);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models_are_found_in_noise),
		cmocka_unit_test(what_textbooks_say_is_not_called_worse),
		cmocka_unit_test(worse_is_said_beyond_doubt_only),
		cmocka_unit_test(an_exponent_lies_in_its_interval),
		cmocka_unit_test(costs_at_ten_times_the_input_are_foreseen),
		cmocka_unit_test(lower_terms_do_not_hide_a_model),
		cmocka_unit_test(costs_of_two_kinds_are_not_called_worse),
		cmocka_unit_test(little_is_no_model),
		cmocka_unit_test(many_points_are_put_together),
		cmocka_unit_test(odd_costs_do_no_harm),
		cmocka_unit_test(any_points_have_figures),
		cmocka_unit_test(names_are_understood),
		cmocka_unit_test(a_small_step_is_not_exponential),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
