/* SPDX-License-Identifier: MIT */
/* edit.c: the operations of a plan become code. rt/paths/hooks.c has what is more than an instruction or two. */
#include "pass/paths/paths.h"
#include "pass/piece.h"

#include <stdlib.h>
#include <string.h>

static LLVMContextRef context(const struct paths_pass *s)
{
	return LLVMGetModuleContext(s->p->module);
}

LLVMValueRef paths_u64(const struct paths_pass *s, uint64_t value)
{
	return LLVMConstInt(LLVMInt64TypeInContext(context(s)), value, 0);
}

static void at(struct paths_pass *s, LLVMValueRef before)
{
	LLVMPositionBuilderBefore(s->e.builder, before);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
}

static LLVMValueRef load_reg(struct paths_pass *s, const struct paths_frame *f, uint64_t more)
{
	LLVMValueRef reg = LLVMBuildLoad2(s->e.builder, LLVMInt64TypeInContext(context(s)), f->reg, "");
	return more ? LLVMBuildAdd(s->e.builder, reg, paths_u64(s, more), "") : reg;
}

static LLVMValueRef load_counts(struct paths_pass *s, const struct paths_frame *f)
{
	return LLVMBuildLoad2(s->e.builder, LLVMPointerTypeInContext(context(s), 0), f->counts, "");
}

static LLVMValueRef load_rows(struct paths_pass *s, const struct paths_frame *f)
{
	return LLVMBuildLoad2(s->e.builder, LLVMPointerTypeInContext(context(s), 0), f->rows, "");
}

static void find_counts(struct paths_pass *s, const struct paths_frame *f, LLVMValueRef before)
{
	LLVMValueRef counts = edit_hook(&s->e, before, s->counts, NULL, 0);
	LLVMBuildStore(s->e.builder, counts, f->counts);
	if (f->rows == f->counts)
		return;
	LLVMValueRef arguments[] = {counts, edit_row_number(&s->e, 0)};
	LLVMBuildStore(s->e.builder, edit_hook(&s->e, before, "skein_hook_rows", arguments, 2), f->rows);
}

static void count_row(struct paths_pass *s, const struct paths_frame *f, LLVMValueRef row)
{
	LLVMBuilderRef b = s->e.builder;
	LLVMTypeRef u64 = LLVMInt64TypeInContext(context(s));
	LLVMValueRef place = LLVMBuildGEP2(b, u64, load_rows(s, f), &row, 1, "");
	LLVMBuildStore(b, LLVMBuildAdd(b, LLVMBuildLoad2(b, u64, place, ""), paths_u64(s, 1), ""), place);
}

/* With cuts, the paths of a segment, else 0. */
static LLVMValueRef segment(const struct paths_pass *s, const struct paths_routine *r)
{
	return paths_u64(s, r->graph.cuts ? r->plan.labels.paths : 0);
}

static void count_own(struct paths_pass *s, const struct paths_routine *r, const struct paths_frame *f, LLVMValueRef before,
                      LLVMValueRef index)
{
	LLVMValueRef arguments[] = {f->own, load_counts(s, f), edit_row_number(&s->e, (unsigned)r->own), index, segment(s, r)};
	edit_hook(&s->e, before, "skein_hook_count_own", arguments, 5);
}

static void count_at(struct paths_pass *s, const struct paths_routine *r, const struct paths_frame *f, LLVMValueRef before, uint64_t index)
{
	if (r->own < 0)
		count_row(s, f, paths_u64(s, r->first + index));
	else
		count_own(s, r, f, before, paths_u64(s, index));
}

static void count_reg(struct paths_pass *s, const struct paths_routine *r, const struct paths_frame *f, LLVMValueRef before, uint64_t more)
{
	if (r->own < 0)
		count_row(s, f, load_reg(s, f, more + r->first));
	else
		count_own(s, r, f, before, load_reg(s, f, more));
}

