/* SPDX-License-Identifier: MIT */
/* routines.c: one numbering for the routines of all recordings.
 *
 * Problem: routines of two builds have different objects (build-ids), lines, and sometimes names; bodies that the compiler makes of
 * constructs carry numbers that depend on the whole file.
 * Idea: pairs by names that get looser: object by name, linkage name and file; the same without its folder; without the object; then file
 * and name in the source, without what the compiler appends. The program itself is one object, whatever its file is called. A body of a
 * construct is known by its function and its kind of construct, in the order of lines. What is left is renamed, if its file has a routine
 * on the very line on which it should be by its neighbours, and that one is left, too. */
#include <stdlib.h>
#include <string.h>

#include "analyse/diff/match.h"
#include "analyse/names.h"
#include "base/strv.h"
#include "report/diff/diff.h"

static const char *object_of(const struct run *run, const struct run_routine *r)
{
	if (r->object == RUN_NO_OBJECT)
		return "-";
	const struct run_object *object = &run->objects[r->object];
	return strcmp(object->build_id, run->build_id) == 0 || strcmp(object->path, run->program) == 0 ? "" : str_base(object->path);
}

/* Without what the compiler appends to a clone: "f.isra.0", "f(int) [clone .cold]". */
static const char *plain_name(struct pool *pool, const struct run_routine *r)
{
	const char *clone = strstr(r->name, " [clone "), *dot = r->name == r->linkage ? strchr(r->name + (*r->name == '.'), '.') : NULL;
	const char *end = clone ? clone : dot;
	return end && end > r->name ? pool_print(pool, "%.*s", (int)(end - r->name), r->name) : r->name;
}

static struct match_thing thing_of(struct pool *pool, const struct run *run, const struct run_routine *r)
{
	const char *what = "", *object = object_of(run, r), *base = str_base(r->file), *function = run_construct(pool, r, &what);
	struct match_thing thing = {.line = r->line};
	if (function) {
		const char *name = pool_print(pool, "%s\n%s", function, what);
		thing.keys[0] = pool_print(pool, "%s\n%s\n%s", object, name, r->file);
		thing.keys[1] = pool_print(pool, "%s\n%s\n%s", object, name, base);
		thing.keys[4] = pool_print(pool, "%s\n%s", name, base);
		return thing;
	}
	thing.keys[0] = pool_print(pool, "%s\n%s\n%s", object, r->linkage, r->file);
	thing.keys[1] = pool_print(pool, "%s\n%s\n%s", object, r->linkage, base);
	thing.keys[2] = pool_print(pool, "%s\n%s", r->linkage, base);
	thing.keys[3] = pool_print(pool, "%s\n%s", object, r->linkage);
	thing.keys[4] = *base ? pool_print(pool, "%s\n%s", base, plain_name(pool, r)) : NULL;
	return thing;
}

/* ---- renamed ---- */

/* A routine with a place, of the old list or of the new recording. */
struct spot {
	const char *file;
	uint32_t line;
	uint32_t at;    /* its number there */
	int64_t moved;  /* of a pair: new line less old line */
	bool is_paired;
};

