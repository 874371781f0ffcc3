/* SPDX-License-Identifier: MIT */
/* ranges.c: loops whose accesses are told before they begin.
 *
 * Problem: a loop over an array is vector work; a hook for each access makes it many times slower.
 * Idea: where the number of turns is known when the loop begins and an access moves by a constant step, what the loop will
 * access is a range of memory. The ranges of the loop are told at once, reads first. That gives the same sizes as single
 * accesses if no cell is both read and written by different accesses: the runtime compares the ranges and declines where they
 * meet, or where there are few turns. Then, and only then, the loop's own hooks run.
 * Other threads cannot tell the difference: the loop neither calls nor synchronises, and in a program without data races nothing else
 * comes between.
 * Cost: a call before the loop; in the loop a branch that always goes the same way.
 *
 * Accesses of one kind at constant distances, as an unrolled loop has them, are one *group* if together they leave no hole. What belongs
 * to no group keeps its hook in every turn, which must not come to late: if the loop has such a write, its reads are not told before, and the
 * other way round. */
#include "pass/input/input.h"

#include <stdlib.h>
#include <string.h>

enum { GROUPS = 8, IN_LOOP = 64, FEW_TURNS = 16 };

struct group {
	enum input_what what;
	LLVMValueRef pointer; /* offsets are from its place */
	long long step, from, to;
	unsigned char members[IN_LOOP]; /* numbers of spots in the loop */
	unsigned count;
	bool gone;
};

/* A counted loop, and its spots. */
struct input_loop {
	void *loop;
	bool refused;
	size_t spots[IN_LOOP];
	bool is_told[IN_LOOP];
	unsigned count, group_count;
	struct group groups[GROUPS];
	LLVMValueRef before, turns, firsts[GROUPS];
};

/* ---- finding ---- */

static bool is_plain(enum input_what what)
{
	return what == INPUT_READ || what == INPUT_WRITE || what == INPUT_MODIFY;
}

static struct input_loop *loop_at(struct input_ranges *ranges, void *loop)
{
	for (size_t i = ranges->count; i > 0; i--)
		if (ranges->at[i - 1].loop == loop)
			return &ranges->at[i - 1];
	ranges->at = pass_grow(ranges->at, ranges->count, sizeof *ranges->at);
	ranges->at[ranges->count] = (struct input_loop){.loop = loop};
	return &ranges->at[ranges->count++];
}

/* A group that the spot can be part of, with its place in it. */
static struct group *group_for(struct shim_loops *loops, struct input_loop *l, const struct input_spot *spot, long long step, long long *at)
{
	for (unsigned i = 0; i < l->group_count; i++) {
		struct group *g = &l->groups[i];
		if (g->what == spot->what && g->step == step && shim_distance(loops, g->pointer, spot->pointer, at))
			return g;
	}
	*at = 0;
	if (l->group_count == GROUPS)
		return NULL;
	struct group *g = &l->groups[l->group_count++];
	*g = (struct group){.what = spot->what, .pointer = spot->pointer, .step = step};
	return g;
}

static void add_spot(struct shim_loops *loops, struct input_loop *l, const struct input_spots *spots, size_t number, bool always)
{
	const struct input_spot *spot = &spots->at[number];
	long long step, at;
	if (!is_plain(spot->what) || l->count == IN_LOOP) {
		l->refused = true;
		return;
	}
	l->spots[l->count] = number;
	struct group *g = always && shim_moves_by(loops, l->loop, spot->pointer, &step) ? group_for(loops, l, spot, step, &at) : NULL;
	if (g) {
		at += spot->offset;
		g->from = g->count && g->from < at ? g->from : at;
		g->to = g->count && g->to > at + (long long)spot->bytes ? g->to : at + (long long)spot->bytes;
		g->members[g->count++] = (unsigned char)l->count;
		l->is_told[l->count] = true;
	}
	l->count++;
}

static long long place_of(struct shim_loops *loops, const struct group *g, const struct input_spot *spot)
{
	long long at = 0;
	shim_distance(loops, g->pointer, spot->pointer, &at);
	return at + spot->offset;
}

/* Whether the group accesses all bytes between its first and its last one: in a turn, and from turn to turn. */
static bool is_whole(struct shim_loops *loops, const struct input_loop *l, const struct group *g, const struct input_spots *spots)
{
	long long reached = g->from;
	while (reached < g->to) {
		long long before = reached;
		for (unsigned i = 0; i < g->count; i++) {
			const struct input_spot *spot = &spots->at[l->spots[g->members[i]]];
			long long at = place_of(loops, g, spot), end = at + (long long)spot->bytes;
			if (at <= reached && end > reached)
				reached = end;
		}
		if (reached == before)
			return false;
	}
	return llabs(g->step) <= g->to - g->from;
}

