/* SPDX-License-Identifier: MIT */
/* turns.c: a function that is counted in every k-th call has its body twice: once to be counted, once as it was.
 *
 * Both are in the one function, so that its frame, its debug information and pointers to it stay what they
 * are. A new first block has the variables of both, and is where the way parts. A function with an indirectbr cannot be
 * doubled, since its addresses of blocks are in use elsewhere: it counts in vain instead. */
#include "pass/paths/paths.h"

#include <stdlib.h>
#include <string.h>

/* Old values and blocks and their copies, by address. */
struct twin {
	LLVMValueRef old, copy;
};

struct twins {
	struct twin *at;
	size_t count;
};

static int by_old(const void *a, const void *b)
{
	LLVMValueRef x = ((const struct twin *)a)->old, y = ((const struct twin *)b)->old;
	return x < y ? -1 : x > y;
}

static void add(struct twins *t, LLVMValueRef old, LLVMValueRef copy)
{
	t->at = pass_grow(t->at, t->count, sizeof *t->at);
	t->at[t->count++] = (struct twin){old, copy};
}

static LLVMValueRef twin_of(const struct twins *t, LLVMValueRef old)
{
	struct twin key = {.old = old}, *hit = bsearch(&key, t->at, t->count, sizeof key, by_old);
	return hit ? hit->copy : old;
}

static bool can_be_doubled(const struct paths_routine *r)
{
	for (uint32_t b = 0; b < r->blocks; b++)
		if (LLVMIsAIndirectBrInst(LLVMGetBasicBlockTerminator(r->place[b].block)))
			return false;
	return true;
}

/* The fixed variables go to the new first block, and are both bodies'. */
static LLVMBasicBlockRef new_entry(struct paths_pass *s, struct paths_routine *r)
{
	LLVMBasicBlockRef old = LLVMGetEntryBasicBlock(r->function),
			  entry = LLVMInsertBasicBlockInContext(LLVMGetModuleContext(s->p->module), old, "");
	LLVMValueRef next;
	LLVMPositionBuilderAtEnd(s->e.builder, entry);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
	LLVMValueRef end = LLVMBuildBr(s->e.builder, old);
	for (LLVMValueRef i = LLVMGetFirstInstruction(old); i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
			continue;
		LLVMInstructionRemoveFromParent(i);
		LLVMPositionBuilderBefore(s->e.builder, end);
		LLVMInsertIntoBuilder(s->e.builder, i);
	}
	return entry;
}

/* Hooks make attributes of calls untrue; edit_forget knows them as sites. A call that ends the function still does. */
static void note_call(struct paths_pass *s, const struct paths_routine *r, LLVMValueRef call)
{
	struct program *p = s->p;
	p->sites = pass_grow(p->sites, p->site_count, sizeof *p->sites);
	p->sites[p->site_count++] = (struct site){.call = call, .caller = r->index, .callee = -1};
	if (LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindTail) {
		s->tails = pass_grow(s->tails, s->tail_count, sizeof *s->tails);
		s->tails[s->tail_count++] = call;
	}
}

static bool is_call(LLVMValueRef i)
{
	return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i);
}

static void copy_block(struct paths_pass *s, const struct paths_routine *r, struct twins *t, LLVMBasicBlockRef old, LLVMBasicBlockRef copy)
{
	LLVMPositionBuilderAtEnd(s->e.builder, copy);
	LLVMSetCurrentDebugLocation2(s->e.builder, NULL); /* a clone has its own */
	for (LLVMValueRef i = LLVMGetFirstInstruction(old); i; i = LLVMGetNextInstruction(i)) {
		LLVMValueRef clone = LLVMIsAPHINode(i) ? LLVMBuildPhi(s->e.builder, LLVMTypeOf(i), "") : LLVMInstructionClone(i);
		if (!LLVMIsAPHINode(i))
			LLVMInsertIntoBuilder(s->e.builder, clone);
		if (is_call(clone) && !LLVMIsAInlineAsm(LLVMGetCalledValue(clone)))
			note_call(s, r, clone);
		add(t, i, clone);
	}
}

static void connect(const struct twins *t, LLVMValueRef old, LLVMValueRef copy)
{
	for (unsigned k = 0; LLVMIsAPHINode(old) && k < LLVMCountIncoming(old); k++) {
		LLVMValueRef value = twin_of(t, LLVMGetIncomingValue(old, k));
		LLVMBasicBlockRef from = LLVMValueAsBasicBlock(twin_of(t, LLVMBasicBlockAsValue(LLVMGetIncomingBlock(old, k))));
		LLVMAddIncoming(copy, &value, &from, 1);
	}
	for (int k = 0; !LLVMIsAPHINode(old) && k < LLVMGetNumOperands(old); k++) {
		LLVMValueRef operand = LLVMGetOperand(old, (unsigned)k);
		if (operand && twin_of(t, operand) != operand)
			LLVMSetOperand(copy, (unsigned)k, twin_of(t, operand));
	}
}

bool paths_part_turns(struct paths_pass *s, struct paths_routine *r)
{
	struct twins t = {0};
	if (!can_be_doubled(r))
		return false;
	LLVMBasicBlockRef entry = new_entry(s, r);
	LLVMContextRef context = LLVMGetModuleContext(s->p->module);
	for (uint32_t b = 0; b < r->blocks; b++)
		add(&t, LLVMBasicBlockAsValue(r->place[b].block),
		    LLVMBasicBlockAsValue(LLVMAppendBasicBlockInContext(context, r->function, "")));
	for (uint32_t b = 0; b < r->blocks; b++)
		copy_block(s, r, &t, r->place[b].block, LLVMValueAsBasicBlock(t.at[b].copy));
	r->plain = LLVMValueAsBasicBlock(t.at[0].copy);
	qsort(t.at, t.count, sizeof *t.at, by_old);
	for (size_t i = 0; i < t.count; i++)
		if (!LLVMValueIsBasicBlock(t.at[i].old))
			connect(&t, t.at[i].old, t.at[i].copy);
	r->entry_end = LLVMGetBasicBlockTerminator(entry);
	free(t.at);
	return true;
}
