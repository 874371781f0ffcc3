/* SPDX-License-Identifier: MIT */
/* span.c: the `span` lens: what is a site, and the order of things. rt/span/span.h says how an invocation runs. */
#include "pass/span/span.h"
#include "pass/lens.h"
#include "pass/lower/lower.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_caller(const void *a, const void *b)
{
	const struct site *x = a, *y = b;
	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static struct site *new_site(struct program *p, unsigned caller)
{
	p->sites = pass_grow(p->sites, p->site_count, sizeof *p->sites);
	struct site *site = &p->sites[p->site_count];
	*site = (struct site){.caller = caller, .callee = -1, .order = (unsigned)p->site_count};
	p->site_count++;
	return site;
}

static void add_loops(struct span_pass *s)
{
	struct program *p = s->p;
	for (unsigned r = 0; r < p->routine_count; r++) {
		if (!p->routines[r].profiled)
			continue;
		s->loops[r].count = span_loops(p->routines[r].function, &s->loops[r].at);
		for (size_t i = 0; i < s->loops[r].count; i++) {
			struct span_tagged *loop = &s->loops[r].at[i];
			struct site *site = new_site(p, r);
			site->name = loop->construct;
			site->file = p->routines[r].file;
			site->line = loop->line;
			site->column = loop->column;
			site->loop = loop;
			strcpy(site->flags, "l");
		}
	}
}

/* Main and whatever else no site calls. */
static void add_root(struct span_pass *s)
{
	struct program *p = s->p;
	for (unsigned r = 0; r < p->routine_count; r++)
		if (strcmp(p->routines[r].name, "main") == 0 && p->routines[r].profiled) {
			struct site *root = new_site(p, r);
			root->name = "main";
			root->file = p->routines[r].file;
			root->line = p->routines[r].line;
			strcpy(root->flags, "01");
			p->root = (unsigned)p->site_count;
		}
}

static void name_callee(struct span_pass *s, struct site *site, LLVMValueRef function)
{
	for (size_t r = 0; function && r < s->p->routine_count; r++)
		if (s->p->routines[r].function == function)
			site->name = s->p->routines[r].name;
}

/* Called through the OpenMP runtime, but called all the same. */
static void see_through_openmp(struct span_pass *s, struct site *site)
{
	enum openmp_means means = span_openmp(site);
	if (means == OPENMP_TASK || means == OPENMP_TASK_DEPENDS || means == OPENMP_TASKLOOP) {
		strcat(site->flags, "p");
		name_callee(s, site, span_task_function(site->call));
	} else if (means == OPENMP_TEAM && LLVMIsAFunction(LLVMGetOperand(site->call, 2))) {
		name_callee(s, site, LLVMGetOperand(site->call, 2));
	} else {
		strcat(site->flags, "f");
	}
}

static void find_leaves(struct span_pass *s)
{
	for (unsigned r = 0; r < s->p->routine_count; r++)
		s->facts[r].leaf = s->facts[r].measured;
	for (size_t i = 0; i < s->p->site_count; i++)
		s->facts[s->p->sites[i].caller].leaf = false;
}

static void flag_sites(struct span_pass *s)
{
	for (size_t i = 0; i < s->p->site_count; i++) {
		struct site *site = &s->p->sites[i];
		enum span_reach reach = site->call ? span_reach(s, site) : SPAN_STEADY;
		site->spawned = site->call && edit_is_spawned(site->call);
		if (site->spawned)
			strcat(site->flags, "p");
		if (reach == SPAN_QUIET || reach == SPAN_FOREIGN)
			see_through_openmp(s, site);
		const struct span_facts *callee = span_callee(s, site);
		if (callee && callee->leaf && reach == SPAN_STEADY && !s->whole)
			strcat(site->flags, "=");
		if (!s->facts[site->caller].recursive && !strchr(site->flags, '1'))
			strcat(site->flags, "1");
	}
}

static void number_sites(struct span_pass *s)
{
	struct program *p = s->p;
	size_t sorted = p->root ? p->site_count - 1 : p->site_count;
	qsort(p->sites, sorted, sizeof *p->sites, by_caller);
	for (size_t i = 0; i < sorted; i++) {
		struct span_facts *f = &s->facts[p->sites[i].caller];
		if (!f->site_count++)
			f->first_site = (unsigned)i;
		if (p->sites[i].loop)
			p->sites[i].loop->site = (unsigned)i;
	}
}

struct copy {
	LLVMMetadataRef place;
	LLVMValueRef callee; /* NULL: by pointer */
	unsigned caller, site;
};

static int by_place(const void *a, const void *b)
{
	const struct copy *x = a, *y = b;
	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	if (x->callee != y->callee)
		return x->callee < y->callee ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

/* A loop that was unrolled has a call several times: one call of the source, so one row, that of its first copy. */
static void join_copies(struct span_pass *s)
{
	struct program *p = s->p;
	struct copy *all = pass_zeroed(p->site_count, sizeof *all);
	size_t count = 0;
	s->row = pass_zeroed(p->site_count, sizeof *s->row);
	for (unsigned i = 0; i < p->site_count; i++) {
		const struct site *site = &p->sites[i];
		LLVMMetadataRef place = site->call && !site->spawned ? LLVMInstructionGetDebugLoc(site->call) : NULL;
		LLVMValueRef callee = place ? LLVMGetCalledValue(site->call) : NULL;
		s->row[i] = i;
		if (place)
			all[count++] = (struct copy){place, LLVMIsAFunction(callee) ? callee : NULL, site->caller, i};
	}
	qsort(all, count, sizeof *all, by_place);
	for (size_t i = 1; i < count; i++)
		if (all[i].caller == all[i - 1].caller && all[i].place == all[i - 1].place && all[i].callee == all[i - 1].callee)
			s->row[all[i].site] = s->row[all[i - 1].site];
	free(all);
}

/* The lane of a thread and its rows do not change (rt/span/hooks.c): who asks again need not look. */
static void mark_constant(LLVMModuleRef module, const char *name)
{
	static const char kind[] = "invariant.load";
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMValueRef hook = LLVMGetNamedFunction(module, name);
	LLVMValueRef nothing = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0));
	for (LLVMBasicBlockRef b = hook ? LLVMGetFirstBasicBlock(hook) : NULL; b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsALoadInst(i))
				LLVMSetMetadata(i, LLVMGetMDKindIDInContext(context, kind, sizeof kind - 1), nothing);
}

