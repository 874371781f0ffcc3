/* SPDX-License-Identifier: MIT */
/* Curves of the input lens are the sums of random activations, whichever are chosen. */
#include "unit/input/result.h"

static void *take(void *context, size_t bytes)
{
	(void)context;
	return calloc(1, bytes);
}

static void give(void *context, void *memory, size_t bytes)
{
	(void)context;
	(void)bytes;
	free(memory);
}

static const struct input_port port = {.take = take, .give = give};

enum { THREADS = 3, ROUTINES = 3, ACTIVATIONS = 3000 };

static struct trial {
	struct input_routines threads[THREADS];
	struct {
		int thread, routine;
		struct input_activation a;
	} all[ACTIVATIONS];
} trial;

static void play(uint32_t sizes_max, uint64_t largest)
{
	memset(&trial, 0, sizeof trial);
	for (int t = 0; t < THREADS; t++)
		trial.threads[t] = (struct input_routines){.port = &port, .sizes_max = sizes_max};
	for (int i = 0; i < ACTIVATIONS; i++) {
		int t = (int)chance(THREADS), r = (int)chance(ROUTINES);
		uint64_t rms = chance(chance(4) ? largest : 20), external = chance(3) ? 0 : chance(50), thread = chance(3) ? 0 : chance(50),
			 cost = 1 + chance(100000);
		struct input_activation a = {.size = {rms, rms + external, rms + external + thread},
		                             .thread = thread,
		                             .external = external,
		                             .cost = cost,
		                             .self = chance(cost),
		                             .outermost = chance(2)};
		trial.all[i].thread = t;
		trial.all[i].routine = r;
		trial.all[i].a = a;
		input_routine_add(&trial.threads[t], input_routine_of(&trial.threads[t], (uint64_t)r), &a);
	}
}

static void put_points(struct inputs *inputs, int thread, uint32_t routine, uint16_t metrics, const struct input_points *points)
{
	for (uint32_t i = 0; i < points->count; i++) {
		const struct input_point *p = &points->rows[i];
		inputs_add(inputs,
		           &(struct inputs_point){.context = inputs_context(inputs, 0, routine),
		                                  .thread = (uint32_t)thread,
		                                  .metrics = metrics,
		                                  .bits = (uint16_t)points->bits,
		                                  .size = p->size,
		                                  .size_sum = p->size_sum,
		                                  .calls = p->calls,
		                                  .cost_min = p->cost_min,
		                                  .cost_max = p->cost_max,
		                                  .cost_sum = p->cost_sum,
		                                  .cost_outermost = p->cost_outermost,
		                                  .self_sum = p->self_sum,
		                                  .thread_induced = p->thread,
		                                  .external = p->external});
	}
}

static uint64_t binned(uint64_t size, uint32_t bits)
{
	while (bits && size >> bits > 0 && size != size >> 1 << 1)
		size--;
	if (!bits || size >> bits == 0)
		return size;
	return binned(size >> 1, bits) << 1;
}

/* Every activation, one by one. */
static void compare(const struct inputs *inputs, int routine, int thread, int metric)
{
	struct inputs_curve curve;
	uint64_t calls = 0;
	inputs_curve(inputs, &(struct inputs_pick){(uint32_t)routine + 1, INPUTS_ANY, thread < 0 ? INPUTS_ANY : (uint32_t)thread, 0},
	             (enum input_metric)metric, &curve);
	for (size_t i = 0; i < curve.count; i++) {
		struct inputs_size slow = {.cost_min = UINT64_MAX};
		for (int k = 0; k < ACTIVATIONS; k++) {
			const struct input_activation *a = &trial.all[k].a;
			if (trial.all[k].routine != routine || (thread >= 0 && trial.all[k].thread != thread) ||
			    binned(a->size[metric], curve.bits) != curve.rows[i].size)
				continue;
			slow.calls++;
			slow.size_sum += a->size[metric];
			slow.cost_sum += a->cost;
			slow.cost_min = a->cost < slow.cost_min ? a->cost : slow.cost_min;
			slow.cost_max = a->cost > slow.cost_max ? a->cost : slow.cost_max;
			slow.cost_outermost += a->outermost ? a->cost : 0;
			slow.self_sum += a->self;
			slow.thread_induced += a->thread;
			slow.external += a->external;
		}
		assert_int_equal(curve.rows[i].calls, slow.calls);
		assert_int_equal(curve.rows[i].size_sum, slow.size_sum);
		assert_int_equal(curve.rows[i].cost_sum, slow.cost_sum);
		assert_int_equal(curve.rows[i].cost_min, slow.cost_min);
		assert_int_equal(curve.rows[i].cost_max, slow.cost_max);
		assert_int_equal(curve.rows[i].cost_outermost, slow.cost_outermost);
		assert_int_equal(curve.rows[i].self_sum, slow.self_sum);
		assert_int_equal(curve.rows[i].thread_induced, slow.thread_induced);
		assert_int_equal(curve.rows[i].external, slow.external);
		assert_true(i == 0 || curve.rows[i - 1].size < curve.rows[i].size);
		calls += slow.calls;
	}
	assert_int_equal(curve.total.calls, calls);
	inputs_curve_free(&curve);
}

static void curves_are_the_sums_of_activations(void **state)
{
	(void)state;
	for (int round = 0; round < 6; round++) {
		struct run run;
		struct inputs inputs;
		play(round % 2 ? 128 : 4096, round < 2 ? 50 : round < 4 ? 1000 : 1000000);
		run_start(&run);
		inputs_start(&inputs, &run);
		for (int t = 0; t < THREADS; t++)
			for (int r = 0; r < ROUTINES; r++) {
				const struct input_routine *kept = input_routine_of(&trial.threads[t], (uint64_t)r);
				put_points(&inputs, t, (uint32_t)r + 1, INPUTMAKE_ALL, &kept->same);
				for (int m = 0; m < INPUT_METRICS; m++)
					put_points(&inputs, t, (uint32_t)r + 1, (uint16_t)(1 << m), &kept->own[m]);
			}
		inputs_sort(&inputs);
		for (int r = 0; r < ROUTINES; r++)
			for (int t = -1; t < THREADS; t++)
				for (int m = 0; m < INPUT_METRICS; m++)
					compare(&inputs, r, t, m);
		for (int t = 0; t < THREADS; t++)
			input_routines_free(&trial.threads[t]);
		inputs_free(&inputs);
		run_free(&run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(curves_are_the_sums_of_activations),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
