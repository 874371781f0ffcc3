/* SPDX-License-Identifier: MIT */
#include "core/paths/memory.h"
#include <stdint.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 18, ALIGNMENT = 16 };

struct paths_chunk {
	struct paths_chunk *next;
	size_t used, room;
	_Alignas(ALIGNMENT) char bytes[];
};

/* The next chunk with enough room: smaller chunks stay empty until the next release. */
static struct paths_chunk *chunk_for(struct paths_memory *m, size_t bytes)
{
	struct paths_chunk **link = m->at ? &m->at->next : &m->first;
	while (*link && (*link)->room < bytes) {
		(*link)->used = 0;
		link = &(*link)->next;
	}
	if (!*link) {
		size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
		struct paths_chunk *c = m->more(m->context, sizeof *c + room);
		if (!c)
			return NULL;
		*c = (struct paths_chunk){.room = room};
		*link = c;
	}
	m->at = *link;
	m->at->used = 0;
	return m->at;
}

void *paths_take(struct paths_memory *m, size_t count, size_t size)
{
	if (size && count > (SIZE_MAX / 2 - ALIGNMENT) / size)
		m->failed = true;
	if (m->failed)
		return NULL;
	size_t bytes = (count * size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	struct paths_chunk *c = m->at;
	if (!c || c->room - c->used < bytes)
		c = chunk_for(m, bytes);
	if (!c) {
		m->failed = true;
		return NULL;
	}
	void *p = c->bytes + c->used;
	c->used += bytes;
	memset(p, 0, bytes);
	return p;
}

struct paths_mark paths_mark(const struct paths_memory *m)
{
	return (struct paths_mark){m->at, m->at ? m->at->used : 0};
}

void paths_release(struct paths_memory *m, struct paths_mark mark)
{
	m->at = mark.at;
	if (m->at)
		m->at->used = mark.used;
}
