/* SPDX-License-Identifier: MIT */
/* input_access.c: which accesses need a hook, and which hook.
 *
 * None: what is known to be a variable of the routine that nobody else can reach, or constant; a second access to the same place in a block with no call or
 * synchronisation between, unless it is a write after a read. What an atomic operation that synchronises reads is no input (LOCKS=1: it is). */
#include "pass/input.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

static const char *callee_name(LLVMValueRef call)
{
	size_t length;
	LLVMValueRef callee = LLVMGetCalledValue(call);
	return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* ---- what a pointer points into ---- */

static LLVMValueRef base_of(LLVMValueRef pointer)
{
	for (;;) {
		bool is_step = LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer) ||
			(LLVMIsAConstantExpr(pointer) && (LLVMGetConstOpcode(pointer) == LLVMGetElementPtr || LLVMGetConstOpcode(pointer) == LLVMBitCast));
		if (!is_step)
			return pointer;
		pointer = LLVMGetOperand(pointer, 0);
	}
}

static bool is_harmless_call(LLVMValueRef user)
{
	const char *name = LLVMIsACallInst(user) ? callee_name(user) : "";
	return starts_with(name, "llvm.lifetime.") || starts_with(name, "llvm.dbg.") || starts_with(name, "llvm.memcpy.") || starts_with(name, "llvm.memset.") ||
		starts_with(name, "llvm.memmove.") || starts_with(name, "llvm.invariant.");
}

/* Whether the address of a variable can be had by anybody but the instructions that access it. */
static bool escapes(LLVMValueRef pointer)
{
	for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		if (LLVMIsALoadInst(user) || LLVMIsAICmpInst(user) || is_harmless_call(user))
			continue;
		if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer)
			continue;
		if ((LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user)) && LLVMGetOperand(user, 0) == pointer && !escapes(user))
			continue;
		return true;
	}
	return false;
}

/* Variables whose answer is known: asked again at each access to them. */
struct locals {
	LLVMValueRef *at;
	bool *own;
	size_t count;
};

static bool is_own(struct locals *locals, LLVMValueRef variable)
{
	for (size_t i = 0; i < locals->count; i++)
		if (locals->at[i] == variable)
			return locals->own[i];
	locals->at = pass_grow(locals->at, locals->count, sizeof *locals->at);
	locals->own = pass_grow(locals->own, locals->count, sizeof *locals->own);
	locals->at[locals->count] = variable;
	return locals->own[locals->count++] = !escapes(variable);
}

static bool is_of_interest(struct locals *locals, LLVMValueRef pointer)
{
	LLVMValueRef base = base_of(pointer);
	if (LLVMIsAAllocaInst(base))
		return !is_own(locals, base);
	if (LLVMIsAGlobalVariable(base))
		return !LLVMIsGlobalConstant(base);
	return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 0;
}

/* ---- what a block has accessed ---- */

enum { RECENT = 32 };
struct recent {
	struct {
		LLVMValueRef pointer;
		unsigned long long bytes;
		bool written;
	} at[RECENT];
	unsigned count;
};

/* Whether this access is news after those before it. */
static bool is_new(struct recent *r, LLVMValueRef pointer, unsigned long long bytes, bool write)
{
	for (unsigned i = 0; i < r->count && i < RECENT; i++)
		if (r->at[i].pointer == pointer && r->at[i].bytes >= bytes) {
			if (!write || r->at[i].written)
				return false;
			r->at[i].written = r->at[i].bytes == bytes;
			return true;
		}
	unsigned slot = r->count++ % RECENT;
	r->at[slot].pointer = pointer;
	r->at[slot].bytes = bytes;
	r->at[slot].written = write;
	return true;
}

/* ---- finding ---- */

static void add(struct input_spots *spots, struct input_spot spot)
{
	spots->at = pass_grow(spots->at, spots->count, sizeof *spots->at);
	spots->at[spots->count++] = spot;
}

static unsigned long long bytes_of(const struct input_pass *s, LLVMTypeRef type)
{
	return LLVMStoreSizeOfType(LLVMGetModuleDataLayout(s->p->module), type);
}

static LLVMTypeRef accessed_type(LLVMValueRef i)
{
	return LLVMIsALoadInst(i) ? LLVMTypeOf(i) : LLVMTypeOf(LLVMGetOperand(i, 0));
}

static LLVMValueRef pointer_of(LLVMValueRef i)
{
	return LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
}

