/* SPDX-License-Identifier: MIT */
#include "relink/pieces/optimised.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/blob.h"
#include "base/folder.h"
#include "keys/lenses.h"

bool optimised_is_shared(const struct relink_link *l, const struct piece *p)
{
	return !p->is_optimised && !(lens_traits(l->ask->lens) & LENS_KEEPS_CALLS);
}

static char *key_of(const struct piece *p)
{
	return str_format("optimised-%s", p->shared);
}

static bool is_module(const char *path)
{
	struct blob file;
	struct fail unread;

	if (blob_read(path, &file, &unread) < 0)
		return false;
	bool is = bitcode_modules(file) == 1;
	blob_free(&file);
	return is;
}

/* A file that a crash of the system left empty is no module, and would be made an object without functions. */
void optimised_take(const struct relink_link *l, struct piece *p)
{
	struct cache_entry entry = {.lock = -1};
	char *key = key_of(p);

	if (cache_take(l->cache, key, &entry)) {
		char *from = str_format("%s/" OPTIMISED_FILE, entry.folder), *to = str_format("%s." OPTIMISED_FILE, p->bitcode);
		p->is_optimised = is_module(from) && link(from, to) == 0;
		if (!p->is_optimised)
			folder_remove(entry.folder);
		if (p->is_optimised) {
			unlink(p->bitcode);
			free(p->bitcode);
			p->bitcode = to;
		} else {
			free(to);
		}
		free(from);
		cache_give(&entry);
	}
	free(key);
}

void optimised_drop(const struct relink_link *l, const struct piece *p)
{
	struct cache_entry entry = {.lock = -1};
	char *key = key_of(p);

	if (cache_take(l->cache, key, &entry)) {
		folder_remove(entry.folder);
		cache_give(&entry);
	}
	free(key);
}

/* Nothing is lost if this fails. */
void optimised_keep(const struct relink_link *l, const struct piece *p, const char *stage)
{
	struct cache_entry entry = {.lock = -1};
	struct fail unsaid;
	char *from = str_format("%s/" OPTIMISED_FILE, stage), *own = access(from, F_OK) == 0 ? cache_stage(l->cache, &unsaid) : NULL;

	if (own) {
		char *to = str_format("%s/" OPTIMISED_FILE, own), *key = key_of(p);
		if (rename(from, to) < 0)
			folder_remove(own);
		else if (cache_publish(l->cache, own, key, &entry, &unsaid) == 0)
			cache_give(&entry);
		free(to);
		free(key);
		free(own);
	}
	free(from);
}
