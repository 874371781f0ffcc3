/* SPDX-License-Identifier: MIT */
/* frames.c: a frame that is in a call which may not come back has left word of where it is.
 *
 * The thread keeps a list of frames (rt/paths/paths.h), with the block of the call and the register, which is the same
 * in all of a block. A frame that makes such calls about as often as it begins is in the list from its beginning to its
 * end, and only says when it is in a call and when it is not; one that makes them seldom enters itself around each
 * call. Control that comes by a jump, to a landing pad or to where a call returns again, finds frames in the list that
 * it has left for good. */
#include "pass/paths/paths.h"

enum { MANY_STOPS = 8 }; /* in so large a function its beginning is cheap */

/* What is done where, by each of the two. */
struct manner {
	const char *enter, *leave, *landed, *again;
};
static const struct manner throughout = {"skein_hook_in", "skein_hook_out", "skein_hook_landed_in", "skein_hook_again_in"};
static const struct manner around = {"skein_hook_push", "skein_hook_pop", "skein_hook_landed", "skein_hook_again"};

static LLVMValueRef load_mine(struct paths_pass *s, const struct paths_frame *f, LLVMValueRef before)
{
	LLVMPositionBuilderBefore(s->e.builder, before);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
	return LLVMBuildLoad2(s->e.builder, LLVMPointerTypeInContext(LLVMGetModuleContext(s->p->module), 0), f->mine, "");
}

static LLVMValueRef take_mine(struct paths_pass *s, const struct paths_frame *f, LLVMValueRef before)
{
	LLVMValueRef mine = edit_hook(&s->e, before, "skein_hook_frames", NULL, 0);
	LLVMBuildStore(s->e.builder, mine, f->mine);
	return mine;
}

static void leave_on_edges(struct paths_pass *s, struct paths_routine *r, uint32_t block, LLVMValueRef mine, const char *hook)
{
	for (uint32_t e = 0; e < r->edges; e++)
		if (r->edge[e].from == block && r->spot[e].kind == PATHS_AT_SUCCESSOR && LLVMIsAInvokeInst(r->spot[e].at) &&
		    r->spot[e].successor == 0)
			edit_hook(&s->e, paths_place_of(s, r, e), hook, &mine, 1);
}

static void stop_in(struct paths_pass *s, struct paths_routine *r, const struct paths_frame *f, uint32_t block, const struct manner *m)
{
	LLVMValueRef first = r->place[block].first_stop, last = r->place[block].last_stop;
	LLVMValueRef after = LLVMIsAInvokeInst(last) ? NULL : LLVMGetNextInstruction(last), reg = paths_u64(s, 0);
	LLVMValueRef mine = m == &around ? take_mine(s, f, first) : load_mine(s, f, first);
	if (!r->plan.known[block])
		reg = LLVMBuildLoad2(s->e.builder, LLVMInt64TypeInContext(LLVMGetModuleContext(s->p->module)), f->reg, "");
	edit_hook(&s->e, first, m->enter, (LLVMValueRef[]){mine, edit_number(&s->e, r->index), edit_u32(&s->e, block), reg}, 4);
	if (after)
		edit_hook(&s->e, after, m->leave, &mine, 1);
	else
		leave_on_edges(s, r, block, mine, m->leave);
}

/* From the list before the call, since the frame may have left it when control comes back. */
static void again(struct paths_pass *s, struct paths_routine *r, const struct paths_frame *f, uint32_t edge, const struct manner *m)
{
	LLVMValueRef call = r->again_call[edge - (r->edges - r->agains)];
	LLVMValueRef mine = m == &around ? edit_hook(&s->e, call, "skein_hook_frames", NULL, 0) : load_mine(s, f, call);
	edit_hook(&s->e, r->spot[edge].at, m->again, (LLVMValueRef[]){mine, edit_number(&s->e, r->index)}, 2);
}

static void begin_and_end(struct paths_pass *s, struct paths_routine *r, const struct paths_frame *f)
{
	LLVMValueRef entry = r->spot[r->edges].at, mine = take_mine(s, f, entry);
	edit_hook(&s->e, entry, "skein_hook_begin", (LLVMValueRef[]){mine, edit_number(&s->e, r->index)}, 2);
	for (uint32_t e = 0; e < r->edges; e++)
		if (r->edge[e].to == PATHS_EXIT) {
			mine = load_mine(s, f, r->spot[e].at);
			edit_hook(&s->e, r->spot[e].at, "skein_hook_pop", &mine, 1);
		}
}

static const struct manner *manner_of(const struct paths_routine *r)
{
	unsigned blocks = 0;
	double stops = 0;
	for (uint32_t b = 0; b < r->blocks; b++)
		if (r->stops[b]) {
			blocks++;
			stops += paths_passed_into(r, b);
		}
	return blocks >= MANY_STOPS || stops >= r->passed[r->edges] ? &throughout : &around;
}

void paths_frames(struct paths_pass *s, struct paths_routine *r, struct paths_frame *f)
{
	const struct manner *m = manner_of(r);
	bool stops = r->agains > 0;
	for (uint32_t b = 0; b < r->blocks; b++)
		stops |= r->stops[b];
	if (!stops)
		return;
	if (m == &throughout)
		begin_and_end(s, r, f);
	for (uint32_t b = 0; b < r->blocks; b++)
		if (edit_is_landing(r->place[b].block)) {
			LLVMValueRef first = edit_first(r->place[b].block), mine = load_mine(s, f, first);
			edit_hook(&s->e, first, m->landed, &mine, 1);
		}
	for (uint32_t b = 0; b < r->blocks; b++)
		if (r->place[b].first_stop)
			stop_in(s, r, f, b, m);
	for (uint32_t e = r->edges - r->agains; e < r->edges; e++)
		again(s, r, f, e, m);
}