static void find_plain(const struct input_pass *s, LLVMValueRef i, struct recent *recent, struct locals *locals, struct input_spots *spots)
{
	LLVMAtomicOrdering order = LLVMGetOrdering(i);
	bool write = LLVMIsAStoreInst(i), synchronises = order >= LLVMAtomicOrderingAcquire, relaxed = order != LLVMAtomicOrderingNotAtomic && !synchronises;
	if (synchronises)
		add(spots, (struct input_spot){.at = i, .what = INPUT_SYNC});
	if (relaxed)
		add(spots, (struct input_spot){.at = i, .what = INPUT_SYNC_FIRST});
	if (synchronises || relaxed)
		recent->count = 0;
	if (synchronises && !s->locks)
		return;
	if (is_of_interest(locals, pointer_of(i)) && is_new(recent, pointer_of(i), bytes_of(s, accessed_type(i)), write))
		add(spots, (struct input_spot){.at = i, .what = write ? INPUT_WRITE : INPUT_READ});
}

static void find_update(const struct input_pass *s, LLVMValueRef i, struct recent *recent, struct input_spots *spots)
{
	LLVMValueRef bytes = input_u64(s, bytes_of(s, LLVMTypeOf(LLVMGetOperand(i, 1))));
	recent->count = 0;
	add(spots, (struct input_spot){.at = i, .what = INPUT_SYNC});
	if (!s->locks)
		return;
	add(spots, (struct input_spot){i, INPUT_READ_RANGE, LLVMGetOperand(i, 0), bytes});
	add(spots, (struct input_spot){i, INPUT_WRITE_RANGE, LLVMGetOperand(i, 0), bytes});
}

static void find_range(LLVMValueRef i, unsigned operand, enum input_what what, struct locals *locals, struct input_spots *spots)
{
	if (is_of_interest(locals, LLVMGetOperand(i, operand)))
		add(spots, (struct input_spot){i, what, LLVMGetOperand(i, operand), LLVMGetOperand(i, 2)});
}

static void find_intrinsic(LLVMValueRef i, const char *name, struct locals *locals, struct input_spots *spots)
{
	bool copies = starts_with(name, "llvm.memcpy.") || starts_with(name, "llvm.memmove.");
	if (copies)
		find_range(i, 1, INPUT_READ_RANGE, locals, spots);
	if (copies || starts_with(name, "llvm.memset."))
		find_range(i, 0, INPUT_WRITE_RANGE, locals, spots);
	if (starts_with(name, "llvm.masked.") || starts_with(name, "llvm.vp."))
		add(spots, (struct input_spot){.at = i, .what = INPUT_MASKED});
	if (starts_with(name, "llvm.va_start"))
		add(spots, (struct input_spot){.at = i, .what = INPUT_VA_START});
	if (starts_with(name, "llvm.va_copy"))
		add(spots, (struct input_spot){.at = i, .what = INPUT_VA_COPY});
}

static void find_call(LLVMValueRef i, struct recent *recent, struct locals *locals, struct input_spots *spots)
{
	const char *name = callee_name(i);
	if (starts_with(name, "llvm.")) {
		find_intrinsic(i, name, locals, spots);
		return;
	}
	recent->count = 0;
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(i)) && edit_after(i))
		add(spots, (struct input_spot){.at = i, .what = INPUT_SYNC});
}

void input_find(const struct input_pass *s, LLVMValueRef function, struct input_spots *spots)
{
	struct locals locals = {0};
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		struct recent recent = {0};
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
				find_plain(s, i, &recent, &locals, spots);
			else if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
				find_update(s, i, &recent, spots);
			else if (LLVMIsAFenceInst(i))
				add(spots, (struct input_spot){.at = i, .what = INPUT_SYNC}), recent.count = 0;
			else if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
				find_call(i, &recent, &locals, spots);
		}
	}
	free(locals.at);
	free(locals.own);
}

/* ---- editing ---- */

static void edit_plain(struct input_pass *s, LLVMValueRef i)
{
	char hook[32] = "skein_hook_read";
	unsigned long long bytes = bytes_of(s, accessed_type(i)), cell = 1ull << s->cell_log2, alignment = LLVMGetAlignment(i);
	unsigned long long cells = bytes <= cell ? 1 : bytes / cell;
	bool is_power = (bytes & (bytes - 1)) == 0, exact = is_power && alignment >= (bytes < cell ? bytes : cell) && cells <= 8;
	if (LLVMIsAStoreInst(i))
		strcpy(hook, "skein_hook_write");
	if (!exact) {
		edit_hook(&s->e, i, hook, (LLVMValueRef[]){s->me, pointer_of(i), input_u64(s, bytes)}, 3);
		return;
	}
	size_t length = strlen(hook);
	hook[length] = (char)('0' + cells);
	hook[length + 1] = 0;
	edit_hook(&s->e, i, hook, (LLVMValueRef[]){s->me, pointer_of(i), edit_u32(&s->e, (unsigned)bytes), edit_u32(&s->e, s->cell_log2), edit_u32(&s->e, alignment >= bytes)}, 5);
}

