/* SPDX-License-Identifier: MIT */
/* test_concurrent.c: core/input/concurrent against the naive sets, with words and counters of full width and with
 * such as end all the time; and by threads that really run at once. */
#include <pthread.h>
#include <semaphore.h>
#include "unit/input/form_concurrent.h"
#include "unit/input/play.h"

enum { TRACES = 2000 };

static void wide(void)
{
	times_max = INPUT_COUNT_MAX;
	ids_max = INPUT_IDS_MAX;
	epochs_max = INPUT_EPOCHS_MAX;
}

static void random_traces_are_as_the_naive_sets_say(void **state)
{
	(void)state;
	wide();
	for (uint64_t i = 0; i < traces(TRACES); i++)
		play_trace(&concurrent_form, i);
}

static void counters_that_end_change_nothing(void **state)
{
	(void)state;
	uint64_t renumbered = 0;
	wide();
	for (uint64_t i = 0; i < traces(TRACES) / 2; i++) {
		times_max = 10 + (uint32_t)(i % 30);
		play_trace(&concurrent_form, i);
		for (int lane = 0; lane < LANES; lane++)
			renumbered += concurrent_lanes[lane].t.renumbered;
	}
	assert_true(renumbered > traces(TRACES));
}

/* Half of the ids are for threads that have ended, and a trace has some twenty of these. */
static void words_that_end_change_nothing(void **state)
{
	(void)state;
	uint64_t renumbered = 0;
	wide();
	for (uint64_t i = 0; i < traces(TRACES); i++) {
		epochs_max = 2;
		ids_max = 36;
		play_trace(&concurrent_form, i);
		assert_int_equal(concurrent.reused, 0);
		renumbered += concurrent.renumbered;
	}
	assert_true(renumbered > traces(TRACES));
}

/* Without anybody to stop the others it goes on, and says how often words were used again. */
static void words_that_cannot_be_renumbered_are_used_again(void **state)
{
	(void)state;
	wide();
	heap_start();
	epochs_max = ids_max = 4;
	concurrent_start(2);
	concurrent.stop = NULL;
	for (int lane = 0; lane < LANES; lane++)
		concurrent_thread_start(lane, lane + 1, 0);
	for (int i = 0; i < 100; i++)
		for (int lane = 0; lane < LANES; lane++) {
			concurrent_write(lane, (uint64_t)lane * 64, 4);
			concurrent_sync(lane);
		}
	for (int lane = 0; lane < LANES; lane++)
		concurrent_read(lane, (uint64_t)((lane + 1) % LANES) * 64, 4);
	for (int lane = 0; lane < LANES; lane++)
		assert_int_equal(input_top(concurrent_thread(lane))->thread, 1);
	assert_true(concurrent.reused > 100 * LANES - 20);
	assert_int_equal(concurrent.renumbered, 0);
	heap_start();
}

static void what_comes_into_the_middle_is_counted_as_lost(void **state)
{
	(void)state;
	wide();
	heap_start();
	concurrent_start(2);
	concurrent_thread_start(0, 1, 0);
	struct input_concurrent_thread *me = &concurrent_lanes[0];
	me->busy = 1; /* as if a handler ran now */
	concurrent_call(0, 1);
	concurrent_read(0, 64, 4);
	concurrent_write(0, 64, 4);
	concurrent_sync(0);
	concurrent_kernel_write(0, 64, 4);
	concurrent_forget(0, 64, 4);
	input_concurrent_return(me);
	me->busy = 0;
	assert_int_equal(me->interrupted, 7);
	assert_int_equal(me->t.lost, 0);
	assert_int_equal(me->t.depth, 1);
	me->busy = 1;
	input_concurrent_return_to(me, 1); /* a jump out of it */
	concurrent_read(0, 64, 4);
	assert_int_equal(input_top(&me->t)->size, 1);
	heap_start();
}

/* ---- threads that run at once ---- */

enum { PARALLEL = 4, OWN = 200, ROUNDS = 200 };

static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER;

static void *locked_take(void *context, size_t bytes)
{
	pthread_mutex_lock(&heap_lock);
	void *memory = heap_take(context, bytes);
	pthread_mutex_unlock(&heap_lock);
	return memory;
}

static void locked_give(void *context, void *memory, size_t bytes)
{
	pthread_mutex_lock(&heap_lock);
	heap_give(context, memory, bytes);
	pthread_mutex_unlock(&heap_lock);
}

static const struct input_port locked_port = {.take = locked_take, .give = locked_give, .context = &heap};

static struct {
	struct input_concurrent all;
	struct input_concurrent_thread threads[PARALLEL];
	struct input_activation said[PARALLEL];
	sem_t turn[PARALLEL];
	pthread_mutex_t mutex;
} run;

static void read_int(struct input_concurrent_thread *t, uint64_t at)
{
	if (!fast_read(&t->t, 2, at, 4, t->t.limit))
		input_concurrent_read_slow(t, at, 4);
}

