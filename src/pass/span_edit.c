/* SPDX-License-Identifier: MIT */
/* span_edit.c: the hooks of one routine.
 *
 * A routine, and within it each iteration of a parallel loop, is a context: it has a variable n for its own work and a frame.
 * Each block adds what its instructions cost to the n of its context, in portions: before every event, and at its end. In a
 * steady routine, and in loops that call only steady ones, frames are struct span_frame and hooks are inlined; else they
 * are struct rt_frame, which the runtime keeps, and the runtime is called. Either begins with the same words, so that a call of a
 * steady routine is always done the quick way. */
#include "pass/span.h"

#include <stdlib.h>
#include <string.h>

enum bytes { FRAME, SCOPE, LOOP, FIGURES };

/* enum rt_call of rt/span.h */
enum { CALL = 0, SPAWN = 1, FOREIGN = 2, UNKNOWN = 4, ONCE = 8, TASK = 16, UNDER = 32, TASKLOOP = 64 };

enum { NOT_WORTH_A_SITE = 24 }; /* foreign functions as cheap as this are part of their caller's strand */

/* Hooks are as long as what they are put into. Where there are so many, the code generator would take minutes and gigabytes,
 * and no processor would have them all in its cache: they are called then. */
enum { MANY_SITES = 200, VERY_MANY_SITES = 30000 };

struct context {
	LLVMValueRef n, frame;
	LLVMValueRef loop, loop_frame; /* of a loop; the latter in general ones only */
	LLVMValueRef opened;           /* variable of a loop of --under: an invocation that it has opened */
	bool general, leaf;
};

struct routine_edit {
	struct span_pass *s;
	struct editor *e;
	LLVMValueRef function;
	unsigned index;
	const struct span_facts *facts;
	struct span_tagged *loops;
	size_t loop_count;
	struct context *contexts; /* [0] is the routine, [1 + k] loop k */
	LLVMValueRef entered;      /* variable of a routine of --under: an invocation that it has opened */
	LLVMValueRef outer, start; /* variables: figures found at entry; where a spawned child's entries begin */
	LLVMValueRef kept_lane, kept_row; /* variables of a routine that measures itself: its lane, and the row of the site that called it */
	bool *early;               /* blocks before any call; NULL: the variables are set at the start */
	LLVMValueRef rows, lane;   /* in the block that is edited; NULL: not asked for yet */
	bool is_early;             /* in that block nothing has been called, nor will be */
	const struct site **by_call; /* sites sorted by their call */
	struct marked {
		LLVMValueRef marker;
		const struct site *site;
	} *marked;                   /* what each spawn and spawned marker belongs to */
	size_t marked_count;
	unsigned scopes;             /* so far */
};

static LLVMTypeRef u64_type(struct routine_edit *r)
{
	return LLVMInt64TypeInContext(LLVMGetModuleContext(r->e->module));
}

static LLVMValueRef u64(struct routine_edit *r, uint64_t value)
{
	return LLVMConstInt(u64_type(r), value, 0);
}

static LLVMValueRef u32(struct routine_edit *r, unsigned value)
{
	return edit_u32(r->e, value);
}

static uint64_t bytes_of(struct routine_edit *r, enum bytes what)
{
	LLVMValueRef list = LLVMGetNamedGlobal(r->e->module, "skein_hook_bytes");
	if (!list)
		pass_fail("the lens's hooks are not part of this link");
	return LLVMConstIntGetZExtValue(LLVMGetAggregateElement(LLVMGetInitializer(list), what));
}

/* A variable in the routine's own frame. */
static LLVMValueRef variable(struct routine_edit *r, LLVMTypeRef type)
{
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(r->function));
	LLVMPositionBuilderBefore(r->e->builder, first);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	return LLVMBuildAlloca(r->e->builder, type, "");
}

static LLVMValueRef room_for(struct routine_edit *r, enum bytes what)
{
	return variable(r, LLVMArrayType2(u64_type(r), bytes_of(r, what) / 8));
}

#define HOOK(r, before, name, ...) \
	edit_hook((r)->e, before, name, (LLVMValueRef[]){__VA_ARGS__}, sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef))

static LLVMValueRef load_n(struct routine_edit *r, LLVMValueRef before, const struct context *c)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	return LLVMBuildLoad2(r->e->builder, u64_type(r), c->n, "");
}

static void store_n(struct routine_edit *r, LLVMValueRef before, const struct context *c, LLVMValueRef value)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	LLVMBuildStore(r->e->builder, value, c->n);
}

/* Of the general kind there is only its address, in a variable. */
static LLVMValueRef load_frame(struct routine_edit *r, LLVMValueRef before, LLVMValueRef variable)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	return LLVMBuildLoad2(r->e->builder, LLVMTypeOf(variable), variable, "");
}

