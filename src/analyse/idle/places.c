/* SPDX-License-Identifier: MIT */
#include "analyse/idle/places.h"
#include "base/strv.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_NAMED = 1 << 24 };

/* ---- files ---- */

/* Looks at the file's own name: a program linked for gcc's OpenMP runtime may have loaded LLVM's under gcc's name. */
static uint32_t file_of(struct idles_places *p, const char *named, const char *build_id)
{
	char real[PATH_MAX];
	const char *path = realpath(named, real) ? real : named;
	for (size_t i = 0; i < p->file_count; i++)
		if (strcmp(p->files[i].path, path) == 0 && strcmp(p->files[i].build_id, build_id) == 0)
			return (uint32_t)i;
	MEMORY_GROW(p->files, p->file_count, p->file_room);
	p->files[p->file_count] = (struct idles_file){
		.path = pool_text(&p->run->pool, path),
		.build_id = pool_text(&p->run->pool, build_id),
		.object = RUN_NO_OBJECT,
		.module = overhead_module(path),
		.is_ours = strcmp(str_base(path), "libskein-sample.so") == 0,
		.is_gomp = strncmp(str_base(path), "libgomp", 7) == 0,
	};
	return (uint32_t)p->file_count++;
}

/* A re-linked copy and the program that it was made from are one object, so the names of the program serve both. */
static const struct session_object *native_of(const struct idles_places *p, const struct idles_file *file)
{
	for (size_t i = 0; i < p->plan->object_count; i++)
		if (strcmp(p->plan->objects[i].relinked, file->path) == 0)
			return &p->plan->objects[i];
	return NULL;
}

static uint32_t object_of(struct idles_places *p, struct idles_file *file)
{
	const struct session_object *native = file->object == RUN_NO_OBJECT ? native_of(p, file) : NULL;
	if (native)
		file->object = run_object(p->run, native->build_id, native->native);
	if (file->object == RUN_NO_OBJECT) {
		char identity[64];
		session_file_identity(file->path, identity, sizeof identity);
		file->object = run_object(p->run, *file->build_id ? file->build_id : identity, file->path);
	}
	return file->object;
}

/* ---- what a process has ---- */

static void take_module(struct idles_places *p, const struct raw_module *module)
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

static void take_place(struct idles_places *p, const struct raw_place *place)
{
	if (place->number >= MOST_NAMED)
		return;
	if (place->number >= p->named_count) {
		size_t count = 2 * (size_t)place->number + 1;
		p->named = memory_resize(p->named, count, sizeof *p->named);
		memset(p->named + p->named_count, 0, (count - p->named_count) * sizeof *p->named);
		p->named_count = count;
	}
	p->named[place->number] = place;
}

static void forget(struct idles_places *p)
{
	for (int k = 0; k < 2; k++) {
		for (size_t i = 0; i < p->known[k].room; i++) {
			struct idles_named *name = p->known[k].at[i].value;
			if (name)
				free((void *)(uintptr_t)name->steps);
			free(name);
		}
		map_free(&p->known[k]);
	}
	free(p->modules);
	free(p->named);
	p->modules = NULL;
	p->named = NULL;
	p->module_count = p->named_count = 0;
}

void idles_places_process(struct idles_places *p, const struct raw_reader *raw)
{
	forget(p);
	for (const struct raw_record *r = raw_first(raw); r; r = raw_next(raw, r)) {
		if (r->type == RAW_MODULE)
			take_module(p, (const void *)r);
		else if (r->type == RAW_PLACE)
			take_place(p, (const void *)r);
	}
}

/* ---- naming ---- */

static struct idles_step *make_steps(struct idles_named *name, size_t count)
{
	struct idles_step *steps = memory_zeroed(count, sizeof *steps);
	name->steps = steps;
	name->count = count;
	return steps;
}

/* A place without a file, or a number without a named place. */
static void name_nothing(struct idles_places *p, struct idles_named *name)
{
	struct idles_step *step = make_steps(name, 1);
	name->linkage = "(unknown)";
	*step = (struct idles_step){
		IDLES_ROUTINE,
		run_routine(p->run,
	                    &(struct run_routine){.object = RUN_NO_OBJECT, .linkage = name->linkage, .file = "", .kind = RUN_UNKNOWN_KIND}),
		"", 0};
	name->file = idles_scopes_file(p->scopes, "");
}

static void name_by_agent(struct idles_places *p, struct idles_named *name, const struct raw_place *place)
{
	const char *file = raw_text(place->text, place->text_bytes, 1);
	struct run_routine routine = {.object = RUN_NO_OBJECT,
	                              .linkage = raw_text(place->text, place->text_bytes, 0),
	                              .file = file,
	                              .kind = RUN_REGION_KIND};
	struct idles_step *step = make_steps(name, 1);
	*step = (struct idles_step){IDLES_ROUTINE, run_routine(p->run, &routine), "", 0};
	name->file = idles_scopes_file(p->scopes, file);
	name->line = place->line;
	name->linkage = p->run->routines[step->routine].linkage;
	name->is_named = true;
}

