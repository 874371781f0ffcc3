/* SPDX-License-Identifier: MIT */
/* tails.c: calls that are the last thing a function does.
 *
 * Code generation makes jumps of them, and programs rely on it: two functions that call each other for ever need no
 * stack. Optimised code often has one return for all, and code generation then copies it behind the call. Here that is
 * done before blocks are numbered, so that a path that ends with such a call ends before it, and nothing has to be done
 * when it returns. */
#include "pass/paths/paths.h"

#include <stdlib.h>
#include <string.h>

static bool is_nothing(LLVMValueRef i)
{
	size_t length;
	if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i)))
		return false;
	const char *name = LLVMGetValueName2(LLVMGetCalledValue(i), &length);
	return strncmp(name, "llvm.dbg.", 9) == 0 || strncmp(name, "llvm.lifetime.", 14) == 0;
}

static bool is_call_of_intrinsic(LLVMValueRef call)
{
	size_t length;
	LLVMValueRef callee = LLVMGetCalledValue(call);
	return LLVMIsAInlineAsm(callee) || (LLVMIsAFunction(callee) && strncmp(LLVMGetValueName2(callee, &length), "llvm.", 5) == 0);
}

LLVMValueRef paths_tail_before(LLVMValueRef last)
{
	LLVMValueRef i = LLVMGetPreviousInstruction(last);
	while (i && is_nothing(i))
		i = LLVMGetPreviousInstruction(i);
	if (!i || !LLVMIsACallInst(i) || is_call_of_intrinsic(i))
		return NULL;
	LLVMTailCallKind kind = LLVMGetTailCallKind(i);
	return kind == LLVMTailCallKindTail || kind == LLVMTailCallKindMustTail ? i : NULL;
}

/* The value that the block returns for control that arrives from there; NULL: the block does more than return. */
static LLVMValueRef returned_from(LLVMValueRef end, LLVMBasicBlockRef from)
{
	LLVMValueRef value = LLVMGetNumOperands(end) ? LLVMGetOperand(end, 0) : NULL;
	if (!value || !LLVMIsAPHINode(value) || LLVMGetInstructionParent(value) != LLVMGetInstructionParent(end))
		return value;
	for (unsigned k = 0; k < LLVMCountIncoming(value); k++)
		if (LLVMGetIncomingBlock(value, k) == from)
			return LLVMGetIncomingValue(value, k);
	return NULL;
}

static void forget_way(struct paths_pass *s, LLVMBasicBlockRef block, LLVMBasicBlockRef from)
{
	LLVMValueRef next;
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i); i = next) {
		next = LLVMGetNextInstruction(i);
		LLVMPositionBuilderBefore(s->e.builder, i);
		LLVMValueRef phi = LLVMBuildPhi(s->e.builder, LLVMTypeOf(i), "");
		for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
			LLVMValueRef value = LLVMGetIncomingValue(i, k);
			LLVMBasicBlockRef source = LLVMGetIncomingBlock(i, k);
			if (source != from)
				LLVMAddIncoming(phi, &value, &source, 1);
		}
		LLVMReplaceAllUsesWith(i, phi);
		LLVMInstructionEraseFromParent(i);
	}
}

/* A branch to a lonely return behind a tail call becomes a return. */
static bool return_at(struct paths_pass *s, LLVMValueRef branch, LLVMValueRef end)
{
	LLVMBasicBlockRef from = LLVMGetInstructionParent(branch), target = LLVMGetInstructionParent(end);
	LLVMValueRef call = LLVMIsABranchInst(branch) && !LLVMIsConditional(branch) ? paths_tail_before(branch) : NULL;
	if (!call || (LLVMGetNumOperands(end) && returned_from(end, from) != call))
		return false;
	LLVMPositionBuilderBefore(s->e.builder, branch);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
	if (LLVMGetNumOperands(end))
		LLVMBuildRet(s->e.builder, call);
	else
		LLVMBuildRetVoid(s->e.builder);
	LLVMInstructionEraseFromParent(branch);
	forget_way(s, target, from);
	return true;
}

static bool is_lonely(LLVMValueRef end)
{
	LLVMValueRef i = LLVMGetPreviousInstruction(end);
	while (i && is_nothing(i))
		i = LLVMGetPreviousInstruction(i);
	return !i || LLVMIsAPHINode(i);
}

void paths_tails(struct paths_pass *s, LLVMValueRef function)
{
	LLVMBasicBlockRef next;
	edit_function(&s->e, function);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = next) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		bool changed = false;
		next = LLVMGetNextBasicBlock(b);
		if (!LLVMIsAReturnInst(end) || !is_lonely(end) || b == LLVMGetEntryBasicBlock(function))
			continue;
		for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)), more; u; u = more) {
			more = LLVMGetNextUse(u);
			changed |= LLVMIsATerminatorInst(LLVMGetUser(u)) && return_at(s, LLVMGetUser(u), end);
		}
		if (changed && !LLVMGetFirstUse(LLVMBasicBlockAsValue(b)))
			LLVMDeleteBasicBlock(b);
	}
}