static void store_frame(struct routine_edit *r, LLVMValueRef before, LLVMValueRef variable, LLVMValueRef frame)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	LLVMBuildStore(r->e->builder, frame, variable);
}

static LLVMValueRef frame(struct routine_edit *r, LLVMValueRef before, const struct context *c)
{
	return c->general ? load_frame(r, before, c->frame) : c->frame;
}

static LLVMValueRef load_u32(struct routine_edit *r, LLVMValueRef before, LLVMValueRef variable)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	return LLVMBuildLoad2(r->e->builder, LLVMInt32TypeInContext(LLVMGetModuleContext(r->e->module)), variable, "");
}

static void store_u32(struct routine_edit *r, LLVMValueRef before, LLVMValueRef variable, LLVMValueRef value)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	LLVMBuildStore(r->e->builder, value, variable);
}

static void add_value(struct routine_edit *r, LLVMValueRef before, const struct context *c, LLVMValueRef value)
{
	LLVMValueRef n = load_n(r, before, c);
	store_n(r, before, c, LLVMBuildAdd(r->e->builder, n, value, ""));
}

static void add_cost(struct routine_edit *r, LLVMValueRef before, const struct context *c, unsigned *cost)
{
	if (*cost)
		add_value(r, before, c, u64(r, *cost));
	*cost = 0;
}

/* fixed + size / 16, rounded up to whole instructions. */
static LLVMValueRef cost_by_size(struct routine_edit *r, LLVMValueRef before, LLVMValueRef size, unsigned fixed)
{
	LLVMBuilderRef b = r->e->builder;
	LLVMPositionBuilderBefore(b, before);
	LLVMSetCurrentDebugLocation2(b, r->e->location);
	size = LLVMBuildZExtOrBitCast(b, size, u64_type(r), "");
	return LLVMBuildAdd(b, LLVMBuildLShr(b, size, u64(r, 4), ""), u64(r, fixed), "");
}

static LLVMValueRef rows(struct routine_edit *r, LLVMValueRef before)
{
	if (!r->rows)
		r->rows = edit_hook(r->e, before, r->facts->measured ? "skein_hook_same_rows" : "skein_hook_rows", NULL, 0);
	return r->rows;
}

static LLVMValueRef load_pointer(struct routine_edit *r, LLVMValueRef before, LLVMValueRef from)
{
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
	return LLVMBuildLoad2(r->e->builder, LLVMPointerTypeInContext(LLVMGetModuleContext(r->e->module), 0), from, "");
}

/* After rows: whoever asks for them first may be new to the runtime, and gets his lane by that. */
static LLVMValueRef lane(struct routine_edit *r, LLVMValueRef before)
{
	if (!r->lane && r->kept_lane && !r->is_early)
		r->lane = load_pointer(r, before, r->kept_lane);
	else if (!r->lane)
		r->lane = edit_hook(r->e, before, "skein_hook_lane", NULL, 0);
	return r->lane;
}

static LLVMValueRef row(struct routine_edit *r, LLVMValueRef before)
{
	return r->is_early ? HOOK(r, before, "skein_hook_row", lane(r, before)) : load_pointer(r, before, r->kept_row);
}

/* The last moment before something is called at which the lane still tells who called. */
static void keep_row(struct routine_edit *r, LLVMValueRef before)
{
	LLVMValueRef of = edit_hook(r->e, before, "skein_hook_lane", NULL, 0), mine = HOOK(r, before, "skein_hook_row", of);
	LLVMPositionBuilderBefore(r->e->builder, before);
	LLVMBuildStore(r->e->builder, of, r->kept_lane);
	LLVMBuildStore(r->e->builder, mine, r->kept_row);
}

static void new_block(struct routine_edit *r)
{
	r->rows = r->lane = NULL;
}

static LLVMValueRef object(struct routine_edit *r)
{
	return LLVMGetNamedGlobal(r->e->module, "skein_hook_object");
}

/* What has no way to measure itself has ended, and left its figures. */
static void measure(struct routine_edit *r, LLVMValueRef before, unsigned site, LLVMValueRef top, bool beyond)
{
	LLVMValueRef of = rows(r, before);
	if (top)
		HOOK(r, before, beyond ? "skein_hook_return_beyond" : "skein_hook_return", lane(r, before), of, u32(r, site), u32(r, r->facts->first_site), u32(r, r->facts->site_count), top);
	else
		HOOK(r, before, "skein_hook_return_once", lane(r, before), of, u32(r, site));
}

