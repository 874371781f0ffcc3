/* SPDX-License-Identifier: MIT */
/* span_cost.c: the `insn` clock: one for each optimised IR instruction that leaves code, and a fixed model of what foreign
 * functions cost, so that numbers are the same in every run and on every machine (doc/span.md). */
#include "pass/span.h"

#include <stdlib.h>
#include <string.h>

enum { FOREIGN = 64, ALLOCATION = 48, ARITHMETIC = 24, SHORT = 8 };

static bool leaves_no_code(LLVMValueRef i)
{
	size_t length;
	LLVMOpcode op = LLVMGetInstructionOpcode(i);
	if (op == LLVMPHI || op == LLVMUnreachable || op == LLVMLandingPad || (op == LLVMAlloca && LLVMIsAConstantInt(LLVMGetOperand(i, 0))))
		return true;
	if (op == LLVMBitCast || op == LLVMFreeze)
		return true;
	if (op != LLVMCall || !LLVMIsAFunction(LLVMGetCalledValue(i)))
		return false;
	const char *name = LLVMGetValueName2(LLVMGetCalledValue(i), &length);
	static const char *const nothing[] = {"llvm.dbg.", "llvm.lifetime.", "llvm.assume", "llvm.invariant.", "llvm.launder.", "llvm.strip.",
		"llvm.experimental.noalias", "llvm.annotation", "llvm.var.annotation", "llvm.donothing", "skein_hook_", "skein_cilk_"};
	for (size_t k = 0; k < sizeof nothing / sizeof *nothing; k++)
		if (strncmp(name, nothing[k], strlen(nothing[k])) == 0)
			return true;
	return false;
}

unsigned span_cost_of(LLVMValueRef i)
{
	return leaves_no_code(i) ? 0 : 1;
}

