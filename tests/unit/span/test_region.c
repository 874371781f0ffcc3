/* SPDX-License-Identifier: MIT */
/* test_region.c: core/span/region against explicit graphs.
 *
 * A random fork-join program with marks is run once through core/span and drawn as a graph: a vertex a point in time, an edge
 * a strand with its length. The time at which control gets to a vertex on infinitely many cores is then found by trying every
 * edge in order. The span of a region is the time between its marks, its work the sum of what was drawn between them. A region
 * does not count if it lies between the marks of another one of the same name. */
#include "unit/lib.h"

#include "core/span/region.h"
#include "unit/span/play.h"

enum { NAMES = 3, VERTICES = 3000, MARGIN = 200, CHILDREN = 12, MARKED = 2000 };

struct vertex {
	int from[CHILDREN + 1];
	int edges;
	uint64_t length;
};

struct marked {
	int name;
	int begin, end;   /* vertices */
	int since, until; /* vertices that were drawn before the first mark, and before the second */
};

/* An invocation, and the one below it. */
struct frame {
	struct play play;
	struct frame *below;
};

static struct vertex graph[VERTICES];
static struct marked marked[MARKED];
static int vertices, marks;
static struct frame *top;
static struct span_region table[NAMES];
static struct span_open_region *innermost, memory[MARKED];
static int number_of[MARKED]; /* of the open regions, outermost first */
static int open_regions;
static int across; /* regions in which something is waited for that was spawned before them */

static int vertex(int from, uint64_t length)
{
	assert_true(vertices < VERTICES);
	graph[vertices] = (struct vertex){.from = {from}, .edges = from >= 0, .length = length};
	return vertices++;
}

static int strand(int at)
{
	uint64_t length = (uint64_t)(rand() % 20);
	top->play.n += length;
	return vertex(at, length);
}

static int join(int at, const int *children, int count)
{
	int v = vertex(at, 0);
	for (int i = 0; i < count; i++)
		graph[v].from[graph[v].edges++] = children[i];
	return v;
}

static struct span_place here(void)
{
	struct span_place place = {0};
	for (const struct frame *f = top; f; f = f->below)
		span_place_add(&place, &f->play.frame, f->play.n);
	return place;
}

static void begin(int at)
{
	int name = rand() % NAMES;
	marked[marks] = (struct marked){.name = name, .begin = at, .since = vertices};
	number_of[open_regions++] = marks;
	span_region_begin(&innermost, &memory[marks++], &table[name], top, here());
}

static void end(int at)
{
	struct marked *m = &marked[number_of[--open_regions]];
	m->end = at;
	m->until = vertices;
	span_region_end(&innermost, here());
}

static void end_if_mine(int at)
{
	if (innermost && innermost->owner == top)
		end(at);
}

static int invocation(int at, int depth)
{
	struct frame f = {.below = top};
	int children[CHILDREN], count = 0, since = -1;
	play_begin(&f.play);
	top = &f;
	for (int items = rand() % (depth ? 9 : 30); items > 0; items--) {
		int kind = rand() % 12;
		at = strand(at);
		if (kind < 2 && marks < MARKED) {
			begin(at);
		} else if (kind < 4) {
			end_if_mine(at);
		} else if (kind == 4) {
			across += count && open_regions && marked[number_of[open_regions - 1]].since > since && innermost->owner == top;
			play_sync(&f.play);
			at = join(at, children, count);
			count = 0;
		} else if (depth > 8 || vertices + MARGIN > VERTICES) {
			continue;
		} else if (kind < 8) {
			PLAY_CALLED(&f.play, at = invocation(at, depth + 1));
		} else if (count < CHILDREN) {
			since = count ? since : vertices;
			PLAY_SPAWNED(&f.play, children[count++] = invocation(at, depth + 1));
		}
	}
	play_sync(&f.play);
	at = join(at, children, count);
	while (innermost && innermost->owner == top)
		end(at);
	top = f.below;
	play_end(&f.play);
	return at;
}

static bool is_inner(int which)
{
	const struct marked *m = &marked[which];
	for (int k = 0; k < marks; k++)
		if (k < which && marked[k].name == m->name && marked[k].since <= m->since && m->until <= marked[k].until &&
		    marked[k].until > m->since)
			return true;
	return false;
}

static void check(void)
{
	static uint64_t time[VERTICES];
	struct span_region want[NAMES] = {{0}};
	for (int v = 0; v < vertices; v++) {
		time[v] = 0;
		for (int e = 0; e < graph[v].edges; e++)
			time[v] = time[graph[v].from[e]] > time[v] ? time[graph[v].from[e]] : time[v];
		time[v] += graph[v].length;
	}
	for (int k = 0; k < marks; k++) {
		const struct marked *m = &marked[k];
		if (is_inner(k))
			continue;
		want[m->name].begun++;
		want[m->name].count++;
		for (int v = m->since; v < m->until; v++)
			want[m->name].work += graph[v].length;
		want[m->name].span += time[m->end] - time[m->begin];
		want[m->name].burdened_span += time[m->end] - time[m->begin];
	}
	assert_memory_equal(table, want, sizeof want);
}

static void random_programs_agree_with_their_graphs(void **state)
{
	(void)state;
	int counted = 0, inner = 0, parallel = 0;
	for (unsigned seed = 1; seed <= 3000; seed++) {
		srand(seed);
		vertices = marks = open_regions = 0;
		memset(table, 0, sizeof table);
		lane_begin(1, 1, 64);
		invocation(vertex(-1, 0), 0);
		check();
		for (int name = 0; name < NAMES; name++) {
			counted += (int)table[name].count;
			parallel += table[name].work > table[name].span;
		}
		inner += marks;
		lane_end();
	}
	assert_true(counted > 5000 && inner > counted + 1000 && parallel > 500 && across > 500); /* else little was compared */
}

/* A region that waits for a child which was spawned before: a child of 100, a region of 30 with the sync in it. */
static void waiting_for_an_older_child_takes_time(void **state)
{
	(void)state;
	struct frame f = {.below = NULL};
	struct span_region row = {0};
	lane_begin(1, 1, 64);
	play_begin(&f.play);
	top = &f;
	PLAY_SPAWNED(&f.play, play_leaf(100));
	span_region_begin(&innermost, &memory[0], &row, top, here());
	f.play.n += 20;
	play_sync(&f.play);
	f.play.n += 10;
	assert_true(row.begun == 1 && row.count == 0);
	span_region_end(&innermost, here());
	assert_null(innermost);
	assert_true(row.count == 1 && row.work == 30 && row.span == 110);
	top = NULL;
	lane_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_programs_agree_with_their_graphs),
		cmocka_unit_test(waiting_for_an_older_child_takes_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
