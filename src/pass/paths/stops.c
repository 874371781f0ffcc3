/* SPDX-License-Identifier: MIT */
/* stops.c: calls that may not come back to the frame that made them.
 *
 * A call comes back if its callee is known, is the one that runs, has a return, and neither ends in a call that does
 * not return nor goes on with an exception, and all calls in it come back. Whatever is not known may exit, jump or
 * throw. Endless loops are not considered, since they cannot be decided, nor are signal handlers that jump. */
#include "pass/paths/paths.h"

#include <stdlib.h>
#include <string.h>
#include "pass/cost.h"

/* Functions to indices, by address. */
struct paths_callee {
	LLVMValueRef function;
	unsigned index;
};

static int by_function(const void *a, const void *b)
{
	LLVMValueRef x = ((const struct paths_callee *)a)->function, y = ((const struct paths_callee *)b)->function;
	return x < y ? -1 : x > y;
}

int paths_routine_of(const struct paths_pass *s, LLVMValueRef function)
{
	struct paths_callee key = {.function = function};
	if (!LLVMIsAFunction(function) || shim_is_interposable(function))
		return -1;
	const struct paths_callee *hit = bsearch(&key, s->callees, s->p->routine_count, sizeof key, by_function);
	return hit ? (int)hit->index : -1;
}

static bool is_call(LLVMValueRef i)
{
	return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
}

static bool is_foreign_that_returns(LLVMValueRef call, LLVMValueRef callee)
{
	size_t length;
	const char *name = LLVMGetValueName2(callee, &length);
	if (strncmp(name, "llvm.", 5) == 0 || strncmp(name, "skein_cilk_", 11) == 0)
		return true;
	if (!LLVMIsDeclaration(callee))
		return false;
	return cost_is_quiet(name) || (edit_has_attribute(call, "willreturn") && edit_has_attribute(call, "nounwind"));
}

bool paths_may_stop(const struct paths_pass *s, LLVMValueRef i)
{
	LLVMValueRef callee = is_call(i) ? LLVMGetCalledValue(i) : NULL;
	if (!callee || LLVMIsAInlineAsm(callee) || edit_has_attribute(i, "returns_twice"))
		return false;
	if (!LLVMIsAFunction(callee))
		return true;
	int known = paths_routine_of(s, callee);
	return known >= 0 ? !s->comes_back[known] : !is_foreign_that_returns(i, callee);
}

/* As long as everything that it calls comes back. */
static bool can_return(LLVMValueRef function)
{
	bool returns = false;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(b), before = LLVMGetPreviousInstruction(last);
		if (LLVMIsAResumeInst(last) || (LLVMIsAUnreachableInst(last) && before && is_call(before)))
			return false;
		returns |= LLVMIsAReturnInst(last) != NULL;
	}
	return returns;
}

static bool calls_come_back(const struct paths_pass *s, LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (paths_may_stop(s, i))
				return false;
	return true;
}

void paths_stops(struct paths_pass *s)
{
	struct program *p = s->p;
	bool changed = true;
	s->callees = pass_zeroed(p->routine_count, sizeof *s->callees);
	s->comes_back = pass_zeroed(p->routine_count, sizeof *s->comes_back);
	for (unsigned i = 0; i < p->routine_count; i++) {
		s->callees[i] = (struct paths_callee){p->routines[i].function, i};
		s->comes_back[i] = can_return(p->routines[i].function);
	}
	qsort(s->callees, p->routine_count, sizeof *s->callees, by_function);
	while (changed) {
		changed = false;
		for (unsigned i = 0; i < p->routine_count; i++)
			if (s->comes_back[i] && !calls_come_back(s, p->routines[i].function)) {
				s->comes_back[i] = false;
				changed = true;
			}
	}
}
