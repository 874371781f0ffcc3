/* SPDX-License-Identifier: MIT */
/* paths.c: the `paths` lens in the plugin, in the order in which things are done. First all is planned, then written
 * down, then the code is changed. */
#include "pass/paths/paths.h"
#include "pass/lens.h"
#include "pass/piece.h"
#include "pass/together.h"

#include <stdlib.h>
#include <string.h>

static void *more_bytes(void *unused, size_t bytes)
{
	(void)unused;
	return malloc(bytes);
}

static void check(const struct paths_pass *s, const struct paths_routine *r, enum paths_status status)
{
	if (status == PATHS_NO_MEMORY)
		pass_fail("out of memory for the paths of %s", s->p->routines[r->index].name);
	if (status != PATHS_OK)
		pass_fail("the paths of %s cannot be counted: its blocks are not a valid graph (%d)", s->p->routines[r->index].name,
		          (int)status);
}

static void build_graph(struct paths_pass *s, struct paths_routine *r)
{
	struct paths_body body = {.blocks = r->blocks, .edges = r->edges, .edge = r->edge, .stops = r->stops, .passed = r->passed};
	check(s, r, paths_body_graph(&body, &r->graph, &r->weights, &s->memory));
}

static void take_routines(struct paths_pass *s)
{
	for (unsigned i = 0; i < s->p->routine_count; i++) {
		if (!s->p->routines[i].profiled)
			continue;
		s->routines = pass_grow(s->routines, s->count, sizeof *s->routines);
		s->routines[s->count++] = (struct paths_routine){.index = i, .function = s->p->routines[i].function, .entry = -1};
	}
}

static void count_whole(struct paths_pass *s)
{
	for (size_t i = 0; i < s->count; i++) {
		s->routines[i].parts = pass_zeroed(1, sizeof *s->routines[i].parts);
		s->routines[i].parts[0].counts = true;
	}
}

static void plan_routine(struct paths_pass *s, struct paths_routine *r)
{
	const struct paths_part *part = &r->parts[s->copy];
	r->entry = s->copies > 1 ? 0 : -1;
	r->counts = part->counts;
	if (!r->counts)
		return;
	check(s, r, paths_body_plan(&r->plan, &r->graph, s->how, part->chosen, r->weights, &s->memory));
	r->keys = s->edges ? r->edges + 1 : r->plan.keys;
}

static void read_options(struct paths_pass *s)
{
	s->copies = *pass_option(PLAN_COPIES) ? (unsigned)atoi(pass_option(PLAN_COPIES)) : 1;
	s->copy = (unsigned)atoi(pass_option(PLAN_COPY));
	s->edges = *pass_option(PLAN_EDGES);
	if (s->copies == 0 || s->copy >= s->copies)
		pass_fail("there is no copy %u of %u", s->copy, s->copies);
}

/* An executable's variables of threads are at a fixed place, those of a library are not. */
static const char *counts_hook(LLVMModuleRef module)
{
	static const char here[] = "skein_hook_counts_here", anywhere[] = "skein_hook_counts";
	if (*pass_option(PLAN_PIECE))
		return piece_is_in_program() ? here : anywhere;
	LLVMValueRef main = LLVMGetNamedFunction(module, "main");
	return main && !LLVMIsDeclaration(main) && !shim_is_interposable(main) ? here : anywhere;
}

/* What hooks call keeps registers (rt/paths/calls.c), but the loader, which would find it when it is first called, does
 * not keep all of them. */
static void bind_at_start(LLVMModuleRef module)
{
	static const char runtime[] = "skein_rt_paths_", now[] = "nonlazybind";
	size_t length;
	LLVMAttributeRef attribute =
		LLVMCreateEnumAttribute(LLVMGetModuleContext(module), LLVMGetEnumAttributeKindForName(now, sizeof now - 1), 0);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (strncmp(LLVMGetValueName2(f, &length), runtime, sizeof runtime - 1) == 0)
			LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
}

struct paths_pass *paths_begin(struct program *p)
{
	struct paths_pass *s = p->own = pass_zeroed(1, sizeof *s);
	*s = (struct paths_pass){.p = p, .memory = {.more = more_bytes}, .how = PATHS_HOW_ALL};
	read_options(s);
	take_routines(s);
	edit_begin(&s->e, p->module);
	bind_at_start(p->module);
	s->counts = counts_hook(p->module);
	for (size_t i = 0; i < s->count; i++) {
		paths_goto(s, s->routines[i].function);
		paths_tails(s, s->routines[i].function);
	}
	paths_stops(s);
	for (size_t i = 0; i < s->count; i++)
		paths_cfg(s, &s->routines[i]);
	paths_weigh(s);
	for (size_t i = 0; i < s->count; i++)
		build_graph(s, &s->routines[i]);
	return s;
}

static void plan(struct program *p)
{
	struct paths_pass *s = paths_begin(p);
	if (*pass_option(PLAN_FACTS))
		paths_told(s);
	else if (s->copies > 1)
		paths_divide(s);
	else if (*pass_option(PLAN_ONLYPATHS))
		paths_only(s);
	else
		count_whole(s);
	s->copy = together_part(s->copy);
	for (size_t i = 0; i < s->count; i++)
		plan_routine(s, &s->routines[i]);
	paths_rows(s);
}

static void edit(struct program *p)
{
	struct paths_pass *s = p->own;
	paths_shape_write(s);
	for (size_t i = 0; i < s->count; i++)
		paths_edit(s, &s->routines[i]);
	edit_end(&s->e);
}

/* What was the last thing to be done still is. */
static void keep_tails(struct program *p)
{
	const struct paths_pass *s = p->own;
	for (size_t i = 0; i < s->tail_count; i++)
		LLVMSetTailCallKind(s->tails[i], LLVMTailCallKindTail);
}

const struct pass_lens pass_lens_paths = {.name = "paths",
                                          .note = paths_note,
                                          .tells_by_changing = true,
                                          .tell = paths_tell,
                                          .plan = plan,
                                          .edit = edit,
                                          .restore = keep_tails};
