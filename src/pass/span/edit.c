/* SPDX-License-Identifier: MIT */
/* edit.c: the hooks of one routine.
 *
 * A routine, and within it each iteration of a parallel loop, is a context: it has a variable n for its own work and a frame.
 * Each block adds what its instructions cost to the n of its context, in portions: before every event, and at its end. In a
 * steady routine, and in loops that call only steady ones, frames are struct span_frame and hooks are inlined; else they
 * are struct rt_frame, which the runtime keeps, and the runtime is called. Either begins with the same words, so that a call of a
 * steady routine is always done the quick way. */
#include "pass/span/edit.h"

#include <stdlib.h>
#include <string.h>

/* Hooks are as long as what they are put into. Where there are so many, the code generator would take minutes and gigabytes,
 * and no processor would have them all in its cache: they are called then. */
enum { MANY_SITES = 200 };

static int by_call(const void *a, const void *b)
{
	LLVMValueRef x = (*(const struct site *const *)a)->call, y = (*(const struct site *const *)b)->call;
	return x < y ? -1 : x > y;
}

const struct site *span_site_of(const struct routine_edit *r, LLVMValueRef instruction)
{
	struct site key = {.call = instruction};
	const struct site *at = &key, *const *hit = bsearch(&at, r->by_call, r->facts->site_count, sizeof *r->by_call, by_call);
	return hit ? *hit : NULL;
}

/* Cilk's markers (pass/lower/cilk.c). In a general context the runtime ends a spawn with its call. */
static void marker_event(struct routine_edit *r, const struct context *c, LLVMValueRef marker, const char *what)
{
	LLVMValueRef scope = LLVMGetNumArgOperands(marker) ? LLVMGetOperand(marker, 0) : NULL;
	const struct site *site = NULL;
	for (size_t i = 0; i < r->marked_count && !site; i++)
		if (r->marked[i].marker == marker)
			site = r->marked[i].site;
	bool quick = site && span_reach(r->s, site) == SPAN_STEADY && !r->s->general;
	if (strcmp(what, "scope") == 0) {
		LLVMValueRef number = word_u32(r, c->general ? r->scopes++ : 0);
		LLVMValueRef mine =
			c->general ? HOOK(r, marker, "skein_rt_span_scope", word_frame(r, marker, c), number) : word_room_for(r, SCOPE);
		if (!c->general)
			HOOK(r, marker, "skein_hook_scope", mine);
		LLVMReplaceAllUsesWith(marker, mine);
	} else if (strcmp(what, "sync") == 0 && c->general) {
		HOOK(r, marker, "skein_rt_span_sync", word_frame(r, marker, c), word_load_n(r, marker, c), scope);
	} else if (strcmp(what, "sync") == 0) {
		if (r->s->whole)
			HOOK(r, marker, "skein_hook_whole_sync", word_frame(r, marker, c), scope, word_load_n(r, marker, c));
		else
			HOOK(r, marker, "skein_hook_sync", word_lane(r, marker), word_frame(r, marker, c), scope,
			     word_load_n(r, marker, c));
	} else if (strcmp(what, "spawn") == 0 && quick && !r->s->whole) {
		word_rows(r, marker);
		LLVMValueRef start = HOOK(r, marker, "skein_hook_spawn", word_lane(r, marker), scope);
		LLVMPositionBuilderBefore(r->e->builder, marker);
		LLVMBuildStore(r->e->builder, start, r->start);
	} else if (strcmp(what, "spawn") == 0 && site && !quick) {
		HOOK(r, marker, "skein_rt_span_spawn", word_frame(r, marker, c), word_load_n(r, marker, c), scope);
	} else if (strcmp(what, "spawned") == 0 && quick && r->s->whole) {
		HOOK(r, marker, "skein_hook_whole_spawned", word_lane(r, marker), word_frame(r, marker, c), scope,
		     word_load_n(r, marker, c));
	} else if (strcmp(what, "spawned") == 0 && quick) {
		LLVMPositionBuilderBefore(r->e->builder, marker);
		LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
		LLVMValueRef start = LLVMBuildLoad2(r->e->builder, word_u64_type(r), r->start, "");
		HOOK(r, marker, "skein_hook_spawned", word_lane(r, marker), word_frame(r, marker, c), scope, start,
		     word_load_n(r, marker, c));
	}
}

