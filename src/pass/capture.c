/* SPDX-License-Identifier: MIT */
#include "pass/capture.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pass/lower/lower.h"
#include "pass/pass.h"
#include "pass/returns.h"

/* A line of assembly by which include/cilk/cilk.h makes itself known; the assembler takes it for a comment. */
static bool speaks_cilk(LLVMModuleRef module)
{
	size_t length;
	const char *text = LLVMGetModuleInlineAsm(module, &length);
	static const char mark[] = "# skein: Cilk";
	return length && memmem(text, length, mark, sizeof mark - 1);
}

/* The compile goes on if the file cannot be written: without it the source is compiled once more. */
static void write_file(LLVMMemoryBufferRef contents, const char *path)
{
	size_t size = LLVMGetBufferSize(contents);
	FILE *to = fopen(path, "we");
	bool whole = to && fwrite(LLVMGetBufferStart(contents), 1, size, to) == size;
	if ((to && fclose(to) != 0) || !whole)
		unlink(path);
}

/* What debug information says of where variables are; as calls, which this interface can erase. Scopes stay: lines of included text
 * have their files by them. */
static void forget_places(LLVMModuleRef module)
{
	static const char start[] = "llvm.dbg.";
	size_t length;
	LLVMSetIsNewDbgInfoFormat(module, false);
	for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
		next = LLVMGetNextFunction(f);
		if (strncmp(LLVMGetValueName2(f, &length), start, sizeof start - 1) != 0)
			continue;
		while (LLVMGetFirstUse(f))
			LLVMInstructionEraseFromParent(LLVMGetUser(LLVMGetFirstUse(f)));
		LLVMDeleteFunction(f);
	}
	LLVMSetIsNewDbgInfoFormat(module, true);
	pass_forget_assignments(module);
}

static void write_copy(LLVMModuleRef module, void (*change)(LLVMModuleRef copy), enum plan_key path)
{
	LLVMModuleRef copy = LLVMCloneModule(module);
	change(copy);
	forget_places(copy);
	LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(copy);
	write_file(bitcode, pass_option(path));
	LLVMDisposeMemoryBuffer(bitcode);
	LLVMDisposeModule(copy);
}

void capture_before(LLVMModuleRef module)
{
	if (speaks_cilk(module)) {
		if (*pass_option(PLAN_STRIP))
			LLVMStripModuleDebugInfo(module);
		return;
	}
	names_note(module);
	write_copy(module, lower_at_compile, PLAN_BEFORE);
	if (*pass_option(PLAN_STRIP))
		LLVMStripModuleDebugInfo(module);
}

static void write_returns(LLVMModuleRef module, const char *path)
{
	FILE *to = fopen(path, "we");
	if (!to)
		return;
	returns_write(module, to);
	if (fclose(to) != 0)
		unlink(path);
}

/* Without a file for it the compile ends here, and writes the module itself. */
void capture_after(LLVMModuleRef module)
{
	if (speaks_cilk(module))
		return;
	write_returns(module, pass_option(PLAN_RETURNS));
	if (*pass_option(PLAN_STRIP))
		return;
	if (*pass_option(PLAN_AFTER)) {
		write_copy(module, names_keep, PLAN_AFTER);
	} else {
		names_keep(module);
		forget_places(module);
	}
}
