/* SPDX-License-Identifier: MIT */
/* run_names.c: what routines are called in text.
 *
 * Problem: a full C++ name fills a terminal, and bodies that the compiler made have names that are in no source file.
 * Idea: no parameters; a body is called by its function and its construct, "main (parallel)". Where two routines would be
 * called the same, bodies get their lines and all others their full names, so that they can be told apart.
 *
 * The body of a task does not say which function it is in. It belongs to the last function that begins before it in its
 * file: C has no nested functions. A function that was inlined everywhere counts, too, where the recording lists it. */
#include <stdlib.h>
#include <string.h>

#include "analyse/names.h"
#include "analyse/run.h"

const char *run_construct(struct pool *pool, const struct run_routine *r, const char **what)
{
	const char *function = names_construct(pool, r->linkage, what);
	if (function && r->kind == RUN_PARALLEL_KIND)
		*what = "(parallel)";
	else if (function && r->kind == RUN_TASK_KIND)
		*what = "(task)";
	return function;
}

static const char *construct_of(struct run *run, const struct run_routine *r, const char **what)
{
	return r->object == RUN_NO_OBJECT ? NULL : run_construct(&run->pool, r, what);
}

/* The function around a line, or nothing. */
static const char *function_around(struct run *run, const struct run_routine *body)
{
	const char *found = "", *unused;
	uint32_t best = 0;
	for (size_t i = 1; i < run->routine_count; i++) {
		const struct run_routine *r = &run->routines[i];
		if (r->object == body->object && r->line > best && r->line <= body->line && strcmp(r->file, body->file) == 0 &&
		    !construct_of(run, r, &unused)) {
			best = r->line;
			found = names_brief(&run->pool, r->name);
		}
	}
	for (size_t i = 0; i < run->inlined_count; i++) {
		const struct run_inlined *r = &run->inlined[i];
		if (r->line > best && r->line <= body->line && strcmp(r->file, body->file) == 0 &&
		    !names_construct(&run->pool, r->name, &unused)) {
			best = r->line;
			found = names_brief(&run->pool, r->name);
		}
	}
	return found;
}

static const char *body_name(struct run *run, const struct run_routine *r, const char *function, const char *what, bool with_line)
{
	if (!*function && r->line && *r->file)
		function = function_around(run, r);
	if (with_line)
		what = pool_print(&run->pool, "%.*s, line %u)", (int)strlen(what) - 1, what, r->line);
	return pool_print(&run->pool, "%s%s%s", names_brief(&run->pool, function), *function ? " " : "", what);
}

static int by_shown(const void *a, const void *b)
{
	const struct run_routine *x = *(struct run_routine *const *)a, *y = *(struct run_routine *const *)b;
	int order = strcmp(x->shown, y->shown);
	return order ? order : strcmp(x->name, y->name);
}

/* Routines that would be called the same. */
static void tell_apart(struct run *run, struct run_routine **list, size_t count)
{
	bool lines = false, names = false;
	for (size_t i = 1; i < count; i++) {
		lines |= list[i]->line != list[0]->line;
		names |= strcmp(list[i]->name, list[0]->name) != 0;
	}
	for (size_t i = 0; names && i < count; i++) {
		const char *what, *function = construct_of(run, list[i], &what);
		if (!function)
			list[i]->shown = list[i]->name;
		else if (lines && list[i]->line)
			list[i]->shown = body_name(run, list[i], function, what, true);
	}
}

void run_show_names(struct run *run)
{
	struct run_routine **list = memory_resize(NULL, run->routine_count, sizeof *list);
	for (size_t i = 0; i < run->routine_count; i++) {
		struct run_routine *r = list[i] = &run->routines[i];
		const char *what, *function = construct_of(run, r, &what);
		r->shown = function                         ? body_name(run, r, function, what, false)
			: strncmp(r->linkage, "_Z", 2) == 0 ? names_brief(&run->pool, r->name)
							    : r->name;
	}
	if (run->routine_count)
		qsort(list, run->routine_count, sizeof *list, by_shown);
	for (size_t first = 0, end; first < run->routine_count; first = end) {
		const char *shown = list[first]->shown;
		for (end = first + 1; end < run->routine_count && strcmp(list[end]->shown, shown) == 0;)
			end++;
		tell_apart(run, list + first, end - first);
	}
	free(list);
}

const char *run_shown(const struct run_routine *routine)
{
	return routine->shown ? routine->shown : routine->name;
}
