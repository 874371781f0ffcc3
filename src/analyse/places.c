/* SPDX-License-Identifier: MIT */
#include "analyse/places.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/blame_place.h"
#include "base/strv.h"

void places_start(struct places *p, struct session *session)
{
	*p = (struct places){.run = &session->run, .session = session};
}

/* ---- files ---- */

/* The table of a re-linked file; NULL: the file is not one, or its table could not be read. */
static const struct session_table *table_of(const struct session *s, const char *path)
{
	for (size_t i = 0; i < s->plan.object_count; i++) {
		const struct session_object *object = &s->plan.objects[i];
		for (size_t t = 0; strcmp(object->relinked, path) == 0 && t < s->table_count; t++)
			if (s->tables[t].loaded && strcmp(s->tables[t].table.build_id, object->build_id) == 0)
				return &s->tables[t];
	}
	return NULL;
}

static uint32_t file_of(struct places *p, const char *path, const char *build_id)
{
	for (size_t i = 0; i < p->file_count; i++)
		if (strcmp(p->files[i].path, path) == 0 && strcmp(p->files[i].build_id, build_id) == 0)
			return (uint32_t)i;
	MEMORY_GROW(p->files, p->file_count, p->file_room);
	p->files[p->file_count] = (struct places_file){.path = pool_text(&p->run->pool, path),
	                                               .build_id = pool_text(&p->run->pool, build_id),
	                                               .object = RUN_NO_OBJECT,
	                                               .table = table_of(p->session, path)};
	return (uint32_t)p->file_count++;
}

static uint32_t object_of(struct places *p, struct places_file *file)
{
	if (file->table)
		return file->table->object;
	if (file->object == RUN_NO_OBJECT) {
		char identity[64];
		session_file_identity(file->path, identity, sizeof identity);
		file->object = run_object(p->run, *file->build_id ? file->build_id : identity, file->path);
	}
	return file->object;
}

static void take_module(struct places *p, const struct raw_module *module)
{
	if (module->number == 0 || module->number >= RAW_AGENT_MODULE)
		return;
	if (module->number >= p->module_count) {
		size_t count = module->number + 1;
		p->modules = memory_resize(p->modules, count, sizeof *p->modules);
		memset(p->modules + p->module_count, 0, (count - p->module_count) * sizeof *p->modules);
		p->module_count = count;
	}
	p->modules[module->number] =
		file_of(p, raw_text(module->text, module->text_bytes, 1), raw_text(module->text, module->text_bytes, 0)) + 1;
}

static void forget(struct places *p)
{
	free(p->modules);
	map_free(&p->known);
	map_free(&p->named);
	p->modules = NULL;
	p->module_count = 0;
}

void places_process(struct places *p, const struct raw_reader *raw)
{
	forget(p);
	for (const struct raw_record *r = raw_first(raw); r; r = raw_next(raw, r))
		if (r->type == RAW_MODULE)
			take_module(p, (const void *)r);
		else if (r->type == RAW_PLACE)
			*map_at(&p->named, ((const struct raw_place *)(const void *)r)->number) = (void *)(uintptr_t)r;
}

/* ---- routines ---- */

/* The routine of a table that has this linkage name. Functions that are static may share one: then file and line
 * decide, and without a decision the result is RUN_NOWHERE. */
static uint32_t find_in_table(const struct session_table *t, const struct symbols_scope *scope)
{
	uint32_t found = RUN_NOWHERE;
	size_t count = 0;
	for (size_t i = 0; i < t->table.routine_count; i++) {
		const struct table_routine *r = &t->table.routines[i];
		if (strcmp(r->linkage, scope->linkage) != 0)
			continue;
		if (r->line == scope->line && strcmp(str_base(r->file), str_base(scope->file)) == 0)
			return t->routines[i];
		found = t->routines[i];
		count++;
	}
	return count == 1 ? found : RUN_NOWHERE;
}

static uint64_t offset_of(uint64_t place)
{
	return place & ((UINT64_C(1) << RAW_PLACE_SHIFT) - 1);
}

/* The file of a place, opened; NULL: it has none. */
static struct places_file *open_file(struct places *p, uint64_t place)
{
	uint64_t module = place >> RAW_PLACE_SHIFT;
	if (module >= p->module_count || !p->modules[module])
		return NULL;
	struct places_file *file = &p->files[p->modules[module] - 1];
	if (!file->symbols)
		file->symbols = symbols_open(file->path, file->build_id);
	return file;
}

