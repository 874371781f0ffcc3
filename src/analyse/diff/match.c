/* SPDX-License-Identifier: MIT */
/* match.c: in each pass what is left of both lists is sorted by key, so that equal keys lie together: O(n log n) a pass. */
#include "analyse/diff/match.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

struct entry {
	uint64_t hash;
	const char *key;
	int64_t line;
	size_t at;
	bool is_new;
};

static int by_key(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	int order = strcmp(x->key, y->key);
	if (order)
		return order;
	if (x->is_new != y->is_new)
		return x->is_new ? 1 : -1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Adds those of a list that have a key and are not yet paired. */
static size_t add(struct entry *entries, size_t count, const struct match_thing *things, size_t thing_count, const bool *done, int pass,
                  bool is_new)
{
	for (size_t i = 0; i < thing_count; i++) {
		const char *key = things[i].keys[pass];
		if (key && !done[i])
			entries[count++] = (struct entry){hash_text(HASH_START, key), key, things[i].line, i, is_new};
	}
	return count;
}

void match_lists(const struct match_thing *old, size_t old_count, const struct match_thing *new, size_t new_count, size_t *found)
{
	struct entry *entries = memory_resize(NULL, old_count + new_count + 1, sizeof *entries);
	bool *old_done = memory_zeroed(old_count + 1, sizeof *old_done), *new_done = memory_zeroed(new_count + 1, sizeof *new_done);
	for (size_t i = 0; i < new_count; i++)
		found[i] = MATCH_NONE;
	for (int pass = 0; pass < MATCH_PASSES; pass++) {
		size_t count = add(entries, 0, old, old_count, old_done, pass, false);
		count = add(entries, count, new, new_count, new_done, pass, true);
		if (count)
			qsort(entries, count, sizeof *entries, by_key);
		for (size_t first = 0, middle, end; first < count; first = end) {
			for (end = first;
			     end < count && entries[end].hash == entries[first].hash && strcmp(entries[end].key, entries[first].key) == 0;)
				end++;
			for (middle = first; middle < end && !entries[middle].is_new;)
				middle++;
			if (middle - first != end - middle && pass + 1 < MATCH_PASSES)
				continue;
			for (size_t i = 0; first + i < middle && middle + i < end; i++) {
				found[entries[middle + i].at] = entries[first + i].at;
				old_done[entries[first + i].at] = new_done[entries[middle + i].at] = true;
			}
		}
	}
	free(entries);
	free(old_done);
	free(new_done);
}
