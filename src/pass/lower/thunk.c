/* SPDX-License-Identifier: MIT */
/* thunk.c: a spawned call becomes a function of its own, the thunk, together with what takes its result (thunk_result.c).
 *
 * A thunk whose result passes through a variable of the caller is "serial": it must be over when its caller goes on. So is
 * one that is given a temporary of C++ by reference, which the caller destroys behind the call. */
#include "pass/lower/thunk.h"
#include "pass/lower/lower.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

static void map(struct spawned *s, LLVMValueRef from, LLVMValueRef to)
{
	s->from = pass_grow(s->from, s->mapped, sizeof *s->from);
	s->to = pass_grow(s->to, s->mapped, sizeof *s->to);
	s->from[s->mapped] = from;
	s->to[s->mapped++] = to;
}

static LLVMValueRef mapped(const struct spawned *s, LLVMValueRef value)
{
	for (unsigned n = 0; n < s->mapped; n++)
		if (s->from[n] == value)
			return s->to[n];
	return value;
}

static bool must_be_passed(const struct spawned *s, LLVMValueRef value)
{
	bool local = LLVMIsAArgument(value) || LLVMIsAInstruction(value);
	for (unsigned n = 0; n < s->own_count; n++)
		if (s->own[n] == value)
			return false;
	return local && !thunk_moves_in(s, value) && mapped(s, value) == value;
}

static void pass(struct spawned *s, LLVMValueRef value)
{
	s->values = pass_grow(s->values, s->value_count, sizeof *s->values);
	s->values[s->value_count++] = value;
}

/* What the call and the moving instructions take from the caller. While they are found, NULL stands for each. */
static void find_parameters(struct spawned *s)
{
	unsigned arguments = LLVMGetNumArgOperands(s->call);
	for (unsigned n = 0; n < arguments; n++)
		if (must_be_passed(s, LLVMGetOperand(s->call, n)))
			pass(s, LLVMGetOperand(s->call, n));
	s->argument_count = s->value_count;
	for (int n = -1; n < (int)s->count; n++) {
		LLVMValueRef i = n < 0 ? s->call : s->line[n];
		for (int o = n < 0 ? (int)arguments : 0; (n < 0 || s->fate[n] == THUNK_MOVES_IN) && o < LLVMGetNumOperands(i); o++) {
			LLVMValueRef value = LLVMGetOperand(i, o);
			if (LLVMValueIsBasicBlock(value) || !must_be_passed(s, value))
				continue;
			pass(s, value);
			map(s, value, NULL);
		}
	}
}

/* Attributes of the call's arguments hold for the thunk's parameters, and decide how structs are passed. */
static void copy_argument(const struct spawned *s, unsigned argument, LLVMValueRef function, LLVMValueRef call, unsigned index)
{
	unsigned returned = LLVMGetEnumAttributeKindForName("returned", 8);
	LLVMAttributeRef all[64];
	unsigned count = LLVMGetCallSiteAttributeCount(s->call, argument + 1);
	if (count > 64)
		pass_fail("an argument has too many attributes (%u)", count);
	LLVMGetCallSiteAttributes(s->call, argument + 1, all);
	for (unsigned a = 0; a < count; a++)
		if (LLVMIsStringAttribute(all[a]) || LLVMGetEnumAttributeKind(all[a]) != returned) {
			LLVMAddAttributeAtIndex(function, index + 1, all[a]);
			LLVMAddCallSiteAttribute(call, index + 1, all[a]);
		}
}

static void copy_arguments(const struct spawned *s, LLVMValueRef function, LLVMValueRef call)
{
	for (unsigned n = 0, index = 0; n < LLVMGetNumArgOperands(s->call) && index < s->argument_count; n++)
		if (LLVMGetOperand(s->call, n) == s->values[index])
			copy_argument(s, n, function, call, index++);
}

