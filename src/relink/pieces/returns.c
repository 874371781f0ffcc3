/* SPDX-License-Identifier: MIT */
#include "relink/pieces/returns.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct returns_function {
	size_t defined, said; /* by so many objects */
	bool is_visible, stops;
	size_t first, callers; /* in the list of callers, while it is solved */
};

struct returns_call {
	size_t caller, callee; /* indices of names */
};

static size_t index_of(struct returns *r, const char *name, size_t object)
{
	size_t index = scoped_index(&r->names, name, object);

	if (index == r->function_count) {
		MEMORY_GROW(r->functions, r->function_count, r->function_room);
		r->functions[r->function_count++] = (struct returns_function){0};
	}
	return index;
}

void returns_define(struct returns *r, const char *name)
{
	size_t index = index_of(r, name, 0);

	r->functions[index].defined++;
}

static size_t index_of_word(struct returns *r, char *word)
{
	return *word == '-' ? index_of(r, word + 1, r->objects) : index_of(r, word, 0);
}

static void add_line(struct returns *r, char *line)
{
	char *rest = line, *visibility = strsep(&rest, "\t"), *word = strsep(&rest, "\t");

	if (!word)
		return;
	size_t caller = index_of_word(r, word);
	bool is_local = r->names.at[caller].object;
	r->functions[caller].said++;
	r->functions[caller].defined += is_local;
	r->functions[caller].is_visible |= *visibility == 'd' && !is_local;
	while ((word = strsep(&rest, "\t"))) {
		size_t callee = index_of_word(r, word);
		MEMORY_GROW(r->calls, r->call_count, r->call_room);
		r->calls[r->call_count++] = (struct returns_call){caller, callee};
	}
}

void returns_add(struct returns *r, const char *lines, size_t size)
{
	char *text = mem_or_die(strndup(lines, size)), *rest = text;

	r->objects++;
	for (char *line; (line = strsep(&rest, "\n"));)
		add_line(r, line);
	free(text);
}

/* Callers of each name, together. */
static size_t *list_callers(struct returns *r)
{
	size_t *callers = mem_or_die(calloc(r->call_count + 1, sizeof *callers)), at = 0;

	for (size_t i = 0; i < r->call_count; i++)
		r->functions[r->calls[i].callee].callers++;
	for (size_t i = 0; i < r->function_count; i++) {
		r->functions[i].first = at;
		at += r->functions[i].callers;
		r->functions[i].callers = 0;
	}
	for (size_t i = 0; i < r->call_count; i++) {
		struct returns_function *callee = &r->functions[r->calls[i].callee];
		callers[callee->first + callee->callers++] = r->calls[i].caller;
	}
	return callers;
}

void returns_solve(struct returns *r, bool is_program, struct strv *names)
{
	size_t *callers = list_callers(r), *stopped = mem_or_die(calloc(r->function_count + 1, sizeof *stopped)), count = 0;

	for (size_t i = 0; i < r->function_count; i++) {
		struct returns_function *n = &r->functions[i];
		n->stops = !n->said || n->said < n->defined || (n->is_visible && !is_program);
		if (n->stops)
			stopped[count++] = i;
	}
	while (count) {
		const struct returns_function *n = &r->functions[stopped[--count]];
		for (size_t i = 0; i < n->callers; i++) {
			struct returns_function *caller = &r->functions[callers[n->first + i]];
			if (!caller->stops)
				stopped[count++] = callers[n->first + i];
			caller->stops = true;
		}
	}
	for (size_t i = 0; i < r->function_count; i++)
		if (!r->functions[i].stops && !r->names.at[i].object)
			strv_add(names, r->names.at[i].name);
	free(callers);
	free(stopped);
}

void returns_free(struct returns *r)
{
	scoped_free(&r->names);
	free(r->functions);
	free(r->calls);
	*r = (struct returns){0};
}
