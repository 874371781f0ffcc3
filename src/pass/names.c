/* SPDX-License-Identifier: MIT */
/* names.c: the table of an object (table.h): its routines and sites, and what became of the functions that link-time
 * optimisation left no trace of.
 *
 * A function that was there at the start of the link and is not at its end was either inlined wherever it was called,
 * which the debug locations of the code tell, or removed because nothing could reach it. */
#include "pass/pass.h"
#include "pass/table.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/owner.h"

struct origin {
	char *name, *file;
	unsigned line;
	bool is_here, was_inlined;
};

static struct {
	struct origin *all;
	size_t count;
} origins; /* from the first event to the second */

static int by_origin(const void *a, const void *b)
{
	const struct origin *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	if (!order)
		order = strcmp(x->file, y->file);
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static char *copy(const char *text, size_t bytes)
{
	char *c = strndup(bytes ? text : "", bytes);
	if (!c)
		pass_fail("out of memory");
	return c;
}

static void add_origin(const struct shim_source *s)
{
	origins.all = pass_grow(origins.all, origins.count, sizeof *origins.all);
	origins.all[origins.count++] = (struct origin){copy(s->name, s->name_bytes), copy(s->file, s->file_bytes), s->line, false, false};
}

/* ---- from one module to the next ---- */

static const char kept_name[] = "skein.origins";
enum { KEPT_NAME, KEPT_FILE, KEPT_LINE, KEPT_FIELDS };

void names_keep(LLVMModuleRef module)
{
	LLVMContextRef c = LLVMGetModuleContext(module);
	for (size_t i = 0; i < origins.count; i++) {
		const struct origin *o = &origins.all[i];
		LLVMMetadataRef fields[] = {
			[KEPT_NAME] = LLVMMDStringInContext2(c, o->name, strlen(o->name)),
			[KEPT_FILE] = LLVMMDStringInContext2(c, o->file, strlen(o->file)),
			[KEPT_LINE] = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(c), o->line, 0)),
		};
		LLVMAddNamedMetadataOperand(module, kept_name, LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, fields, KEPT_FIELDS)));
	}
}

static void take_kept(LLVMModuleRef module)
{
	unsigned count = LLVMGetNamedMetadataNumOperands(module, kept_name);
	LLVMValueRef *kept = pass_zeroed(count, sizeof *kept);
	LLVMGetNamedMetadataOperands(module, kept_name, kept);
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef fields[KEPT_FIELDS];
		unsigned name, file;
		LLVMGetMDNodeOperands(kept[i], fields);
		struct shim_source s = {.name = LLVMGetMDString(fields[KEPT_NAME], &name),
		                        .file = LLVMGetMDString(fields[KEPT_FILE], &file)};
		s.name_bytes = name;
		s.file_bytes = file;
		s.line = (unsigned)LLVMConstIntGetZExtValue(fields[KEPT_LINE]);
		add_origin(&s);
	}
	free(kept);
}

/* Several modules may have had the same. */
static void sort_origins(void)
{
	size_t kept = 0;
	if (origins.count)
		qsort(origins.all, origins.count, sizeof *origins.all, by_origin);
	for (size_t i = 0; i < origins.count; i++) {
		if (kept && by_origin(&origins.all[kept - 1], &origins.all[i]) == 0) {
			free(origins.all[i].name);
			free(origins.all[i].file);
		} else {
			origins.all[kept++] = origins.all[i];
		}
	}
	origins.count = kept;
}

/* By the compiler: .omp_task_privates_map. is in no source. */
static bool is_made(const struct shim_source *s)
{
	return s->name_bytes && *s->name == '.';
}

void names_note(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		struct shim_source s;
		if (!LLVMIsDeclaration(f) && shim_function_source(f, &s) && !is_made(&s))
			add_origin(&s);
	}
	take_kept(module);
	sort_origins();
}

static struct origin *find(const struct shim_source *s)
{
	struct origin key = {copy(s->name, s->name_bytes), copy(s->file, s->file_bytes), s->line, false, false};
	struct origin *hit = origins.count ? bsearch(&key, origins.all, origins.count, sizeof key, by_origin) : NULL;
	free(key.name);
	free(key.file);
	return hit;
}

static const char *file_of(LLVMMetadataRef location, unsigned *bytes)
{
	LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
	*bytes = 0;
	return file ? LLVMDIFileGetFilename(file, bytes) : "";
}

bool pass_place(LLVMValueRef instruction, struct pass_place *place)
{
	LLVMMetadataRef innermost = LLVMInstructionGetDebugLoc(instruction), at = innermost;
	unsigned bytes = 0;
	for (const char *file; at && (file = file_of(at, &bytes)) && owner_is_systems(file, bytes);)
		at = LLVMDILocationGetInlinedAt(at);
	at = at ? at : innermost;
	if (!at)
		return false;
	place->file = file_of(at, &place->file_bytes);
	place->line = LLVMDILocationGetLine(at);
	place->column = LLVMDILocationGetColumn(at);
	return true;
}

