/* SPDX-License-Identifier: MIT */
/* pass.c: the two events, of a link or of a compile, and the object's entry in the runtime's books. */
#include "pass/pass.h"
#include "keys/environment.h"
#include "pass/capture.h"
#include "pass/lens.h"
#include "pass/lower/lower.h"
#include "pass/lower/parallel.h"
#include "pass/piece.h"

#include <llvm-c/Transforms/PassBuilder.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void pass_fail(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fputs("skein: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	exit(1);
}

void *pass_grow(void *array, size_t count, size_t item_bytes)
{
	if (count & (count - 1)) /* room doubles at powers of two */
		return array;
	void *larger = realloc(array, (count ? 2 * count : 1) * item_bytes);
	if (!larger)
		pass_fail("out of memory");
	return larger;
}

void *pass_zeroed(size_t count, size_t item_bytes)
{
	void *room = calloc(count + 1, item_bytes);
	if (!room)
		pass_fail("out of memory");
	return room;
}

static void option_name(enum plan_key option, char name[64])
{
	snprintf(name, 64, ENVIRONMENT_PASS "%s", plan_key_name(option));
}

const char *pass_option(enum plan_key option)
{
	char name[64];
	option_name(option, name);
	const char *value = getenv(name);
	return value ? value : "";
}

void pass_set_option(enum plan_key option, const char *value)
{
	char name[64];
	option_name(option, name);
	if (setenv(name, value, 1) < 0)
		pass_fail("out of memory");
}

void pass_field(FILE *to, const char *text, size_t bytes)
{
	fputc('\t', to);
	if (!bytes)
		fputc('-', to);
	for (size_t i = 0; i < bytes; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c < 32 || c == 127 || c == '\\')
			fprintf(to, "\\x%02x", c);
		else
			fputc(c, to);
	}
}

static const char *at = "";

void pass_is_at(LLVMValueRef function)
{
	size_t length;
	at = function ? LLVMGetValueName2(function, &length) : "";
}

const char *pass_at(void)
{
	return at;
}

/* Counters that are never read, for code that runs where nothing can be recorded. */
static LLVMValueRef nowhere(const struct program *p)
{
	LLVMTypeRef type = LLVMArrayType2(LLVMInt64TypeInContext(LLVMGetModuleContext(p->module)),
	                                  lens_row_words(pass_option(PLAN_LENS)) * p->table_sites);
	LLVMValueRef rows = LLVMAddGlobal(p->module, type, "skein_hook_nowhere");
	LLVMSetInitializer(rows, LLVMConstNull(type));
	LLVMSetLinkage(rows, LLVMInternalLinkage);
	return rows;
}

/* struct skein_object of rt/object.h: routines, sites, build_id, nowhere, root, then what the runtime fills in. */
void pass_fill_object(const struct program *p)
{
	LLVMValueRef object = LLVMGetNamedGlobal(p->module, "skein_hook_object");
	if (!object)
		pass_fail("the hooks of the lens are not part of this link");
	LLVMContextRef context = LLVMGetModuleContext(p->module);
	LLVMTypeRef u32 = LLVMInt32TypeInContext(context);
	char id[72] = "";
	snprintf(id, sizeof id, "%s", pass_option(PLAN_OBJECT));
	LLVMValueRef fields[] = {LLVMConstInt(u32, p->routine_count, 0),
	                         LLVMConstInt(u32, p->table_sites, 0),
	                         LLVMConstStringInContext(context, id, sizeof id, 1),
	                         nowhere(p),
	                         LLVMConstInt(u32, p->root, 0),
	                         LLVMConstInt(u32, 0, 0),
	                         LLVMConstInt(u32, 0, 0),
	                         LLVMConstInt(u32, 0, 0),
	                         LLVMConstInt(LLVMInt64TypeInContext(context), 0, 0)};
	LLVMTypeRef type = LLVMGlobalGetValueType(object);
	if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMCountStructElementTypes(type) != sizeof fields / sizeof *fields)
		pass_fail("the hooks of the lens and the plugin have different versions");
	LLVMSetInitializer(object, LLVMConstNamedStruct(type, fields, sizeof fields / sizeof *fields));
}

void pass_forget_assignments(LLVMModuleRef module)
{
	static const char name[] = "DIAssignID";
	unsigned kind = LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), name, sizeof name - 1);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				if (LLVMHasMetadata(i) && LLVMGetMetadata(i, kind))
					LLVMSetMetadata(i, kind, NULL);
}

