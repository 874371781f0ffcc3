/* SPDX-License-Identifier: MIT */
/* call.c: what goes around a call: the quick way, if control certainly comes back from it, or the general one. */
#include "pass/span/edit.h"

#include <string.h>

enum { NOT_WORTH_A_SITE = 24 }; /* foreign functions as cheap as this are part of their caller's strand */

static unsigned row_of(const struct routine_edit *r, const struct site *site)
{
	return r->s->row[site - r->s->p->sites];
}

/* What has no way to measure itself has ended, and left its figures. */
void site_measure(struct routine_edit *r, LLVMValueRef before, unsigned site, LLVMValueRef top, bool beyond)
{
	LLVMValueRef of = word_rows(r, before);
	if (top)
		HOOK(r, before, beyond ? "skein_hook_return_beyond" : "skein_hook_return", word_lane(r, before), of, word_u32(r, site),
		     word_u32(r, r->facts->first_site), word_u32(r, r->facts->site_count), top);
	else
		HOOK(r, before, "skein_hook_return_once", word_lane(r, before), of, word_u32(r, site));
}

LLVMValueRef site_begin_measure(struct routine_edit *r, LLVMValueRef before, unsigned site)
{
	if (!r->facts->recursive)
		return NULL;
	return HOOK(r, before, "skein_hook_call", word_rows(r, before), word_u32(r, site), word_u32(r, r->facts->first_site),
	            word_u32(r, r->facts->site_count));
}

/* Can the callee not call this routine again? */
static bool is_beyond(const struct routine_edit *r, const struct site *site)
{
	const struct span_facts *callee = span_callee(r->s, site);
	return callee && callee->component != r->facts->component;
}

/* A callee that measures itself is told for which site. */
static void call_measured(struct routine_edit *r, const struct site *site, LLVMValueRef after)
{
	LLVMValueRef number = word_u32(r, row_of(r, site)), of = word_rows(r, site->call), top = NULL;
	if (r->facts->recursive)
		top = site_begin_measure(r, site->call, row_of(r, site));
	else
		HOOK(r, site->call, "skein_hook_call_once", of, number);
	HOOK(r, site->call, "skein_hook_tell", word_lane(r, site->call), of, number);
	bool leaf = span_callee(r->s, site)->leaf;
	if (!after)
		return;
	if (leaf && top)
		HOOK(r, after, "skein_hook_told_leaf_beyond", word_lane(r, after), of, number, word_u32(r, r->facts->first_site),
		     word_u32(r, r->facts->site_count), top);
	else if (leaf)
		HOOK(r, after, "skein_hook_told_leaf", word_lane(r, after));
	else if (top)
		HOOK(r, after, is_beyond(r, site) ? "skein_hook_told_beyond" : "skein_hook_told", word_lane(r, after), of, number,
		     word_u32(r, r->facts->first_site), word_u32(r, r->facts->site_count), top);
	else
		HOOK(r, after, "skein_hook_told_once", word_lane(r, after), of, number);
}

/* Where there are many sites: hooks of their own, that are called. */
static bool is_far(const struct routine_edit *r, const struct site *site)
{
	return r->e->out_of_line && !r->s->whole && !site->spawned;
}

/* The end of a call's site, if control comes back: the callee has left its figures, or entered them itself. */
static void call_far_end(struct routine_edit *r, const struct context *c, const struct site *site, LLVMValueRef after, LLVMValueRef top)
{
	const struct span_facts *callee = span_callee(r->s, site);
	LLVMValueRef number = edit_row_u32(r->e, row_of(r, site)), frame = word_frame(r, after, c);
	if (!top && callee->leaf)
		HOOK(r, after, "skein_hook_far_told_leaf_once", frame);
	else if (!top)
		HOOK(r, after, callee->measured ? "skein_hook_far_told_once" : "skein_hook_far_return_once", frame, number);
	else
		HOOK(r, after,
		     callee->leaf                                     ? "skein_hook_far_told_leaf"
		             : callee->measured && is_beyond(r, site) ? "skein_hook_far_told_beyond"
		             : callee->measured                       ? "skein_hook_far_told"
		             : is_beyond(r, site)                     ? "skein_hook_far_return_beyond"
		                                                      : "skein_hook_far_return",
		     frame, number, word_range(r, after), top);
}

