/* SPDX-License-Identifier: MIT */
/* test_core.c: core/span/span against explicit graphs.
 *
 * A random fork-join program is run once through core/span and, as it runs, drawn as a graph: a vertex a point in time, an
 * edge a strand with its length. Longest paths are then found by trying every edge in order, and profiles by walking the
 * tree of invocations again. */
#include "unit/lib.h"

#include "unit/span/play.h"

/* The last function runs once, so its sites are never open twice. */
enum {
	FUNCTIONS = 5,
	ROOT = FUNCTIONS - 1,
	SITES_EACH = 3,
	SITES = FUNCTIONS * SITES_EACH + 1,
	VERTICES = 1500,
	INVOCATIONS = 120,
	OUTSTANDING = 16
};

/* Edges into a vertex, in the order in which the algorithm prefers equals: the spawned children, then the continuation. */
struct vertex {
	int from[OUTSTANDING + 1];
	int edges;
	uint64_t length; /* of its one edge, if it ends a strand */
	int owner;       /* invocation whose strand that is */
};

struct invocation {
	int parent;
	uint32_t site, caller;
	int start, end; /* vertices */
};

static struct {
	struct vertex v[VERTICES];
	int vertices;
	struct invocation inv[INVOCATIONS];
	int invocations;
} w;

static int vertex(int from, uint64_t length, int owner)
{
	struct vertex *v = &w.v[w.vertices];
	v->from[0] = from;
	v->edges = from >= 0;
	v->length = length;
	v->owner = owner;
	return w.vertices++;
}

static bool is_full(void)
{
	return w.vertices + 2 * OUTSTANDING > VERTICES || w.invocations + 2 > INVOCATIONS;
}

static int run_function(uint32_t function, int me, int at, int depth);

static int strand(struct play *p, int me, int at)
{
	uint64_t length = (uint64_t)(rand() % 20);
	p->n += length;
	return vertex(at, length, me);
}

/* Draws the invocation and runs it; returns the vertex at its end. */
static int invoke(int parent, int at, uint32_t site, uint32_t caller, int depth)
{
	int me = w.invocations++;
	int start = vertex(at, 0, me);
	int end = run_function((uint32_t)(rand() % ROOT), me, start, depth + 1);
	w.inv[me] = (struct invocation){parent, site, caller, start, end};
	return end;
}

static int join(int at, const int *children, int count)
{
	int v = w.vertices++;
	w.v[v] = (struct vertex){.edges = count + 1};
	memcpy(w.v[v].from, children, (size_t)count * sizeof *children);
	w.v[v].from[count] = at;
	return v;
}

static int run_function(uint32_t function, int me, int at, int depth)
{
	struct play p;
	int children[OUTSTANDING], count = 0, items = rand() % (function == ROOT ? 12 : 7);
	play_begin(&p);
	for (; items-- > 0; at = strand(&p, me, at)) {
		uint32_t site = function * SITES_EACH + (uint32_t)(rand() % SITES_EACH);
		int kind = rand() % 8;
		if (kind == 7) {
			play_sync(&p);
			at = join(at, children, count);
			count = 0;
		} else if (depth > 8 || is_full()) {
			continue;
		} else if (kind < 3 && function == ROOT) {
			PLAY_CALLED(&p, PLAY_MEASURED_ONCE(site, at = invoke(me, at, site, function, depth)));
		} else if (kind < 3) {
			PLAY_CALL(&p, site, function, at = invoke(me, at, site, function, depth));
		} else if (count < OUTSTANDING && function != ROOT) {
			PLAY_SPAWN(&p, site, function, children[count++] = invoke(me, at, site, function, depth));
		} else if (count < OUTSTANDING) {
			PLAY_SPAWNED(&p, PLAY_MEASURED_ONCE(site, children[count++] = invoke(me, at, site, function, depth)));
		}
	}
	play_end(&p);
	return count ? join(at, children, count) : at;
}

/* Longest path from `start` to `end`; best[v] its length to v, back[v] where it comes from. */
static uint64_t longest(int start, int end, int *back)
{
	static uint64_t best[VERTICES];
	static bool reached[VERTICES];
	for (int v = start; v <= end || v < w.vertices; v++) {
		reached[v] = v == start;
		best[v] = 0;
		back[v] = -1;
		for (int e = 0; v > start && e < w.v[v].edges; e++) {
			int u = w.v[v].from[e];
			if (u < start || !reached[u])
				continue;
			uint64_t length = best[u] + w.v[v].length;
			if (!reached[v] || length > best[v]) {
				best[v] = length;
				back[v] = u;
				reached[v] = true;
			}
		}
	}
	return best[end];
}

static uint64_t own_on_path(const int *back, int start, int end, int owner)
{
	uint64_t sum = 0;
	for (int v = end; v != start; v = back[v])
		if (w.v[v].owner == owner)
			sum += w.v[v].length;
	return sum;
}

