/* SPDX-License-Identifier: MIT */
/* cilk.h: the keywords of Cilk in a preprocessed source, turned into calls of markers that the plugin lowers.
 *
 * include/cilk/cilk.h turns the keywords into words of the same length that no program uses (__sk_spawn …) and declares the markers.
 * Here N is the number of the cilk_scope, cilk_for body or spawned block around, 0 being the function itself, and K that of the block:
 *
 *     cilk_spawn f(x)         C: (__skein_mark_spawn(N) ? *(__typeof__(f(x)) *)0 : f(x))     C++: (__skein_mark_spawn(N) ? throw : f(x))
 *     cilk_spawn { … }        C: { __skein_mark_block(N, K); { … } __skein_mark_block_end(K); }  C++: a spawned call of a lambda
 *     cilk_sync               __skein_mark_sync(N)
 *     cilk_scope { … }        { a variable that opens scope N, and closes it wherever control leaves; { … } }
 *     cilk_for (a; b; c) …    for (a; b; __skein_mark_for(line, column), c) …, with a scope around a body that spawns
 *
 * Where calls are to run beside each other, syncs of C++ may throw, and a cilk_for is a loop over some of its iterations (loop.h):
 *
 *     cilk_for (a; b; c) …    C: { …; __skein_mark_loop(K, count, bounds); for (…) { … } __skein_mark_loop_end(K); }
 *                             C++: { …; [&](low, behind) { for (…) { … } }(__skein_mark_low(), count); }
 *
 * The conditional gives every type of result its room and divides the call and its arguments from what the statement does with
 * the result; the arm that is never taken has the type of the call in C and any type in C++.
 * Line markers are added so that the rest of the text keeps its lines and columns. */
#ifndef SKEIN_CILK_REWRITE_H
#define SKEIN_CILK_REWRITE_H

#include <stdbool.h>
#include "base/blob.h"

/* Writes the text with markers to a file and tells which language it is. -1 when the program says what Cilk cannot:
 * then `why` is a compiler's error message with file, line and column. */
enum cilk_form { CILK_SERIAL, CILK_PARALLEL }; /* for lenses; for a program that runs in parallel */
int cilk_rewrite(struct blob text, enum cilk_form form, const char *output, bool *cxx, struct fail *why);

#endif
