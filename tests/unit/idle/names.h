/* SPDX-License-Identifier: MIT */
/* names.h: symbols.h's functions over the list of make.h, for tests that know what every address is called. */
#ifndef SKEIN_IDLE_NAMES_H
#define SKEIN_IDLE_NAMES_H

#include <string.h>
#include "unit/idle/make.h"

static struct symbols_place idle_names[sizeof idlemake_symbols / sizeof *idlemake_symbols + 1];

struct symbols *symbols_open(const char *path, const char *build_id)
{
	(void)build_id;
	return (struct symbols *)(uintptr_t)path;
}

void symbols_close(struct symbols *s)
{
	(void)s;
}

const struct symbols_place *symbols_at(struct symbols *s, uint64_t offset, bool is_return)
{
	static const struct symbols_scope nobody = {
		.kind = SYMBOLS_ROUTINE, .linkage = "(unnamed)+0x0", .name = "(unnamed)+0x0", .file = "", .call_file = ""};
	const char *path = (const char *)s, *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	size_t count = sizeof idlemake_symbols / sizeof *idlemake_symbols;
	(void)is_return;
	for (size_t i = 0; i < count; i++) {
		const struct idlemake_symbol *at = &idlemake_symbols[i];
		if (strcmp(at->module, base) != 0 || at->offset != offset)
			continue;
		idle_names[i] = (struct symbols_place){at->scopes, at->count, at->file, at->line, NULL};
		return &idle_names[i];
	}
	idle_names[count] = (struct symbols_place){&nobody, 1, "", 0, NULL};
	return &idle_names[count];
}

const char *symbols_variable(struct symbols *s, uint64_t offset)
{
	return s && offset >= 0x8000 && offset < 0x8028 ? "table_lock" : "";
}

bool symbols_have_lines(const struct symbols *s)
{
	return s != NULL;
}

bool symbols_are_there(const struct symbols *s)
{
	return s != NULL;
}

#endif
