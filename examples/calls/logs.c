/* SPDX-License-Identifier: MIT */
/* logs.c: which pages of a web site are asked for, and by whom? A small log analyser with three common mistakes.
 *
 *     logs [WORKERS] [LINES]
 *
 *   1. The log is read and parsed by one thread, before any other starts: a serial phase that no core can shorten.
 *   2. Lines are dealt to workers by host, and one host, a crawler, sends a third of them: one worker has most to do.
 *   3. All workers add to one table under one lock, and hold it while they search and while they save: they wait for
 *      each other.
 *
 * `skein record calls` names all three. The output does not depend on the number of workers. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HOSTS = 64, PAGES = 3000, BUCKETS = 4, SAVE_EVERY = 4000, LINE_BYTES = 64, WORKERS_MAX = 64 };

struct entry {
	const char *page;
	unsigned page_bytes, host, status, bytes;
};

struct page {
	struct page *next;
	const char *name;
	unsigned name_bytes;
	uint64_t hits, failures, bytes, visitors; /* visitors: a sketch, one bit a class of visitor */
};

struct table {
	pthread_mutex_t lock;
	struct page *bucket[BUCKETS];
	size_t pages, added;
};

struct work {
	pthread_t thread;
	const struct entry *entries;
	size_t count;
	unsigned number, workers;
	struct table *table;
};

static void *must(void *memory)
{
	if (!memory) {
		fputs("logs: no memory\n", stderr);
		exit(1);
	}
	return memory;
}

/* Stands for a file: the same lines every time. */
static char *log_read(size_t lines)
{
	char *text = must(malloc(lines * LINE_BYTES + 1)), *at = text;
	uint64_t random = 42;
	for (size_t i = 0; i < lines; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		unsigned host = (random >> 30) % 3 ? (unsigned)(random >> 33) % HOSTS : 0;
		unsigned page = (random >> 40) % PAGES * ((random >> 20) % PAGES) / PAGES;
		at += sprintf(at, "host%u GET /page/%u.html %u %u\n", host, page, (random >> 50) % 20 ? 200 : 404, (unsigned)(random >> 48) + 1);
	}
	*at = 0;
	return text;
}

static const char *skip_word(const char *at)
{
	while (*at && *at != ' ' && *at != '\n')
		at++;
	return *at ? at + 1 : at;
}

static unsigned parse_number(const char *at)
{
	unsigned value = 0;
	while (*at >= '0' && *at <= '9')
		value = value * 10 + (unsigned)(*at++ - '0');
	return value;
}

static const char *parse_line(const char *at, struct entry *entry)
{
	entry->host = parse_number(at + strlen("host"));
	entry->page = skip_word(skip_word(at));
	const char *status = skip_word(entry->page);
	entry->page_bytes = (unsigned)(status - entry->page) - 1;
	entry->status = parse_number(status);
	const char *bytes = skip_word(status);
	entry->bytes = parse_number(bytes);
	return skip_word(bytes);
}

static struct entry *log_parse(const char *text, size_t lines)
{
	struct entry *entries = must(malloc(lines * sizeof *entries));
	for (size_t i = 0; i < lines; i++)
		text = parse_line(text, &entries[i]);
	return entries;
}

/* Who is it? The costly part, and the part that can run anywhere: many rounds over all that is known of a request. */
static unsigned visitor_class(const struct entry *entry)
{
	uint64_t hash = 0xcbf29ce484222325u ^ entry->host;
	for (unsigned round = 0; round < 50; round++)
		for (unsigned i = 0; i < entry->page_bytes; i++)
			hash = (hash ^ (unsigned char)entry->page[i] ^ round) * 0x100000001b3u;
	return hash >> 58;
}

static unsigned name_hash(const char *name, unsigned bytes)
{
	unsigned hash = 5381;
	for (unsigned i = 0; i < bytes; i++)
		hash = hash * 33 + (unsigned char)name[i];
	return hash;
}

