/* SPDX-License-Identifier: MIT */
/* test_core.c: graphs of functions, the numbers of all their paths, and plans that count them, against lists of
 * all paths and against walks. */
#include "unit/paths/make.h"

static struct function f;
static struct listing list;
static struct run r;
static struct paths_labels labels;
static struct paths_plan plan;

static bool leads(uint32_t from, uint32_t to, bool forward_only)
{
	bool seen[BLOCKS_MAX] = {false};
	seen[from] = true;
	for (uint32_t round = 0; round < f.blocks; round++)
		for (uint32_t e = 0; e < f.edges; e++)
			if (f.edge[e].to != PATHS_EXIT && seen[f.edge[e].from] && !(forward_only && f.g.head_of[e] != PATHS_NONE))
				seen[f.edge[e].to] = true;
	return seen[to];
}

static void check_graph(void)
{
	const struct paths_graph *g = &f.g;
	uint32_t place[BLOCKS_MAX + 2] = {0};
	for (uint32_t i = 0; i < g->reached; i++)
		place[g->order[i]] = i;
	assert_int_equal(g->order[0], g->entry);
	assert_int_equal(g->order[g->reached - 1], g->exit);
	for (uint32_t a = 0; a < g->arcs; a++) {
		assert_true(place[g->arc[a].from] < place[g->arc[a].to]);
		assert_true(a >= g->out[g->arc[a].from] && a < g->out[g->arc[a].from + 1]);
		assert_true(g->arc[g->in_arc[a]].to >= g->arc[g->in_arc[a ? a - 1 : 0]].to);
	}
	for (uint32_t e = 0; e < f.edges; e++) {
		bool back = g->head_of[e] != PATHS_NONE;
		assert_int_equal(g->arc_of[e] != PATHS_NONE, leads(0, f.edge[e].from, false));
		if (back && !g->cuts)
			assert_true(leads(f.edge[e].to, f.edge[e].from, true));
	}
}

static uint64_t sum(const uint64_t *of, uint32_t p)
{
	uint64_t s = 0;
	for (uint32_t i = 0; i < list.length[p]; i++)
		s += of[list.arcs[p][i]];
	return s;
}

static void check_numbers(void)
{
	static bool seen[PATHS_LISTED];
	uint32_t arcs[ARCS_MAX];
	assert_int_equal(labels.paths, list.count);
	memset(seen, 0, sizeof seen);
	for (uint32_t p = 0; p < list.count; p++) {
		uint64_t number = sum(labels.base, p);
		assert_true(number < list.count && !seen[number]);
		assert_true(number == sum(labels.value, p));
		seen[number] = true;
		assert_int_equal(paths_decode(&labels, &f.g, number, arcs), list.length[p]);
		assert_memory_equal(arcs, list.arcs[p], list.length[p] * sizeof *arcs);
	}
	assert_int_equal(paths_decode(&labels, &f.g, list.count, arcs), 0);
}

/* What a spanning tree can save at most: the heaviest arc that joins two parts, again and again. Arcs to the exit weigh
 * nothing, pinned ones more than all. */
static double best_tree(const double *w, double *all)
{
	uint32_t part[BLOCKS_MAX + 2];
	double saved = 0;
	for (uint32_t v = 0; v < f.g.vertices; v++)
		part[v] = v == f.g.exit ? f.g.entry : v;
	*all = 0;
	for (uint32_t a = 0; a < f.g.arcs; a++)
		*all += w[a];
	for (;;) {
		uint32_t best = PATHS_NONE;
		for (uint32_t a = 0; a < f.g.arcs; a++)
			if (part[f.g.arc[a].from] != part[f.g.arc[a].to] && (best == PATHS_NONE || w[a] > w[best]))
				best = a;
		if (best == PATHS_NONE)
			return saved;
		saved += w[best];
		uint32_t from = part[f.g.arc[best].from], to = part[f.g.arc[best].to];
		for (uint32_t v = 0; v < f.g.vertices; v++)
			part[v] = part[v] == from ? to : part[v];
	}
}

static void place_randomly(void)
{
	double w[ARCS_MAX], all, valued = 0;
	for (uint32_t a = 0; a < f.g.arcs; a++)
		w[a] = pick(100);
	assert_int_equal(paths_place(&labels, &f.g, w, &memory), PATHS_OK);
	for (uint32_t a = 0; a < f.g.arcs; a++) {
		const struct paths_arc *arc = &f.g.arc[a];
		if (arc->to == f.g.exit)
			w[a] = 0;
		if (arc->kind == PATHS_STEP && f.g.edge[arc->edge].flags & PATHS_PINNED)
			w[a] = 10000;
		valued += labels.value[a] ? w[a] : 0;
	}
	double saved = best_tree(w, &all);
	assert_true(valued <= all - saved);
}

