/* SPDX-License-Identifier: MIT */
/* access.c: which accesses need a hook, and which hook.
 *
 * None: a variable of the routine that no other code can reach, or constant; what another one stands for (join.c).
 * What an atomic operation that synchronises reads is no input (LOCKS=1: it is). */
#include "pass/input/input.h"

#include <llvm-c/Target.h>
#include <stdio.h>
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
			(LLVMIsAConstantExpr(pointer) &&
		         (LLVMGetConstOpcode(pointer) == LLVMGetElementPtr || LLVMGetConstOpcode(pointer) == LLVMBitCast));
		if (!is_step)
			return pointer;
		pointer = LLVMGetOperand(pointer, 0);
	}
}

static bool is_harmless_call(LLVMValueRef user)
{
	const char *name = LLVMIsACallInst(user) ? callee_name(user) : "";
	return starts_with(name, "llvm.lifetime.") || starts_with(name, "llvm.dbg.") || starts_with(name, "llvm.memcpy.") ||
		starts_with(name, "llvm.memset.") || starts_with(name, "llvm.memmove.") || starts_with(name, "llvm.invariant.");
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

/* ---- finding ---- */

void input_spot_add(struct input_spots *spots, struct input_spot spot)
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

static bool is_element(LLVMValueRef pointer)
{
	return LLVMIsAGetElementPtrInst(pointer) || (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr);
}

/* Adds what the element is away from its base, if that is constant. */
static bool is_constant_step(const struct input_pass *s, LLVMValueRef element, long long *offset)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(s->p->module);
	LLVMTypeRef type = LLVMGetGEPSourceElementType(element);
	long long step = 0;
	for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(element); i++) {
		LLVMValueRef index = LLVMGetOperand(element, i);
		if (!LLVMIsAConstantInt(index))
			return false;
		long long n = LLVMConstIntGetSExtValue(index);
		if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			step += (long long)LLVMOffsetOfElement(layout, type, (unsigned)n);
			type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
			continue;
		}
		if (i > 1 && LLVMGetTypeKind(type) != LLVMArrayTypeKind)
			return false;
		type = i > 1 ? LLVMGetElementType(type) : type;
		step += n * (long long)LLVMABISizeOfType(layout, type);
	}
	*offset += step;
	return true;
}

static struct input_event event_of(const struct input_pass *s, LLVMValueRef i)
{
	struct input_event e = {.at = i, .what = LLVMIsAStoreInst(i) ? INPUT_WRITE : INPUT_READ, .alignment = LLVMGetAlignment(i)};
	long long cell = 1ll << s->cell_log2;
	for (e.base = pointer_of(i); is_element(e.base) && is_constant_step(s, e.base, &e.offset); e.base = LLVMGetOperand(e.base, 0))
		;
	e.bytes = (long long)bytes_of(s, accessed_type(i));
	e.exact = (e.bytes & (e.bytes - 1)) == 0 && e.alignment >= (e.bytes < cell ? e.bytes : cell);
	return e;
}

static void find_plain(const struct input_pass *s, LLVMValueRef i, struct input_stretch *stretch, struct locals *locals,
                       struct input_spots *spots)
{
	LLVMAtomicOrdering order = LLVMGetOrdering(i);
	bool synchronises = order >= LLVMAtomicOrderingAcquire, relaxed = order != LLVMAtomicOrderingNotAtomic && !synchronises;
	if (synchronises || relaxed)
		input_stretch_end(stretch, spots);
	if (synchronises)
		input_spot_add(spots, (struct input_spot){.at = i, .what = INPUT_SYNC});
	if (relaxed)
		input_spot_add(spots, (struct input_spot){.at = i, .what = INPUT_SYNC_FIRST});
	if ((!synchronises || s->locks) && is_of_interest(locals, pointer_of(i)))
		input_stretch_add(s, stretch, event_of(s, i), spots);
	if (synchronises)
		input_stretch_end(stretch, spots);
}

