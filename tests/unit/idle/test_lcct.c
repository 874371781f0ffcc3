/* SPDX-License-Identifier: MIT */
/* test_lcct.c: core/idle/lcct against a naive tree, whose nodes are whole bichords that are shared when they are equal.
 *
 * What a tree says are its two projections: physical and logical paths, each with its count. Both trees must say the
 * same, and the shared one may never be the larger. The nine unwinds are those of the paper's Appendix. */
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include "unit/idle/lcct_make.h"

/* ---- the Appendix ---- */

enum { A = 11, B, C, E, F, A_ = 21, B_, C_, S, OUTER = 30, L1 = 41, L2, J1, LS };
#define CALL(p, l)         \
	{                  \
		1, 1, {p}, \
		{          \
			l  \
		}          \
	}
#define UNWIND(n, ...) {n, {CALL(OUTER, OUTER), __VA_ARGS__}, 1}
static const struct path unwinds[] = {
	/* outermost first; (n) is unwinds[n - 1] */
	UNWIND(3, CALL(A, L1), CALL(S, LS)),
	UNWIND(2, {2, 1, {A, B_}, {L1}}),
	UNWIND(2, {3, 1, {A, B, C_}, {L1}}),
	UNWIND(3, {3, 1, {A, B, C}, {L1}}, CALL(S, LS)),
	UNWIND(2, CALL(A_, L1)),
	UNWIND(3, {3, 1, {A, F, E}, {L1}}, CALL(S, LS)),
	UNWIND(4, CALL(A, L1), CALL(B, L1), CALL(C, L1)),
	UNWIND(3, CALL(A, J1), CALL(S, LS)),
	UNWIND(3, {1, 2, {A}, {L1, L2}}, CALL(S, LS)),
};
enum { UNWINDS = sizeof unwinds / sizeof *unwinds };

/* Notes of the bichords that two unwinds share. */
static const uint8_t shared[UNWINDS][UNWINDS] = {
	/*     (1)(2)(3)(4)(5)(6)(7)(8)(9) */
	/*1*/ {0, 1, 1, 1, 0, 1, 1, 0, 1},
	/*2*/ {1, 0, 1, 1, 0, 1, 1, 0, 0}, /* (8): other l-notes; (9): another class */
	/*3*/ {1, 1, 0, 2, 0, 1, 1, 0, 0},
	/*4*/ {1, 1, 2, 0, 0, 1, 1, 0, 0}, /* (7): having parted they do not meet again, though p_b and p_c are in both */
	/*5*/ {0, 0, 0, 0, 0, 0, 0, 0, 0},
	/*6*/ {1, 1, 1, 1, 0, 0, 1, 0, 0},
	/*7*/ {1, 1, 1, 1, 0, 1, 0, 0, 1},
	/*8*/ {0, 0, 0, 0, 0, 0, 0, 0, 0},
	/*9*/ {1, 0, 0, 0, 0, 0, 1, 0, 0},
};

static size_t length_of(const struct path *path)
{
	struct lcct_x x[PATH];
	return write_path(path, x);
}

static void each_unwind_is_there_whole_and_once(void **state)
{
	(void)state;
	for (int i = 0; i < UNWINDS; i++) {
		start();
		uint32_t node = insert(&unwinds[i]);
		uint64_t times[PATH] = {0};
		times[node] = 1;
		assert_int_equal(nodes_in(), length_of(&unwinds[i]));
		assert_int_equal(insert(&unwinds[i]), node);
		assert_int_equal(nodes_in(), length_of(&unwinds[i]));
		same_projections(&unwinds[i], 1, times);
	}
}

static void unwinds_share_in_pairs_what_the_text_says(void **state)
{
	(void)state;
	for (int i = 0; i < UNWINDS; i++)
		for (int j = 0; j < UNWINDS; j++) {
			if (i == j)
				continue;
			start();
			insert(&unwinds[i]);
			insert(&unwinds[j]);
			assert_int_equal(1 + shared[i][j], length_of(&unwinds[i]) + length_of(&unwinds[j]) - nodes_in());
		}
}

static const struct lcct_node *outermost_in(uint64_t ip, uint64_t lip)
{
	for (uint32_t n = 2; n < tree.next; n++)
		if (lcct_at(&tree, n)->ip == ip && lcct_at(&tree, n)->lip == lip && lcct_at(&tree, n)->parent == 1)
			return lcct_at(&tree, n);
	return NULL;
}