static LLVMValueRef begin_measure(struct routine_edit *r, LLVMValueRef before, unsigned site)
{
	if (!r->facts->recursive)
		return NULL;
	return HOOK(r, before, "skein_hook_call", rows(r, before), u32(r, site), u32(r, r->facts->first_site), u32(r, r->facts->site_count));
}

/* Can the callee not call this routine again? */
static bool is_beyond(const struct routine_edit *r, const struct site *site)
{
	return site->callee >= 0 && r->s->facts[site->callee].component != r->facts->component;
}

/* A callee that measures itself is told for which site. */
static void call_measured(struct routine_edit *r, const struct site *site, LLVMValueRef after)
{
	LLVMValueRef number = u32(r, (unsigned)(site - r->s->p->sites)), of = rows(r, site->call), top = NULL;
	if (r->facts->recursive)
		top = begin_measure(r, site->call, (unsigned)(site - r->s->p->sites));
	else
		HOOK(r, site->call, "skein_hook_call_once", of, number);
	HOOK(r, site->call, "skein_hook_tell", lane(r, site->call), of, number);
	bool leaf = r->s->facts[site->callee].leaf;
	if (!after)
		return;
	if (leaf && top)
		HOOK(r, after, "skein_hook_told_leaf_beyond", lane(r, after), of, number, u32(r, r->facts->first_site), u32(r, r->facts->site_count), top);
	else if (leaf)
		HOOK(r, after, "skein_hook_told_leaf", lane(r, after));
	else if (top)
		HOOK(r, after, is_beyond(r, site) ? "skein_hook_told_beyond" : "skein_hook_told", lane(r, after), of, number, u32(r, r->facts->first_site), u32(r, r->facts->site_count), top);
	else
		HOOK(r, after, "skein_hook_told_once", lane(r, after), of, number);
}

static void call_steady(struct routine_edit *r, const struct context *c, const struct site *site)
{
	LLVMValueRef after = edit_after(site->call);
	unsigned number = (unsigned)(site - r->s->p->sites);
	if (r->s->whole) {
		if (r->s->facts[site->callee].outside)
			HOOK(r, site->call, "skein_hook_clear", lane(r, site->call));
	} else if (r->s->facts[site->callee].measured) {
		call_measured(r, site, after);
	} else {
		rows(r, site->call);
		HOOK(r, site->call, "skein_hook_clear", lane(r, site->call));
		LLVMValueRef top = begin_measure(r, site->call, number);
		if (after)
			measure(r, after, number, top, is_beyond(r, site));
	}
	bool leaf = r->s->facts[site->callee].leaf && !r->s->whole;
	if (after && !site->spawned)
		HOOK(r, after, r->s->whole ? "skein_hook_whole_take" : leaf ? "skein_hook_take_leaf" : "skein_hook_take", lane(r, after), frame(r, after, c));
	else if (after && leaf)
		HOOK(r, after, "skein_hook_spread", lane(r, after));
}

static LLVMValueRef model_cost(struct routine_edit *r, LLVMValueRef before, LLVMValueRef call, struct span_price price)
{
	if (price.model == SPAN_MODEL_SIZE && LLVMGetNumArgOperands(call) > price.argument)
		return cost_by_size(r, before, LLVMGetOperand(call, price.argument), price.fixed);
	if (price.model == SPAN_MODEL_TEXT && LLVMGetNumArgOperands(call) > price.argument)
		return cost_by_size(r, before, HOOK(r, before, "skein_rt_span_text", LLVMGetOperand(call, price.argument)), price.fixed);
	return u64(r, price.fixed);
}

static void call_quiet(struct routine_edit *r, const struct context *c, const struct site *site)
{
	size_t length;
	struct span_price price = span_price(LLVMGetValueName2(LLVMGetCalledValue(site->call), &length));
	LLVMValueRef after = edit_after(site->call), cost = model_cost(r, site->call, site->call, price);
	unsigned number = (unsigned)(site - r->s->p->sites);
	bool by_result = price.model == SPAN_MODEL_RESULT && LLVMGetTypeKind(LLVMTypeOf(site->call)) == LLVMIntegerTypeKind;
	if (r->s->whole || (price.model == SPAN_MODEL_FIXED && price.fixed <= NOT_WORTH_A_SITE) || !after) {
		add_value(r, site->call, c, cost);
		return;
	}
	LLVMValueRef ticks = HOOK(r, site->call, "skein_hook_foreign", rows(r, site->call), u32(r, number));
	LLVMValueRef top = begin_measure(r, site->call, number);
	if (by_result)
		cost = cost_by_size(r, after, site->call, price.fixed);
	HOOK(r, after, "skein_hook_foreign_end", lane(r, after), rows(r, after), u32(r, number), ticks, cost);
	measure(r, after, number, top, true);
	HOOK(r, after, "skein_hook_take", lane(r, after), frame(r, after, c));
}

