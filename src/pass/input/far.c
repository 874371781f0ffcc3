/* SPDX-License-Identifier: MIT */
/* far.c: which accesses have their hook in line, and the functions that the others call.
 *
 * A hook in line is four times as long as a call of it, and most of a program's accesses are hardly ever made: in line they take most of the
 * time that its code takes to be generated. It pays in small loops that have no loop in them; elsewhere a call costs a
 * recorded run nothing that can be measured. What is called is made for one width of access, with the hook inlined into it. It has the
 * usual calling convention: one that preserves registers made runs of lua a third slower. */
#include "pass/input/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pass/blocks.h"
#include "pass/piece.h"

enum { NEAR_SPOTS = 8 };

/* ---- in line ---- */

/* A branch to a block that does not come later makes a loop of the blocks in between: LLVM keeps them in such an order. */
struct loops {
	struct blocks blocks;
	size_t *end;     /* by block: 1 + the last that branches back to it; 0: none does */
	size_t *header;  /* by block: 1 + the nearest one at or before it that such a branch goes to; 0: none */
	unsigned *spots; /* by header, of its loop */
};

static void find_loops(struct loops *l, LLVMValueRef function)
{
	blocks_begin(&l->blocks, function);
	l->end = pass_zeroed(l->blocks.count, sizeof *l->end);
	l->header = pass_zeroed(l->blocks.count, sizeof *l->header);
	l->spots = pass_zeroed(l->blocks.count, sizeof *l->spots);
	for (size_t i = 0; i < l->blocks.count; i++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(l->blocks.at[i]);
		for (unsigned k = 0; last && k < LLVMGetNumSuccessors(last); k++) {
			size_t to = blocks_number(&l->blocks, LLVMGetSuccessor(last, k));
			if (to <= i)
				l->end[to] = i + 1;
		}
	}
	for (size_t i = 0; i < l->blocks.count; i++)
		l->header[i] = l->end[i] ? i + 1 : i ? l->header[i - 1] : 0;
}

/* The count of the loop around the spot, if that has no loop in it; else NULL. */
static unsigned *spots_around(const struct loops *l, const struct input_spot *spot)
{
	size_t block = blocks_number(&l->blocks, LLVMGetInstructionParent(spot->at)), header = l->header[block];
	bool is_in = header && block < l->end[header - 1];
	return is_in && l->header[l->end[header - 1] - 1] == header ? &l->spots[header - 1] : NULL;
}

void input_find_near(LLVMValueRef function, struct input_spots *spots)
{
	struct loops l;
	find_loops(&l, function);
	for (size_t i = 0; i < spots->count; i++)
		if (spots_around(&l, &spots->at[i]))
			++*spots_around(&l, &spots->at[i]);
	for (size_t i = 0; i < spots->count; i++) {
		const unsigned *around = spots_around(&l, &spots->at[i]);
		spots->at[i].near = around && *around <= NEAR_SPOTS;
	}
	free(l.end);
	free(l.header);
	free(l.spots);
	blocks_end(&l.blocks);
}

/* ---- called ---- */

static void add_attribute(LLVMValueRef function, const char *name)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0));
}

/* Calls the hook with what is constant: all arguments but the thread and the address. */
static void make(LLVMValueRef hook, const char *name, LLVMValueRef *arguments)
{
	LLVMTypeRef full = LLVMGlobalGetValueType(hook), result = LLVMGetReturnType(full);
	LLVMTypeRef pointer = LLVMTypeOf(arguments[1]), parameters[] = {pointer, pointer};
	LLVMModuleRef module = LLVMGetGlobalParent(hook);
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMValueRef far = LLVMAddFunction(module, name, LLVMFunctionType(result, parameters, 2, 0));
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
	LLVMSetLinkage(far, LLVMInternalLinkage);
	piece_share(far);
	add_attribute(far, "noinline");
	add_attribute(far, "nounwind");
	LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, far, ""));
	LLVMValueRef all[] = {LLVMGetParam(far, 0), LLVMGetParam(far, 1), arguments[2], arguments[3], arguments[4]};
	LLVMValueRef value = LLVMBuildCall2(builder, full, hook, all, 5, "");
	if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(builder);
	else
		LLVMBuildRet(builder, value);
	LLVMDisposeBuilder(builder);
}

LLVMValueRef input_edit_far(struct input_pass *s, LLVMValueRef before, const char *hook, LLVMValueRef arguments[5])
{
	char name[64];
	snprintf(name, sizeof name, "%s.%llu.%llu", hook, LLVMConstIntGetZExtValue(arguments[2]), LLVMConstIntGetZExtValue(arguments[4]));
	if (!LLVMGetNamedFunction(s->p->module, hook))
		pass_fail("the hook %s is not part of this link", hook);
	if (!LLVMGetNamedFunction(s->p->module, name))
		make(LLVMGetNamedFunction(s->p->module, hook), name, arguments);
	return edit_hook(&s->e, before, name, arguments, 2);
}
