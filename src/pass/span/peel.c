/* SPDX-License-Identifier: MIT */
/* peel.c: the quick way out of a routine moves to where it is called.
 *
 * Problem: half of a recursion's invocations are its base case, which does next to nothing; entering and leaving it, with its
 * figures on their way through memory, costs more than it does.
 * Idea: a routine whose first test leads to a return without a call gets a twin that makes this test and, if it must, calls the
 * routine; the twin takes its place in all calls and is inlined there. Its hooks come with it, so everything is counted as
 * before: the compiler sees the figures of the base case as constants. Then all that was inlined is simplified once more. */
#include "pass/span/span.h"

#include <llvm-c/Error.h>
#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

enum { TEST_LENGTH = 12, WAY_OUT_LENGTH = 48, PARAMETERS = 16 };

struct copy {
	LLVMValueRef from, to;
};

struct twin {
	LLVMValueRef routine, function;
	LLVMBuilderRef builder;
	struct copy copies[TEST_LENGTH + WAY_OUT_LENGTH];
	size_t count;
};

/* Instructions that may be there twice, up to `most` of them. */
static bool is_plain(LLVMBasicBlockRef b, unsigned most)
{
	unsigned length = 0;
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
		bool calls = LLVMIsACallInst(i) && !(LLVMIsAFunction(LLVMGetCalledValue(i)) && LLVMGetIntrinsicID(LLVMGetCalledValue(i)));
		if (++length > most || calls || LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i))
			return false;
	}
	return true;
}

static bool changes_nothing(LLVMBasicBlockRef b)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
		if (LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i))
			return false;
	return true;
}

/* What a block that leads straight to the end returns: the return itself, or the branch to a block that does nothing else. */
static bool returns(LLVMBasicBlockRef b)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
	if (LLVMIsABranchInst(last) && !LLVMIsConditional(last)) {
		LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetSuccessor(last, 0));
		while (LLVMIsAPHINode(i))
			i = LLVMGetNextInstruction(i);
		last = i;
	}
	return LLVMIsAReturnInst(last) != NULL;
}

/* Which successor of the entry is a quick way out; -1: none. */
static int way_out(LLVMValueRef function)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
	LLVMValueRef last = LLVMGetBasicBlockTerminator(entry);
	if (LLVMCountParams(function) > PARAMETERS || LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
		return -1;
	if (!LLVMIsABranchInst(last) || !LLVMIsConditional(last) || !is_plain(entry, TEST_LENGTH) || !changes_nothing(entry))
		return -1;
	for (unsigned k = 0; k < 2; k++) {
		LLVMBasicBlockRef b = LLVMGetSuccessor(last, k);
		if (returns(b) && is_plain(b, WAY_OUT_LENGTH))
			return (int)k;
	}
	return -1;
}

static LLVMValueRef copied(const struct twin *t, LLVMValueRef value)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->copies[i].from == value)
			return t->copies[i].to;
	for (unsigned k = 0; LLVMIsAArgument(value) && k < LLVMCountParams(t->routine); k++)
		if (LLVMGetParam(t->routine, k) == value)
			return LLVMGetParam(t->function, k);
	return value;
}

/* All of a block but its branch. */
static void copy_block(struct twin *t, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	LLVMPositionBuilderAtEnd(t->builder, to);
	for (LLVMValueRef i = LLVMGetFirstInstruction(from); i; i = LLVMGetNextInstruction(i)) {
		if (LLVMIsABranchInst(i))
			return;
		LLVMValueRef clone = LLVMInstructionClone(i);
		for (int k = 0; k < LLVMGetNumOperands(i); k++)
			LLVMSetOperand(clone, (unsigned)k, copied(t, LLVMGetOperand(i, (unsigned)k)));
		LLVMInsertIntoBuilder(t->builder, clone);
		t->copies[t->count++] = (struct copy){i, clone};
	}
}

/* A way out that ended in a branch returns what it would have brought to the common return. */
static void finish_way_out(struct twin *t, LLVMBasicBlockRef b)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
	if (!LLVMIsABranchInst(last))
		return;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetSuccessor(last, 0)),
		     value = LLVMGetNumOperands(end) ? LLVMGetOperand(end, 0) : NULL;
	for (unsigned k = 0; value && LLVMIsAPHINode(value) && k < LLVMCountIncoming(value); k++)
		if (LLVMGetIncomingBlock(value, k) == b)
			value = LLVMGetIncomingValue(value, k);
	if (value)
		LLVMBuildRet(t->builder, copied(t, value));
	else
		LLVMBuildRetVoid(t->builder);
}

