/* SPDX-License-Identifier: MIT */
/* parallel_end.c: variables live until the sync at the end of their function.
 *
 * Problem: that sync stands before the return, where clang has declared all variables dead, given back arrays of
 * variable length and destroyed the objects of C++, and spawned calls may still use them.
 * Idea: nothing is declared dead in a function that spawns. And before an object is destroyed the spawned calls are
 * waited for, if nothing but destruction follows up to the return: then the function is at its end. Exceptions stay
 * where they are until then (skein_cilk_hold), so that every object is destroyed. What is destroyed earlier, at the end
 * of an inner block, is the programmer's affair, as in Cilk. */
#include "pass/lower/parallel.h"

#include <stdlib.h>
#include <string.h>
#include "pass/pass.h"

struct walk {
	LLVMBasicBlockRef *seen;
	unsigned count;
};

static const char *callee_name(LLVMValueRef i)
{
	size_t length;
	LLVMValueRef callee = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) ? LLVMGetCalledValue(i) : NULL;
	return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static bool destroys(LLVMValueRef i)
{
	const char *name = callee_name(i);
	size_t length = strlen(name);
	if (strncmp(name, "llvm.stackrestore", 17) == 0)
		return true;
	return length > 7 && strncmp(name, "_ZN", 3) == 0 && name[length - 4] == 'D' && strchr("012", name[length - 3]) &&
		strcmp(name + length - 2, "Ev") == 0;
}

static bool is_of_end(LLVMValueRef i)
{
	if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
		return destroys(i) || strncmp(callee_name(i), "llvm.", 5) == 0 || strcmp(callee_name(i), "skein_cilk_sync") == 0;
	return !LLVMIsAStoreInst(i) && !LLVMIsAUnreachableInst(i);
}

/* Whether nothing but destruction comes from an instruction on, by any normal way. */
static bool only_ends(struct walk *w, LLVMValueRef i)
{
	for (; i; i = LLVMGetNextInstruction(i))
		if (!is_of_end(i))
			return false;
		else if (LLVMIsATerminatorInst(i))
			break;
	for (unsigned s = 0; s < (LLVMIsAInvokeInst(i) ? 1 : LLVMGetNumSuccessors(i)); s++) {
		LLVMBasicBlockRef next = LLVMIsAInvokeInst(i) ? LLVMGetNormalDest(i) : LLVMGetSuccessor(i, s);
		bool known = false;
		for (unsigned n = 0; n < w->count && !known; n++)
			known = w->seen[n] == next;
		if (known)
			continue;
		w->seen = pass_grow(w->seen, w->count, sizeof *w->seen);
		w->seen[w->count++] = next;
		if (!only_ends(w, LLVMGetFirstInstruction(next)))
			return false;
	}
	return true;
}

static void hold(struct parallel *p, const struct spawner *s, LLVMValueRef before)
{
	LLVMPositionBuilderBefore(p->builder, before);
	LLVMSetCurrentDebugLocation2(p->builder, parallel_place(p, before, "sync"));
	for (unsigned n = 0; n < s->frame_count; n++)
		parallel_call(p, "skein_cilk_hold", p->nothing, &s->frames[n], 1);
}

void end_hold(struct parallel *p, const struct spawner *s)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
			struct walk w = {NULL, 0};
			next = LLVMGetNextInstruction(i);
			if (strncmp(callee_name(i), "llvm.lifetime.", 14) == 0)
				LLVMInstructionEraseFromParent(i);
			else if (destroys(i) && only_ends(&w, i))
				hold(p, s, i);
			free(w.seen);
		}
}
