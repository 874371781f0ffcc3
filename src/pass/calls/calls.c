/* SPDX-License-Identifier: MIT */
/* calls.c: where the hooks of the `calls` lens go. rt/calls/hooks.c says what they do.
 *
 * times: enter behind the allocas, leave before each return, resume and musttail call, catch where control arrives by
 * a jump: in landing pads and behind calls that return twice. They are called, not in line: of 22 ns that a call takes with its hooks that
 * is one or less, and in line they are half of the program and of the time to make it.
 * counts: an increment before each call whose callee is known and profiled; around every other call the word about who
 * called; in routines that can be reached by such calls, arrive and depart. */
#include "pass/lens.h"

#include <stdlib.h>
#include <string.h>

/* Blocks are collected first: what is inserted must not be visited. */
struct spots {
	LLVMValueRef *landing, *leave;
	size_t landings, leaves;
};

static struct spots spots_of(LLVMValueRef function)
{
	struct spots s = {0};
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef leave = edit_leaves_at(b);
		if (edit_is_landing(b)) {
			s.landing = pass_grow(s.landing, s.landings, sizeof *s.landing);
			s.landing[s.landings++] = edit_first(b);
		}
		if (leave) {
			s.leave = pass_grow(s.leave, s.leaves, sizeof *s.leave);
			s.leave[s.leaves++] = leave;
		}
	}
	return s;
}

static void spots_free(struct spots *s)
{
	free(s->landing);
	free(s->leave);
}

static void time_routine(struct editor *e, struct program *p, unsigned index, const struct site *first, const struct site *end)
{
	struct routine *r = &p->routines[index];
	edit_function(e, r->function);
	struct spots s = spots_of(r->function);
	e->out_of_line = true;
	LLVMValueRef number = edit_number(e, index);
	LLVMValueRef mine = edit_hook(e, edit_entry(r->function), r->outlined ? "skein_hook_enter_body" : "skein_hook_enter", &number, 1);
	for (size_t i = 0; i < s.landings; i++)
		edit_hook(e, s.landing[i], "skein_hook_catch", &mine, 1);
	for (; first < end; first++)
		if (edit_has_attribute(first->call, "returns_twice") && edit_after(first->call))
			edit_hook(e, edit_after(first->call), "skein_hook_catch", &mine, 1);
	for (size_t i = 0; i < s.leaves; i++)
		edit_hook(e, s.leave[i], "skein_hook_leave", (LLVMValueRef[]){mine, number}, 2);
	spots_free(&s);
}

/* Can anybody but a direct call in a profiled routine enter it? */
static bool has_other_ways_in(const struct program *p, const bool *from_unprofiled, unsigned index)
{
	LLVMValueRef f = p->routines[index].function;
	LLVMLinkage linkage = LLVMGetLinkage(f);
	bool is_local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
	return !is_local || shim_address_taken(f) || from_unprofiled[index];
}

static bool may_call_back(LLVMValueRef call)
{
	static const char name[] = "nocallback";
	LLVMValueRef callee = LLVMGetCalledValue(call);
	return !LLVMIsAFunction(callee) ||
		!LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
}

static void count_site(struct editor *e, struct program *p, const struct site *site, LLVMValueRef table)
{
	LLVMValueRef caller = edit_number(e, site->caller), after = edit_after(site->call);
	bool is_dirty = site->callee >= 0 ? p->routines[site->callee].leaves_by_tail : site->elsewhere;
	if (site->callee >= 0 || site->elsewhere)
		edit_hook(e, site->call, "skein_hook_site", (LLVMValueRef[]){table, edit_u32(e, (unsigned)(site - p->sites))}, 2);
	else if (may_call_back(site->call))
		edit_hook(e, site->call, "skein_hook_call_out", &caller, 1), is_dirty = true;
	if ((is_dirty || edit_has_attribute(site->call, "returns_twice")) && after)
		edit_hook(e, after, "skein_hook_back", NULL, 0);
}

/* A function void f(int) or void f(int, siginfo_t *, void *) whose address is taken. */
static bool may_handle_signals(LLVMValueRef function)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(function), parameters[3];
	unsigned count = LLVMCountParamTypes(type);
	if (LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind || (count != 1 && count != 3) || !shim_address_taken(function))
		return false;
	LLVMGetParamTypes(type, parameters);
	if (LLVMGetTypeKind(parameters[0]) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(parameters[0]) != 32)
		return false;
	return count == 1 ||
		(LLVMGetTypeKind(parameters[1]) == LLVMPointerTypeKind && LLVMGetTypeKind(parameters[2]) == LLVMPointerTypeKind);
}

