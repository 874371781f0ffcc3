/* SPDX-License-Identifier: MIT */
/* pointers.c: functions with a model that are called through a pointer.
 *
 * Programs keep read, malloc and their kin in tables. Wherever such an address is taken, in code or in initial values,
 * that of a function of our own is put in its place: it calls the other one and tells what that did. It is no routine:
 * it has no activation and costs nothing. All of an object sees the same address, so pointers that are compared within
 * it stay as equal as they were. A weak function that may be missing keeps its own. */
#include "pass/input/input.h"
#include "pass/piece.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 6, WORDS_OF_SYSCALL = 7 };

struct calls {
	LLVMValueRef *at;
	size_t count;
};

static bool is_call_of(LLVMValueRef user, LLVMValueRef function)
{
	return (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user) || LLVMIsACallBrInst(user)) && LLVMGetCalledValue(user) == function;
}

static bool is_passed(LLVMValueRef call, LLVMValueRef function)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (LLVMGetOperand(call, i) == function)
			return true;
	return false;
}

/* Whether it is used for anything but direct calls, which are listed. */
static bool is_taken(LLVMValueRef function, struct calls *calls)
{
	bool taken = false;
	for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		bool direct = is_call_of(user, function);
		taken |= !direct || is_passed(user, function);
		if (direct) {
			calls->at = pass_grow(calls->at, calls->count, sizeof *calls->at);
			calls->at[calls->count++] = user;
		}
	}
	return taken;
}

/* Arguments without names are words in registers, and may be passed on as such, though not all of them need be
 * there. */
static bool passes_words(const char *name)
{
	static const char *const names[] = {"fcntl", "fcntl64", "ioctl", "open", "open64", "openat", "openat64", "prctl", "syscall"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static LLVMTypeRef type_of(const struct input_pass *s, LLVMValueRef function, const char *name)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(function), parameters[WORDS_OF_SYSCALL];
	unsigned count = LLVMCountParamTypes(type), words = strcmp(name, "syscall") == 0 ? WORDS_OF_SYSCALL : WORDS;
	if (!LLVMIsFunctionVarArg(type))
		return type;
	if (count > words || !passes_words(name))
		return NULL;
	LLVMGetParamTypes(type, parameters);
	while (count < words)
		parameters[count++] = LLVMInt64TypeInContext(LLVMGetModuleContext(s->p->module));
	return LLVMFunctionType(LLVMGetReturnType(type), parameters, count, 0);
}

/* Attributes of parameters and of the result say how values are passed. */
static void copy_attributes(LLVMValueRef from, LLVMValueRef to)
{
	for (unsigned i = 0; i <= LLVMCountParams(from); i++) {
		unsigned count = LLVMGetAttributeCountAtIndex(from, i);
		LLVMAttributeRef *all = pass_zeroed(count, sizeof *all);
		LLVMGetAttributesAtIndex(from, i, all);
		for (unsigned k = 0; k < count; k++)
			LLVMAddAttributeAtIndex(to, i, all[k]);
		free(all);
	}
}

static LLVMValueRef new_wrapper(struct input_pass *s, LLVMValueRef function, LLVMTypeRef type, const char *name)
{
	static const char unwinds[] = "uwtable";
	LLVMContextRef context = LLVMGetModuleContext(s->p->module);
	char own_name[128] = "skein_hook_calls ";
	strncat(own_name, name, sizeof own_name - strlen(own_name) - 1);
	LLVMValueRef wrapper = LLVMAddFunction(s->p->module, own_name, type);
	LLVMSetLinkage(wrapper, LLVMInternalLinkage);
	piece_share(wrapper);
	LLVMSetFunctionCallConv(wrapper, LLVMGetFunctionCallConv(function));
	copy_attributes(function, wrapper);
	LLVMAddAttributeAtIndex(wrapper, LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName(unwinds, sizeof unwinds - 1), 2));
	return wrapper;
}

static void write_body(struct input_pass *s, LLVMValueRef wrapper, LLVMValueRef function)
{
	unsigned count = LLVMCountParams(wrapper);
	LLVMValueRef *arguments = pass_zeroed(count, sizeof *arguments);
	LLVMGetParams(wrapper, arguments);
	LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(LLVMGetModuleContext(s->p->module), wrapper, "");
	edit_function(&s->e, wrapper);
	LLVMPositionBuilderAtEnd(s->e.builder, body);
	LLVMSetCurrentDebugLocation2(s->e.builder, NULL);
	LLVMValueRef call = LLVMBuildCall2(s->e.builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
	if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(s->e.builder);
	else
		LLVMBuildRet(s->e.builder, call);
	s->words = NULL;
	s->me = edit_hook(&s->e, call, "skein_hook_me", NULL, 0);
	input_edit_model(s, call);
	free(arguments);
}

static void wrap(struct input_pass *s, LLVMValueRef function, const char *name)
{
	struct calls calls = {0};
	LLVMTypeRef type = type_of(s, function, name);
	if (type && is_taken(function, &calls)) {
		LLVMValueRef wrapper = new_wrapper(s, function, type, name);
		LLVMReplaceAllUsesWith(function, wrapper);
		for (size_t i = 0; i < calls.count; i++)
			LLVMSetOperand(calls.at[i], (unsigned)LLVMGetNumOperands(calls.at[i]) - 1, function); /* the callee comes last */
		write_body(s, wrapper, function);
	}
	free(calls.at);
}

void input_wrap_pointers(struct input_pass *s)
{
	LLVMValueRef next;
	for (LLVMValueRef f = LLVMGetFirstFunction(s->p->module); f; f = next) {
		size_t bytes;
		struct input_model model;
		const char *name = LLVMGetValueName2(f, &bytes);
		next = LLVMGetNextFunction(f);
		if (input_is_foreign(f) && LLVMGetLinkage(f) != LLVMExternalWeakLinkage && input_model(name, &model) && *model.words)
			wrap(s, f, name);
	}
}