static bool is_one_of(const struct site *site, const char *const *names)
{
	while (*names && !span_is_openmp(site, *names))
		names++;
	return *names;
}

static const char *const teams[] = {"fork_call", "fork_call_if", "fork_teams", "serialized_parallel", NULL};
static const char *const waits_for_some[] = {"omp_taskwait_deps_51", "omp_wait_deps", NULL};

/* What of the OpenMP runtime's calls is an event of its own, before and after the call. */
static void openmp_before(struct routine_edit *r, const struct context *c, const struct site *site)
{
	LLVMValueRef call = site->call;
	if (span_is_openmp(site, "omp_task_alloc"))
		HOOK(r, call, "skein_rt_span_task_flags", LLVMGetOperand(call, 2));
	else if (span_is_openmp(site, "omp_task_with_deps"))
		HOOK(r, call, "skein_rt_span_task_depends", LLVMGetOperand(call, 3), LLVMGetOperand(call, 4));
	else if (span_is_openmp(site, "taskloop") || span_is_openmp(site, "taskloop_5"))
		HOOK(r, call, "skein_rt_span_task_if", LLVMGetOperand(call, 3));
	else if (span_is_openmp(site, "taskgroup"))
		edit_hook(r->e, call, "skein_rt_span_group", NULL, 0);
	else if (is_one_of(site, teams))
		edit_hook(r->e, call, "skein_rt_span_team", NULL, 0);
	else if (span_is_openmp(site, "omp_task_begin_if0"))
		edit_hook(r->e, call, "skein_rt_span_undeferred", NULL, 0);
	else if (is_one_of(site, waits_for_some))
		HOOK(r, call, "skein_rt_span_wait_for", frame(r, call, c), load_n(r, call, c), LLVMGetOperand(call, 2), LLVMGetOperand(call, 3));
}

static void openmp_after(struct routine_edit *r, const struct context *c, const struct site *site, LLVMValueRef after)
{
	static const char *const waits[] = {"omp_taskwait", "omp_taskwait_51", NULL}, *const barriers[] = {"barrier", "cancel_barrier", NULL};
	static const char *const ends[] = {"end_taskgroup", "fork_call", "fork_call_if", "fork_teams", "end_serialized_parallel", NULL};
	if (is_one_of(site, waits))
		HOOK(r, after, "skein_rt_span_taskwait", frame(r, after, c), load_n(r, after, c));
	else if (is_one_of(site, barriers))
		HOOK(r, after, "skein_rt_span_barrier", frame(r, after, c), load_n(r, after, c));
	else if (is_one_of(site, ends))
		HOOK(r, after, "skein_rt_span_group_end", frame(r, after, c), load_n(r, after, c));
	else if (span_is_openmp(site, "omp_task_complete_if0"))
		edit_hook(r->e, after, "skein_rt_span_undeferred_end", NULL, 0);
}

static unsigned general_kind(struct routine_edit *r, const struct site *site, enum span_reach reach)
{
	unsigned kind = site->spawned ? SPAWN : CALL;
	if (!r->facts->recursive)
		kind |= ONCE;
	if (span_is_openmp(site, "omp_task") || span_is_openmp(site, "omp_task_with_deps"))
		return kind | TASK;
	if (span_is_openmp(site, "taskloop") || span_is_openmp(site, "taskloop_5"))
		return kind | TASKLOOP;
	if (strncmp(site->flags, "f", 1) == 0)
		return kind | FOREIGN;
	return reach == SPAN_UNKNOWN ? kind | UNKNOWN : kind;
}

static bool returns_twice(LLVMValueRef call)
{
	static const char name[] = "returns_twice";
	unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
	LLVMValueRef callee = LLVMGetCalledValue(call);
	return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind)
		|| (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind));
}

static void begin_general(struct routine_edit *r, LLVMValueRef before, const struct context *c, unsigned site, unsigned kind, LLVMValueRef cost)
{
	uint64_t range = r->facts->first_site | (uint64_t)r->facts->site_count << 32;
	uint32_t marks = r->s->marks[site] & ~SPAN_MARK_UNDER;
	if (r->s->marks[site] & SPAN_MARK_UNDER)
		kind |= UNDER;
	HOOK(r, before, "skein_rt_span_call", frame(r, before, c), load_n(r, before, c), object(r), u32(r, site), u64(r, range), u32(r, kind), cost, u32(r, marks));
}