static void check_run(void)
{
	r.whole = true; /* frames that stop are told by their registers */
	run_plan(&r, &f, &plan, 4);
	hits_are_as_computed(&r);
	counters_tell_the_walks(&r, r.walks);
}

/* If no frame stopped on its way, the counts of paths give those of edges. */
static void check_edges(void)
{
	double passed[EDGES_MAX + 1] = {0};
	for (uint32_t i = 0; i < r.counters; i++) {
		struct walked w;
		assert_true(walked_of_index(&r, r.index[i], ARCS_MAX, &w));
		for (uint32_t j = 0; j < w.length; j++)
			if (!(w.edge[j] & FROM_HEAD))
				passed[w.edge[j]] += (double)r.counted[i];
	}
	assert_memory_equal(passed, r.passed, sizeof passed);
}

static void all_paths_are_numbered_and_counted(void **state)
{
	(void)state;
	uint64_t wanted = graphs_wanted(30000), runs = 0;
	for (uint64_t seed = 1; seed <= wanted; seed++) {
		struct paths_mark mark = paths_mark(&memory);
		seed_with(seed);
		make_function(&f, 10, NULL);
		check_graph();
		list_paths(&f.g, &list);
		if (!list.too_many) {
			assert_int_equal(paths_label_all(&labels, &f.g, &memory), PATHS_OK);
			check_numbers();
			if (seed % 2)
				place_randomly();
			check_numbers();
			assert_int_equal((seed % 4 < 2 ? paths_plan_plain : paths_plan_moved)(&plan, &f.g, &labels, &memory), PATHS_OK);
			check_run();
			if (!r.stopped) {
				check_edges();
				runs++;
			}
		}
		paths_release(&memory, mark);
	}
	assert_true(runs > wanted / 4);
}

static void moved_plans_never_cost_more(void **state)
{
	(void)state;
	double plain_sum = 0, moved_sum = 0;
	for (uint64_t seed = 1; seed <= 5000; seed++) {
		struct paths_mark mark = paths_mark(&memory);
		struct paths_plan plain;
		seed_with(seed);
		make_function(&f, 10, NULL);
		assert_int_equal(paths_label_all(&labels, &f.g, &memory), PATHS_OK);
		place_randomly();
		assert_int_equal(paths_plan_plain(&plain, &f.g, &labels, &memory), PATHS_OK);
		assert_int_equal(paths_plan_moved(&plan, &f.g, &labels, &memory), PATHS_OK);
		run_plan(&r, &f, &plain, 4);
		struct paths_hits a = paths_hits(&plain, r.passed), b = paths_hits(&plan, r.passed);
		if (!r.stopped) {
			assert_true(b.updates == a.updates); /* one for each path */
			assert_true(b.increments + b.zeroed <= a.increments + a.zeroed);
		}
		plain_sum += a.increments + a.updates;
		moved_sum += b.increments + b.updates;
		paths_release(&memory, mark);
	}
	assert_true(moved_sum < plain_sum);
}

static void graphs_that_are_cut_tell_whole_paths(void **state)
{
	(void)state;
	uint64_t wanted = graphs_wanted(20000), cuts = 0;
	for (uint64_t seed = 1; seed <= wanted; seed++) {
		struct paths_mark mark = paths_mark(&memory);
		seed_with(seed);
		double w[EDGES_MAX + 1];
		for (uint32_t e = 0; e <= EDGES_MAX; e++)
			w[e] = pick(100);
		struct paths_limits limits = {2 + pick(4), 1 + pick(5), pick(2) ? w : NULL};
		make_function(&f, 12, &limits);
		check_graph();
		assert_int_equal(paths_label_all(&labels, &f.g, &memory), PATHS_OK);
		if (seed % 2)
			place_randomly();
		assert_int_equal((seed % 4 < 2 ? paths_plan_plain : paths_plan_moved)(&plan, &f.g, &labels, &memory), PATHS_OK);
		check_run();
		cuts += f.g.cuts;
		paths_release(&memory, mark);
	}
	assert_true(cuts > wanted / 4);
}

/* A hundred conditionals in a row, 2^100 paths, each with one side that is passed so often of a hundred times. */
enum { ROWS = 100, ROW_EDGES = 4 * ROWS + 1 };

