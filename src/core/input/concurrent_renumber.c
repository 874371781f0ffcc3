/* SPDX-License-Identifier: MIT */
/* concurrent_renumber.c: restarts counters and words without changing any answer that they give.
 *
 * A thread's times are compared only with the starts of its open activations: each time becomes the number of
 * activations that began at or before it. No other thread is involved.
 * Words answer whether the word that a thread has seen is still in the cell, and which thread wrote it. A word in a
 * cell becomes epoch 0 of a new id of its writer; a seen word that is no longer in its cell becomes 0. Running
 * threads continue with epoch 1, and so do threads that later get the id of an ended thread. All other threads must
 * stand still; this happens once in 2^30 epochs. */
#include "core/input/concurrent.h"

void input_concurrent_renumber_times(struct input_thread *t)
{
	for (uint32_t slot = 0; slot < input_map_slots(&t->lane.chunks); slot++) {
		struct input_chunk *c = (struct input_chunk *)(uintptr_t)t->lane.chunks.slots[slot].value;
		for (uint32_t i = 0; c && i < INPUT_CELLS; i++)
			if (c->stamps[i])
				c->stamps[i] = input_rank(t->frames, t->depth, c->stamps[i] >> 1) << 1;
		if (c)
			((struct input_concurrent_chunk *)c)->quiet =
				t->depth + 1; /* the counter from now on: nothing is known to be quiet */
	}
	for (uint32_t i = 0; i < t->depth; i++)
		t->frames[i].start = i + 1;
	t->count = t->depth + 1;
	t->base = t->count;
}

struct renumbering {
	struct input_concurrent *all;
	struct input_writers old; /* the earlier owners of ids */
	struct input_map words;   /* from a thread to its new word */
};

/* A word of epoch 0 for the thread; 1: an unknown writer, if there are not enough ids for all ended threads. */
static uint32_t word_of(struct renumbering *r, uint32_t thread, bool running)
{
	struct input_writers *w = &r->all->writers;
	uint64_t *there = input_map_find(&r->words, thread);
	if (there)
		return (uint32_t)*there;
	if (!thread || (!running && w->fresh > w->ids_max / 2))
		return input_word(0, 0, INPUT_BY_THREAD);
	uint64_t *value = input_map_put(&r->words, w->port, thread);
	uint32_t word = value ? input_writers_take(w, thread) : 0;
	if (value)
		*value = word ? word : input_word(0, 0, INPUT_BY_THREAD);
	return value ? (uint32_t)*value : input_word(0, 0, INPUT_BY_THREAD);
}

static uint32_t renumber_word(struct renumbering *r, uint32_t word)
{
	if (!word)
		return 0;
	if ((word & INPUT_BY) == INPUT_BY_KERNEL)
		return input_word(0, 0, INPUT_BY_KERNEL);
	return word_of(r, input_writers_who(&r->old, word), false);
}

static void renumber_world(struct renumbering *r, struct input_concurrent_world *world)
{
	for (struct input_chunk *c = world->head.chunks; c; c = c->next)
		((struct input_concurrent_chunk *)c)->word = 0;
	for (uint32_t i = 0; i < INPUT_CELLS; i++) {
		uint32_t word = world->words[i], fresh = renumber_word(r, word);
		for (struct input_chunk *c = world->head.chunks; c; c = c->next) {
			uint32_t *seen = &((struct input_concurrent_chunk *)c)->seen[i];
			*seen = *seen == word ? fresh : 0;
		}
		world->words[i] = fresh;
	}
}

/* Gives running threads epoch 1: epoch 0 stands for their earlier writes. */
static void renumber_threads(struct renumbering *r)
{
	for (struct input_thread *t = r->all->threads; t; t = t->next) {
		struct input_concurrent_thread *thread = (struct input_concurrent_thread *)t;
		if (!t->depth)
			continue;
		thread->word = word_of(r, t->id, true) + 4;
		thread->wrote = !input_word_id(thread->word); /* a thread without an id looks for one at its next sync */
	}
}

/* Gives back the ids of threads that have ended. */
static void give_rest(struct renumbering *r)
{
	for (struct input_thread *t = r->all->threads; t; t = t->next)
		if (t->depth)
			input_map_remove(&r->words, t->id);
	for (uint32_t i = 0; i < input_map_slots(&r->words); i++)
		if (r->words.slots[i].key && input_word_id((uint32_t)r->words.slots[i].value))
			input_writers_give(&r->all->writers, (uint32_t)r->words.slots[i].value);
}

bool input_concurrent_renumber_words(struct input_concurrent *all)
{
	struct renumbering r = {.all = all, .old = all->writers};
	struct input_world *world;
	struct input_writers fresh;
	if (!input_writers_start(&fresh, all->shadow.port))
		return false;
	fresh.ids_max = all->writers.ids_max;
	fresh.epochs_max = all->writers.epochs_max;
	all->writers = fresh;
	for (struct input_thread *t = all->threads; t; t = t->next)
		if (t->depth)
			word_of(&r, t->id, true);
	for (uint64_t n = 0; (world = input_world_next(&all->shadow, &n, UINT64_MAX)); n++)
		renumber_world(&r, (struct input_concurrent_world *)world);
	renumber_threads(&r);
	give_rest(&r);
	input_writers_free(&r.old);
	input_map_free(&r.words, all->shadow.port);
	all->renumbered++;
	return true;
}