static void call_general(struct routine_edit *r, const struct context *c, const struct site *site, enum span_reach reach)
{
	size_t length;
	LLVMValueRef callee = LLVMGetCalledValue(site->call), after = edit_after(site->call);
	const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
	struct span_price price = span_price(name);
	if (LLVMIsACallInst(site->call) && LLVMGetTailCallKind(site->call) == LLVMTailCallKindMustTail)
		return;
	openmp_before(r, c, site);
	begin_general(r, site->call, c, (unsigned)(site - r->s->p->sites), general_kind(r, site, reach), model_cost(r, site->call, site->call, price));
	if (!after)
		return;
	if (returns_twice(site->call))
		store_n(r, after, c, HOOK(r, after, "skein_rt_span_catch", frame(r, after, c)));
	else
		HOOK(r, after, "skein_rt_span_return", frame(r, after, c));
	openmp_after(r, c, site, after);
}

static int by_call(const void *a, const void *b)
{
	LLVMValueRef x = (*(const struct site *const *)a)->call, y = (*(const struct site *const *)b)->call;
	return x < y ? -1 : x > y;
}

static const struct site *site_of(const struct routine_edit *r, LLVMValueRef instruction)
{
	struct site key = {.call = instruction};
	const struct site *at = &key, *const *hit = bsearch(&at, r->by_call, r->facts->site_count, sizeof *r->by_call, by_call);
	return hit ? *hit : NULL;
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
	LLVMValueRef kept = r->kept_lane, opened = HOOK(r, site->call, "skein_rt_span_under", object(r)), after = edit_after(site->call);
	r->kept_lane = NULL;
	new_block(r);
	call_quick(r, c, site, reach);
	if (after)
		HOOK(r, after, "skein_rt_span_under_end", opened);
	r->kept_lane = kept;
	new_block(r);
}

static void call_event(struct routine_edit *r, const struct context *c, const struct site *site)
{
	enum span_reach reach = span_reach(r->s, site);
	bool general = r->s->general, quick = (reach == SPAN_STEADY && !general) || (reach == SPAN_QUIET && (!general || span_is_openmp(site, NULL)));
	if (!quick)
		call_general(r, c, site, reach);
	else if (r->s->marks[site - r->s->p->sites] & SPAN_MARK_UNDER)
		call_under(r, c, site, reach);
	else
		call_quick(r, c, site, reach);
}

/* Cilk's markers (lower_cilk.c). In a general context the runtime ends a spawn with its call. */
static void marker_event(struct routine_edit *r, const struct context *c, LLVMValueRef marker, const char *what)
{
	LLVMValueRef scope = LLVMGetNumArgOperands(marker) ? LLVMGetOperand(marker, 0) : NULL;
	const struct site *site = NULL;
	for (size_t i = 0; i < r->marked_count && !site; i++)
		if (r->marked[i].marker == marker)
			site = r->marked[i].site;
	bool quick = site && span_reach(r->s, site) == SPAN_STEADY && !r->s->general;
	if (strcmp(what, "scope") == 0) {
		LLVMValueRef mine = c->general ? HOOK(r, marker, "skein_rt_span_scope", frame(r, marker, c), u32(r, r->scopes++)) : room_for(r, SCOPE);
		if (!c->general)
			HOOK(r, marker, "skein_hook_scope", mine);
		LLVMReplaceAllUsesWith(marker, mine);
	} else if (strcmp(what, "sync") == 0 && c->general) {
		HOOK(r, marker, "skein_rt_span_sync", frame(r, marker, c), load_n(r, marker, c), scope);
	} else if (strcmp(what, "sync") == 0) {
		if (r->s->whole)
			HOOK(r, marker, "skein_hook_whole_sync", frame(r, marker, c), scope, load_n(r, marker, c));
		else
			HOOK(r, marker, "skein_hook_sync", lane(r, marker), frame(r, marker, c), scope, load_n(r, marker, c));
	} else if (strcmp(what, "spawn") == 0 && quick && !r->s->whole) {
		rows(r, marker);
		LLVMValueRef start = HOOK(r, marker, "skein_hook_spawn", lane(r, marker), scope);
		LLVMPositionBuilderBefore(r->e->builder, marker);
		LLVMBuildStore(r->e->builder, start, r->start);
	} else if (strcmp(what, "spawn") == 0 && site && !quick) {
		HOOK(r, marker, "skein_rt_span_spawn", frame(r, marker, c), load_n(r, marker, c), scope);
	} else if (strcmp(what, "spawned") == 0 && quick && r->s->whole) {
		HOOK(r, marker, "skein_hook_whole_spawned", lane(r, marker), frame(r, marker, c), scope, load_n(r, marker, c));
	} else if (strcmp(what, "spawned") == 0 && quick) {
		LLVMPositionBuilderBefore(r->e->builder, marker);
		LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
		LLVMValueRef start = LLVMBuildLoad2(r->e->builder, u64_type(r), r->start, "");
		HOOK(r, marker, "skein_hook_spawned", lane(r, marker), frame(r, marker, c), scope, start, load_n(r, marker, c));
	}
}

