/* SPDX-License-Identifier: MIT */
/* test_paper.c: the programs of the Cilkprof paper, played through core/span with strands of known length, and the
 * relations that the paper finds in their profiles; then the promise of Theorem 5: constant cost for each call. */
#include "unit/lib.h"

#include "unit/span/play.h"

/* The first function makes the calls of the first `each` sites; main's come behind. */
static void begin(uint32_t sites, uint32_t sites_each)
{
	lane_begin(sites + sites_each, sites_each, 64);
}

static void end(void)
{
	lane_end();
}

static struct span_sum on_work(uint32_t site, enum span_measure measure)
{
	return rows[site].on_work[measure];
}

static struct span_sum on_span(uint32_t sites, uint32_t site, enum span_measure measure)
{
	struct span_sum *sums = calloc((size_t)sites * SPAN_MEASURES, sizeof *sums);
	span_on_span(lane.log, lane.kept.end / sizeof *lane.log, sums, (uint64_t)sites * SPAN_MEASURES);
	struct span_sum found = sums[site * SPAN_MEASURES + measure];
	free(sums);
	return found;
}

/* Figure 5. Sites: the spawn, the call, the call from main. */
enum { FIB_SPAWN, FIB_CALL, FIB_MAIN, FIB_SITES };
enum { FIB, MAIN };

static void fib(int n)
{
	struct play p;
	play_begin(&p);
	p.n += 5;
	if (n >= 2) {
		PLAY_SPAWN(&p, FIB_SPAWN, FIB, fib(n - 1));
		p.n += 2;
		PLAY_CALL(&p, FIB_CALL, FIB, fib(n - 2));
		play_sync(&p);
		p.n += 3;
	}
	play_end(&p);
}

static void run_fib(int n)
{
	begin(FIB_SITES, FIB_MAIN);
	PLAY_MEASURED(FIB_MAIN, MAIN, fib(n));
}

/* Figure 7: of the calls that fib makes when main calls it, the spawned one has golden-ratio times the work of the other;
 * local work adds up to all work; main's call is the whole. */
static void fib_has_the_relations_of_figure_7(void **state)
{
	(void)state;
	run_fib(24);
	struct span_sum spawned = on_work(FIB_SPAWN, SPAN_TOP_CALLER), called = on_work(FIB_CALL, SPAN_TOP_CALLER);
	assert_int_equal(spawned.count, 1);
	assert_int_equal(called.count, 1);
	double ratio = (double)spawned.work / (double)called.work;
	assert_true(ratio > 1.617 && ratio < 1.619);
	uint64_t local = 0;
	for (uint32_t s = 0; s < FIB_SITES; s++)
		local += on_work(s, SPAN_LOCAL).work;
	assert_int_equal(local, lane.left.work);
	assert_int_equal(on_work(FIB_MAIN, SPAN_TOP_SITE).work, lane.left.work);
	assert_int_equal(on_work(FIB_MAIN, SPAN_TOP_SITE).span, lane.left.span);
	assert_int_equal(on_work(FIB_SPAWN, SPAN_LOCAL).count + on_work(FIB_CALL, SPAN_LOCAL).count + 1, 2 * 75025 - 1);
	end();
}

/* The longest path of fib goes down its spawns: n + 1 activations, 5 or 10 or 5 + 3 each, known in closed form. */
static void fib_has_the_span_of_its_longest_branch(void **state)
{
	(void)state;
	for (int n = 2; n < 20; n++) {
		run_fib(n);
		/* S(n) = 5 + max(S(n-1), 2 + S(n-2)) + 3; S(0) = S(1) = 5 */
		uint64_t s0 = 5, s1 = 5;
		for (int k = 2; k <= n; k++) {
			uint64_t s = 8 + (s1 > 2 + s0 ? s1 : 2 + s0);
			s0 = s1;
			s1 = s;
		}
		assert_int_equal(on_work(FIB_MAIN, SPAN_TOP_SITE).span, s1);
		end();
	}
}

/* Figure 8: eight recursive products in two rounds of four, base case of 32. */
enum { MM_BASE, MM_FIRST, MM_MAIN = MM_FIRST + 8, MM_SITES };

static void mm(int n)
{
	struct play p;
	play_begin(&p);
	p.n += 4;
	if (n == 32)
		PLAY_CALL(&p, MM_BASE, FIB, play_leaf(32 * 32 * 32));
	for (uint32_t i = 0; n > 32 && i < 8; i++) {
		if (i % 4 == 3) {
			PLAY_CALL(&p, MM_FIRST + i, FIB, mm(n / 2));
			play_sync(&p);
		} else {
			PLAY_SPAWN(&p, MM_FIRST + i, FIB, mm(n / 2));
		}
	}
	play_end(&p);
}

/* Figure 10: 512 by 512 has parallelism 4^4; the base case is never a top-caller invocation, and holds nearly all work. */
static void matrix_multiplication_has_parallelism_256(void **state)
{
	(void)state;
	begin(MM_SITES, MM_MAIN);
	PLAY_MEASURED(MM_MAIN, MAIN, mm(512));
	struct span_sum all = on_work(MM_MAIN, SPAN_TOP_SITE), base = on_work(MM_BASE, SPAN_LOCAL);
	double parallelism = (double)all.work / (double)all.span;
	assert_true(parallelism > 255.7 && parallelism < 256.3);
	assert_int_equal(on_work(MM_BASE, SPAN_TOP_CALLER).count, 0);
	assert_int_equal(base.count, 4096);
	assert_true((double)base.work > 0.999 * (double)all.work);
	assert_int_equal(on_span(MM_SITES, MM_BASE, SPAN_LOCAL).count, 16);
	end();
}

