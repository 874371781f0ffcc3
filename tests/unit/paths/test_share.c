/* SPDX-License-Identifier: MIT */
/* test_share.c: programs whose paths are counted by several copies. Every path lies in some copy; what the copies
 * count, put together, is what was walked; hits are as computed. */
#include "core/paths/guess.h"
#include "core/paths/merge.h"
#include "core/paths/share.h"
#include "core/paths/split.h"
#include "unit/paths/make.h"

enum { COPIES_MAX = 8, PROGRAM = 6 };

static struct function program[PROGRAM];
static struct listing list;
static struct run runs[COPIES_MAX];
static struct paths_plan plans[COPIES_MAX];
static double weights[PROGRAM][ARCS_MAX];

typedef enum paths_status plan_way(struct paths_plan *, const struct paths_graph *, const uint8_t *, const double *, struct paths_memory *);

static void random_weights(const struct paths_graph *g, double *w)
{
	for (uint32_t a = 0; a < g->arcs; a++)
		w[a] = pick(4) ? pick(100) : 0;
}

static bool covers(const uint8_t *chosen, uint32_t p)
{
	for (uint32_t i = 0; chosen && i < list.length[p]; i++)
		if (!chosen[list.arcs[p][i]])
			return false;
	return chosen != NULL;
}

/* The same walks in each copy, and what comes of it. */
static void check_copies(const struct function *f, uint8_t *const *chosen, uint32_t stride, uint32_t copies, const double *w, plan_way *way,
                         bool by_turns)
{
	struct paths_copy copy[COPIES_MAX];
	struct paths_found *found;
	uint32_t count, any = PATHS_NONE, walked = 0;
	uint64_t seed = random_state;
	for (uint32_t c = 0; c < copies; c++) {
		copy[c] = (struct paths_copy){NULL, NULL, 0};
		if (!chosen[(size_t)c * stride])
			continue;
		assert_int_equal(way(&plans[c], &f->g, chosen[(size_t)c * stride], w, &memory), PATHS_OK);
		random_state = seed;
		run_turns(&runs[c], f, &plans[c], 6, by_turns ? copies : 1, by_turns ? c : 0);
		hits_are_as_computed(&runs[c]);
		struct paths_counted *counted = paths_take(&memory, runs[c].counters + 1, sizeof *counted);
		for (uint32_t i = 0; i < runs[c].counters; i++)
			counted[i] = (struct paths_counted){runs[c].index[i], runs[c].counted[i]};
		copy[c] = (struct paths_copy){&plans[c], counted, runs[c].counters};
		any = c;
	}
	assert_true(any != PATHS_NONE);
	const struct run *r = &runs[any];
	assert_int_equal((by_turns ? paths_merge_turns : paths_merge)(&f->g, copy, copies, &found, &count, &memory), PATHS_OK);
	for (uint32_t i = 0; i < count; i++) {
		struct walked walk = {0, {0}};
		walked_of_arcs(&f->g, found[i].arcs, found[i].length, &walk);
		assert_int_equal(found[i].count, count_of_walk(r, &walk));
		assert_true(found[i].copy < copies);
		walked += found[i].count > 0;
	}
	assert_int_equal(walked, r->walks);
}

/* Each path in one copy or two, anyhow. */
static void deal_randomly(const struct function *f, uint8_t **chosen, uint32_t copies)
{
	for (uint32_t c = 0; c < copies; c++)
		chosen[c] = paths_take(&memory, f->g.arcs, 1);
	for (uint32_t p = 0; p < list.count; p++) {
		for (uint32_t i = 0; i < 1 + pick(2); i++) {
			uint32_t c = pick(copies);
			for (uint32_t j = 0; j < list.length[p]; j++)
				chosen[c][list.arcs[p][j]] = 1;
		}
	}
}

/* Or by arcs, as the paths over an arc and those without. */
static void deal_by_arc(const struct function *f, uint8_t **chosen)
{
	uint32_t arc = pick(f->g.arcs);
	for (uint32_t c = 0; c < 2; c++)
		chosen[c] = paths_take(&memory, f->g.arcs, 1);
	for (uint32_t p = 0; p < list.count; p++) {
		bool over = false;
		for (uint32_t j = 0; j < list.length[p]; j++)
			over |= list.arcs[p][j] == arc;
		for (uint32_t j = 0; j < list.length[p]; j++)
			chosen[over][list.arcs[p][j]] = 1;
	}
}

