/* SPDX-License-Identifier: MIT */
/* parallel.h: from the form of lower.h to tasks of LLVM's OpenMP runtime.
 *
 * A source that speaks Cilk has two bitcodes. One keeps its keywords for the lenses (lower.h). The other, for programs
 * that are to run in parallel, is lowered here at the same event of the compile, while every variable still lies in
 * memory, to calls of src/cilk:
 *
 *     a scope              a frame on the stack of its function (src/cilk/frame.h)
 *     a spawn              if (skein_cilk_wants()) { p = skein_cilk_task(frame, run, bytes); copy arguments to p; skein_cilk_push(frame,
 *                          p); }
 *                          else the call, in place
 *     a sync               skein_cilk_join(frame)
 *     a cilk_for           skein_cilk_loop(frame, count, run, context)
 *     a function with any  its body moves to NAME.skein_body; NAME calls it, through skein_cilk_enter where no region is open
 *
 * What is generated has the file "parallel-overhead:KIND" and the line of the keyword; functions without a counterpart
 * in the source lie in the section skein_cilk. Exceptions that leave a spawned call go on from the sync.
 *
 * One file a step: parallel.c spawns and syncs, parallel_block.c whose a variable is, parallel_pack.c arguments through
 * memory, parallel_throw.c exceptions, parallel_end.c the end of a function, parallel_enter.c the way in,
 * parallel_loop.c loops. */
#ifndef SKEIN_PARALLEL_H
#define SKEIN_PARALLEL_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stddef.h>

struct parallel {
	LLVMModuleRef module;
	LLVMContextRef context;
	LLVMBuilderRef builder;
	LLVMDIBuilderRef debug;
	LLVMTypeRef nothing, pointer, u1, u32, u64;
	bool cxx;
};

/* A function that spawns, with a frame for each of its scopes and loops. */
struct spawner {
	LLVMValueRef function;
	LLVMValueRef *frames;
	unsigned frame_count;
	bool throws; /* exceptions may pass through it */
};

void parallel_lower(LLVMModuleRef module, bool cxx);

/* parallel.c: what the others need of it. */
/* of src/cilk, at the builder */
LLVMValueRef parallel_call(struct parallel *p, const char *name, LLVMTypeRef result, LLVMValueRef *arguments, unsigned count);
LLVMValueRef parallel_frame(struct parallel *p, struct spawner *s);                      /* a new one */
LLVMMetadataRef parallel_place(struct parallel *p, LLVMValueRef like, const char *kind); /* the instruction's line, marked as overhead */
/* internal, in our section, empty but for a block */
LLVMValueRef parallel_function(struct parallel *p, LLVMValueRef like, const char *suffix, LLVMTypeRef type);
LLVMValueRef *parallel_markers(LLVMValueRef function, const char *name, unsigned *count); /* calls of a marker; the caller frees the list */
void parallel_copy_attributes(LLVMValueRef from, LLVMValueRef to);                        /* from call to call */

/* parallel_pack.c: values on their way through memory. A parameter that is passed as a copy travels as one. */
struct pack {
	LLVMValueRef function; /* the function that has these parameters */
	unsigned count;
	LLVMTypeRef *types; /* in memory */
	unsigned long long *offsets, bytes;
	bool *copied;
};
/* NULL, or types of those pointed to that travel as copies, too */
void pack_begin(struct pack *k, struct parallel *p, LLVMValueRef function, unsigned long long start, const LLVMTypeRef *variables);
void pack_store(const struct pack *k, struct parallel *p, LLVMValueRef memory, const LLVMValueRef *values);
void pack_load(const struct pack *k, struct parallel *p, LLVMValueRef memory, LLVMValueRef *values);
/* stores an exception of the call in the frame */
LLVMValueRef pack_call(const struct pack *k, struct parallel *p, LLVMValueRef *values, LLVMValueRef frame, bool throws);
void pack_end(struct pack *k);

/* parallel_throw.c */
/* no exception reaches or leaves the function before its spawned calls are over */
void throw_guard(struct parallel *p, const struct spawner *s);
/* calls; the builder goes on behind */
LLVMValueRef throw_caught(struct parallel *p, LLVMValueRef function, LLVMValueRef *arguments, unsigned count, LLVMValueRef frame);

/* parallel_end.c, while syncs are markers */
void end_hold(struct parallel *p, const struct spawner *s); /* variables outlive the spawned calls that may use them */

/* parallel_enter.c */
void enter_wrap(struct parallel *p, const struct spawner *all, size_t count);
void enter_rename(LLVMModuleRef module); /* at the end of the link: names a body NAME where no outside code needs the entry function */

/* parallel_block.c */
void block_settle(struct parallel *p); /* what is declared inside a block or loop becomes its function's own */
/* Only the called function reads the variable, and its address is not known elsewhere. */
bool block_only_reads(LLVMValueRef variable, LLVMValueRef call, unsigned argument);
const char *block_kind(LLVMValueRef function); /* call, block, serial or loop; "": no thunk */

/* parallel_loop.c */
void loop_lower(struct parallel *p, struct spawner *s);

#endif