static void leave_event(struct routine_edit *r, LLVMValueRef at)
{
	const struct context *c = &r->contexts[0];
	LLVMValueRef n = word_load_n(r, at, c);
	if (c->general)
		HOOK(r, at, "skein_rt_span_leave", word_frame(r, at, c), n);
	else if (r->facts->outside)
		HOOK(r, at, r->s->whole ? "skein_hook_whole_depart" : "skein_hook_depart", word_lane(r, at), word_frame(r, at, c), r->outer,
		     n);
	else if (r->s->whole)
		HOOK(r, at, "skein_hook_whole_leave", word_lane(r, at), word_frame(r, at, c), n);
	else if (r->facts->leaf)
		HOOK(r, at, "skein_hook_leave_leaf", word_lane(r, at), word_row(r, at), n);
	else
		HOOK(r, at, "skein_hook_leave", word_lane(r, at), word_frame(r, at, c), word_row(r, at), n);
	if (r->entered)
		HOOK(r, at, "skein_rt_span_under_leave", word_load_u32(r, at, r->entered));
}

/* memcpy and its like in the form that the compiler knows. */
static LLVMValueRef moved_bytes(LLVMValueRef i)
{
	size_t length;
	const char *name =
		LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) ? LLVMGetValueName2(LLVMGetCalledValue(i), &length) : "";
	bool moves =
		strncmp(name, "llvm.memcpy.", 12) == 0 || strncmp(name, "llvm.memmove.", 13) == 0 || strncmp(name, "llvm.memset.", 12) == 0;
	return moves ? LLVMGetOperand(i, 2) : NULL;
}

static void edit_block(struct routine_edit *r, LLVMBasicBlockRef b, const struct context *c)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(b), leave = edit_leaves_at(b), next;
	unsigned cost = 0;
	word_new_block(r);
	LLVMValueRef first = edit_first(b);
	if (c->general && edit_is_landing(b))
		HOOK(r, first, "skein_rt_span_catch", word_frame(r, first, c));
	for (LLVMValueRef i = first; i; i = next) {
		const struct site *site = span_site_of(r, i);
		const char *marker = edit_marker(i);
		next = LLVMGetNextInstruction(i);
		cost += cost_of(i);
		if (moved_bytes(i))
			word_add_value(r, i, c, word_cost_by_size(r, i, moved_bytes(i), 0));
		if (!site && !marker && i != last && i != leave)
			continue;
		word_add_cost(r, i, c, &cost);
		if (marker) {
			marker_event(r, c, i, marker);
			LLVMInstructionEraseFromParent(i);
		} else if (i == leave) {
			leave_event(r, i);
			break; /* nothing may stand between a musttail call and its return */
		} else if (site) {
			site_event(r, c, site);
		}
	}
}

static void make_contexts(struct routine_edit *r)
{
	LLVMTypeRef u32_type = LLVMInt32TypeInContext(LLVMGetModuleContext(r->e->module));
	LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(r->e->module), 0);
	r->contexts[0].general = !r->facts->steady;
	for (size_t k = 0; k <= r->loop_count; k++) {
		struct context *c = &r->contexts[k];
		if (k)
			loop_classify(r, &r->loops[k - 1], c);
		c->n = word_variable(r, word_u64_type(r));
		c->frame = c->general ? word_variable(r, pointer) : word_room_for(r, FRAME);
		if (k) {
			c->loop = c->general ? NULL : word_room_for(r, LOOP);
			c->loop_frame = word_variable(r, c->general ? pointer : u32_type);
			if (!c->general && r->s->marks[r->loops[k - 1].site] & SPAN_MARK_UNDER)
				c->opened = word_variable(r, u32_type);
		}
	}
	r->start = word_variable(r, word_u64_type(r));
	if (r->facts->outside && r->facts->steady)
		r->outer = word_room_for(r, FIGURES);
	if (r->facts->marks & SPAN_MARK_UNDER && r->facts->steady)
		r->entered = word_variable(r, u32_type);
}

static bool calls_in(const struct routine_edit *r, LLVMBasicBlockRef b)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
		if (span_site_of(r, i))
			return true;
	return false;
}

