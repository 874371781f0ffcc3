/* SPDX-License-Identifier: MIT */
/* edit.c: putting hooks into functions that are already optimised, without making anything untrue that later passes
 * believe. */
#include "pass/pass.h"
#include "pass/piece.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

void edit_begin(struct editor *e, LLVMModuleRef module)
{
	*e = (struct editor){.module = module, .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
}

void edit_end(struct editor *e)
{
	LLVMDisposeBuilder(e->builder);
}

/* Inserted code belongs to line 0 of the function: a call without a location in a function that has debug information
 * stops the code generator once the callee is inlined. */
void edit_function(struct editor *e, LLVMValueRef function)
{
	LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
	pass_is_at(function);
	e->function = function;
	e->location = subprogram ? LLVMDIBuilderCreateDebugLocation(LLVMGetModuleContext(e->module), 0, 0, subprogram, NULL) : NULL;
}

LLVMValueRef edit_u32(struct editor *e, unsigned value)
{
	return LLVMConstInt(LLVMInt32TypeInContext(LLVMGetModuleContext(e->module)), value, 0);
}

LLVMValueRef edit_number(struct editor *e, unsigned index)
{
	LLVMValueRef number = edit_u32(e, index), first = piece_first(e->module);
	return first ? LLVMConstAdd(LLVMConstPtrToInt(first, LLVMTypeOf(number)), number) : number;
}

LLVMValueRef edit_row_u32(struct editor *e, unsigned row)
{
	LLVMValueRef number = edit_u32(e, row), first = piece_rows(e->module);
	return first ? LLVMConstAdd(LLVMConstPtrToInt(first, LLVMTypeOf(number)), number) : number;
}

/* From 32 bits: the address of a symbol of 64 is taken relative to the code, where it has no address. */
LLVMValueRef edit_row_number(struct editor *e, unsigned row)
{
	LLVMTypeRef u64 = LLVMInt64TypeInContext(LLVMGetModuleContext(e->module));
	return LLVMBuildZExt(e->builder, edit_row_u32(e, row), u64, "");
}

LLVMValueRef edit_hook(struct editor *e, LLVMValueRef before, const char *hook, LLVMValueRef *arguments, unsigned count)
{
	LLVMValueRef callee = LLVMGetNamedFunction(e->module, hook);
	if (!callee)
		pass_fail("the hook %s is not part of this link", hook);
	LLVMPositionBuilderBefore(e->builder, before);
	LLVMSetCurrentDebugLocation2(e->builder, e->location);
	LLVMValueRef call = LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(callee), callee, arguments, count, "");
	if (e->out_of_line)
		LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
		                         LLVMCreateEnumAttribute(LLVMGetModuleContext(e->module),
		                                                 LLVMGetEnumAttributeKindForName("noinline", 8), 0));
	return call;
}

/* Allocas of fixed size must stay together at the start of the entry block, or inlining a hook that branches would
 * turn those behind it into dynamic ones. */
LLVMValueRef edit_entry(LLVMValueRef function)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
	LLVMValueRef i = LLVMGetFirstInstruction(entry), first = NULL;
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
	while (i) {
		LLVMValueRef next = LLVMGetNextInstruction(i);
		bool is_fixed = LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0));
		if (!is_fixed && !first) {
			first = i;
		} else if (is_fixed && first) {
			LLVMInstructionRemoveFromParent(i);
			LLVMPositionBuilderBefore(builder, first);
			LLVMInsertIntoBuilder(builder, i);
		}
		i = next;
	}
	LLVMDisposeBuilder(builder);
	return first;
}

LLVMValueRef edit_first(LLVMBasicBlockRef block)
{
	LLVMValueRef i = LLVMGetFirstInstruction(block);
	while (i && (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i)))
		i = LLVMGetNextInstruction(i);
	return i;
}

bool edit_is_landing(LLVMBasicBlockRef block)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
		if (!LLVMIsAPHINode(i))
			return LLVMIsALandingPadInst(i) != NULL;
	return false;
}

bool edit_has_attribute(LLVMValueRef call, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMValueRef callee = LLVMGetCalledValue(call);
	return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) ||
		(LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind));
}

LLVMValueRef edit_after(LLVMValueRef call)
{
	if (LLVMIsAInvokeInst(call))
		return edit_first(LLVMGetNormalDest(call));
	if (LLVMIsACallBrInst(call) || LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail)
		return NULL;
	return LLVMGetNextInstruction(call);
}