static void operate(struct paths_pass *s, const struct paths_routine *r, const struct paths_frame *f, LLVMValueRef before,
                    const struct paths_op *op)
{
	LLVMBuilderRef b = s->e.builder;
	at(s, before);
	switch (op->kind) {
	case PATHS_SET: LLVMBuildStore(b, paths_u64(s, op->value), f->reg); break;
	case PATHS_ADD: LLVMBuildStore(b, load_reg(s, f, op->value), f->reg); break;
	case PATHS_COUNT: count_reg(s, r, f, before, op->value); break;
	case PATHS_COUNT_AT: count_at(s, r, f, before, op->value); break;
	case PATHS_LOOK_UP: {
		LLVMValueRef arguments[] = {f->own, load_counts(s, f), edit_row_number(&s->e, (unsigned)r->own), load_reg(s, f, op->value),
		                            segment(s, r)};
		LLVMValueRef place = edit_hook(&s->e, before, "skein_hook_look_up", arguments, 5);
		LLVMBuildStore(b, place, f->reg);
		break;
	}
	default: break;
	}
}

/* Where a call returns again a path begins, and none ends. */
static bool happens(const struct paths_routine *r, const struct paths_op *op)
{
	return op->edge == r->edges || r->spot[op->edge].kind != PATHS_AT_AGAIN || op->arc == r->graph.head_of[op->edge];
}

static void edit_plan(struct paths_pass *s, struct paths_routine *r, const struct paths_frame *f)
{
	bool *wanted = pass_zeroed(r->edges + 1, sizeof *wanted);
	for (uint32_t i = 0; i < r->plan.count; i++)
		wanted[r->plan.op[i].edge] = true;
	paths_place_pads(s, r, wanted);
	free(wanted);
	for (uint32_t i = 0; i < r->plan.count; i++) {
		const struct paths_op *op = &r->plan.op[i];
		if (happens(r, op))
			operate(s, r, f, paths_place_of(s, r, op->edge), op);
	}
}

static void edit_edges(struct paths_pass *s, struct paths_routine *r, const struct paths_frame *f)
{
	bool *wanted = pass_zeroed(r->edges + 1, sizeof *wanted);
	for (uint32_t e = 0; e < r->edges; e++)
		wanted[e] = true;
	paths_place_pads(s, r, wanted);
	free(wanted);
	for (uint32_t e = 0; e <= r->edges; e++) {
		if (r->spot[e].kind == PATHS_AT_AGAIN)
			continue;
		at(s, paths_place_of(s, r, e));
		count_row(s, f, paths_u64(s, r->first + e));
	}
}

static bool is_vfork(LLVMValueRef i)
{
	size_t length;
	LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
	if (!callee || !LLVMIsAFunction(callee))
		return false;
	const char *name = LLVMGetValueName2(callee, &length);
	return length == 5 && memcmp(name, "vfork", 5) == 0;
}

/* Leads the row to a table of the function's own, if it has one. */
static void meet_own(struct paths_pass *s, const struct paths_routine *r, const struct paths_frame *f, LLVMValueRef before)
{
	if (r->own < 0)
		return;
	at(s, before);
	LLVMValueRef arguments[] = {load_counts(s, f), edit_row_number(&s->e, (unsigned)r->own), edit_number(&s->e, r->index),
	                            paths_u64(s, r->keys), segment(s, r)};
	LLVMValueRef own = edit_hook(&s->e, before, "skein_hook_own", arguments, 5);
	LLVMBuildStore(s->e.builder, own, f->own);
}

/* Between vfork and exec nothing is recorded: the counters behind it are others than before. */
static void look_again(struct paths_pass *s, const struct paths_routine *r, const struct paths_frame *f)
{
	for (uint32_t b = 0; b < r->blocks; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(r->place[b].block); i; i = LLVMGetNextInstruction(i))
			if (is_vfork(i) && LLVMGetNextInstruction(i)) {
				LLVMValueRef behind = LLVMGetNextInstruction(i);
				find_counts(s, f, behind);
				meet_own(s, r, f, behind);
			}
}