/* Figure 1. The partition is serial: n strands of work before the halves can be sorted. */
enum { PARTITION, SORT_SPAWN, SORT_CALL, SORT_MAIN, SORT_SITES };

static void sort(int n)
{
	struct play p;
	play_begin(&p);
	p.n += 3;
	if (n < 32) {
		p.n += (uint64_t)(n * n / 4);
	} else {
		PLAY_CALL(&p, PARTITION, FIB, play_leaf((uint64_t)(6 * n)));
		int part = 1 + rand() % (n - 1);
		PLAY_SPAWN(&p, SORT_SPAWN, FIB, sort(part));
		PLAY_CALL(&p, SORT_CALL, FIB, sort(n - part));
	}
	play_end(&p);
}

/* Section 2: the local spans on span of the four sites sum to the span of the call from main, exactly; the partition
 * holds nearly all of it, and is serial. */
static void quicksort_names_its_partition(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 20; seed++) {
		srand(seed);
		begin(SORT_SITES, SORT_MAIN);
		PLAY_MEASURED(SORT_MAIN, MAIN, sort(200000));
		uint64_t span = on_work(SORT_MAIN, SPAN_TOP_SITE).span, sum = 0;
		for (uint32_t s = 0; s < SORT_SITES; s++)
			sum += on_span(SORT_SITES, s, SPAN_LOCAL).span;
		struct span_sum partition = on_span(SORT_SITES, PARTITION, SPAN_LOCAL);
		assert_int_equal(sum, span);
		assert_true((double)partition.span > 0.99 * (double)span);
		assert_int_equal(partition.work, partition.span);
		end();
	}
}

/* One recursive component with many sites: each activation calls or spawns through sites chosen at random. */
static uint32_t many_sites;
static long budget; /* of calls */

static void wander(int depth)
{
	struct play p;
	play_begin(&p);
	p.n += (uint64_t)(rand() % 30);
	for (int i = rand() % 4; depth > 0 && i > 0 && budget-- > 0; i--) {
		uint32_t site = (uint32_t)rand() % many_sites;
		if (rand() % 2)
			PLAY_SPAWN(&p, site, FIB, wander(depth - 1));
		else
			PLAY_CALL(&p, site, FIB, wander(depth - 1));
		p.n += (uint64_t)(rand() % 30);
	}
	play_end(&p);
}

/* A tower in which each activation spawns a little and then calls the next one: whatever is cut out of the log lies below
 * ever more that would have to move. */
static void tower(int depth)
{
	struct play p;
	uint32_t site = (uint32_t)depth % many_sites;
	play_begin(&p);
	p.n += 1;
	PLAY_SPAWN(&p, site, FIB, play_leaf(1));
	if (depth)
		PLAY_CALL(&p, site, FIB, tower(depth - 1));
	p.n += 5;
	play_end(&p);
}

static double effort_for_each_call(uint32_t sites, void (*program)(int), int depth, int times)
{
	uint64_t calls = 0;
	srand(1);
	many_sites = sites;
	begin(sites, sites);
	for (int i = 0; i < times; i++) {
		budget = 5000;
		program(depth);
	}
	for (uint32_t s = 0; s < sites; s++)
		calls += rows[s].on_work[SPAN_LOCAL].count;
	double effort = (double)lane.effort / (double)calls;
	end();
	return effort;
}

static void cost_for_each_call_is_flat_in_the_number_of_sites(void **state)
{
	(void)state;
	static const uint32_t sites[] = {3, 100, 10000, 100000};
	for (size_t i = 0; i < sizeof sites / sizeof *sites; i++) {
		assert_true(effort_for_each_call(sites[i], wander, 40, 60) < 8);
		assert_true(effort_for_each_call(sites[i], tower, 8000, 4) < 8);
	}
}

/* A loop that calls for ever needs no more memory than a short one. */
static void a_longer_run_needs_no_more_room(void **state)
{
	(void)state;
	uint64_t room[2];
	for (int k = 0; k < 2; k++) {
		struct play p;
		begin(FIB_SITES, FIB_MAIN);
		play_begin(&p);
		for (long i = 0; i < (k ? 1000000 : 10000); i++) {
			PLAY_CALL(&p, FIB_CALL, FIB, play_leaf(3));
			PLAY_SPAWN(&p, FIB_SPAWN, FIB, play_leaf((uint64_t)(i % 7)));
		}
		play_end(&p);
		room[k] = lane.room;
		end();
	}
	assert_int_equal(room[0], room[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fib_has_the_relations_of_figure_7),
		cmocka_unit_test(fib_has_the_span_of_its_longest_branch),
		cmocka_unit_test(matrix_multiplication_has_parallelism_256),
		cmocka_unit_test(quicksort_names_its_partition),
		cmocka_unit_test(cost_for_each_call_is_flat_in_the_number_of_sites),
		cmocka_unit_test(a_longer_run_needs_no_more_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
