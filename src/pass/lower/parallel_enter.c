/* SPDX-License-Identifier: MIT */
/* parallel_enter.c: the way into a function that spawns.
 *
 * NAME becomes a function of ours that asks whether a region is open here; the body is NAME.skein_body and keeps the
 * debug information, so that a profile shows one function of that name; symbols say so too, where no other code
 * needs the way in (enter_rename). From code that runs in a region only, other bodies are called straight. */
#include "pass/lower/parallel.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>
#include "cilk/frame.h"
#include "pass/lower/lower.h"
#include "pass/pass.h"

static const char body_suffix[] = ".skein_body", enter_suffix[] = ".skein_enter";

static unsigned kind_of(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static bool is_thunk(LLVMValueRef f)
{
	return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, LOWER_THUNK, sizeof LOWER_THUNK - 1) != NULL;
}

/* Attributes that a body with tasks in it does not bear, whatever the user said. */
static void forget(LLVMValueRef f)
{
	static const char *const untrue[] = {"memory", "nosync", "nofree", "willreturn", "norecurse", "speculatable", "alwaysinline"};
	for (size_t n = 0; n < sizeof untrue / sizeof *untrue; n++)
		LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of(untrue[n]));
}

static void copy_signature(LLVMValueRef from, LLVMValueRef to)
{
	for (unsigned index = 0; index <= LLVMCountParams(from) + 1; index++) {
		unsigned at = index > LLVMCountParams(from) ? (unsigned)LLVMAttributeFunctionIndex : index;
		unsigned count = LLVMGetAttributeCountAtIndex(from, at);
		LLVMAttributeRef *all = pass_zeroed(count, sizeof *all);
		LLVMGetAttributesAtIndex(from, at, all);
		for (unsigned a = 0; a < count; a++)
			if (LLVMIsStringAttribute(all[a]) || LLVMGetEnumAttributeKind(all[a]) != kind_of("optnone"))
				LLVMAddAttributeAtIndex(to, at, all[a]);
		free(all);
	}
	LLVMSetFunctionCallConv(to, LLVMGetFunctionCallConv(from));
}

/* The body, under another name, and an empty function in its place. */
static LLVMValueRef take_place(struct parallel *p, LLVMValueRef body)
{
	size_t length;
	char *name = strdup(LLVMGetValueName2(body, &length)), *own = pass_zeroed(length + sizeof body_suffix, 1);

	if (!name)
		pass_fail("out of memory");
	strcat(strcpy(own, name), body_suffix);
	LLVMSetValueName2(body, own, strlen(own));
	LLVMValueRef way_in = LLVMAddFunction(p->module, name, LLVMGlobalGetValueType(body));
	copy_signature(body, way_in);
	LLVMAddAttributeAtIndex(way_in, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(p->context, kind_of("noinline"), 0));
	LLVMSetLinkage(way_in, LLVMGetLinkage(body));
	LLVMSetVisibility(way_in, LLVMGetVisibility(body));
	LLVMSetComdat(way_in, LLVMGetComdat(body));
	LLVMSetUnnamedAddress(way_in, LLVMGetUnnamedAddress(body));
	LLVMSetSection(way_in, CILK_SECTION);
	LLVMReplaceAllUsesWith(body, way_in);
	LLVMSetComdat(body, NULL);
	LLVMSetVisibility(body, LLVMDefaultVisibility);
	LLVMSetLinkage(body, LLVMInternalLinkage);
	free(name);
	free(own);
	return way_in;
}

/* Memory of a call through libomp: a frame for what it throws, the result, the arguments. */
static LLVMValueRef result_at(struct parallel *p, LLVMValueRef memory)
{
	LLVMValueRef offset = LLVMConstInt(p->u64, 8ull * CILK_FRAME_WORDS, 0);
	return LLVMBuildGEP2(p->builder, LLVMInt8TypeInContext(p->context), memory, &offset, 1, "");
}

/* What is passed as a copy is copied once more, and by the pointer: it lives as long as the call. */
static LLVMValueRef make_region(struct parallel *p, const struct pack *k, LLVMTypeRef result, bool throws)
{
	LLVMTypeRef types[] = {p->pointer, p->pointer};
	LLVMValueRef region = parallel_function(p, k->function, ".region", LLVMFunctionType(p->nothing, types, 2, 0));
	LLVMValueRef *values = pass_zeroed(k->count, sizeof *values), memory = LLVMGetParam(region, 0);

	pack_load(k, p, memory, values);
	LLVMValueRef call = pack_call(k, p, values, LLVMGetParam(region, 1), throws);
	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(p->context, kind_of("noinline"), 0));
	if (result != p->nothing)
		LLVMSetAlignment(LLVMBuildStore(p->builder, call, result_at(p, memory)), 8);
	LLVMBuildRetVoid(p->builder);
	free(values);
	return region;
}

static void build_direct(struct parallel *p, const struct pack *k, LLVMValueRef *values, LLVMTypeRef result)
{
	LLVMValueRef call = pack_call(k, p, values, NULL, false);
	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(p->context, kind_of("noinline"), 0));
	LLVMSetTailCall(call, 1);
	if (result == p->nothing)
		LLVMBuildRetVoid(p->builder);
	else
		LLVMBuildRet(p->builder, call);
}