static void call_far(struct routine_edit *r, const struct context *c, const struct site *site)
{
	LLVMValueRef after = edit_after(site->call), number = edit_row_u32(r->e, row_of(r, site)), top = NULL;
	bool measured = span_callee(r->s, site)->measured;
	if (r->facts->recursive)
		top = HOOK(r, site->call, measured ? "skein_hook_far_tell" : "skein_hook_far_clear", number, word_range(r, site->call));
	else if (measured)
		HOOK(r, site->call, "skein_hook_far_tell_once", number);
	else
		edit_hook(r->e, site->call, "skein_hook_far_clear_once", NULL, 0);
	if (after)
		call_far_end(r, c, site, after, top);
}

static void call_steady(struct routine_edit *r, const struct context *c, const struct site *site)
{
	LLVMValueRef after = edit_after(site->call);
	const struct span_facts *callee = span_callee(r->s, site);
	unsigned number = row_of(r, site);
	if (is_far(r, site)) {
		call_far(r, c, site);
		return;
	}
	if (r->s->whole) {
		if (callee->outside)
			HOOK(r, site->call, "skein_hook_clear", word_lane(r, site->call));
	} else if (callee->measured) {
		call_measured(r, site, after);
	} else {
		word_rows(r, site->call);
		HOOK(r, site->call, "skein_hook_clear", word_lane(r, site->call));
		LLVMValueRef top = site_begin_measure(r, site->call, number);
		if (after)
			site_measure(r, after, number, top, is_beyond(r, site));
	}
	bool leaf = callee->leaf && !r->s->whole;
	if (after && !site->spawned)
		HOOK(r, after,
		     r->s->whole    ? "skein_hook_whole_take"
		             : leaf ? "skein_hook_take_leaf"
		                    : "skein_hook_take",
		     word_lane(r, after), word_frame(r, after, c));
	else if (after && leaf)
		HOOK(r, after, "skein_hook_spread", word_lane(r, after));
}

static LLVMValueRef model_cost(struct routine_edit *r, LLVMValueRef before, LLVMValueRef call, struct cost_price price)
{
	if (price.model == COST_SIZE && LLVMGetNumArgOperands(call) > price.argument)
		return word_cost_by_size(r, before, LLVMGetOperand(call, price.argument), price.fixed);
	if (price.model == COST_TEXT && LLVMGetNumArgOperands(call) > price.argument)
		return word_cost_by_size(r, before, HOOK(r, before, "skein_rt_span_text", LLVMGetOperand(call, price.argument)),
		                         price.fixed);
	return word_u64(r, price.fixed);
}

static void call_far_quiet(struct routine_edit *r, const struct context *c, LLVMValueRef after, unsigned site, LLVMValueRef ticks,
                           LLVMValueRef cost)
{
	LLVMValueRef number = edit_row_u32(r->e, site), frame = word_frame(r, after, c);
	if (r->facts->recursive)
		HOOK(r, after, "skein_hook_far_foreign_end", frame, number, word_range(r, after), ticks, cost);
	else
		HOOK(r, after, "skein_hook_far_foreign_end_once", frame, number, ticks, cost);
}

static void call_quiet(struct routine_edit *r, const struct context *c, const struct site *site)
{
	size_t length;
	struct cost_price price = cost_price(LLVMGetValueName2(LLVMGetCalledValue(site->call), &length));
	LLVMValueRef after = edit_after(site->call), cost = model_cost(r, site->call, site->call, price);
	unsigned number = row_of(r, site);
	bool by_result = price.model == COST_RESULT && LLVMGetTypeKind(LLVMTypeOf(site->call)) == LLVMIntegerTypeKind;
	if (r->s->whole || (price.model == COST_FIXED && price.fixed <= NOT_WORTH_A_SITE) || !after) {
		word_add_value(r, site->call, c, cost);
		return;
	}
	bool far = is_far(r, site);
	LLVMValueRef ticks = far ? HOOK(r, site->call, "skein_hook_far_foreign", edit_row_u32(r->e, number))
				 : HOOK(r, site->call, "skein_hook_foreign", word_rows(r, site->call), word_u32(r, number));
	LLVMValueRef top = far ? NULL : site_begin_measure(r, site->call, number);
	if (by_result)
		cost = word_cost_by_size(r, after, site->call, price.fixed);
	if (far) {
		call_far_quiet(r, c, after, number, ticks, cost);
		return;
	}
	HOOK(r, after, "skein_hook_foreign_end", word_lane(r, after), word_rows(r, after), word_u32(r, number), ticks, cost);
	site_measure(r, after, number, top, true);
	HOOK(r, after, "skein_hook_take", word_lane(r, after), word_frame(r, after, c));
}