static void leave_event(struct routine_edit *r, LLVMValueRef at)
{
	const struct context *c = &r->contexts[0];
	LLVMValueRef n = load_n(r, at, c);
	if (c->general)
		HOOK(r, at, "skein_rt_span_leave", frame(r, at, c), n);
	else if (r->facts->outside)
		HOOK(r, at, r->s->whole ? "skein_hook_whole_depart" : "skein_hook_depart", lane(r, at), frame(r, at, c), r->outer, n);
	else if (r->s->whole)
		HOOK(r, at, "skein_hook_whole_leave", lane(r, at), frame(r, at, c), n);
	else if (r->facts->leaf)
		HOOK(r, at, "skein_hook_leave_leaf", lane(r, at), row(r, at), n);
	else
		HOOK(r, at, "skein_hook_leave", lane(r, at), frame(r, at, c), row(r, at), n);
	if (r->entered)
		HOOK(r, at, "skein_rt_span_under_leave", load_u32(r, at, r->entered));
}

/* memcpy and its like in the form that the compiler knows. */
static LLVMValueRef moved_bytes(LLVMValueRef i)
{
	size_t length;
	const char *name = LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) ? LLVMGetValueName2(LLVMGetCalledValue(i), &length) : "";
	bool moves = strncmp(name, "llvm.memcpy.", 12) == 0 || strncmp(name, "llvm.memmove.", 13) == 0 || strncmp(name, "llvm.memset.", 12) == 0;
	return moves ? LLVMGetOperand(i, 2) : NULL;
}

static bool is_landing(LLVMBasicBlockRef b)
{
	LLVMValueRef i = LLVMGetFirstInstruction(b);
	while (i && LLVMIsAPHINode(i))
		i = LLVMGetNextInstruction(i);
	return i && LLVMIsALandingPadInst(i);
}

static void edit_block(struct routine_edit *r, LLVMBasicBlockRef b, const struct context *c)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(b), leave = edit_leaves_at(b), next;
	unsigned cost = 0;
	new_block(r);
	LLVMValueRef first = edit_first(b);
	if (c->general && is_landing(b))
		HOOK(r, first, "skein_rt_span_catch", frame(r, first, c));
	for (LLVMValueRef i = first; i; i = next) {
		const struct site *site = site_of(r, i);
		const char *marker = edit_marker(i);
		next = LLVMGetNextInstruction(i);
		cost += span_cost_of(i);
		if (moved_bytes(i))
			add_value(r, i, c, cost_by_size(r, i, moved_bytes(i), 0));
		if (!site && !marker && i != last && i != leave)
			continue;
		add_cost(r, i, c, &cost);
		if (marker) {
			marker_event(r, c, i, marker);
			LLVMInstructionEraseFromParent(i);
		} else if (i == leave) {
			leave_event(r, i);
		} else if (site) {
			call_event(r, c, site);
		}
	}
}

/* A loop begins like a call of its site, in the context around it. */
static void begin_loop(struct routine_edit *r, LLVMValueRef before, const struct span_tagged *loop, const struct context *outer, const struct context *c)
{
	if (c->general) {
		begin_general(r, before, outer, loop->site, r->facts->recursive ? CALL : ONCE, u64(r, 0));
		store_frame(r, before, c->loop_frame, edit_hook(r->e, before, "skein_rt_span_loop", NULL, 0));
		return;
	}
	if (c->opened)
		store_u32(r, before, c->opened, HOOK(r, before, "skein_rt_span_under", object(r)));
	new_block(r);
	if (r->facts->recursive && !r->s->whole) {
		LLVMValueRef top = begin_measure(r, before, loop->site);
		LLVMPositionBuilderBefore(r->e->builder, before);
		LLVMBuildStore(r->e->builder, top, c->loop_frame);
	}
	HOOK(r, before, "skein_hook_loop", c->loop);
}

static void begin_iteration(struct routine_edit *r, LLVMValueRef before, const struct context *c)
{
	new_block(r);
	store_n(r, before, c, u64(r, 0));
	if (c->general)
		store_frame(r, before, c->frame, HOOK(r, before, "skein_rt_span_iteration", load_frame(r, before, c->loop_frame)));
	else if (!c->leaf)
		HOOK(r, before, "skein_hook_iteration", lane(r, before), c->loop, frame(r, before, c));
}