/* Moves what it finds to the front. The caller holds the lock. */
static struct page *table_find(struct table *table, const char *name, unsigned bytes)
{
	struct page **first = &table->bucket[name_hash(name, bytes) % BUCKETS], **at = first, *page;
	while ((page = *at) && (page->name_bytes != bytes || memcmp(page->name, name, bytes)))
		at = &page->next;
	if (!page) {
		page = must(calloc(1, sizeof *page));
		page->name = name;
		page->name_bytes = bytes;
		table->pages++;
	} else {
		*at = page->next;
	}
	page->next = *first;
	return *first = page;
}

/* Stands for a disk that takes two milliseconds. The caller holds the lock. */
static void table_save(void)
{
	struct timespec disk = {.tv_nsec = 2000000};
	nanosleep(&disk, NULL);
}

static void table_add(struct table *table, const struct entry *entry, unsigned visitor)
{
	pthread_mutex_lock(&table->lock);
	struct page *page = table_find(table, entry->page, entry->page_bytes);
	page->hits++;
	page->failures += entry->status != 200;
	page->bytes += entry->bytes;
	page->visitors |= 1ull << visitor;
	if (++table->added % SAVE_EVERY == 0)
		table_save();
	pthread_mutex_unlock(&table->lock);
}

static void *worker(void *argument)
{
	const struct work *work = argument;
	for (size_t i = 0; i < work->count; i++)
		if (work->entries[i].host % work->workers == work->number)
			table_add(work->table, &work->entries[i], visitor_class(&work->entries[i]));
	return NULL;
}

static void run_workers(struct table *table, const struct entry *entries, size_t count, unsigned workers)
{
	struct work work[WORKERS_MAX];
	for (unsigned i = 0; i < workers; i++) {
		work[i] = (struct work){.entries = entries, .count = count, .number = i, .workers = workers, .table = table};
		if (pthread_create(&work[i].thread, NULL, worker, &work[i])) {
			fputs("logs: cannot start a thread\n", stderr);
			exit(1);
		}
	}
	for (unsigned i = 0; i < workers; i++)
		pthread_join(work[i].thread, NULL);
}

static int by_hits(const void *a, const void *b)
{
	const struct page *x = *(struct page *const *)a, *y = *(struct page *const *)b;
	if (x->hits != y->hits)
		return x->hits < y->hits ? 1 : -1;
	int order = memcmp(x->name, y->name, x->name_bytes < y->name_bytes ? x->name_bytes : y->name_bytes);
	return order ? order : (int)x->name_bytes - (int)y->name_bytes;
}

static void report(const struct table *table)
{
	struct page **pages = must(malloc(table->pages * sizeof(struct page *)));
	size_t count = 0;
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct page *page = table->bucket[i]; page; page = page->next)
			pages[count++] = page;
	qsort(pages, count, sizeof *pages, by_hits);
	for (size_t i = 0; i < count && i < 5; i++)
		printf("%-20.*s %7llu hits %6llu failures %10llu bytes %3d classes of visitor\n", (int)pages[i]->name_bytes, pages[i]->name,
		       (unsigned long long)pages[i]->hits, (unsigned long long)pages[i]->failures, (unsigned long long)pages[i]->bytes,
		       __builtin_popcountll(pages[i]->visitors));
	free(pages);
}

int main(int argc, char **argv)
{
	unsigned workers = argc > 1 ? (unsigned)atoi(argv[1]) : 2;
	size_t lines = argc > 2 ? (size_t)atol(argv[2]) : 600000;
	if (workers < 1 || workers > WORKERS_MAX || lines < 1) {
		fputs("usage: logs [WORKERS] [LINES]\n", stderr);
		return 2;
	}
	struct table table = {.lock = PTHREAD_MUTEX_INITIALIZER};
	char *text = log_read(lines);
	struct entry *entries = log_parse(text, lines);
	run_workers(&table, entries, lines, workers);
	report(&table);
	free(entries);
	free(text);
	return 0;
}
