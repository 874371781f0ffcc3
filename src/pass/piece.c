/* SPDX-License-Identifier: MIT */
#include "pass/piece.h"
#include "pass/pass.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Error.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

static const char hook[] = "skein_hook_", object[] = "skein_hook_object";

static LLVMValueRef symbol(LLVMModuleRef module, const char *start)
{
	static const char range[] = "absolute_symbol";
	char name[96];
	if (!*pass_option(PLAN_PIECE))
		return NULL;
	snprintf(name, sizeof name, "%s%s", start, pass_option(PLAN_PIECE));
	LLVMValueRef first = LLVMGetNamedGlobal(module, name);
	if (first)
		return first;
	LLVMContextRef c = LLVMGetModuleContext(module);
	LLVMTypeRef u64 = LLVMInt64TypeInContext(c);
	LLVMMetadataRef ends[] = {LLVMValueAsMetadata(LLVMConstInt(u64, 0, 0)), LLVMValueAsMetadata(LLVMConstInt(u64, 1 << 30, 0))};
	first = LLVMAddGlobal(module, LLVMInt8TypeInContext(c), name);
	LLVMSetVisibility(first, LLVMHiddenVisibility);
	LLVMGlobalSetMetadata(first, LLVMGetMDKindIDInContext(c, range, sizeof range - 1), LLVMMDNodeInContext2(c, ends, 2));
	return first;
}

LLVMValueRef piece_first(LLVMModuleRef module)
{
	return symbol(module, PIECE_FIRST);
}

LLVMValueRef piece_rows(LLVMModuleRef module)
{
	return symbol(module, PIECE_ROWS);
}

LLVMValueRef piece_copy(LLVMModuleRef module)
{
	return symbol(module, PIECE_COPY);
}

/* ---- names ---- */

bool piece_is_local(LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);
	return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* A first byte of 1 means that the rest is the symbol. */
char *piece_scoped_name(LLVMValueRef function)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	if (!to)
		pass_fail("out of memory");
	const char *name = LLVMGetValueName2(function, &bytes);
	bool is_symbol = bytes && *name == 1;
	pass_field(to, name + is_symbol, bytes - is_symbol);
	fclose(to);
	*text = piece_is_local(function) ? '-' : '+'; /* for the tab that pass_field began with */
	return text;
}

/* ---- what others define ---- */

static struct {
	char **names;
	size_t count;
	bool is_read, is_program;
} others;

static void read_others(void)
{
	size_t room = 0;
	ssize_t length;
	char *line = NULL;
	FILE *from = *pass_option(PLAN_DEFINED) ? fopen(pass_option(PLAN_DEFINED), "r") : NULL;
	others.is_read = true;
	if (*pass_option(PLAN_DEFINED) && !from)
		pass_fail("cannot read %s", pass_option(PLAN_DEFINED));
	for (bool is_first = true; from && (length = getline(&line, &room, from)) > 0; is_first = false) {
		line[length - 1] = 0;
		if (is_first) {
			others.is_program = strcmp(line, "program") == 0;
			continue;
		}
		others.names = pass_grow(others.names, others.count, sizeof *others.names);
		if (!(others.names[others.count++] = strdup(line)))
			pass_fail("out of memory");
	}
	if (from)
		fclose(from);
	free(line);
}

bool piece_is_in_program(void)
{
	if (!others.is_read)
		read_others();
	return others.is_program;
}

static int by_name(const void *name, const void *element)
{
	return strcmp(name, *(char *const *)element);
}

bool piece_defines(LLVMValueRef function)
{
	size_t length;
	if (!LLVMIsAFunction(function) || (!LLVMIsDeclaration(function) && LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage))
		return false;
	if (!others.is_read)
		read_others();
	return others.count && bsearch(LLVMGetValueName2(function, &length), others.names, others.count, sizeof *others.names, by_name);
}

/* Another object may have a function of the same name as a library's, unless the library keeps its own to itself. */
bool piece_reaches(LLVMValueRef function)
{
	return piece_defines(function) && (others.is_program || LLVMGetVisibility(function) != LLVMDefaultVisibility);
}

void piece_share(LLVMValueRef function)
{
	size_t length;
	if (!*pass_option(PLAN_PIECE))
		return;
	LLVMSetComdat(function, LLVMGetOrInsertComdat(LLVMGetGlobalParent(function), LLVMGetValueName2(function, &length)));
	LLVMSetLinkage(function, LLVMLinkOnceODRLinkage);
	LLVMSetVisibility(function, LLVMHiddenVisibility);
}

static LLVMValueRef mark_kept(const struct program *p, unsigned index)
{
	LLVMTypeRef u32 = LLVMInt32TypeInContext(LLVMGetModuleContext(p->module));
	LLVMValueRef mark = LLVMAddGlobal(p->module, u32, "");
	struct editor e = {.module = p->module};
	LLVMSetInitializer(mark, edit_number(&e, index));
	LLVMSetGlobalConstant(mark, true);
	LLVMSetLinkage(mark, LLVMPrivateLinkage);
	LLVMSetSection(mark, PIECE_KEPT);
	LLVMSetComdat(mark, LLVMGetComdat(p->routines[index].function));
	return mark;
}

void piece_mark_kept(const struct program *p)
{
	LLVMValueRef *marks = pass_zeroed(p->routine_count, sizeof *marks);
	size_t count = 0;
	for (unsigned i = 0; i < p->routine_count; i++)
		if (LLVMGetComdat(p->routines[i].function))
			marks[count++] = mark_kept(p, i);
	keep_values(p->module, marks, count);
	free(marks);
}