static void drop(struct input_loop *l, struct group *g)
{
	g->gone = true;
	for (unsigned i = 0; i < g->count; i++)
		l->is_told[g->members[i]] = false;
}

/* What keeps its hook in each turn must not be overtaken by what might be the same cell. */
static bool drop_overtaking(struct input_loop *l, const struct input_spots *spots)
{
	bool reads = false, writes = false, dropped = false;
	for (unsigned i = 0; i < l->count; i++) {
		enum input_what what = spots->at[l->spots[i]].what;
		reads |= !l->is_told[i] && what != INPUT_WRITE;
		writes |= !l->is_told[i] && what != INPUT_READ;
	}
	for (unsigned i = 0; i < l->group_count; i++) {
		struct group *g = &l->groups[i];
		if (!g->gone && ((reads && g->what != INPUT_READ) || (writes && g->what != INPUT_WRITE))) {
			drop(l, g);
			dropped = true;
		}
	}
	return dropped;
}

static bool is_call(LLVMValueRef i)
{
	size_t length;
	if (LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i))
		return true;
	if (!LLVMIsACallInst(i))
		return false;
	LLVMValueRef callee = LLVMGetCalledValue(i);
	return !input_is_nothing(i) && (!LLVMIsAFunction(callee) || strncmp(LLVMGetValueName2(callee, &length), "llvm.", 5) != 0);
}

static bool has_calls(LLVMBasicBlockRef block)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
		if (is_call(i))
			return true;
	return false;
}

static void settle(struct shim_loops *loops, struct input_loop *l, const struct input_spots *spots)
{
	for (unsigned i = 0; i < l->group_count; i++)
		if (!is_whole(loops, l, &l->groups[i], spots))
			drop(l, &l->groups[i]);
	while (drop_overtaking(l, spots))
		;
	unsigned kept = 0;
	for (unsigned i = 0; i < l->group_count; i++)
		if (!l->groups[i].gone)
			l->groups[kept++] = l->groups[i];
	l->group_count = kept;
}

/* Values that the hook needs are computed now: the function is still as it was analysed. */
static void prepare(struct shim_loops *loops, struct input_loop *l)
{
	l->turns = shim_turns(loops, l->loop);
	for (unsigned i = 0; i < l->group_count; i++)
		l->firsts[i] = shim_first_value(loops, l->loop, l->groups[i].pointer);
	l->before = shim_before_loop(l->loop);
}

static bool any_near(const struct input_spots *spots)
{
	for (size_t i = 0; i < spots->count; i++)
		if (spots->at[i].near)
			return true;
	return false;
}

void input_find_ranges(const struct input_pass *s, LLVMValueRef function, const struct input_spots *spots, struct input_ranges *ranges)
{
	(void)s;
	if (!any_near(spots))
		return;
	struct shim_loops *loops = shim_loops_begin(function);
	bool always;
	for (size_t i = 0; i < spots->count; i++) {
		void *loop = shim_counted_loop(loops, LLVMGetInstructionParent(spots->at[i].at), &always);
		if (loop)
			add_spot(loops, loop_at(ranges, loop), spots, i, always);
	}
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); ranges->count && b; b = LLVMGetNextBasicBlock(b)) {
		void *loop = has_calls(b) ? shim_counted_loop(loops, b, &always) : NULL;
		if (loop)
			loop_at(ranges, loop)->refused = true;
	}
	for (size_t i = 0; i < ranges->count; i++) {
		struct input_loop *l = &ranges->at[i];
		if (l->refused)
			l->group_count = 0;
		settle(loops, l, spots);
	}
	for (size_t i = 0; i < ranges->count; i++)
		if (ranges->at[i].group_count)
			prepare(loops, &ranges->at[i]);
	shim_loops_end(loops);
}

void input_ranges_free(struct input_ranges *ranges)
{
	free(ranges->at);
}

/* ---- editing ---- */

static LLVMValueRef times(struct input_pass *s, LLVMValueRef n, long long factor)
{
	return LLVMBuildMul(s->e.builder, n, input_u64(s, (unsigned long long)factor), "");
}

static LLVMValueRef plus(struct input_pass *s, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildAdd(s->e.builder, a, b, "");
}

