/* SPDX-License-Identifier: MIT */
/* select.c: which functions are routines, which of them are profiled, and the calls that they make.
 *
 * Never profiled: the hooks; naked functions, which have no frame; resolvers of indirect functions and what they call,
 * since they run before anything is relocated; functions at which the compiler crashed when they were (relink/crash.h). Profiled or not by --only and --skip, which match a routine's linkage
 * name or its file. */
#include "pass/pass.h"
#include "pass/piece.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

static bool has_attribute(LLVMValueRef function, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	return kind && LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

bool select_matches(const char *patterns, const char *name)
{
	while (*patterns) {
		size_t length = strcspn(patterns, "\n");
		char *one = strndup(patterns, length);
		if (!one)
			pass_fail("out of memory");
		bool hit = fnmatch(one, name, 0) == 0;
		free(one);
		if (hit)
			return true;
		patterns += length + (patterns[length] == '\n');
	}
	return false;
}

bool select_is(const char *asked, const char *name)
{
	if (strcmp(asked, name) == 0)
		return true;
	int status;
	char *source = strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
	size_t bytes = strlen(asked);
	bool same = source && strncmp(source, asked, bytes) == 0 && (!source[bytes] || source[bytes] == '(');
	free(source);
	return same;
}

static bool wanted(const struct routine *r)
{
	const char *only = pass_option(PLAN_ONLY), *skip = pass_option(PLAN_SKIP);
	if (*only && !select_matches(only, r->name) && !select_matches(only, r->file))
		return false;
	return !select_matches(skip, r->name) && !select_matches(skip, r->file);
}

/* By the name that a crash report has. */
static bool is_left_out(LLVMValueRef function)
{
	size_t length;
	const char *name = LLVMGetValueName2(function, &length);
	for (const char *line = pass_option(PLAN_LEAVE); *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (strcspn(line, "\n") == length && memcmp(line, name, length) == 0)
			return true;
	return false;
}

/* A static function that met another of its name is called f.12 by the linker; it keeps its own name. Functions that
 * the compiler made (f.omp_outlined, f.cold) have the debug name of another and keep the linker's. */
static char *name_of(LLVMValueRef function, const struct shim_source *source)
{
	size_t length;
	const char *name = LLVMGetValueName2(function, &length);
	if (source && source->name_bytes && source->name_bytes <= length && strncmp(name, source->name, source->name_bytes) == 0) {
		const char *rest = name + source->name_bytes;
		if (*rest == 0 || (*rest == '.' && rest[1] && rest[1 + strspn(rest + 1, "0123456789")] == 0))
			length = source->name_bytes;
	}
	char *copy = strndup(name, length);
	if (!copy)
		pass_fail("out of memory");
	return copy;
}

static void add_routine(struct program *p, LLVMValueRef function)
{
	p->routines = pass_grow(p->routines, p->routine_count, sizeof *p->routines);
	struct routine *r = &p->routines[p->routine_count++];
	struct shim_source source = {0};
	bool known = shim_function_source(function, &source);
	*r = (struct routine){.function = function, .name = name_of(function, known ? &source : NULL), .line = source.line};
	r->file = strndup(known ? source.file : "", source.file_bytes);
	r->outlined = strstr(r->name, ".omp_outlined") || strstr(r->name, ".omp_task_entry.");
	r->profiled = !has_attribute(function, "naked") && !is_left_out(function) && wanted(r);
}

static int index_of(const struct program *p, LLVMValueRef function)
{
	for (size_t i = 0; i < p->routine_count; i++)
		if (p->routines[i].function == function)
			return (int)i;
	return -1;
}

static bool is_call(LLVMValueRef i)
{
	return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i);
}

static void leave_out_with_callees(struct program *p, LLVMValueRef function)
{
	int index = index_of(p, function);
	if (index < 0 || !p->routines[index].profiled)
		return;
	p->routines[index].profiled = false;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (is_call(i) && LLVMIsAFunction(LLVMGetCalledValue(i)))
				leave_out_with_callees(p, LLVMGetCalledValue(i));
}

void select_routines(struct program *p)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);
		if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage && !starts_with(name, "skein_hook_"))
			add_routine(p, f);
	}
	for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(p->module); i; i = LLVMGetNextGlobalIFunc(i))
		leave_out_with_callees(p, LLVMGetGlobalIFuncResolver(i));
}

/* Function values to indices: sorted by address, since a program has tens of thousands of each. */
struct place {
	LLVMValueRef function;
	int index;
};

static int by_function(const void *a, const void *b)
{
	LLVMValueRef x = ((const struct place *)a)->function, y = ((const struct place *)b)->function;
	return x < y ? -1 : x > y;
}

static bool counts_as_call(LLVMValueRef i)
{
	if (!is_call(i))
		return false;
	LLVMValueRef callee = LLVMGetCalledValue(i);
	if (LLVMIsAInlineAsm(callee))
		return false;
	size_t length;
	const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
	return !starts_with(name, "llvm.") && !starts_with(name, "skein_hook_") && !starts_with(name, "skein_cilk_");
}

static void add_site(struct program *p, LLVMValueRef call, unsigned caller, const struct place *places)
{
	struct place key = {.function = LLVMGetCalledValue(call)}, *hit = NULL;
	if (LLVMIsAFunction(key.function) && !shim_is_interposable(key.function))
		hit = bsearch(&key, places, p->routine_count, sizeof *places, by_function);
	p->sites = pass_grow(p->sites, p->site_count, sizeof *p->sites);
	p->sites[p->site_count++] = (struct site){.call = call,
	                                          .caller = caller,
	                                          .callee = hit && p->routines[hit->index].profiled ? hit->index : -1,
	                                          .elsewhere = piece_reaches(key.function)};
}

static void sites_of(struct program *p, unsigned caller, const struct place *places)
{
	LLVMValueRef function = p->routines[caller].function;
	pass_is_at(function);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (counts_as_call(i))
				add_site(p, i, caller, places);
			if (LLVMIsACallInst(i) && LLVMGetTailCallKind(i) == LLVMTailCallKindMustTail)
				p->routines[caller].leaves_by_tail = true;
		}
}

static bool is_direct(const struct site *site)
{
	return site->callee >= 0 || (site->elsewhere && strcmp(pass_option(PLAN_MODE), MODE_COUNTS) == 0);
}

/* Stable: direct sites first, each kind in the order of the program. */
static void direct_first(struct program *p)
{
	size_t room = 1; /* as pass_grow would have made it */
	while (room < p->site_count)
		room *= 2;
	struct site *sorted = malloc(room * sizeof *sorted);
	if (!sorted)
		pass_fail("out of memory");
	size_t n = 0;
	for (size_t i = 0; i < p->site_count; i++)
		if (is_direct(&p->sites[i]))
			sorted[n++] = p->sites[i];
	p->direct_sites = n;
	for (size_t i = 0; i < p->site_count; i++)
		if (!is_direct(&p->sites[i]))
			sorted[n++] = p->sites[i];
	free(p->sites);
	p->sites = sorted;
}

void select_sites(struct program *p)
{
	struct place *places = malloc((p->routine_count + 1) * sizeof *places);
	if (!places)
		pass_fail("out of memory");
	for (size_t i = 0; i < p->routine_count; i++)
		places[i] = (struct place){p->routines[i].function, (int)i};
	qsort(places, p->routine_count, sizeof *places, by_function);
	for (unsigned i = 0; i < p->routine_count; i++)
		if (p->routines[i].profiled)
			sites_of(p, i, places);
	free(places);
	direct_first(p);
}
