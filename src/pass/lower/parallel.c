/* SPDX-License-Identifier: MIT */
/* parallel.c: spawns and syncs. */
#include "pass/lower/parallel.h"

#include <stdlib.h>
#include <string.h>
#include "cilk/frame.h"
#include "pass/lower/lower.h"
#include "pass/pass.h"
#include "pass/span/span.h"

static unsigned kind_of(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void add_attribute(struct parallel *p, LLVMValueRef function, const char *name)
{
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(p->context, kind_of(name), 0));
}

static bool raises(const char *name)
{
	return strcmp(name, "skein_cilk_join") == 0 || strcmp(name, "skein_cilk_loop") == 0 || strcmp(name, "skein_cilk_enter") == 0;
}

static LLVMValueRef declare(struct parallel *p, const char *name, LLVMTypeRef result, LLVMValueRef *arguments, unsigned count)
{
	LLVMValueRef f = LLVMGetNamedFunction(p->module, name);
	LLVMTypeRef types[8];
	if (f)
		return f;
	for (unsigned n = 0; n < count; n++)
		types[n] = LLVMTypeOf(arguments[n]);
	f = LLVMAddFunction(p->module, name, LLVMFunctionType(result, types, count, 0));
	LLVMSetVisibility(f, LLVMHiddenVisibility);
	if (!raises(name))
		add_attribute(p, f, "nounwind");
	if (result == p->u1)
		LLVMAddAttributeAtIndex(f, LLVMAttributeReturnIndex, LLVMCreateEnumAttribute(p->context, kind_of("zeroext"), 0));
	return f;
}

LLVMValueRef parallel_call(struct parallel *p, const char *name, LLVMTypeRef result, LLVMValueRef *arguments, unsigned count)
{
	LLVMValueRef f = declare(p, name, result, arguments, count);
	return LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(f), f, arguments, count, "");
}

LLVMMetadataRef parallel_place(struct parallel *p, LLVMValueRef like, const char *kind)
{
	LLVMMetadataRef place = LLVMInstructionGetDebugLoc(like),
			subprogram = LLVMGetSubprogram(LLVMGetBasicBlockParent(LLVMGetInstructionParent(like)));
	char file[64] = CILK_MARK;

	if (!subprogram)
		return NULL;
	unsigned line = place ? LLVMDILocationGetLine(place) : 0, column = place ? LLVMDILocationGetColumn(place) : 0;
	strncat(file, kind, sizeof file - sizeof CILK_MARK);
	LLVMMetadataRef scope = LLVMDIBuilderCreateLexicalBlockFile(p->debug, place ? LLVMDILocationGetScope(place) : subprogram,
	                                                            LLVMDIBuilderCreateFile(p->debug, file, strlen(file), "", 0), 0);
	return LLVMDIBuilderCreateDebugLocation(p->context, line ? line : LLVMDISubprogramGetLine(subprogram), line ? column : 0, scope,
	                                        place ? LLVMDILocationGetInlinedAt(place) : NULL);
}

void parallel_copy_attributes(LLVMValueRef from, LLVMValueRef to)
{
	for (unsigned index = 0; index <= LLVMGetNumArgOperands(from) + 1; index++) {
		unsigned at = index > LLVMGetNumArgOperands(from) ? (unsigned)LLVMAttributeFunctionIndex : index;
		unsigned count = LLVMGetCallSiteAttributeCount(from, at);
		LLVMAttributeRef *all = pass_zeroed(count, sizeof *all);
		LLVMGetCallSiteAttributes(from, at, all);
		for (unsigned a = 0; a < count; a++)
			LLVMAddCallSiteAttribute(to, at, all[a]);
		free(all);
	}
	LLVMSetInstructionCallConv(to, LLVMGetInstructionCallConv(from));
}

LLVMValueRef parallel_function(struct parallel *p, LLVMValueRef like, const char *suffix, LLVMTypeRef type)
{
	size_t length;
	const char *name = LLVMGetValueName2(like, &length);
	char *own = pass_zeroed(length + strlen(suffix), 1);
	unsigned count = LLVMGetAttributeCountAtIndex(like, LLVMAttributeFunctionIndex);
	LLVMAttributeRef *all = pass_zeroed(count, sizeof *all);

	memcpy(own, name, length);
	strcpy(own + length, suffix);
	LLVMValueRef f = LLVMAddFunction(p->module, own, type);
	LLVMGetAttributesAtIndex(like, LLVMAttributeFunctionIndex, all);
	for (unsigned a = 0; a < count; a++) /* compiled for the same machine */
		if ((LLVMIsStringAttribute(all[a]) || LLVMGetEnumAttributeKind(all[a]) == kind_of("uwtable")) &&
		    all[a] != LLVMGetStringAttributeAtIndex(like, LLVMAttributeFunctionIndex, LOWER_THUNK, sizeof LOWER_THUNK - 1))
			LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, all[a]);
	LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMSetSection(f, CILK_SECTION);
	LLVMPositionBuilderAtEnd(p->builder, LLVMAppendBasicBlockInContext(p->context, f, "entry"));
	LLVMSetCurrentDebugLocation2(p->builder, NULL);
	free(own);
	free(all);
	return f;
}

