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

static void write_module(LLVMModuleRef module, enum plan_key path)
{
	LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
	write_file(bitcode, pass_option(path));
	LLVMDisposeMemoryBuffer(bitcode);
}

static void write_before(LLVMModuleRef module)
{
	names_note(module);
	write_module(module, PLAN_BEFORE);
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

void capture_optimised(LLVMModuleRef module)
{
	names_keep(module);
	write_module(module, PLAN_AFTER);
}

/* The module itself is changed only if it is written as it is: the user's native code must not be. */
static void write_after(LLVMModuleRef module)
{
	write_returns(module, pass_option(PLAN_RETURNS));
	if (*pass_option(PLAN_AFTER))
		capture_optimised(module);
	else if (*pass_option(PLAN_EMITS))
		names_keep(module);
}

/* What crashes in here is not the compiler's fault. */
static void work(void (*write)(LLVMModuleRef module), LLVMModuleRef module)
{
	char mark[4096];
	snprintf(mark, sizeof mark, "%s" PLAN_AT_WORK_ENDING, pass_option(PLAN_BEFORE));
	FILE *to = fopen(mark, "we");
	if (to)
		fclose(to);
	write(module);
	unlink(mark);
}

void capture_before(LLVMModuleRef module)
{
	if (!speaks_cilk(module))
		work(write_before, module);
	if (*pass_option(PLAN_STRIP))
		LLVMStripModuleDebugInfo(module);
}

void capture_after(LLVMModuleRef module)
{
	if (!speaks_cilk(module))
		work(write_after, module);
}
