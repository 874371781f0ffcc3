/* SPDX-License-Identifier: MIT */
/* From blocks to graph and plan: what is cut, and what is not. */
#include "core/paths/body.h"
#include "unit/paths/make.h"

enum { EDGES = 1000 };

struct built {
	uint32_t blocks, edges;
	struct paths_edge edge[EDGES];
	double passed[EDGES + 1];
	struct paths_graph g;
	double *weights;
	struct paths_plan plan;
};

static uint32_t add_block(struct built *b)
{
	return b->blocks++;
}

static void add_edge(struct built *b, uint32_t from, uint32_t to, double passed)
{
	assert_true(b->edges < EDGES);
	b->passed[b->edges] = passed;
	b->edge[b->edges++] = (struct paths_edge){from, to, 0};
}

/* Choices of two, one after another; `rare` of what passes goes the second way. Returns the last block. */
static uint32_t add_choices(struct built *b, uint32_t from, uint32_t count, double passed, double rare)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t left = add_block(b), right = add_block(b), end = add_block(b);
		add_edge(b, from, left, passed * (1 - rare));
		add_edge(b, from, right, passed * rare);
		add_edge(b, left, end, passed * (1 - rare));
		add_edge(b, right, end, passed * rare);
		from = end;
	}
	return from;
}

static void build(struct built *b)
{
	struct paths_body body = {.blocks = b->blocks, .edges = b->edges, .edge = b->edge, .passed = b->passed};
	assert_int_equal(paths_body_graph(&body, &b->g, &b->weights, &memory), PATHS_OK);
	assert_int_equal(paths_body_plan(&b->plan, &b->g, PATHS_HOW_ALL, NULL, b->weights, &memory), PATHS_OK);
}

static double passed_at_cuts(const struct built *b)
{
	double sum = 0;
	for (uint32_t e = 0; e < b->edges; e++)
		sum += b->g.arc[b->g.arc_of[e]].kind == PATHS_CUT_TAIL ? b->passed[e] : 0;
	return sum;
}

static void make_choices(struct built *b, uint32_t count, double rare)
{
	memset(b, 0, sizeof *b);
	uint32_t end = add_choices(b, add_block(b), count, 100, rare);
	add_edge(b, end, PATHS_EXIT, 100);
	b->passed[b->edges] = 100;
}

static void only_functions_with_too_many_paths_are_cut(void **state)
{
	static struct built b;
	(void)state;
	make_choices(&b, 19, 0.5);
	build(&b);
	assert_int_equal(b.g.cuts, 0);
	assert_int_equal(b.plan.keys, PATHS_BODY_WHOLE);
	make_choices(&b, 20, 0.5);
	build(&b);
	assert_true(b.g.cuts > 0 && b.plan.keys <= PATHS_BODY_CUT);
	make_choices(&b, 100, 0.5);
	build(&b);
	assert_true(b.g.cuts > 0 && b.plan.keys <= PATHS_BODY_CUT);
}

static void what_is_passed_often_meets_no_cut(void **state)
{
	static struct built b;
	(void)state;
	make_choices(&b, 100, 0.001);
	build(&b);
	assert_true(b.g.cuts > 0);
	assert_true(passed_at_cuts(&b) < 15); /* of 100 calls, in which 10 rare ways are taken */
}

/* A loop around a choice of many, as interpreters have: one that is complicated must not cost the others a cut. */
static void the_cases_of_an_interpreter_are_not_cut_off(void **state)
{
	enum { CASES = 60 };
	static struct built b;
	(void)state;
	memset(&b, 0, sizeof b);
	uint32_t entry = add_block(&b), choice = add_block(&b), tail = add_block(&b), end = add_block(&b);
	add_edge(&b, entry, choice, 1);
	for (uint32_t i = 0; i < CASES; i++) {
		uint32_t first = add_block(&b);
		add_edge(&b, choice, first, 100);
		add_edge(&b, add_choices(&b, first, i == 7 ? 40 : i % 4, 100, 0.5), tail, 100);
	}
	add_edge(&b, tail, choice, 100 * CASES - 1);
	add_edge(&b, tail, end, 1);
	add_edge(&b, end, PATHS_EXIT, 1);
	b.passed[b.edges] = 1;
	build(&b);
	assert_true(b.g.cuts > 0);
	for (uint32_t e = 0; e < b.edges; e++)
		if (b.edge[e].from == choice || b.edge[e].to == choice || b.edge[e].from == entry)
			assert_int_not_equal(b.g.arc[b.g.arc_of[e]].kind, PATHS_CUT_TAIL);
	assert_true(passed_at_cuts(&b) <= 100 * 40);
}

/* Who instruments and who decodes come to the same. */
static void the_same_body_has_the_same_plan(void **state)
{
	static struct function f;
	(void)state;
	for (uint64_t seed = 0; seed < graphs_wanted(2000); seed++) {
		struct paths_mark mark = paths_mark(&memory);
		struct paths_graph g[2];
		struct paths_plan plan[2];
		double passed[EDGES_MAX + 1], *weights[2];
		seed_with(seed);
		make_edges(&f, BLOCKS_MAX);
		for (uint32_t e = 0; e <= f.edges; e++)
			passed[e] = pick(1000);
		struct paths_body body = {
			.blocks = f.blocks, .edges = f.edges, .edge = f.edge, .stops = f.stops, .passed = pick(2) ? passed : NULL};
		for (int i = 0; i < 2; i++) {
			assert_int_equal(paths_body_graph(&body, &g[i], &weights[i], &memory), PATHS_OK);
			assert_int_equal(paths_body_plan(&plan[i], &g[i], PATHS_HOW_ALL, NULL, weights[i], &memory), PATHS_OK);
		}
		assert_int_equal(plan[0].count, plan[1].count);
		for (uint32_t i = 0; i < plan[0].count; i++) {
			assert_int_equal(plan[0].op[i].value, plan[1].op[i].value);
			assert_int_equal(plan[0].op[i].edge, plan[1].op[i].edge);
			assert_int_equal(plan[0].op[i].kind, plan[1].op[i].kind);
		}
		paths_release(&memory, mark);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_functions_with_too_many_paths_are_cut),
		cmocka_unit_test(what_is_passed_often_meets_no_cut),
		cmocka_unit_test(the_cases_of_an_interpreter_are_not_cut_off),
		cmocka_unit_test(the_same_body_has_the_same_plan),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