static void make_rows(struct paths_graph *g, double rare, const struct paths_limits *limits)
{
	static struct paths_edge e[ROW_EDGES];
	static double w[ROW_EDGES + 1];
	struct paths_limits with_weights = {0, 0, w};
	for (uint32_t i = 0; i < ROWS; i++) {
		e[4 * i] = (struct paths_edge){3 * i, 3 * i + 1, 0};
		e[4 * i + 1] = (struct paths_edge){3 * i, 3 * i + 2, 0};
		e[4 * i + 2] = (struct paths_edge){3 * i + 1, 3 * i + 3, 0};
		e[4 * i + 3] = (struct paths_edge){3 * i + 2, 3 * i + 3, 0};
		w[4 * i] = w[4 * i + 2] = rare;
		w[4 * i + 1] = w[4 * i + 3] = 100 - rare;
	}
	e[ROW_EDGES - 1] = (struct paths_edge){3 * ROWS, PATHS_EXIT, 0};
	w[ROW_EDGES - 1] = w[ROW_EDGES] = 100;
	if (limits) {
		with_weights.whole = limits->whole;
		with_weights.piece = limits->piece;
	}
	assert_int_equal(paths_graph_build(g, 3 * ROWS + 1, e, ROW_EDGES, NULL, limits ? &with_weights : NULL, &memory), PATHS_OK);
	assert_int_equal(paths_label_all(&labels, g, &memory), PATHS_OK);
}

static void functions_with_more_than_2_to_the_64_paths_are_cut(void **state)
{
	(void)state;
	struct paths_mark mark = paths_mark(&memory);
	struct paths_graph g;
	uint32_t arcs[8 * ROWS];
	make_rows(&g, 50, NULL);
	assert_true(g.cuts > 0 && g.cuts < 10);
	assert_true(labels.paths > PATHS_PIECE_MAX / 1000 && labels.paths <= PATHS_PIECE_MAX);
	assert_true(paths_decode(&labels, &g, labels.paths - 1, arcs) > 10);
	paths_release(&memory, mark);
}

static void what_is_hot_is_not_cut(void **state)
{
	(void)state;
	const struct paths_limits limits = {1u << 20, 1u << 14, NULL};
	struct paths_mark mark = paths_mark(&memory);
	struct paths_graph g;
	make_rows(&g, 1, &limits);
	assert_true(labels.paths <= limits.piece);
	for (uint32_t e = 0; e < ROW_EDGES; e++)
		assert_true(g.head_of[e] == PATHS_NONE || e % 4 == 0 || e % 4 == 2);
	/* where both sides are as hot, both are cut, and then none for a while */
	make_rows(&g, 49, &limits);
	assert_true(labels.paths <= limits.piece);
	assert_true(g.cuts < 40);
	paths_release(&memory, mark);
}

static void kinds_follow_from_the_ends_of_a_path(void **state)
{
	(void)state;
	/* one loop of one block: 0 -> 1 -> 1 -> 2 */
	const struct paths_edge e[] = {{0, 1, 0}, {1, 1, 0}, {1, 2, 0}, {2, PATHS_EXIT, 0}};
	struct paths_mark mark = paths_mark(&memory);
	struct paths_graph g;
	unsigned kinds = 0;
	assert_int_equal(paths_graph_build(&g, 3, e, 4, NULL, NULL, &memory), PATHS_OK);
	list_paths(&g, &list);
	assert_int_equal(list.count, 4);
	for (uint32_t p = 0; p < 4; p++)
		kinds |= 1u << paths_kind(&g, list.arcs[p][0], list.arcs[p][list.length[p] - 1]);
	assert_int_equal(kinds, 15);
	paths_release(&memory, mark);
}

static void what_is_no_function_is_refused(void **state)
{
	(void)state;
	const struct paths_edge outside[] = {{0, 7, 0}}, no_end[] = {{0, 1, 0}};
	struct paths_graph g;
	assert_int_equal(paths_graph_build(&g, 2, outside, 1, NULL, NULL, &memory), PATHS_BAD_EDGE);
	assert_int_equal(paths_graph_build(&g, 2, no_end, 1, NULL, NULL, &memory), PATHS_NO_WAY_OUT);
	assert_int_equal(paths_graph_build(&g, 0, no_end, 0, NULL, NULL, &memory), PATHS_BAD_EDGE);
}

static void *no_bytes(void *context, size_t bytes)
{
	size_t *left = context;
	return *left < bytes ? NULL : (*left -= bytes, malloc(bytes));
}

static void no_memory_is_a_code(void **state)
{
	(void)state;
	const struct paths_edge e[] = {{0, PATHS_EXIT, 0}};
	size_t left = 0;
	struct paths_memory none = {.more = no_bytes, .context = &left};
	struct paths_graph g;
	assert_int_equal(paths_graph_build(&g, 1, e, 1, NULL, NULL, &none), PATHS_NO_MEMORY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_paths_are_numbered_and_counted),
		cmocka_unit_test(moved_plans_never_cost_more),
		cmocka_unit_test(graphs_that_are_cut_tell_whole_paths),
		cmocka_unit_test(functions_with_more_than_2_to_the_64_paths_are_cut),
		cmocka_unit_test(what_is_hot_is_not_cut),
		cmocka_unit_test(kinds_follow_from_the_ends_of_a_path),
		cmocka_unit_test(what_is_no_function_is_refused),
		cmocka_unit_test(no_memory_is_a_code),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