static void relaxed_copies_together_tell_every_path(void **state)
{
	(void)state;
	uint64_t wanted = graphs_wanted(30000);
	for (uint64_t seed = 1; seed <= wanted; seed++) {
		struct paths_mark mark = paths_mark(&memory);
		uint8_t *chosen[COPIES_MAX];
		seed_with(seed);
		make_function(&program[0], 10, NULL);
		list_paths(&program[0].g, &list);
		if (!list.too_many && list.count <= 400) {
			uint32_t copies = 2 + pick(3);
			random_weights(&program[0].g, weights[0]);
			if (seed % 2)
				deal_randomly(&program[0], chosen, copies);
			else
				deal_by_arc(&program[0], chosen);
			check_copies(&program[0], chosen, 1, seed % 2 ? copies : 2, seed % 7 ? weights[0] : NULL, paths_plan_relaxed,
			             false);
		}
		paths_release(&memory, mark);
	}
}

static bool make_program(struct paths_function *f, uint64_t seed)
{
	seed_with(seed);
	for (uint32_t i = 0; i < PROGRAM; i++) {
		make_function(&program[i], 10, NULL);
		random_weights(&program[i].g, weights[i]);
		f[i] = (struct paths_function){&program[i].g, weights[i], pick(3) > 0};
		list_paths(&program[i].g, &list);
		if (list.too_many || list.count > 400)
			return false;
	}
	return true;
}

static void check_share(const struct paths_share *s, plan_way *way)
{
	for (uint32_t i = 0; i < PROGRAM; i++) {
		list_paths(&program[i].g, &list);
		for (uint32_t p = 0; p < list.count; p++) {
			bool covered = false;
			for (uint32_t c = 0; c < s->copies; c++)
				covered |= covers(s->chosen[(size_t)c * PROGRAM + i], p);
			assert_true(covered);
		}
		check_copies(&program[i], s->chosen + i, PROGRAM, s->copies, weights[i], way, s->by_turns[i]);
	}
}

static void p3_covers_every_path_at_any_threshold(void **state)
{
	(void)state;
	uint64_t wanted = graphs_wanted(12000) / PROGRAM, divided = 0;
	for (uint64_t seed = 1; seed <= wanted; seed++) {
		struct paths_mark mark = paths_mark(&memory);
		struct paths_function f[PROGRAM];
		struct paths_share s;
		if (make_program(f, seed)) {
			struct paths_p3 how = {.copies = 1 + pick(5),
			                       .threshold = pick(2) ? pick(12) : 0,
			                       .whole = pick(8) == 0,
			                       .measured = pick(2)};
			assert_int_equal(paths_share_p3(&s, f, PROGRAM, &how, &memory), PATHS_OK);
			check_share(&s, paths_plan_p3);
			check_share(&s, paths_plan_best);
			divided += s.profitable;
			assert_true(!how.whole || !s.profitable);
		}
		paths_release(&memory, mark);
	}
	assert_true(divided > wanted);
}

/* The loads are what the plans cost. By turns, what the copy with most calls has. */
static void check_loads(const struct paths_share *s, const struct paths_function *f)
{
	for (uint32_t c = 0; c < s->copies; c++) {
		double sum = 0;
		for (uint32_t i = 0; i < PROGRAM; i++) {
			if (!s->chosen[(size_t)c * PROGRAM + i])
				continue;
			double calls = f[i].weights[f[i].graph->arc_of[f[i].graph->edges - 1]];
			assert_int_equal(paths_plan_relaxed(&plans[0], f[i].graph, s->chosen[(size_t)c * PROGRAM + i], f[i].weights,
			                                    &memory),
			                 PATHS_OK);
			double cost = paths_plan_cost(&plans[0], f[i].graph, f[i].weights), priced;
			assert_int_equal(paths_price(&priced, f[i].graph, s->chosen[(size_t)c * PROGRAM + i], f[i].weights, &memory),
			                 PATHS_OK);
			assert_true(cost == priced);
			double turns = (double)(uint64_t)(calls / s->copies);
			turns += turns * s->copies < calls;
			sum += s->by_turns[i] ? cost * (turns / calls) + calls : cost;
		}
		assert_true(sum - s->load[c] < 1e-6 && s->load[c] - sum < 1e-6);
	}
}

static void our_shares_cover_every_path_and_cost_what_they_say(void **state)
{
	(void)state;
	uint64_t wanted = graphs_wanted(3000) / PROGRAM, better = 0, turns = 0;
	for (uint64_t seed = 1; seed <= wanted; seed++) {
		struct paths_mark mark = paths_mark(&memory);
		struct paths_function f[PROGRAM];
		struct paths_share s;
		if (make_program(f, seed)) {
			const struct paths_best how = {.copies = 1 + pick(5), .turns = pick(2)};
			assert_int_equal(paths_share_best(&s, f, PROGRAM, &how, &memory), PATHS_OK);
			check_share(&s, paths_plan_relaxed);
			check_loads(&s, f);
			better += s.profitable > 0;
			for (uint32_t i = 0; i < PROGRAM; i++)
				turns += s.by_turns[i];
		}
		paths_release(&memory, mark);
	}
	assert_true(better > wanted / 4 && turns > wanted / 10);
}

