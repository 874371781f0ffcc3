/* SPDX-License-Identifier: MIT */
/* renamed.c: routines that are called otherwise in a further recording.
 *
 * Problem: a routine that is gone and one that is new may be one routine with two names, and nothing in a recording says so.
 * Idea: it lies where it lay. The nearest routines of its file that are in both recordings tell by how many lines the code around it
 * moved; a new routine on that very line takes its place. Where several old routines could be the new one, because some were removed, it is
 * the one that is as long as the new one: from its first line to that of the next routine, inlined or not. If that does not decide, none
 * of them was renamed. */
#include <stdlib.h>
#include <string.h>

#include "base/strv.h"
#include "report/diff/diff.h"

/* A routine with a place, of the old list or of the new recording. */
struct spot {
	const char *file;
	uint32_t line;
	uint32_t at;   /* number there; RUN_NOWHERE: inlined everywhere */
	int64_t moved; /* of a pair: new line less old line */
	bool is_paired;
};

struct spots {
	struct spot *list;
	size_t count, room;
};

static int by_place(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;
	int order = strcmp(x->file, y->file);
	if (order)
		return order;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void add(struct spots *to, const struct spot *spot)
{
	MEMORY_GROW(to->list, to->count, to->room);
	to->list[to->count++] = *spot;
}

static void add_inlined(struct spots *to, const struct run *run)
{
	for (size_t i = 0; i < run->inlined_count; i++)
		if (run->inlined[i].line && *run->inlined[i].file)
			add(to, &(struct spot){str_base(run->inlined[i].file), run->inlined[i].line, RUN_NOWHERE, 0, true});
}

static bool has_place(const struct run_routine *r)
{
	return r->kind == RUN_PLAIN_KIND && *r->file && r->line;
}

/* How far the next routine of the file is; 0: there is none. */
static uint32_t length_of(const struct spots *s, size_t at)
{
	size_t next = at + 1;
	while (next < s->count && strcmp(s->list[next].file, s->list[at].file) == 0 && s->list[next].line == s->list[at].line)
		next++;
	bool has_next = next < s->count && strcmp(s->list[next].file, s->list[at].file) == 0;
	return has_next ? s->list[next].line - s->list[at].line : 0;
}

/* The nearest pair of the same file before or behind, of routines that are not inlined; NULL: none. */
static const struct spot *neighbour(const struct spots *s, size_t from, int step)
{
	for (size_t i = from + (size_t)step; i < s->count; i += (size_t)step) {
		if (strcmp(s->list[i].file, s->list[from].file) != 0)
			return NULL;
		if (s->list[i].is_paired && s->list[i].at != RUN_NOWHERE)
			return &s->list[i];
	}
	return NULL;
}

/* Whether the old routine would lie on the new one's line by one of its neighbours. */
static bool could_be(const struct spots *old, size_t at, const struct spot *new)
{
	const struct spot *mine = &old->list[at];
	if (mine->is_paired || strcmp(mine->file, new->file) != 0)
		return false;
	const struct spot *before = neighbour(old, at, -1), *behind = neighbour(old, at, 1);
	return (before && mine->line + before->moved == new->line) || (behind && mine->line + behind->moved == new->line);
}

/* The old routine that the new one was, or MATCH_NONE. */
static size_t claimant(const struct spots *old, const struct spots *new, size_t at)
{
	size_t first = MATCH_NONE, fitting = MATCH_NONE, count = 0, fit = 0;
	for (size_t i = 0; i < old->count; i++) {
		if (!could_be(old, i, &new->list[at]))
			continue;
		first = i;
		count++;
		if (length_of(old, i) && length_of(old, i) == length_of(new, at)) {
			fitting = i;
			fit++;
		}
	}
	return count == 1 ? first : fit == 1 ? fitting : MATCH_NONE;
}

static void list_spots(const struct diff *d, size_t recording, const size_t *found, struct spots *old, struct spots *new)
{
	const struct run *run = d->recordings[recording].run;
	int64_t *moved = memory_zeroed(d->routine_count + 1, sizeof *moved);
	bool *is_paired = memory_zeroed(d->routine_count + 1, sizeof *is_paired);
	for (uint32_t i = 0; i < run->routine_count; i++) {
		const struct run_routine *r = &run->routines[i];
		if (found[i] != MATCH_NONE) {
			is_paired[found[i]] = true;
			moved[found[i]] = (int64_t)r->line - (int64_t)d->routines[found[i]].as->line;
		}
		if (has_place(r))
			add(new, &(struct spot){str_base(r->file), r->line, i, 0, found[i] != MATCH_NONE});
	}
	for (uint32_t i = 0; i < d->routine_count; i++)
		if (has_place(d->routines[i].as))
			add(old, &(struct spot){str_base(d->routines[i].as->file), d->routines[i].as->line, i, moved[i], is_paired[i]});
	add_inlined(new, run);
	if (recording)
		add_inlined(old, d->recordings[recording - 1].run);
	free(moved);
	free(is_paired);
}

static void sort(struct spots *s)
{
	if (s->count)
		qsort(s->list, s->count, sizeof *s->list, by_place);
}

/* Of programs that have little in common nothing was renamed, and each new routine would be held against each old one. */
void diff_find_renamed(const struct diff *d, size_t recording, size_t *found)
{
	enum { MOST_LEFT = 2000 };
	struct spots old = {0}, new = {0};
	size_t left = 0;
	list_spots(d, recording, found, &old, &new);
	sort(&old);
	sort(&new);
	for (size_t i = 0; i < old.count; i++)
		left += !old.list[i].is_paired;
	for (size_t i = 0; i < new.count &&left <= MOST_LEFT; i++) {
		if (new.list[i].is_paired)
			continue;
		size_t was = claimant(&old, &new, i);
		if (was == MATCH_NONE)
			continue;
		found[new.list[i].at] = old.list[was].at;
		old.list[was].is_paired = new.list[i].is_paired = true;
		old.list[was].moved = (int64_t)new.list[i].line - (int64_t)old.list[was].line;
	}
	free(old.list);
	free(new.list);
}
