/* SPDX-License-Identifier: MIT */
/* lower.c: the two events of the lowering; at the second, thunks are dissolved. */
#include "pass/lower/lower.h"
#include "pass/lens.h"
#include "pass/lower/parallel.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

/* What a program asks about its workers: here it has one, number 0. */
static void answer(LLVMModuleRef module, const char *name, int value)
{
	LLVMValueRef f = LLVMGetNamedFunction(module, name);
	while (f && LLVMGetFirstUse(f) && LLVMIsACallInst(LLVMGetUser(LLVMGetFirstUse(f)))) {
		LLVMValueRef call = LLVMGetUser(LLVMGetFirstUse(f));
		LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), (unsigned long long)value, 0));
		LLVMInstructionEraseFromParent(call);
	}
	if (f && !LLVMGetFirstUse(f))
		LLVMDeleteFunction(f);
}

static const char lowered[] = "skein-lowered";

static void mark_lowered(LLVMModuleRef module)
{
	LLVMAttributeRef mark = LLVMCreateStringAttribute(LLVMGetModuleContext(module), lowered, sizeof lowered - 1, "", 0);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, mark);
}

static bool is_lowered(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, lowered, sizeof lowered - 1))
			return true;
	return false;
}

/* Of a source: hooks have no debug information. */
bool lower_is_raw(LLVMValueRef function)
{
	return !LLVMIsDeclaration(function) && LLVMGetSubprogram(function) &&
		!LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, lowered, sizeof lowered - 1);
}

/* If the module has it. A flag is a node of its behaviour, name and value. */
static void set_flag(LLVMModuleRef module, const char *name, unsigned value)
{
	static const char flags[] = "llvm.module.flags";
	unsigned count = LLVMGetNamedMetadataNumOperands(module, flags), length;
	LLVMValueRef *all = pass_zeroed(count, sizeof *all), field[3];
	LLVMGetNamedMetadataOperands(module, flags, all);
	for (unsigned i = 0; i < count; i++) {
		if (LLVMGetMDNodeNumOperands(all[i]) != 3)
			continue;
		LLVMGetMDNodeOperands(all[i], field);
		const char *text = LLVMGetMDString(field[1], &length);
		if (text && length == strlen(name) && memcmp(text, name, length) == 0)
			LLVMReplaceMDNodeOperandWith(all[i], 2, LLVMValueAsMetadata(LLVMConstInt(LLVMTypeOf(field[2]), value, 0)));
	}
	free(all);
}

void lower_at_compile(LLVMModuleRef module)
{
	const char *cilk = pass_option(PLAN_CILK);
	if (*pass_option(PLAN_COUNTERS) || is_lowered(module)) /* counters: of the program as clang has it */
		return;
	set_flag(module, "ThinLTO", 0); /* a source that was compiled for thin link-time optimisation is re-linked by the full one */
	set_flag(module, "EnableSplitLTOUnit", 1);
	lower_cilk(module);
	if (*cilk) { /* the bitcode of a program that is to run in parallel */
		parallel_lower(module, strcmp(cilk, CILK_PARALLEL_CXX) == 0);
	} else {
		answer(module, "skein_cilk_workers", 1);
		answer(module, "skein_cilk_worker", 0);
		answer(module, "skein_cilk_on_workers", 0);
		lower_openmp(module);
		lower_hold(module, false);
	}
	mark_lowered(module);
}

/* What debug information says of where variables are is in the way of the optimiser, and no lens needs it. It is made calls, which
 * this interface can erase. Scopes stay: lines of included text have their files by them. */
static void forget_places(LLVMModuleRef module)
{
	static const char start[] = "llvm.dbg.";
	size_t length;
	LLVMSetIsNewDbgInfoFormat(module, false);
	for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
		next = LLVMGetNextFunction(f);
		if (strncmp(LLVMGetValueName2(f, &length), start, sizeof start - 1) != 0)
			continue;
		while (LLVMGetFirstUse(f))
			LLVMInstructionEraseFromParent(LLVMGetUser(LLVMGetFirstUse(f)));
		LLVMDeleteFunction(f);
	}
	LLVMSetIsNewDbgInfoFormat(module, true);
	pass_forget_assignments(module);
}