LLVMValueRef edit_leaves_at(LLVMBasicBlockRef block)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
	if (!last || (!LLVMIsAReturnInst(last) && !LLVMIsAResumeInst(last)))
		return NULL;
	for (LLVMValueRef i = LLVMGetPreviousInstruction(last); i; i = LLVMGetPreviousInstruction(i)) {
		if (LLVMIsACallInst(i) && LLVMGetTailCallKind(i) == LLVMTailCallKindMustTail)
			return i;
		if (!LLVMIsABitCastInst(i) && !LLVMIsACallInst(i))
			break;
	}
	return last;
}

const char *edit_marker(LLVMValueRef i)
{
	static const char start[] = "skein_cilk_";
	size_t length;
	if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i)))
		return NULL;
	const char *name = LLVMGetValueName2(LLVMGetCalledValue(i), &length);
	return strncmp(name, start, sizeof start - 1) == 0 ? name + sizeof start - 1 : NULL;
}

static bool is_marker(LLVMValueRef i, const char *which)
{
	const char *marker = edit_marker(i);
	return marker && strcmp(marker, which) == 0;
}

static bool is_real_call(LLVMValueRef i)
{
	size_t length;
	if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i))
		return false;
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
		return false;
	const char *name = LLVMIsAFunction(LLVMGetCalledValue(i)) ? LLVMGetValueName2(LLVMGetCalledValue(i), &length) : "";
	return strncmp(name, "llvm.", 5) != 0 && strncmp(name, "skein_", 6) != 0;
}

bool edit_is_spawned(LLVMValueRef call)
{
	for (LLVMValueRef i = LLVMGetPreviousInstruction(call); i && !is_real_call(i) && !is_marker(i, "spawned");
	     i = LLVMGetPreviousInstruction(i))
		if (is_marker(i, "spawn"))
			return true;
	return false;
}

/* Behind an invoke the marker is in the block to which it returns. */
static LLVMValueRef invoke_to(LLVMBasicBlockRef block)
{
	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u))
		if (LLVMIsAInvokeInst(LLVMGetUser(u)) && LLVMGetNormalDest(LLVMGetUser(u)) == block)
			return LLVMGetUser(u);
	return NULL;
}

LLVMValueRef edit_call_of(LLVMValueRef marker)
{
	bool forward = is_marker(marker, "spawn");
	LLVMValueRef i = marker, call = NULL;
	do
		i = forward ? LLVMGetNextInstruction(i) : LLVMGetPreviousInstruction(i);
	while (i && !is_real_call(i) && !is_marker(i, "spawn") && !is_marker(i, "spawned"));
	call = i && is_real_call(i) ? i : !i && !forward ? invoke_to(LLVMGetInstructionParent(marker)) : NULL;
	return call && edit_is_spawned(call) ? call : NULL;
}

enum { RETURN_LENGTH = 8, RETURN_WAYS = 8 };

/* The edges into a block, if it is a short one that returns and has more than one. */
static unsigned ways_into_return(LLVMBasicBlockRef b, LLVMValueRef *from, unsigned *successor)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
	unsigned length = 0, ways = 0;
	if (!last || !LLVMIsAReturnInst(last) || b == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(b)))
		return 0;
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
		if (!LLVMIsAPHINode(i) && (++length > RETURN_LENGTH || is_real_call(i)))
			return 0;
	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		if (LLVMIsAPHINode(user))
			continue;
		if (!LLVMIsABranchInst(user) && !LLVMIsASwitchInst(user))
			return 0;
		for (unsigned k = 0; k < LLVMGetNumSuccessors(user); k++) {
			bool seen = false;
			for (unsigned w = 0; w < ways; w++)
				seen |= from[w] == user && successor[w] == k;
			if (LLVMGetSuccessor(user, k) != b || seen)
				continue;
			if (ways == RETURN_WAYS)
				return 0;
			from[ways] = user;
			successor[ways++] = k;
		}
	}
	return ways > 1 ? ways : 0;
}

static LLVMValueRef value_on_way(LLVMValueRef value, LLVMBasicBlockRef b, LLVMBasicBlockRef from)
{
	if (!LLVMIsAPHINode(value) || LLVMGetInstructionParent(value) != b)
		return value;
	for (unsigned k = 0; k < LLVMCountIncoming(value); k++)
		if (LLVMGetIncomingBlock(value, k) == from)
			return LLVMGetIncomingValue(value, k);
	return value;
}

