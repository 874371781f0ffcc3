/* SPDX-License-Identifier: MIT */
/* parallel_pack.c: arguments of a call that happens elsewhere. Everything lies at multiples of eight and is aligned
 * no better, since a task's memory has no better alignment. */
#include "pass/lower/parallel.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>
#include "pass/pass.h"

static LLVMTypeRef copied_type(LLVMValueRef function, unsigned parameter)
{
	LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(function, parameter + 1, LLVMGetEnumAttributeKindForName("byval", 5));
	return byval ? LLVMGetTypeAttributeValue(byval) : NULL;
}

void pack_begin(struct pack *k, struct parallel *p, LLVMValueRef function, unsigned long long start, const LLVMTypeRef *variables)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(p->module);
	unsigned count = LLVMCountParams(function);

	*k = (struct pack){.function = function, .count = count, .bytes = start};
	k->types = pass_zeroed(count, sizeof *k->types);
	k->offsets = pass_zeroed(count, sizeof *k->offsets);
	k->copied = pass_zeroed(count, sizeof *k->copied);
	for (unsigned n = 0; n < count; n++) {
		LLVMTypeRef copied = variables && variables[n] ? variables[n] : copied_type(function, n);
		k->copied[n] = copied != NULL;
		k->types[n] = copied ? copied : LLVMTypeOf(LLVMGetParam(function, n));
		k->offsets[n] = k->bytes;
		k->bytes += (LLVMABISizeOfType(layout, k->types[n]) + 7) & ~7ull;
	}
}

static LLVMValueRef at(const struct pack *k, struct parallel *p, LLVMValueRef memory, unsigned n)
{
	LLVMValueRef offset = LLVMConstInt(p->u64, k->offsets[n], 0);
	return LLVMBuildGEP2(p->builder, LLVMInt8TypeInContext(p->context), memory, &offset, 1, "");
}

void pack_store(const struct pack *k, struct parallel *p, LLVMValueRef memory, const LLVMValueRef *values)
{
	for (unsigned n = 0; n < k->count; n++) {
		LLVMValueRef to = at(k, p, memory, n);
		if (k->copied[n])
			LLVMBuildMemCpy(p->builder, to, 8, values[n], 1, LLVMSizeOf(k->types[n]));
		else
			LLVMSetAlignment(LLVMBuildStore(p->builder, values[n], to), 8);
	}
}

/* In the entry block of a function of ours, so that a copy may be a variable. */
void pack_load(const struct pack *k, struct parallel *p, LLVMValueRef memory, LLVMValueRef *values)
{
	for (unsigned n = 0; n < k->count; n++) {
		if (k->copied[n])
			values[n] = LLVMBuildAlloca(p->builder, k->types[n], "");
		LLVMValueRef from = at(k, p, memory, n);
		if (k->copied[n]) {
			LLVMSetAlignment(values[n], 16);
			LLVMBuildMemCpy(p->builder, values[n], 16, from, 8, LLVMSizeOf(k->types[n]));
		} else {
			values[n] = LLVMBuildLoad2(p->builder, k->types[n], from, "");
			LLVMSetAlignment(values[n], 8);
		}
	}
}

/* How structs and small integers are passed, the call must know as the function does. */
static void copy_parameters(LLVMValueRef function, LLVMValueRef call)
{
	for (unsigned index = 0; index <= LLVMCountParams(function); index++) {
		unsigned count = LLVMGetAttributeCountAtIndex(function, index);
		LLVMAttributeRef *all = pass_zeroed(count, sizeof *all);
		LLVMGetAttributesAtIndex(function, index, all);
		for (unsigned a = 0; a < count; a++)
			LLVMAddCallSiteAttribute(call, index, all[a]);
		free(all);
	}
	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
}

LLVMValueRef pack_call(const struct pack *k, struct parallel *p, LLVMValueRef *values, LLVMValueRef frame, bool throws)
{
	LLVMValueRef call = throws ? throw_caught(p, k->function, values, k->count, frame)
				   : LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(k->function), k->function, values, k->count, "");
	copy_parameters(k->function, call);
	return call;
}

void pack_end(struct pack *k)
{
	free(k->types);
	free(k->offsets);
	free(k->copied);
}
