/* SPDX-License-Identifier: MIT */
/* test_graph.c: core/graph against reachability that is worked out pair by pair. */
#include "unit/lib.h"

#include <stdlib.h>
#include <string.h>

#include "core/graph.h"

enum { MOST = 12, ROUNDS = 20000 };

struct drawn {
	size_t count;
	bool edge[MOST][MOST], reach[MOST][MOST], steady[MOST];
};

static void draw(struct drawn *d)
{
	memset(d, 0, sizeof *d);
	d->count = 1 + (size_t)rand() % MOST;
	int density = 1 + rand() % 8;
	for (size_t i = 0; i < d->count; i++) {
		d->steady[i] = rand() % 6 != 0;
		for (size_t j = 0; j < d->count; j++)
			d->edge[i][j] = d->reach[i][j] = rand() % density == 0 && rand() % 3 == 0;
	}
	for (size_t k = 0; k < d->count; k++)
		for (size_t i = 0; i < d->count; i++)
			for (size_t j = 0; j < d->count; j++)
				d->reach[i][j] |= d->reach[i][k] && d->reach[k][j];
}

static bool is_steady(const struct drawn *d, size_t i)
{
	bool steady = d->steady[i];
	for (size_t j = 0; j < d->count; j++)
		steady = steady && (!d->reach[i][j] || d->steady[j]);
	return steady;
}

static void random_graphs_agree_with_reachability(void **state)
{
	(void)state;
	size_t recursive = 0, steady = 0;
	for (int round = 0; round < ROUNDS; round++) {
		struct drawn d;
		struct graph_node nodes[MOST + 1] = {0};
		uint32_t to[MOST * MOST];
		size_t edges = 0;
		draw(&d);
		for (size_t i = 0; i < d.count; i++) {
			nodes[i] = (struct graph_node){.first = edges, .steady = d.steady[i]};
			for (uint32_t j = 0; j < d.count; j++)
				if (d.edge[i][j])
					to[edges++] = j;
		}
		nodes[d.count].first = edges;
		graph_solve(&(struct graph){nodes, d.count, to});
		for (size_t i = 0; i < d.count; i++) {
			assert_int_equal(nodes[i].recursive, d.reach[i][i]);
			assert_int_equal(nodes[i].steady, is_steady(&d, i));
			for (size_t j = 0; j < d.count; j++)
				assert_int_equal(nodes[i].component == nodes[j].component, i == j || (d.reach[i][j] && d.reach[j][i]));
			recursive += nodes[i].recursive;
			steady += nodes[i].steady;
		}
	}
	assert_true(recursive > ROUNDS && steady > ROUNDS); /* the graphs were not all of one kind */
}

/* Deeper than a stack of the machine. */
static void a_long_chain_is_no_problem(void **state)
{
	(void)state;
	enum { LONG = 1000000 };
	struct graph_node *nodes = calloc(LONG + 1, sizeof *nodes);
	uint32_t *to = calloc(LONG, sizeof *to);
	assert_non_null(nodes);
	assert_non_null(to);
	for (uint32_t i = 0; i < LONG; i++) {
		nodes[i] = (struct graph_node){.first = i, .steady = i != LONG - 1};
		to[i] = (i + 1) % LONG;
	}
	nodes[LONG].first = LONG - 1; /* the last leads nowhere */
	graph_solve(&(struct graph){nodes, LONG, to});
	assert_false(nodes[0].steady);
	assert_false(nodes[0].recursive);
	assert_int_equal(nodes[0].component, LONG);
	free(nodes);
	free(to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_graphs_agree_with_reachability),
		cmocka_unit_test(a_long_chain_is_no_problem),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
