/* SPDX-License-Identifier: MIT */
/* graph.c: what the call graph proves about routines.
 *
 * Foreign code may call whatever it was given the address of or can find by name. So the graph has one more node that stands for
 * it: calls of foreign or unknown code lead to it, and it leads to all that can be entered from outside. */
#include "pass/span/span.h"

#include <stdlib.h>
#include <string.h>

struct graph {
	struct span_pass *s;
	size_t nodes;  /* routines, and the outside as the last */
	size_t *first; /* first[i]: of node i's edges in `to`; one more at the end */
	unsigned *to;
	/* Tarjan's algorithm, with a stack of its own: programs are deeper than ours */
	unsigned *index, *low, *stack, *path;
	size_t *next;
	bool *on_stack;
	size_t stacked;
	unsigned counter, components;
};

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
	if (site->callee >= 0)
		return s->facts[site->callee].steady && LLVMIsACallInst(site->call) ? SPAN_STEADY : SPAN_ROUTINE;
	if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
		return SPAN_UNKNOWN;
	return cost_is_quiet(foreign_name(site)) && LLVMIsACallInst(site->call) ? SPAN_QUIET : SPAN_FOREIGN;
}

static bool is_outside(const struct program *p, unsigned r)
{
	LLVMValueRef f = p->routines[r].function;
	LLVMLinkage linkage = LLVMGetLinkage(f);
	bool is_local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
	return !is_local || shim_address_taken(f);
}

static int by_address(const void *a, const void *b)
{
	uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
	return x < y ? -1 : x > y;
}

