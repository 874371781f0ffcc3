/* SPDX-License-Identifier: MIT */
/* From raw recordings to the numbers and sentences of the input lens, on runs whose answers are known, and on random
 * ones against a slow way.
 *
 * Called as `test_input_report --recording FILE K L` it only adds the known run from K to L to a recording, and as
 * `test_input_report --session FOLDER K L` it leaves its session there. */
#include "unit/lib.h"

#include <math.h>
#include <sqlite3.h>

#include "analyse/input/claim.h"
#include "analyse/input/verdict.h"
#include "store/store.h"
#include "unit/input/make.h"

#include "unit/session.h" /* last: others have parameters that are called folder */

struct result {
	struct session session;
	struct inputs inputs;
	struct inputs_result *results;
	size_t count;
	struct findings verdict, caveats;
};

static void analyse(struct result *r)
{
	struct fail why;
	memset(r, 0, sizeof *r);
	if (session_read(&r->session, folder, &why) < 0)
		fail_msg("%s", why.text);
	inputs_build(&r->session, &r->inputs);
	r->results = inputs_results(&r->inputs, INPUT_TRMS, MODELS_MEAN, &r->count);
	inputs_judge(&r->inputs, r->results, r->count, INPUT_TRMS, &r->verdict, &r->caveats);
}

static void done(struct result *r)
{
	findings_free(&r->verdict);
	findings_free(&r->caveats);
	free(r->results);
	inputs_free(&r->inputs);
	session_free(&r->session);
	run_free(&r->session.run);
}

static const struct inputs_result *of(const struct result *r, const char *linkage)
{
	for (size_t i = 0; i < r->count; i++)
		if (strcmp(r->inputs.run->routines[r->results[i].pick.routine].linkage, linkage) == 0)
			return &r->results[i];
	fail_msg("there is no routine %s", linkage);
	return NULL;
}

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

/* ---- the store ---- */

static void add_run(unsigned first, unsigned last)
{
	struct result r;
	char aside[PATH_MAX];
	struct fail why;
	inputmake_session(folder, first, last);
	analyse(&r);
	r.session.run.build_id = "b1d";
	if (store_save_input(recording, &r.inputs, aside, &why) < 0)
		fail_msg("%s", why.text);
	assert_string_equal(aside, "");
	done(&r);
}

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
	struct inputs_pick pick = {insert, INPUTS_ANY, INPUTS_ANY};
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

static void write_rows(const struct raw_input_how *how, const struct raw_input_context *contexts, uint32_t context_count,
                       const struct raw_input_point *points, uint32_t point_count)
{
	static struct inputmake m;
	struct rawmake raw;
	char to[160];
	rawmake_text(folder, "session", "lens\tinput\nmode\tblocks\nperiod_us\t1000\nnative\t/home/me/prog\ncommand\t./prog\n");
	inputmake_start(&m, &raw);
	if (how)
		inputmake_table(&m, RAW_INPUT_HOW, how, sizeof *how, 1);
	if (context_count)
		inputmake_table(&m, RAW_INPUT_CONTEXTS, contexts, sizeof *contexts, context_count);
	inputmake_table(&m, RAW_INPUT_POINTS, points, sizeof *points, point_count);
	struct raw_input_source sources[] = {{815, 1, 3}, {0, 1, 2}}; /* of a writer that nobody knows, too */
	inputmake_table(&m, RAW_INPUT_MATRIX, sources, sizeof *sources, 2);
	snprintf(to, sizeof to, "%s/1000.raw", folder);
	rawmake_write(&raw, to);
	rawmake_free(&raw);
}

static struct raw_input_point point(uint64_t routine, uint64_t size, uint64_t cost)
{
	return (struct raw_input_point){.routine = routine,
	                                .metrics = INPUTMAKE_ALL,
	                                .size = size,
	                                .size_sum = size,
	                                .calls = 1,
	                                .cost_min = cost,
	                                .cost_max = cost,
	                                .cost_sum = cost,
	                                .cost_outermost = cost,
	                                .self_sum = cost};
}

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

