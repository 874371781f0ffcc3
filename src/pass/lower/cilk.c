/* SPDX-License-Identifier: MIT */
/* cilk.c: the markers that build/cilk/cilk.c leaves, lowered to the form of lower.h.
 *
 * A spawn is a branch on a marker: one arm evaluates the arguments and makes the call, the other is never taken. The spawned call is
 * the last on the way through its arm; the names of clang's blocks tell where that ends. A scope is a variable set from a marker, with
 * another marker wherever control leaves it, so clang itself has found those places. */
#include "pass/lower/lower.h"
#include "pass/pass.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { SPAWN, BLOCK, BLOCK_END, SYNC, JOIN, SCOPE, SCOPE_END, SCOPE_CLOSE, FOR, LOOP, LOOP_END, KINDS };
static const char *const markers[KINDS] = {"__skein_mark_spawn", "__skein_mark_block", "__skein_mark_block_end", "__skein_mark_sync",
                                           "__skein_mark_join",  "__skein_mark_scope", "__skein_mark_scope_end", "__skein_mark_scope_close",
                                           "__skein_mark_for",   "__skein_mark_loop",  "__skein_mark_loop_end"};

struct mark {
	LLVMValueRef call;
	enum kind kind;
	unsigned long long number;
	LLVMValueRef spawned; /* of SPAWN: the call */
};

struct lowering {
	LLVMModuleRef module;
	LLVMBuilderRef builder;
	LLVMValueRef function, entry_scope;
	LLVMValueRef functions[KINDS]; /* the markers' */
	struct mark *marks;
	unsigned count;
	LLVMValueRef *scopes; /* by number; NULL where this function has none */
	unsigned scopes_count;
};

static LLVMValueRef declare(LLVMModuleRef module, const char *name, bool gives, bool takes)
{
	static const char *const attributes[] = {"nounwind", "convergent"};
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
	LLVMValueRef f = LLVMGetNamedFunction(module, name);
	if (f)
		return f;
	f = LLVMAddFunction(module, name, LLVMFunctionType(gives ? pointer : LLVMVoidTypeInContext(context), &pointer, takes, 0));
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
		LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
		                        LLVMCreateEnumAttribute(context,
		                                                LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i])), 0));
	return f;
}

/* A call of ours before an instruction, at the place in the source of another. */
static LLVMValueRef put(struct lowering *l, LLVMValueRef before, LLVMMetadataRef place, const char *name, LLVMValueRef scope)
{
	LLVMValueRef f = declare(l->module, name, !scope, scope);
	LLVMMetadataRef subprogram = LLVMGetSubprogram(l->function);
	LLVMPositionBuilderBefore(l->builder, before);
	if (!place && subprogram)
		place = LLVMDIBuilderCreateDebugLocation(LLVMGetModuleContext(l->module), 0, 0, subprogram, NULL);
	LLVMSetCurrentDebugLocation2(l->builder, place);
	return LLVMBuildCall2(l->builder, LLVMGlobalGetValueType(f), f, &scope, scope != NULL, "");
}

/* A sync in the place of its marker, which may throw where a program is to run in parallel. */
static void put_sync(struct lowering *l, LLVMValueRef marker, LLVMValueRef scope)
{
	if (!LLVMIsAInvokeInst(marker)) {
		put(l, marker, LLVMInstructionGetDebugLoc(marker), "skein_cilk_sync", scope);
		return;
	}
	LLVMValueRef f = declare(l->module, "skein_cilk_sync", false, true);
	LLVMPositionBuilderBefore(l->builder, marker);
	LLVMSetCurrentDebugLocation2(l->builder, LLVMInstructionGetDebugLoc(marker));
	LLVMBuildInvoke2(l->builder, LLVMGlobalGetValueType(f), f, &scope, 1, LLVMGetNormalDest(marker), LLVMGetUnwindDest(marker), "");
}

static void collect(struct lowering *l)
{
	l->count = 0;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			for (int kind = 0; (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && kind < KINDS; kind++)
				if (l->functions[kind] && LLVMGetCalledValue(i) == l->functions[kind]) {
					LLVMValueRef number = LLVMGetNumArgOperands(i) ? LLVMGetOperand(i, 0) : NULL;
					bool known = number && LLVMIsAConstantInt(number);
					l->marks = pass_grow(l->marks, l->count, sizeof *l->marks);
					l->marks[l->count++] =
						(struct mark){i, (enum kind)kind, known ? LLVMConstIntGetZExtValue(number) : 0, NULL};
				}
}

static bool starts_with(LLVMBasicBlockRef block, const char *start)
{
	return strncmp(LLVMGetBasicBlockName(block), start, strlen(start)) == 0;
}

static LLVMValueRef last_call(LLVMBasicBlockRef block)
{
	for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
		size_t length;
		if (LLVMIsAInvokeInst(i) ||
		    (LLVMIsACallInst(i) && !LLVMIsAInlineAsm(LLVMGetCalledValue(i)) &&
		     strncmp(LLVMGetValueName2(LLVMGetCalledValue(i), &length), "llvm.", 5) != 0))
			return i;
	}
	return NULL;
}

