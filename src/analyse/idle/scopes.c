/* SPDX-License-Identifier: MIT */
#include "analyse/idle/scopes.h"

#include <stdlib.h>
#include <string.h>

#define PRIME UINT64_C(0x100000001b3)
#define BASIS UINT64_C(0xcbf29ce484222325)

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* ---- file names ---- */

static const char **file_slot(struct idles_scopes *s, const char *file)
{
	uint64_t hash = BASIS;
	for (const char *at = file; *at; at++)
		hash = (hash ^ (unsigned char)*at) * PRIME;
	size_t i = (size_t)(hash >> 7) & (s->file_room - 1);
	while (s->files[i] && strcmp(s->files[i], file) != 0)
		i = (i + 1) & (s->file_room - 1);
	return &s->files[i];
}

static void grow_files(struct idles_scopes *s)
{
	const char **old = s->files;
	size_t room = s->file_room;
	s->file_room = room ? 2 * room : 256;
	s->files = memory_zeroed(s->file_room, sizeof *s->files);
	for (size_t i = 0; i < room; i++)
		if (old[i])
			*file_slot(s, old[i]) = old[i];
	free(old);
}

const char *idles_scopes_file(struct idles_scopes *s, const char *file)
{
	if (2 * (s->file_count + 1) > s->file_room)
		grow_files(s);
	const char **slot = file_slot(s, file);
	if (!*slot) {
		*slot = pool_text(&s->idles->pool, file);
		s->file_count++;
	}
	return *slot;
}

/* ---- scopes ---- */

static uint64_t hash_scope(const struct idles_scope *scope)
{
	uint64_t hash = mix(mix(BASIS, scope->parent), (uint64_t)scope->kind << 32 | scope->routine);
	return mix(mix(hash, (uintptr_t)scope->file), scope->line);
}

static bool same_scope(const struct idles_scope *a, const struct idles_scope *b)
{
	return a->parent == b->parent && a->kind == b->kind && a->routine == b->routine && a->line == b->line && a->file == b->file;
}

static uint32_t *scope_slot(struct idles_scopes *s, const struct idles_scope *scope)
{
	size_t i = (size_t)hash_scope(scope) & (s->index_room - 1);
	while (s->index[i] && !same_scope(&s->idles->scopes[s->index[i] - 1], scope))
		i = (i + 1) & (s->index_room - 1);
	return &s->index[i];
}

static void grow_index(struct idles_scopes *s)
{
	free(s->index);
	s->index_room = s->index_room ? 2 * s->index_room : 1024;
	s->index = memory_zeroed(s->index_room, sizeof *s->index);
	for (size_t i = IDLES_TREES; i < s->idles->scope_count; i++)
		*scope_slot(s, &s->idles->scopes[i]) = (uint32_t)i + 1;
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
	if (2 * (s->idles->scope_count + 1) > s->index_room)
		grow_index(s);
	uint32_t *slot = scope_slot(s, &scope);
	if (!*slot)
		*slot = append(s->idles, &scope) + 1;
	return *slot - 1;
}

void idles_scopes_start(struct idles_scopes *s, struct idles *idles)
{
	memset(s, 0, sizeof *s);
	s->idles = idles;
	for (uint8_t tree = 0; tree < IDLES_TREES; tree++)
		append(idles,
		       &(struct idles_scope){
			       .parent = IDLES_NO_SCOPE, .tree = tree, .kind = IDLES_ROOT, .routine = RUN_OUTSIDE, .file = ""});
}

void idles_scopes_free(struct idles_scopes *s)
{
	free(s->index);
	free(s->files);
}