static void end_iteration(struct routine_edit *r, LLVMValueRef before, const struct context *c)
{
	new_block(r);
	LLVMValueRef n = load_n(r, before, c);
	if (c->general)
		HOOK(r, before, "skein_rt_span_iterated", load_frame(r, before, c->loop_frame), frame(r, before, c), n);
	else if (c->leaf)
		HOOK(r, before, "skein_hook_leaf_iteration", c->loop, n);
	else
		HOOK(r, before, "skein_hook_iterated", lane(r, before), c->loop, frame(r, before, c), n);
}

static void end_loop(struct routine_edit *r, LLVMValueRef before, const struct span_tagged *loop, const struct context *outer, const struct context *c)
{
	if (c->general) {
		HOOK(r, before, "skein_rt_span_looped", load_frame(r, before, c->loop_frame));
		HOOK(r, before, "skein_rt_span_return", frame(r, before, outer));
		return;
	}
	LLVMValueRef top = NULL;
	new_block(r);
	if (!r->s->whole)
		rows(r, before);
	HOOK(r, before, c->leaf ? "skein_hook_leaf_loop_end" : "skein_hook_loop_end", lane(r, before), c->loop);
	if (r->facts->recursive && !r->s->whole) {
		LLVMPositionBuilderBefore(r->e->builder, before);
		LLVMSetCurrentDebugLocation2(r->e->builder, r->e->location);
		top = LLVMBuildLoad2(r->e->builder, LLVMInt32TypeInContext(LLVMGetModuleContext(r->e->module)), c->loop_frame, "");
	}
	if (!r->s->whole)
		measure(r, before, loop->site, top, c->leaf);
	HOOK(r, before, r->s->whole ? "skein_hook_whole_take" : "skein_hook_take", lane(r, before), frame(r, before, outer));
	if (c->opened)
		HOOK(r, before, "skein_rt_span_under_end", load_u32(r, before, c->opened));
	new_block(r);
}

static bool can_split(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	return !LLVMIsAIndirectBrInst(LLVMGetBasicBlockTerminator(from)) && !is_landing(to);
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

static void edit_loop_edges(struct routine_edit *r, LLVMBasicBlockRef b, const struct span_tagged *loop, const struct context *outer, const struct context *c)
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
static void edit_loop(struct routine_edit *r, size_t index)
{
	const struct span_tagged *loop = &r->loops[index];
	const struct context *outer = &r->contexts[loop->outer + 1], *c = &r->contexts[index + 1];
	size_t count = LLVMCountBasicBlocks(r->function);
	LLVMBasicBlockRef *blocks = malloc((count + 1) * sizeof *blocks);
	if (!blocks)
		pass_fail("no memory left");
	LLVMGetBasicBlocks(r->function, blocks);
	begin_iteration(r, edit_first(loop->header), c);
	for (size_t i = 0; i < count; i++)
		if (LLVMGetBasicBlockTerminator(blocks[i]))
			edit_loop_edges(r, blocks[i], loop, outer, c);
	free(blocks);
}

/* Does the loop call only what returns? Does it call anything at all? */
static void classify_loop(struct routine_edit *r, const struct span_tagged *loop, struct context *c)
{
	c->general = r->s->general;
	c->leaf = true;
	for (size_t b = 0; b < loop->block_count; b++) {
		c->general |= is_landing(loop->blocks[b]);
		for (LLVMValueRef i = LLVMGetFirstInstruction(loop->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
			const struct site *site = site_of(r, i);
			enum span_reach reach = site ? span_reach(r->s, site) : SPAN_QUIET;
			c->leaf &= !site && !edit_marker(i);
			c->general |= site && reach != SPAN_STEADY && reach != SPAN_QUIET;
		}
	}
	for (size_t k = 0; k < r->loop_count; k++)
		c->leaf &= &r->loops[k] == loop || !span_loop_has(loop, r->loops[k].header);
	c->leaf &= !c->general;
}

static void make_contexts(struct routine_edit *r)
{
	LLVMTypeRef u32_type = LLVMInt32TypeInContext(LLVMGetModuleContext(r->e->module));
	LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(r->e->module), 0);
	r->contexts[0].general = !r->facts->steady;
	for (size_t k = 0; k <= r->loop_count; k++) {
		struct context *c = &r->contexts[k];
		if (k)
			classify_loop(r, &r->loops[k - 1], c);
		c->n = variable(r, u64_type(r));
		c->frame = c->general ? variable(r, pointer) : room_for(r, FRAME);
		if (k) {
			c->loop = c->general ? NULL : room_for(r, LOOP);
			c->loop_frame = variable(r, c->general ? pointer : u32_type);
			if (!c->general && r->s->marks[r->loops[k - 1].site] & SPAN_MARK_UNDER)
				c->opened = variable(r, u32_type);
		}
	}
	r->start = variable(r, u64_type(r));
	if (r->facts->outside && r->facts->steady)
		r->outer = room_for(r, FIGURES);
	if (r->facts->marks & SPAN_MARK_UNDER && r->facts->steady)
		r->entered = variable(r, u32_type);
}

static bool calls_in(const struct routine_edit *r, LLVMBasicBlockRef b)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
		if (site_of(r, i))
			return true;
	return false;
}