/* Each path is in a part, and what the parts are worth is not more than the function in one piece. */
static void parts_of_one_function_hold_every_path_and_are_worth_it(void **state)
{
	(void)state;
	uint64_t wanted = graphs_wanted(3000), several = 0;
	for (uint64_t seed = 1; seed <= wanted; seed++) {
		struct paths_mark mark = paths_mark(&memory);
		struct paths_parts parts;
		seed_with(seed);
		make_function(&program[0], 10, NULL);
		list_paths(&program[0].g, &list);
		random_weights(&program[0].g, weights[0]);
		const struct paths_function f = {&program[0].g, weights[0], false};
		double doubt = (1 + pick(10)) / 10.0, whole, undivided[8] = {0};
		uint32_t copies = 1 + pick(8), count = 0;
		assert_int_equal(paths_price(&whole, f.graph, NULL, f.weights, &memory), PATHS_OK);
		assert_int_equal(paths_split(&parts, &f, whole, copies, doubt, &memory), PATHS_OK);
		for (uint32_t c = 0; c < copies; c++)
			count += parts.chosen[c] != NULL;
		undivided[0] = whole;
		assert_true(paths_worth(parts.load, copies, doubt) <= paths_worth(undivided, copies, doubt));
		for (uint32_t p = 0; !list.too_many && p < list.count; p++) {
			bool covered = false;
			for (uint32_t c = 0; c < copies; c++)
				covered |= covers(parts.chosen[c], p);
			assert_true(covered);
		}
		several += count > 1;
		paths_release(&memory, mark);
	}
	assert_true(several > wanted / 10);
}

/* An interpreter: a loop around a branch with many ways, each as often as any other. Way by way it could not be divided evenly. */
static void branches_with_many_ways_are_divided_evenly(void **state)
{
	(void)state;
	enum { WAYS = 200, COPIES = 4 };
	struct paths_mark mark = paths_mark(&memory);
	struct paths_edge e[2 * WAYS + 2] = {{0, 1, 0}, {1, PATHS_EXIT, 0}};
	double passed[2 * WAYS + 3] = {1, 1}, whole, most = 0;
	struct paths_graph g;
	struct paths_parts parts;
	for (uint32_t i = 0; i < WAYS; i++) {
		e[2 + 2 * i] = (struct paths_edge){1, 2 + i, 0};
		e[3 + 2 * i] = (struct paths_edge){2 + i, 1, 0};
		passed[2 + 2 * i] = passed[3 + 2 * i] = 1000;
	}
	passed[2 * WAYS + 2] = 1;
	assert_int_equal(paths_graph_build(&g, 2 + WAYS, e, 2 * WAYS + 2, NULL, NULL, &memory), PATHS_OK);
	double *w = paths_take(&memory, g.arcs, sizeof *w);
	paths_arc_weights(&g, passed, w);
	const struct paths_function f = {&g, w, true};
	assert_int_equal(paths_price(&whole, &g, NULL, w, &memory), PATHS_OK);
	assert_int_equal(paths_split(&parts, &f, whole, COPIES, 0.5, &memory), PATHS_OK);
	for (uint32_t c = 0; c < COPIES; c++)
		most = parts.load[c] > most ? parts.load[c] : most;
	assert_true(most < 0.3 * whole);
	paths_release(&memory, mark);
}

/* A loop: entered so often, and gone around so often in all. */
static struct paths_function loop(struct paths_graph *g, double *w, double calls, double rounds)
{
	const struct paths_edge e[] = {{0, 1, 0}, {1, 1, 0}, {1, PATHS_EXIT, 0}};
	const double passed[] = {calls, rounds, calls, calls};
	assert_int_equal(paths_graph_build(g, 2, e, 3, NULL, NULL, &memory), PATHS_OK);
	paths_arc_weights(g, passed, w);
	return (struct paths_function){g, w, calls <= 1};
}

static void long_calls_are_by_turns_if_there_are_several(void **state)
{
	(void)state;
	struct paths_mark mark = paths_mark(&memory);
	static const double calls[] = {1, 1000, 100000};
	for (uint32_t i = 0; i < 3; i++) {
		struct paths_share s;
		struct paths_graph g;
		struct paths_function f = loop(&g, weights[0], calls[i], 100000);
		assert_int_equal(paths_share_best(&s, &f, 1, &(struct paths_best){.copies = 4, .turns = true}, &memory), PATHS_OK);
		assert_int_equal(s.by_turns[0], i == 1);
		assert_int_equal(paths_share_best(&s, &f, 1, &(struct paths_best){.copies = 4}, &memory), PATHS_OK);
		assert_int_equal(s.by_turns[0], 0);
	}
	paths_release(&memory, mark);
}

