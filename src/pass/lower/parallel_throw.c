/* SPDX-License-Identifier: MIT */
/* parallel_throw.c: exceptions of C++ where calls run beside each other.
 *
 * What a spawned call throws is kept in the frame, and goes on from the sync (src/cilk). What its caller throws, or
 * lets pass, must wait: spawned calls use the caller's variables. So each landing pad begins with a wait, and a call
 * that has none gets one. */
#include "pass/lower/parallel.h"

#include <stdlib.h>
#include <string.h>
#include "pass/lower/lower.h"
#include "pass/pass.h"

static LLVMValueRef personality(struct parallel *p)
{
	LLVMValueRef f = LLVMGetNamedFunction(p->module, "__gxx_personality_v0");
	return f ? f : LLVMAddFunction(p->module, "__gxx_personality_v0", LLVMFunctionType(p->u32, NULL, 0, 1));
}

static LLVMValueRef landing(struct parallel *p)
{
	LLVMTypeRef fields[] = {p->pointer, p->u32};
	return LLVMBuildLandingPad(p->builder, LLVMStructTypeInContext(p->context, fields, 2, 0), NULL, 1, "");
}

LLVMValueRef throw_caught(struct parallel *p, LLVMValueRef function, LLVMValueRef *arguments, unsigned count, LLVMValueRef frame)
{
	LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInsertBlock(p->builder));
	LLVMBasicBlockRef over = LLVMAppendBasicBlockInContext(p->context, caller, "over"),
			  thrown = LLVMAppendBasicBlockInContext(p->context, caller, "thrown");
	LLVMValueRef call = LLVMBuildInvoke2(p->builder, LLVMGlobalGetValueType(function), function, arguments, count, over, thrown, "");

	LLVMSetPersonalityFn(caller, personality(p));
	LLVMPositionBuilderAtEnd(p->builder, thrown);
	LLVMValueRef pad = landing(p);
	LLVMAddClause(pad, LLVMConstNull(p->pointer));
	LLVMValueRef caught[] = {frame, LLVMBuildExtractValue(p->builder, pad, 0, "")};
	parallel_call(p, "skein_cilk_caught", p->nothing, caught, 2);
	LLVMBuildRetVoid(p->builder);
	LLVMPositionBuilderAtEnd(p->builder, over);
	return call;
}

static void drain(struct parallel *p, const struct spawner *s)
{
	for (unsigned n = 0; n < s->frame_count; n++)
		parallel_call(p, "skein_cilk_drain", p->nothing, &s->frames[n], 1);
}

static LLVMBasicBlockRef new_pad(struct parallel *p, const struct spawner *s, LLVMValueRef like)
{
	LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(p->context, s->function, "");
	if (!LLVMHasPersonalityFn(s->function))
		LLVMSetPersonalityFn(s->function, personality(p));
	LLVMPositionBuilderAtEnd(p->builder, block);
	LLVMSetCurrentDebugLocation2(p->builder, parallel_place(p, like, "sync"));
	LLVMValueRef pad = landing(p);
	LLVMSetCleanup(pad, 1);
	drain(p, s);
	LLVMBuildResume(p->builder, pad);
	return block;
}

static bool may_throw(LLVMValueRef i)
{
	size_t length;
	return LLVMIsACallInst(i) && !LLVMIsAInlineAsm(LLVMGetCalledValue(i)) && LLVMGetTailCallKind(i) != LLVMTailCallKindMustTail &&
		!edit_has_attribute(i, "nounwind") && strncmp(LLVMGetValueName2(LLVMGetCalledValue(i), &length), "llvm.", 5) != 0;
}

static void make_invoke(struct parallel *p, LLVMValueRef call, LLVMBasicBlockRef pad)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(call), behind = shim_split(LLVMGetNextInstruction(call));
	unsigned count = LLVMGetNumArgOperands(call);
	LLVMValueRef *arguments = pass_zeroed(count, sizeof *arguments);

	for (unsigned n = 0; n < count; n++)
		arguments[n] = LLVMGetOperand(call, n);
	LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(block));
	LLVMPositionBuilderAtEnd(p->builder, block);
	LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(call));
	LLVMValueRef invoke =
		LLVMBuildInvoke2(p->builder, LLVMGetCalledFunctionType(call), LLVMGetCalledValue(call), arguments, count, behind, pad, "");
	parallel_copy_attributes(call, invoke);
	LLVMReplaceAllUsesWith(call, invoke);
	LLVMInstructionEraseFromParent(call);
	free(arguments);
}

void throw_guard(struct parallel *p, const struct spawner *s)
{
	LLVMValueRef *calls = NULL;
	unsigned count = 0;
	LLVMBasicBlockRef pad = NULL;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (LLVMIsALandingPadInst(i)) {
				LLVMPositionBuilderBefore(p->builder, LLVMGetNextInstruction(i));
				LLVMSetCurrentDebugLocation2(p->builder, parallel_place(p, i, "sync"));
				drain(p, s);
			} else if (may_throw(i)) {
				calls = pass_grow(calls, count, sizeof *calls);
				calls[count++] = i;
			}
		}
	for (unsigned n = 0; n < count; n++) {
		pad = pad ? pad : new_pad(p, s, calls[n]);
		make_invoke(p, calls[n], pad);
	}
	free(calls);
}
