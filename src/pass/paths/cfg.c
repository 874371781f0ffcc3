/* SPDX-License-Identifier: MIT */
/* cfg.c: the blocks and edges of a function, as core/paths/body.h wants them.
 *
 * A block is one of LLVM's, in its order; an edge one of the ways out of its last instruction, several to one block
 * being several edges. (Not those of an indirectbr, which cannot tell them apart.) Where the frame ends there is an
 * edge to PATHS_EXIT: before the return, or before the call that takes its place: a tail call, or one that does not
 * return.
 *
 * A call that returns twice ends its block. When it returns again, what the frame did meanwhile is over, wherever it
 * was, and a path begins. So the block behind it is made a head, by an edge from itself to itself that is never passed. */
#include "pass/paths/paths.h"

#include <stdlib.h>
#include <string.h>
#include "pass/lower/lower.h"

static bool is_returned(LLVMValueRef call, LLVMValueRef end)
{
	return LLVMGetNumOperands(end) == 0 || LLVMGetOperand(end, 0) == call || LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
}

LLVMValueRef paths_leaves_at(LLVMBasicBlockRef block, bool *returns)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(block), before = LLVMGetPreviousInstruction(last), tail = paths_tail_before(last);
	*returns = !LLVMIsAUnreachableInst(last);
	if (!*returns)
		return before && LLVMIsACallInst(before) ? before : last;
	if (LLVMIsAReturnInst(last))
		return tail && is_returned(tail, last) ? tail : last;
	return LLVMIsAResumeInst(last) ? last : NULL;
}

/* The child of vfork leaves its parent's frame as it was: the path goes on where it returns for the second time. */
static bool returns_again(LLVMValueRef i)
{
	size_t length;
	if (!LLVMIsACallInst(i) || !edit_has_attribute(i, "returns_twice"))
		return false;
	return !LLVMIsAFunction(LLVMGetCalledValue(i)) || strcmp(LLVMGetValueName2(LLVMGetCalledValue(i), &length), "vfork") != 0;
}

static uint32_t part_agains(LLVMValueRef function, LLVMValueRef **calls)
{
	uint32_t count = 0;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (!returns_again(i))
				continue;
			shim_split(LLVMGetNextInstruction(i));
			*calls = pass_grow(*calls, count, sizeof **calls);
			(*calls)[count++] = i;
			break; /* the rest is in the next block */
		}
	return count;
}

static bool seen_before(LLVMValueRef last, unsigned successor)
{
	for (unsigned k = 0; LLVMIsAIndirectBrInst(last) && k < successor; k++)
		if (LLVMGetSuccessor(last, k) == LLVMGetSuccessor(last, successor))
			return true;
	return false;
}

static void add_edge(struct paths_routine *r, struct paths_edge edge, struct paths_spot spot)
{
	r->edge = pass_grow(r->edge, r->edges, sizeof *r->edge);
	r->edge[r->edges] = edge;
	r->spot = pass_grow(r->spot, r->edges, sizeof *r->spot);
	r->spot[r->edges++] = spot;
}

static void add_edges(struct paths_routine *r, const struct blocks *all, uint32_t b)
{
	bool returns;
	LLVMValueRef last = LLVMGetBasicBlockTerminator(all->at[b]), leave = paths_leaves_at(all->at[b], &returns);
	if (leave) {
		add_edge(r, (struct paths_edge){b, PATHS_EXIT, returns ? 0 : PATHS_NORETURN},
		         (struct paths_spot){leave, 0, PATHS_AT_LEAVE});
		return;
	}
	for (unsigned k = 0; k < LLVMGetNumSuccessors(last); k++)
		if (!seen_before(last, k))
			add_edge(r, (struct paths_edge){b, (uint32_t)blocks_number(all, LLVMGetSuccessor(last, k)), 0},
			         (struct paths_spot){last, k, PATHS_AT_SUCCESSOR});
}

static void find_stops(const struct paths_pass *s, struct paths_routine *r, uint32_t b)
{
	bool returns;
	struct paths_place *place = &r->place[b];
	LLVMValueRef leave = paths_leaves_at(place->block, &returns);
	for (LLVMValueRef i = LLVMGetFirstInstruction(place->block); i && i != leave; i = LLVMGetNextInstruction(i)) {
		if (!paths_may_stop(s, i))
			continue;
		place->first_stop = place->first_stop ? place->first_stop : i;
		place->last_stop = i;
	}
	r->stops[b] = place->first_stop != NULL;
}

static void keep_tail(struct paths_pass *s, const struct paths_routine *r)
{
	for (uint32_t e = 0; e < r->edges; e++)
		if (r->spot[e].kind == PATHS_AT_LEAVE && LLVMIsACallInst(r->spot[e].at) &&
		    LLVMGetTailCallKind(r->spot[e].at) == LLVMTailCallKindTail) {
			s->tails = pass_grow(s->tails, s->tail_count, sizeof *s->tails);
			s->tails[s->tail_count++] = r->spot[e].at;
		}
}

void paths_cfg(struct paths_pass *s, struct paths_routine *r)
{
	struct blocks all;
	r->agains = part_agains(r->function, &r->again_call);
	blocks_begin(&all, r->function);
	r->blocks = (uint32_t)all.count;
	r->place = pass_zeroed(all.count, sizeof *r->place);
	r->stops = pass_zeroed(all.count, 1);
	for (uint32_t b = 0; b < r->blocks; b++) {
		r->place[b].block = all.at[b];
		find_stops(s, r, b);
		add_edges(r, &all, b);
	}
	for (uint32_t i = 0; i < r->agains; i++) {
		LLVMValueRef branch = LLVMGetNextInstruction(r->again_call[i]);
		uint32_t behind = (uint32_t)blocks_number(&all, LLVMGetSuccessor(branch, 0));
		add_edge(r, (struct paths_edge){behind, behind, 0}, (struct paths_spot){branch, 0, PATHS_AT_AGAIN});
	}
	r->spot = pass_grow(r->spot, r->edges, sizeof *r->spot);
	r->spot[r->edges] = (struct paths_spot){.kind = PATHS_AT_ENTRY};
	keep_tail(s, r);
	blocks_end(&all);
}
