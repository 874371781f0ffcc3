/* SPDX-License-Identifier: MIT */
/* test_points.c: core/input/points against a list of all activations; core/input/map against an array. */
#include "unit/input/form.h"

enum { ACTIVATIONS = 3000, KEYS = 300 };

static uint64_t chance_state = 88172645463325252;

static uint64_t chance(uint64_t below)
{
	chance_state ^= chance_state << 13;
	chance_state ^= chance_state >> 7;
	chance_state ^= chance_state << 17;
	return (chance_state >> 11) % below;
}

static void a_map_is_as_an_array(void **state)
{
	(void)state;
	static uint64_t known[KEYS];
	struct input_map map = {0};
	heap_start();
	for (int i = 0; i < 200000; i++) {
		uint64_t key = chance(KEYS) * (i & 1 ? 1 : UINT64_C(1) << 40) % KEYS;
		if (chance(3)) {
			*input_map_put(&map, &port, key) += i;
			known[key] += i;
		} else {
			input_map_remove(&map, key);
			known[key] = 0;
		}
		key = chance(KEYS);
		uint64_t *value = input_map_find(&map, key);
		assert_int_equal(value ? *value : 0, known[key]);
	}
	uint64_t all = 0, there = 0;
	for (uint32_t i = 0; i < input_map_slots(&map); i++)
		if (map.slots[i].key)
			assert_int_equal(map.slots[i].value, known[map.slots[i].key - 1]), there++;
	for (int k = 0; k < KEYS; k++)
		all += input_map_find(&map, (uint64_t)k) != NULL;
	assert_int_equal(there, all);
	assert_int_equal(there, map.used);
	input_map_free(&map, &port);
	assert_null(heap.pieces);
}

static void without_memory_a_map_says_so_and_stays_right(void **state)
{
	(void)state;
	struct input_map map = {0};
	heap_start();
	heap.left = 64 * sizeof(struct input_slot); /* 8, 16, 32 slots: the last two at once */
	uint64_t kept = 0;
	for (uint64_t key = 0; key < 100; key++) {
		uint64_t *value = input_map_put(&map, &port, key);
		if (value)
			*value = key + 1, kept++;
	}
	assert_int_equal(kept, 31);
	for (uint64_t key = 0; key < 100; key++)
		assert_int_equal(input_map_find(&map, key) ? *input_map_find(&map, key) : 0, key < kept ? key + 1 : 0);
	heap_start();
}

static uint64_t random_size(int kind)
{
	return kind == 0 ? chance(20) : kind == 1 ? chance(3000) : kind == 2 ? chance(UINT64_C(1) << chance(63)) : INT64_MAX - chance(5);
}

/* Of which bin a size is, by the definition in the header. */
static uint64_t first_digits(uint64_t size, uint32_t bits)
{
	uint64_t zeros = 0;
	while (bits && size >> bits)
		size >>= 1, zeros++;
	return size << zeros;
}

static struct input_activation list[ACTIVATIONS];

static void make_list(struct input_routines *routines, struct input_routine *r, int round)
{
	for (int i = 0; i < ACTIVATIONS; i++) {
		struct input_activation *a = &list[i];
		*a = (struct input_activation){.cost = chance(UINT64_C(1) << chance(64)),
		                               .self = chance(10),
		                               .outermost = chance(2),
		                               .thread = chance(3)};
		for (int m = 0; m < INPUT_METRICS; m++)
			a->size[m] = m && (i & round) ? a->size[0] : random_size(round % 4);
		if (!chance(2))
			a->size[1] = a->size[2] = a->size[0];
		input_routine_add(routines, r, a);
	}
}

static void same_point(const struct input_points *points, const struct input_point *point, int metric)
{
	struct input_point sum = {.cost_min = UINT64_MAX};
	unsigned __int128 squares = 0;
	for (int i = 0; i < ACTIVATIONS; i++) {
		if (first_digits(list[i].size[metric], points->bits) != point->size)
			continue;
		sum.calls++;
		sum.cost_min = list[i].cost < sum.cost_min ? list[i].cost : sum.cost_min;
		sum.cost_max = list[i].cost > sum.cost_max ? list[i].cost : sum.cost_max;
		sum.self_sum += list[i].self;
		sum.thread += list[i].thread;
		squares += (unsigned __int128)list[i].cost * list[i].cost;
	}
	assert_int_equal(point->calls, sum.calls);
	assert_int_equal(point->cost_min, sum.cost_min);
	assert_int_equal(point->cost_max, sum.cost_max);
	assert_int_equal(point->self_sum, sum.self_sum);
	assert_int_equal(point->thread, sum.thread);
	assert_int_equal(point->squares[0], (uint64_t)squares);
	assert_int_equal(point->squares[1], (uint64_t)(squares >> 64));
}