static void find_update(const struct input_pass *s, LLVMValueRef i, struct input_stretch *stretch, struct input_spots *spots)
{
	LLVMValueRef bytes = input_u64(s, bytes_of(s, LLVMTypeOf(LLVMGetOperand(i, 1))));
	input_stretch_end(stretch, spots);
	input_spot_add(spots, (struct input_spot){.at = i, .what = INPUT_SYNC});
	if (!s->locks)
		return;
	input_spot_add(spots, (struct input_spot){.at = i, .what = INPUT_READ_RANGE, .pointer = LLVMGetOperand(i, 0), .length = bytes});
	input_spot_add(spots, (struct input_spot){.at = i, .what = INPUT_WRITE_RANGE, .pointer = LLVMGetOperand(i, 0), .length = bytes});
}

static void find_range(LLVMValueRef i, unsigned operand, enum input_what what, struct locals *locals, struct input_spots *spots)
{
	if (is_of_interest(locals, LLVMGetOperand(i, operand)))
		input_spot_add(
			spots,
			(struct input_spot){.at = i, .what = what, .pointer = LLVMGetOperand(i, operand), .length = LLVMGetOperand(i, 2)});
}

static void find_intrinsic(LLVMValueRef i, const char *name, struct locals *locals, struct input_spots *spots)
{
	bool copies = starts_with(name, "llvm.memcpy.") || starts_with(name, "llvm.memmove.");
	if (copies)
		find_range(i, 1, INPUT_READ_RANGE, locals, spots);
	if (copies || starts_with(name, "llvm.memset."))
		find_range(i, 0, INPUT_WRITE_RANGE, locals, spots);
	if (starts_with(name, "llvm.masked.") || starts_with(name, "llvm.vp."))
		input_spot_add(spots, (struct input_spot){.at = i, .what = INPUT_MASKED});
	if (starts_with(name, "llvm.va_start"))
		input_spot_add(spots, (struct input_spot){.at = i, .what = INPUT_VA_START});
	if (starts_with(name, "llvm.va_copy"))
		input_spot_add(spots, (struct input_spot){.at = i, .what = INPUT_VA_COPY});
}

static void find_call(LLVMValueRef i, struct input_stretch *stretch, struct locals *locals, struct input_spots *spots)
{
	const char *name = callee_name(i);
	if (starts_with(name, "llvm.")) {
		size_t before = spots->count;
		find_intrinsic(i, name, locals, spots);
		if (spots->count > before)
			input_stretch_range(stretch);
		return;
	}
	if (input_is_nothing(i))
		return;
	input_stretch_end(stretch, spots);
	if (input_asks_kernel(i))
		input_spot_add(spots, (struct input_spot){.at = i, .what = INPUT_ASSEMBLY});
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(i)) && edit_after(i))
		input_spot_add(spots, (struct input_spot){.at = i, .what = INPUT_SYNC});
}

static void find_fence(LLVMValueRef i, struct input_stretch *stretch, struct input_spots *spots)
{
	input_stretch_end(stretch, spots);
	input_spot_add(spots, (struct input_spot){.at = i, .what = INPUT_SYNC});
}

void input_find(const struct input_pass *s, LLVMValueRef function, struct input_spots *spots)
{
	struct locals locals = {0};
	struct input_stretch stretch = {0};
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
				find_plain(s, i, &stretch, &locals, spots);
			else if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
				find_update(s, i, &stretch, spots);
			else if (LLVMIsAFenceInst(i))
				find_fence(i, &stretch, spots);
			else if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
				find_call(i, &stretch, &locals, spots);
		}
		input_stretch_end(&stretch, spots);
	}
	free(locals.at);
	free(locals.own);
}

/* ---- editing ---- */

static LLVMValueRef pointer_to(struct input_pass *s, const struct input_spot *spot, unsigned from)
{
	LLVMValueRef offset = input_u64(s, (unsigned long long)(spot->offset + from));
	LLVMPositionBuilderBefore(s->e.builder, spot->at);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
	return LLVMBuildGEP2(s->e.builder, LLVMInt8TypeInContext(LLVMGetModuleContext(s->p->module)), spot->pointer, &offset, 1, "");
}