/* The number of a piece's copy is known when it is linked: the code is the same in all copies. */
static LLVMValueRef own_number(struct paths_pass *s)
{
	LLVMValueRef symbol = piece_copy(s->p->module);
	return symbol ? LLVMConstPtrToInt(symbol, LLVMInt64TypeInContext(context(s))) : paths_u64(s, s->copy);
}

/* Whether it is this copy's turn. n is how often it was called before. */
static LLVMValueRef is_our_turn(struct paths_pass *s, const struct paths_routine *r, const struct paths_frame *f)
{
	LLVMBuilderRef b = s->e.builder;
	LLVMTypeRef u64 = LLVMInt64TypeInContext(context(s));
	LLVMValueRef row = paths_u64(s, (uint64_t)r->entry), place = LLVMBuildGEP2(b, u64, load_rows(s, f), &row, 1, ""),
		     n = LLVMBuildLoad2(b, u64, place, "");
	return LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildURem(b, n, paths_u64(s, s->copies), ""), own_number(s), "");
}

/* Where the function cannot be doubled, counts out of turn go to counters that are never read. */
static void take_turns(struct paths_pass *s, struct paths_routine *r, const struct paths_frame *f, LLVMValueRef before)
{
	LLVMBuilderRef b = s->e.builder;
	at(s, before);
	LLVMValueRef ours = is_our_turn(s, r, f);
	count_row(s, f, paths_u64(s, (uint64_t)r->entry));
	if (r->plain) {
		LLVMBuildCondBr(b, ours, LLVMGetSuccessor(before, 0), r->plain);
		LLVMInstructionEraseFromParent(before);
	} else {
		LLVMValueRef nowhere = edit_hook(&s->e, before, "skein_hook_no_counts", NULL, 0);
		LLVMBuildStore(b, LLVMBuildSelect(b, ours, load_counts(s, f), nowhere, ""), f->counts);
	}
}

static struct paths_frame begin(struct paths_pass *s, struct paths_routine *r, LLVMValueRef entry)
{
	struct paths_frame f;
	LLVMBuilderRef b = s->e.builder;
	LLVMTypeRef pointer = LLVMPointerTypeInContext(context(s), 0);
	at(s, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(r->function)));
	f.reg = r->reg = LLVMBuildAlloca(b, LLVMInt64TypeInContext(context(s)), "");
	f.counts = LLVMBuildAlloca(b, pointer, "");
	f.rows = *pass_option(PLAN_PIECE) ? LLVMBuildAlloca(b, pointer, "") : f.counts;
	f.mine = LLVMBuildAlloca(b, pointer, "");
	f.own = LLVMBuildAlloca(b, pointer, "");
	find_counts(s, &f, entry);
	LLVMBuildStore(b, paths_u64(s, 0), f.reg);
	if (r->by_turns)
		take_turns(s, r, &f, entry);
	else if (r->entry >= 0)
		count_row(s, &f, paths_u64(s, (uint64_t)r->entry));
	return f;
}

void paths_edit(struct paths_pass *s, struct paths_routine *r)
{
	if (!r->counts && r->entry < 0)
		return;
	edit_function(&s->e, r->function);
	bool doubled = r->by_turns && paths_part_turns(s, r);
	LLVMValueRef first = doubled ? LLVMGetFirstInstruction(r->place[0].block) : edit_entry(r->function);
	struct paths_frame f = begin(s, r, doubled ? r->entry_end : first);
	r->spot[r->edges] = (struct paths_spot){paths_place_anchor(s, r, first), 0, PATHS_AT_ENTRY};
	meet_own(s, r, &f, r->spot[r->edges].at);
	look_again(s, r, &f);
	if (r->counts) {
		paths_place_agains(s, r);
		if (s->edges) {
			edit_edges(s, r, &f);
		} else {
			paths_frames(s, r, &f);
			edit_plan(s, r, &f);
		}
	}
	paths_place_end(r);
}