/* From the arm to where it meets the other, by any way: the spawned call comes after all the ways of its arguments have met. */
static LLVMValueRef find_spawned(LLVMValueRef marker)
{
	LLVMUseRef use = LLVMGetFirstUse(marker);
	LLVMValueRef branch = use ? LLVMGetUser(use) : NULL, found = NULL;
	if (!branch || !LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
		return NULL;
	LLVMBasicBlockRef b = LLVMGetSuccessor(branch, 1);
	unsigned blocks = LLVMCountBasicBlocks(LLVMGetBasicBlockParent(LLVMGetInstructionParent(marker)));
	for (int depth = 0; blocks > 0; blocks--) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b), call = last_call(b);
		found = call ? call : found;
		if (LLVMGetNumSuccessors(end) == 0)
			return NULL;
		b = LLVMGetSuccessor(end, 0);
		if (LLVMIsABranchInst(end) && LLVMIsConditional(end) && starts_with(b, "cond.true"))
			depth++;
		if (starts_with(b, "cond.end") && depth-- == 0)
			return found;
	}
	return NULL;
}

/* The branch back of the loop whose step holds the marker: the next with clang's own metadata of a loop. */
static LLVMValueRef find_latch(LLVMValueRef marker)
{
	unsigned loop = LLVMGetMDKindIDInContext(LLVMGetModuleContext(
							 LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(marker)))),
	                                         "llvm.loop", 9);
	LLVMBasicBlockRef b = LLVMGetInstructionParent(marker);
	for (unsigned blocks = LLVMCountBasicBlocks(LLVMGetBasicBlockParent(b)); blocks > 0; blocks--) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		bool back = LLVMIsABranchInst(end) && !LLVMIsConditional(end) && starts_with(LLVMGetSuccessor(end, 0), "for.cond");
		if (LLVMGetMetadata(end, loop) || back)
			return end;
		if (LLVMGetNumSuccessors(end) == 0)
			return NULL;
		b = LLVMGetSuccessor(end, 0);
	}
	return NULL;
}

static void lower_for(const struct mark *m)
{
	LLVMValueRef latch = find_latch(m->call);
	if (latch)
		lower_tag_loop(latch, (unsigned)m->number, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(m->call, 1)), "cilk_for");
	LLVMInstructionEraseFromParent(m->call);
}

/* Code that nothing reaches goes. */
static void fold(LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		shim_fold_end(b);
	shim_erase_dead(function);
}

/* The arms that are never taken go, and with them what only they mention: handlers of exceptions, too, and the marks in these. */
static void take_arms(struct lowering *l)
{
	struct mark *before;
	unsigned count = l->count;
	for (unsigned n = 0; n < l->count; n++)
		if (l->marks[n].kind == SPAWN) {
			l->marks[n].spawned = find_spawned(l->marks[n].call);
			LLVMReplaceAllUsesWith(l->marks[n].call, LLVMConstNull(LLVMTypeOf(l->marks[n].call)));
		}
	fold(l->function);
	before = l->marks;
	l->marks = NULL;
	collect(l);
	for (unsigned n = 0; n < l->count; n++)
		for (unsigned b = 0; b < count; b++)
			if (before[b].call == l->marks[n].call)
				l->marks[n].spawned = before[b].spawned;
	free(before);
	LLVMValueRef rethrow = LLVMGetNamedFunction(l->module, "__cxa_rethrow");
	if (rethrow && !LLVMGetFirstUse(rethrow))
		LLVMDeleteFunction(rethrow);
}

static unsigned long long number_of_block(const struct mark *m)
{
	return LLVMConstIntGetZExtValue(LLVMGetOperand(m->call, m->kind == BLOCK ? 1 : 0));
}

static bool spawns(const struct mark *m)
{
	return m->kind == BLOCK || (m->kind == SPAWN && m->spawned);
}

static void open_scopes(struct lowering *l)
{
	for (unsigned n = 0; n < l->count; n++) {
		struct mark *m = &l->marks[n];
		if (m->kind != SCOPE)
			continue;
		for (; l->scopes_count <= m->number; l->scopes_count++) {
			l->scopes = pass_grow(l->scopes, l->scopes_count, sizeof *l->scopes);
			l->scopes[l->scopes_count] = NULL;
		}
		l->scopes[m->number] = put(l, m->call, LLVMInstructionGetDebugLoc(m->call), "skein_cilk_scope", NULL);
	}
	bool needed = false;
	for (unsigned n = 0; n < l->count; n++) {
		unsigned long long number = l->marks[n].number;
		needed |= spawns(&l->marks[n]) && !(number < l->scopes_count && l->scopes[number]);
	}
	l->entry_scope = needed ? put(l, edit_entry(l->function), NULL, "skein_cilk_scope", NULL) : NULL;
}

