/* SPDX-License-Identifier: MIT */
/* hold.c: which functions are inlined is decided when a program is re-linked, not when a source is compiled.
 *
 * A lens that keeps calls (pass/lens.h), such as `span`, must show a call that matters even if the compiler would inline it
 * (`partition` in a quicksort); other lenses want the program as it is optimised. So in bitcode functions are held: not inlined into others as long
 * as one source is compiled. At the start of the link they are released, all for most lenses, the small ones that
 * have no loop for a lens that keeps calls. What the user wants inlined always is, and at -O0 nothing is held because nothing would be
 * inlined.
 *
 * Which are small shows when variables are values: a module that was held before anything was optimised (pass/capture.h) is simplified
 * before some of its functions are released. */
#include "pass/lower/lower.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>
#include "pass/blocks.h"

enum { LARGE = 24, TRIVIAL = 12 };

static const char held[] = "skein-held", early[] = "early"; /* the value, if nothing else was done */

static unsigned kind_of(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static bool has(LLVMValueRef f, const char *name)
{
	return LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of(name)) != NULL;
}

/* Instructions that leave code; at the compile, without the moves to and from variables that optimisation takes away. */
static unsigned size_of(LLVMValueRef f, bool compiled)
{
	unsigned size = 0;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			bool moves = LLVMIsAAllocaInst(i) || LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
			bool intrinsic =
				LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) && LLVMGetIntrinsicID(LLVMGetCalledValue(i));
			size += !intrinsic && !LLVMIsAPHINode(i) && !(moves && !compiled);
		}
	return size;
}

void lower_hold(LLVMModuleRef module, bool only_raw)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	unsigned length = only_raw ? sizeof early - 1 : 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f) || has(f, "alwaysinline") || has(f, "noinline") || has(f, "optnone") || has(f, "naked") ||
		    size_of(f, false) <= TRIVIAL || (only_raw && !lower_is_raw(f)))
			continue;
		LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, kind_of("noinline"), 0));
		LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
		                        LLVMCreateStringAttribute(context, held, sizeof held - 1, early, length));
	}
}

/* A branch to a block that does not come later: clang and LLVM keep blocks in an order in which hardly anything but a loop has one. */
static bool has_loop(LLVMValueRef f)
{
	struct blocks blocks;
	bool found = false;
	blocks_begin(&blocks, f);
	for (size_t i = 0; i < blocks.count && !found; i++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(blocks.at[i]);
		for (unsigned k = 0; last && k < LLVMGetNumSuccessors(last); k++)
			found |= blocks_number(&blocks, LLVMGetSuccessor(last, k)) <= i;
	}
	blocks_end(&blocks);
	return found;
}

static LLVMAttributeRef held_as(LLVMValueRef f)
{
	return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, held, sizeof held - 1);
}

static bool is_early(LLVMModuleRef module)
{
	unsigned length = 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !length; f = LLVMGetNextFunction(f))
		if (held_as(f))
			LLVMGetStringAttributeValue(held_as(f), &length);
	return length;
}

static void simplify(LLVMModuleRef module)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(module, "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>)", NULL, options);
	if (error)
		pass_fail("cannot simplify functions: %s", LLVMGetErrorMessage(error));
	LLVMDisposePassBuilderOptions(options);
}

void lower_release(LLVMModuleRef module, bool keeps_calls)
{
	bool all = *pass_option(PLAN_INLINED);
	if (keeps_calls && is_early(module))
		simplify(module);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (!held_as(f))
			continue;
		LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, held, sizeof held - 1);
		if (!keeps_calls || (!all && size_of(f, true) <= LARGE && !has_loop(f)))
			LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of("noinline"));
	}
}