/* A routine that measures itself asks for whom: where it must, before its first call. */
static void edit_row(struct routine_edit *r, const LLVMBasicBlockRef *blocks, size_t count)
{
	LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(r->e->module), 0);
	if (!r->facts->measured || r->s->whole)
		return;
	bool *calls = calloc(count + 1, sizeof *calls);
	r->early = calloc(count + 1, sizeof *r->early);
	if (!calls || !r->early)
		pass_fail("no memory left");
	for (size_t i = 0; i < count; i++)
		calls[i] = calls_in(r, blocks[i]);
	r->kept_lane = variable(r, pointer);
	r->kept_row = variable(r, pointer);
	if (r->loop_count || !span_early(blocks, count, calls, r->early)) {
		free(r->early);
		r->early = NULL;
		keep_row(r, edit_entry(r->function));
	}
	for (size_t i = 0; r->early && i < count; i++)
		if (calls[i] && r->early[i]) {
			keep_row(r, i ? edit_first(blocks[i]) : edit_entry(r->function));
			r->early[i] = false;
		}
	free(calls);
}

static void edit_start(struct routine_edit *r)
{
	const struct context *c = &r->contexts[0];
	LLVMValueRef at = edit_entry(r->function); /* before what edit_row put there */
	store_n(r, at, c, u64(r, 0));
	if (r->entered)
		store_u32(r, at, r->entered, HOOK(r, at, "skein_rt_span_under", object(r)));
	if (c->general)
		store_frame(r, at, c->frame, edit_hook(r->e, at, "skein_rt_span_enter", NULL, 0));
	else
		HOOK(r, at, "skein_hook_enter", c->frame);
	if (c->general && r->facts->marks)
		HOOK(r, at, "skein_rt_span_entered", frame(r, at, c), u32(r, r->facts->marks & ~SPAN_MARK_UNDER), u32(r, r->facts->marks & SPAN_MARK_UNDER));
	if (r->facts->chunk && c->general)
		HOOK(r, at, "skein_rt_span_chunk", frame(r, at, c));
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
static void find_markers(struct routine_edit *r, LLVMBasicBlockRef *blocks, size_t count)
{
	for (size_t b = 0; b < count; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i; i = LLVMGetNextInstruction(i)) {
			const char *marker = edit_marker(i);
			LLVMValueRef call = marker && strncmp(marker, "spawn", 5) == 0 ? edit_call_of(i) : NULL;
			if (!call)
				continue;
			r->marked = pass_grow(r->marked, r->marked_count, sizeof *r->marked);
			r->marked[r->marked_count++] = (struct marked){i, site_of(r, call)};
		}
}

void span_edit(struct span_pass *s, struct editor *e, unsigned index, struct span_tagged *loops, size_t loop_count)
{
	if (s->facts[index].steady && !loop_count)
		edit_part_returns(e, s->p->routines[index].function);
	struct routine_edit r = {.s = s, .e = e, .function = s->p->routines[index].function, .index = index, .facts = &s->facts[index], .loops = loops, .loop_count = loop_count};
	size_t count = LLVMCountBasicBlocks(r.function);
	LLVMBasicBlockRef *blocks = malloc((count + 1) * sizeof *blocks);
	r.contexts = calloc(loop_count + 1, sizeof *r.contexts);
	r.by_call = malloc((r.facts->site_count + 1) * sizeof *r.by_call);
	if (!blocks || !r.contexts || !r.by_call)
		pass_fail("no memory left");
	for (unsigned i = 0; i < r.facts->site_count; i++)
		r.by_call[i] = &s->p->sites[r.facts->first_site + i];
	qsort(r.by_call, r.facts->site_count, sizeof *r.by_call, by_call);
	LLVMGetBasicBlocks(r.function, blocks);
	find_markers(&r, blocks, count);
	edit_function(e, r.function);
	e->out_of_line = r.facts->site_count > MANY_SITES || s->p->site_count > VERY_MANY_SITES;
	make_contexts(&r);
	edit_row(&r, blocks, count);
	for (size_t i = 0; i < count; i++) {
		r.is_early = r.early && r.early[i];
		edit_block(&r, blocks[i], context_of(&r, blocks[i]));
	}
	r.is_early = false;
	for (size_t k = 0; k < loop_count; k++)
		edit_loop(&r, k);
	edit_start(&r);
	free(blocks);
	free(r.marked);
	free(r.early);
	free(r.contexts);
	free(r.by_call);
}