static void a_shared_root_keeps_the_base_case(void **state)
{
	(void)state;
	for (int first = 0; first < 2; first++) {
		start();
		uint32_t leaf = insert(&unwinds[first]); /* (1) and (2), either first */
		uint32_t other = insert(&unwinds[!first]);
		assert_int_equal(outermost_in(A, L1)->association, SKEIN_1_1 + 1);
		assert_int_equal(lcct_at(&tree, first ? leaf : other)->association, SKEIN_M_1 + 1);
		assert_ptr_equal(lcct_at(&tree, lcct_at(&tree, first ? leaf : other)->parent), outermost_in(A, L1));
	}
	start();
	insert(&unwinds[1]);
	assert_int_equal(outermost_in(A, L1)->association, SKEIN_M_1 + 1);
}

static void a_sample_at_a_call_site_shares_its_note(void **state)
{
	(void)state;
	struct path at_call_site = unwinds[1]; /* (2) with ip(p'_b) = ip(p_b) */
	at_call_site.b[1].p[1] = B;
	start();
	uint32_t sample = insert(&at_call_site), through = insert(&unwinds[2]);
	assert_int_equal(lcct_at(&tree, through)->parent, sample);
	assert_int_equal(nodes_in(), length_of(&unwinds[2]));
}

/* Which of the orders leave two nodes for <p_a, l_1>: those in which M-1 and 1-M both came before the 1-1 that both may share. */
static bool is_split(const int *order)
{
	int place[UNWINDS];
	for (int i = 0; i < UNWINDS; i++)
		place[order[i]] = i;
	int base = place[0] < place[6] ? place[0] : place[6], many = UNWINDS;
	for (int i = 1; i < 6; i++)
		if (i != 4 && place[i] < many)
			many = place[i];
	return many < base && place[8] < base;
}

static void check_order(const int *order)
{
	uint32_t leaves[UNWINDS];
	start();
	for (int i = 0; i < UNWINDS; i++)
		leaves[order[i]] = insert(&unwinds[order[i]]);
	/* outer; p_a; (1) s; (2) b'; (3) b, c'; (4) c, s; (5); (6) f, e, s; (7) b, c; (8) 2; (9) l2, s */
	assert_int_equal(tree.next - 1, 18 + is_split(order));
	for (int i = 0; i < UNWINDS; i++) {
		assert_int_equal(insert(&unwinds[i]), leaves[i]);
		for (int j = 0; j < i; j++)
			assert_true(leaves[i] != leaves[j]);
	}
}

static void nine_unwinds_in_all_orders(void **state)
{
	(void)state;
	int order[UNWINDS], turn[UNWINDS] = {0};
	for (int i = 0; i < UNWINDS; i++)
		order[i] = i;
	check_order(order);
	for (int i = 0; i < UNWINDS;) { /* Heap's algorithm */
		if (turn[i] == i) {
			turn[i++] = 0;
			continue;
		}
		int from = i % 2 ? turn[i] : 0, swap = order[from];
		order[from] = order[i];
		order[i] = swap;
		turn[i]++;
		i = 0;
		check_order(order);
	}
}

/* ip, lip, note and class, each by itself; of the classes 1-1 is in two. */
static void the_test_of_the_appendix(void **state)
{
	(void)state;
	static const bool same_class[5][5] = {[SKEIN_1_1] = {[SKEIN_1_1] = 1, [SKEIN_M_1] = 1, [SKEIN_1_M] = 1},
	                                      [SKEIN_1_0] = {[SKEIN_1_0] = 1, [SKEIN_M_0] = 1},
	                                      [SKEIN_M_0] = {[SKEIN_1_0] = 1, [SKEIN_M_0] = 1},
	                                      [SKEIN_M_1] = {[SKEIN_1_1] = 1, [SKEIN_M_1] = 1},
	                                      [SKEIN_1_M] = {[SKEIN_1_1] = 1, [SKEIN_1_M] = 1}};
	for (unsigned i = 0; i < 5; i++)
		for (unsigned j = 0; j < 5; j++) {
			struct lcct_node node = {.ip = A, .lip = L1, .note = 2, .association = (i + 1) & 7};
			assert_int_equal(lcct_sharable(&node, &(struct lcct_x){A, L1, 2, (uint8_t)j}), same_class[i][j]);
			assert_false(lcct_sharable(&node, &(struct lcct_x){B, L1, 2, (uint8_t)j}));
			assert_false(lcct_sharable(&node, &(struct lcct_x){A, L2, 2, (uint8_t)j}));
			assert_false(lcct_sharable(&node, &(struct lcct_x){A, L1, 1, (uint8_t)j}));
			node.association = 0;
			assert_false(lcct_sharable(&node, &(struct lcct_x){A, L1, 2, (uint8_t)j}));
		}
}

