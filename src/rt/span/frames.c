/* SPDX-License-Identifier: MIT */
/* frames.c: memory for invocations of the general kind and their scopes.
 *
 * Problem: an invocation that is left by a jump (longjmp, an exception, pthread_exit, cancellation) is ended later,
 * by the next hook. By then its stack belongs to other invocations.
 * Idea: frames lie beside the stack, in free lists of the lane: last in, first out, so they stay warm. A signal handler that comes
 * between two steps takes and gives back as many, so each list is what it was.
 * Cost: a few instructions; as much memory as there were ever open at once. */
#include "rt/span/span.h"

#include "threads/arena.h"

enum { FRAMES_AT_ONCE = 16384 / sizeof(struct rt_frame), SCOPES_AT_ONCE = 4096 / sizeof(struct rt_scope) };

/* The frame of threads that are not met, have ended, or have no memory: any thread writes it, and it is never read. */
struct rt_frame span_nowhere;
static struct rt_scope no_scope;

static bool more_frames(struct span_worker *w)
{
	struct rt_frame *all = arena_take(FRAMES_AT_ONCE * sizeof *all);
	for (size_t i = 0; all && i < FRAMES_AT_ONCE; i++) {
		all[i].up = w->free_frames;
		w->free_frames = &all[i];
	}
	return all;
}

struct rt_frame *span_take_frame(struct span_worker *w)
{
	if (!w)
		return &span_nowhere;
	if (!w->free_frames && !more_frames(w)) {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return &span_nowhere;
	}
	struct rt_frame *f = w->free_frames;
	w->free_frames = f->up;
	return f;
}

void span_give_frame(struct span_worker *w, struct rt_frame *f)
{
	struct rt_scope *next;
	for (struct rt_scope *s = f->scopes; s; s = next) {
		next = s->next;
		s->next = w->free_scopes;
		w->free_scopes = s;
	}
	f->up = w->free_frames;
	w->free_frames = f;
}

static bool more_scopes(struct span_worker *w)
{
	struct rt_scope *all = arena_take(SCOPES_AT_ONCE * sizeof *all);
	for (size_t i = 0; all && i < SCOPES_AT_ONCE; i++) {
		all[i].next = w->free_scopes;
		w->free_scopes = &all[i];
	}
	return all;
}

/* A scope that the program enters again is the same one. */
struct rt_scope *span_take_scope(struct span_worker *w, struct rt_frame *f, uint32_t number)
{
	for (struct rt_scope *s = f->scopes; s; s = s->next)
		if (s->number == number)
			return s;
	if (!w || f == &span_nowhere)
		return &no_scope;
	if (!w->free_scopes && !more_scopes(w)) {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return &no_scope;
	}
	struct rt_scope *s = w->free_scopes;
	w->free_scopes = s->next;
	s->number = number;
	s->latest = NULL;
	s->next = f->scopes;
	f->scopes = s;
	return s;
}
