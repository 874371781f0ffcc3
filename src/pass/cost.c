/* SPDX-License-Identifier: MIT */
/* cost.c: the `insn` clock: one for each optimised IR instruction that leaves code, and a fixed model of what foreign
 * functions cost (core/library/library.def), so that numbers are the same in every run and on every machine (doc/span.md). */
#include "pass/cost.h"
#include "pass/library.h"
#include "pass/openmp.h"

#include <string.h>

static bool leaves_no_code(LLVMValueRef i)
{
	size_t length;
	LLVMOpcode op = LLVMGetInstructionOpcode(i);
	if (op == LLVMPHI || op == LLVMUnreachable || op == LLVMLandingPad ||
	    (op == LLVMAlloca && LLVMIsAConstantInt(LLVMGetOperand(i, 0))))
		return true;
	if (op == LLVMBitCast || op == LLVMFreeze)
		return true;
	if (op != LLVMCall || !LLVMIsAFunction(LLVMGetCalledValue(i)))
		return false;
	const char *name = LLVMGetValueName2(LLVMGetCalledValue(i), &length);
	static const char *const nothing[] = {"llvm.dbg.",
	                                      "llvm.lifetime.",
	                                      "llvm.assume",
	                                      "llvm.invariant.",
	                                      "llvm.launder.",
	                                      "llvm.strip.",
	                                      "llvm.experimental.noalias",
	                                      "llvm.annotation",
	                                      "llvm.var.annotation",
	                                      "llvm.donothing",
	                                      "skein_hook_",
	                                      "skein_cilk_"};
	for (size_t k = 0; k < sizeof nothing / sizeof *nothing; k++)
		if (strncmp(name, nothing[k], strlen(nothing[k])) == 0)
			return true;
	return false;
}

unsigned cost_of(LLVMValueRef i)
{
	return leaves_no_code(i) ? 0 : 1;
}

bool cost_is_quiet(const char *function)
{
	const struct openmp_entry *openmp = openmp_entry(function);
	return library_price(function) || (openmp && openmp->query);
}

/* The OpenMP runtime's own work is not work of the program. */
struct cost_price cost_price(const char *function)
{
	const struct cost_price *price = library_price(function);
	return price ? *price : (struct cost_price){COST_FIXED, openmp_entry(function) ? 0 : COST_FOREIGN, 0};
}
