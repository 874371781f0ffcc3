/* SPDX-License-Identifier: MIT */
/* cost.c: the `insn` clock: one for each optimised IR instruction that leaves code, and a fixed model of what foreign
 * functions cost, so that numbers are the same in every run and on every machine (doc/span.md). */
#include "pass/cost.h"
#include "pass/openmp.h"

#include <stdlib.h>
#include <string.h>

enum { FOREIGN = 64, ALLOCATION = 48, ARITHMETIC = 24, SHORT = 8 };

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

/* Foreign functions that return to their caller and call nothing of the subject's back. Sorted. */
static const struct {
	const char *name;
	struct cost_price price;
} quiet[] = {
	{"__errno_location", {COST_FIXED, 2, 0}},
	{"abs", {COST_FIXED, 2, 0}},
	{"acos", {COST_FIXED, ARITHMETIC, 0}},
	{"aligned_alloc", {COST_FIXED, ALLOCATION, 0}},
	{"asin", {COST_FIXED, ARITHMETIC, 0}},
	{"atan", {COST_FIXED, ARITHMETIC, 0}},
	{"atan2", {COST_FIXED, ARITHMETIC, 0}},
	{"bcmp", {COST_SIZE, SHORT, 2}},
	{"calloc", {COST_FIXED, ALLOCATION, 0}},
	{"cbrt", {COST_FIXED, ARITHMETIC, 0}},
	{"ceil", {COST_FIXED, 2, 0}},
	{"clock_gettime", {COST_FIXED, FOREIGN, 0}},
	{"cos", {COST_FIXED, ARITHMETIC, 0}},
	{"cosf", {COST_FIXED, ARITHMETIC, 0}},
	{"cosh", {COST_FIXED, ARITHMETIC, 0}},
	{"exp", {COST_FIXED, ARITHMETIC, 0}},
	{"exp2", {COST_FIXED, ARITHMETIC, 0}},
	{"expf", {COST_FIXED, ARITHMETIC, 0}},
	{"fabs", {COST_FIXED, 2, 0}},
	{"floor", {COST_FIXED, 2, 0}},
	{"fmax", {COST_FIXED, 2, 0}},
	{"fmin", {COST_FIXED, 2, 0}},
	{"fmod", {COST_FIXED, ARITHMETIC, 0}},
	{"free", {COST_FIXED, ALLOCATION, 0}},
	{"gettimeofday", {COST_FIXED, FOREIGN, 0}},
	{"hypot", {COST_FIXED, ARITHMETIC, 0}},
	{"ldexp", {COST_FIXED, SHORT, 0}},
	{"log", {COST_FIXED, ARITHMETIC, 0}},
	{"log10", {COST_FIXED, ARITHMETIC, 0}},
	{"log1p", {COST_FIXED, ARITHMETIC, 0}},
	{"log2", {COST_FIXED, ARITHMETIC, 0}},
	{"logf", {COST_FIXED, ARITHMETIC, 0}},
	{"lrand48", {COST_FIXED, SHORT, 0}},
	{"malloc", {COST_FIXED, ALLOCATION, 0}},
	{"memchr", {COST_SIZE, SHORT, 2}},
	{"memcmp", {COST_SIZE, SHORT, 2}},
	{"memcpy", {COST_SIZE, SHORT, 2}},
	{"memmove", {COST_SIZE, SHORT, 2}},
	{"memset", {COST_SIZE, SHORT, 2}},
	{"posix_memalign", {COST_FIXED, ALLOCATION, 0}},
	{"pow", {COST_FIXED, 2 * ARITHMETIC, 0}},
	{"powf", {COST_FIXED, 2 * ARITHMETIC, 0}},
	{"rand", {COST_FIXED, SHORT, 0}},
	{"rand_r", {COST_FIXED, SHORT, 0}},
	{"random", {COST_FIXED, SHORT, 0}},
	{"realloc", {COST_FIXED, ALLOCATION, 0}},
	{"round", {COST_FIXED, 2, 0}},
	{"sin", {COST_FIXED, ARITHMETIC, 0}},
	{"sincos", {COST_FIXED, 2 * ARITHMETIC, 0}},
	{"sinf", {COST_FIXED, ARITHMETIC, 0}},
	{"sinh", {COST_FIXED, ARITHMETIC, 0}},
	{"sqrt", {COST_FIXED, 4, 0}},
	{"sqrtf", {COST_FIXED, 4, 0}},
	{"srand", {COST_FIXED, SHORT, 0}},
	{"stpcpy", {COST_TEXT, SHORT, 1}},
	{"strcat", {COST_TEXT, SHORT, 0}},
	{"strchr", {COST_TEXT, SHORT, 0}},
	{"strcmp", {COST_TEXT, SHORT, 0}},
	{"strcpy", {COST_TEXT, SHORT, 1}},
	{"strcspn", {COST_TEXT, SHORT, 0}},
	{"strdup", {COST_TEXT, ALLOCATION, 0}},
	{"strlen", {COST_RESULT, SHORT, 0}},
	{"strncmp", {COST_SIZE, SHORT, 2}},
	{"strncpy", {COST_SIZE, SHORT, 2}},
	{"strnlen", {COST_RESULT, SHORT, 0}},
	{"strrchr", {COST_TEXT, SHORT, 0}},
	{"strspn", {COST_TEXT, SHORT, 0}},
	{"strstr", {COST_TEXT, SHORT, 0}},
	{"strtol", {COST_FIXED, ARITHMETIC, 0}},
	{"tan", {COST_FIXED, ARITHMETIC, 0}},
	{"tanh", {COST_FIXED, ARITHMETIC, 0}},
	{"time", {COST_FIXED, FOREIGN, 0}},
};

static int by_name(const void *key, const void *item)
{
	return strcmp(key, *(const char *const *)item);
}

static long find(const char *function)
{
	const void *hit = bsearch(function, quiet, sizeof quiet / sizeof *quiet, sizeof *quiet, by_name);
	return hit ? (long)((const char *)hit - (const char *)quiet) / (long)sizeof *quiet : -1;
}

bool cost_is_quiet(const char *function)
{
	const struct openmp_entry *openmp = openmp_entry(function);
	return find(function) >= 0 || (openmp && openmp->query);
}

/* The OpenMP runtime's own work is not work of the program. */
struct cost_price cost_price(const char *function)
{
	long i = find(function);
	if (i >= 0)
		return quiet[i].price;
	return (struct cost_price){COST_FIXED, openmp_entry(function) ? 0 : FOREIGN, 0};
}
