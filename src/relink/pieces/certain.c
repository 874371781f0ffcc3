/* SPDX-License-Identifier: MIT */
#include "relink/pieces/certain.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "build/elf64.h"

struct place {
	uint64_t section, value;
	const char *name;
};

struct places {
	struct place *at;
	size_t count, room;
};

static void see_function(void *context, const struct elf64_symbol *symbol)
{
	struct places *all = context;

	if (!symbol->is_defined || !symbol->is_function)
		return;
	MEMORY_GROW(all->at, all->count, all->room);
	all->at[all->count++] = (struct place){symbol->section, symbol->value, symbol->name};
}

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

static bool is_same(const struct places *all, size_t i, size_t k)
{
	return k < all->count && by_place(&all->at[i], &all->at[k]) == 0;
}

/* An alias stands where its function does. */
void certain_add_piece(struct certain *c, struct blob object)
{
	struct places all = {0};

	elf64_symbols(object, see_function, &all);
	if (all.count)
		qsort(all.at, all.count, sizeof *all.at, by_place);
	for (size_t i = 0; i < all.count; i++)
		if (is_same(&all, i, i + 1) || (i > 0 && is_same(&all, i, i - 1)))
			strv_add(&c->doubtful, all.at[i].name);
	free(all.at);
}

static void see_native(void *names, const struct elf64_symbol *symbol)
{
	if (symbol->is_defined && !symbol->is_local)
		strv_add(names, symbol->name);
}

void certain_add_native(struct certain *c, struct blob object)
{
	elf64_symbols(object, see_native, &c->doubtful);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_doubtful(const struct certain *c, char **name)
{
	return c->doubtful.count && bsearch(name, c->doubtful.at, c->doubtful.count, sizeof *c->doubtful.at, by_text);
}

void certain_keep(struct certain *c, struct strv *names)
{
	struct strv kept = {0};

	if (c->doubtful.count)
		qsort(c->doubtful.at, c->doubtful.count, sizeof *c->doubtful.at, by_text);
	for (size_t i = 0, next; i < names->count; i = next) {
		char **name = &names->at[i];
		for (next = i + 1; next < names->count && strcmp(*name, names->at[next]) == 0;)
			next++;
		if (next == i + 1 && !is_doubtful(c, name))
			strv_add(&kept, *name);
	}
	strv_free(names);
	*names = kept;
}

void certain_free(struct certain *c)
{
	strv_free(&c->doubtful);
}