static int by_place(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;
	int order = strcmp(x->file, y->file);
	if (order)
		return order;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* The new routine on that line that is not yet paired, if it is the only one there; or MATCH_NONE. */
static size_t left_on(const struct spot *list, size_t count, const char *file, int64_t line)
{
	size_t found = MATCH_NONE, low = 0, high = count;
	if (line <= 0 || line > UINT32_MAX)
		return MATCH_NONE;
	struct spot wanted = {.file = file, .line = (uint32_t)line};
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (by_place(&list[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < count && by_place(&list[low], &wanted) == 0; low++) {
		if (list[low].is_paired)
			continue;
		if (found != MATCH_NONE)
			return MATCH_NONE;
		found = low;
	}
	return found;
}

static bool can_be_renamed(const struct run_routine *r)
{
	return r->kind == RUN_PLAIN_KIND && *r->file && r->line;
}

/* The nearest paired routine of the same file before or behind; NULL: none. */
static const struct spot *neighbour(const struct spot *old, size_t count, size_t from, int step)
{
	for (size_t i = from + (size_t)step; i < count; i += (size_t)step) {
		if (strcmp(old[i].file, old[from].file) != 0)
			return NULL;
		if (old[i].is_paired)
			return &old[i];
	}
	return NULL;
}

static void find_renamed(struct diff *d, const struct run *run, size_t *found)
{
	struct spot *old = memory_resize(NULL, d->routine_count + 1, sizeof *old);
	struct spot *new = memory_resize(NULL, run->routine_count + 1, sizeof *new);
	size_t old_count = 0, new_count = 0;
	int64_t *moved = memory_zeroed(d->routine_count + 1, sizeof *moved);
	bool *is_paired = memory_zeroed(d->routine_count + 1, sizeof *is_paired);
	for (uint32_t i = 0; i < run->routine_count; i++) {
		const struct run_routine *r = &run->routines[i];
		if (found[i] != MATCH_NONE) {
			is_paired[found[i]] = true;
			moved[found[i]] = (int64_t)r->line - (int64_t)d->routines[found[i]].as->line;
		}
		if (can_be_renamed(r))
			new[new_count++] = (struct spot){str_base(r->file), r->line, i, 0, found[i] != MATCH_NONE};
	}
	for (uint32_t i = 0; i < d->routine_count; i++)
		if (can_be_renamed(d->routines[i].as))
			old[old_count++] = (struct spot){str_base(d->routines[i].as->file), d->routines[i].as->line, i, moved[i], is_paired[i]};
	if (old_count)
		qsort(old, old_count, sizeof *old, by_place);
	if (new_count)
		qsort(new, new_count, sizeof *new, by_place);
	for (size_t i = 0; i < old_count; i++) {
		if (old[i].is_paired)
			continue;
		const struct spot *before = neighbour(old, old_count, i, -1), *behind = neighbour(old, old_count, i, 1);
		size_t at = MATCH_NONE;
		if (before)
			at = left_on(new, new_count, old[i].file, old[i].line + before->moved);
		if (at == MATCH_NONE && behind)
			at = left_on(new, new_count, old[i].file, old[i].line + behind->moved);
		if (at == MATCH_NONE)
			continue;
		found[new[at].at] = old[i].at;
		new[at].is_paired = true;
	}
	free(old);
	free(new);
	free(moved);
	free(is_paired);
}

/* ---- all of it ---- */

static uint32_t add_routine(struct diff *d)
{
	struct diff_routine r = {.in = memory_resize(NULL, d->recording_count, sizeof *r.in)};
	for (size_t i = 0; i < d->recording_count; i++)
		r.in[i] = RUN_NOWHERE;
	MEMORY_GROW(d->routines, d->routine_count, d->routine_room);
	d->routines[d->routine_count] = r;
	return (uint32_t)d->routine_count++;
}

void diff_number_routines(struct diff *d, size_t recording)
{
	const struct run *run = d->recordings[recording].run;
	struct match_thing *old = memory_zeroed(d->routine_count + 1, sizeof *old);
	struct match_thing *new = memory_zeroed(run->routine_count + 1, sizeof *new);
	size_t *found = memory_resize(NULL, run->routine_count + 1, sizeof *found);
	struct pool pool = {0};
	size_t old_count = d->routine_count;
	/* the last recording that has a routine says which object it is of */
	for (size_t i = 0; i < old_count; i++)
		for (size_t r = recording; r-- > 0;)
			if (d->routines[i].in[r] != RUN_NOWHERE) {
				old[i] = thing_of(&pool, d->recordings[r].run, d->routines[i].as);
				break;
			}
	for (size_t i = 0; i < run->routine_count; i++)
		new[i] = thing_of(&pool, run, &run->routines[i]);
	match_lists(old, old_count, new, run->routine_count, found);
	find_renamed(d, run, found);
	uint32_t *numbers = d->recordings[recording].routines = memory_resize(NULL, run->routine_count + 1, sizeof *numbers);
	for (uint32_t i = 0; i < run->routine_count; i++) {
		numbers[i] = found[i] != MATCH_NONE ? (uint32_t)found[i] : add_routine(d);
		d->routines[numbers[i]].in[recording] = i;
		d->routines[numbers[i]].as = &run->routines[i];
	}
	free(old);
	free(new);
	free(found);
	pool_free(&pool);
}

const char *diff_inlined_into(const struct run *run, const struct run_routine *routine)
{
	for (size_t i = 0; i < run->inlined_count; i++) {
		const struct run_inlined *in = &run->inlined[i];
		if (strcmp(in->name, routine->linkage) != 0 && strcmp(in->name, routine->name) != 0)
			continue;
		if (*in->file && *routine->file && strcmp(str_base(in->file), str_base(routine->file)) != 0)
			continue;
		return in->into == RUN_NOWHERE ? "" : run_shown(&run->routines[in->into]);
	}
	return NULL;
}
