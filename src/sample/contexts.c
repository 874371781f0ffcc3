/* SPDX-License-Identifier: MIT */
#include "sample/contexts.h"

#include <string.h>
#include "sample/sampled.h"
#include "threads/arena.h"

static size_t bytes_of(uint32_t count)
{
	return sizeof(struct context) + count * sizeof(uint64_t);
}

void *contexts_capture(struct skein_self *self)
{
	struct sampled *s = sampled_of(self);
	struct context *parent = NULL, *c = NULL;
	if (!s || self->inside)
		return NULL;
	self->inside++;
	uint32_t count = (uint32_t)walk_to_creation(s, self, &parent);
	c = arena_take(bytes_of(count));
	if (c) {
		atomic_init(&c->users, 1);
		c->count = count;
		c->parent = parent;
		contexts_retain(parent);
		memcpy(c->places, s->captured, count * sizeof *c->places);
	} else {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
	}
	self->inside--;
	return c;
}

void contexts_retain(void *context)
{
	if (context)
		atomic_fetch_add_explicit(&((struct context *)context)->users, 1, memory_order_relaxed);
}

void contexts_release(void *context)
{
	struct context *c = context;
	while (c && atomic_fetch_sub_explicit(&c->users, 1, memory_order_acq_rel) == 1) {
		struct context *parent = c->parent;
		arena_give(c, bytes_of(c->count));
		c = parent;
	}
}
