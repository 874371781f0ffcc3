/* SPDX-License-Identifier: MIT */
/* openmp.c: which loops share their iterations among a team or among tasks.
 *
 * Problem: on one thread the runtime library hands out all iterations at once, so nothing tells at run time that they are parallel.
 * Idea: before optimisation clang's code has one shape. The upper bound is a variable that the runtime fills in (which
 * argument that is says pass/openmp.def) or, in a taskloop, one that holds the seventh parameter of the task. The loop over iterations begins with a block that ends by comparing the counter
 * with that variable, and the branch back to it comes from further down. A loop over chunks compares the variable with
 * another, or nothing; that of `omp simd` has no such variable. */
#include "pass/openmp.h"
#include "pass/lower/lower.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#define TASKLOOP_PARAMETERS 10
#define TASKLOOP_UPPER 6

struct bounds {
	LLVMValueRef *variables;
	unsigned count;
};

static void add_bound(struct bounds *b, LLVMValueRef variable)
{
	b->variables = pass_grow(b->variables, b->count, sizeof *b->variables);
	b->variables[b->count++] = variable;
}

static void find_bounds(LLVMValueRef function, LLVMValueRef taskloop_upper, struct bounds *found)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			const struct openmp_entry *openmp = openmp_called(i);
			if (openmp && openmp->means == OPENMP_LOOP)
				add_bound(found, LLVMGetOperand(i, (unsigned)openmp->bound));
			else if (taskloop_upper && LLVMIsAStoreInst(i) && LLVMGetOperand(i, 0) == taskloop_upper)
				add_bound(found, LLVMGetOperand(i, 1));
		}
}

/* The variable that a value was read from, however it was widened, or one added to it. */
static LLVMValueRef read_from(LLVMValueRef value)
{
	while (LLVMIsACastInst(value) || LLVMIsABinaryOperator(value))
		value = LLVMGetOperand(value, 0);
	return LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
}

static bool is_bound(const struct bounds *b, LLVMValueRef variable)
{
	for (unsigned n = 0; variable && n < b->count; n++)
		if (b->variables[n] == variable)
			return true;
	return false;
}

static bool is_header(LLVMBasicBlockRef block, const struct bounds *b)
{
	LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
	LLVMValueRef compare = LLVMIsABranchInst(branch) && LLVMIsConditional(branch) ? LLVMGetCondition(branch) : NULL;
	return compare && LLVMIsAICmpInst(compare) && is_bound(b, read_from(LLVMGetOperand(compare, 1)));
}

static bool comes_later(LLVMBasicBlockRef block, LLVMBasicBlockRef than)
{
	while (than && than != block)
		than = LLVMGetNextBasicBlock(than);
	return than;
}

static LLVMValueRef latch_of(LLVMBasicBlockRef header)
{
	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(header)); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef from = LLVMGetUser(u);
		if (LLVMIsABranchInst(from) && !LLVMIsConditional(from) && comes_later(LLVMGetInstructionParent(from), header))
			return from;
	}
	return NULL;
}

/* `ordered`: each iteration, or a part of it, waits for one before it. Such a loop is taken as serial. */
static bool is_ordered(LLVMBasicBlockRef header, LLVMValueRef latch)
{
	LLVMBasicBlockRef end = LLVMGetNextBasicBlock(LLVMGetInstructionParent(latch));
	for (LLVMBasicBlockRef b = header; b && b != end; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (openmp_means(i) == OPENMP_ORDERED)
				return true;
	return false;
}

static const char *kind_of(LLVMBasicBlockRef header, bool taskloop)
{
	LLVMValueRef body = LLVMGetBasicBlockTerminator(LLVMGetSuccessor(LLVMGetBasicBlockTerminator(header), 0));
	return taskloop ? "omp taskloop" : LLVMIsASwitchInst(body) ? "omp sections" : "omp for";
}

static void tag_loops(LLVMValueRef function, LLVMValueRef taskloop_upper)
{
	struct bounds bounds = {0};
	find_bounds(function, taskloop_upper, &bounds);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && bounds.count; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef latch = is_header(b, &bounds) ? latch_of(b) : NULL;
		LLVMValueRef compare = latch ? LLVMGetCondition(LLVMGetBasicBlockTerminator(b)) : NULL;
		if (latch && !is_ordered(b, latch))
			lower_tag_loop(latch, LLVMGetDebugLocLine(compare), LLVMGetDebugLocColumn(compare), kind_of(b, taskloop_upper));
	}
	free(bounds.variables);
}

void lower_openmp(LLVMModuleRef module)
{
	bool any = openmp_has(module, OPENMP_LOOP), tasks = openmp_has(module, OPENMP_TASKLOOP);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f && (any || tasks); f = LLVMGetNextFunction(f)) {
		size_t length;
		bool task = tasks && strncmp(LLVMGetValueName2(f, &length), ".omp_outlined.", 14) == 0 &&
			LLVMCountParams(f) >= TASKLOOP_PARAMETERS;
		if (*pass_option(PLAN_LENS) && !lower_is_raw(f))
			continue;
		tag_loops(f, task ? LLVMGetParam(f, TASKLOOP_UPPER) : NULL);
	}
}