/* `direct` and `other` are the routine's sites of each kind. A musttail call goes behind depart, which must not undo
 * the word about who called: so depart comes first. */
static void count_routine(struct editor *e, struct program *p, unsigned index, const struct site *range[4], bool arrives)
{
	struct routine *r = &p->routines[index];
	edit_function(e, r->function);
	struct spots s = spots_of(r->function);
	LLVMValueRef entry = edit_entry(r->function), number = edit_number(e, index), from = NULL, table = NULL;
	if (arrives)
		from = edit_hook(e, entry, may_handle_signals(r->function) ? "skein_hook_arrive_handler" : "skein_hook_arrive", &number, 1);
	if (range[0] < range[1])
		table = edit_hook(e, entry, "skein_hook_table", NULL, 0);
	for (size_t i = 0; i < s.landings; i++)
		edit_hook(e, s.landing[i], "skein_hook_back", NULL, 0);
	for (size_t i = 0; arrives && i < s.leaves; i++)
		edit_hook(e, s.leave[i], "skein_hook_depart", &from, 1);
	for (const struct site *c = range[0]; c < range[1]; c++)
		count_site(e, p, c, table);
	for (const struct site *c = range[2]; c < range[3]; c++)
		count_site(e, p, c, table);
	spots_free(&s);
}

static void mark_callees(const struct program *p, LLVMValueRef unprofiled, bool *marks)
{
	for (size_t i = 0; i < p->routine_count; i++)
		for (LLVMUseRef u = LLVMGetFirstUse(p->routines[i].function); u && !marks[i]; u = LLVMGetNextUse(u)) {
			LLVMValueRef user = LLVMGetUser(u);
			marks[i] = LLVMIsAInstruction(user) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == unprofiled;
		}
}

/* Marks the routines that unprofiled code calls directly. With --only most routines are unprofiled: then all are marked,
 * which costs the few profiled ones a look at `from` and is as right. */
static bool *called_from_unprofiled(const struct program *p)
{
	enum { FEW = 64 };
	size_t unprofiled = 0;
	bool *marks = calloc(p->routine_count + 1, sizeof *marks);
	if (!marks)
		pass_fail("out of memory");
	for (size_t i = 0; i < p->routine_count; i++)
		unprofiled += !p->routines[i].profiled;
	for (size_t i = 0; i < p->routine_count; i++) {
		if (unprofiled > FEW)
			marks[i] = true;
		else if (!p->routines[i].profiled)
			mark_callees(p, p->routines[i].function, marks);
	}
	return marks;
}

static const struct site *end_of_run(const struct site *at, const struct site *end, unsigned caller)
{
	while (at < end && at->caller == caller)
		at++;
	return at;
}

static bool only_counts(void)
{
	return strcmp(pass_option(PLAN_MODE), MODE_COUNTS) == 0;
}

/* Only calls whose callee is known are counted where they are made. */
static void plan(struct program *p)
{
	p->table_sites = p->direct_sites;
	for (size_t i = 0; only_counts() && i < p->direct_sites; i++)
		strcpy(p->sites[i].flags, "c");
}

static void edit(struct program *p)
{
	bool counts = only_counts();
	bool *from_unprofiled = counts ? called_from_unprofiled(p) : NULL;
	const struct site *direct = p->sites, *direct_end = p->sites + p->direct_sites;
	const struct site *other = direct_end, *other_end = p->sites + p->site_count;
	bool *arrives = calloc(p->routine_count + 1, sizeof *arrives);
	if (!arrives)
		pass_fail("out of memory");
	for (unsigned i = 0; counts && i < p->routine_count; i++)
		arrives[i] = has_other_ways_in(p, from_unprofiled, i);
	struct editor e;
	edit_begin(&e, p->module);
	for (unsigned i = 0; i < p->routine_count; i++) {
		if (!p->routines[i].profiled)
			continue;
		const struct site *range[] = {direct, end_of_run(direct, direct_end, i), other, end_of_run(other, other_end, i)};
		if (counts) {
			count_routine(&e, p, i, range, arrives[i]);
		} else {
			time_routine(&e, p, i, range[2], range[3]);
		}
		direct = range[1];
		other = range[3];
	}
	edit_end(&e);
	free(arrives);
	free(from_unprofiled);
}

const struct pass_lens pass_lens_calls = {.name = "calls", .plan = plan, .edit = edit};