/* A routine that measures itself asks for whom: where it must, before its first call. */
static void edit_row(struct routine_edit *r, const struct blocks *b)
{
	LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(r->e->module), 0);
	if (!r->facts->measured || r->s->whole)
		return;
	bool *calls = pass_zeroed(b->count, sizeof *calls);
	r->early = pass_zeroed(b->count, sizeof *r->early);
	for (size_t i = 0; i < b->count; i++)
		calls[i] = calls_in(r, b->at[i]);
	r->kept_lane = word_variable(r, pointer);
	r->kept_row = word_variable(r, pointer);
	if (r->loop_count || !span_early(b, calls, r->early)) {
		free(r->early);
		r->early = NULL;
		word_keep_row(r, edit_entry(r->function));
	}
	for (size_t i = 0; r->early && i < b->count; i++)
		if (calls[i] && r->early[i]) {
			word_keep_row(r, i ? edit_first(b->at[i]) : edit_entry(r->function));
			r->early[i] = false;
		}
	free(calls);
}

static void edit_start(struct routine_edit *r)
{
	const struct context *c = &r->contexts[0];
	LLVMValueRef at = edit_entry(r->function); /* before what edit_row put there */
	word_store_n(r, at, c, word_u64(r, 0));
	if (r->entered)
		word_store_u32(r, at, r->entered, HOOK(r, at, "skein_rt_span_under", word_object(r)));
	if (c->general)
		word_store_frame(r, at, c->frame, edit_hook(r->e, at, "skein_rt_span_enter", NULL, 0));
	else
		HOOK(r, at, "skein_hook_enter", c->frame);
	if (c->general && r->facts->marks)
		HOOK(r, at, "skein_rt_span_entered", word_frame(r, at, c), word_u32(r, r->facts->marks & ~SPAN_MARK_UNDER),
		     word_u32(r, r->facts->marks & SPAN_MARK_UNDER));
	if (r->facts->chunk && c->general)
		HOOK(r, at, "skein_rt_span_chunk", word_frame(r, at, c));
	if (r->outer)
		HOOK(r, at, "skein_hook_arrive", r->outer);
}

static const struct context *context_of(const struct routine_edit *r, LLVMBasicBlockRef b)
{
	size_t innermost = 0;
	for (size_t k = 0; k < r->loop_count; k++)
		if (span_loop_has(&r->loops[k], b))
			innermost = k + 1;
	return &r->contexts[innermost];
}

/* Before anything is inserted or erased. */
static void find_markers(struct routine_edit *r, const struct blocks *blocks)
{
	for (size_t b = 0; b < blocks->count; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(blocks->at[b]); i; i = LLVMGetNextInstruction(i)) {
			const char *marker = edit_marker(i);
			LLVMValueRef call = marker && strncmp(marker, "spawn", 5) == 0 ? edit_call_of(i) : NULL;
			if (!call)
				continue;
			r->marked = pass_grow(r->marked, r->marked_count, sizeof *r->marked);
			r->marked[r->marked_count++] = (struct marked){i, span_site_of(r, call)};
		}
}

void span_edit(struct span_pass *s, struct editor *e, unsigned index, struct span_tagged *loops, size_t loop_count)
{
	if (s->facts[index].steady && !loop_count)
		edit_part_returns(e, s->p->routines[index].function);
	struct routine_edit r = {.s = s,
	                         .e = e,
	                         .function = s->p->routines[index].function,
	                         .index = index,
	                         .facts = &s->facts[index],
	                         .loops = loops,
	                         .loop_count = loop_count};
	struct blocks blocks;
	blocks_begin(&blocks, r.function);
	r.contexts = pass_zeroed(loop_count, sizeof *r.contexts);
	r.by_call = pass_zeroed(r.facts->site_count, sizeof *r.by_call);
	for (unsigned i = 0; i < r.facts->site_count; i++)
		r.by_call[i] = &s->p->sites[r.facts->first_site + i];
	qsort(r.by_call, r.facts->site_count, sizeof *r.by_call, by_call);
	find_markers(&r, &blocks);
	edit_function(e, r.function);
	e->out_of_line = r.facts->site_count > MANY_SITES || s->many;
	make_contexts(&r);
	edit_row(&r, &blocks);
	for (size_t i = 0; i < blocks.count; i++) {
		r.is_early = r.early && r.early[i];
		edit_block(&r, blocks.at[i], context_of(&r, blocks.at[i]));
	}
	r.is_early = false;
	for (size_t k = 0; k < loop_count; k++)
		loop_edit(&r, k);
	edit_start(&r);
	blocks_end(&blocks);
	free(r.marked);
	free(r.early);
	free(r.contexts);
	free(r.by_call);
}