static LLVMValueRef as_u64(struct input_pass *s, LLVMValueRef value, LLVMValueRef before)
{
	LLVMPositionBuilderBefore(s->e.builder, before);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
	return LLVMBuildZExtOrBitCast(s->e.builder, value, LLVMInt64TypeInContext(LLVMGetModuleContext(s->p->module)), "");
}

/* A vector of bits as a number. */
static LLVMValueRef mask_of(struct input_pass *s, LLVMValueRef mask, unsigned lanes, LLVMValueRef before)
{
	LLVMPositionBuilderBefore(s->e.builder, before);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
	LLVMValueRef bits = LLVMBuildBitCast(s->e.builder, mask, LLVMIntTypeInContext(LLVMGetModuleContext(s->p->module), lanes), "");
	return LLVMBuildZExt(s->e.builder, bits, LLVMInt64TypeInContext(LLVMGetModuleContext(s->p->module)), "");
}

/* Loads have their pointer first, stores behind the value. A vector of pointers is asked for one by one. */
static void edit_masked(struct input_pass *s, LLVMValueRef i)
{
	const char *name = callee_name(i);
	bool write = starts_with(name, "llvm.masked.store") || starts_with(name, "llvm.masked.scatter");
	bool known = write || starts_with(name, "llvm.masked.load") || starts_with(name, "llvm.masked.gather");
	LLVMTypeRef type = write ? LLVMTypeOf(LLVMGetOperand(i, 0)) : LLVMTypeOf(i);
	if (!known || LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVectorSize(type) > 63)
		return;
	LLVMValueRef pointer = LLVMGetOperand(i, write), mask = LLVMGetOperand(i, write + 2u), writes = edit_u32(&s->e, write);
	unsigned lanes = LLVMGetVectorSize(type);
	LLVMValueRef bytes = edit_u32(&s->e, (unsigned)bytes_of(s, LLVMGetElementType(type))), bits = mask_of(s, mask, lanes, i);
	if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMVectorTypeKind) {
		edit_hook(&s->e, i, "skein_hook_masked", (LLVMValueRef[]){s->me, pointer, bytes, bits, writes}, 5);
		return;
	}
	for (unsigned lane = 0; lane < lanes; lane++) {
		LLVMPositionBuilderBefore(s->e.builder, i);
		LLVMValueRef one = LLVMBuildExtractElement(s->e.builder, pointer, edit_u32(&s->e, lane), "");
		LLVMValueRef bit = LLVMBuildAnd(s->e.builder, LLVMBuildLShr(s->e.builder, bits, input_u64(s, lane), ""), input_u64(s, 1), "");
		edit_hook(&s->e, i, "skein_hook_masked", (LLVMValueRef[]){s->me, one, bytes, bit, writes}, 5);
	}
}

void input_edit_access(struct input_pass *s, const struct input_spot *spot)
{
	enum { VA_LIST_BYTES = 24 };
	LLVMValueRef i = spot->at, list = input_u64(s, VA_LIST_BYTES), after = LLVMGetNextInstruction(i);
	switch (spot->what) {
	case INPUT_READ:
	case INPUT_WRITE:
		edit_plain(s, i);
		break;
	case INPUT_READ_RANGE:
	case INPUT_WRITE_RANGE:
		edit_hook(&s->e, i, spot->what == INPUT_READ_RANGE ? "skein_hook_read" : "skein_hook_write",
			  (LLVMValueRef[]){s->me, spot->pointer, as_u64(s, spot->length, i)}, 3);
		break;
	case INPUT_MASKED:
		edit_masked(s, i);
		break;
	case INPUT_SYNC:
		edit_hook(&s->e, after ? after : i, "skein_hook_sync", &s->me, 1);
		break;
	case INPUT_SYNC_FIRST:
		edit_hook(&s->e, i, "skein_hook_sync", &s->me, 1);
		break;
	case INPUT_VA_START:
		edit_hook(&s->e, after, "skein_hook_va_start", (LLVMValueRef[]){s->me, LLVMGetOperand(i, 0)}, 2);
		break;
	case INPUT_VA_COPY:
		edit_hook(&s->e, i, "skein_hook_read", (LLVMValueRef[]){s->me, LLVMGetOperand(i, 1), list}, 3);
		edit_hook(&s->e, i, "skein_hook_write", (LLVMValueRef[]){s->me, LLVMGetOperand(i, 0), list}, 3);
		break;
	}
}
