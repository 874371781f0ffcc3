/* SPDX-License-Identifier: MIT */
/* input.c: where the hooks of the `input` lens go. rt/input/hooks.c says what they do.
 *
 * In each routine: me and enter behind the allocas (between them arrive, where foreign code or a pointer may lead
 * here), leave at each way out, catch where control comes by a jump. Before each access what access.c finds necessary;
 * around calls of foreign code out and back, or the function's model.
 * Cost and first accesses are counted in variables of the routine, which are told to the thread where the routine calls
 * and where it ends; the optimiser makes them registers. */
#include "pass/input/input.h"
#include "pass/lens.h"

#include <stdlib.h>
#include <string.h>
#include "pass/cost.h"

enum { CELL_LOG2 = 2 };

LLVMValueRef input_u64(const struct input_pass *s, unsigned long long value)
{
	return LLVMConstInt(LLVMInt64TypeInContext(LLVMGetModuleContext(s->p->module)), value, 0);
}

/* ---- cost ---- */

static unsigned block_cost(const struct input_pass *s, LLVMBasicBlockRef b)
{
	unsigned cost = 0;
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); s->instructions && i; i = LLVMGetNextInstruction(i))
		cost += cost_of(i);
	return s->instructions ? cost : 1;
}

static void at(struct input_pass *s, LLVMValueRef before)
{
	LLVMPositionBuilderBefore(s->e.builder, before);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
}

void input_add(struct input_pass *s, LLVMValueRef before, LLVMValueRef variable, LLVMValueRef more)
{
	at(s, before);
	LLVMValueRef so_far = LLVMBuildLoad2(s->e.builder, LLVMInt64TypeInContext(LLVMGetModuleContext(s->p->module)), variable, "");
	LLVMBuildStore(s->e.builder, LLVMBuildAdd(s->e.builder, so_far, more, ""), variable);
}

static LLVMValueRef take(struct input_pass *s, LLVMValueRef before, LLVMValueRef variable)
{
	at(s, before);
	LLVMValueRef so_far = LLVMBuildLoad2(s->e.builder, LLVMInt64TypeInContext(LLVMGetModuleContext(s->p->module)), variable, "");
	LLVMBuildStore(s->e.builder, input_u64(s, 0), variable);
	return so_far;
}

static void tell(struct input_pass *s, LLVMValueRef before)
{
	LLVMValueRef cost = take(s, before, s->counter), firsts = take(s, before, s->firsts);
	edit_hook(&s->e, before, "skein_hook_tell", (LLVMValueRef[]){s->me, cost, firsts}, 3);
}

/* ---- one routine ---- */

struct place {
	LLVMValueRef at;
	unsigned cost;
};

/* Blocks, ways out and landing pads, before anything is inserted. */
struct shape {
	struct place *blocks;
	LLVMValueRef *leaves, *landings;
	size_t block_count, leave_count, landing_count;
};

static void add_value(LLVMValueRef **list, size_t *count, LLVMValueRef value)
{
	*list = pass_grow(*list, *count, sizeof **list);
	(*list)[(*count)++] = value;
}

static struct shape shape_of(const struct input_pass *s, LLVMValueRef function)
{
	struct shape shape = {0};
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
	for (LLVMBasicBlockRef b = entry; b; b = LLVMGetNextBasicBlock(b)) {
		shape.blocks = pass_grow(shape.blocks, shape.block_count, sizeof *shape.blocks);
		shape.blocks[shape.block_count++] = (struct place){b == entry ? NULL : edit_first(b), block_cost(s, b)};
		if (edit_is_landing(b))
			add_value(&shape.landings, &shape.landing_count, edit_first(b));
		if (edit_leaves_at(b))
			add_value(&shape.leaves, &shape.leave_count, edit_leaves_at(b));
	}
	return shape;
}

static void shape_free(struct shape *shape)
{
	free(shape->blocks);
	free(shape->leaves);
	free(shape->landings);
}

static bool has_other_ways_in(LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);
	return (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage) || shim_address_taken(function);
}

static unsigned by_value(void)
{
	static const char name[] = "byval";
	return LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
}

/* Copies that the caller made for arguments by value: written before this routine began. */
static void write_copies(struct input_pass *s, LLVMValueRef entry, LLVMValueRef function)
{
	for (unsigned i = 0; i < LLVMCountParams(function); i++) {
		LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(function, i + 1, by_value());
		if (byval)
			edit_hook(&s->e, entry, "skein_hook_write",
			          (LLVMValueRef[]){s->me, LLVMGetParam(function, i), LLVMSizeOf(LLVMGetTypeAttributeValue(byval))}, 3);
	}
}