/* What of the OpenMP runtime's calls is an event of its own, before and after the call. */
static void openmp_before(struct routine_edit *r, const struct context *c, const struct site *site)
{
	LLVMValueRef call = site->call;
	switch (span_openmp(site)) {
	case OPENMP_TASK_ALLOC: HOOK(r, call, "skein_rt_span_task_flags", LLVMGetOperand(call, 2)); break;
	case OPENMP_TASK: HOOK(r, call, "skein_rt_span_task", LLVMGetOperand(call, 2)); break;
	case OPENMP_TASK_DEPENDS:
		HOOK(r, call, "skein_rt_span_task", LLVMGetOperand(call, 2));
		HOOK(r, call, "skein_rt_span_task_depends", LLVMGetOperand(call, 3), LLVMGetOperand(call, 4));
		break;
	case OPENMP_TASKLOOP: HOOK(r, call, "skein_rt_span_task_if", LLVMGetOperand(call, 3)); break;
	case OPENMP_GROUP: edit_hook(r->e, call, "skein_rt_span_group", NULL, 0); break;
	case OPENMP_TEAM:
	case OPENMP_TEAM_OF_ONE: edit_hook(r->e, call, "skein_rt_span_team", NULL, 0); break;
	case OPENMP_UNDEFERRED:
		HOOK(r, call, "skein_rt_span_task", LLVMGetOperand(call, 2));
		edit_hook(r->e, call, "skein_rt_span_undeferred", NULL, 0);
		break;
	case OPENMP_WAIT_FOR:
		HOOK(r, call, "skein_rt_span_wait_for", word_frame(r, call, c), word_load_n(r, call, c), LLVMGetOperand(call, 2),
		     LLVMGetOperand(call, 3));
		break;
	default: break;
	}
}

static void openmp_after(struct routine_edit *r, const struct context *c, const struct site *site, LLVMValueRef after)
{
	switch (span_openmp(site)) {
	case OPENMP_TASKWAIT: HOOK(r, after, "skein_rt_span_taskwait", word_frame(r, after, c), word_load_n(r, after, c)); break;
	case OPENMP_BARRIER: HOOK(r, after, "skein_rt_span_barrier", word_frame(r, after, c), word_load_n(r, after, c)); break;
	case OPENMP_TEAM:
	case OPENMP_GROUP_END: HOOK(r, after, "skein_rt_span_group_end", word_frame(r, after, c), word_load_n(r, after, c)); break;
	case OPENMP_UNDEFERRED_END: edit_hook(r->e, after, "skein_rt_span_undeferred_end", NULL, 0); break;
	default: break;
	}
}

static unsigned general_kind(struct routine_edit *r, const struct site *site, enum span_reach reach)
{
	unsigned kind = site->spawned ? SPAWN : CALL;
	enum openmp_means means = span_openmp(site);
	if (!r->facts->recursive)
		kind |= ONCE;
	if (means == OPENMP_TASK || means == OPENMP_TASK_DEPENDS)
		return kind | TASK;
	if (means == OPENMP_TASKLOOP)
		return kind | TASKLOOP;
	if (strncmp(site->flags, "f", 1) == 0)
		return kind | FOREIGN;
	return reach == SPAN_UNKNOWN ? kind | UNKNOWN : kind;
}

