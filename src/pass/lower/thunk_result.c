/* SPDX-License-Identifier: MIT */
/* thunk_result.c: what becomes of a spawned call's result.
 *
 * Problem: y = cilk_spawn f(x) must store y inside the spawned function, but clang stores it after the call, and
 * evaluates y's address there too. Idea: behind the call clang's code is a straight line. Instructions of that line
 * that depend on the result move into the thunk, down to the store (or the copy of a struct out of a temporary, which
 * then moves as well); those that they need and that do not depend on it, such as the address, move before the call. C
 * leaves the order of the two sides open; and so does a spawn.
 *
 * A result that something else than stores takes (a constructor of C++ that converts it, say) goes through a variable
 * of the caller, and is taken up from there when the call is over. */
#include "pass/lower/thunk.h"

#include <stdlib.h>
#include <string.h>

static unsigned uses_of(LLVMValueRef value)
{
	unsigned n = 0;
	for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u))
		n++;
	return n;
}

static bool is_call_of(LLVMValueRef i, const char *start)
{
	size_t length;
	if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i))
		return false;
	return strncmp(LLVMGetValueName2(LLVMGetCalledValue(i), &length), start, strlen(start)) == 0;
}

static void read_line(struct spawned *s)
{
	LLVMValueRef i = edit_after(s->call);
	while (i && s->count < THUNK_LINE_ROOM) {
		if (LLVMIsABranchInst(i) && !LLVMIsConditional(i)) {
			LLVMBasicBlockRef next = LLVMGetSuccessor(i, 0);
			i = uses_of(LLVMBasicBlockAsValue(next)) == 1 ? LLVMGetFirstInstruction(next) : NULL;
		} else if (LLVMIsATerminatorInst(i) || LLVMIsAPHINode(i) || is_call_of(i, "__skein_mark_") ||
		           is_call_of(i, "skein_cilk_")) {
			return;
		} else {
			s->line[s->count++] = i;
			i = LLVMGetNextInstruction(i);
		}
	}
}

static int place_of(const struct spawned *s, LLVMValueRef value)
{
	for (unsigned n = 0; n < s->count; n++)
		if (s->line[n] == value)
			return (int)n;
	return -1;
}

/* A variable that clang made for a result on its way. */
static bool is_temporary(LLVMValueRef value)
{
	size_t length;
	if (LLVMIsAGetElementPtrInst(value))
		value = LLVMGetOperand(value, 0);
	const char *name = LLVMIsAAllocaInst(value) ? LLVMGetValueName2(value, &length) : "";
	return strncmp(name, "tmp", 3) == 0 || strncmp(name, "agg.tmp", 7) == 0 || strncmp(name, "coerce", 6) == 0 ||
		strstr(name, ".coerce");
}

static LLVMValueRef base_of(LLVMValueRef pointer)
{
	return LLVMIsAGetElementPtrInst(pointer) ? LLVMGetOperand(pointer, 0) : pointer;
}

bool thunk_owns(const struct spawned *s, LLVMValueRef pointer)
{
	for (unsigned n = 0; n < s->own_count; n++)
		if (s->own[n] == base_of(pointer))
			return true;
	return false;
}

static void own(struct spawned *s, LLVMValueRef pointer)
{
	if (!is_temporary(pointer) || thunk_owns(s, pointer))
		return;
	s->own = pass_grow(s->own, s->own_count, sizeof *s->own);
	s->own[s->own_count++] = base_of(pointer);
}

bool thunk_moves_in(const struct spawned *s, LLVMValueRef value)
{
	int at = place_of(s, value);
	return value == s->call || (at >= 0 && s->fate[at] == THUNK_MOVES_IN);
}

static bool takes_result(const struct spawned *s, LLVMValueRef i)
{
	for (int n = 0; n < LLVMGetNumOperands(i); n++)
		if (thunk_moves_in(s, LLVMGetOperand(i, n)) || thunk_owns(s, LLVMGetOperand(i, n)))
			return true;
	return false;
}

static bool is_arithmetic(LLVMValueRef i)
{
	return LLVMIsACastInst(i) || LLVMIsABinaryOperator(i) || LLVMIsACmpInst(i) || LLVMIsASelectInst(i) || LLVMIsAUnaryOperator(i) ||
		LLVMIsAExtractValueInst(i) || LLVMIsAInsertValueInst(i) || LLVMIsAGetElementPtrInst(i) || LLVMIsALoadInst(i) ||
		LLVMIsAFreezeInst(i);
}