static void copy_call_attributes(LLVMValueRef from, LLVMValueRef to)
{
	for (unsigned index = 0; index <= LLVMGetNumArgOperands(from) + 1; index++) {
		unsigned at = index > LLVMGetNumArgOperands(from) ? (unsigned)LLVMAttributeFunctionIndex : index;
		LLVMAttributeRef all[64];
		unsigned count = LLVMGetCallSiteAttributeCount(from, at);
		if (count > 64)
			pass_fail("a call has too many attributes (%u)", count);
		LLVMGetCallSiteAttributes(from, at, all);
		for (unsigned a = 0; a < count; a++)
			LLVMAddCallSiteAttribute(to, at, all[a]);
	}
	LLVMSetInstructionCallConv(to, LLVMGetInstructionCallConv(from));
}

static void add_enum(LLVMValueRef function, const char *name)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0));
}

void thunk_mark(LLVMValueRef function, const char *kind)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
	static const char *const contrary[] = {"optsize", "minsize", "alwaysinline"};
	for (size_t k = 0; k < sizeof contrary / sizeof *contrary; k++)
		LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
		                               LLVMGetEnumAttributeKindForName(contrary[k], strlen(contrary[k])));
	add_enum(function, "noinline");
	add_enum(function, "optnone");
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
	                        LLVMCreateStringAttribute(context, LOWER_THUNK, sizeof LOWER_THUNK - 1, kind, (unsigned)strlen(kind)));
	LLVMSetLinkage(function, LLVMInternalLinkage);
}

/* The thunk is compiled for the machine that its caller is compiled for. */
static void copy_target(LLVMValueRef from, LLVMValueRef to)
{
	unsigned count = LLVMGetAttributeCountAtIndex(from, LLVMAttributeFunctionIndex),
		 uwtable = LLVMGetEnumAttributeKindForName("uwtable", 7);
	LLVMAttributeRef *all = calloc(count + 1, sizeof *all);
	if (!all)
		pass_fail("out of memory");
	LLVMGetAttributesAtIndex(from, LLVMAttributeFunctionIndex, all);
	for (unsigned a = 0; a < count; a++)
		if (LLVMIsStringAttribute(all[a]) || LLVMGetEnumAttributeKind(all[a]) == uwtable)
			LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, all[a]);
	free(all);
}

static bool takes_temporary(const struct spawned *s)
{
	unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
	for (unsigned n = 0; n < LLVMGetNumArgOperands(s->call); n++) {
		LLVMValueRef value = LLVMGetOperand(s->call, n);
		size_t length;
		const char *name = LLVMIsAAllocaInst(value) ? LLVMGetValueName2(value, &length) : "";
		if ((strncmp(name, "ref.tmp", 7) == 0 || strncmp(name, "agg.tmp", 7) == 0) && !thunk_owns(s, value) &&
		    !LLVMGetCallSiteEnumAttribute(s->call, n + 1, byval))
			return true;
	}
	return false;
}

/* What is always inlined, as the lambda that a spawned block of C++ is, leaves no call in the thunk: it is a block. */
static const char *kind_of(const struct spawned *s)
{
	LLVMValueRef callee = LLVMGetCalledValue(s->call);
	if (LLVMIsAFunction(callee) &&
	    LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, LLVMGetEnumAttributeKindForName("alwaysinline", 12)))
		return "block";
	return s->serial || takes_temporary(s) ? "serial" : "call";
}

static LLVMValueRef make_function(const struct spawned *s)
{
	LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(s->call));
	LLVMModuleRef module = LLVMGetGlobalParent(caller);
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef *types = calloc(s->value_count + 1, sizeof *types);
	size_t length;
	const char *name = LLVMGetValueName2(caller, &length);
	char *own_name = malloc(length + sizeof ".skein_spawn");
	if (!types || !own_name)
		pass_fail("out of memory");
	for (unsigned n = 0; n < s->value_count; n++)
		types[n] = LLVMTypeOf(s->values[n]);
	memcpy(own_name, name, length);
	strcpy(own_name + length, ".skein_spawn");
	LLVMValueRef thunk = LLVMAddFunction(module, own_name, LLVMFunctionType(LLVMVoidTypeInContext(context), types, s->value_count, 0));
	copy_target(caller, thunk);
	thunk_mark(thunk, kind_of(s));
	free(types);
	free(own_name);
	return thunk;
}

