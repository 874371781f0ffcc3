/* SPDX-License-Identifier: MIT */
/* place.c: a place in the code for each edge.
 *
 * At the end of a block with one way out, at the beginning of one with one way in, or in a block of its own between the
 * two. LLVM splits neither edges of an indirectbr nor those to a landing pad, but there are ways:
 *
 *     indirectbr    code that takes the address of the target gets that of the block in between. A function has one
 *                   indirectbr, or goto.c has made switches of them
 *     landing pad   each invoke gets a pad of its own, and the rest of the block takes the place of the old one
 *
 * Where a call returns twice, a word in the frame tells which time it is. */
#include "pass/paths/paths.h"

#include <stdlib.h>

static LLVMContextRef context(const struct paths_pass *s)
{
	return LLVMGetModuleContext(s->p->module);
}

static uint32_t ways_into(const struct paths_routine *r, uint32_t block)
{
	uint32_t ways = 0;
	for (uint32_t e = 0; e < r->edges - r->agains; e++)
		ways += r->edge[e].to == block;
	return ways;
}

static LLVMBasicBlockRef new_block(struct paths_pass *s, LLVMBasicBlockRef before)
{
	LLVMBasicBlockRef b = LLVMInsertBasicBlockInContext(context(s), before, "");
	LLVMPositionBuilderAtEnd(s->e.builder, b);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
	return b;
}

/* PHIs that have entries for `from`, one or more, get one for `to` instead. */
static void redirect_phis(struct paths_pass *s, LLVMBasicBlockRef block, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	LLVMValueRef next;
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i); i = next) {
		next = LLVMGetNextInstruction(i);
		LLVMPositionBuilderBefore(s->e.builder, i);
		LLVMValueRef phi = LLVMBuildPhi(s->e.builder, LLVMTypeOf(i), "");
		bool done = false;
		for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
			LLVMValueRef value = LLVMGetIncomingValue(i, k);
			LLVMBasicBlockRef source = LLVMGetIncomingBlock(i, k), now = source == from ? to : source;
			if (source == from && done)
				continue;
			done |= source == from;
			LLVMAddIncoming(phi, &value, &now, 1);
		}
		LLVMReplaceAllUsesWith(i, phi);
		LLVMInstructionEraseFromParent(i);
	}
}

static LLVMBasicBlockRef between_indirect(struct paths_pass *s, const struct paths_routine *r, LLVMValueRef last, LLVMBasicBlockRef target)
{
	LLVMBasicBlockRef middle = new_block(s, target);
	LLVMBuildBr(s->e.builder, target);
	redirect_phis(s, target, LLVMGetInstructionParent(last), middle);
	for (unsigned k = 0; k < LLVMGetNumSuccessors(last); k++)
		if (LLVMGetSuccessor(last, k) == target)
			LLVMSetSuccessor(last, k, middle);
	LLVMReplaceAllUsesWith(LLVMBlockAddress(r->function, target), LLVMBlockAddress(r->function, middle));
	return middle;
}

/* What is put at the beginning of a block comes before what was put elsewhere in it, whichever was first: so there is
 * something to put it before. It goes when the routine is done. */
LLVMValueRef paths_place_anchor(struct paths_pass *s, struct paths_routine *r, LLVMValueRef before)
{
	LLVMPositionBuilderBefore(s->e.builder, before);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
	LLVMValueRef anchor = LLVMBuildLoad2(s->e.builder, LLVMInt64TypeInContext(context(s)), r->reg, "");
	r->anchors = pass_grow(r->anchors, r->anchor_count, sizeof *r->anchors);
	return r->anchors[r->anchor_count++] = anchor;
}

void paths_place_end(struct paths_routine *r)
{
	for (size_t i = 0; i < r->anchor_count; i++)
		LLVMInstructionEraseFromParent(r->anchors[i]);
	r->anchor_count = 0;
}

LLVMValueRef paths_place_of(struct paths_pass *s, struct paths_routine *r, uint32_t edge)
{
	struct paths_spot *spot = &r->spot[edge];
	if (spot->kind != PATHS_AT_SUCCESSOR)
		return spot->at;
	LLVMBasicBlockRef target = LLVMGetSuccessor(spot->at, spot->successor);
	if (LLVMGetNumSuccessors(spot->at) == 1 && LLVMIsABranchInst(spot->at))
		spot->kind = PATHS_AT_LEAVE;
	else if (ways_into(r, r->edge[edge].to) == 1)
		*spot = (struct paths_spot){paths_place_anchor(s, r, edit_first(target)), 0, PATHS_AT_LEAVE};
	else if (LLVMIsAIndirectBrInst(spot->at))
		*spot = (struct paths_spot){LLVMGetBasicBlockTerminator(between_indirect(s, r, spot->at, target)), 0, PATHS_AT_LEAVE};
	else
		*spot = (struct paths_spot){LLVMGetBasicBlockTerminator(shim_split_edge(spot->at, spot->successor)), 0, PATHS_AT_LEAVE};
	return spot->at;
}

/* ---- landing pads ---- */

