/* SPDX-License-Identifier: MIT */
/* graph.c: what a module shows of its routines by themselves, and what its call graph proves about them. */
#include "pass/span/span.h"

#include <stdlib.h>
#include <string.h>
#include "core/graph.h"

static const char *foreign_name(const struct site *site)
{
	size_t length;
	LLVMValueRef callee = site->call ? LLVMGetCalledValue(site->call) : NULL;
	return callee && LLVMIsAFunction(callee) && site->callee < 0 ? LLVMGetValueName2(callee, &length) : "";
}

enum openmp_means span_openmp(const struct site *site)
{
	const struct openmp_entry *e = openmp_entry(foreign_name(site));
	return e && e->means != OPENMP_BY_NAME ? e->means : OPENMP_NONE;
}

enum span_marks span_marks(const struct site *site)
{
	const char *name = foreign_name(site);
	return strcmp(name, "skein_region_begin") == 0  ? SPAN_REGION_BEGIN
		: strcmp(name, "skein_region_end") == 0 ? SPAN_REGION_END
							: SPAN_NO_MARK;
}

/* The function of a task is an argument of the call that makes room for it. */
LLVMValueRef span_task_function(LLVMValueRef call)
{
	LLVMValueRef task = LLVMGetNumArgOperands(call) > 2 ? LLVMGetOperand(call, 2) : NULL;
	if (!task || !LLVMIsACallInst(task) || LLVMGetNumArgOperands(task) < 6)
		return NULL;
	LLVMValueRef function = LLVMGetOperand(task, 5);
	return LLVMIsAFunction(function) ? function : NULL;
}

