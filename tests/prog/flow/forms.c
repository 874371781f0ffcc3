/* SPDX-License-Identifier: MIT */
/* forms PART: the textbook's ways to wait for each other, with work by each thread's own CPU clock. Prints what is true of the run
 * (truth.h), and where there is a formula for the minimum, what that gives of the pieces of work as they really were: `closed_ns`. */
#include "truth.h"

#include <string.h>

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void closed(uint64_t ns)
{
	printf("closed_ns %" PRIu64 "\n", ns);
}

/* Creates that many threads, and waits for them. */
static void run(int threads, void *(*body)(void *))
{
	int all[TRUTH_THREADS];
	for (intptr_t i = 0; i < threads; i++)
		all[i] = truth_create(body, (void *)i);
	for (int i = 0; i < threads; i++)
		truth_join(all[i]);
}

/* ---- one lock: two threads, or a convoy of four ---- */

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct thing table = {.name = "table_lock"};

static ROUTINE void table_change(uint64_t ns)
{
	truth_lock(&table, &table_lock); /* the holder */
	truth_work(ns);
	truth_unlock(&table, &table_lock);
}

static void *two(void *number)
{
	for (int i = 0; i < 8; i++) {
		truth_work((number ? 9 : 6) * MS);
		table_change(12 * MS);
	}
	return NULL;
}

static void *convoy(void *unused)
{
	(void)unused;
	for (int i = 0; i < 100; i++) {
		truth_work(MS / 20);
		table_change(MS / 2);
	}
	return NULL;
}

static void lock(void)
{
	run(2, two);
}

static void in_convoy(void)
{
	run(4, convoy);
}

/* ---- two locks: one is taken while the other is held ---- */

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static struct thing log_thing = {.name = "log_lock"};

static ROUTINE void log_write(uint64_t ns)
{
	truth_lock(&log_thing, &log_lock);
	truth_work(ns);
	truth_unlock(&log_thing, &log_lock);
}

static void *nested(void *number)
{
	for (int i = 0; i < 8; i++) {
		truth_work(4 * MS);
		if (number)
			truth_lock(&table, &table_lock);
		log_write(number ? 3 * MS : 8 * MS);
		if (number)
			truth_unlock(&table, &table_lock);
	}
	return NULL;
}

static void nested_locks(void)
{
	run(3, nested);
}

/* ---- a pipeline: each stage has room for two items ---- */

enum { STAGES = 4, ITEMS = 12, ROOMS = 2 };
static sem_t items[STAGES], rooms[STAGES];
static struct thing item_things[STAGES], room_things[STAGES] = {
	{.tokens = ROOMS, .name = "rooms"}, {.tokens = ROOMS, .name = "rooms"}, {.tokens = ROOMS, .name = "rooms"}, {.tokens = ROOMS, .name = "rooms"}};
static uint64_t staged[STAGES][ITEMS];

static void *stage(void *number)
{
	static const uint64_t amounts[STAGES] = {5 * MS, 8 * MS, 14 * MS, 3 * MS};
	int s = (int)(intptr_t)number;
	for (int i = 0; i < ITEMS; i++) {
		if (s > 0)
			truth_take(&item_things[s], &items[s]);
		staged[s][i] = truth_work(amounts[s]);
		if (s > 0)
			truth_post(&room_things[s], &rooms[s]);
		if (s == STAGES - 1)
			continue;
		truth_take(&room_things[s + 1], &rooms[s + 1]);
		truth_post(&item_things[s + 1], &items[s + 1]);
	}
	return NULL;
}

/* An item leaves its stage when it is done there, and the next one has room: it is done with the item two before. */
static void close_pipeline(void)
{
	uint64_t done[STAGES][ITEMS] = {{0}}, left[STAGES][ITEMS] = {{0}};
	for (int i = 0; i < ITEMS; i++)
		for (int s = 0; s < STAGES; s++) {
			uint64_t start = larger(i ? left[s][i - 1] : 0, s ? left[s - 1][i] : 0);
			done[s][i] = left[s][i] = start + staged[s][i];
			if (s < STAGES - 1 && i >= ROOMS)
				left[s][i] = larger(left[s][i], done[s + 1][i - ROOMS]);
		}
	closed(left[STAGES - 1][ITEMS - 1]);
}