/* What depends on the result moves in; false when something does that cannot. */
static bool follow_result(struct spawned *s)
{
	for (unsigned n = 0; n < LLVMGetNumArgOperands(s->call); n++)
		if (LLVMGetCallSiteEnumAttribute(s->call, n + 1, LLVMGetEnumAttributeKindForName("sret", 4)))
			own(s, LLVMGetOperand(s->call, n));
	for (unsigned n = 0; n < s->count; n++) {
		LLVMValueRef i = s->line[n];
		if (is_call_of(i, "llvm.lifetime.") || !takes_result(s, i))
			continue;
		if (LLVMIsAStoreInst(i) && thunk_moves_in(s, LLVMGetOperand(i, 0)))
			own(s, LLVMGetOperand(i, 1));
		else if (!is_arithmetic(i) && !(is_call_of(i, "llvm.memcpy.") && thunk_owns(s, LLVMGetOperand(i, 1))))
			return false;
		s->fate[n] = THUNK_MOVES_IN;
	}
	return true;
}

static bool only_moving_uses(const struct spawned *s, LLVMValueRef value, bool is_own)
{
	for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		if (!thunk_moves_in(s, user) && !(is_own && is_call_of(user, "llvm.lifetime.")))
			return false;
	}
	return true;
}

/* x += cilk_spawn f(): the old value is read inside, after the call, as it would be without the keyword. */
static bool read_old_inside(struct spawned *s)
{
	for (unsigned n = 0; n < s->count; n++)
		for (unsigned m = 0; m < n && s->fate[n] == THUNK_MOVES_IN && LLVMIsAStoreInst(s->line[n]); m++)
			if (LLVMIsALoadInst(s->line[m]) && LLVMGetOperand(s->line[m], 0) == LLVMGetOperand(s->line[n], 1))
				s->fate[m] = THUNK_MOVES_IN;
	return follow_result(s); /* follows the uses of the result too */
}

/* What the moving ones need goes before the call. A call that goes takes all along that stands before it. */
static void send_before(struct spawned *s)
{
	for (unsigned n = s->count; n-- > 0;)
		for (int o = 0; s->fate[n] != THUNK_STAYS && o < LLVMGetNumOperands(s->line[n]); o++) {
			int at = place_of(s, LLVMGetOperand(s->line[n], o));
			if (at >= 0 && s->fate[at] == THUNK_STAYS)
				s->fate[at] = THUNK_GOES_BEFORE;
		}
	bool all = false;
	for (unsigned n = s->count; n-- > 0;) {
		if (all && s->fate[n] == THUNK_STAYS)
			s->fate[n] = THUNK_GOES_BEFORE;
		all |= s->fate[n] == THUNK_GOES_BEFORE && LLVMIsACallInst(s->line[n]);
	}
}

static bool result_moves(struct spawned *s)
{
	bool all = follow_result(s) && only_moving_uses(s, s->call, false) && read_old_inside(s);
	for (unsigned n = 0; all && n < s->count; n++)
		all = s->fate[n] != THUNK_MOVES_IN || only_moving_uses(s, s->line[n], false);
	for (unsigned n = 0; all && n < s->own_count; n++)
		all = only_moving_uses(s, s->own[n], true);
	if (all)
		send_before(s);
	return all;
}

/* The long way: everything stays, and the result passes through a variable. */
static void use_variable(struct spawned *s)
{
	LLVMTypeRef type = LLVMTypeOf(s->call);
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(s->call)), after = edit_after(s->call);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));

	memset(s->fate, 0, sizeof s->fate);
	s->own_count = 0;
	if (LLVMGetTypeKind(type) != LLVMVoidTypeKind && LLVMGetFirstUse(s->call) && after) {
		LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
		LLVMValueRef variable = LLVMBuildAlloca(b, type, "spawned");
		LLVMPositionBuilderBefore(b, after);
		LLVMValueRef value = LLVMBuildLoad2(b, type, variable, "");
		LLVMReplaceAllUsesWith(s->call, value);
		s->line[0] = LLVMBuildStore(b, s->call, variable); /* stands nowhere else, and moves in at once */
		s->fate[0] = THUNK_MOVES_IN;
		s->count = 1;
		s->serial = true;
	}
	LLVMDisposeBuilder(b);
}

void thunk_follow_result(struct spawned *s)
{
	read_line(s);
	if (!result_moves(s))
		use_variable(s);
}
