/* SPDX-License-Identifier: MIT */
/* parallel_loop.c: cilk_for, whose iterations src/cilk divides.
 *
 * build/cilk/cilk.c has counted the iterations and made a loop over some of them a function: in C++ a lambda that is called
 * with the first and the one behind the last, in C a block that finds the two in a variable, which cilk.c has outlined.
 * Either way run(context, first, behind, frame) is what src/cilk is given; the context is the lambda, or the block's
 * arguments. A scalar that a block only reads, and whose address is not taken, goes along as a copy: so it can stay
 * in a register, there and in the function around the loop. */
#include "pass/lower/parallel.h"

#include <stdlib.h>
#include <string.h>
#include "pass/lower/lower.h"
#include "pass/pass.h"

static LLVMValueRef begin_run(struct parallel *p, LLVMValueRef body)
{
	LLVMTypeRef types[] = {p->pointer, p->u64, p->u64, p->pointer};
	return parallel_function(p, body, ".run", LLVMFunctionType(p->nothing, types, 4, 0));
}

static void end_run(struct parallel *p, LLVMValueRef call)
{
	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
	                         LLVMCreateEnumAttribute(p->context, LLVMGetEnumAttributeKindForName("noinline", 8), 0));
	LLVMBuildRetVoid(p->builder);
}

/* skein_cilk_loop in the place of a call. */
static void replace(struct parallel *p, struct spawner *s, LLVMValueRef call, LLVMValueRef count, LLVMValueRef run, LLVMValueRef context)
{
	LLVMValueRef arguments[] = {parallel_frame(p, s), count, run, context};

	LLVMPositionBuilderBefore(p->builder, call);
	LLVMSetCurrentDebugLocation2(p->builder, parallel_place(p, call, "task"));
	LLVMValueRef loop = parallel_call(p, "skein_cilk_loop", p->nothing, arguments, 4);
	if (LLVMIsAInvokeInst(call)) {
		LLVMValueRef f = LLVMGetCalledValue(loop);
		LLVMInstructionEraseFromParent(loop);
		LLVMBuildInvoke2(p->builder, LLVMGlobalGetValueType(f), f, arguments, 4, LLVMGetNormalDest(call), LLVMGetUnwindDest(call),
		                 "");
	}
	LLVMInstructionEraseFromParent(call);
}

static void lower_lambda(struct parallel *p, struct spawner *s, LLVMValueRef low)
{
	LLVMValueRef call = LLVMGetUser(LLVMGetFirstUse(low)), lambda = LLVMGetCalledValue(call);
	struct pack k;

	if (!LLVMIsAFunction(lambda) || LLVMCountParams(lambda) != 3)
		pass_fail("a cilk_for has an unexpected form");
	pack_begin(&k, p, lambda, 0, NULL);
	LLVMValueRef run = begin_run(p, lambda), values[] = {LLVMGetParam(run, 0), LLVMGetParam(run, 1), LLVMGetParam(run, 2)};
	end_run(p, pack_call(&k, p, values, LLVMGetParam(run, 3), s->throws));
	pack_end(&k);
	replace(p, s, call, LLVMGetOperand(call, 2), run, LLVMGetOperand(call, 0));
	LLVMInstructionEraseFromParent(low);
}

static void add_attribute(struct parallel *p, LLVMValueRef function, unsigned parameter, const char *name)
{
	LLVMAddAttributeAtIndex(function, parameter + 1,
	                        LLVMCreateEnumAttribute(p->context, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0));
}

/* The types of those arguments that go along as copies. */
static LLVMTypeRef *find_copies(struct parallel *p, LLVMValueRef call, LLVMValueRef bounds)
{
	LLVMValueRef body = LLVMGetCalledValue(call);
	LLVMTypeRef *types = pass_zeroed(LLVMCountParams(body), sizeof *types);

	for (unsigned n = 0; n < LLVMCountParams(body); n++) {
		LLVMValueRef variable = LLVMGetOperand(call, n);
		if (variable == bounds || !block_only_reads(variable, call, n))
			continue;
		types[n] = LLVMGetAllocatedType(variable);
		add_attribute(p, body, n, "noalias");
	}
	return types;
}

static LLVMValueRef make_block_run(struct parallel *p, const struct pack *k, unsigned bounds, bool throws)
{
	LLVMValueRef run = begin_run(p, k->function), *values = pass_zeroed(k->count, sizeof *values), one = LLVMConstInt(p->u64, 1, 0);

	pack_load(k, p, LLVMGetParam(run, 0), values);
	if (bounds < k->count) {
		values[bounds] = LLVMBuildAlloca(p->builder, LLVMArrayType2(p->u64, 2), "");
		LLVMSetAlignment(values[bounds], 16);
		LLVMBuildStore(p->builder, LLVMGetParam(run, 1), values[bounds]);
		LLVMBuildStore(p->builder, LLVMGetParam(run, 2), LLVMBuildGEP2(p->builder, p->u64, values[bounds], &one, 1, ""));
	}
	end_run(p, pack_call(k, p, values, LLVMGetParam(run, 3), throws));
	free(values);
	return run;
}

static LLVMValueRef next_call(LLVMValueRef i)
{
	do
		i = LLVMGetNextInstruction(i);
	while (i &&
	       !(LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) && strcmp(block_kind(LLVMGetCalledValue(i)), "loop") == 0));
	return i;
}

static void lower_block(struct parallel *p, struct spawner *s, LLVMValueRef marker)
{
	LLVMValueRef call = next_call(marker), count = LLVMGetOperand(marker, 0), bounds = LLVMGetOperand(marker, 1);
	struct pack k;
	unsigned at = 0;

	if (!call)
		pass_fail("a cilk_for has an unexpected form");
	LLVMValueRef body = LLVMGetCalledValue(call), *values = pass_zeroed(LLVMCountParams(body), sizeof *values);
	for (unsigned n = LLVMCountParams(body); n-- > 0;)
		values[n] = LLVMGetOperand(call, n);
	while (at < LLVMCountParams(body) && values[at] != bounds)
		at++;
	LLVMTypeRef *copies = find_copies(p, call, bounds);
	pack_begin(&k, p, body, 0, copies);
	LLVMValueRef run = make_block_run(p, &k, at, s->throws);
	LLVMPositionBuilderBefore(p->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(s->function)));
	LLVMSetCurrentDebugLocation2(p->builder, NULL);
	LLVMValueRef context = LLVMBuildAlloca(p->builder, LLVMArrayType2(p->u64, k.bytes / 8), "cilk_context");
	LLVMPositionBuilderBefore(p->builder, call);
	LLVMSetCurrentDebugLocation2(p->builder, parallel_place(p, call, "task"));
	pack_store(&k, p, context, values);
	replace(p, s, call, count, run, context);
	LLVMInstructionEraseFromParent(marker);
	pack_end(&k);
	free(copies);
	free(values);
}

void loop_lower(struct parallel *p, struct spawner *s)
{
	unsigned count;
	LLVMValueRef *found = parallel_markers(s->function, "skein_cilk_for", &count);
	for (unsigned n = 0; n < count; n++)
		lower_block(p, s, found[n]);
	free(found);
	found = parallel_markers(s->function, "__skein_mark_low", &count);
	for (unsigned n = 0; n < count; n++)
		lower_lambda(p, s, found[n]);
	free(found);
}
