/* SPDX-License-Identifier: MIT */
/* parts.c: names for a program whose code is generated in several parts.
 *
 * The linker divides the optimised program, as many parts as there are cores. What one part has and another uses, a static function or a
 * string, then is a symbol that all objects of the link can see. So it gets a name that no object has that was not part of the division. */
#include "pass/pass.h"

#include <stdlib.h>
#include <string.h>

static void rename_local(LLVMValueRef value)
{
	static const char ending[] = PLAN_PARTS_ENDING, own[] = "llvm.";
	LLVMLinkage linkage = LLVMGetLinkage(value);
	size_t length;
	const char *name = LLVMGetValueName2(value, &length);
	if ((linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage) || strncmp(name, own, sizeof own - 1) == 0)
		return;
	char *longer = pass_zeroed(length + sizeof ending, 1);
	memcpy(longer, name, length);
	memcpy(longer + length, ending, sizeof ending);
	LLVMSetValueName2(value, longer, length + sizeof ending - 1);
	free(longer);
}

void parts_rename(LLVMModuleRef module)
{
	for (LLVMValueRef v = LLVMGetFirstFunction(module); v; v = LLVMGetNextFunction(v))
		rename_local(v);
	for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
		rename_local(v);
	for (LLVMValueRef v = LLVMGetFirstGlobalAlias(module); v; v = LLVMGetNextGlobalAlias(v))
		rename_local(v);
	for (LLVMValueRef v = LLVMGetFirstGlobalIFunc(module); v; v = LLVMGetNextGlobalIFunc(v))
		rename_local(v);
}
