/* SPDX-License-Identifier: MIT */
/* aside.c: handles what is set aside in a log: entries of the best child of a scope that is not synced yet, in the
 * middle of the path.
 *
 * Problem: a thread's path begins with a copy of its creator's log, and when it is joined it replaces the log of the
 * joining thread. Scopes of open invocations know by place which entries are set aside, so copy and log must agree
 * on them.
 * Idea: the copy remembers what was set aside when it was made. What was synced since then is cut out of the copy; what was
 * spawned since then is synced before the log is replaced. */
#include "rt/span/join.h"

static void note_aside(struct thread_path *path, const struct span_scope *scope)
{
	if (scope->best < 0 || scope->l0 >= scope->l1)
		return;
	if (path->aside_count < ASIDES)
		path->asides[path->aside_count++] = (struct aside){scope, scope->l0, scope->l1};
	else
		raw_lose(RAW_LOST_NO_MEMORY, 1);
}

void aside_note(struct thread_path *path, const struct rt_frame *f)
{
	for (; f; f = f->up) {
		for (const struct rt_scope *s = f->scopes; s; s = s->next)
			note_aside(path, &s->scope);
		if (f->is_loop)
			note_aside(path, &f->loop.scope);
	}
}

static void cut_aside(struct thread_path *path, const struct aside *a)
{
	uint64_t at = a->l0 / sizeof(struct span_entry), count = (a->l1 - a->l0) / sizeof(struct span_entry);
	if (at + count <= path->create_count)
		path->from.entries[at] = (struct span_entry){SPAN_GAP, {count, 0, 0}};
}

uint64_t aside_at(const struct thread_path *path, uint64_t entry)
{
	for (uint32_t i = 0; i < path->aside_count; i++)
		if (path->asides[i].l0 == entry * sizeof(struct span_entry))
			return (path->asides[i].l1 - path->asides[i].l0) / sizeof(struct span_entry);
	return 0;
}

static bool is_aside(const struct thread_path *path, const struct span_scope *s)
{
	for (uint32_t i = 0; i < path->aside_count; i++)
		if (path->asides[i].scope == s && path->asides[i].l0 == s->l0 && path->asides[i].l1 == s->l1)
			return true;
	return s->best < 0 || s->l0 >= s->l1;
}

static bool is_still_aside(const struct aside *a)
{
	for (const struct rt_frame *f = skein_self.frames; f; f = f->up) {
		for (const struct rt_scope *s = f->scopes; s; s = s->next)
			if (&s->scope == a->scope)
				return s->scope.best >= 0 && s->scope.l0 == a->l0 && s->scope.l1 == a->l1;
		if (&f->loop.scope == a->scope)
			return f->is_loop && f->loop.scope.best >= 0 && f->loop.scope.l0 == a->l0 && f->loop.scope.l1 == a->l1;
	}
	return false;
}

/* The log is about to be replaced by the path's: what is set aside in either must be so in both. */
void aside_agree(struct span_lane *lane, struct thread_path *path)
{
	for (struct rt_frame *f = skein_self.frames; f; f = f->up)
		for (struct rt_scope *s = f->scopes; s; s = s->next)
			if (!is_aside(path, &s->scope))
				span_sync(lane, &f->f, &s->scope, f->n);
	for (uint32_t i = 0; i < path->aside_count; i++)
		if (!is_still_aside(&path->asides[i]))
			cut_aside(path, &path->asides[i]);
}

/* Where the entries begin that no scope or loop has a hand on. */
uint64_t aside_region(void)
{
	uint64_t region = 0;
	for (const struct rt_frame *f = skein_self.frames; f; f = f->up) {
		for (const struct rt_scope *s = f->scopes; s; s = s->next)
			region = s->scope.best >= 0 && s->scope.l1 > region ? s->scope.l1 : region;
		if (f->spawning && f->spawning->start > region)
			region = f->spawning->start;
		if (f->is_loop && f->iterating && f->loop.start > region)
			region = f->loop.start;
	}
	return region;
}

/* A loop that began since the create, or got further, has no place for a path that leads around it. */
bool aside_loops_agree(const struct thread_path *path)
{
	for (const struct rt_frame *f = skein_self.frames; f; f = f->up)
		if (f->is_loop && !is_aside(path, &f->loop.scope))
			return false;
	return true;
}
