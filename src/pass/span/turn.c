/* SPDX-License-Identifier: MIT */
/* turn.c: what goes around a parallel loop, and around each of its turns. */
#include "pass/span/edit.h"

#include <stdlib.h>

/* A loop begins like a call of its site, in the context around it. */
static void begin_loop(struct routine_edit *r, LLVMValueRef before, const struct span_tagged *loop, const struct context *outer,
                       const struct context *c)
{
	if (c->general) {
		site_begin_general(r, before, outer, loop->site, r->facts->recursive ? CALL : ONCE, word_u64(r, 0), NULL);
		word_store_frame(r, before, c->loop_frame, edit_hook(r->e, before, "skein_rt_span_loop", NULL, 0));
		return;
	}
	if (c->opened)
		word_store_u32(r, before, c->opened, HOOK(r, before, "skein_rt_span_under", word_object(r)));
	word_new_block(r);
	if (r->facts->recursive && !r->s->whole) {
		LLVMValueRef top = site_begin_measure(r, before, loop->site);
		LLVMPositionBuilderBefore(r->e->builder, before);
		LLVMBuildStore(r->e->builder, top, c->loop_frame);
	}
	HOOK(r, before, "skein_hook_loop", c->loop);
}

static void begin_iteration(struct routine_edit *r, LLVMValueRef before, const struct context *c)
{
	word_new_block(r);
	word_store_n(r, before, c, word_u64(r, 0));
	if (c->general)
		word_store_frame(r, before, c->frame,
		                 HOOK(r, before, "skein_rt_span_iteration", word_load_frame(r, before, c->loop_frame)));
	else if (!c->leaf)
		HOOK(r, before, "skein_hook_iteration", word_lane(r, before), c->loop, word_frame(r, before, c));
}

static void end_iteration(struct routine_edit *r, LLVMValueRef before, const struct context *c)
{
	word_new_block(r);
	LLVMValueRef n = word_load_n(r, before, c);
	if (c->general)
		HOOK(r, before, "skein_rt_span_iterated", word_load_frame(r, before, c->loop_frame), word_frame(r, before, c), n);
	else if (c->leaf)
		HOOK(r, before, "skein_hook_leaf_iteration", c->loop, n);
	else
		HOOK(r, before, "skein_hook_iterated", word_lane(r, before), c->loop, word_frame(r, before, c), n);
}

static void end_loop(struct routine_edit *r, LLVMValueRef before, const struct span_tagged *loop, const struct context *outer,
                     const struct context *c)
{
	if (c->general) {
		HOOK(r, before, "skein_rt_span_looped", word_load_frame(r, before, c->loop_frame));
		HOOK(r, before, "skein_rt_span_return", word_frame(r, before, outer));
		return;
	}
	LLVMValueRef top = NULL;
	word_new_block(r);
	if (!r->s->whole)
		word_rows(r, before);
	HOOK(r, before, c->leaf ? "skein_hook_leaf_loop_end" : "skein_hook_loop_end", word_lane(r, before), c->loop);
	if (r->facts->recursive && !r->s->whole) {
		LLVMPositionBuilderBefore(r->e->builder, before);
		LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
		top = LLVMBuildLoad2(r->e->builder, LLVMInt32TypeInContext(LLVMGetModuleContext(r->e->module)), c->loop_frame, "");
	}
	if (!r->s->whole) {
		HOOK(r, before, "skein_hook_iterations", word_rows(r, before), word_u32(r, loop->site), c->loop);
		site_measure(r, before, loop->site, top, c->leaf);
	}
	HOOK(r, before, r->s->whole ? "skein_hook_whole_take" : "skein_hook_take", word_lane(r, before), word_frame(r, before, outer));
	if (c->opened)
		HOOK(r, before, "skein_rt_span_under_end", word_load_u32(r, before, c->opened));
	word_new_block(r);
}

static bool can_split(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	return !LLVMIsAIndirectBrInst(LLVMGetBasicBlockTerminator(from)) && !edit_is_landing(to);
}

/* All successors of a block that ends an iteration, whichever way it goes. */
static bool always_ends(const struct span_tagged *loop, LLVMBasicBlockRef b)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
	bool again = false;
	for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
		LLVMBasicBlockRef to = LLVMGetSuccessor(last, i);
		again |= to == loop->header;
		if (to != loop->header && span_loop_has(loop, to))
			return false;
	}
	return again && LLVMIsABranchInst(last);
}

static void edit_loop_edges(struct routine_edit *r, LLVMBasicBlockRef b, const struct span_tagged *loop, const struct context *outer,
                            const struct context *c)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
	bool inside = span_loop_has(loop, b), ends = inside && always_ends(loop, b);
	if (ends)
		end_iteration(r, last, c);
	for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
		LLVMBasicBlockRef to = LLVMGetSuccessor(last, i);
		bool stays = span_loop_has(loop, to);
		if ((inside && stays && (to != loop->header || ends)) || (!inside && to != loop->header) || !can_split(b, to))
			continue;
		LLVMValueRef edge = LLVMGetBasicBlockTerminator(shim_split_edge(last, i));
		if (!inside) {
			begin_loop(r, edge, loop, outer, c);
			continue;
		}
		if (!ends)
			end_iteration(r, edge, c);
		if (!stays)
			end_loop(r, edge, loop, outer, c);
	}
}

/* Blocks are asked for again: the one where the loop before it ends may lead straight here. */
void loop_edit(struct routine_edit *r, size_t index)
{
	const struct span_tagged *loop = &r->loops[index];
	const struct context *outer = &r->contexts[loop->outer + 1], *c = &r->contexts[index + 1];
	size_t count = LLVMCountBasicBlocks(r->function);
	LLVMBasicBlockRef *blocks = malloc((count + 1) * sizeof *blocks);
	if (!blocks)
		pass_fail("out of memory");
	LLVMGetBasicBlocks(r->function, blocks);
	begin_iteration(r, edit_first(loop->header), c);
	for (size_t i = 0; i < count; i++)
		if (LLVMGetBasicBlockTerminator(blocks[i]))
			edit_loop_edges(r, blocks[i], loop, outer, c);
	free(blocks);
}

/* Does the loop call only what returns? Does it call anything at all? */
void loop_classify(struct routine_edit *r, const struct span_tagged *loop, struct context *c)
{
	c->general = r->s->general;
	c->leaf = true;
	for (size_t b = 0; b < loop->block_count; b++) {
		c->general |= edit_is_landing(loop->blocks[b]);
		for (LLVMValueRef i = LLVMGetFirstInstruction(loop->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
			const struct site *site = span_site_of(r, i);
			enum span_reach reach = site ? span_reach(r->s, site) : SPAN_QUIET;
			c->leaf &= !site && !edit_marker(i);
			c->general |= site && reach != SPAN_STEADY && reach != SPAN_QUIET;
		}
	}
	for (size_t k = 0; k < r->loop_count; k++)
		c->leaf &= &r->loops[k] == loop || !span_loop_has(loop, r->loops[k].header);
	c->leaf &= !c->general;
}