static void begin(struct input_pass *s, unsigned index, unsigned cost)
{
	LLVMValueRef function = s->p->routines[index].function, entry = edit_entry(function);
	LLVMTypeRef u64 = LLVMInt64TypeInContext(LLVMGetModuleContext(s->p->module));
	at(s, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
	s->counter = LLVMBuildAlloca(s->e.builder, u64, "");
	s->firsts = LLVMBuildAlloca(s->e.builder, u64, "");
	s->me = edit_hook(&s->e, entry, "skein_hook_me", NULL, 0);
	s->from = s->words = s->ranges = NULL;
	if (has_other_ways_in(function))
		s->from = edit_hook(&s->e, entry, "skein_hook_arrive", (LLVMValueRef[]){s->me, function, edit_number(&s->e, index)}, 3);
	write_copies(s, entry, function);
	s->mine = edit_hook(&s->e, entry, "skein_hook_enter", (LLVMValueRef[]){s->me, edit_number(&s->e, index)}, 2);
	at(s, entry);
	LLVMBuildStore(s->e.builder, input_u64(s, cost), s->counter);
	LLVMBuildStore(s->e.builder, input_u64(s, 0), s->firsts);
}

static void end(struct input_pass *s, LLVMValueRef before)
{
	LLVMValueRef cost = take(s, before, s->counter), firsts = take(s, before, s->firsts);
	edit_hook(&s->e, before, "skein_hook_leave", (LLVMValueRef[]){s->me, s->mine, cost, firsts}, 4);
	if (s->from)
		edit_hook(&s->e, before, "skein_hook_depart", (LLVMValueRef[]){s->me, s->from}, 2);
}

/* Reads that the caller makes for copied arguments. */
static void read_copied(struct input_pass *s, LLVMValueRef call)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(call, i + 1, by_value());
		if (byval)
			edit_hook(&s->e, call, "skein_hook_read",
			          (LLVMValueRef[]){s->me, LLVMGetOperand(call, i), LLVMSizeOf(LLVMGetTypeAttributeValue(byval))}, 3);
	}
}

/* Where an invoke returns to may be reached by other ways, too: what it did is told on its own way there. */
static void part_ways(LLVMValueRef call)
{
	unsigned ways = 0;
	if (!LLVMIsAInvokeInst(call))
		return;
	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(LLVMGetNormalDest(call))); u; u = LLVMGetNextUse(u))
		ways += LLVMIsATerminatorInst(LLVMGetUser(u)) != NULL;
	if (ways > 1)
		shim_split_edge(call, 0);
}

static void edit_call(struct input_pass *s, const struct site *site)
{
	bool known = site->callee >= 0 || site->elsewhere;
	if (!known)
		part_ways(site->call);
	LLVMValueRef call = site->call, after = edit_after(call), target = LLVMGetCalledValue(call);
	if (after && edit_has_attribute(call, "returns_twice"))
		edit_hook(&s->e, after, "skein_hook_catch", (LLVMValueRef[]){s->me, s->mine}, 2);
	read_copied(s, call);
	if (!known && input_is_quiet(call)) {
		input_edit_model(s, call);
		if (input_calls_back(call))
			edit_hook(&s->e, call, "skein_hook_aside", &s->me, 1);
		if (input_calls_back(call) && after)
			edit_hook(&s->e, after, "skein_hook_home", &s->me, 1);
		return;
	}
	tell(s, call);
	if (known)
		return;
	input_edit_model(s, call);
	if (LLVMIsAFunction(target))
		edit_hook(&s->e, call, "skein_hook_out", &s->me, 1);
	else
		edit_hook(&s->e, call, "skein_hook_through", (LLVMValueRef[]){s->me, target}, 2);
	if (after)
		edit_hook(&s->e, after, "skein_hook_back", &s->me, 1);
}

static void edit_routine(struct input_pass *s, unsigned index, const struct site *range[4])
{
	struct input_spots spots = {0};
	LLVMValueRef function = s->p->routines[index].function;
	struct input_ranges ranges = {0};
	struct shape shape = shape_of(s, function);
	edit_function(&s->e, function);
	input_find(s, function, &spots);
	input_find_near(function, &spots);
	input_find_ranges(s, function, &spots, &ranges);
	begin(s, index, shape.blocks[0].cost);
	for (size_t i = 1; i < shape.block_count; i++)
		input_add(s, shape.blocks[i].at, s->counter, input_u64(s, shape.blocks[i].cost));
	for (size_t i = 0; i < shape.landing_count; i++)
		edit_hook(&s->e, shape.landings[i], "skein_hook_catch", (LLVMValueRef[]){s->me, s->mine}, 2);
	input_edit_ranges(s, &spots, &ranges);
	for (size_t i = 0; i < spots.count; i++)
		input_edit_access(s, &spots.at[i]);
	for (int k = 0; k < 4; k += 2)
		for (const struct site *c = range[k]; c < range[k + 1]; c++)
			edit_call(s, c);
	for (size_t i = 0; i < shape.leave_count; i++)
		end(s, shape.leaves[i]);
	shape_free(&shape);
	input_ranges_free(&ranges);
	free(spots.at);
}

static const struct site *end_of_run(const struct site *from, const struct site *end, unsigned caller)
{
	while (from < end && from->caller == caller)
		from++;
	return from;
}

static void plan(struct program *p)
{
	p->table_sites = 0;
	p->own = input_find_unseen(p);
}

static void edit(struct program *p)
{
	struct input_pass s = {.p = p,
	                       .cell_log2 = CELL_LOG2,
	                       .instructions = strcmp(pass_option(PLAN_COST), MODE_INSTRUCTIONS) == 0,
	                       .locks = *pass_option(PLAN_LOCKS)};
	const struct site *direct = p->sites, *direct_end = p->sites + p->direct_sites, *other = direct_end,
			  *other_end = p->sites + p->site_count;
	if (*pass_option(PLAN_CELL))
		s.cell_log2 = (unsigned)atoi(pass_option(PLAN_CELL));
	edit_begin(&s.e, p->module);
	input_wrap_pointers(&s);
	for (unsigned i = 0; i < p->routine_count; i++) {
		if (!p->routines[i].profiled)
			continue;
		const struct site *range[] = {direct, end_of_run(direct, direct_end, i), other, end_of_run(other, other_end, i)};
		edit_routine(&s, i, range);
		direct = range[1];
		other = range[3];
	}
	edit_end(&s.e);
}

const struct pass_lens pass_lens_input = {
	.name = "input", .plan = plan, .write = input_write_unseen, .edit = edit, .finish = input_free_unseen};