static LLVMValueRef build_call(struct spawned *s, LLVMValueRef thunk, LLVMBuilderRef b)
{
	unsigned count = LLVMGetNumArgOperands(s->call);
	LLVMValueRef *arguments = calloc(count + 1, sizeof *arguments);
	if (!arguments)
		pass_fail("out of memory");
	for (unsigned n = 0, next = 0; n < count; n++) {
		LLVMValueRef value = LLVMGetOperand(s->call, n);
		bool passed = next < s->argument_count && s->values[next] == value;
		arguments[n] = passed ? LLVMGetParam(thunk, next++) : mapped(s, value);
	}
	LLVMValueRef call =
		LLVMBuildCall2(b, LLVMGetCalledFunctionType(s->call), mapped(s, LLVMGetCalledValue(s->call)), arguments, count, "");
	copy_call_attributes(s->call, call);
	free(arguments);
	return call;
}

/* No debug information: what is inlined without any takes the place of the call that it was inlined for. */
static void fill_function(struct spawned *s, LLVMValueRef thunk, LLVMBuilderRef b)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(thunk));
	LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, thunk, "entry"));
	for (unsigned n = 0; n < s->own_count; n++) {
		LLVMValueRef alloca = LLVMInstructionClone(s->own[n]);
		LLVMInsertIntoBuilder(b, alloca);
		map(s, s->own[n], alloca);
	}
	map(s, s->call, build_call(s, thunk, b));
	for (unsigned n = 0; n < s->count; n++) {
		if (s->fate[n] != THUNK_MOVES_IN)
			continue;
		LLVMValueRef copy = LLVMInstructionClone(s->line[n]);
		LLVMInstructionSetDebugLoc(copy, NULL);
		for (int o = 0; o < LLVMGetNumOperands(copy); o++)
			LLVMSetOperand(copy, (unsigned)o, mapped(s, LLVMGetOperand(copy, (unsigned)o)));
		LLVMInsertIntoBuilder(b, copy);
		map(s, s->line[n], copy);
	}
	LLVMBuildRetVoid(b);
}

static LLVMValueRef replace_call(struct spawned *s, LLVMValueRef thunk, LLVMBuilderRef b)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(thunk);
	LLVMValueRef call;

	for (unsigned n = 0; n < s->count; n++)
		if (s->fate[n] == THUNK_GOES_BEFORE) {
			LLVMInstructionRemoveFromParent(s->line[n]);
			LLVMPositionBuilderBefore(b, s->call);
			LLVMInsertIntoBuilder(b, s->line[n]);
		}
	LLVMPositionBuilderBefore(b, s->call);
	if (LLVMIsAInvokeInst(s->call))
		call = LLVMBuildInvoke2(b, type, thunk, s->values, s->value_count, LLVMGetNormalDest(s->call), LLVMGetUnwindDest(s->call),
		                        "");
	else
		call = LLVMBuildCall2(b, type, thunk, s->values, s->value_count, "");
	LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(s->call));
	copy_arguments(s, thunk, call);
	for (unsigned n = s->count; n-- > 0;)
		if (s->fate[n] == THUNK_MOVES_IN)
			LLVMInstructionEraseFromParent(s->line[n]);
	LLVMInstructionEraseFromParent(s->call);
	return call;
}

LLVMValueRef thunk_of_call(LLVMValueRef call)
{
	struct spawned *s = calloc(1, sizeof *s);
	if (!s)
		pass_fail("out of memory");
	s->call = call;
	thunk_follow_result(s);
	find_parameters(s);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(
		LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)))));
	LLVMValueRef thunk = make_function(s);
	for (unsigned n = 0; n < s->mapped; n++)
		s->to[n] = LLVMGetParam(thunk, s->argument_count + n);
	fill_function(s, thunk, b);
	LLVMValueRef stands_in = replace_call(s, thunk, b);
	LLVMDisposeBuilder(b);
	free(s->values);
	free(s->own);
	free(s->from);
	free(s->to);
	free(s);
	return stands_in;
}