LLVMValueRef parallel_frame(struct parallel *p, struct spawner *s)
{
	LLVMTypeRef type = LLVMArrayType2(p->u64, CILK_FRAME_WORDS);
	LLVMValueRef first = edit_entry(s->function);

	LLVMPositionBuilderBefore(p->builder, first);
	LLVMSetCurrentDebugLocation2(p->builder, NULL);
	LLVMValueRef frame = LLVMBuildAlloca(p->builder, type, "cilk_frame");
	LLVMSetCurrentDebugLocation2(p->builder, parallel_place(p, first, "task"));
	LLVMBuildStore(p->builder, LLVMConstNull(type), frame);
	s->frames = pass_grow(s->frames, s->frame_count, sizeof *s->frames);
	s->frames[s->frame_count++] = frame;
	return frame;
}

/* run(arguments, frame): the spawned call, in the worker that takes the task. */
static LLVMValueRef make_run(struct parallel *p, const struct pack *k, bool throws)
{
	LLVMTypeRef types[] = {p->pointer, p->pointer};
	LLVMValueRef run = parallel_function(p, k->function, ".run", LLVMFunctionType(p->nothing, types, 2, 0));
	LLVMValueRef *values = pass_zeroed(k->count, sizeof *values);

	pack_load(k, p, LLVMGetParam(run, 0), values);
	LLVMValueRef call = pack_call(k, p, values, LLVMGetParam(run, 1), throws);
	if (strcmp(block_kind(k->function), "call") != 0) /* the function has lines of its own */
		LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(p->context, kind_of("noinline"), 0));
	LLVMBuildRetVoid(p->builder);
	free(values);
	return run;
}

static void fill_task(struct parallel *p, const struct pack *k, LLVMValueRef call, LLVMValueRef frame, LLVMValueRef run)
{
	LLVMValueRef ask[] = {frame, run, LLVMConstInt(p->u64, k->bytes, 0)};
	LLVMValueRef *values = pass_zeroed(k->count, sizeof *values);

	for (unsigned n = 0; n < k->count; n++)
		values[n] = LLVMGetOperand(call, n);
	LLVMValueRef task = parallel_call(p, "skein_cilk_task", p->pointer, ask, 3), push[] = {frame, task};
	pack_store(k, p, task, values);
	parallel_call(p, "skein_cilk_push", p->nothing, push, 2);
	free(values);
}

static void lower_spawn(struct parallel *p, struct spawner *s, LLVMValueRef call, LLVMValueRef frame)
{
	LLVMValueRef thunk = LLVMGetCalledValue(call);
	LLVMMetadataRef place = parallel_place(p, call, "task");
	struct pack k;

	if (strcmp(block_kind(thunk), "serial") == 0)
		return; /* the caller needs the call to be over */
	pack_begin(&k, p, thunk, 0, NULL);
	LLVMValueRef run = make_run(p, &k, s->throws);
	LLVMBasicBlockRef before = LLVMGetInstructionParent(call), direct = shim_split(call);
	LLVMBasicBlockRef behind = LLVMIsAInvokeInst(call) ? shim_split_edge(call, 0) : shim_split(LLVMGetNextInstruction(call));
	LLVMBasicBlockRef task = LLVMInsertBasicBlockInContext(p->context, direct, "task");
	LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
	LLVMPositionBuilderAtEnd(p->builder, before);
	LLVMSetCurrentDebugLocation2(p->builder, place);
	LLVMBuildCondBr(p->builder, parallel_call(p, "skein_cilk_wants", p->u1, NULL, 0), task, direct);
	LLVMPositionBuilderAtEnd(p->builder, task);
	fill_task(p, &k, call, frame, run);
	LLVMBuildBr(p->builder, behind);
	pack_end(&k);
}

static void lower_sync(struct parallel *p, LLVMValueRef sync)
{
	LLVMValueRef frame = LLVMGetOperand(sync, 0);

	LLVMPositionBuilderBefore(p->builder, sync);
	LLVMSetCurrentDebugLocation2(p->builder, parallel_place(p, sync, "sync"));
	LLVMValueRef join = declare(p, "skein_cilk_join", p->nothing, &frame, 1);
	if (LLVMIsAInvokeInst(sync))
		LLVMBuildInvoke2(p->builder, LLVMGlobalGetValueType(join), join, &frame, 1, LLVMGetNormalDest(sync),
		                 LLVMGetUnwindDest(sync), "");
	else
		LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(join), join, &frame, 1, "");
	LLVMInstructionEraseFromParent(sync);
}