static uint32_t routine_of(struct idles_places *p, uint32_t object, const struct symbols_scope *scope)
{
	return run_routine(p->run,
	                   &(struct run_routine){.object = object,
	                                         .linkage = scope->linkage,
	                                         .file = scope->file,
	                                         .line = scope->line,
	                                         .kind = scope->construct == SYMBOLS_PARALLEL ? RUN_PARALLEL_KIND
	                                                 : scope->construct == SYMBOLS_TASK   ? RUN_TASK_KIND
	                                                                                      : RUN_PLAIN_KIND});
}

/* A routine of Skein's own appears as the one that it stands for; where Skein's source lies is of no interest. */
static const struct symbols_place *without_lines(struct symbols_scope *scope, struct symbols_place *place, const struct symbols_place *at)
{
	*scope = at->scopes[0];
	scope->file = scope->call_file = "";
	scope->line = 0;
	*place = (struct symbols_place){.scopes = scope, .count = 1, .file = "", .overhead = at->overhead};
	return place;
}

/* Only a wrapper that the compiler made calls the body of a construct. */
static bool is_wrapped(const struct symbols_place *at, size_t i)
{
	return at->scopes[i].kind == SYMBOLS_INLINED && idles_is_construct(at->scopes[i].linkage) &&
		idles_is_construct(at->scopes[i - 1].linkage);
}

/* A loop has no name: its routine is the one around it. */
static struct idles_step step_of(struct idles_places *p, uint32_t object, uint32_t around, const struct symbols_scope *scope)
{
	switch (scope->kind) {
	case SYMBOLS_LOOP: return (struct idles_step){IDLES_LOOP, around, idles_scopes_file(p->scopes, scope->file), scope->line};
	case SYMBOLS_INLINED:
		return (struct idles_step){IDLES_INLINED, routine_of(p, object, scope), idles_scopes_file(p->scopes, scope->call_file),
		                           scope->call_line};
	default: return (struct idles_step){IDLES_ROUTINE, routine_of(p, object, scope), "", 0};
	}
}

static void name_by_symbols(struct idles_places *p, struct idles_named *name, struct idles_file *file, const struct symbols_place *at)
{
	struct symbols_scope scope;
	struct symbols_place place;
	name->linkage = at->scopes[0].linkage;
	if (file->is_ours)
		at = without_lines(&scope, &place, at);
	struct idles_step *steps = make_steps(name, at->count);
	uint32_t object = object_of(p, file);
	name->count = 0;
	for (size_t i = 0; i < at->count; i++)
		if (i == 0 || !is_wrapped(at, i)) {
			steps[name->count] = step_of(p, object, i ? steps[name->count - 1].routine : RUN_OUTSIDE, &at->scopes[i]);
			name->count++;
		}
	name->file = idles_scopes_file(p->scopes, at->file);
	name->line = at->line;
	name->module = file->module;
	name->overhead = at->overhead;
	name->is_ours = file->is_ours;
	name->is_named = at->scopes[0].linkage[0] != '(';
}

static struct idles_named *name_place(struct idles_places *p, uint64_t place, bool is_return)
{
	struct idles_named *name = memory_zeroed(1, sizeof *name);
	uint64_t module = place >> RAW_PLACE_SHIFT, offset = place & ((UINT64_C(1) << RAW_PLACE_SHIFT) - 1);
	if (module == RAW_AGENT_MODULE && offset < p->named_count && p->named[offset]) {
		name_by_agent(p, name, p->named[offset]);
	} else if (module < p->module_count && p->modules[module]) {
		struct idles_file *file = &p->files[p->modules[module] - 1];
		if (!file->symbols)
			file->symbols = symbols_open(file->path, file->build_id);
		name_by_symbols(p, name, file, symbols_at(file->symbols, offset, is_return));
	} else {
		name_nothing(p, name);
	}
	return name;
}

const struct idles_named *idles_places_name(struct idles_places *p, uint64_t place, bool is_return)
{
	void **name = map_at(&p->known[is_return], place);
	if (!*name)
		*name = name_place(p, place, is_return);
	return *name;
}

const char *idles_places_variable(struct idles_places *p, uint64_t place)
{
	uint64_t module = place >> RAW_PLACE_SHIFT, offset = place & ((UINT64_C(1) << RAW_PLACE_SHIFT) - 1);
	if (!module || module >= p->module_count || !p->modules[module])
		return "";
	struct idles_file *file = &p->files[p->modules[module] - 1];
	if (!file->symbols)
		file->symbols = symbols_open(file->path, file->build_id);
	return pool_text(&p->run->pool, symbols_variable(file->symbols, offset));
}

bool idles_places_have_gomp(const struct idles_places *p)
{
	for (size_t i = 0; i < p->file_count; i++)
		if (p->files[i].is_gomp)
			return true;
	return false;
}

void idles_places_start(struct idles_places *p, struct session *session, struct idles_scopes *scopes)
{
	*p = (struct idles_places){.run = &session->run, .plan = &session->plan, .scopes = scopes};
}

void idles_places_free(struct idles_places *p)
{
	forget(p);
	for (size_t i = 0; i < p->file_count; i++)
		if (p->files[i].symbols)
			symbols_close(p->files[i].symbols);
	free(p->files);
}
