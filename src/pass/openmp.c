/* SPDX-License-Identifier: MIT */
/* openmp.c: looks names up in the list of the OpenMP runtime's entry points. */
#include "pass/openmp.h"

#include <string.h>

enum { WHOLE = false, STARTS = true, NONE = OPENMP_NO_BOUND };

static const struct openmp_entry entries[] = {
#define OPENMP(name, match, means, query, bound) {name, match, OPENMP_##means, query, bound},
#include "pass/openmp.def"
#undef OPENMP
};

const struct openmp_entry *openmp_entry(const char *function)
{
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		const struct openmp_entry *e = &entries[i];
		if (strncmp(function, e->name, strlen(e->name)) == 0 && (e->starts || !function[strlen(e->name)]))
			return e;
	}
	return NULL;
}

const struct openmp_entry *openmp_called(LLVMValueRef i)
{
	size_t length;
	if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i))
		return NULL;
	LLVMValueRef callee = LLVMGetCalledValue(i);
	return LLVMIsAFunction(callee) ? openmp_entry(LLVMGetValueName2(callee, &length)) : NULL;
}

enum openmp_means openmp_means(LLVMValueRef i)
{
	const struct openmp_entry *e = openmp_called(i);
	return e ? e->means : OPENMP_NONE;
}

bool openmp_has(LLVMModuleRef module, enum openmp_means means)
{
	size_t length;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		const struct openmp_entry *e = openmp_entry(LLVMGetValueName2(f, &length));
		if (e && e->means == means)
			return true;
	}
	return false;
}
