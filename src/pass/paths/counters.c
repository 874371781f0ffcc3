/* SPDX-License-Identifier: MIT */
/* counters.c: writes down where clang's own instrumentation has its counters (pass/counters.h), for the profile that paths estimate. */
#include "pass/counters.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>
#include "pass/blocks.h"

struct function {
	LLVMValueRef named; /* the global that holds its name in the profile; NULL: it has no counters */
	unsigned long long hash, counters;
	unsigned long long sites[COUNTERS_KINDS];
};

struct place {
	const char *file;
	unsigned bytes, line;
	bool inlined;
};

/* What is behind llvm.instrprof. in the name of the called function, or NULL. */
static const char *instrumentation(LLVMValueRef i)
{
	static const char start[] = "llvm.instrprof.";
	size_t length;
	if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i)))
		return NULL;
	const char *name = LLVMGetValueName2(LLVMGetCalledValue(i), &length);
	return strncmp(name, start, sizeof start - 1) == 0 ? name + sizeof start - 1 : NULL;
}

static unsigned long long number(LLVMValueRef call, unsigned argument)
{
	return LLVMConstIntGetZExtValue(LLVMGetOperand(call, argument));
}

/* increment(NAME, HASH, COUNTERS, COUNTER), increment.step(…, STEP), value.profile(NAME, HASH, VALUE, KIND, SITE) */
static bool is_increment(const char *what)
{
	return strcmp(what, "increment") == 0;
}

static bool is_step(const char *what)
{
	return strcmp(what, "increment.step") == 0;
}

static void take_call(struct function *f, LLVMValueRef call, const char *what)
{
	if (is_increment(what) || is_step(what)) {
		f->named = LLVMGetOperand(call, 0);
		f->hash = number(call, 1);
		f->counters = number(call, 2);
	} else if (strcmp(what, "value.profile") == 0 && number(call, 3) < COUNTERS_KINDS) {
		unsigned long long *sites = &f->sites[number(call, 3)];
		*sites = number(call, 4) >= *sites ? number(call, 4) + 1 : *sites;
	}
}

static struct function read_function(const struct blocks *b)
{
	struct function f = {0};
	for (size_t k = 0; k < b->count; k++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(b->at[k]); i; i = LLVMGetNextInstruction(i))
			if (instrumentation(i))
				take_call(&f, i, instrumentation(i));
	return f;
}

static struct place place_of(LLVMValueRef i)
{
	struct place p = {0};
	LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i), file = at ? LLVMDIScopeGetFile(LLVMDILocationGetScope(at)) : NULL;
	if (!file)
		return p;
	p.file = LLVMDIFileGetFilename(file, &p.bytes);
	p.line = LLVMDILocationGetLine(at);
	p.inlined = LLVMDILocationGetInlinedAt(at);
	return p;
}

/* A line once, if its instructions follow each other. */
static void write_lines(FILE *to, LLVMBasicBlockRef block)
{
	struct place last = {0};
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
		struct place p = LLVMIsAPHINode(i) || instrumentation(i) ? (struct place){0} : place_of(i);
		if (!p.file || !p.line || (p.file == last.file && p.line == last.line && p.inlined == last.inlined))
			continue;
		fputc('l', to);
		pass_field(to, p.file, p.bytes);
		fprintf(to, "\t%u\t%d\n", p.line, p.inlined);
		last = p;
	}
}

static void write_block(FILE *to, LLVMBasicBlockRef block)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
	LLVMOpcode op = LLVMGetInstructionOpcode(last);
	char counter[24] = "-";
	unsigned instructions = 0;
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
		const char *what = instrumentation(i);
		instructions += !what && !LLVMIsAPHINode(i);
		if (what && is_increment(what))
			snprintf(counter, sizeof counter, "%llu", number(i, 3));
	}
	fprintf(to, "b\t%s\t%u\t%d\n", counter, instructions, op == LLVMRet || op == LLVMUnreachable || op == LLVMResume);
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
		if (instrumentation(i) && is_step(instrumentation(i)))
			fprintf(to, "c\t%llu\n", number(i, 3));
	write_lines(to, block);
}

/* A block is a value that the last instructions of those before it use, once for each edge. */
static void write_befores(FILE *to, const struct blocks *b, LLVMBasicBlockRef block)
{
	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u))
		if (LLVMIsATerminatorInst(LLVMGetUser(u)))
			fprintf(to, "p\t%zu\n", blocks_number(b, LLVMGetInstructionParent(LLVMGetUser(u))));
}

static bool write_function(FILE *to, LLVMValueRef function)
{
	struct blocks b;
	size_t length = 0;
	blocks_begin(&b, function);
	struct function f = read_function(&b);
	LLVMValueRef text = f.named && LLVMIsAGlobalVariable(f.named) ? LLVMGetInitializer(f.named) : NULL;
	bool has = text && LLVMIsConstantString(text) && f.counters;
	if (has) {
		const char *name = LLVMGetAsString(text, &length);
		fputc('f', to);
		pass_field(to, name, length);
		fprintf(to, "\t%llu\t%llu\t%llu\t%llu\t%llu\n", f.hash, f.counters, f.sites[0], f.sites[1], f.sites[2]);
		for (size_t k = 0; k < b.count; k++) {
			write_block(to, b.at[k]);
			write_befores(to, &b, b.at[k]);
		}
	}
	blocks_end(&b);
	return has;
}

void counters_write(LLVMModuleRef module)
{
	const char *path = pass_option(PLAN_COUNTERS);
	size_t functions = 0;
	if (!*path)
		return;
	FILE *to = fopen(path, "w");
	if (!to)
		pass_fail("cannot write the counters %s", path);
	fprintf(to, COUNTERS_MAGIC "\t%d\n", COUNTERS_VERSION);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		functions += !LLVMIsDeclaration(f) && write_function(to, f);
	fprintf(to, "end\t%zu\n", functions);
	if (fclose(to) != 0)
		pass_fail("cannot write the counters %s", path);
}
