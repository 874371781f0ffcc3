/* SPDX-License-Identifier: MIT */
/* routines.c: one numbering for the routines of all recordings.
 *
 * Problem: routines of two builds have different objects (build-ids), lines, and sometimes names; bodies that the compiler makes of
 * constructs carry numbers that depend on the whole file.
 * Idea: pairs by names that get looser: object by name, linkage name and file; the same without its folder; without the object; then file
 * and name in the source, without what the compiler appends. The program itself is one object, whatever its file is called. A body of a
 * construct is known by its function and its kind of construct, in the order of lines. What is left may be renamed
 * (renamed.c). */
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
	diff_find_renamed(d, recording, found);
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
