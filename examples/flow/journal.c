/* SPDX-License-Identifier: MIT */
/* journal.c: workers price orders and write each into one journal. They wait for each other, for no good reason.
 *
 *     journal [WORKERS] [ORDERS] [early]
 *
 * journal_add holds the journal's lock while it makes the line, which is three quarters of all work. Only putting the line into the
 * journal needs the lock.
 *
 * `skein record flow` says how long threads waited for the lock, that journal_add held it, and what the run would take without it. The
 * repaired program (`journal WORKERS ORDERS early`) makes the line first. The output is the same, also with more workers. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS_MAX = 64, LINE_BYTES = 64, PRICE_STEPS = 8000, LINE_STEPS = 24000 };

static struct journal {
	pthread_mutex_t lock;
	uint64_t lines, bytes, sum;
} journal = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct {
	_Atomic unsigned next;
	unsigned count, early;
} orders;

/* Stands for work: the same for the same number. */
static uint64_t mix(uint64_t seed, unsigned steps)
{
	for (unsigned i = 0; i < steps; i++)
		seed = (seed ^ seed >> 27) * UINT64_C(0x9e3779b97f4a7c15) + i;
	return seed;
}

static uint64_t order_price(unsigned order)
{
	return mix(order + 1, PRICE_STEPS) % 100000;
}

static int line_make(char *line, unsigned order, uint64_t price)
{
	return snprintf(line, LINE_BYTES, "%u;%llu;%016llx", order, (unsigned long long)price,
	                (unsigned long long)mix(price + order, LINE_STEPS));
}

static void journal_put(const char *line, int bytes)
{
	uint64_t sum = 0;
	for (int i = 0; i < bytes; i++)
		sum = sum * 31 + (unsigned char)line[i];
	journal.lines++;
	journal.bytes += (uint64_t)bytes;
	journal.sum += sum;
}

static void journal_add(unsigned order, uint64_t price)
{
	char line[LINE_BYTES];
	int bytes = orders.early ? line_make(line, order, price) : 0;
	pthread_mutex_lock(&journal.lock);
	if (!orders.early)
		bytes = line_make(line, order, price);
	journal_put(line, bytes);
	pthread_mutex_unlock(&journal.lock);
}

static void *worker(void *nothing)
{
	(void)nothing;
	for (unsigned order; (order = atomic_fetch_add(&orders.next, 1)) < orders.count;)
		journal_add(order, order_price(order));
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[WORKERS_MAX];
	unsigned workers = argc > 1 ? (unsigned)atoi(argv[1]) : 4;
	orders.count = argc > 2 ? (unsigned)atoi(argv[2]) : 20000;
	orders.early = argc > 3 && strcmp(argv[3], "early") == 0;
	if (workers < 1 || workers > WORKERS_MAX) {
		fprintf(stderr, "usage: journal [1 to %d workers] [ORDERS] [early]\n", WORKERS_MAX);
		return 2;
	}
	for (unsigned i = 0; i < workers; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (unsigned i = 0; i < workers; i++)
		pthread_join(threads[i], NULL);
	printf("%llu lines, %llu bytes, sum %016llx\n", (unsigned long long)journal.lines, (unsigned long long)journal.bytes,
	       (unsigned long long)journal.sum);
	return 0;
}