static LLVMValueRef scope_of(const struct lowering *l, unsigned long long number)
{
	return number < l->scopes_count && l->scopes[number] ? l->scopes[number] : l->entry_scope;
}

/* The number of the scope whose variable a closing marker is given. */
static unsigned long long number_of_variable(const struct lowering *l, LLVMValueRef variable)
{
	for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u), value = LLVMIsAStoreInst(user) ? LLVMGetOperand(user, 0) : NULL;
		if (value && LLVMIsACallInst(value) && LLVMGetCalledValue(value) == l->functions[SCOPE])
			return LLVMConstIntGetZExtValue(LLVMGetOperand(value, 0));
	}
	return 0;
}

/* A sync of nothing, where clang had to reckon with an exception. */
static void quiet(struct lowering *l, LLVMValueRef marker)
{
	LLVMValueRef nothing = LLVMGetIntrinsicDeclaration(l->module, LLVMLookupIntrinsicID("llvm.donothing", 14), NULL, 0);
	LLVMPositionBuilderBefore(l->builder, marker);
	LLVMBuildInvoke2(l->builder, LLVMGlobalGetValueType(nothing), nothing, NULL, 0, LLVMGetNormalDest(marker),
	                 LLVMGetUnwindDest(marker), "");
	LLVMInstructionEraseFromParent(marker);
}

static void lower_syncs(struct lowering *l)
{
	for (unsigned n = 0; n < l->count; n++) {
		struct mark *m = &l->marks[n];
		bool is_sync = m->kind == SYNC || m->kind == JOIN;
		if (!is_sync && m->kind != SCOPE_END && m->kind != SCOPE_CLOSE)
			continue;
		LLVMValueRef scope = scope_of(l, is_sync ? m->number : number_of_variable(l, LLVMGetOperand(m->call, 0)));
		if (scope)
			put_sync(l, m->call, scope);
		if (scope || !LLVMIsAInvokeInst(m->call))
			LLVMInstructionEraseFromParent(m->call);
		else
			quiet(l, m->call);
	}
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->function); b && l->entry_scope; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		if (LLVMIsAReturnInst(end))
			put(l, end, LLVMInstructionGetDebugLoc(end), "skein_cilk_sync", l->entry_scope);
	}
	for (unsigned n = 0; n < l->count; n++)
		if (l->marks[n].kind == SCOPE) {
			LLVMReplaceAllUsesWith(l->marks[n].call, LLVMConstNull(LLVMTypeOf(l->marks[n].call)));
			LLVMInstructionEraseFromParent(l->marks[n].call);
		}
}

static void put_around(struct lowering *l, LLVMValueRef call, LLVMValueRef scope)
{
	LLVMMetadataRef place = LLVMInstructionGetDebugLoc(call);
	LLVMValueRef after = edit_after(call);
	put(l, call, place, "skein_cilk_spawn", scope);
	if (after)
		put(l, after, place, "skein_cilk_spawned", scope);
}

/* The blocks from one to another, which is not among them. */
static unsigned blocks_between(LLVMBasicBlockRef first, LLVMBasicBlockRef end, LLVMBasicBlockRef **blocks)
{
	unsigned count = 0;
	*blocks = pass_grow(NULL, 0, sizeof **blocks);
	(*blocks)[count++] = first;
	for (unsigned n = 0; n < count; n++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator((*blocks)[n]);
		for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++) {
			LLVMBasicBlockRef next = LLVMGetSuccessor(last, s);
			bool seen = next == end;
			for (unsigned k = 0; k < count; k++)
				seen |= (*blocks)[k] == next;
			if (seen)
				continue;
			*blocks = pass_grow(*blocks, count, sizeof **blocks);
			(*blocks)[count++] = next;
		}
	}
	return count;
}

static void refuse_block(LLVMMetadataRef place, LLVMValueRef call)
{
	unsigned bytes;
	const char *file = place ? LLVMGetDebugLocFilename(call, &bytes) : NULL;
	fprintf(stderr, "%.*s:%u:%u: error: a goto cannot leave a block after cilk_spawn, or enter it except at its start\n",
	        file ? (int)bytes : 1, file ? file : "-", LLVMGetDebugLocLine(call), LLVMGetDebugLocColumn(call));
	exit(1);
}

/* The call of a function that runs some iterations, behind a call that says how many there are and where that function
 * looks for its own. */