static void put(struct input_pass *s, unsigned word, LLVMValueRef value)
{
	LLVMTypeRef u64 = LLVMInt64TypeInContext(LLVMGetModuleContext(s->p->module));
	LLVMValueRef at = input_u64(s, word);
	LLVMBuildStore(s->e.builder, value, LLVMBuildGEP2(s->e.builder, u64, s->ranges, &at, 1, ""));
}

static void make_room(struct input_pass *s, LLVMBasicBlockRef entry)
{
	LLVMTypeRef u64 = LLVMInt64TypeInContext(LLVMGetModuleContext(s->p->module));
	if (s->ranges)
		return;
	LLVMPositionBuilderBefore(s->e.builder, LLVMGetFirstInstruction(entry));
	s->ranges = LLVMBuildAlloca(s->e.builder, LLVMArrayType2(u64, (uint64_t)2 * GROUPS), "");
}

/* Tells the ranges before `before`; returns whether they were. */
static LLVMValueRef tell(struct input_pass *s, const struct input_loop *l, LLVMValueRef before)
{
	LLVMTypeRef u64 = LLVMInt64TypeInContext(LLVMGetModuleContext(s->p->module));
	unsigned kinds = 0;
	LLVMPositionBuilderBefore(s->e.builder, before);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
	LLVMValueRef more = LLVMBuildSub(s->e.builder, l->turns, input_u64(s, 1), "");
	for (unsigned i = 0; i < l->group_count; i++) {
		const struct group *g = &l->groups[i];
		LLVMValueRef from =
			plus(s, LLVMBuildPtrToInt(s->e.builder, l->firsts[i], u64, ""), input_u64(s, (unsigned long long)g->from));
		if (g->step < 0)
			from = plus(s, from, times(s, more, g->step));
		put(s, 2 * i, from);
		put(s, 2 * i + 1, plus(s, times(s, more, llabs(g->step)), input_u64(s, (unsigned long long)(g->to - g->from))));
		kinds |= (g->what == INPUT_READ ? 1u : g->what == INPUT_WRITE ? 2u : 3u) << (2 * i);
	}
	LLVMValueRef arguments[] = {s->me, s->ranges, edit_u32(&s->e, l->group_count), edit_u32(&s->e, kinds)};
	LLVMValueRef told = edit_hook(&s->e, before, "skein_hook_ranges", arguments, 4);
	LLVMPositionBuilderBefore(s->e.builder, before);
	return LLVMBuildICmp(s->e.builder, LLVMIntNE, told, edit_u32(&s->e, 0), "");
}

/* Few turns are not worth the call. */
static LLVMValueRef tell_unless_few(struct input_pass *s, const struct input_loop *l)
{
	LLVMContextRef context = LLVMGetModuleContext(s->p->module);
	LLVMTypeRef bit = LLVMInt1TypeInContext(context);
	LLVMBasicBlockRef before = LLVMGetInstructionParent(l->before), rest = shim_split(l->before),
			  many = LLVMInsertBasicBlockInContext(context, rest, "");
	LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
	LLVMPositionBuilderAtEnd(s->e.builder, before);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
	LLVMBuildCondBr(s->e.builder, LLVMBuildICmp(s->e.builder, LLVMIntUGE, l->turns, input_u64(s, FEW_TURNS), ""), many, rest);
	LLVMPositionBuilderAtEnd(s->e.builder, many);
	LLVMValueRef told = tell(s, l, LLVMBuildBr(s->e.builder, rest));
	LLVMPositionBuilderBefore(s->e.builder, LLVMGetFirstInstruction(rest));
	LLVMValueRef either = LLVMBuildPhi(s->e.builder, bit, "");
	LLVMAddIncoming(either, (LLVMValueRef[]){LLVMConstInt(bit, 0, 0), told},
	                (LLVMBasicBlockRef[]){before, LLVMGetInstructionParent(told)}, 2);
	return either;
}

void input_edit_ranges(struct input_pass *s, struct input_spots *spots, const struct input_ranges *ranges)
{
	for (size_t i = 0; i < ranges->count; i++) {
		const struct input_loop *l = &ranges->at[i];
		if (!l->group_count)
			continue;
		make_room(s, LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(l->before))));
		LLVMValueRef told = tell_unless_few(s, l);
		for (unsigned k = 0; k < l->count; k++)
			if (l->is_told[k])
				spots->at[l->spots[k]].told = told;
	}
}
