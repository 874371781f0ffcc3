/* SPDX-License-Identifier: MIT */
/* test_what_if.c: core/span/what_if against explicit graphs.
 *
 * A random fork-join program with loops is run once through the algorithm with several ifs, and drawn as a graph: a vertex a
 * point in time, an edge a strand with its length, and which sites it is under. For each if the edges are then scaled and the
 * longest path found by trying every edge in order. */
#include "unit/lib.h"

#include "core/span/what_if.h"

enum { SITES = 8, VERTICES = 4000, MARGIN = 1000, CHILDREN = 12 };

/* An if is a set of sites, as a mask, and a factor. Two of them have nothing to scale. */
static const uint32_t sites_of[] = {1, 2, 4, 1 | 8, 2, 16 | 32 | 64, 255, 0, 128};
static const double factors[] = {0, 0.5, 2, 0.25, 1, 0, 0.5, 0, 8};
enum { IFS = sizeof factors / sizeof *factors };

struct vertex {
	int from[CHILDREN + 1];
	int edges;
	uint64_t length;
	uint32_t under; /* sites that are open: a bit each */
};

static struct vertex graph[VERTICES];
static int vertices;
static struct span_what_if w;

static int vertex(int from, uint64_t length, uint32_t under)
{
	assert_true(vertices < VERTICES);
	graph[vertices] = (struct vertex){.from = {from}, .edges = from >= 0, .length = length, .under = under};
	return vertices++;
}

static int join(int at, const int *children, int count)
{
	int v = vertex(at, 0, 0);
	for (int i = 0; i < count; i++)
		graph[v].from[graph[v].edges++] = children[i];
	return v;
}

static uint32_t marks_of(uint32_t site)
{
	uint32_t marks = 0;
	for (int k = 0; k < IFS; k++)
		marks |= (sites_of[k] >> site & 1) << k;
	return marks;
}

static int strand(int at, uint32_t under)
{
	uint64_t length = (uint64_t)(rand() % 20);
	what_if_strand(&w, length);
	return vertex(at, length, under);
}

static bool is_full(int depth)
{
	return depth > 9 || vertices + MARGIN > VERTICES;
}

static int invocation(int at, uint32_t under, int depth);

static int call(int at, uint32_t under, int depth)
{
	uint32_t site = (uint32_t)rand() % SITES;
	what_if_open(&w, marks_of(site));
	at = invocation(at, under | 1u << site, depth + 1);
	what_if_close(&w, marks_of(site));
	return at;
}

static int loop(int at, uint32_t under, int depth)
{
	struct span_ends before, best;
	int ends[CHILDREN], count = 0, iterations = rand() % 5;
	what_if_note(&w, &before);
	what_if_note(&w, &best);
	for (; count < iterations; what_if_later(&w, &best)) {
		what_if_back(&w, &before);
		ends[count++] = invocation(at, under, depth + 1);
	}
	what_if_back(&w, &best);
	return join(at, ends, count);
}

static int invocation(int at, uint32_t under, int depth)
{
	struct span_ends before, best;
	int children[CHILDREN], count = 0;
	for (int items = rand() % (depth ? 7 : 20); items > 0; items--) {
		int kind = rand() % 8;
		at = strand(at, under);
		if (kind == 7) {
			if (count)
				what_if_wait(&w, &best);
			at = join(at, children, count);
			count = 0;
		} else if (is_full(depth)) {
			continue;
		} else if (kind < 2) {
			at = call(at, under, depth);
		} else if (kind == 2) {
			at = loop(at, under, depth);
		} else if (count < CHILDREN) {
			what_if_note(&w, &before);
			if (!count)
				best = before;
			children[count++] = call(at, under, depth);
			what_if_later(&w, &best);
			what_if_back(&w, &before);
		}
	}
	if (count)
		what_if_wait(&w, &best);
	return join(at, children, count);
}

static void check(int end)
{
	static double best[VERTICES];
	for (int k = 0; k < IFS; k++) {
		double work = 0;
		for (int v = 0; v < vertices; v++) {
			double length = (double)graph[v].length * (graph[v].under & sites_of[k] ? factors[k] : 1), latest = 0;
			for (int e = 0; e < graph[v].edges; e++)
				latest = best[graph[v].from[e]] > latest ? best[graph[v].from[e]] : latest;
			best[v] = latest + length;
			work += length;
		}
		assert_true(w.work[k] == work);
		assert_true(w.here.at[k] == best[end]);
		assert_int_equal(w.open[k], 0);
	}
}

static void random_programs_agree_with_their_scaled_graphs(void **state)
{
	(void)state;
	int branches = 0;
	for (unsigned seed = 1; seed <= 3000; seed++) {
		srand(seed);
		vertices = 0;
		what_if_begin(&w, factors, IFS);
		check(invocation(vertex(-1, 0, 0), 0, 0));
		branches += w.here.at[0] != w.here.at[4] && w.here.at[0] > 0;
	}
	assert_true(branches > 500); /* else nothing was compared */
}

/* main calls a (100) beside b (80): at half of a, b is critical. */
static void another_path_becomes_critical(void **state)
{
	(void)state;
	static const double half[] = {0.5, 0.9};
	struct span_ends before, best;
	what_if_begin(&w, half, 2);
	what_if_note(&w, &before);
	best = before;
	what_if_open(&w, 3);
	assert_int_equal(what_if_marks(&w), 3);
	what_if_strand(&w, 100);
	what_if_close(&w, 3);
	what_if_later(&w, &best);
	what_if_back(&w, &before);
	what_if_strand(&w, 80);
	what_if_wait(&w, &best);
	assert_true(w.here.at[0] == 80 && w.here.at[1] == 90);
	assert_true(w.work[0] == 130 && w.work[1] == 170);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_programs_agree_with_their_scaled_graphs),
		cmocka_unit_test(another_path_becomes_critical),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