/* What a compile wrote down as it was (pass/capture.h). */
static void lower_raw(LLVMModuleRef module)
{
	bool any = false;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !any; f = LLVMGetNextFunction(f))
		any = lower_is_raw(f);
	if (!any)
		return;
	if (!*pass_option(PLAN_CILK)) /* a program of the user's, who may debug it */
		forget_places(module);
	lower_openmp(module);
	lower_hold(module, true);
	mark_lowered(module);
}

void lower_tag_loop(LLVMValueRef latch, unsigned line, unsigned column, const char *kind)
{
	LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(latch))));
	LLVMTypeRef u32 = LLVMInt32TypeInContext(c);
	LLVMMetadataRef place[] = {LLVMMDStringInContext2(c, "skein.loop", 10), LLVMValueAsMetadata(LLVMConstInt(u32, line, 0)),
	                           LLVMValueAsMetadata(LLVMConstInt(u32, column, 0)), LLVMMDStringInContext2(c, kind, strlen(kind))};
	LLVMMetadataRef whole = LLVMMDStringInContext2(c, "llvm.loop.unroll.disable", 24);
	LLVMMetadataRef entries[] = {LLVMMDNodeInContext2(c, place, 4), LLVMMDNodeInContext2(c, &whole, 1)};
	shim_add_to_loop(latch, entries, 2);
}

static unsigned kind_of(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

void lower_coroutines(LLVMModuleRef module)
{
	bool any = false;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !any; f = LLVMGetNextFunction(f))
		any = LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of("presplitcoroutine"));
	if (!any)
		return;
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(module, "always-inline,coro-early,cgscc(coro-split),coro-cleanup", NULL, options);
	if (error)
		pass_fail("cannot lower coroutines: %s", LLVMGetErrorMessage(error));
	LLVMDisposePassBuilderOptions(options);
}

static LLVMAttributeRef attribute(LLVMModuleRef module, const char *name)
{
	return LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind_of(name), 0);
}

/* The spawned call stays a call between its two markers, or there would be no site to report on. */
static void keep_call(LLVMModuleRef module, LLVMValueRef thunk)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(thunk); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			size_t length;
			if (LLVMIsACallInst(i) && strncmp(LLVMGetValueName2(LLVMGetCalledValue(i), &length), "llvm.", 5) != 0)
				LLVMAddCallSiteAttribute(i, LLVMAttributeFunctionIndex, attribute(module, "noinline"));
		}
}

static bool open_thunks(LLVMModuleRef module, bool keep)
{
	bool any = false;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		LLVMAttributeRef is = LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, LOWER_THUNK, sizeof LOWER_THUNK - 1);
		unsigned length;
		if (!is)
			continue;
		any = true;
		LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of("optnone"));
		if (keep && strcmp(LLVMGetStringAttributeValue(is, &length), "block") == 0)
			continue; /* the thunk itself is what is called */
		LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of("noinline"));
		LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute(module, "alwaysinline"));
		if (keep)
			keep_call(module, f);
	}
	return any;
}

static void erase_calls(LLVMModuleRef module, const char *name)
{
	LLVMValueRef f = LLVMGetNamedFunction(module, name);
	while (f && LLVMGetFirstUse(f))
		LLVMInstructionEraseFromParent(LLVMGetUser(LLVMGetFirstUse(f)));
	if (f)
		LLVMDeleteFunction(f);
}

void lower_erase_markers(LLVMModuleRef module)
{
	erase_calls(module, "skein_cilk_spawn");
	erase_calls(module, "skein_cilk_spawned");
	erase_calls(module, "skein_cilk_sync");
	erase_calls(module, "skein_cilk_scope"); /* last: the others mention its value */
}

void lower_at_link(LLVMModuleRef module)
{
	const struct pass_lens *lens = pass_lens();
	bool keep = lens && lens->keeps_calls, parallel = *pass_option(PLAN_CILK);
	if (!*pass_option(PLAN_LENS))
		return;
	lower_raw(module);
	lower_release(module, keep);
	if (open_thunks(module, keep) || parallel) { /* src/cilk, too, is inlined whatever the level */
		LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
		LLVMErrorRef error = LLVMRunPasses(module, "always-inline", NULL, options);
		if (error)
			pass_fail("cannot inline the thunks of spawns: %s", LLVMGetErrorMessage(error));
		LLVMDisposePassBuilderOptions(options);
	}
	if (!keep)
		lower_erase_markers(module);
}
