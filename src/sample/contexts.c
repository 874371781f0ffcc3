/* SPDX-License-Identifier: MIT */
#include "sample/contexts.h"

#include <string.h>
#include "sample/sampled.h"
#include "threads/arena.h"

static size_t bytes_of(uint32_t count)
{
	return sizeof(struct context) + count * sizeof(uint64_t);
}

static struct context *make(struct sampled *s, uint32_t count, struct context *parent)
{
	struct context *c = arena_take(bytes_of(count));
	if (!c) {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return NULL;
	}
	atomic_init(&c->users, 1);
	c->count = count;
	c->parent = parent;
	c->depth = count + (parent ? parent->depth : 0);
	contexts_retain(parent);
	memcpy(c->places, s->captured, count * sizeof *c->places);
	return c;
}

static void release(struct context *c, uint32_t references)
{
	while (c && atomic_fetch_sub_explicit(&c->users, references, memory_order_acq_rel) == references) {
		struct context *parent = c->parent;
		arena_give(c, bytes_of(c->count));
		c = parent;
		references = 1;
	}
}

static void drop_latest(struct sampled *s)
{
	release(s->latest, s->latest_spare + 1);
	s->latest = NULL;
	s->latest_spare = 0;
}

void contexts_forget(struct sampled *s)
{
	drop_latest(s);
	s->trail.entered = 0;
}

/* A loop creates task after task in one place. Their context is the same, and the thread that hands it out takes references in
 * advance: a counter that this thread and those that run the tasks change in turn would cost more than everything
 * else. */
static struct context *again(struct sampled *s)
{
	enum { ADVANCE = 64 };
	if (s->latest_spare == 0) {
		atomic_fetch_add_explicit(&s->latest->users, ADVANCE, memory_order_relaxed);
		s->latest_spare = ADVANCE;
	}
	s->latest_spare--;
	return s->latest;
}

static bool is_latest(const struct sampled *s, uint32_t count, const struct context *parent)
{
	const struct context *c = s->latest;
	return c && c->parent == parent && c->count == count && memcmp(c->places, s->captured, count * sizeof *c->places) == 0;
}

void *contexts_capture(struct skein_self *self)
{
	struct sampled *s = sampled_of(self);
	struct context *parent = NULL, *c;
	if (!s || self->inside)
		return NULL;
	if (s->latest && walk_is_as_before(s, self))
		return again(s);
	self->inside++;
	uint32_t count = (uint32_t)walk_to_creation(s, self, &parent);
	if (is_latest(s, count, parent)) {
		c = again(s);
	} else {
		c = make(s, count, parent);
		drop_latest(s);
		contexts_retain(c);
		s->latest = c;
	}
	self->inside--;
	return c;
}

/* The places of one context, below the node of its parent: logical ones, with no frame on the stack. */
static uint32_t enter(uint32_t node, const struct context *c)
{
	for (uint32_t i = 0; i < c->count; i++) {
		struct lcct_x x = {.lip = c->places[c->count - 1 - i], .note = i + 1, .association = SKEIN_1_M};
		node = lcct_child(&sampler.tree, node, &x);
		if (!node)
			break;
	}
	return node;
}

static uint32_t node_of(struct context *c)
{
	return c ? atomic_load_explicit(&c->node, memory_order_relaxed) : 0;
}

/* Contexts without a node are entered from the outermost one inwards, some hundreds at a time: mostly there is one. */
uint32_t contexts_node(struct sampled *s, struct context *c)
{
	while (!node_of(c)) {
		unsigned unknown = 0, count = 0;
		struct context *at;
		for (at = c; at && !node_of(at); at = at->parent)
			unknown++;
		for (at = c; unknown > CONTEXTS_CHAIN; unknown--)
			at = at->parent;
		for (; at && !node_of(at); at = at->parent)
			s->chain[count++] = at;
		uint32_t node = node_of(at);
		while (count--) {
			node = enter(node, s->chain[count]);
			if (!node)
				return 0;
			atomic_store_explicit(&s->chain[count]->node, node, memory_order_relaxed);
		}
	}
	return node_of(c);
}

void contexts_retain(void *context)
{
	if (context)
		atomic_fetch_add_explicit(&((struct context *)context)->users, 1, memory_order_relaxed);
}

void contexts_release(void *context)
{
	release(context, 1);
}