/* A PHI in place of a value of the old pad: for each of the new ones what came from where its invoke is. */
static LLVMValueRef join_phi(struct paths_pass *s, LLVMValueRef before, LLVMValueRef old, const struct paths_routine *r,
                             const uint32_t *edges, uint32_t count, const LLVMBasicBlockRef *pads)
{
	LLVMPositionBuilderBefore(s->e.builder, before);
	LLVMValueRef phi = LLVMBuildPhi(s->e.builder, LLVMTypeOf(old), "");
	for (uint32_t n = 0; n < count; n++) {
		LLVMBasicBlockRef from = LLVMGetInstructionParent(r->spot[edges[n]].at), pad = pads[n];
		LLVMValueRef value = LLVMGetFirstInstruction(pad); /* the landingpad */
		for (unsigned k = 0; LLVMIsAPHINode(old) && k < LLVMCountIncoming(old); k++)
			if (LLVMGetIncomingBlock(old, k) == from)
				value = LLVMGetIncomingValue(old, k);
		LLVMAddIncoming(phi, &value, &pad, 1);
	}
	return phi;
}

static void part_pad(struct paths_pass *s, struct paths_routine *r, LLVMBasicBlockRef block, const uint32_t *edges, uint32_t count)
{
	LLVMBasicBlockRef *pads = pass_zeroed(count, sizeof *pads);
	LLVMValueRef first = LLVMGetFirstInstruction(block), pad = first, next;
	while (!LLVMIsALandingPadInst(pad))
		pad = LLVMGetNextInstruction(pad);
	for (uint32_t n = 0; n < count; n++) {
		pads[n] = new_block(s, block);
		LLVMSetCurrentDebugLocation2(s->e.builder, NULL); /* a clone has its own */
		LLVMInsertIntoBuilder(s->e.builder, LLVMInstructionClone(pad));
		LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
		LLVMBuildBr(s->e.builder, block);
	}
	for (LLVMValueRef i = first; i; i = next) {
		next = i == pad ? NULL : LLVMGetNextInstruction(i);
		LLVMReplaceAllUsesWith(i, join_phi(s, first, i, r, edges, count, pads));
	}
	for (LLVMValueRef i = first; i; i = next) {
		next = i == pad ? NULL : LLVMGetNextInstruction(i);
		LLVMInstructionEraseFromParent(i);
	}
	for (uint32_t n = 0; n < count; n++) {
		LLVMSetUnwindDest(r->spot[edges[n]].at, pads[n]);
		r->spot[edges[n]] = (struct paths_spot){LLVMGetBasicBlockTerminator(pads[n]), 0, PATHS_AT_LEAVE};
	}
	free(pads);
}

void paths_place_pads(struct paths_pass *s, struct paths_routine *r, const bool *wanted)
{
	uint32_t *edges = pass_zeroed(r->edges, sizeof *edges);
	for (uint32_t e = 0; e < r->edges; e++) {
		uint32_t target = r->edge[e].to, count = 0;
		if (!wanted[e] || r->spot[e].kind != PATHS_AT_SUCCESSOR || !edit_is_landing(r->place[target].block))
			continue;
		for (uint32_t k = 0; k < r->edges; k++)
			if (r->edge[k].to == target && r->spot[k].kind == PATHS_AT_SUCCESSOR)
				edges[count++] = k;
		if (count > 1)
			part_pad(s, r, r->place[target].block, edges, count);
	}
	free(edges);
}

/* ---- calls that return twice ---- */

static LLVMBasicBlockRef jump_to(struct paths_pass *s, LLVMBasicBlockRef target)
{
	LLVMBasicBlockRef b = new_block(s, target);
	LLVMBuildBr(s->e.builder, target);
	return b;
}

static void part_again(struct paths_pass *s, struct paths_routine *r, uint32_t edge)
{
	LLVMTypeRef u32 = LLVMInt32TypeInContext(context(s));
	LLVMBuilderRef b = s->e.builder;
	LLVMValueRef branch = r->spot[edge].at, call = LLVMGetPreviousInstruction(branch);
	LLVMBasicBlockRef behind = LLVMGetSuccessor(branch, 0), first = jump_to(s, behind), again = jump_to(s, behind);
	LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(r->function)));
	LLVMValueRef word = LLVMBuildAlloca(b, u32, "");
	LLVMPositionBuilderBefore(b, call);
	LLVMSetVolatile(LLVMBuildStore(b, LLVMConstInt(u32, 1, 0), word), 1);
	LLVMPositionBuilderBefore(b, branch);
	LLVMValueRef is_first = LLVMBuildLoad2(b, u32, word, "");
	LLVMSetVolatile(is_first, 1);
	LLVMSetVolatile(LLVMBuildStore(b, LLVMConstInt(u32, 0, 0), word), 1);
	LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, is_first, LLVMConstInt(u32, 0, 0), ""), first, again);
	for (uint32_t e = 0; e < r->edges; e++)
		if (r->spot[e].kind == PATHS_AT_SUCCESSOR && r->spot[e].at == branch)
			r->spot[e] = (struct paths_spot){LLVMGetBasicBlockTerminator(first), 0, PATHS_AT_LEAVE};
	r->spot[edge].at = LLVMGetBasicBlockTerminator(again);
	LLVMInstructionEraseFromParent(branch);
}

void paths_place_agains(struct paths_pass *s, struct paths_routine *r)
{
	for (uint32_t e = r->edges - r->agains; e < r->edges; e++)
		part_again(s, r, e);
}
