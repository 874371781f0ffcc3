/* SPDX-License-Identifier: MIT */
/* Random trees of the idle lens, and the views of them, against a slow way. */
#include "unit/idle/result.h"

enum { NODES = 150, NAMES = 6, LINES = 3, LONGEST = 8000 };

/* Everything is named by agents: place k is routine k / LINES at line k % LINES + 1. */
static struct lcct_node random_nodes[NODES + 1];
static struct raw_idle_cost random_costs[2 * NODES];

static uint64_t random_place(int chance)
{
	return rand() % 100 < chance ? 0 : idlemake_place(RAW_AGENT_MODULE, (uint64_t)(1 + rand() % (NAMES * LINES - 1)));
}

static void random_session(void)
{
	struct rawmake raw;
	idlemake_plan(folder);
	rawmake_start(&raw, RAW_FINISHED);
	raw.file->lens = RAW_LENS_IDLE;
	idlemake_how(&raw, 4);
	rawmake_thread(&raw, 0, 0, 0, 1000000000, "prog");
	for (uint32_t k = 0; k < NAMES * LINES; k++) {
		char name[16];
		snprintf(name, sizeof name, "r%u", k / LINES);
		idlemake_named(&raw, k, name, "x.toy", k % LINES + 1);
	}
	struct lcct_node *n = idlemake_table(&raw, RAW_IDLE_NODES, RAW_NO_LANE, 1, sizeof *n, NODES);
	for (uint32_t i = 1; i <= NODES; i++) {
		uint64_t ip = random_place(30), lip = rand() % 3 ? ip : random_place(30);
		n[i - 1] = random_nodes[i] = idlemake_node((uint32_t)rand() % i, 1, SKEIN_1_1, ip, lip);
	}
	struct raw_idle_cost *c = idlemake_table(&raw, RAW_IDLE_COSTS, 0, 0, sizeof *c, 2 * NODES);
	for (uint32_t i = 0; i < 2 * NODES; i++)
		c[i] = random_costs[i] =
			idlemake_cost(1 + (uint32_t)rand() % NODES, 1 + (uint32_t)rand() % 9,
		                      (enum raw_idle_class)(rand() % RAW_IDLE_CLASSES), (uint64_t)rand() % 100, (uint64_t)rand() % 100);
	idlemake_write(&raw, folder, "1.raw");
}

/* The path to a node as scopes are described: each call at the line where its caller was. */
static void slow_path(uint32_t node, enum idles_tree tree, char *to)
{
	uint64_t places[NODES];
	size_t count = 0, length = (size_t)sprintf(to, "prog");
	for (; node; node = random_nodes[node].parent) {
		uint64_t place = tree == IDLES_LOGICAL ? random_nodes[node].lip : random_nodes[node].ip;
		if (place)
			places[count++] = place & 0xffffff;
	}
	for (size_t i = count; i-- > 0;) {
		length += (size_t)sprintf(to + length, " > r%u", (unsigned)places[i] / LINES);
		if (i + 1 < count)
			length += (size_t)sprintf(to + length, "@%u", (unsigned)places[i + 1] % LINES + 1);
	}
	if (count)
		sprintf(to + length, " > line@%u", (unsigned)places[0] % LINES + 1);
}

/* Whether one path is the other or leads to it. */
static bool leads_to(const char *scope, const char *leaf)
{
	size_t length = strlen(scope);
	return strncmp(scope, leaf, length) == 0 && (leaf[length] == 0 || strncmp(leaf + length, " > ", 3) == 0);
}

static void compare_scope(const struct idles *idles, uint32_t scope, const struct idles_sums *sums)
{
	char described[LONGEST], leaf[LONGEST];
	uint64_t samples = 0, ns = 0, idle = 0;
	describe(idles, scope, described, sizeof described);
	for (int i = 0; i < 2 * NODES; i++) {
		slow_path(random_costs[i].node, idles->scopes[scope].tree, leaf);
		if (!leads_to(described, leaf))
			continue;
		samples += random_costs[i].samples;
		idle += random_costs[i].idle_ns;
		for (int class = 0; class < RAW_IDLE_CLASSES; class ++)
			ns += random_costs[i].work_ns[class];
	}
	if (sums->samples != samples || sums->idle_ns != idle || sums->work_ns != ns)
		fail_msg("%s has %llu samples, and %llu by the slow way", described, (unsigned long long)sums->samples,
		         (unsigned long long)samples);
}

static void random_trees_are_as_the_slow_way_has_them(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 12; seed++) {
		struct result r;
		srand(seed);
		random_session();
		analyse(&r);
		struct idles_sums *sums = memory_zeroed(r.idles.scope_count, sizeof *sums);
		for (int tree = 0; tree < IDLES_TREES; tree++) {
			idles_include(&r.idles, (enum idles_tree)tree, UINT32_MAX, sums);
			for (uint32_t i = IDLES_TREES; i < r.idles.scope_count; i++)
				if (r.idles.scopes[i].tree == tree)
					compare_scope(&r.idles, i, &sums[i]);
		}
		free(sums);
		done(&r);
	}
}

/* ---- views of them ---- */

