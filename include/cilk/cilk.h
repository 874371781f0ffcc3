/* SPDX-License-Identifier: MIT */
/* cilk.h: the keywords of Cilk for a stock compiler.
 *
 * By default they are the serial elision: the program is the C or C++ program that is left when they are taken out.
 * skein-cc takes what its lenses need from the same compile, but for a source that speaks Cilk (doc/cilk.md), which it knows by the
 * comment for the assembler below. Such a source is compiled a second time. There __skein_bitcode__ is 1, and including this file
 * stops the compile; the source is then preprocessed with __skein_bitcode__ 2, the words below are turned into calls of the
 * markers, and that is compiled. */
#ifndef SKEIN_CILK_H
#define SKEIN_CILK_H
#pragma GCC system_header

#if !defined(__skein_bitcode__)

#define cilk_spawn
#define cilk_sync ((void)0)
#define cilk_for for
#define cilk_scope
#define cilk_reducer(identity, reduce)
__asm__("# skein: Cilk");

#elif __skein_bitcode__ == 1

#include "skein-cc: this source speaks Cilk"

#else

#define cilk_spawn __sk_spawn
#define cilk_sync __sk_sync
#define cilk_for __sk_for
#define cilk_scope __sk_scope
#define cilk_reducer(identity, reduce) __sk_reducer

#ifdef __cplusplus
extern "C" {
typedef int __skein_is_cxx;
__attribute__((nothrow)) bool __skein_mark_spawn(int scope);
#else
__attribute__((nothrow)) _Bool __skein_mark_spawn(int scope);
#endif
__attribute__((nothrow)) void __skein_mark_block(int scope, int block);
__attribute__((nothrow)) void __skein_mark_block_end(int block);
__attribute__((nothrow)) void __skein_mark_sync(int scope);
void __skein_mark_join(int scope); /* a sync that may throw: where calls run beside each other, and in C++ only */
void __skein_mark_scope_close(char *scope);
__attribute__((nothrow)) char __skein_mark_scope(int scope);
__attribute__((nothrow)) void __skein_mark_scope_end(char *scope);
__attribute__((nothrow)) void __skein_mark_for(int line, int column);
__attribute__((nothrow)) void __skein_mark_loop(int block, unsigned long count, void *bounds);
__attribute__((nothrow)) void __skein_mark_loop_end(int block);
__attribute__((nothrow)) unsigned long __skein_mark_low(void);
#ifdef __cplusplus
}
#endif

#endif

#define _Cilk_spawn cilk_spawn
#define _Cilk_sync cilk_sync
#define _Cilk_for cilk_for
#define _Cilk_scope cilk_scope
#define _Hyperobject cilk_reducer

#endif