static uint32_t unknown(struct places *p)
{
	return run_routine(p->run,
	                   &(struct run_routine){.object = RUN_NO_OBJECT, .linkage = "(unknown)", .file = "", .kind = RUN_UNKNOWN_KIND});
}

/* What the program itself has named; NULL: it is code. */
static const struct raw_place *named(const struct places *p, uint64_t place)
{
	return place >> RAW_PLACE_SHIFT == RAW_AGENT_MODULE ? map_find(&p->named, offset_of(place)) : NULL;
}

static uint32_t named_routine(struct places *p, const struct raw_place *place)
{
	return run_routine(p->run,
	                   &(struct run_routine){.object = RUN_NO_OBJECT,
	                                         .linkage = raw_text(place->text, place->text_bytes, 0),
	                                         .file = raw_text(place->text, place->text_bytes, 1),
	                                         .line = place->line,
	                                         .kind = RUN_REGION_KIND});
}

static uint32_t routine_of(struct places *p, struct places_file *file, const struct symbols_scope *scope)
{
	uint32_t known = file->table ? find_in_table(file->table, scope) : RUN_NOWHERE;
	if (known != RUN_NOWHERE)
		return known;
	return run_routine(p->run,
	                   &(struct run_routine){.object = object_of(p, file),
	                                         .linkage = scope->linkage,
	                                         .file = scope->file,
	                                         .line = scope->line,
	                                         .kind = scope->construct == SYMBOLS_PARALLEL ? RUN_PARALLEL_KIND
	                                                 : scope->construct == SYMBOLS_TASK   ? RUN_TASK_KIND
	                                                                                      : RUN_PLAIN_KIND});
}

static uint32_t name_place(struct places *p, uint64_t place)
{
	const struct raw_place *own = named(p, place);
	if (own)
		return named_routine(p, own);
	struct places_file *file = open_file(p, place);
	return file ? routine_of(p, file, &symbols_at(file->symbols, offset_of(place), false)->scopes[0]) : unknown(p);
}

uint32_t places_routine(struct places *p, uint64_t place)
{
	void **known = map_at(&p->known, place);
	if (!*known)
		*known = (void *)((uintptr_t)name_place(p, place) + 1);
	return (uint32_t)((uintptr_t)*known - 1);
}

/* ---- lines and variables ---- */

struct places_line places_line(struct places *p, uint64_t place)
{
	struct places_file *file = open_file(p, place);
	if (!file)
		return (struct places_line){.file = ""};
	const struct symbols_place *found = symbols_at(file->symbols, offset_of(place), true);
	struct places_line at = {found->file, found->line};
	for (size_t i = found->count; i-- > 1 && !blame_is_programs_file(at.file);)
		if (found->scopes[i].kind == SYMBOLS_INLINED)
			at = (struct places_line){found->scopes[i].call_file, found->scopes[i].call_line};
	at.file = pool_text(&p->run->pool, at.file);
	return at;
}

size_t places_frames(struct places *p, uint64_t place, struct blame_frame *frames, size_t most)
{
	const struct raw_place *own = named(p, place);
	struct places_file *file = open_file(p, place);
	if (own || !file) {
		const char *in = own ? pool_text(&p->run->pool, raw_text(own->text, own->text_bytes, 1)) : "";
		frames[0] = (struct blame_frame){own ? named_routine(p, own) : unknown(p), in, own ? own->line : 0};
		return 1;
	}
	const struct symbols_place *found = symbols_at(file->symbols, offset_of(place), true);
	const char *in = found->file;
	uint32_t line = found->line;
	size_t count = 0;
	for (size_t i = found->count; i-- && count < most;) {
		const struct symbols_scope *scope = &found->scopes[i];
		if (scope->kind == SYMBOLS_LOOP)
			continue;
		frames[count++] = (struct blame_frame){routine_of(p, file, scope), pool_text(&p->run->pool, in), line};
		in = scope->call_file;
		line = scope->call_line;
	}
	return count;
}

const char *places_variable(struct places *p, uint64_t place)
{
	struct places_file *file = open_file(p, place);
	return file ? pool_text(&p->run->pool, symbols_variable(file->symbols, offset_of(place))) : "";
}

void places_free(struct places *p)
{
	forget(p);
	for (size_t i = 0; i < p->file_count; i++)
		if (p->files[i].symbols)
			symbols_close(p->files[i].symbols);
	free(p->files);
}