/* Routine and line of each frame of a path, outermost first; the line is that at which the frame was left, or sampled. */
static int slow_frames(uint32_t node, enum idles_tree tree, unsigned routines[NODES], unsigned lines[NODES])
{
	int count = 0;
	for (uint32_t at = node; at; at = random_nodes[at].parent)
		count += (tree == IDLES_LOGICAL ? random_nodes[at].lip : random_nodes[at].ip) != 0;
	int left = count;
	for (uint32_t at = node; at; at = random_nodes[at].parent) {
		uint64_t place = tree == IDLES_LOGICAL ? random_nodes[at].lip : random_nodes[at].ip;
		if (!place)
			continue;
		routines[--left] = (unsigned)(place & 0xffffff) / LINES;
		lines[left] = (unsigned)(place & 0xffffff) % LINES + 1;
	}
	return count;
}

/* "r3 < r1@2 < r0@1": who ran, and the callers, a routine that calls itself only once. */
static void slow_callers(uint32_t node, enum idles_tree tree, char *to)
{
	unsigned routines[NODES], lines[NODES];
	int at = slow_frames(node, tree, routines, lines) - 1;
	if (at < 0) {
		strcpy(to, "(outside)");
		return;
	}
	size_t length = (size_t)sprintf(to, "r%u", routines[at]);
	for (;;) {
		unsigned callee = routines[at];
		while (at > 0 && routines[at - 1] == callee)
			at--;
		if (at-- == 0)
			return;
		length += (size_t)sprintf(to + length, " < r%u@%u", routines[at], lines[at]);
	}
}

static void describe_node(const struct idle_forest *f, uint32_t at, char *to)
{
	const struct idle_node *node = &f->nodes[at];
	struct pool pool = {0};
	*to = 0;
	if (node->parent != IDLE_NO_NODE) {
		describe_node(f, node->parent, to);
		strcat(to, " < ");
	}
	strcat(to, idle_node_name(&pool, f->idles, node));
	if (node->parent != IDLE_NO_NODE)
		sprintf(to + strlen(to), "@%u", node->line);
	pool_free(&pool);
}

static bool begins_path(const char *part, const char *whole)
{
	size_t length = strlen(part);
	return strncmp(part, whole, length) == 0 && (whole[length] == 0 || strncmp(whole + length, " < ", 3) == 0);
}

static void callers_are_as_the_slow_way_has_them(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 8; seed++) {
		struct result r;
		struct idle_forest f;
		srand(seed);
		random_session();
		analyse(&r);
		enum idles_tree tree = seed % 2 ? IDLES_PHYSICAL : IDLES_LOGICAL;
		idle_forest_grow(&f, &r.idles, idle_plant_bottom_up, tree, -1, UINT32_MAX);
		for (uint32_t at = 0; at < f.count; at++) {
			char node[LONGEST], path_of[LONGEST];
			uint64_t samples = 0, idle = 0;
			describe_node(&f, at, node);
			for (int i = 0; i < 2 * NODES; i++) {
				slow_callers(random_costs[i].node, tree, path_of);
				samples += begins_path(node, path_of) ? random_costs[i].samples : 0;
				idle += begins_path(node, path_of) ? random_costs[i].idle_ns : 0;
			}
			if (f.nodes[at].sums.samples != samples || f.nodes[at].sums.idle_ns != idle)
				fail_msg("%s has %llu samples, and %llu by the slow way", node,
				         (unsigned long long)f.nodes[at].sums.samples, (unsigned long long)samples);
		}
		idle_forest_free(&f);
		done(&r);
	}
}

/* Seen flat, a line of a routine has all samples that were taken there, on whatever path. */
static void flat_lines_are_as_the_slow_way_has_them(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 8; seed++) {
		struct result r;
		struct idle_forest f;
		srand(seed);
		random_session();
		analyse(&r);
		idle_forest_grow(&f, &r.idles, idle_plant_flat, IDLES_LOGICAL, -1, UINT32_MAX);
		uint64_t seen = 0;
		for (uint32_t at = 0; at < f.count; at++) {
			const struct idle_node *node = &f.nodes[at];
			unsigned routines[NODES], lines[NODES], routine;
			uint64_t samples = 0;
			if (node->kind != IDLES_LINE || sscanf(r.session.run.routines[node->routine].name, "r%u", &routine) != 1)
				continue;
			for (int i = 0; i < 2 * NODES; i++) {
				int count = slow_frames(random_costs[i].node, IDLES_LOGICAL, routines, lines);
				samples += count && routines[count - 1] == routine && lines[count - 1] == node->line
					? random_costs[i].samples
					: 0;
			}
			assert_int_equal(node->sums.samples, samples);
			seen += samples;
		}
		uint64_t nowhere = 0;
		for (int i = 0; i < 2 * NODES; i++) {
			unsigned routines[NODES], lines[NODES];
			nowhere += slow_frames(random_costs[i].node, IDLES_LOGICAL, routines, lines) ? 0 : random_costs[i].samples;
		}
		assert_int_equal(seen + nowhere, idles_total(&r.idles, UINT32_MAX).samples);
		idle_forest_free(&f);
		done(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(random_trees_are_as_the_slow_way_has_them, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(callers_are_as_the_slow_way_has_them, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(flat_lines_are_as_the_slow_way_has_them, make_folder, remove_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
