/* SPDX-License-Identifier: MIT */
/* parallel_block.c: variables of a block or loop that became a function.
 *
 * clang makes room for every variable at the entry of the function that the source has, also for those that are
 * declared inside a spawned block or a cilk_for. A worker that runs the block needs its own variables. */
#include "pass/lower/parallel.h"

#include <string.h>
#include "pass/lower/lower.h"

const char *block_kind(LLVMValueRef function)
{
	unsigned length;
	LLVMAttributeRef is = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, LOWER_THUNK, sizeof LOWER_THUNK - 1);
	return is ? LLVMGetStringAttributeValue(is, &length) : "";
}

/* A variable of the caller that nothing but the call mentions was declared inside the block: each run of the block has its own. */
static bool is_private(LLVMValueRef variable, LLVMValueRef call)
{
	for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u))
		if (LLVMGetUser(u) != call)
			return false;
	return LLVMIsAAllocaInst(variable) && LLVMIsAConstantInt(LLVMGetOperand(variable, 0));
}

static void move_variables_in(struct parallel *p, LLVMValueRef call)
{
	LLVMValueRef function = LLVMGetCalledValue(call);
	for (unsigned n = 0; n < LLVMCountParams(function); n++) {
		LLVMValueRef variable = LLVMGetOperand(call, n);
		if (!is_private(variable, call))
			continue;
		LLVMValueRef own = LLVMInstructionClone(variable);
		LLVMPositionBuilderBefore(p->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
		LLVMInsertIntoBuilder(p->builder, own);
		LLVMReplaceAllUsesWith(LLVMGetParam(function, n), own);
		LLVMSetOperand(call, n, LLVMGetPoison(p->pointer));
		LLVMInstructionEraseFromParent(variable);
	}
}

/* From the outermost in: what is private to an outer block may be to an inner one as well. */
static void settle(struct parallel *p, LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
			if (!callee || !LLVMIsAFunction(callee) || LLVMIsDeclaration(callee))
				continue;
			if (strcmp(block_kind(callee), "block") != 0 && strcmp(block_kind(callee), "loop") != 0)
				continue;
			move_variables_in(p, i);
			settle(p, callee);
		}
}

void block_settle(struct parallel *p)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		if (!*block_kind(f))
			settle(p, f);
}

static bool only_reads(LLVMValueRef pointer, LLVMTypeRef type)
{
	for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		if (!LLVMIsALoadInst(user) || LLVMGetVolatile(user) || LLVMTypeOf(user) != type)
			return false;
	}
	return true;
}

bool block_only_reads(LLVMValueRef variable, LLVMValueRef call, unsigned argument)
{
	if (!LLVMIsAAllocaInst(variable) || !LLVMIsAConstantInt(LLVMGetOperand(variable, 0)) ||
	    !only_reads(LLVMGetParam(LLVMGetCalledValue(call), argument), LLVMGetAllocatedType(variable)))
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		size_t length;
		bool is_lifetime =
			LLVMIsACallInst(user) && strncmp(LLVMGetValueName2(LLVMGetCalledValue(user), &length), "llvm.lifetime.", 14) == 0;
		if (user != call && !is_lifetime && !LLVMIsALoadInst(user) &&
		    !(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable))
			return false;
	}
	return true;
}