static bool is_marker(LLVMValueRef i, const char *name)
{
	size_t length;
	return (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && strcmp(LLVMGetValueName2(LLVMGetCalledValue(i), &length), name) == 0;
}

LLVMValueRef *parallel_markers(LLVMValueRef function, const char *name, unsigned *count)
{
	LLVMValueRef *found = NULL;

	*count = 0;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (is_marker(i, name)) {
				found = pass_grow(found, *count, sizeof *found);
				found[(*count)++] = i;
			}
	return found;
}

static void make_frames(struct parallel *p, struct spawner *s)
{
	unsigned count;
	LLVMValueRef *scopes = parallel_markers(s->function, "skein_cilk_scope", &count);

	for (unsigned n = 0; n < count; n++) {
		LLVMReplaceAllUsesWith(scopes[n], parallel_frame(p, s));
		LLVMInstructionEraseFromParent(scopes[n]);
	}
	free(scopes);
}

static void lower_function(struct parallel *p, struct spawner *s)
{
	unsigned spawns, syncs, ends;

	make_frames(p, s);
	loop_lower(p, s);
	if (!s->frame_count)
		return;
	end_hold(p, s);
	LLVMValueRef *spawn = parallel_markers(s->function, "skein_cilk_spawn", &spawns);
	for (unsigned n = 0; n < spawns; n++) {
		LLVMValueRef call = edit_call_of(spawn[n]);
		if (call)
			lower_spawn(p, s, call, LLVMGetOperand(spawn[n], 0));
		LLVMInstructionEraseFromParent(spawn[n]);
	}
	LLVMValueRef *end = parallel_markers(s->function, "skein_cilk_spawned", &ends);
	for (unsigned n = 0; n < ends; n++)
		LLVMInstructionEraseFromParent(end[n]);
	LLVMValueRef *sync = parallel_markers(s->function, "skein_cilk_sync", &syncs);
	for (unsigned n = 0; n < syncs; n++)
		lower_sync(p, sync[n]);
	free(spawn);
	free(end);
	free(sync);
	if (s->throws)
		throw_guard(p, s);
}

static void release_thunk(struct parallel *p, LLVMValueRef f)
{
	const char *kind = block_kind(f);

	if (!*kind)
		return;
	LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of("optnone"));
	LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of("noinline"));
	if (strcmp(kind, "block") != 0 && strcmp(kind, "loop") != 0)
		add_attribute(p, f, "alwaysinline");
}

static void drop_markers(LLVMModuleRef module)
{
	static const char *const names[] = {"skein_cilk_scope", "skein_cilk_spawn", "skein_cilk_spawned",
	                                    "skein_cilk_sync",  "skein_cilk_for",   "__skein_mark_low"};
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		LLVMValueRef f = LLVMGetNamedFunction(module, names[n]);
		if (f && !LLVMGetFirstUse(f))
			LLVMDeleteFunction(f);
	}
}

void parallel_lower(LLVMModuleRef module, bool cxx)
{
	LLVMContextRef c = LLVMGetModuleContext(module);
	struct parallel p = {.module = module,
	                     .context = c,
	                     .builder = LLVMCreateBuilderInContext(c),
	                     .debug = LLVMCreateDIBuilderDisallowUnresolved(module),
	                     .nothing = LLVMVoidTypeInContext(c),
	                     .pointer = LLVMPointerTypeInContext(c, 0),
	                     .u1 = LLVMInt1TypeInContext(c),
	                     .u32 = LLVMInt32TypeInContext(c),
	                     .u64 = LLVMInt64TypeInContext(c),
	                     .cxx = cxx};
	struct spawner *all = NULL;
	size_t count = 0;

	block_settle(&p);
	LLVMValueRef last = LLVMGetLastFunction(module), f = LLVMGetFirstFunction(module);

	for (bool more = f != NULL; more; f = LLVMGetNextFunction(f)) { /* not those that are made meanwhile */
		more = f != last;
		struct spawner s = {.function = f};
		if (LLVMIsDeclaration(f))
			continue;
		s.throws = cxx && !LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of("nounwind"));
		lower_function(&p, &s);
		if (!s.frame_count)
			continue;
		all = pass_grow(all, count, sizeof *all);
		all[count++] = s;
	}
	for (f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		release_thunk(&p, f);
	enter_wrap(&p, all, count);
	drop_markers(module);
	for (size_t n = 0; n < count; n++)
		free(all[n].frames);
	free(all);
	LLVMDisposeDIBuilder(p.debug);
	LLVMDisposeBuilder(p.builder);
}