/* Foreign functions that return to their caller and call nothing of the subject's back. Sorted. */
static const struct {
	const char *name;
	struct span_price price;
} quiet[] = {
	{"__errno_location", {SPAN_MODEL_FIXED, 2, 0}},
	{"abs", {SPAN_MODEL_FIXED, 2, 0}},
	{"acos", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"aligned_alloc", {SPAN_MODEL_FIXED, ALLOCATION, 0}},
	{"asin", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"atan", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"atan2", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"bcmp", {SPAN_MODEL_SIZE, SHORT, 2}},
	{"calloc", {SPAN_MODEL_FIXED, ALLOCATION, 0}},
	{"cbrt", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"ceil", {SPAN_MODEL_FIXED, 2, 0}},
	{"clock_gettime", {SPAN_MODEL_FIXED, FOREIGN, 0}},
	{"cos", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"cosf", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"cosh", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"exp", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"exp2", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"expf", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"fabs", {SPAN_MODEL_FIXED, 2, 0}},
	{"floor", {SPAN_MODEL_FIXED, 2, 0}},
	{"fmax", {SPAN_MODEL_FIXED, 2, 0}},
	{"fmin", {SPAN_MODEL_FIXED, 2, 0}},
	{"fmod", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"free", {SPAN_MODEL_FIXED, ALLOCATION, 0}},
	{"gettimeofday", {SPAN_MODEL_FIXED, FOREIGN, 0}},
	{"hypot", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"ldexp", {SPAN_MODEL_FIXED, SHORT, 0}},
	{"log", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"log10", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"log1p", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"log2", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"logf", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"lrand48", {SPAN_MODEL_FIXED, SHORT, 0}},
	{"malloc", {SPAN_MODEL_FIXED, ALLOCATION, 0}},
	{"memchr", {SPAN_MODEL_SIZE, SHORT, 2}},
	{"memcmp", {SPAN_MODEL_SIZE, SHORT, 2}},
	{"memcpy", {SPAN_MODEL_SIZE, SHORT, 2}},
	{"memmove", {SPAN_MODEL_SIZE, SHORT, 2}},
	{"memset", {SPAN_MODEL_SIZE, SHORT, 2}},
	{"posix_memalign", {SPAN_MODEL_FIXED, ALLOCATION, 0}},
	{"pow", {SPAN_MODEL_FIXED, 2 * ARITHMETIC, 0}},
	{"powf", {SPAN_MODEL_FIXED, 2 * ARITHMETIC, 0}},
	{"rand", {SPAN_MODEL_FIXED, SHORT, 0}},
	{"rand_r", {SPAN_MODEL_FIXED, SHORT, 0}},
	{"random", {SPAN_MODEL_FIXED, SHORT, 0}},
	{"realloc", {SPAN_MODEL_FIXED, ALLOCATION, 0}},
	{"round", {SPAN_MODEL_FIXED, 2, 0}},
	{"sin", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"sincos", {SPAN_MODEL_FIXED, 2 * ARITHMETIC, 0}},
	{"sinf", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"sinh", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"sqrt", {SPAN_MODEL_FIXED, 4, 0}},
	{"sqrtf", {SPAN_MODEL_FIXED, 4, 0}},
	{"srand", {SPAN_MODEL_FIXED, SHORT, 0}},
	{"stpcpy", {SPAN_MODEL_TEXT, SHORT, 1}},
	{"strcat", {SPAN_MODEL_TEXT, SHORT, 0}},
	{"strchr", {SPAN_MODEL_TEXT, SHORT, 0}},
	{"strcmp", {SPAN_MODEL_TEXT, SHORT, 0}},
	{"strcpy", {SPAN_MODEL_TEXT, SHORT, 1}},
	{"strcspn", {SPAN_MODEL_TEXT, SHORT, 0}},
	{"strdup", {SPAN_MODEL_TEXT, ALLOCATION, 0}},
	{"strlen", {SPAN_MODEL_RESULT, SHORT, 0}},
	{"strncmp", {SPAN_MODEL_SIZE, SHORT, 2}},
	{"strncpy", {SPAN_MODEL_SIZE, SHORT, 2}},
	{"strnlen", {SPAN_MODEL_RESULT, SHORT, 0}},
	{"strrchr", {SPAN_MODEL_TEXT, SHORT, 0}},
	{"strspn", {SPAN_MODEL_TEXT, SHORT, 0}},
	{"strstr", {SPAN_MODEL_TEXT, SHORT, 0}},
	{"strtol", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"tan", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"tanh", {SPAN_MODEL_FIXED, ARITHMETIC, 0}},
	{"time", {SPAN_MODEL_FIXED, FOREIGN, 0}},
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

/* The OpenMP runtime's own work is no work of the program. What only asks it for numbers returns at once. */
static bool is_openmp_query(const char *function)
{
	static const char *const queries[] = {"__kmpc_global_thread_num", "__kmpc_for_static_", "__kmpc_dispatch_", "__kmpc_push_", "__kmpc_single",
		"__kmpc_end_single", "__kmpc_master", "__kmpc_end_master", "__kmpc_masked", "__kmpc_end_masked", "__kmpc_critical", "__kmpc_end_critical",
		"__kmpc_reduce", "__kmpc_end_reduce", "__kmpc_flush", "__kmpc_copyprivate", "__kmpc_in_parallel", "__kmpc_omp_task_alloc", "omp_get_"};
	for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
		if (strncmp(function, queries[i], strlen(queries[i])) == 0)
			return true;
	return false;
}

bool span_is_quiet(const char *function)
{
	return find(function) >= 0 || is_openmp_query(function);
}

struct span_price span_price(const char *function)
{
	long i = find(function);
	if (i >= 0)
		return quiet[i].price;
	bool free_of_charge = strncmp(function, "__kmpc_", 7) == 0 || strncmp(function, "omp_", 4) == 0;
	return (struct span_price){SPAN_MODEL_FIXED, free_of_charge ? 0 : FOREIGN, 0};
}