/* Where the call is: as the lens says, or as the program's own source has it. */
static struct pass_place place_of(const struct site *s)
{
	struct pass_place at = {s->file, s->file ? (unsigned)strlen(s->file) : 0, s->line, s->column};
	if (!s->file && s->call && !pass_place(s->call, &at))
		return (struct pass_place){0};
	return at;
}

static void write_site(FILE *to, const struct program *p, size_t index)
{
	const struct site *s = &p->sites[index];
	struct pass_place at = place_of(s);
	size_t bytes = s->name ? strlen(s->name) : 0;
	const char *name = s->name;
	if (!name && s->callee >= 0) {
		name = p->routines[s->callee].name;
		bytes = strlen(name);
	} else if (!name && s->call && LLVMIsAFunction(LLVMGetCalledValue(s->call))) {
		name = LLVMGetValueName2(LLVMGetCalledValue(s->call), &bytes);
	}
	fprintf(to, "s\t%zu\t%u\t%d", index, s->caller, s->callee);
	pass_field(to, name, bytes);
	pass_field(to, at.file, at.file_bytes);
	fprintf(to, "\t%u\t%u\t%s\n", at.line, at.column, *s->flags ? s->flags : "-");
}

struct seen {
	struct origin **what;
	size_t count;
};

/* One line for each pair of an inlined function and a routine that holds it. */
static void write_inlined(FILE *to, struct seen *seen, struct origin *o, size_t into)
{
	for (size_t i = 0; i < seen->count; i++)
		if (seen->what[i] == o)
			return;
	seen->what = pass_grow(seen->what, seen->count, sizeof *seen->what);
	seen->what[seen->count++] = o;
	o->was_inlined = true;
	if (o->is_here)
		return;
	fputc('i', to);
	pass_field(to, o->name, strlen(o->name));
	pass_field(to, o->file, strlen(o->file));
	fprintf(to, "\t%u\t%zu\n", o->line, into);
}

static void inlined_into(FILE *to, const struct program *p, size_t index)
{
	struct seen seen = {0};
	struct shim_source s;
	LLVMMetadataRef last = NULL; /* neighbours mostly share their location */
	LLVMValueRef f = p->routines[index].function;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i);
			for (unsigned level = 0; at != last && shim_inlined(i, level, &s); level++) {
				struct origin *o = find(&s);
				if (o)
					write_inlined(to, &seen, o, index);
			}
			last = at;
		}
	free(seen.what);
}

static void mark_here(const struct program *p)
{
	for (size_t i = 0; i < p->routine_count; i++) {
		struct shim_source s;
		struct origin *o = shim_function_source(p->routines[i].function, &s) ? find(&s) : NULL;
		if (o)
			o->is_here = true;
	}
}

/* Of a piece: can other objects call it? */
static bool is_external(const struct routine *r)
{
	LLVMLinkage linkage = LLVMGetLinkage(r->function);
	return *pass_option(PLAN_PIECE) && linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage;
}

void names_write(const struct program *p, void (*more)(const struct program *p, FILE *table))
{
	const char *path = pass_option(PLAN_TABLE);
	FILE *to = fopen(path, "w");
	if (!to)
		pass_fail("cannot write the table %s", path);
	fprintf(to, TABLE_MAGIC "\t%d\no", TABLE_VERSION);
	pass_field(to, pass_option(PLAN_OBJECT), strlen(pass_option(PLAN_OBJECT)));
	pass_field(to, pass_option(PLAN_MODE), strlen(pass_option(PLAN_MODE)));
	fputc('\n', to);
	for (size_t i = 0; i < p->routine_count; i++) {
		const struct routine *r = &p->routines[i];
		fprintf(to, "r\t%zu", i);
		pass_field(to, r->name, strlen(r->name));
		pass_field(to, r->file, strlen(r->file));
		fprintf(to, "\t%u\t-%s%s%s%s%s%s\n", r->line, r->outlined ? "o" : "", r->atomic ? "a" : "", r->profiled ? "" : "u",
		        r->tiny ? "t" : "", is_external(r) ? "e" : "", *pass_option(PLAN_PIECE) && LLVMGetComdat(r->function) ? "c" : "");
	}
	for (size_t i = 0; i < p->site_count; i++)
		write_site(to, p, i);
	mark_here(p);
	for (size_t i = 0; i < p->routine_count; i++)
		inlined_into(to, p, i);
	for (size_t i = 0; i < origins.count; i++) {
		const struct origin *o = &origins.all[i];
		if (o->is_here || o->was_inlined)
			continue;
		fputc('x', to);
		pass_field(to, o->name, strlen(o->name));
		pass_field(to, o->file, strlen(o->file));
		fprintf(to, "\t%u\n", o->line);
	}
	if (more)
		more(p, to);
	fprintf(to, "end\t%zu\t%zu\n", p->routine_count, p->site_count);
	if (fclose(to) != 0)
		pass_fail("cannot write the table %s", path);
}