void site_begin_general(struct routine_edit *r, LLVMValueRef before, const struct context *c, unsigned site, unsigned kind,
                        LLVMValueRef cost, LLVMValueRef target)
{
	uint32_t marks = r->s->marks[site] & ~SPAN_MARK_UNDER;
	if (r->s->marks[site] & SPAN_MARK_UNDER)
		kind |= UNDER;
	LLVMValueRef words[] = {word_frame(r, before, c),
	                        word_load_n(r, before, c),
	                        word_object(r),
	                        edit_row_u32(r->e, site),
	                        word_range(r, before),
	                        word_what(r, before, kind | marks << 8, cost),
	                        target};
	unsigned count = sizeof words / sizeof *words;
	edit_hook(r->e, before, target ? "skein_rt_span_call_pointer" : "skein_rt_span_call", words, target ? count : count - 1);
}

/* The pointer that is called, by the callee if that creates a thread; NULL: none is. */
static LLVMValueRef pointer_of(struct routine_edit *r, const struct site *site, const char *name)
{
	unsigned start = strcmp(name, "pthread_create") == 0 ? 2 : strcmp(name, "thrd_create") == 0 ? 1 : 0;
	if (r->s->whole)
		return NULL;
	if (start)
		return LLVMGetNumArgOperands(site->call) > start ? LLVMGetOperand(site->call, start) : NULL;
	return LLVMIsAFunction(LLVMGetCalledValue(site->call)) ? NULL : LLVMGetCalledValue(site->call);
}

static void call_general(struct routine_edit *r, const struct context *c, const struct site *site, enum span_reach reach)
{
	size_t length;
	LLVMValueRef callee = LLVMGetCalledValue(site->call), after = edit_after(site->call);
	const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
	struct cost_price price = cost_price(name);
	if (LLVMIsACallInst(site->call) && LLVMGetTailCallKind(site->call) == LLVMTailCallKindMustTail)
		return;
	openmp_before(r, c, site);
	site_begin_general(r, site->call, c, row_of(r, site), general_kind(r, site, reach), model_cost(r, site->call, site->call, price),
	                   pointer_of(r, site, name));
	if (!after)
		return;
	if (edit_has_attribute(site->call, "returns_twice"))
		word_store_n(r, after, c, HOOK(r, after, "skein_rt_span_catch", word_frame(r, after, c)));
	else
		HOOK(r, after, "skein_rt_span_return", word_frame(r, after, c));
	openmp_after(r, c, site, after);
}

static void call_quick(struct routine_edit *r, const struct context *c, const struct site *site, enum span_reach reach)
{
	if (reach == SPAN_STEADY)
		call_steady(r, c, site);
	else
		openmp_before(r, c, site), call_quiet(r, c, site);
}

/* A site of --under: what is done under it is done in another lane, with other rows. */
static void call_under(struct routine_edit *r, const struct context *c, const struct site *site, enum span_reach reach)
{
	LLVMValueRef kept = r->kept_lane, opened = HOOK(r, site->call, "skein_rt_span_under", word_object(r)),
		     after = edit_after(site->call);
	r->kept_lane = NULL;
	word_new_block(r);
	call_quick(r, c, site, reach);
	if (after)
		HOOK(r, after, "skein_rt_span_under_end", opened);
	r->kept_lane = kept;
	word_new_block(r);
}

/* A mark costs nothing, and is no site. With --under what follows may be in another lane. */
static void call_mark(struct routine_edit *r, const struct context *c, const struct site *site)
{
	LLVMValueRef after = edit_after(site->call);
	HOOK(r, site->call, "skein_rt_span_mark", word_frame(r, site->call, c), word_load_n(r, site->call, c));
	if (after)
		HOOK(r, after, "skein_rt_span_marked", word_frame(r, after, c));
	word_new_block(r);
}

void site_event(struct routine_edit *r, const struct context *c, const struct site *site)
{
	enum span_reach reach = span_reach(r->s, site);
	bool general = r->s->general,
	     quick = (reach == SPAN_STEADY && !general) || (reach == SPAN_QUIET && (!general || span_openmp(site) != OPENMP_NONE));
	if (span_marks(site) != SPAN_NO_MARK)
		call_mark(r, c, site);
	else if (!quick)
		call_general(r, c, site, reach);
	else if (r->s->marks[site - r->s->p->sites] & SPAN_MARK_UNDER)
		call_under(r, c, site, reach);
	else
		call_quick(r, c, site, reach);
}