static void call_routine(struct twin *t, LLVMBasicBlockRef in)
{
	LLVMValueRef arguments[PARAMETERS];
	LLVMTypeRef type = LLVMGlobalGetValueType(t->routine);
	LLVMGetParams(t->function, arguments);
	LLVMPositionBuilderAtEnd(t->builder, in);
	LLVMValueRef call = LLVMBuildCall2(t->builder, type, t->routine, arguments, LLVMCountParams(t->routine), "");
	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(t->routine));
	if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(t->builder);
	else
		LLVMBuildRet(t->builder, call);
}

static void use_twin(struct twin *t)
{
	static const char kept[] = "noinline"; /* spawned calls are, until here */
	LLVMUseRef next;
	for (LLVMUseRef u = LLVMGetFirstUse(t->routine); u; u = next) {
		LLVMValueRef user = LLVMGetUser(u);
		next = LLVMGetNextUse(u);
		if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != t->routine ||
		    LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == t->function)
			continue;
		LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, t->function);
		LLVMRemoveCallSiteEnumAttribute(user, LLVMAttributeFunctionIndex, LLVMGetEnumAttributeKindForName(kept, sizeof kept - 1));
	}
}

static void make_twin(LLVMModuleRef module, LLVMValueRef routine, unsigned out)
{
	static const char name[] = "skein_twin", inlined[] = "alwaysinline";
	LLVMContextRef context = LLVMGetModuleContext(module);
	struct twin t = {.routine = routine, .builder = LLVMCreateBuilderInContext(context)};
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(routine);
	LLVMValueRef last = LLVMGetBasicBlockTerminator(entry);
	t.function = LLVMAddFunction(module, name, LLVMGlobalGetValueType(routine));
	LLVMSetLinkage(t.function, LLVMInternalLinkage);
	LLVMSetFunctionCallConv(t.function, LLVMGetFunctionCallConv(routine));
	LLVMAddAttributeAtIndex(t.function, LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName(inlined, sizeof inlined - 1), 0));
	LLVMBasicBlockRef blocks[3];
	for (int i = 0; i < 3; i++)
		blocks[i] = LLVMAppendBasicBlockInContext(context, t.function, "");
	copy_block(&t, entry, blocks[0]);
	LLVMBuildCondBr(t.builder, copied(&t, LLVMGetCondition(last)), blocks[out == 0 ? 1 : 2], blocks[out == 0 ? 2 : 1]);
	copy_block(&t, LLVMGetSuccessor(last, out), blocks[1]);
	finish_way_out(&t, LLVMGetSuccessor(last, out));
	call_routine(&t, blocks[2]);
	use_twin(&t);
	LLVMDisposeBuilder(t.builder);
}

/* What is left to do once hooks and twins are inlined. A loop that adds the same to n in every turn can add it all behind the
 * loop; LLVM does so where it finds that cheap, and is told here to do it always. */
static void tidy(LLVMModuleRef module)
{
	static const char *const arguments[] = {"skein", "-replexitval=always"};
	static const char passes[] =
		"always-inline,function(sroa,early-cse<memssa>,gvn,simplifycfg,loop-simplify,lcssa,loop(indvars),loop-simplify,"
		"loop(loop-deletion),adce,instcombine<no-verify-fixpoint>,simplifycfg,dse)";
	LLVMParseCommandLineOptions(2, arguments, NULL);
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
	if (error)
		pass_fail("cannot simplify inlined code: %s", LLVMGetErrorMessage(error));
	LLVMDisposePassBuilderOptions(options);
}

void span_peel(const struct span_pass *s)
{
	const struct program *p = s->p;
	for (size_t r = 0; r < p->routine_count; r++) {
		LLVMValueRef f = p->routines[r].function;
		int out = s->facts[r].peels ? way_out(f) : -1;
		if (out >= 0)
			make_twin(p->module, f, (unsigned)out);
	}
	tidy(p->module);
}
