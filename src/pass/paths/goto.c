/* SPDX-License-Identifier: MIT */
/* goto.c: a function with several indirectbrs gets switches instead.
 *
 * An edge of the only indirectbr of a function can be split (place.c); of several it cannot, since code that took
 * the address of a block does not know which of them will use it. So addresses of its blocks become numbers, and
 * each indirectbr a switch over them. clang makes one for a function; others may come from elsewhere. */
#include "pass/paths/paths.h"

#include <stdlib.h>

static size_t find(LLVMValueRef function, LLVMValueRef **all)
{
	size_t count = 0;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
		if (!LLVMIsAIndirectBrInst(last))
			continue;
		*all = pass_grow(*all, count, sizeof **all);
		(*all)[count++] = last;
	}
	return count;
}

/* Each successor is a case, and what is listed twice is one: PHIs there have an entry for each. */
static void keep_one_entry(struct paths_pass *s, LLVMBasicBlockRef target, LLVMBasicBlockRef from)
{
	LLVMValueRef next;
	for (LLVMValueRef i = LLVMGetFirstInstruction(target); i && LLVMIsAPHINode(i); i = next) {
		bool seen = false;
		next = LLVMGetNextInstruction(i);
		LLVMPositionBuilderBefore(s->e.builder, i);
		LLVMValueRef phi = LLVMBuildPhi(s->e.builder, LLVMTypeOf(i), "");
		for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
			LLVMValueRef value = LLVMGetIncomingValue(i, k);
			LLVMBasicBlockRef source = LLVMGetIncomingBlock(i, k);
			if (source == from && seen)
				continue;
			seen |= source == from;
			LLVMAddIncoming(phi, &value, &source, 1);
		}
		LLVMReplaceAllUsesWith(i, phi);
		LLVMInstructionEraseFromParent(i);
	}
}

static void make_switch(struct paths_pass *s, LLVMValueRef old, const struct blocks *all)
{
	LLVMContextRef context = LLVMGetModuleContext(s->p->module);
	LLVMTypeRef u64 = LLVMInt64TypeInContext(context);
	LLVMBasicBlockRef from = LLVMGetInstructionParent(old),
			  none = LLVMAppendBasicBlockInContext(context, LLVMGetBasicBlockParent(from), "");
	unsigned count = LLVMGetNumSuccessors(old);
	LLVMPositionBuilderAtEnd(s->e.builder, none);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
	LLVMBuildUnreachable(s->e.builder);
	LLVMPositionBuilderBefore(s->e.builder, old);
	LLVMValueRef number = LLVMBuildPtrToInt(s->e.builder, LLVMGetOperand(old, 0), u64, "");
	LLVMValueRef cases = LLVMBuildSwitch(s->e.builder, number, none, count);
	for (unsigned k = 0; k < count; k++) {
		LLVMBasicBlockRef target = LLVMGetSuccessor(old, k);
		bool seen = false;
		for (unsigned j = 0; j < k; j++)
			seen |= LLVMGetSuccessor(old, j) == target;
		if (seen)
			keep_one_entry(s, target, from);
		else
			LLVMAddCase(cases, LLVMConstInt(u64, blocks_number(all, target) + 1, 0), target);
	}
	LLVMInstructionEraseFromParent(old);
}

void paths_goto(struct paths_pass *s, LLVMValueRef function)
{
	LLVMValueRef *all = NULL;
	size_t count = find(function, &all);
	LLVMContextRef context = LLVMGetModuleContext(s->p->module);
	if (count > 1) {
		struct blocks b;
		edit_function(&s->e, function);
		blocks_begin(&b, function);
		for (size_t i = 0; i < count; i++)
			make_switch(s, all[i], &b);
		for (size_t i = 0; i < b.count; i++) /* a block without an address gets one for the moment */
			if (i)
				LLVMReplaceAllUsesWith(LLVMBlockAddress(function, b.at[i]),
				                       LLVMConstIntToPtr(LLVMConstInt(LLVMInt64TypeInContext(context), i + 1, 0),
				                                         LLVMPointerTypeInContext(context, 0)));
		blocks_end(&b);
	}
	free(all);
}