static void points_are_as_a_list_of_activations(void **state)
{
	(void)state;
	for (int round = 0; round < 8; round++) {
		heap_start();
		struct input_routines routines = {.port = &port, .sizes_max = 128 + (uint32_t)(round & 3) * 300};
		struct input_routine *r = input_routine_of(&routines, 7);
		make_list(&routines, r, round);
		for (int m = 0; m < INPUT_METRICS; m++) {
			struct input_points points = {0};
			uint64_t calls = 0;
			assert_true(input_routine_points(&routines, r, (enum input_metric)m, &points));
			assert_true(points.count <= routines.sizes_max);
			assert_true(round % 4 || !points.bits);
			for (uint32_t p = 0; p < points.count; p++) {
				same_point(&points, &points.rows[p], m);
				calls += points.rows[p].calls;
			}
			assert_int_equal(calls, ACTIVATIONS);
			input_points_free(&points, &port);
		}
		input_routines_free(&routines);
		assert_int_equal(routines.lost, 0);
		assert_null(heap.pieces);
	}
}

static void bins_are_no_wider_than_they_must_be(void **state)
{
	(void)state;
	heap_start();
	struct input_routines routines = {.port = &port, .sizes_max = INPUT_SIZES_MAX};
	struct input_routine *r = input_routine_of(&routines, 1);
	for (uint64_t n = 0; n < 1000000; n++)
		input_routine_add(&routines, r, &(struct input_activation){.size = {n, n, n}, .cost = n});
	assert_int_equal(r->same.bits, 7);                  /* 128 + 13 * 64 bins */
	assert_int_equal(r->same.count, 128 + 13 * 64 - 5); /* the last five would be above a million */
	for (uint32_t i = 0; i < r->same.count; i++)
		assert_int_equal(r->same.rows[i].size_sum, r->same.rows[i].cost_sum);
	input_routines_free(&routines);
}

static void sums_stop_at_their_largest_value(void **state)
{
	(void)state;
	heap_start();
	struct input_routines routines = {.port = &port, .sizes_max = INPUT_SIZES_MAX};
	struct input_routine *r = input_routine_of(&routines, 1);
	for (int i = 0; i < 3; i++)
		input_routine_add(&routines, r,
		                  &(struct input_activation){.size = {UINT64_MAX - 1, UINT64_MAX - 1, UINT64_MAX - 1},
		                                             .cost = UINT64_MAX,
		                                             .outermost = true});
	assert_true(r->same.rows[0].cost_sum == UINT64_MAX && r->same.rows[0].cost_outermost == UINT64_MAX &&
	            r->same.rows[0].size_sum == UINT64_MAX);
	assert_true(r->same.rows[0].squares[1] == UINT64_MAX);
	input_routines_free(&routines);
}

/* ---- rows that others can read at any time ---- */

enum { SHELF_TABLES = 64, SHELF_ROWS = 1 << 14 };
static struct {
	struct input_point rows[SHELF_ROWS];
	uint32_t taken, tables, first[SHELF_TABLES], shown[SHELF_TABLES];
} shelf;

static struct input_point *shelf_take(void *context, uint32_t room)
{
	(void)context;
	assert_true(shelf.tables < SHELF_TABLES && shelf.taken + room <= SHELF_ROWS);
	shelf.first[shelf.tables++] = shelf.taken;
	shelf.taken += room;
	return &shelf.rows[shelf.taken - room];
}

static void shelf_show(void *context, struct input_point *rows, uint32_t count)
{
	(void)context;
	for (uint32_t i = 0; i < shelf.tables; i++)
		if (&shelf.rows[shelf.first[i]] == rows)
			shelf.shown[i] = count;
}

/* What a reader finds: the number of activations that count for a metric, each row with its owner. */
static uint64_t calls_on_shelf(int metric)
{
	uint64_t calls = 0;
	for (uint32_t i = 0; i < shelf.tables; i++)
		for (uint32_t k = 0; k < shelf.shown[i]; k++) {
			const struct input_point *p = &shelf.rows[shelf.first[i] + k];
			assert_int_equal(p->routine, 7);
			assert_int_equal(p->reader, 3);
			calls += p->metrics >> metric & 1 ? p->calls : 0;
		}
	return calls;
}

static void a_shelf_has_every_activation_at_any_time(void **state)
{
	(void)state;
	static const struct input_shelf where = {shelf_take, shelf_show, NULL};
	struct input_port with_shelf = port;
	with_shelf.shelf = &where;
	for (int round = 0; round < 8; round++) {
		memset(&shelf, 0, sizeof shelf);
		heap_start();
		struct input_routines routines = {.port = &with_shelf, .sizes_max = 128, .reader = 3};
		struct input_routine *r = input_routine_of(&routines, 7);
		for (uint64_t added = 1; added <= 1000; added++) {
			struct input_activation a = {.cost = added};
			for (int m = 0; m < INPUT_METRICS; m++)
				a.size[m] = m && round & 1 ? a.size[0] : random_size(round % 4);
			input_routine_add(&routines, r, &a);
			for (int m = 0; m < INPUT_METRICS; m++)
				assert_int_equal(calls_on_shelf(m), added);
		}
		input_routines_free(&routines);
		assert_int_equal(calls_on_shelf(INPUT_TRMS), 1000);
		assert_null(heap.pieces);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_map_is_as_an_array),
		cmocka_unit_test(without_memory_a_map_says_so_and_stays_right),
		cmocka_unit_test(points_are_as_a_list_of_activations),
		cmocka_unit_test(a_shelf_has_every_activation_at_any_time),
		cmocka_unit_test(bins_are_no_wider_than_they_must_be),
		cmocka_unit_test(sums_stop_at_their_largest_value),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