static void write_int(struct input_concurrent_thread *t, uint64_t at)
{
	if (!fast_write(&t->t, 2, at, 4, t->t.limit))
		input_concurrent_write_slow(t, at, 4);
}

/* Each has cells of its own, reads what the one before it has left in a shared cell when its turn comes, and leaves
 * something there; and forgets some memory. */
static void *take_turns(void *number)
{
	int me = (int)(intptr_t)number;
	struct input_concurrent_thread *t = &run.threads[me];
	t->t.routines.port = &locked_port;
	t->t.routines.sizes_max = INPUT_SIZES_MAX;
	struct input_routine *r = input_routine_of(&t->t.routines, 1);
	if (!input_concurrent_thread_start(&run.all, t, (uint32_t)me + 1, r))
		return NULL;
	input_concurrent_call(t, r);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < OWN; i++) {
			uint64_t at = 0x10000 + 8 * (uint64_t)(i * PARALLEL + me); /* in the same chunks as the others' */
			read_int(t, at);
			write_int(t, at);
		}
		sem_wait(&run.turn[me]);
		input_concurrent_sync(t);
		read_int(t, 0x8000);
		write_int(t, 0x8000);
		input_concurrent_forget(t, 0x9000, 64);
		read_int(t, 0x9000); /* new each time, as nobody has ever written it */
		input_concurrent_sync(t);
		sem_post(&run.turn[(me + 1) % PARALLEL]);
	}
	input_return(&t->t, &run.said[me]);
	return NULL;
}

static void threads_that_run_at_once_see_what_they_should(void **state)
{
	(void)state;
	pthread_t threads[PARALLEL];
	heap_start();
	memset(&run, 0, sizeof run);
	assert_true(input_concurrent_start(&run.all, &locked_port, 2));
	for (int i = 0; i < PARALLEL; i++)
		sem_init(&run.turn[i], 0, i == 0);
	for (int i = 0; i < PARALLEL; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, take_turns, (void *)(intptr_t)i), 0);
	for (int i = 0; i < PARALLEL; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < PARALLEL; i++) {
		uint64_t induced = ROUNDS - (i == 0); /* the first finds nothing at first */
		assert_int_equal(run.said[i].size[INPUT_RMS], OWN + 1 + ROUNDS);
		assert_int_equal(run.said[i].size[INPUT_RMS_EXTERNAL], OWN + 1 + ROUNDS);
		assert_int_equal(run.said[i].size[INPUT_TRMS], OWN + ROUNDS + ROUNDS);
		assert_int_equal(run.said[i].thread, induced);
		assert_int_equal(*input_map_find(&run.threads[i].t.sources, (uint64_t)(i + PARALLEL - 1) % PARALLEL + 1), induced);
		assert_int_equal(run.threads[i].t.lost, 0);
	}
	heap_start();
}

/* Thread after thread in few lanes, at once: all that has to be taken and given without waiting is. */
static void *come_and_go(void *number)
{
	struct input_concurrent_thread *t = &run.threads[(intptr_t)number];
	for (uint32_t i = 0; i < 500; i++) {
		t->t.routines.port = &locked_port;
		t->t.routines.sizes_max = INPUT_SIZES_MAX;
		if (!input_concurrent_thread_start(&run.all, t, 1 + i * PARALLEL + (uint32_t)(intptr_t)number, NULL))
			return NULL;
		pthread_mutex_lock(&run.mutex);
		input_concurrent_sync(t);
		read_int(t, 0x8000);
		write_int(t, 0x8000);
		input_concurrent_sync(t);
		pthread_mutex_unlock(&run.mutex);
		run.said[(intptr_t)number].thread += input_top(&t->t)->is_induced ? input_top(&t->t)->thread : 0;
		input_concurrent_thread_end(t);
		input_thread_clear(&t->t);
	}
	return NULL;
}

static void threads_take_over_lanes_at_once(void **state)
{
	(void)state;
	pthread_t threads[PARALLEL];
	uint64_t induced = 0;
	heap_start();
	memset(&run, 0, sizeof run);
	pthread_mutex_init(&run.mutex, NULL);
	assert_true(input_concurrent_start(&run.all, &locked_port, 2));
	for (int i = 0; i < PARALLEL; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, (void *)(intptr_t)i), 0);
	for (int i = 0; i < PARALLEL; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < PARALLEL; i++)
		induced += run.said[i].thread;
	assert_int_equal(induced, 500 * PARALLEL - 1); /* each reads what another thread has left, but the first */
	assert_true(run.all.writers.fresh <= PARALLEL + 1);
	heap_start();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_traces_are_as_the_naive_sets_say),
		cmocka_unit_test(counters_that_end_change_nothing),
		cmocka_unit_test(words_that_end_change_nothing),
		cmocka_unit_test(words_that_cannot_be_renumbered_are_used_again),
		cmocka_unit_test(what_comes_into_the_middle_is_counted_as_lost),
		cmocka_unit_test(threads_that_run_at_once_see_what_they_should),
		cmocka_unit_test(threads_take_over_lanes_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