/* One, two, four or eight cells from a place on that is aligned to that many bytes. */
static void edit_cells(struct input_pass *s, const struct input_spot *spot, unsigned from, unsigned bytes)
{
	static const char *const names[] = {[INPUT_READ] = "read", [INPUT_WRITE] = "write", [INPUT_MODIFY] = "modify"};
	char hook[32];
	unsigned cells = bytes >> s->cell_log2;
	LLVMValueRef arguments[] = {s->me, pointer_to(s, spot, from), edit_u32(&s->e, bytes), edit_u32(&s->e, s->cell_log2),
	                            edit_u32(&s->e, spot->alignment >= bytes)};
	snprintf(hook, sizeof hook, "skein_hook_%s%u", names[spot->what], cells ? cells : 1);
	LLVMValueRef firsts = spot->near ? edit_hook(&s->e, spot->at, hook, arguments, 5) : input_edit_far(s, spot->at, hook, arguments);
	if (spot->what != INPUT_WRITE)
		input_add(s, spot->at, s->firsts, firsts);
}

static void edit_plain(struct input_pass *s, const struct input_spot *spot)
{
	unsigned step = 8u << s->cell_log2;
	if (spot->exact && spot->bytes <= step) {
		edit_cells(s, spot, 0, spot->bytes);
	} else if (spot->exact) {
		for (unsigned from = 0; from < spot->bytes; from += step)
			edit_cells(s, spot, from, step);
	} else {
		edit_hook(&s->e, spot->at, spot->what == INPUT_WRITE ? "skein_hook_wide_write" : "skein_hook_wide_read",
		          (LLVMValueRef[]){s->me, pointer_to(s, spot, 0), input_u64(s, spot->bytes)}, 3);
	}
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
		LLVMValueRef bit =
			LLVMBuildAnd(s->e.builder, LLVMBuildLShr(s->e.builder, bits, input_u64(s, lane), ""), input_u64(s, 1), "");
		edit_hook(&s->e, i, "skein_hook_masked", (LLVMValueRef[]){s->me, one, bytes, bit, writes}, 5);
	}
}

/* The hook gets a block of its own, which is entered if the access was not told before. */
static void edit_unless_told(struct input_pass *s, const struct input_spot *spot)
{
	LLVMContextRef context = LLVMGetModuleContext(s->p->module);
	LLVMBasicBlockRef before = LLVMGetInstructionParent(spot->at), rest = shim_split(spot->at),
			  hook = LLVMInsertBasicBlockInContext(context, rest, "");
	struct input_spot inside = *spot;
	LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
	LLVMPositionBuilderAtEnd(s->e.builder, before);
	LLVMSetCurrentDebugLocation2(s->e.builder, s->e.location);
	LLVMBuildCondBr(s->e.builder, spot->told, rest, hook);
	LLVMPositionBuilderAtEnd(s->e.builder, hook);
	inside.at = LLVMBuildBr(s->e.builder, rest);
	edit_plain(s, &inside);
}

void input_edit_access(struct input_pass *s, const struct input_spot *spot)
{
	enum { VA_LIST_BYTES = 24 };
	LLVMValueRef i = spot->at, list = input_u64(s, VA_LIST_BYTES), after = LLVMGetNextInstruction(i);
	switch (spot->what) {
	case INPUT_READ:
	case INPUT_WRITE:
	case INPUT_MODIFY:
		if (spot->told)
			edit_unless_told(s, spot);
		else
			edit_plain(s, spot);
		break;
	case INPUT_READ_RANGE:
	case INPUT_WRITE_RANGE:
		edit_hook(&s->e, i, spot->what == INPUT_READ_RANGE ? "skein_hook_read" : "skein_hook_write",
		          (LLVMValueRef[]){s->me, spot->pointer, as_u64(s, spot->length, i)}, 3);
		break;
	case INPUT_MASKED: edit_masked(s, i); break;
	case INPUT_SYNC: edit_hook(&s->e, after ? after : i, "skein_hook_sync", &s->me, 1); break;
	case INPUT_SYNC_FIRST: edit_hook(&s->e, i, "skein_hook_sync", &s->me, 1); break;
	case INPUT_VA_START: edit_hook(&s->e, after, "skein_hook_va_start", (LLVMValueRef[]){s->me, LLVMGetOperand(i, 0)}, 2); break;
	case INPUT_ASSEMBLY: input_edit_assembly(s, i); break;
	case INPUT_VA_COPY:
		edit_hook(&s->e, i, "skein_hook_read", (LLVMValueRef[]){s->me, LLVMGetOperand(i, 1), list}, 3);
		edit_hook(&s->e, i, "skein_hook_write", (LLVMValueRef[]){s->me, LLVMGetOperand(i, 0), list}, 3);
		break;
	}
}