enum span_reach span_reach(const struct span_pass *s, const struct site *site)
{
	LLVMValueRef callee = LLVMGetCalledValue(site->call);
	const struct span_facts *facts = span_callee(s, site);
	if (facts && !facts->unknown)
		return facts->steady && LLVMIsACallInst(site->call) ? SPAN_STEADY : SPAN_ROUTINE;
	if (facts || !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
		return SPAN_UNKNOWN;
	return cost_is_quiet(foreign_name(site)) && LLVMIsACallInst(site->call) ? SPAN_QUIET : SPAN_FOREIGN;
}

/* Of a piece other pieces may call what is not local, too, and skein knows whether they do. */
static bool is_outside(const struct program *p, unsigned r)
{
	LLVMValueRef f = p->routines[r].function;
	LLVMLinkage linkage = LLVMGetLinkage(f);
	bool is_local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
	return (!is_local && !*pass_option(PLAN_PIECE)) || shim_address_taken(f);
}

static int by_address(const void *a, const void *b)
{
	uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
	return x < y ? -1 : x > y;
}

static void list_profiled(struct span_pass *s)
{
	const struct program *p = s->p;
	s->profiled = pass_zeroed(p->routine_count, sizeof *s->profiled);
	for (unsigned r = 0; r < p->routine_count; r++)
		if (p->routines[r].profiled)
			s->profiled[s->profiled_count++] = (uintptr_t)p->routines[r].function;
	qsort(s->profiled, s->profiled_count, sizeof *s->profiled, by_address);
}

bool span_has_sites(const struct span_pass *s, LLVMValueRef function)
{
	uintptr_t key = (uintptr_t)function;
	return bsearch(&key, s->profiled, s->profiled_count, sizeof key, by_address);
}

/* A call in a function that is not profiled (--only, --skip) has no site, just as one in foreign code. */
static void mark_callees_of_unprofiled(struct span_pass *s)
{
	struct program *p = s->p;
	for (unsigned r = 0; r < p->routine_count; r++)
		for (LLVMUseRef u = LLVMGetFirstUse(p->routines[r].function); u && !s->facts[r].outside; u = LLVMGetNextUse(u)) {
			LLVMValueRef user = LLVMGetUser(u);
			if (!LLVMIsAInstruction(user))
				continue;
			s->facts[r].outside = !span_has_sites(s, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
		}
}

static bool has_landing_pads(LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
		if (last && (LLVMIsAInvokeInst(last) || LLVMIsAResumeInst(last) || LLVMIsACallBrInst(last)))
			return true;
	}
	return false;
}

/* Calls that keep a routine from being steady whatever they call. */
static bool is_unsteady(const struct site *site)
{
	bool tail = LLVMIsACallInst(site->call) && LLVMGetTailCallKind(site->call) == LLVMTailCallKindMustTail;
	return tail || edit_has_attribute(site->call, "noreturn") || edit_has_attribute(site->call, "returns_twice");
}

/* As long as all that it calls is. */
static void find_steady(struct span_pass *s)
{
	struct program *p = s->p;
	for (unsigned r = 0; r < p->routine_count; r++)
		s->facts[r].steady =
			p->routines[r].profiled && !s->general && !s->facts[r].chunk && !has_landing_pads(p->routines[r].function);
	for (size_t i = 0; i < p->site_count; i++)
		if (is_unsteady(&p->sites[i]))
			s->facts[p->sites[i].caller].steady = false;
}

/* The node behind the last routine is all other code: calls of foreign or unknown code lead to it, and it leads to all that can be
 * entered from outside. What is counted first finds its place when this is called again. */
static void add_edge(struct graph_node *nodes, unsigned *to, size_t *at, unsigned from, unsigned target)
{
	if (to)
		to[at[from]++] = target;
	else
		nodes[from + 1].first++;
}

static void add_edges(struct span_pass *s, struct graph_node *nodes, unsigned *to, size_t *at)
{
	const struct program *p = s->p;
	unsigned outside = (unsigned)p->routine_count;
	for (size_t i = 0; i < p->site_count; i++)
		if (span_reach(s, &p->sites[i]) != SPAN_QUIET)
			add_edge(nodes, to, at, p->sites[i].caller, p->sites[i].callee >= 0 ? (unsigned)p->sites[i].callee : outside);
	for (unsigned r = 0; r < p->routine_count; r++)
		if (s->facts[r].outside && strcmp(p->routines[r].name, "main") != 0)
			add_edge(nodes, to, at, outside, r);
}

static void solve(struct span_pass *s)
{
	size_t count = s->p->routine_count + 1, *at = pass_zeroed(count, sizeof *at);
	struct graph_node *nodes = pass_zeroed(count, sizeof *nodes);
	add_edges(s, nodes, NULL, NULL);
	for (size_t i = 0; i < count; i++) {
		at[i] = nodes[i].first;
		nodes[i + 1].first += nodes[i].first;
		nodes[i].steady = i < count - 1 && s->facts[i].steady;
	}
	unsigned *to = pass_zeroed(nodes[count].first, sizeof *to);
	add_edges(s, nodes, to, at);
	graph_solve(&(struct graph){nodes, count, to});
	for (size_t r = 0; r < s->p->routine_count; r++) {
		s->facts[r].steady = nodes[r].steady;
		s->facts[r].recursive = nodes[r].recursive;
		s->facts[r].component = nodes[r].component;
	}
	free(at), free(nodes), free(to);
}

/* A routine that is entered by a musttail call or, in C++, by an invoke cannot know who will look at its figures: it adds them to those of
 * the one before. */
static void mark_odd_callees(struct span_pass *s)
{
	for (size_t i = 0; i < s->p->site_count; i++) {
		const struct site *site = &s->p->sites[i];
		if (site->callee >= 0 && (!LLVMIsACallInst(site->call) || LLVMGetTailCallKind(site->call) == LLVMTailCallKindMustTail))
			s->facts[site->callee].outside = true;
	}
}

static bool has_atomics(LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			bool access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
			if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
			    (access && LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic))
				return true;
		}
	return false;
}

static void find_chunks(struct span_pass *s)
{
	for (size_t i = 0; i < s->p->site_count; i++) {
		const struct site *site = &s->p->sites[i];
		if (span_openmp(site) != OPENMP_TASKLOOP)
			continue;
		LLVMValueRef function = span_task_function(site->call);
		for (unsigned r = 0; function && r < s->p->routine_count; r++)
			s->facts[r].chunk |= s->p->routines[r].function == function;
	}
}

void span_graph(struct span_pass *s)
{
	struct program *p = s->p;
	for (unsigned r = 0; r < p->routine_count; r++) {
		p->routines[r].atomic = has_atomics(p->routines[r].function);
		s->facts[r].outside = is_outside(p, r);
	}
	list_profiled(s);
	mark_callees_of_unprofiled(s);
	find_chunks(s);
	mark_odd_callees(s);
	find_steady(s);
}

void span_solve(struct span_pass *s)
{
	solve(s);
	for (unsigned r = 0; r < s->p->routine_count; r++)
		s->facts[r].measured = s->facts[r].peels = s->facts[r].steady && !s->facts[r].outside;
}
