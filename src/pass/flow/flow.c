/* SPDX-License-Identifier: MIT */
/* flow.c: where the hooks of the `flow` lens go. rt/flow/hooks.c says what they do.
 *
 * Enter behind the allocas, leave before each return, resume and musttail call, catch where control arrives by a jump: in landing pads and
 * behind calls that return twice. So a routine has the activations that the `calls` lens counts. Hooks are called, not in line: of the 11 ns
 * that an event takes that is half of one, and in line they would be 500 bytes of each routine.
 *
 * Without --only, routines that take less than their hooks would are left out: those without loops and calls and with few instructions.
 * Two events take about as long as a hundred instructions, so what such a routine takes could not be told from them, and it belongs
 * to its caller as if it were inlined. */
#include "pass/cost.h"
#include "pass/lens.h"

#include <stdlib.h>
#include <string.h>

enum { TINY = 32 }; /* instructions; so there are at most as many blocks */

/* ---- which routines ---- */

/* The instructions of a function; TINY if there are more, or calls. */
static unsigned length_of(LLVMValueRef function, LLVMBasicBlockRef *blocks, unsigned *count)
{
	unsigned length = 0;
	*count = 0;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && *count < TINY; b = LLVMGetNextBasicBlock(b)) {
		blocks[(*count)++] = b;
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && length < TINY; i = LLVMGetNextInstruction(i)) {
			bool calls = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i);
			length += calls && cost_of(i) ? TINY : cost_of(i);
		}
	}
	return *count < TINY ? length : TINY;
}

static bool is_in(LLVMBasicBlockRef b, const LLVMBasicBlockRef *blocks, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (blocks[i] == b)
			return true;
	return false;
}

/* Blocks that only lead to blocks that are gone go, until none goes: what is left leads back to itself. */
static bool has_loop(LLVMBasicBlockRef *blocks, unsigned count)
{
	for (bool goes = true; goes && count;) {
		goes = false;
		for (unsigned i = 0; i < count && !goes; i++) {
			LLVMValueRef last = LLVMGetBasicBlockTerminator(blocks[i]);
			bool leads_on = false;
			for (unsigned k = 0; k < LLVMGetNumSuccessors(last); k++)
				leads_on |= is_in(LLVMGetSuccessor(last, k), blocks, count);
			if (!leads_on) {
				blocks[i] = blocks[--count];
				goes = true;
			}
		}
	}
	return count;
}

static bool is_tiny(LLVMValueRef function)
{
	LLVMBasicBlockRef blocks[TINY];
	unsigned count;
	return length_of(function, blocks, &count) < TINY && !has_loop(blocks, count);
}

static void plan(struct program *p)
{
	p->table_sites = 0;
	for (size_t i = 0; !*pass_option(PLAN_ONLY) && i < p->routine_count; i++)
		if (p->routines[i].profiled && is_tiny(p->routines[i].function)) {
			p->routines[i].profiled = false;
			p->routines[i].tiny = true;
		}
}

/* ---- hooks ---- */

/* Places are collected first: what is inserted must not be visited. */
struct spots {
	LLVMValueRef *at;
	size_t count;
};

static void add(struct spots *s, LLVMValueRef at)
{
	if (!at)
		return;
	s->at = pass_grow(s->at, s->count, sizeof *s->at);
	s->at[s->count++] = at;
}

static void find_spots(LLVMValueRef function, struct spots *catches, struct spots *leaves)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		if (edit_is_landing(b))
			add(catches, edit_first(b));
		add(leaves, edit_leaves_at(b));
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && edit_has_attribute(i, "returns_twice"))
				add(catches, edit_after(i));
	}
}

static void edit_routine(struct editor *e, struct program *p, unsigned index)
{
	LLVMValueRef function = p->routines[index].function, number;
	struct spots catches = {0}, leaves = {0};
	edit_function(e, function);
	e->out_of_line = true;
	find_spots(function, &catches, &leaves);
	number = edit_number(e, index);
	LLVMValueRef mine = edit_hook(e, edit_entry(function), "skein_hook_enter", &number, 1);
	for (size_t i = 0; i < catches.count; i++)
		edit_hook(e, catches.at[i], "skein_hook_catch", &mine, 1);
	for (size_t i = 0; i < leaves.count; i++)
		edit_hook(e, leaves.at[i], "skein_hook_leave", &mine, 1);
	free(catches.at);
	free(leaves.at);
}

static void edit(struct program *p)
{
	struct editor e;
	edit_begin(&e, p->module);
	for (unsigned i = 0; i < p->routine_count; i++)
		if (p->routines[i].profiled)
			edit_routine(&e, p, i);
	edit_end(&e);
}

const struct pass_lens pass_lens_flow = {.name = "flow", .plan = plan, .edit = edit};
