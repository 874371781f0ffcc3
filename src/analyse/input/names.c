/* SPDX-License-Identifier: MIT */
#include "analyse/input/names.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/session.h"

void inputs_names_start(struct inputs_names *n, struct run *run)
{
	*n = (struct inputs_names){.run = run};
}

/* ---- files ---- */

static uint32_t file_of(struct inputs_names *n, const char *path, const char *build_id)
{
	for (size_t i = 0; i < n->file_count; i++)
		if (strcmp(n->files[i].path, path) == 0 && strcmp(n->files[i].build_id, build_id) == 0)
			return (uint32_t)i;
	MEMORY_GROW(n->files, n->file_count, n->file_room);
	n->files[n->file_count] = (struct inputs_file){.path = pool_text(&n->run->pool, path),
	                                               .build_id = pool_text(&n->run->pool, build_id),
	                                               .object = RUN_NO_OBJECT};
	return (uint32_t)n->file_count++;
}

static uint32_t object_of(struct inputs_names *n, struct inputs_file *file)
{
	if (file->object == RUN_NO_OBJECT) {
		char identity[64];
		session_file_identity(file->path, identity, sizeof identity);
		file->object = run_object(n->run, *file->build_id ? file->build_id : identity, file->path);
	}
	return file->object;
}

static void take_module(struct inputs_names *n, const struct raw_module *module)
{
	if (module->number == 0 || module->number >= RAW_AGENT_MODULE)
		return;
	if (module->number >= n->module_count) {
		size_t count = module->number + 1;
		n->modules = memory_resize(n->modules, count, sizeof *n->modules);
		memset(n->modules + n->module_count, 0, (count - n->module_count) * sizeof *n->modules);
		n->module_count = count;
	}
	n->modules[module->number] =
		file_of(n, raw_text(module->text, module->text_bytes, 1), raw_text(module->text, module->text_bytes, 0)) + 1;
}

static void forget(struct inputs_names *n)
{
	free(n->modules);
	map_free(&n->known);
	n->modules = NULL;
	n->module_count = 0;
}

void inputs_names_process(struct inputs_names *n, const struct raw_reader *raw)
{
	forget(n);
	for (const struct raw_record *r = raw_first(raw); r; r = raw_next(raw, r))
		if (r->type == RAW_MODULE)
			take_module(n, (const void *)r);
}

/* ---- routines ---- */

static uint32_t name_place(struct inputs_names *n, uint64_t place)
{
	uint64_t module = place >> RAW_PLACE_SHIFT, offset = place & ((UINT64_C(1) << RAW_PLACE_SHIFT) - 1);
	if (module >= n->module_count || !n->modules[module])
		return run_routine(
			n->run,
			&(struct run_routine){.object = RUN_NO_OBJECT, .linkage = "(unknown)", .file = "", .kind = RUN_UNKNOWN_KIND});
	struct inputs_file *file = &n->files[n->modules[module] - 1];
	if (!file->symbols)
		file->symbols = symbols_open(file->path, file->build_id);
	const struct symbols_scope *scope = &symbols_at(file->symbols, offset, false)->scopes[0];
	return run_routine(n->run,
	                   &(struct run_routine){.object = object_of(n, file),
	                                         .linkage = scope->linkage,
	                                         .file = scope->file,
	                                         .line = scope->line,
	                                         .kind = RUN_PLAIN_KIND});
}

uint32_t inputs_names_routine(struct inputs_names *n, uint64_t place)
{
	void **known = map_at(&n->known, place);
	if (!*known)
		*known = (void *)((uintptr_t)name_place(n, place) + 1);
	return (uint32_t)((uintptr_t)*known - 1);
}

void inputs_names_free(struct inputs_names *n)
{
	forget(n);
	for (size_t i = 0; i < n->file_count; i++)
		if (n->files[i].symbols)
			symbols_close(n->files[i].symbols);
	free(n->files);
}