/* Everything in the tree below an invocation, itself included, was drawn between its start and the next one's. */
static uint64_t work_of(int me, bool own)
{
	uint64_t sum = 0;
	for (int v = 0; v < w.vertices; v++) {
		int owner = w.v[v].edges && w.v[v].length ? w.v[v].owner : -1;
		while (!own && owner > me)
			owner = w.inv[owner].parent;
		sum += owner == me ? w.v[v].length : 0;
	}
	return sum;
}

static bool is_under_same(int me, bool by_caller)
{
	for (int a = w.inv[me].parent; a >= 0; a = w.inv[a].parent)
		if (by_caller ? w.inv[a].caller == w.inv[me].caller : w.inv[a].site == w.inv[me].site)
			return true;
	return false;
}

static void count(struct span_sum *sum, uint64_t work, uint64_t span)
{
	sum->count++;
	sum->work += work;
	sum->span += span;
}

static void check(void)
{
	static struct span_sum on_work[SITES * SPAN_MEASURES], on_span[SITES * SPAN_MEASURES], got[SITES * SPAN_MEASURES];
	static int back[VERTICES], inner[VERTICES];
	static bool on_path[VERTICES];
	memset(on_work, 0, sizeof on_work);
	memset(on_span, 0, sizeof on_span);
	memset(got, 0, sizeof got);
	memset(on_path, 0, sizeof on_path);
	uint64_t span = longest(0, w.vertices - 1, back);
	for (int v = w.vertices - 1; v >= 0; v = back[v])
		on_path[v] = true;
	assert_int_equal(span, lane.left.span);
	assert_int_equal(span, lane.left.burdened_span);
	for (int i = 1; i < w.invocations; i++) {
		const struct invocation *me = &w.inv[i];
		uint64_t its_span = longest(me->start, me->end, inner), its_work = work_of(i, false);
		uint64_t local_work = work_of(i, true), local_span = own_on_path(inner, me->start, me->end, i);
		struct span_sum *sums[] = {&on_work[me->site * SPAN_MEASURES], &on_span[me->site * SPAN_MEASURES]};
		for (int k = 0; k < (on_path[me->start] && on_path[me->end] ? 2 : 1); k++) {
			count(&sums[k][SPAN_LOCAL], local_work, local_span);
			if (!is_under_same(i, false))
				count(&sums[k][SPAN_TOP_SITE], its_work, its_span);
			if (!is_under_same(i, true))
				count(&sums[k][SPAN_TOP_CALLER], its_work, its_span);
		}
	}
	for (int s = ROOT * SITES_EACH; s < SITES; s++) /* the third measure of these is the second */
		on_work[s * SPAN_MEASURES + SPAN_TOP_CALLER] = on_span[s * SPAN_MEASURES + SPAN_TOP_CALLER] = (struct span_sum){0};
	for (int s = 0; s < SITES; s++)
		assert_memory_equal(rows[s].on_work, &on_work[s * SPAN_MEASURES], sizeof rows[s].on_work);
	span_on_span(lane.log, lane.kept.end / sizeof *lane.log, got, SITES * SPAN_MEASURES);
	assert_memory_equal(got, on_span, sizeof got);
}

static void run(unsigned seed, uint64_t room)
{
	memset(&w, 0, sizeof w);
	lane_begin(SITES, SITES_EACH, room);
	srand(seed);
	w.inv[w.invocations++] = (struct invocation){-1, SITES - 1, FUNCTIONS, 0, 0};
	int end = run_function(ROOT, 0, vertex(-1, 0, 0), 0);
	assert_int_equal(end, w.vertices - 1);
	check();
	lane_end();
}

static void random_programs_agree_with_their_graphs(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 1500; seed++)
		run(seed, 1u << 16);
}

static void a_log_that_starts_small_gives_the_same(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 1500; seed++)
		run(seed, 16);
}

/* What a signal handler may leave behind. Without the check a length is 2^64 less something, and the first of these crashes. */
static void a_log_that_was_disturbed_is_put_right(void **state)
{
	(void)state;
	for (int k = 0; k < 4; k++) {
		struct span_scope scope = {.l0 = 5 * sizeof(struct span_entry),
		                           .l1 = 9 * sizeof(struct span_entry),
		                           .region = 7 * sizeof(struct span_entry)};
		lane_begin(SITES, SITES_EACH, 16);
		lane.kept.end = (k == 1 ? 40 : 2) * sizeof(struct span_entry);
		lane.region = 4 * sizeof(struct span_entry);
		if (k == 2)
			span_tidy(&lane);
		else if (k == 3)
			span_beat(&lane, &scope, lane.kept.end);
		else
			span_look_after(&lane);
		assert_true(lane.kept.end <= lane.room);
		assert_true(k == 3 || lane.region <= lane.kept.end);
		lane_end();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_programs_agree_with_their_graphs),
		cmocka_unit_test(a_log_that_starts_small_gives_the_same),
		cmocka_unit_test(a_log_that_was_disturbed_is_put_right),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
