/* SPDX-License-Identifier: MIT */
/* cache.h: re-linked objects, kept by content in the user's cache folder.
 *
 * $XDG_CACHE_HOME/skein or ~/.cache/skein, for its owner's eyes only. An entry is a folder; it is made under another name
 * and renamed when it is whole, so any number of processes may work here at once. What does not belong to the user, or is open
 * to others, is not an entry: it is not taken, and put away when an entry needs its name.
 *
 *     struct cache cache;
 *     if (cache_open(&cache, &why) < 0) …
 *     if (!cache_take(&cache, "prog-0123…", &entry)) {
 *             char *stage = cache_stage(&cache, &why);      fill this folder
 *             cache_publish(&cache, stage, "prog-0123…", &entry, &why);
 *     }
 *     …entry.folder stays as long as entry.lock is open, also when another process tidies up…
 *     cache_give(&entry);
 *
 * cache_trim removes entries, those first that were not used for the longest time, until all together are below
 * SKEIN_CACHE_BYTES (2 GiB when it is not set). One that is in use, or was in the last hour, stays. */
#ifndef SKEIN_CACHE_H
#define SKEIN_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/fail.h"

struct cache {
	char *root;
};

struct cache_entry {
	char *folder;
	int lock; /* a descriptor with a shared lock */
};

int cache_open(struct cache *cache, struct fail *why);
void cache_close(struct cache *cache);
bool cache_take(const struct cache *cache, const char *key, struct cache_entry *entry);
char *cache_stage(const struct cache *cache, struct fail *why);
int cache_publish(const struct cache *cache, const char *stage, const char *key, struct cache_entry *entry, struct fail *why);
void cache_give(struct cache_entry *entry);
void cache_trim(const struct cache *cache);

struct cache_size {
	size_t entries;
	uint64_t bytes, limit;
};
struct cache_size cache_measure(const struct cache *cache);
struct cache_size cache_clean(const struct cache *cache); /* removes what is not in use; returns what it removed */

#endif