static void build_entry(struct parallel *p, const struct pack *k, LLVMValueRef memory, LLVMValueRef *values, LLVMValueRef region,
                        LLVMTypeRef result)
{
	LLVMValueRef enter[] = {region, memory, memory};

	LLVMBuildStore(p->builder, LLVMConstNull(LLVMArrayType2(p->u64, CILK_FRAME_WORDS)), memory);
	pack_store(k, p, memory, values);
	parallel_call(p, "skein_cilk_enter", p->nothing, enter, 3);
	if (result == p->nothing) {
		LLVMBuildRetVoid(p->builder);
		return;
	}
	LLVMValueRef value = LLVMBuildLoad2(p->builder, result, result_at(p, memory), "");
	LLVMSetAlignment(value, 8);
	LLVMBuildRet(p->builder, value);
}

static void fill_way_in(struct parallel *p, LLVMValueRef way_in, LLVMValueRef body, bool throws)
{
	LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(body));
	unsigned long long result_bytes =
		result == p->nothing ? 0 : (LLVMABISizeOfType(LLVMGetModuleDataLayout(p->module), result) + 7) & ~7ull;
	LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(p->context, way_in, "entry"),
			  direct = LLVMAppendBasicBlockInContext(p->context, way_in, "inside"),
			  outside = LLVMAppendBasicBlockInContext(p->context, way_in, "outside");
	LLVMValueRef *values = pass_zeroed(LLVMCountParams(body), sizeof *values);
	struct pack k;

	pack_begin(&k, p, body, 8ull * CILK_FRAME_WORDS + result_bytes, NULL);
	LLVMGetParams(way_in, values);
	LLVMValueRef region = make_region(p, &k, result, throws);
	LLVMPositionBuilderAtEnd(p->builder, entry);
	LLVMValueRef memory = LLVMBuildAlloca(p->builder, LLVMArrayType2(p->u64, k.bytes / 8), "");
	LLVMBuildCondBr(p->builder, parallel_call(p, "skein_cilk_inside", p->u1, NULL, 0), direct, outside);
	LLVMPositionBuilderAtEnd(p->builder, direct);
	build_direct(p, &k, values, result);
	LLVMPositionBuilderAtEnd(p->builder, outside);
	build_entry(p, &k, memory, values, region, result);
	pack_end(&k);
	free(values);
}

static bool can_be_bypassed(LLVMValueRef way_in)
{
	LLVMLinkage linkage = LLVMGetLinkage(way_in);
	return linkage == LLVMExternalLinkage || linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage ||
		linkage == LLVMLinkOnceODRLinkage || linkage == LLVMWeakODRLinkage;
}

static bool runs_inside(LLVMValueRef function, const struct spawner *all, size_t count)
{
	for (size_t n = 0; n < count; n++)
		if (all[n].function == function)
			return !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function));
	return is_thunk(function);
}

static void bypass(LLVMValueRef way_in, LLVMValueRef body, const struct spawner *all, size_t count)
{
	for (LLVMUseRef u = LLVMGetFirstUse(way_in), next; u; u = next) {
		LLVMValueRef call = LLVMGetUser(u);
		next = LLVMGetNextUse(u);
		if ((LLVMIsACallInst(call) || LLVMIsAInvokeInst(call)) && LLVMGetCalledValue(call) == way_in &&
		    runs_inside(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)), all, count))
			LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, body);
	}
}

void enter_wrap(struct parallel *p, const struct spawner *all, size_t count)
{
	for (size_t n = 0; n < count; n++) {
		LLVMValueRef body = all[n].function;
		forget(body);
		if (is_thunk(body) || LLVMIsFunctionVarArg(LLVMGlobalGetValueType(body)))
			continue; /* inside already; or, with `...`, no more parallel than its caller */
		LLVMValueRef way_in = take_place(p, body);
		fill_way_in(p, way_in, body, all[n].throws);
		if (can_be_bypassed(way_in))
			bypass(way_in, body, all, count);
	}
}

static void rename_body(LLVMModuleRef module, LLVMValueRef body, const char *name, size_t length)
{
	char *own = pass_zeroed(length + sizeof enter_suffix, 1);

	memcpy(own, name, length);
	LLVMValueRef way_in = LLVMGetNamedFunction(module, own);
	bool is_ours = !way_in || LLVMGetLinkage(way_in) == LLVMInternalLinkage || LLVMGetLinkage(way_in) == LLVMPrivateLinkage;
	if (way_in && is_ours) {
		strcat(own, enter_suffix);
		LLVMSetValueName2(way_in, own, strlen(own));
		own[length] = 0;
	}
	if (is_ours)
		LLVMSetValueName2(body, own, length);
	free(own);
}

void enter_rename(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		size_t length, suffix = sizeof body_suffix - 1;
		const char *name = LLVMGetValueName2(f, &length);
		if (length > suffix && memcmp(name + length - suffix, body_suffix, suffix) == 0)
			rename_body(module, f, name, length - suffix);
	}
}
