/* SPDX-License-Identifier: MIT */
#include "relink/returns.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

struct returns_name {
	char *name;
	size_t object;        /* the only one that has it, from 1; 0: all know it */
	size_t defined, said; /* by so many objects */
	bool is_visible, stops;
	size_t first, callers; /* in the list of callers, while it is solved */
};

struct returns_call {
	size_t caller, callee; /* indices of names */
};

static bool is_name(const void *names, size_t number, const void *what)
{
	const struct returns_name *a = (const struct returns_name *)names + number, *b = what;
	return a->object == b->object && strcmp(a->name, b->name) == 0;
}

static size_t index_of(struct returns *r, char *name, size_t object)
{
	struct returns_name key = {.name = name, .object = object};
	size_t *place = lookup_at(&r->index, hash_number(hash_text(HASH_START, name), object), is_name, r->names, &key);

	if (!*place) {
		MEMORY_GROW(r->names, r->name_count, r->name_room);
		key.name = str_copy(name);
		r->names[r->name_count++] = key;
		*place = r->name_count;
	}
	return *place - 1;
}

void returns_define(struct returns *r, const char *name)
{
	char *copy = str_copy(name);
	size_t index = index_of(r, copy, 0);

	r->names[index].defined++;
	free(copy);
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
	r->names[caller].said++;
	r->names[caller].defined += r->names[caller].object != 0;
	r->names[caller].is_visible |= *visibility == 'd' && !r->names[caller].object;
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
		r->names[r->calls[i].callee].callers++;
	for (size_t i = 0; i < r->name_count; i++) {
		r->names[i].first = at;
		at += r->names[i].callers;
		r->names[i].callers = 0;
	}
	for (size_t i = 0; i < r->call_count; i++) {
		struct returns_name *callee = &r->names[r->calls[i].callee];
		callers[callee->first + callee->callers++] = r->calls[i].caller;
	}
	return callers;
}

void returns_solve(struct returns *r, bool is_program, struct strv *names)
{
	size_t *callers = list_callers(r), *stopped = mem_or_die(calloc(r->name_count + 1, sizeof *stopped)), count = 0;

	for (size_t i = 0; i < r->name_count; i++) {
		struct returns_name *n = &r->names[i];
		n->stops = !n->said || n->said < n->defined || (n->is_visible && !is_program);
		if (n->stops)
			stopped[count++] = i;
	}
	while (count) {
		const struct returns_name *n = &r->names[stopped[--count]];
		for (size_t i = 0; i < n->callers; i++) {
			struct returns_name *caller = &r->names[callers[n->first + i]];
			if (!caller->stops)
				stopped[count++] = callers[n->first + i];
			caller->stops = true;
		}
	}
	for (size_t i = 0; i < r->name_count; i++)
		if (!r->names[i].stops && !r->names[i].object)
			strv_add(names, r->names[i].name);
	free(callers);
	free(stopped);
}

void returns_free(struct returns *r)
{
	for (size_t i = 0; i < r->name_count; i++)
		free(r->names[i].name);
	free(r->names);
	free(r->calls);
	lookup_free(&r->index);
	*r = (struct returns){0};
}
