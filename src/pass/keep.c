/* SPDX-License-Identifier: MIT */
/* keep.c: functions that nothing calls stay in the program, as they do in a native link.
 *
 * Link-time optimisation sees the whole program and drops what cannot be reached: the unused half of a library that was
 * linked in. A report should list those as routines that were not called. So what has no use at the start of the link
 * is entered in llvm.compiler.used, and keeps what it calls. */
#include "pass/pass.h"

#include <stdlib.h>

static const char list_name[] = "llvm.compiler.used";

static bool is_idle(LLVMValueRef f)
{
	LLVMLinkage linkage = LLVMGetLinkage(f);
	bool is_local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
	return !LLVMIsDeclaration(f) && is_local && !LLVMGetFirstUse(f);
}

/* The old list is replaced by one that is longer. */
static void write_list(LLVMModuleRef module, LLVMValueRef *kept, size_t count)
{
	LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
	LLVMValueRef old = LLVMGetNamedGlobal(module, list_name);
	if (old)
		LLVMDeleteGlobal(old);
	LLVMValueRef list = LLVMAddGlobal(module, LLVMArrayType2(pointer, count), list_name);
	LLVMSetInitializer(list, LLVMConstArray2(pointer, kept, count));
	LLVMSetLinkage(list, LLVMAppendingLinkage);
	LLVMSetSection(list, "llvm.metadata");
}

void keep_values(LLVMModuleRef module, LLVMValueRef *values, size_t count)
{
	LLVMValueRef old = LLVMGetNamedGlobal(module, list_name);
	size_t before = old ? (size_t)LLVMGetNumOperands(LLVMGetInitializer(old)) : 0;
	LLVMValueRef *all = pass_zeroed(before + count, sizeof *all);
	for (size_t i = 0; i < before; i++)
		all[i] = LLVMGetOperand(LLVMGetInitializer(old), (unsigned)i);
	for (size_t i = 0; i < count; i++)
		all[before + i] = values[i];
	if (count)
		write_list(module, all, before + count);
	free(all);
}

void keep_idle_functions(LLVMModuleRef module)
{
	LLVMValueRef *idle = NULL;
	size_t count = 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (is_idle(f)) {
			idle = pass_grow(idle, count, sizeof *idle);
			idle[count++] = f;
		}
	keep_values(module, idle, count);
	free(idle);
}