static struct span_pass *begin(struct program *p)
{
	const char *mode = pass_option(PLAN_MODE);
	struct span_pass *s = pass_zeroed(1, sizeof *s);
	*s = (struct span_pass){.p = p, .whole = strcmp(mode, MODE_WHOLE) == 0, .general = strcmp(mode, MODE_GENERAL) == 0};
	s->facts = pass_zeroed(p->routine_count, sizeof *s->facts);
	s->loops = pass_zeroed(p->routine_count, sizeof *s->loops);
	for (size_t i = 0; i < p->site_count; i++)
		p->sites[i].order = (unsigned)i;
	s->many = p->site_count > PLAN_MANY_SITES || *pass_option(PLAN_MANY);
	span_graph(s);
	return s;
}

static void end(struct span_pass *s)
{
	for (size_t r = 0; r < s->p->routine_count; r++)
		span_loops_free(s->loops[r].at, s->loops[r].count);
	span_forget_told(s);
	free(s->loops);
	free(s->facts);
	free(s->profiled);
	free(s->marks);
	free(s->row);
	free(s);
}

/* The same for every plan: a piece is optimised once for all of them. */
static void tell(struct program *p, FILE *to)
{
	struct span_pass *s = begin(p);
	add_loops(s);
	number_sites(s);
	span_tell(s, to);
	end(s);
}

static void plan(struct program *p)
{
	struct span_pass *s = p->own = begin(p);
	bool is_told = span_take_told(s);
	if (!is_told)
		span_solve(s);
	add_loops(s);
	if (!is_told)
		find_leaves(s);
	flag_sites(s);
	add_root(s);
	number_sites(s);
	join_copies(s);
	s->marks = pass_zeroed(p->site_count, sizeof *s->marks);
	span_choose(s);
	p->table_sites = p->site_count;
}

static void edit(struct program *p)
{
	struct span_pass *s = p->own;
	struct editor e;
	if (!*pass_option(PLAN_UNDER)) { /* which has two lanes a thread, and changes them where a loop begins and ends, too */
		mark_constant(p->module, "skein_hook_same_lane");
		mark_constant(p->module, "skein_hook_same_rows");
	}
	edit_begin(&e, p->module);
	for (unsigned r = 0; r < p->routine_count; r++)
		if (p->routines[r].profiled)
			span_edit(s, &e, r, s->loops[r].at, s->loops[r].count);
	edit_end(&e);
	lower_erase_markers(p->module); /* of functions that are not profiled: serial here, as foreign code */
}

static void finish(struct program *p)
{
	span_peel(p->own);
	end(p->own);
}

const struct pass_lens pass_lens_span = {.name = "span", .keeps_calls = true, .tell = tell, .plan = plan, .edit = edit, .finish = finish};