static void copy_return(struct editor *e, LLVMBasicBlockRef b, LLVMValueRef from, unsigned successor)
{
	LLVMValueRef old[RETURN_LENGTH], new[RETURN_LENGTH];
	unsigned count = 0;
	LLVMBasicBlockRef copy = LLVMInsertBasicBlockInContext(LLVMGetModuleContext(e->module), b, "");
	LLVMPositionBuilderAtEnd(e->builder, copy);
	LLVMSetCurrentDebugLocation2(e->builder, NULL); /* a clone has its own */
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
		if (LLVMIsAPHINode(i))
			continue;
		LLVMValueRef clone = LLVMInstructionClone(i);
		for (int k = 0; k < LLVMGetNumOperands(i); k++) {
			LLVMValueRef operand = value_on_way(LLVMGetOperand(i, (unsigned)k), b, LLVMGetInstructionParent(from));
			for (unsigned c = 0; c < count; c++)
				operand = operand == old[c] ? new[c] : operand;
			LLVMSetOperand(clone, (unsigned)k, operand);
		}
		LLVMInsertIntoBuilder(e->builder, clone);
		old[count] = i;
		new[count++] = clone;
	}
	LLVMSetSuccessor(from, successor, copy);
}

/* Every way to a return gets one of its own: a quick way out then needs none of the registers that the rest of the routine does. */
void edit_part_returns(struct editor *e, LLVMValueRef function)
{
	LLVMBasicBlockRef next;
	LLVMValueRef from[RETURN_WAYS];
	unsigned successor[RETURN_WAYS];
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = next) {
		unsigned ways = ways_into_return(b, from, successor);
		next = LLVMGetNextBasicBlock(b);
		for (unsigned w = 0; w < ways; w++)
			copy_return(e, b, from[w], successor[w]);
		if (ways)
			LLVMDeleteBasicBlock(b);
	}
}

static const char *const untrue[] = {"memory", "nosync", "nofree", "willreturn", "speculatable", "norecurse", "nocallback"};

static void forget_call(LLVMValueRef call)
{
	for (size_t k = 0; k < sizeof untrue / sizeof *untrue; k++)
		LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex,
		                                LLVMGetEnumAttributeKindForName(untrue[k], strlen(untrue[k])));
	if (LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindTail)
		LLVMSetTailCallKind(call, LLVMTailCallKindNone);
}

static void forget_function(LLVMValueRef function)
{
	for (size_t k = 0; k < sizeof untrue / sizeof *untrue; k++)
		LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
		                               LLVMGetEnumAttributeKindForName(untrue[k], strlen(untrue[k])));
}

/* A function that was found to read no memory does so now: it calls hooks. Passes that still believe the old word merge
 * or drop whole calls. */
void edit_forget(struct program *p)
{
	for (size_t n = 0; n < p->routine_count; n++)
		forget_function(p->routines[n].function);
	for (size_t n = 0; n < p->site_count; n++) {
		if (p->sites[n].call)
			forget_call(p->sites[n].call);
		if (p->sites[n].elsewhere)
			forget_function(LLVMGetCalledValue(p->sites[n].call));
	}
}

/* Hooks are compiled without vectors: what one stores as two words another must not load as one vector, which a processor cannot
 * forward. The attribute that says so would spread to functions that inline them. */
static const char no_vectors[] = "noimplicitfloat";

/* What the compiler was to inline always and did not, as what a coroutine at -O0 calls where it waits, is a routine by now. The pass that
 * inlines hooks would inline it, too, and delete it. */
static void keep_routines(const struct program *p)
{
	static const char always[] = "alwaysinline";
	unsigned kind = LLVMGetEnumAttributeKindForName(always, sizeof always - 1);
	for (size_t i = 0; i < p->routine_count; i++)
		LLVMRemoveEnumAttributeAtIndex(p->routines[i].function, LLVMAttributeFunctionIndex, kind);
}

void edit_inline_hooks(struct program *p)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(no_vectors, sizeof no_vectors - 1);
	keep_routines(p);
	bool *own = calloc(p->routine_count + 1, sizeof *own);
	if (!own)
		pass_fail("out of memory");
	for (size_t i = 0; i < p->routine_count; i++)
		own[i] = LLVMGetEnumAttributeAtIndex(p->routines[i].function, LLVMAttributeFunctionIndex, kind);
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error =
		LLVMRunPasses(p->module, "always-inline,function(sroa,early-cse,sccp,simplifycfg,instsimplify,simplifycfg,dse,adce)", NULL,
	                      options);
	if (error)
		pass_fail("cannot inline the hooks: %s", LLVMGetErrorMessage(error));
	LLVMDisposePassBuilderOptions(options);
	for (size_t i = 0; i < p->routine_count; i++)
		if (!own[i])
			LLVMRemoveEnumAttributeAtIndex(p->routines[i].function, LLVMAttributeFunctionIndex, kind);
	free(own);
}
