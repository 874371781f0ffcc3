/* SPDX-License-Identifier: MIT */
/* cmd_cache.c: skein cache. */
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "cli/commands.h"
#include "relink/cache.h"

static const char *bytes(struct pool *pool, uint64_t count)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	size_t unit = 0;
	double value = (double)count;
	while (value >= 1000 && unit + 1 < sizeof units / sizeof *units) {
		value /= 1024;
		unit++;
	}
	return pool_print(pool, unit && value < 100 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

static void print(const char *does, const struct cache *cache, struct cache_size size, bool has_limit)
{
	struct pool pool = {0};
	printf("%s %s %s in %s entr%s", escape_plain(&pool, cache->root), does, bytes(&pool, size.bytes),
	       text_count(&pool, (int64_t)size.entries), size.entries == 1 ? "y" : "ies");
	if (has_limit)
		printf(", at most %s", bytes(&pool, size.limit));
	puts(".");
	pool_free(&pool);
}

int cmd_cache(const struct arguments *a, struct fail *why)
{
	struct cache cache;
	bool clean = a->word_count && strcmp(a->words[0], "clean") == 0;
	if (a->word_count && !clean)
		return fail_set(why, FAIL_USAGE, "skein cache takes the word clean or nothing, not %.100s", a->words[0]);
	if (cache_open(&cache, why) < 0)
		return -1;
	if (clean)
		print("was emptied of", &cache, cache_clean(&cache), false);
	else
		print("holds", &cache, cache_measure(&cache), true);
	cache_close(&cache);
	return 0;
}