static uint64_t chance(uint64_t below);

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
	must_say(&r.verdict, "seems to grow like n^2");
	must_say(&r.verdict, "by trms: the bottleneck is not there");
	must_say(&r.verdict, "insert (prog.c:10) seems to grow like n ");
	must_say(&r.verdict, "by trms: rms hides it");
	must_say(&r.verdict, "consume (prog.c:30) has no cost function by rms (2 sizes up to 68), and grows like n ");
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

static double excess(const struct result *r, const char *routine, const char *text)
{
	struct inputs_claim claim;
	assert_true(inputs_claim_read(text, &claim));
	return inputs_claim_excess(&of(r, routine)->growth[INPUT_TRMS], &claim);
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
			if ((excess(&r, known[i].routine, rising[c]) > 0) != (c < known[i].first))
				fail_msg("%s: %s", known[i].routine, rising[c]);
	done(&r);
}

/* ---- random activations, against a slow way ---- */

static uint64_t seed = 12345;

static uint64_t chance(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % below;
}

static void *take(void *context, size_t bytes)
{
	(void)context;
	return calloc(1, bytes);
}

static void give(void *context, void *memory, size_t bytes)
{
	(void)context;
	(void)bytes;
	free(memory);
}

static const struct input_port port = {take, give, NULL};

enum { THREADS = 3, ROUTINES = 3, ACTIVATIONS = 3000 };

static struct trial {
	struct input_routines threads[THREADS];
	struct {
		int thread, routine;
		struct input_activation a;
	} all[ACTIVATIONS];
} trial;

static void play(uint32_t sizes_max, uint64_t largest)
{
	memset(&trial, 0, sizeof trial);
	for (int t = 0; t < THREADS; t++)
		trial.threads[t] = (struct input_routines){.port = &port, .sizes_max = sizes_max};
	for (int i = 0; i < ACTIVATIONS; i++) {
		int t = (int)chance(THREADS), r = (int)chance(ROUTINES);
		uint64_t rms = chance(chance(4) ? largest : 20), external = chance(3) ? 0 : chance(50), thread = chance(3) ? 0 : chance(50),
			 cost = 1 + chance(100000);
		struct input_activation a = {.size = {rms, rms + external, rms + external + thread},
		                             .thread = thread,
		                             .external = external,
		                             .cost = cost,
		                             .self = chance(cost),
		                             .outermost = chance(2)};
		trial.all[i].thread = t;
		trial.all[i].routine = r;
		trial.all[i].a = a;
		input_routine_add(&trial.threads[t], input_routine_of(&trial.threads[t], (uint64_t)r), &a);
	}
}

static void put_points(struct inputs *inputs, int thread, uint32_t routine, uint16_t metrics, const struct input_points *points)
{
	for (uint32_t i = 0; i < points->count; i++) {
		const struct input_point *p = &points->rows[i];
		inputs_add(inputs,
		           &(struct inputs_point){.context = inputs_context(inputs, 0, routine),
		                                  .thread = (uint32_t)thread,
		                                  .metrics = metrics,
		                                  .bits = (uint16_t)points->bits,
		                                  .size = p->size,
		                                  .size_sum = p->size_sum,
		                                  .calls = p->calls,
		                                  .cost_min = p->cost_min,
		                                  .cost_max = p->cost_max,
		                                  .cost_sum = p->cost_sum,
		                                  .cost_outermost = p->cost_outermost,
		                                  .self_sum = p->self_sum,
		                                  .thread_induced = p->thread,
		                                  .external = p->external});
	}
}

static uint64_t binned(uint64_t size, uint32_t bits)
{
	while (bits && size >> bits > 0 && size != size >> 1 << 1)
		size--;
	if (!bits || size >> bits == 0)
		return size;
	return binned(size >> 1, bits) << 1;
}

