/* SPDX-License-Identifier: MIT */
/* word.c: variables, loads and stores, the lane and its rows: what the hooks of a routine are made of. */
#include "pass/span/edit.h"

LLVMTypeRef word_u64_type(struct routine_edit *r)
{
	return LLVMInt64TypeInContext(LLVMGetModuleContext(r->e->module));
}

LLVMValueRef word_u64(struct routine_edit *r, uint64_t value)
{
	return LLVMConstInt(word_u64_type(r), value, 0);
}

LLVMValueRef word_u32(struct routine_edit *r, unsigned value)
{
	return edit_u32(r->e, value);
}

static uint64_t word_bytes_of(struct routine_edit *r, enum bytes what)
{
	LLVMValueRef list = LLVMGetNamedGlobal(r->e->module, "skein_hook_bytes");
	if (!list)
		pass_fail("the hooks of the lens are not part of this link");
	return LLVMConstIntGetZExtValue(LLVMGetAggregateElement(LLVMGetInitializer(list), what));
}

/* A variable in the routine's own frame. */
LLVMValueRef word_variable(struct routine_edit *r, LLVMTypeRef type)
{
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(r->function));
	LLVMPositionBuilderBefore(r->e->builder, first);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	return LLVMBuildAlloca(r->e->builder, type, "");
}

LLVMValueRef word_room_for(struct routine_edit *r, enum bytes what)
{
	return word_variable(r, LLVMArrayType2(word_u64_type(r), word_bytes_of(r, what) / 8));
}

LLVMValueRef word_load_n(struct routine_edit *r, LLVMValueRef before, const struct context *c)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	return LLVMBuildLoad2(r->e->builder, word_u64_type(r), c->n, "");
}

void word_store_n(struct routine_edit *r, LLVMValueRef before, const struct context *c, LLVMValueRef value)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	LLVMBuildStore(r->e->builder, value, c->n);
}

/* Of the general kind there is only its address, in a variable. */
LLVMValueRef word_load_frame(struct routine_edit *r, LLVMValueRef before, LLVMValueRef variable)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	return LLVMBuildLoad2(r->e->builder, LLVMTypeOf(variable), variable, "");
}

void word_store_frame(struct routine_edit *r, LLVMValueRef before, LLVMValueRef variable, LLVMValueRef frame)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	LLVMBuildStore(r->e->builder, frame, variable);
}

LLVMValueRef word_frame(struct routine_edit *r, LLVMValueRef before, const struct context *c)
{
	return c->general ? word_load_frame(r, before, c->frame) : c->frame;
}

LLVMValueRef word_load_u32(struct routine_edit *r, LLVMValueRef before, LLVMValueRef variable)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	return LLVMBuildLoad2(r->e->builder, LLVMInt32TypeInContext(LLVMGetModuleContext(r->e->module)), variable, "");
}

void word_store_u32(struct routine_edit *r, LLVMValueRef before, LLVMValueRef variable, LLVMValueRef value)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	LLVMBuildStore(r->e->builder, value, variable);
}

void word_add_value(struct routine_edit *r, LLVMValueRef before, const struct context *c, LLVMValueRef value)
{
	LLVMValueRef n = word_load_n(r, before, c);
	word_store_n(r, before, c, LLVMBuildAdd(r->e->builder, n, value, ""));
}

void word_add_cost(struct routine_edit *r, LLVMValueRef before, const struct context *c, unsigned *cost)
{
	if (*cost)
		word_add_value(r, before, c, word_u64(r, *cost));
	*cost = 0;
}

/* fixed + size / 16, rounded up to whole instructions. */
LLVMValueRef word_cost_by_size(struct routine_edit *r, LLVMValueRef before, LLVMValueRef size, unsigned fixed)
{
	LLVMBuilderRef b = r->e->builder;
	LLVMPositionBuilderBefore(b, before);
	LLVMSetCurrentDebugLocation2(b, r->e->location);
	size = LLVMBuildZExtOrBitCast(b, size, word_u64_type(r), "");
	return LLVMBuildAdd(b, LLVMBuildLShr(b, size, word_u64(r, 4), ""), word_u64(r, fixed), "");
}

LLVMValueRef word_rows(struct routine_edit *r, LLVMValueRef before)
{
	if (!r->rows)
		r->rows = edit_hook(r->e, before, r->facts->measured ? "skein_hook_same_rows" : "skein_hook_rows", NULL, 0);
	return r->rows;
}

/* A load, which is shorter than a call. */
static LLVMValueRef ask_for_lane(struct routine_edit *r, LLVMValueRef before)
{
	bool out_of_line = r->e->out_of_line;
	r->e->out_of_line = false;
	LLVMValueRef lane = edit_hook(r->e, before, r->facts->measured ? "skein_hook_same_lane" : "skein_hook_lane", NULL, 0);
	r->e->out_of_line = out_of_line;
	return lane;
}

static LLVMValueRef word_load_pointer(struct routine_edit *r, LLVMValueRef before, LLVMValueRef from)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	return LLVMBuildLoad2(r->e->builder, LLVMPointerTypeInContext(LLVMGetModuleContext(r->e->module), 0), from, "");
}

/* After the rows: a thread that asks for rows may be new to the runtime, and gets its lane then. */
LLVMValueRef word_lane(struct routine_edit *r, LLVMValueRef before)
{
	if (!r->lane && r->kept_lane && !r->is_early)
		r->lane = word_load_pointer(r, before, r->kept_lane);
	else if (!r->lane)
		r->lane = ask_for_lane(r, before);
	return r->lane;
}

LLVMValueRef word_row(struct routine_edit *r, LLVMValueRef before)
{
	return r->is_early ? HOOK(r, before, "skein_hook_row", word_lane(r, before)) : word_load_pointer(r, before, r->kept_row);
}

/* The last moment before something is called at which the lane still tells who called. */
void word_keep_row(struct routine_edit *r, LLVMValueRef before)
{
	LLVMValueRef of = ask_for_lane(r, before), mine = HOOK(r, before, "skein_hook_row", of);
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMBuildStore(r->e->builder, of, r->kept_lane);
	LLVMBuildStore(r->e->builder, mine, r->kept_row);
}

void word_new_block(struct routine_edit *r)
{
	r->rows = r->lane = NULL;
}

LLVMValueRef word_object(struct routine_edit *r)
{
	return LLVMGetNamedGlobal(r->e->module, "skein_hook_object");
}

LLVMValueRef word_range(struct routine_edit *r, LLVMValueRef before)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMValueRef first = edit_row_number(r->e, r->facts->first_site), count = word_u64(r, (uint64_t)r->facts->site_count << 32);
	return LLVMBuildAdd(r->e->builder, first, count, "");
}

LLVMValueRef word_what(struct routine_edit *r, LLVMValueRef before, uint32_t kind, LLVMValueRef cost)
{
	LLVMBuilderRef b = r->e->builder;
	LLVMPositionBuilderBefore(b, before);
	LLVMSetCurrentDebugLocation2(b, r->e->location);
	return LLVMBuildOr(b, LLVMBuildShl(b, cost, word_u64(r, 24), ""), word_u64(r, kind), "");
}