/* A copy that has a little less than others does not get all that is cold: that may be hot another time. */
static void what_is_cold_is_dealt_out_as_evenly_as_what_is_hot(void **state)
{
	(void)state;
	enum { COLD = 40, COPIES = 4 };
	struct paths_mark mark = paths_mark(&memory);
	struct paths_graph g[COLD + COPIES];
	struct paths_function f[COLD + COPIES];
	struct paths_share s;
	for (uint32_t i = 0; i < COLD + COPIES; i++)
		f[i] = loop(&g[i], paths_take(&memory, 8, sizeof(double)), 1, i < COLD ? 1 : i == COLD ? 0.99e6 : 1e6);
	assert_int_equal(paths_share_best(&s, f, COLD + COPIES, &(struct paths_best){.copies = COPIES, .turns = true}, &memory), PATHS_OK);
	for (uint32_t c = 0; c < COPIES; c++) {
		uint32_t cold = 0;
		for (uint32_t i = 0; i < COLD; i++)
			cold += s.chosen[(size_t)c * s.functions + i] != NULL;
		assert_true(cold >= COLD / COPIES - 1);
		assert_true(s.load[c] < 1.1e6);
	}
	paths_release(&memory, mark);
}

/* Copies that did not do the same are found out. */
static void copies_that_disagree_are_refused(void **state)
{
	(void)state;
	const struct paths_edge e[] = {{0, 1, 0}, {0, PATHS_EXIT, 0}, {1, PATHS_EXIT, 0}};
	struct paths_mark mark = paths_mark(&memory);
	struct paths_graph g;
	struct paths_plan plan;
	struct paths_found *found;
	uint32_t count;
	assert_int_equal(paths_graph_build(&g, 2, e, 3, NULL, NULL, &memory), PATHS_OK);
	assert_int_equal(paths_plan_best(&plan, &g, NULL, NULL, &memory), PATHS_OK);
	struct paths_counted one[] = {{0, 5}, {1, 3}}, other[] = {{0, 5}, {1, 4}};
	struct paths_copy copies[] = {{&plan, one, 2}, {&plan, one, 2}};
	assert_int_equal(paths_merge(&g, copies, 2, &found, &count, &memory), PATHS_OK);
	assert_int_equal(count, 2);
	assert_int_equal(found[0].count + found[1].count, 8);
	copies[1].counted = other;
	assert_int_equal(paths_merge(&g, copies, 2, &found, &count, &memory), PATHS_DISAGREE);
	assert_int_equal(found[0].copy, 0);
	assert_int_equal(found[1].copy, PATHS_NONE);
	paths_release(&memory, mark);
}

/* What goes into a block comes out of it; a loop is passed several times. */
static void guesses_are_flows(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3000; seed++) {
		struct paths_mark mark = paths_mark(&memory);
		double edges[EDGES_MAX + 1], in[BLOCKS_MAX + 2] = {0}, out[BLOCKS_MAX + 2] = {0};
		bool loops = false;
		seed_with(seed);
		make_function(&program[0], 10, NULL);
		const struct paths_graph *g = &program[0].g;
		assert_int_equal(paths_guess_edges(g, edges, &memory), PATHS_OK);
		for (uint32_t e = 0; e < g->edges; e++) {
			assert_true(edges[e] >= 0 && edges[e] < 1e30);
			in[g->edge[e].to] += edges[e];
			out[g->edge[e].from] += edges[e];
			loops |= g->head_of[e] != PATHS_NONE;
		}
		for (uint32_t v = 0; v < g->blocks && !loops; v++)
			assert_true(in[v] - out[v] < 1e-9 && out[v] - in[v] < 1e-9);
		paths_release(&memory, mark);
	}
	double entries[3] = {1, 0, 0};
	const struct paths_call calls[] = {{0, 1, 10}, {1, 2, 10}, {2, 2, 5}};
	paths_guess_calls(entries, 3, calls, 3);
	assert_true(entries[1] == 10 && entries[2] == 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(relaxed_copies_together_tell_every_path),
		cmocka_unit_test(p3_covers_every_path_at_any_threshold),
		cmocka_unit_test(our_shares_cover_every_path_and_cost_what_they_say),
		cmocka_unit_test(parts_of_one_function_hold_every_path_and_are_worth_it),
		cmocka_unit_test(branches_with_many_ways_are_divided_evenly),
		cmocka_unit_test(long_calls_are_by_turns_if_there_are_several),
		cmocka_unit_test(what_is_cold_is_dealt_out_as_evenly_as_what_is_hot),
		cmocka_unit_test(copies_that_disagree_are_refused),
		cmocka_unit_test(guesses_are_flows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