/* ---- the hooks ---- */

static bool is_hook(LLVMValueRef value)
{
	size_t length;
	return strncmp(LLVMGetValueName2(value, &length), hook, sizeof hook - 1) == 0;
}

static bool is_far(LLVMValueRef function)
{
	static const char far[] = "skein_hook_far_";
	size_t length;
	return strncmp(LLVMGetValueName2(function, &length), far, sizeof far - 1) == 0;
}

static void delete_global(LLVMModuleRef module, const char *name)
{
	LLVMValueRef global = LLVMGetNamedGlobal(module, name);
	if (global)
		LLVMDeleteGlobal(global);
}

static void forget_uses(LLVMModuleRef hooks)
{
	delete_global(hooks, "llvm.used");
	delete_global(hooks, "llvm.compiler.used");
}

static void run_passes(LLVMModuleRef module, const char *passes)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
	if (error)
		pass_fail("cannot run %s: %s", passes, LLVMGetErrorMessage(error));
	LLVMDisposePassBuilderOptions(options);
}

static LLVMModuleRef read_hooks(LLVMContextRef context)
{
	LLVMMemoryBufferRef file;
	LLVMModuleRef hooks;
	char *message = NULL;
	if (LLVMCreateMemoryBufferWithContentsOfFile(pass_option(PLAN_HOOKS), &file, &message))
		pass_fail("cannot read the hooks %s: %s", pass_option(PLAN_HOOKS), message);
	if (LLVMParseBitcodeInContext2(context, file, &hooks))
		pass_fail("%s is not bitcode", pass_option(PLAN_HOOKS));
	LLVMDisposeMemoryBuffer(file);
	return hooks;
}

/* Constants tell the plugin something, and name what it has the subject call. */
static bool is_for_plugin(LLVMValueRef global)
{
	return is_hook(global) && LLVMIsGlobalConstant(global) && !LLVMIsDeclaration(global);
}

/* What a program has once is the hooks' own object's. */
static void leave_out_common(LLVMModuleRef hooks)
{
	forget_uses(hooks);
	delete_global(hooks, "llvm.global_ctors");
	delete_global(hooks, "llvm.global_dtors");
	if (!LLVMGetNamedGlobal(hooks, object))
		pass_fail("%s has no %s", pass_option(PLAN_HOOKS), object);
	for (LLVMValueRef common = LLVMGetFirstGlobal(hooks); common; common = LLVMGetNextGlobal(common)) {
		if (!is_hook(common))
			continue;
		if (!is_for_plugin(common))
			LLVMSetInitializer(common, NULL);
		LLVMSetLinkage(common, LLVMExternalLinkage);
		LLVMSetVisibility(common, LLVMHiddenVisibility);
	}
	for (LLVMValueRef f = LLVMGetFirstFunction(hooks), next; f; f = next) {
		next = LLVMGetNextFunction(f);
		if (LLVMGetLinkage(f) == LLVMInternalLinkage && !LLVMGetFirstUse(f))
			LLVMDeleteFunction(f); /* a constructor */
	}
}

/* Where hooks ask for the piece's first row (rt/hooks.h); of a whole program that is row 0. */
static void replace_symbol(LLVMModuleRef module, const char *name, LLVMValueRef by)
{
	LLVMValueRef old = LLVMGetNamedGlobal(module, name);
	if (!old)
		return;
	LLVMReplaceAllUsesWith(old, by ? by : LLVMConstNull(LLVMTypeOf(old)));
	LLVMDeleteGlobal(old);
}

void piece_number_hooks(LLVMModuleRef module)
{
	replace_symbol(module, "skein_hook_first_row", piece_rows(module));
	replace_symbol(module, "skein_hook_row_bytes", symbol(module, PIECE_BYTES));
}

static void make_local(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (is_hook(f) && !LLVMIsDeclaration(f)) {
			LLVMSetLinkage(f, LLVMInternalLinkage);
			if (is_far(f))
				piece_share(f);
		}
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
		if (is_for_plugin(g))
			LLVMSetLinkage(g, LLVMInternalLinkage);
}

void piece_add_hooks(LLVMModuleRef module)
{
	LLVMModuleRef hooks = read_hooks(LLVMGetModuleContext(module));
	leave_out_common(hooks);
	if (LLVMLinkModules2(module, hooks))
		pass_fail("the hooks of the lens do not fit this object");
	make_local(module);
}

void piece_drop_hooks(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
		next = LLVMGetNextFunction(f);
		if (is_hook(f) && !LLVMIsDeclaration(f) && !LLVMGetFirstUse(f))
			LLVMDeleteFunction(f);
	}
	for (LLVMValueRef g = LLVMGetFirstGlobal(module), next; g; g = next) {
		next = LLVMGetNextGlobal(g);
		if (is_hook(g) && LLVMGetLinkage(g) == LLVMInternalLinkage && !LLVMGetFirstUse(g))
			LLVMDeleteGlobal(g);
	}
}

void piece_hide_hooks(LLVMModuleRef module)
{
	forget_uses(module);
	make_local(module);
	run_passes(module, "globaldce");
	for (LLVMValueRef common = LLVMGetFirstGlobal(module); common; common = LLVMGetNextGlobal(common))
		if (is_hook(common) && LLVMGetLinkage(common) == LLVMExternalLinkage)
			LLVMSetVisibility(common, LLVMHiddenVisibility);
}