static void pipeline(void)
{
	for (int s = 0; s < STAGES; s++) {
		item_things[s].name = "items";
		sem_init(&items[s], 0, 0);
		sem_init(&rooms[s], 0, ROOMS);
	}
	run(STAGES, stage);
	close_pipeline();
}

/* ---- a barrier, at which the last thread is late, or each in turn ---- */

enum { PARTIES = 3, TURNS = 6 };
static pthread_barrier_t barrier;
static struct thing barrier_thing = {.name = "barrier", .parties = PARTIES};
static uint64_t arrived[PARTIES][TURNS];

static void meet(intptr_t me, int turn, uint64_t ns)
{
	arrived[me][turn] = truth_work(ns);
	truth_pass(&barrier_thing, &barrier);
}

static void *late(void *number)
{
	intptr_t me = (intptr_t)number;
	for (int turn = 0; turn < TURNS; turn++)
		meet(me, turn, me == PARTIES - 1 ? 30 * MS : (uint64_t)(10 + me * 4) * MS);
	return NULL;
}

static void *late_in_turn(void *number)
{
	intptr_t me = (intptr_t)number;
	for (int turn = 0; turn < TURNS; turn++)
		meet(me, turn, turn % PARTIES == me ? 30 * MS : 8 * MS);
	return NULL;
}

static void barriers(void *(*body)(void *))
{
	uint64_t sum = 0;
	pthread_barrier_init(&barrier, NULL, PARTIES);
	run(PARTIES, body);
	for (int turn = 0; turn < TURNS; turn++) {
		uint64_t last = 0;
		for (int i = 0; i < PARTIES; i++)
			last = larger(last, arrived[i][turn]);
		sum += last;
	}
	closed(sum);
}

static void one_late(void)
{
	barriers(late);
}

static void each_late(void)
{
	barriers(late_in_turn);
}

/* ---- a read-write lock: one writer, three readers ---- */

static pthread_rwlock_t map = PTHREAD_RWLOCK_INITIALIZER;
static struct thing map_thing = {.name = "map"};

static ROUTINE void map_put(void)
{
	TRUTH_RECEIVE(ACQUIRE, &map_thing, 0, pthread_rwlock_wrlock(&map));
	truth_work(10 * MS);
	TRUTH_SEND(RELEASE, &map_thing, 0, pthread_rwlock_unlock(&map));
}

static ROUTINE void map_get(void)
{
	TRUTH_RECEIVE(SHARE, &map_thing, 0, pthread_rwlock_rdlock(&map));
	truth_work(4 * MS);
	TRUTH_SEND(UNSHARE, &map_thing, 0, pthread_rwlock_unlock(&map));
}

static void *reads(void *number)
{
	for (int i = 0; i < 10; i++) {
		truth_work(2 * MS);
		if (number)
			map_get();
		else
			map_put();
	}
	return NULL;
}

static void readers(void)
{
	run(4, reads);
}

/* ---- two producers and a consumer: a queue under a lock, with conditions ---- */

enum { QUEUE = 4, MADE = 12 };
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static struct thing queue_thing = {.name = "queue_lock"};
static int queued;

static ROUTINE void queue_put(void)
{
	truth_lock(&queue_thing, &queue_lock);
	while (queued == QUEUE)
		truth_hear(&not_full, &queue_thing, &queue_lock);
	queued++;
	pthread_cond_signal(&not_empty);
	truth_unlock(&queue_thing, &queue_lock);
}

static ROUTINE void queue_get(void)
{
	truth_lock(&queue_thing, &queue_lock);
	while (queued == 0)
		truth_hear(&not_empty, &queue_thing, &queue_lock);
	queued--;
	pthread_cond_signal(&not_full);
	truth_unlock(&queue_thing, &queue_lock);
}

