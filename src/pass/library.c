/* SPDX-License-Identifier: MIT */
/* library.c: the list of core/library/library.def as tables: functions sorted by name, families as they stand. */
#include "pass/library.h"

#include <stdlib.h>
#include <string.h>

struct known {
	const char *name, *words;
	struct cost_price price;
};

#define ANY {COST_ANY, COST_FOREIGN, 0}
#define FIXED(n) {COST_FIXED, n, 0}
#define SIZE(n, argument) {COST_SIZE, n, argument}
#define TEXT(n, argument) {COST_TEXT, n, argument}
#define RESULT(n) {COST_RESULT, n, 0}
enum { SHORT = COST_SHORT, ARITHMETIC = COST_ARITHMETIC, ALLOCATION = COST_ALLOCATION, FOREIGN = COST_FOREIGN };

/* Sorted when it is first asked. */
static struct known functions[] = {
#define FUNCTION(name, words, price) {name, words, price},
#define CALL(name, words, price) {#name, words, price},
#include "core/library/library.def"
};

static const struct known families[] = {
#define FAMILY(start, words) {start, words, ANY},
#include "core/library/library.def"
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct known *)a)->name, ((const struct known *)b)->name);
}

static const struct known *find(const char *function)
{
	static bool sorted;
	struct known key = {.name = function};
	if (!sorted)
		qsort(functions, sizeof functions / sizeof *functions, sizeof *functions, by_name);
	sorted = true;
	return bsearch(&key, functions, sizeof functions / sizeof *functions, sizeof *functions, by_name);
}

static const struct known *find_family(const char *function)
{
	const struct known *longest = NULL;
	size_t most = 0;
	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		size_t bytes = strlen(families[i].name);
		if (bytes > most && strncmp(function, families[i].name, bytes) == 0) {
			longest = &families[i];
			most = bytes;
		}
	}
	return longest;
}

const char *library_words(const char *function)
{
	const struct known *k = find(function);
	if (!k)
		k = find_family(function);
	return k ? k->words : NULL;
}

const struct cost_price *library_price(const char *function)
{
	const struct known *k = find(function);
	return k && k->price.model != COST_ANY ? &k->price : NULL;
}
