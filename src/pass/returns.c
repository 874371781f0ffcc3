/* SPDX-License-Identifier: MIT */
#include "pass/returns.h"

#include <stdlib.h>
#include <string.h>
#include "pass/cost.h"
#include "pass/piece.h"

struct returns_function {
	LLVMValueRef function;
	bool comes_back;
};

static int by_function(const void *a, const void *b)
{
	LLVMValueRef x = ((const struct returns_function *)a)->function, y = ((const struct returns_function *)b)->function;
	return x < y ? -1 : x > y;
}

static struct returns_function *find(const struct returns *r, LLVMValueRef function)
{
	struct returns_function key = {.function = function};
	return r->count ? bsearch(&key, r->at, r->count, sizeof key, by_function) : NULL;
}

static bool is_call(LLVMValueRef i)
{
	return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
}

static bool is_local(LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);
	return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* No other definition takes its place at a link. */
static bool is_certain(LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);
	return is_local(function) || linkage == LLVMExternalLinkage || linkage == LLVMLinkOnceODRLinkage || linkage == LLVMWeakODRLinkage;
}

/* A call from here runs this function, and no other of its name. */
static bool is_ours(LLVMValueRef function)
{
	bool is_piece = *pass_option(PLAN_PIECE);
	return !shim_is_interposable(function) || (is_piece && piece_is_in_program() && is_certain(function));
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

/* What decides whether the instruction comes back: a function, or nothing. always: it does not matter which. */
static LLVMValueRef callee_of(LLVMValueRef i, bool *always)
{
	LLVMValueRef callee = is_call(i) ? LLVMGetCalledValue(i) : NULL;
	*always = !callee || LLVMIsAInlineAsm(callee) || edit_has_attribute(i, "returns_twice");
	return !*always && LLVMIsAFunction(callee) ? callee : NULL;
}

bool returns_may_stop(const struct returns *r, LLVMValueRef i)
{
	bool always;
	LLVMValueRef callee = callee_of(i, &always);
	if (always || !callee)
		return !always;
	const struct returns_function *known = is_ours(callee) ? find(r, callee) : NULL;
	if (known)
		return !known->comes_back;
	return !is_foreign_that_returns(i, callee) && !(*pass_option(PLAN_PIECE) && piece_reaches(callee));
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

static bool calls_come_back(const struct returns *r, LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (returns_may_stop(r, i))
				return false;
	return true;
}

void returns_find(struct returns *r, LLVMModuleRef module)
{
	bool changed = true;
	*r = (struct returns){0};
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			continue;
		r->at = pass_grow(r->at, r->count, sizeof *r->at);
		r->at[r->count++] = (struct returns_function){f, can_return(f)};
	}
	if (r->count)
		qsort(r->at, r->count, sizeof *r->at, by_function);
	while (changed) {
		changed = false;
		for (size_t i = 0; i < r->count; i++)
			if (r->at[i].comes_back && !calls_come_back(r, r->at[i].function)) {
				r->at[i].comes_back = false;
				changed = true;
			}
	}
}

void returns_free(struct returns *r)
{
	free(r->at);
	*r = (struct returns){0};
}

/* ---- for other objects ---- */

static void write_name(FILE *to, LLVMValueRef function)
{
	size_t length;
	fprintf(to, "\t%s%s", is_local(function) ? "-" : "", LLVMGetValueName2(function, &length));
}

/* Whether it comes back if its callees do; they are written. */
static bool write_callees(FILE *to, LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			bool always;
			LLVMValueRef callee = callee_of(i, &always);
			if (!always && !callee)
				return false;
			if (callee && !is_foreign_that_returns(i, callee))
				write_name(to, callee);
		}
	return true;
}

void returns_write(LLVMModuleRef module, FILE *to)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		char *callees = NULL;
		size_t length;
		if (LLVMIsDeclaration(f) || !is_certain(f) || !can_return(f))
			continue;
		FILE *list = open_memstream(&callees, &length);
		if (!list)
			pass_fail("out of memory");
		bool may = write_callees(list, f);
		fclose(list);
		if (may) {
			fputc(LLVMGetVisibility(f) == LLVMDefaultVisibility ? 'd' : 'h', to);
			write_name(to, f);
			fprintf(to, "%s\n", callees);
		}
		free(callees);
	}
}