static void *exchange(void *number)
{
	for (int i = 0; i < (number ? MADE : 2 * MADE); i++) {
		if (number) {
			truth_work(5 * MS);
			queue_put();
		} else {
			queue_get();
			truth_work(7 * MS);
		}
	}
	return NULL;
}

static void queue(void)
{
	run(3, exchange);
}

/* ---- a token goes round: nothing is ever done at the same time ---- */

enum { PLAYERS = 3, ROUNDS = 10 };
static sem_t turns[PLAYERS];
static struct thing turn_things[PLAYERS] = {{.name = "turns", .tokens = 1}, {.name = "turns"}, {.name = "turns"}};
static uint64_t played[PLAYERS];

static ROUTINE void *play(void *number)
{
	intptr_t me = (intptr_t)number, next = (me + 1) % PLAYERS;
	for (int i = 0; i < ROUNDS; i++) {
		truth_take(&turn_things[me], &turns[me]);
		played[me] += truth_work(6 * MS);
		truth_post(&turn_things[next], &turns[next]);
	}
	return NULL;
}

static void hand_over(void)
{
	for (int i = 0; i < PLAYERS; i++)
		sem_init(&turns[i], 0, i == 0);
	run(PLAYERS, play);
	closed(played[0] + played[1] + played[2]);
}

/* ---- a tree of threads: each creates two, works, and waits for both ---- */

struct node {
	int depth;
	uint64_t first, middle, last, shortest; /* shortest: of the tree below it, itself included */
	struct node *children[2];
};

static void *grow(void *argument)
{
	struct node *n = argument;
	int threads[2];
	n->first = truth_work(8 * MS);
	for (int i = 0; n->depth && i < 2; i++) {
		n->children[i] = calloc(1, sizeof *n);
		n->children[i]->depth = n->depth - 1 - i;
		if (n->children[i]->depth < 0)
			n->children[i]->depth = 0;
		threads[i] = truth_create(grow, n->children[i]);
	}
	n->middle = truth_work(n->depth ? 12 * MS : 40 * MS);
	for (int i = 0; n->depth && i < 2; i++)
		truth_join(threads[i]);
	n->last = truth_work(6 * MS);
	n->shortest = n->middle;
	for (int i = 0; n->depth && i < 2; i++)
		n->shortest = larger(n->shortest, n->children[i]->shortest);
	n->shortest += n->first + n->last;
	return NULL;
}

static void tree(void)
{
	static struct node root = {.depth = 3};
	grow(&root);
	closed(root.shortest);
}

/* ---- all wait for one that prepares, then go on together ---- */

static pthread_cond_t ready_now = PTHREAD_COND_INITIALIZER;
static int ready;

static void *prepared(void *number)
{
	if (!number)
		truth_work(60 * MS);
	truth_lock(&queue_thing, &queue_lock);
	if (!number) {
		ready = 1;
		pthread_cond_broadcast(&ready_now);
	}
	while (!ready)
		truth_hear(&ready_now, &queue_thing, &queue_lock);
	truth_unlock(&queue_thing, &queue_lock);
	truth_work((uint64_t)(20 + (intptr_t)number * 10) * MS);
	return NULL;
}

static void broadcast(void)
{
	run(4, prepared);
}

static const struct {
	const char *name;
	void (*part)(void);
} parts[] = {
	{"lock", lock}, {"convoy", in_convoy}, {"nested", nested_locks}, {"pipeline", pipeline}, {"barrier", one_late}, {"turns", each_late},
	{"readers", readers}, {"queue", queue}, {"semaphore", hand_over}, {"tree", tree}, {"broadcast", broadcast},
};

int main(int argc, char **argv)
{
	truth_begin();
	for (size_t i = 0; argc > 1 && i < sizeof parts / sizeof *parts; i++)
		if (strcmp(argv[1], parts[i].name) == 0) {
			parts[i].part();
			truth_print();
			return 0;
		}
	fprintf(stderr, "forms: no such part\n");
	return 2;
}