/* Every activation, one by one. */
static void compare(const struct inputs *inputs, int routine, int thread, int metric)
{
	struct inputs_curve curve;
	uint64_t calls = 0;
	inputs_curve(inputs, &(struct inputs_pick){(uint32_t)routine + 1, INPUTS_ANY, thread < 0 ? INPUTS_ANY : (uint32_t)thread},
	             (enum input_metric)metric, &curve);
	for (size_t i = 0; i < curve.count; i++) {
		struct inputs_size slow = {.cost_min = UINT64_MAX};
		for (int k = 0; k < ACTIVATIONS; k++) {
			const struct input_activation *a = &trial.all[k].a;
			if (trial.all[k].routine != routine || (thread >= 0 && trial.all[k].thread != thread) ||
			    binned(a->size[metric], curve.bits) != curve.rows[i].size)
				continue;
			slow.calls++;
			slow.size_sum += a->size[metric];
			slow.cost_sum += a->cost;
			slow.cost_min = a->cost < slow.cost_min ? a->cost : slow.cost_min;
			slow.cost_max = a->cost > slow.cost_max ? a->cost : slow.cost_max;
			slow.cost_outermost += a->outermost ? a->cost : 0;
			slow.self_sum += a->self;
			slow.thread_induced += a->thread;
			slow.external += a->external;
		}
		assert_int_equal(curve.rows[i].calls, slow.calls);
		assert_int_equal(curve.rows[i].size_sum, slow.size_sum);
		assert_int_equal(curve.rows[i].cost_sum, slow.cost_sum);
		assert_int_equal(curve.rows[i].cost_min, slow.cost_min);
		assert_int_equal(curve.rows[i].cost_max, slow.cost_max);
		assert_int_equal(curve.rows[i].cost_outermost, slow.cost_outermost);
		assert_int_equal(curve.rows[i].self_sum, slow.self_sum);
		assert_int_equal(curve.rows[i].thread_induced, slow.thread_induced);
		assert_int_equal(curve.rows[i].external, slow.external);
		assert_true(i == 0 || curve.rows[i - 1].size < curve.rows[i].size);
		calls += slow.calls;
	}
	assert_int_equal(curve.total.calls, calls);
	inputs_curve_free(&curve);
}

static void curves_are_the_sums_of_activations(void **state)
{
	(void)state;
	for (int round = 0; round < 6; round++) {
		struct run run;
		struct inputs inputs;
		play(round % 2 ? 128 : 4096, round < 2 ? 50 : round < 4 ? 1000 : 1000000);
		run_start(&run);
		inputs_start(&inputs, &run);
		for (int t = 0; t < THREADS; t++)
			for (int r = 0; r < ROUTINES; r++) {
				const struct input_routine *kept = input_routine_of(&trial.threads[t], (uint64_t)r);
				put_points(&inputs, t, (uint32_t)r + 1, INPUTMAKE_ALL, &kept->same);
				for (int m = 0; m < INPUT_METRICS; m++)
					put_points(&inputs, t, (uint32_t)r + 1, (uint16_t)(1 << m), &kept->own[m]);
			}
		inputs_sort(&inputs);
		for (int r = 0; r < ROUTINES; r++)
			for (int t = -1; t < THREADS; t++)
				for (int m = 0; m < INPUT_METRICS; m++)
					compare(&inputs, r, t, m);
		for (int t = 0; t < THREADS; t++)
			input_routines_free(&trial.threads[t]);
		inputs_free(&inputs);
		run_free(&run);
	}
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
		cmocka_unit_test(what_is_stored_is_what_is_read),
		cmocka_unit_test(runs_add_up_and_can_be_told_apart),
		cmocka_unit_test(runs_that_were_made_otherwise_are_left_out),
		cmocka_unit_test(wrong_references_are_refused),
		cmocka_unit_test(contexts_are_merged_by_routine_and_recursion_counts_once),
		cmocka_unit_test(contexts_that_lie_are_taken_for_outermost_ones),
		cmocka_unit_test(a_process_that_says_nothing_of_itself_is_read),
		cmocka_unit_test(damaged_raw_files_do_no_harm),
		cmocka_unit_test(rms_misleads_in_both_directions),
		cmocka_unit_test(claims_are_read),
		cmocka_unit_test(only_faster_growth_exceeds_a_claim),
		cmocka_unit_test(curves_are_the_sums_of_activations),
	};
	return cmocka_run_group_tests_name("input_report", tests, make_folder, remove_folder);
}