static void put_for(struct lowering *l, LLVMValueRef call, LLVMValueRef count, LLVMValueRef bounds)
{
	LLVMContextRef c = LLVMGetModuleContext(l->module);
	LLVMTypeRef types[] = {LLVMInt64TypeInContext(c), LLVMPointerTypeInContext(c, 0)};
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), types, 2, 0);
	LLVMValueRef f = LLVMGetNamedFunction(l->module, "skein_cilk_for"), arguments[] = {count, bounds};
	LLVMPositionBuilderBefore(l->builder, call);
	LLVMSetCurrentDebugLocation2(l->builder, LLVMInstructionGetDebugLoc(call));
	LLVMBuildCall2(l->builder, type, f ? f : LLVMAddFunction(l->module, "skein_cilk_for", type), arguments, 2, "");
}

static void lower_block(struct lowering *l, const struct mark *m, LLVMValueRef end)
{
	LLVMValueRef begin = m->call;
	LLVMMetadataRef place = LLVMInstructionGetDebugLoc(begin);
	LLVMBasicBlockRef first = shim_split(m->kind == LOOP ? LLVMGetNextInstruction(begin) : begin), behind = shim_split(end), *blocks;
	unsigned block_count = blocks_between(first, behind, &blocks);
	LLVMValueRef thunk = shim_outline(blocks, block_count,
	                                  m->kind == LOOP                   ? "cilk_for"
	                                          : *pass_option(PLAN_CILK) ? "cilk_spawn"
	                                                                    : "extracted");
	if (!thunk)
		refuse_block(place, begin);
	LLVMValueRef call = LLVMGetUser(LLVMGetFirstUse(thunk));
	LLVMInstructionSetDebugLoc(call, place);
	free(blocks);
	thunk_mark(thunk, m->kind == LOOP ? "loop" : "block");
	if (m->kind == LOOP)
		put_for(l, call, LLVMGetOperand(begin, 1), LLVMGetOperand(begin, 2));
	else
		put_around(l, call, scope_of(l, LLVMConstIntGetZExtValue(LLVMGetOperand(begin, 0))));
}

/* The block with the highest number: it holds no other that is still to be lowered. */
static struct mark *innermost_block(struct lowering *l)
{
	struct mark *last = NULL;
	for (unsigned n = 0; n < l->count; n++)
		if ((l->marks[n].kind == BLOCK || l->marks[n].kind == LOOP) && l->marks[n].call &&
		    (!last || number_of_block(&l->marks[n]) > number_of_block(last)))
			last = &l->marks[n];
	return last;
}

/* A block whose end is not reached, since it ends the program, say, stays where it is. */
static void lower_blocks(struct lowering *l)
{
	for (struct mark *m; (m = innermost_block(l)); m->call = NULL) {
		LLVMValueRef end = NULL;
		for (unsigned n = 0; n < l->count; n++)
			if (l->marks[n].kind == m->kind + 1 && number_of_block(&l->marks[n]) == number_of_block(m))
				end = l->marks[n].call;
		if (end)
			lower_block(l, m, end);
		LLVMInstructionEraseFromParent(m->call);
	}
	for (unsigned n = 0; n < l->count; n++)
		if (l->marks[n].kind == BLOCK_END || l->marks[n].kind == LOOP_END)
			LLVMInstructionEraseFromParent(l->marks[n].call);
}

static void lower_function(struct lowering *l)
{
	collect(l);
	if (!l->count)
		return;
	fold(l->function); /* code that nothing reaches may hold markers, too */
	collect(l);
	for (unsigned n = 0; n < l->count; n++)
		if (l->marks[n].kind == FOR)
			lower_for(&l->marks[n]);
	take_arms(l);
	l->scopes_count = 0;
	open_scopes(l);
	lower_syncs(l);
	for (unsigned n = 0; n < l->count; n++) {
		struct mark *m = &l->marks[n];
		if (m->kind == SPAWN && m->spawned)
			put_around(l, thunk_of_call(m->spawned), scope_of(l, m->number));
		if (m->kind == SPAWN)
			LLVMInstructionEraseFromParent(m->call);
	}
	lower_blocks(l);
}

void lower_cilk(LLVMModuleRef module)
{
	struct lowering l = {.module = module};
	bool any = false;
	for (int kind = 0; kind < KINDS; kind++)
		any |= (l.functions[kind] = LLVMGetNamedFunction(module, markers[kind])) != NULL;
	if (!any)
		return;
	l.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
		next = LLVMGetNextFunction(f);
		l.function = f;
		if (!LLVMIsDeclaration(f))
			lower_function(&l);
	}
	for (int kind = 0; kind < KINDS; kind++)
		if (l.functions[kind] && !LLVMGetFirstUse(l.functions[kind]))
			LLVMDeleteFunction(l.functions[kind]);
	LLVMDisposeBuilder(l.builder);
	free(l.marks);
	free(l.scopes);
}
