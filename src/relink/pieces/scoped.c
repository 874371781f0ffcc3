/* SPDX-License-Identifier: MIT */
#include "relink/pieces/scoped.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/strv.h"

struct wanted {
	const char *name;
	size_t object;
};

static bool is_name(const void *names, size_t number, const void *what)
{
	const struct scoped_name *a = (const struct scoped_name *)names + number;
	const struct wanted *b = what;

	return a->object == b->object && strcmp(a->name, b->name) == 0;
}

size_t scoped_index(struct scoped *names, const char *name, size_t object)
{
	struct wanted key = {name, object};
	size_t *place = lookup_at(&names->index, hash_number(hash_text(HASH_START, name), object), is_name, names->at, &key);

	if (!*place) {
		MEMORY_GROW(names->at, names->count, names->room);
		names->at[names->count++] = (struct scoped_name){str_copy(name), object};
		*place = names->count;
	}
	return *place - 1;
}

void scoped_free(struct scoped *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->at[i].name);
	free(names->at);
	lookup_free(&names->index);
	*names = (struct scoped){0};
}