/* ---- random paths ---- */

enum { MANY = 600, NODES = ROWS };
static struct path paths[THREADS * MANY];
static _Atomic uint64_t times[NODES];

static void random_paths_say_the_same_as_a_naive_tree(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 60; seed++) {
		unsigned random = seed;
		start();
		memset(times, 0, sizeof *times * 8 * MANY);
		for (int i = 0; i < MANY; i++) {
			paths[i] = random_path(1 + seed % 5, &random);
			times[insert(&paths[i])] += paths[i].times;
		}
		assert_in_range(nodes_in(), 1, naive_nodes(paths, MANY));
		assert_int_equal(nodes_in(), tree.next - 1);
		for (int i = 0; i < MANY; i++) /* nothing is found in another place, or made again, later */
			times[insert(&paths[i])] -= paths[i].times;
		for (int i = 0; i < MANY; i++)
			times[insert(&paths[i])] += paths[i].times;
		assert_int_equal(nodes_in(), tree.next - 1);
		same_projections(paths, MANY, (uint64_t *)times);
	}
}

static void nodes_are_found_again_after_the_tables_have_grown(void **state)
{
	(void)state;
	enum { MOST = 300000 };
	static uint32_t node[MOST];
	start();
	for (uint32_t i = 0; i < MOST; i++) {
		struct lcct_x x = {i + 1, i % 7 + 1, 1, SKEIN_1_1};
		node[i] = lcct_child(&tree, i ? node[i / 3] : 0, &x);
		assert_int_equal(node[i], i + 1);
	}
	for (int turn = 0; turn < 2; turn++)
		for (uint32_t i = 0; i < MOST; i++) {
			struct lcct_x x = {i + 1, i % 7 + 1, 1, SKEIN_1_1};
			assert_int_equal(lcct_child(&tree, i ? node[i / 3] : 0, &x), node[i]);
		}
	assert_int_equal(nodes_in(), MOST);
	assert_in_range(port.memory_used, 1, 32 * MOST);
}

/* ---- at once, interrupted, stopped ---- */

static void *insert_part(void *from)
{
	struct path *part = from;
	for (int i = 0; i < MANY; i++)
		atomic_fetch_add(&times[insert(&part[i])], part[i].times);
	return NULL;
}

static void threads_insert_at_once(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 30; seed++) {
		pthread_t threads[THREADS];
		unsigned random = seed;
		start();
		memset(times, 0, sizeof times);
		for (int i = 0; i < THREADS * MANY; i++)
			paths[i] = random_path(2 + 4 * (seed % 3), &random);
		for (int t = 0; t < THREADS; t++)
			pthread_create(&threads[t], NULL, insert_part, paths + t * MANY);
		for (int t = 0; t < THREADS; t++)
			pthread_join(threads[t], NULL);
		assert_int_equal(times[0], 0);
		same_projections(paths, THREADS * MANY, (uint64_t *)times);
	}
}

static unsigned interrupt_seed;
static size_t path_count;
static _Atomic bool inside;
static _Atomic unsigned inside_seen;

static void insert_another(void)
{
	if (path_count == THREADS * MANY)
		return;
	struct path *path = &paths[path_count++];
	*path = random_path(5, &interrupt_seed);
	times[insert(path)] += path->times;
}

static void on_alarm(int number)
{
	(void)number;
	inside_seen += inside;
	insert_another();
}

static void an_insertion_inside_another(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 20; seed++) {
		unsigned random = interrupt_seed = seed;
		start();
		memset(times, 0, sizeof times);
		path_count = MANY;
		port.interrupt = insert_another;
		for (int i = 0; i < MANY; i++) {
			paths[i] = random_path(5, &random);
			times[insert(&paths[i])] += paths[i].times;
		}
		assert_true(path_count > MANY + 100);
		same_projections(paths, path_count, (uint64_t *)times);
	}
}

static const struct path *same_path;
static void insert_the_same(void)
{
	insert(same_path);
}

/* Whoever comes second finds the other's node; the row that it had filled is void. */
static void the_same_insertion_inside_another(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 20; seed++) {
		unsigned random = seed;
		start();
		memset(times, 0, sizeof times);
		port.interrupt = insert_the_same;
		for (int i = 0; i < MANY; i++) {
			same_path = &paths[i];
			paths[i] = random_path(5, &random);
			times[insert(&paths[i])] += paths[i].times;
		}
		assert_true(nodes_in() < tree.next - 1);
		assert_in_range(nodes_in(), 1, naive_nodes(paths, MANY));
		same_projections(paths, MANY, (uint64_t *)times);
	}
}

