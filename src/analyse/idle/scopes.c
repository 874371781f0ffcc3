/* SPDX-License-Identifier: MIT */
#include "analyse/idle/scopes.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* ---- file names ---- */

static bool is_file(const void *files, size_t number, const void *name)
{
	return strcmp(((const char *const *)files)[number], name) == 0;
}

const char *idles_scopes_file(struct idles_scopes *s, const char *file)
{
	size_t *place = lookup_at(&s->file_index, hash_text(HASH_START, file), is_file, s->files, file);
	if (!*place) {
		MEMORY_GROW(s->files, s->file_count, s->file_room);
		s->files[s->file_count++] = pool_text(&s->idles->pool, file);
		*place = s->file_count;
	}
	return s->files[*place - 1];
}

/* ---- scopes ---- */

static uint64_t hash_scope(const struct idles_scope *scope)
{
	uint64_t hash = hash_number(hash_number(HASH_START, scope->parent), (uint64_t)scope->kind << 32 | scope->routine);
	return hash_number(hash_number(hash, (uintptr_t)scope->file), scope->line);
}

static bool is_scope(const void *scopes, size_t number, const void *what)
{
	const struct idles_scope *a = (const struct idles_scope *)scopes + number, *b = what;
	return a->parent == b->parent && a->kind == b->kind && a->routine == b->routine && a->line == b->line && a->file == b->file;
}

static uint32_t append(struct idles *idles, const struct idles_scope *scope)
{
	MEMORY_GROW(idles->scopes, idles->scope_count, idles->scope_room);
	idles->scopes[idles->scope_count] = *scope;
	return (uint32_t)idles->scope_count++;
}

uint32_t idles_scopes_enter(struct idles_scopes *s, uint32_t parent, const struct idles_step *step)
{
	struct idles_scope scope = {
		.parent = parent,
		.tree = s->idles->scopes[parent].tree,
		.kind = (uint8_t)step->kind,
		.routine = step->routine,
		.file = step->file,
		.line = step->line,
	};
	size_t *place = lookup_at(&s->index, hash_scope(&scope), is_scope, s->idles->scopes, &scope);
	if (!*place)
		*place = append(s->idles, &scope) + 1;
	return (uint32_t)*place - 1;
}

void idles_scopes_start(struct idles_scopes *s, struct idles *idles)
{
	memset(s, 0, sizeof *s);
	s->idles = idles;
	for (int tree = 0; tree < IDLES_TREES; tree++)
		append(idles,
		       &(struct idles_scope){
			       .parent = IDLES_NO_SCOPE, .tree = (uint8_t)tree, .kind = IDLES_ROOT, .routine = RUN_OUTSIDE, .file = ""});
}

void idles_scopes_free(struct idles_scopes *s)
{
	lookup_free(&s->index);
	lookup_free(&s->file_index);
	free(s->files);
}
