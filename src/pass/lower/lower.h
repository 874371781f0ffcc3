/* SPDX-License-Identifier: MIT */
/* lower.h: from keywords to a form that survives optimisation, and back out of it when a program is re-linked.
 *
 * When a source is compiled to bitcode, before anything is optimised, lower_at_compile turns the markers of build/cilk/cilk.h into this:
 *
 *     %s = call ptr @skein_cilk_scope()          at the entry of a function that spawns; at the start of a cilk_scope, and of a cilk_for
 *                                                body or spawned block that spawns
 *     call void @skein_cilk_spawn(ptr %s)
 *     call void @f.skein_spawn(…)                or invoke; carries the place of the spawned call in the source
 *     call void @skein_cilk_spawned(ptr %s)
 *     call void @skein_cilk_sync(ptr %s)         for cilk_sync, where a scope is left, and before a function that spawns returns
 *
 * The callee is a thunk, internal, noinline and optnone, with the attribute "skein-spawn": "call", "block", or "serial"
 * for a call that C++ wants to be over when its caller goes on (thunk.c). Arguments were evaluated before; the result
 * is stored inside. It is optnone so that nothing is known of its pointers: what it stores may be read behind the sync
 * only.
 *
 * Loops over whose iterations a program is parallel keep their shape; the latch's !llvm.loop has !{!"skein.loop", i32
 * line, i32 column, !KIND}, KIND being cilk_for, omp for, omp sections or omp taskloop, and they are not unrolled.
 *
 * A source without Cilk is not compiled for this. Its bitcode is as it was (pass/capture.h), and is lowered at the start of a
 * re-link. Functions that were lowered say so.
 *
 * At the start of a re-link lower_at_link dissolves the thunks. A lens that keeps calls (pass/lens.h) finds the spawned call, not
 * inlined, between its two markers; for the others nothing is left but the serial program. */
#ifndef SKEIN_LOWER_H
#define SKEIN_LOWER_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#define LOWER_THUNK "skein-spawn"

void lower_at_compile(LLVMModuleRef module);
void lower_at_link(LLVMModuleRef module); /* first of all at the start of the link */
/* Into their parts, which a compile does and a link does not: for bitcode from before its compile was done (pass/capture.h). */
void lower_coroutines(LLVMModuleRef module);
void lower_erase_markers(LLVMModuleRef module); /* what is left of spawns and syncs */

bool lower_is_raw(LLVMValueRef function); /* nothing was done to it before */
void lower_hold(LLVMModuleRef module, bool only_raw);
void lower_release(LLVMModuleRef module, bool keeps_calls); /* pass/lens.h */
void lower_cilk(LLVMModuleRef module);
void lower_openmp(LLVMModuleRef module);
void lower_tag_loop(LLVMValueRef latch, unsigned line, unsigned column, const char *kind);

/* thunk.c: puts the call, and what stores its result, into a thunk; returns the thunk's call, which stands in its place. */
LLVMValueRef thunk_of_call(LLVMValueRef call);
void thunk_mark(LLVMValueRef function, const char *kind);

/* shim.cpp */
void shim_add_to_loop(LLVMValueRef latch, LLVMMetadataRef *entries, unsigned count); /* to the !llvm.loop of a branch back to a header */
void shim_fold_end(LLVMBasicBlockRef block); /* folds the block's last branch, if its condition is constant */
void shim_erase_dead(LLVMValueRef function); /* blocks that nothing reaches */
/* the new function, NAME.suffix, or NULL: the blocks have no single way in and out */
LLVMValueRef shim_outline(LLVMBasicBlockRef *blocks, unsigned count, const char *suffix);

#endif
