/* SPDX-License-Identifier: MIT */
/* table.c: a hash table that was made for a hundred entries, and gets thousands.
 *
 *     table [LARGEST]
 *
 * The table of load_fixed keeps its 32 buckets, so that each chain grows with the table. `skein record input` finds that table_find grows like n, where a table should have one size
 * and one cost, and load_fixed like n^2. The table of load_growing doubles its buckets when it is full: load_growing grows like n. */
#include <stdio.h>
#include <stdlib.h>

struct entry {
	struct entry *next;
	unsigned key, value;
};

struct table {
	struct entry **buckets, *entries;
	unsigned size, used; /* size: a power of two */
	int grows;
};

enum { FIXED = 32, FIRST = 4 }; /* buckets of a table that does not grow, and of one that does */

static unsigned hash(unsigned key)
{
	return (key * 2654435761u) >> 7;
}

static struct entry *table_find(const struct table *table, unsigned key)
{
	struct entry *e = table->buckets[hash(key) & (table->size - 1)];
	while (e && e->key != key)
		e = e->next;
	return e;
}

static void table_link(struct table *table, struct entry *e)
{
	struct entry **bucket = &table->buckets[hash(e->key) & (table->size - 1)];
	e->next = *bucket;
	*bucket = e;
}

static void *must(void *memory)
{
	if (!memory) {
		fputs("table: no memory\n", stderr);
		exit(1);
	}
	return memory;
}

static void table_grow(struct table *table)
{
	free(table->buckets);
	table->size *= 2;
	table->buckets = must(calloc(table->size, sizeof(struct entry *)));
	for (unsigned i = 0; i < table->used; i++)
		table_link(table, &table->entries[i]);
}

static void table_insert(struct table *table, unsigned key, unsigned value)
{
	struct entry *e = table_find(table, key);
	if (!e) {
		if (table->grows && table->used == table->size)
			table_grow(table);
		e = &table->entries[table->used++];
		e->key = key;
		table_link(table, e);
	}
	e->value = value;
}

static unsigned load_fixed(struct table *table, const unsigned *keys, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		table_insert(table, keys[i], i);
	return table->used;
}

static unsigned load_growing(struct table *table, const unsigned *keys, unsigned count)
{
	table->grows = 1;
	for (unsigned i = 0; i < count; i++)
		table_insert(table, keys[i], i);
	return table->used;
}

static struct table table_new(unsigned entries, unsigned size)
{
	struct table table = {.size = size};
	table.buckets = must(calloc(size, sizeof(struct entry *)));
	table.entries = must(malloc(entries * sizeof(struct entry)));
	return table;
}

static void table_free(struct table *table)
{
	free(table->buckets);
	free(table->entries);
}

int main(int argc, char **argv)
{
	unsigned largest = argc > 1 ? (unsigned)atoi(argv[1]) : 4000, tables = 0;
	int right = 1;
	if (largest < 40) {
		fputs("usage: table [LARGEST], 40 or more\n", stderr);
		return 2;
	}
	for (unsigned n = 40; n <= largest; n += n / 4) {
		unsigned *keys = must(malloc(n * sizeof *keys));
		struct table fixed = table_new(n, FIXED), growing = table_new(n, FIRST);
		for (unsigned i = 0; i < n; i++)
			keys[i] = (i + n) * 2246822519u;
		right = right && load_fixed(&fixed, keys, n) == n && load_growing(&growing, keys, n) == n;
		for (unsigned i = 0; i < n; i++)
			right = right && table_find(&growing, keys[i])->value == i;
		tables++;
		table_free(&fixed);
		table_free(&growing);
		free(keys);
	}
	printf("%u tables of up to %u entries, of two kinds: %s\n", tables, largest, right ? "right" : "wrong");
	return !right;
}