void pass_forget_variables(LLVMModuleRef module)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(module, "strip-nonlinetable-debuginfo", NULL, options);
	if (error)
		pass_fail("cannot remove debug information of variables: %s", LLVMGetErrorMessage(error));
	LLVMDisposePassBuilderOptions(options);
	pass_forget_assignments(module);
}

void pass_at_link_start(LLVMModuleRef module)
{
	const struct pass_lens *lens = pass_lens();
	bool prepared = *pass_option(PLAN_PREPARED);
	if (!prepared) {
		lower_at_link(module);
		lower_coroutines(module);
	}
	if (!*pass_option(PLAN_LENS) || *pass_option(PLAN_CILK))
		return;
	names_note(module);
	if (lens && lens->note)
		lens->note(module);
	if (!prepared)
		keep_idle_functions(module);
}

static void instrument(const struct pass_lens *lens, struct program *p)
{
	select_routines(p);
	select_sites(p);
	lens->plan(p);
	names_write(p, lens->write);
	lens->edit(p);
	pass_is_at(NULL); /* a pass of LLVM's own says itself where it is */
	edit_forget(p);
	if (lens->restore)
		lens->restore(p);
	if (*pass_option(PLAN_PIECE))
		piece_mark_kept(p);
	else
		pass_fill_object(p);
	pass_forget_variables(p->module);
	piece_number_hooks(p->module);
	edit_inline_hooks(p);
	if (lens->finish)
		lens->finish(p);
	pass_is_at(NULL);
}

static void forget_program(struct program *p)
{
	for (size_t i = 0; i < p->routine_count; i++) {
		free(p->routines[i].name);
		free(p->routines[i].file);
	}
	free(p->routines);
	free(p->sites);
}

static void instrument_module(LLVMModuleRef module)
{
	const struct pass_lens *lens = pass_lens();
	struct program p = {.module = module};
	if (!lens)
		pass_fail("the plugin does not know the lens %s", pass_option(PLAN_LENS));
	instrument(lens, &p);
	forget_program(&p);
}

static void tell_others(LLVMModuleRef module)
{
	const char *path = pass_option(PLAN_GRAPH);
	const struct pass_lens *lens = pass_lens();
	struct program p = {.module = lens->tells_by_changing ? LLVMCloneModule(module) : module};
	FILE *to = fopen(path, "we");
	if (!to)
		pass_fail("cannot write %s", path);
	select_routines(&p);
	select_sites(&p);
	lens->tell(&p, to);
	if (fclose(to) != 0)
		pass_fail("cannot write %s", path);
	forget_program(&p);
	if (p.module != module)
		LLVMDisposeModule(p.module);
}

void pass_at_link_end(LLVMModuleRef module)
{
	if (*pass_option(PLAN_CILK))
		enter_rename(module);
	else if (*pass_option(PLAN_LENS))
		instrument_module(module);
	if (*pass_option(PLAN_PARTS))
		parts_rename(module);
}

void pass_at_compile_start(LLVMModuleRef module)
{
	const struct pass_lens *lens = pass_lens();
	if (*pass_option(PLAN_TOTAL))
		return;
	if (*pass_option(PLAN_BEFORE)) {
		capture_before(module);
		return;
	}
	if (!*pass_option(PLAN_PIECE)) {
		lower_at_compile(module);
		if (!*pass_option(PLAN_COUNTERS) && !*pass_option(PLAN_CILK)) { /* what this compile inlines is not there at the link */
			names_note(module);
			names_keep(module);
		}
		return;
	}
	if (!*pass_option(PLAN_OPTIMISED))
		lower_at_link(module);
	names_note(module);
	if (lens && lens->note)
		lens->note(module);
}

static bool is_over; /* the second event */

bool pass_wants_others(void)
{
	return is_over || !*pass_option(PLAN_OPTIMISED);
}

void pass_at_compile_end(LLVMModuleRef module)
{
	is_over = true;
	if (*pass_option(PLAN_BEFORE)) {
		capture_after(module);
		return;
	}
	if (*pass_option(PLAN_TOTAL)) {
		struct program p = {.module = module};
		if (sscanf(pass_option(PLAN_TOTAL), "%zu %zu %u", &p.routine_count, &p.table_sites, &p.root) != 3)
			pass_fail("no number of routines");
		pass_fill_object(&p);
		piece_hide_hooks(module);
	}
	if (!*pass_option(PLAN_PIECE))
		return;
	if (!*pass_option(PLAN_HOOKS)) {
		names_keep(module);
		if (*pass_option(PLAN_GRAPH))
			tell_others(module);
		return;
	}
	if (*pass_option(PLAN_AFTER))
		capture_optimised(module);
	piece_add_hooks(module);
	instrument_module(module);
	piece_drop_hooks(module);
}