static void an_insertion_in_a_signal_handler(void **state)
{
	(void)state;
	struct sigaction action = {.sa_handler = on_alarm}, before;
	unsigned random = interrupt_seed = 7;
	start();
	memset(times, 0, sizeof times);
	path_count = MANY;
	inside_seen = 0;
	sigaction(SIGALRM, &action, &before);
	setitimer(ITIMER_REAL, &(struct itimerval){{0, 50}, {0, 50}}, NULL);
	for (int i = 0; i < MANY; i++)
		paths[i] = (struct path){0};
	for (int i = 0; path_count < THREADS * MANY; i = (i + 1) % MANY) {
		struct path path = paths[i].bichords ? paths[i] : random_path(5, &random);
		inside = true;
		uint32_t node = insert(&path);
		inside = false;
		uint64_t sum = paths[i].bichords ? paths[i].times : 0;
		paths[i] = path;
		paths[i].times = sum + 1;
		atomic_fetch_add(&times[node], 1);
	}
	setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
	sigaction(SIGALRM, &before, NULL);
	assert_true(inside_seen > 0);
	size_t made = 0; /* those that the loop came to */
	while (made < MANY && paths[made].bichords)
		made++;
	memmove(paths + made, paths + MANY, (path_count - MANY) * sizeof *paths);
	same_projections(paths, made + path_count - MANY, (uint64_t *)times);
}

static jmp_buf out;
static void stop_for_good(void)
{
	if (rand_r(&interrupt_seed) % 3 == 0)
		longjmp(out, 1);
}

static void a_thread_that_stops_halfway_holds_up_nobody(void **state)
{
	(void)state;
	unsigned random = interrupt_seed = 3;
	start();
	memset(times, 0, sizeof times);
	for (volatile int i = 0; i < MANY; i++) {
		paths[i] = random_path(6, &random);
		port.interrupt = stop_for_good;
		if (!setjmp(out))
			insert(&paths[i]);
		port.interrupt = NULL;
		times[insert(&paths[i])] += paths[i].times;
	}
	same_projections(paths, MANY, (uint64_t *)times);
}

/* ---- no room ---- */

static void without_room_nothing_is_inserted_and_nothing_lost(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 40; seed++) {
		unsigned random = seed, refused = 0;
		start();
		memset(times, 0, sizeof times);
		port.rows_limit = seed % 3 ? ROWS : seed / 3 * CHUNK_ROWS / 4;
		port.memory_limit = seed % 3 ? seed * 400 : MEMORY_BYTES;
		size_t kept = 0;
		for (int i = 0; i < 2 * MANY; i++) {
			paths[kept] = random_path(6, &random);
			uint32_t node = insert(&paths[kept]);
			refused += !node;
			times[node] += node ? paths[kept++].times : 0;
		}
		for (size_t i = 0; i < kept; i++)
			assert_true(insert(&paths[i]));
		assert_true(refused || seed > 20);
		same_projections(paths, kept, (uint64_t *)times);
		port.memory_limit = MEMORY_BYTES; /* there is room again */
		port.rows_limit = ROWS;
		atomic_fetch_sub(&port.rows_used, port.rows_used - port.chunks_used * CHUNK_ROWS);
		for (int i = 0; i < 100; i++) {
			paths[kept] = random_path(60, &random);
			times[insert(&paths[kept])] += paths[kept].times;
			kept++;
		}
		assert_int_equal(times[0], 0);
		same_projections(paths, kept, (uint64_t *)times);
	}
	assert_int_equal(lcct_insert(&tree, NULL, 0), 0);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(the_test_of_the_appendix),
		cmocka_unit_test(each_unwind_is_there_whole_and_once),
		cmocka_unit_test(unwinds_share_in_pairs_what_the_text_says),
		cmocka_unit_test(a_shared_root_keeps_the_base_case),
		cmocka_unit_test(a_sample_at_a_call_site_shares_its_note),
		cmocka_unit_test(nine_unwinds_in_all_orders),
		cmocka_unit_test(random_paths_say_the_same_as_a_naive_tree),
		cmocka_unit_test(nodes_are_found_again_after_the_tables_have_grown),
		cmocka_unit_test(threads_insert_at_once),
		cmocka_unit_test(an_insertion_inside_another),
		cmocka_unit_test(the_same_insertion_inside_another),
		cmocka_unit_test(an_insertion_in_a_signal_handler),
		cmocka_unit_test(a_thread_that_stops_halfway_holds_up_nobody),
		cmocka_unit_test(without_room_nothing_is_inserted_and_nothing_lost),
	};
	return cmocka_run_group_tests(all, NULL, NULL);
}