/* A call in a function that is not profiled (--only, --skip) has no site, just as one in foreign code. */
static void mark_callees_of_unprofiled(struct span_pass *s)
{
	struct program *p = s->p;
	uintptr_t *profiled = pass_zeroed(p->routine_count, sizeof *profiled);
	size_t count = 0;
	for (unsigned r = 0; r < p->routine_count; r++)
		if (p->routines[r].profiled)
			profiled[count++] = (uintptr_t)p->routines[r].function;
	qsort(profiled, count, sizeof *profiled, by_address);
	for (unsigned r = 0; r < p->routine_count; r++)
		for (LLVMUseRef u = LLVMGetFirstUse(p->routines[r].function); u && !s->facts[r].outside; u = LLVMGetNextUse(u)) {
			LLVMValueRef user = LLVMGetUser(u);
			if (!LLVMIsAInstruction(user))
				continue;
			uintptr_t caller = (uintptr_t)LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
			s->facts[r].outside = !bsearch(&caller, profiled, count, sizeof *profiled, by_address);
		}
	free(profiled);
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

/* Calls that keep a routine from being steady whatever it calls. */
static bool is_unsteady(const struct span_pass *s, const struct site *site)
{
	enum span_reach reach = span_reach(s, site);
	bool tail = LLVMIsACallInst(site->call) && LLVMGetTailCallKind(site->call) == LLVMTailCallKindMustTail;
	return reach == SPAN_FOREIGN || reach == SPAN_UNKNOWN || tail || edit_has_attribute(site->call, "noreturn") ||
		edit_has_attribute(site->call, "returns_twice");
}

static void find_steady(struct span_pass *s)
{
	struct program *p = s->p;
	bool changed = true;
	for (unsigned r = 0; r < p->routine_count; r++)
		s->facts[r].steady =
			p->routines[r].profiled && !s->general && !s->facts[r].chunk && !has_landing_pads(p->routines[r].function);
	for (size_t i = 0; i < p->site_count; i++)
		if (is_unsteady(s, &p->sites[i]))
			s->facts[p->sites[i].caller].steady = false;
	while (changed) {
		changed = false;
		for (size_t i = 0; i < p->site_count; i++) {
			const struct site *site = &p->sites[i];
			if (site->callee >= 0 && s->facts[site->caller].steady && !s->facts[site->callee].steady)
				s->facts[site->caller].steady = false, changed = true;
		}
	}
}

static size_t count_edges(struct graph *g, bool fill)
{
	struct program *p = g->s->p;
	size_t outside = p->routine_count, *at = pass_zeroed(g->nodes, sizeof *at), total = 0;
	for (size_t i = 0; fill && i < g->nodes; i++)
		at[i] = g->first[i];
	for (size_t i = 0; i < p->site_count; i++) {
		enum span_reach reach = span_reach(g->s, &p->sites[i]);
		unsigned from = p->sites[i].caller, to = p->sites[i].callee >= 0 ? (unsigned)p->sites[i].callee : (unsigned)outside;
		if (reach == SPAN_QUIET)
			continue;
		if (fill)
			g->to[at[from]++] = to;
		else
			g->first[from + 1]++, total++;
	}
	for (unsigned r = 0; r < p->routine_count; r++) {
		if (!g->s->facts[r].outside || strcmp(p->routines[r].name, "main") == 0)
			continue;
		if (fill)
			g->to[at[outside]++] = r;
		else
			g->first[outside + 1]++, total++;
	}
	free(at);
	return total;
}

static void push(struct graph *g, unsigned v)
{
	g->index[v] = g->low[v] = ++g->counter;
	g->stack[g->stacked++] = v;
	g->on_stack[v] = true;
	g->next[v] = g->first[v];
}

/* A component of more than one node, or of one that calls itself, is recursive. */
static void pop_component(struct graph *g, unsigned v)
{
	bool alone = g->stack[g->stacked - 1] == v, calls_itself = false;
	for (size_t e = g->first[v]; e < g->first[v + 1]; e++)
		calls_itself |= g->to[e] == v;
	unsigned w, number = ++g->components;
	do {
		w = g->stack[--g->stacked];
		g->on_stack[w] = false;
		if (w < g->nodes - 1) {
			g->s->facts[w].recursive = !alone || calls_itself;
			g->s->facts[w].component = number;
		}
	} while (w != v);
}

static void visit(struct graph *g, unsigned start)
{
	size_t depth = 0;
	push(g, start);
	g->path[depth++] = start;
	while (depth) {
		unsigned v = g->path[depth - 1];
		if (g->next[v] < g->first[v + 1]) {
			unsigned w = g->to[g->next[v]++];
			if (!g->index[w]) {
				push(g, w);
				g->path[depth++] = w;
			} else if (g->on_stack[w] && g->index[w] < g->low[v]) {
				g->low[v] = g->index[w];
			}
			continue;
		}
		if (g->low[v] == g->index[v])
			pop_component(g, v);
		if (--depth && g->low[v] < g->low[g->path[depth - 1]])
			g->low[g->path[depth - 1]] = g->low[v];
	}
}

static void find_recursive(struct span_pass *s)
{
	struct graph g = {.s = s, .nodes = s->p->routine_count + 1};
	g.first = pass_zeroed(g.nodes + 1, sizeof *g.first);
	g.to = pass_zeroed(count_edges(&g, false), sizeof *g.to);
	for (size_t i = 0; i < g.nodes; i++)
		g.first[i + 1] += g.first[i];
	count_edges(&g, true);
	g.index = pass_zeroed(g.nodes, sizeof *g.index);
	g.low = pass_zeroed(g.nodes, sizeof *g.low);
	g.stack = pass_zeroed(g.nodes, sizeof *g.stack);
	g.path = pass_zeroed(g.nodes, sizeof *g.path);
	g.next = pass_zeroed(g.nodes, sizeof *g.next);
	g.on_stack = pass_zeroed(g.nodes, sizeof *g.on_stack);
	for (unsigned v = 0; v < g.nodes; v++)
		if (!g.index[v])
			visit(&g, v);
	free(g.first), free(g.to), free(g.index), free(g.low), free(g.stack), free(g.path), free(g.next), free(g.on_stack);
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
	mark_callees_of_unprofiled(s);
	find_chunks(s);
	mark_odd_callees(s);
	find_steady(s);
	find_recursive(s);
	for (unsigned r = 0; r < p->routine_count; r++)
		s->facts[r].measured = s->facts[r].peels = s->facts[r].steady && !s->facts[r].outside;
}
