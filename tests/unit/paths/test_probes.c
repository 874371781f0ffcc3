/* SPDX-License-Identifier: MIT */
/* test_probes.c: core/paths/probes against lists of all paths.
 *
 * Random functions are divided among copies by P3 at random thresholds. A probe of the published plan is an arc whose label is
 * not 0; of others, an arc with an operation that is not an update. A probe overlaps if some path in the list lies wholly in the arcs of
 * another copy and passes the probe's arc. */
#include "core/paths/probes.h"
#include "core/paths/share.h"
#include "unit/paths/make.h"

enum { COPIES_MAX = 6 };

static struct function function;
static struct listing list;
static double weights[ARCS_MAX];

struct divided {
	uint8_t *chosen[COPIES_MAX];
	struct paths_plan plan[COPIES_MAX];
	uint32_t copies;
};

static bool passes(uint32_t path, uint32_t arc, const uint8_t *chosen)
{
	bool found = false;
	for (uint32_t i = 0; i < list.length[path]; i++) {
		if (!chosen[list.arcs[path][i]])
			return false;
		found |= list.arcs[path][i] == arc;
	}
	return found;
}

static bool overlaps(const struct divided *d, uint32_t me, uint32_t arc)
{
	for (uint32_t c = 0; c < d->copies; c++)
		for (uint32_t p = 0; c != me && p < list.count; p++)
			if (passes(p, arc, d->chosen[c]))
				return true;
	return false;
}

/* As the paper counts: the labels of the graph say everything. */
static struct paths_probes by_labels(const struct divided *d, uint32_t me)
{
	struct paths_probes sum = {0};
	for (uint32_t a = 0; a < function.g.arcs; a++)
		if (d->plan[me].labels.value[a]) {
			sum.increments++;
			sum.overlapping += overlaps(d, me, a);
		}
	return sum;
}

static struct paths_probes by_operations(const struct divided *d, uint32_t me)
{
	struct paths_probes sum = {0};
	bool seen[ARCS_MAX] = {false};
	for (uint32_t i = 0; i < d->plan[me].count; i++) {
		const struct paths_op *op = &d->plan[me].op[i];
		bool update = op->kind == PATHS_COUNT || op->kind == PATHS_COUNT_AT || op->kind == PATHS_LOOK_UP;
		bool other = seen[op->arc] || (op->kind == PATHS_SET && op->value == 0);
		sum.updates += update;
		sum.increments += !update && !other;
		sum.overlapping += !update && !other && overlaps(d, me, op->arc);
		seen[op->arc] |= !update && !other;
	}
	return sum;
}

static bool divide(struct divided *d, uint64_t seed)
{
	struct paths_share s;
	seed_with(seed);
	make_function(&function, 10, NULL);
	list_paths(&function.g, &list);
	if (list.too_many || list.count > 400)
		return false;
	for (uint32_t a = 0; a < function.g.arcs; a++)
		weights[a] = pick(100);
	struct paths_function f = {&function.g, weights, true};
	struct paths_p3 how = {.copies = 1 + pick(COPIES_MAX), .threshold = pick(12)};
	assert_int_equal(paths_share_p3(&s, &f, 1, &how, &memory), PATHS_OK);
	d->copies = 0;
	for (uint32_t c = 0; c < s.copies; c++)
		if (s.chosen[c])
			d->chosen[d->copies++] = s.chosen[c];
	return true;
}

static void random_functions_agree_with_their_paths(void **state)
{
	(void)state;
	uint64_t wanted = graphs_wanted(4000), overlapping = 0, alone = 0;
	for (uint64_t seed = 1; seed <= wanted; seed++) {
		struct paths_mark mark = paths_mark(&memory);
		struct paths_probes got[COPIES_MAX];
		struct divided d;
		for (int published = 0; divide(&d, seed) && published < 2; published++) {
			for (uint32_t c = 0; c < d.copies; c++)
				assert_int_equal((published ? paths_plan_p3 : paths_plan_relaxed)(&d.plan[c], &function.g, d.chosen[c],
				                                                                  weights, &memory),
				                 PATHS_OK);
			assert_int_equal(paths_count_probes(got, &function.g, d.plan, d.chosen, d.copies, &memory), PATHS_OK);
			for (uint32_t c = 0; c < d.copies; c++) {
				struct paths_probes want = by_operations(&d, c), labels = by_labels(&d, c);
				assert_memory_equal(&got[c], &want, sizeof want);
				assert_true(!published ||
				            (got[c].increments == labels.increments && got[c].overlapping == labels.overlapping));
				overlapping += got[c].overlapping;
				alone += got[c].increments - got[c].overlapping;
			}
		}
		paths_release(&memory, mark);
	}
	assert_true(overlapping > wanted && alone > wanted); /* else little was compared */
}

/* One copy that counts all has no other to overlap with; two that do have nothing else. */
static void whole_functions_overlap_if_there_are_two(void **state)
{
	(void)state;
	struct paths_mark mark = paths_mark(&memory);
	struct paths_plan plan[2];
	uint8_t *const chosen[2] = {NULL, NULL};
	struct paths_probes one, two[2];
	do
		make_function(&function, 10, NULL);
	while (function.g.arcs < 8);
	for (int i = 0; i < 2; i++)
		assert_int_equal(paths_plan_p3(&plan[i], &function.g, NULL, NULL, &memory), PATHS_OK);
	assert_int_equal(paths_count_probes(&one, &function.g, plan, chosen, 1, &memory), PATHS_OK);
	assert_int_equal(paths_count_probes(two, &function.g, plan, chosen, 2, &memory), PATHS_OK);
	assert_true(one.increments > 0 && one.overlapping == 0);
	assert_true(two[0].increments == one.increments && two[0].overlapping == one.increments && two[1].overlapping == one.increments);
	paths_release(&memory, mark);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_functions_agree_with_their_paths),
		cmocka_unit_test(whole_functions_overlap_if_there_are_two),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
