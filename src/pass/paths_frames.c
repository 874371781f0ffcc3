/* SPDX-License-Identifier: MIT */
/* paths_frames.c: a frame that is in a call which may not come back has left word of where it is.
 *
 * The thread keeps a list of such frames (rt/paths.h): push before the first of these calls in a block, pop behind the last; the register is the same in
 * all of the block. Control that comes by a jump, to a landing pad or to where a call returns again, finds frames in the list that it has left
 * for good. */
#include "pass/paths.h"

static LLVMValueRef load_mine(struct paths_pass *s, const struct paths_frame *f, LLVMValueRef before)
{
	LLVMPositionBuilderBefore(s->e.builder, before);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
	return LLVMBuildLoad2(s->e.builder, LLVMPointerTypeInContext(LLVMGetModuleContext(s->p->module), 0), f->mine, "");
}

static LLVMValueRef push(struct paths_pass *s, const struct paths_routine *r, const struct paths_frame *f, uint32_t block)
{
	LLVMValueRef before = r->place[block].first_stop, reg = paths_u64(s, 0);
	LLVMValueRef mine = edit_hook(&s->e, before, "skein_hook_frames", NULL, 0);
	if (!r->plan.known[block])
		reg = LLVMBuildLoad2(s->e.builder, LLVMInt64TypeInContext(LLVMGetModuleContext(s->p->module)), f->reg, "");
	LLVMBuildStore(s->e.builder, mine, f->mine);
	edit_hook(&s->e, before, "skein_hook_push", (LLVMValueRef[]){mine, edit_u32(&s->e, r->index), edit_u32(&s->e, block), reg}, 4);
	return mine;
}

static void pop_on_edges(struct paths_pass *s, struct paths_routine *r, uint32_t block, LLVMValueRef mine)
{
	for (uint32_t e = 0; e < r->edges; e++)
		if (r->edge[e].from == block && r->spot[e].kind != PATHS_AT_AGAIN && LLVMIsAInvokeInst(r->spot[e].at) && r->spot[e].successor == 0)
			edit_hook(&s->e, paths_place_of(s, r, e), "skein_hook_pop", &mine, 1);
}

static void stop_in(struct paths_pass *s, struct paths_routine *r, const struct paths_frame *f, uint32_t block)
{
	LLVMValueRef last = r->place[block].last_stop, after = LLVMIsAInvokeInst(last) ? NULL : LLVMGetNextInstruction(last);
	LLVMValueRef mine = push(s, r, f, block);
	if (after)
		edit_hook(&s->e, after, "skein_hook_pop", &mine, 1);
	else
		pop_on_edges(s, r, block, mine);
}

/* The call is at the end of its block but for what paths_place_agains put behind it. */
static void again(struct paths_pass *s, struct paths_routine *r, uint32_t edge)
{
	LLVMValueRef mine, call = r->again_call[edge - (r->edges - r->agains)];
	mine = edit_hook(&s->e, call, "skein_hook_frames", NULL, 0);
	edit_hook(&s->e, r->spot[edge].at, "skein_hook_again", &mine, 1);
}

void paths_frames(struct paths_pass *s, struct paths_routine *r, struct paths_frame *f)
{
	for (uint32_t b = 0; b < r->blocks; b++)
		if (edit_is_landing(r->place[b].block)) {
			LLVMValueRef first = edit_first(r->place[b].block), mine = load_mine(s, f, first);
			edit_hook(&s->e, first, "skein_hook_landed", &mine, 1);
		}
	for (uint32_t b = 0; b < r->blocks; b++)
		if (r->place[b].first_stop)
			stop_in(s, r, f, b);
	for (uint32_t e = r->edges - r->agains; e < r->edges; e++)
		again(s, r, e);
}
