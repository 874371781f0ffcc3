/* SPDX-License-Identifier: MIT */
/* unseen.c: calls of foreign functions of which nothing is known, so that the report can say whose reads and writes it lacks.
 *
 * A function is of interest if it has no model, is given or returns a pointer, and may access what others can see. Left
 * out are those that keep to memory of their own (core/library/library.def). */
#include "pass/input/input.h"
#include "pass/library.h"
#include "pass/openmp.h"

#include <stdlib.h>
#include <string.h>

struct input_unseen {
	struct {
		unsigned caller;
		const char *name;
	} *at; /* by caller */
	size_t count;
};

/* std::__throw_…, std::runtime_error and its kin. */
static bool is_of_exceptions(const char *name)
{
	return strncmp(name, "_Z", 2) == 0 && strstr(name, "St") &&
		(strstr(name, "__throw_") || strstr(name, "_error") || strstr(name, "invalid_argument") || strstr(name, "out_of_range"));
}

static bool is_harmless(const char *name)
{
	const char *words = library_words(name);
	return (words && strcmp(words, LIBRARY_OWN) == 0) || is_of_exceptions(name) || openmp_entry(name);
}

/* Whether the optimiser knows that the function only accesses memory that no other code can see. */
static bool accesses_nothing(LLVMValueRef function)
{
	static const char name[] = "memory";
	enum { ARGUMENTS = 3, OTHER = 3 << 4 };
	LLVMAttributeRef memory =
		LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
	return memory && !(LLVMGetEnumAttributeValue(memory) & (ARGUMENTS | OTHER));
}

static bool is_pointer(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static bool has_pointers(LLVMValueRef call)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (is_pointer(LLVMTypeOf(LLVMGetOperand(call, i))))
			return true;
	return is_pointer(LLVMTypeOf(call));
}

static const char *unseen_name(LLVMValueRef call)
{
	size_t bytes;
	struct input_model model;
	LLVMValueRef function = LLVMGetCalledValue(call);
	if (!input_is_foreign(function) || LLVMGetIntrinsicID(function))
		return NULL;
	const char *name = LLVMGetValueName2(function, &bytes);
	return !input_model(name, &model) && has_pointers(call) && !accesses_nothing(function) && !is_harmless(name) ? name : NULL;
}

static void note_unseen(struct input_unseen *u, unsigned caller, const char *name)
{
	for (size_t i = u->count; i-- && u->at[i].caller == caller;)
		if (strcmp(u->at[i].name, name) == 0)
			return;
	u->at = pass_grow(u->at, u->count, sizeof *u->at);
	u->at[u->count].caller = caller;
	u->at[u->count++].name = name;
}

static void note_assembly(struct input_unseen *u, const struct program *p, unsigned caller)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->routines[caller].function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsACallInst(i) && input_asks_kernel(i) && !input_knows_assembly(i))
				note_unseen(u, caller, "a system call in assembly");
}

struct input_unseen *input_find_unseen(const struct program *p)
{
	struct input_unseen *u = pass_zeroed(1, sizeof *u);
	for (size_t i = p->direct_sites; i < p->site_count; i++) {
		const char *name = unseen_name(p->sites[i].call);
		if (name)
			note_unseen(u, p->sites[i].caller, name);
	}
	for (unsigned i = 0; i < p->routine_count; i++)
		if (p->routines[i].profiled)
			note_assembly(u, p, i);
	return u;
}

void input_write_unseen(const struct program *p, FILE *table)
{
	const struct input_unseen *u = p->own;
	for (size_t i = 0; i < u->count; i++) {
		fprintf(table, "u\t%u", u->at[i].caller);
		pass_field(table, u->at[i].name, strlen(u->at[i].name));
		fputc('\n', table);
	}
}

void input_free_unseen(struct program *p)
{
	struct input_unseen *u = p->own;
	free(u->at);
	free(u);
}
