/* SPDX-License-Identifier: MIT */
/* capture.h: bitcode of a source, from the compile that makes its native code.
 *
 * The compile is as it would be without the plugin, to the byte of what it makes; on the way the module is written down twice. Before anything
 * is optimised it goes to PLAN_BEFORE: for a lens that decides itself what is inlined, and for links that optimise the program as a whole. At the end it is written to PLAN_AFTER, as code is about to be
 * made of it: most lenses take that, and so profile the functions that the native program has. What the functions of other objects must
 * know of it goes to PLAN_RETURNS (returns.h).
 *
 * Where no debug information was asked for there is some until the first file is written, and none from then on: the optimiser does now and
 * then something else where there is some. So there is no second file.
 *
 * A source that speaks Cilk needs a compile of its own (build/compile.h), and is not written. */
#ifndef SKEIN_PASS_CAPTURE_H
#define SKEIN_PASS_CAPTURE_H

#include <llvm-c/Core.h>

void capture_before(LLVMModuleRef module);
void capture_after(LLVMModuleRef module);
void capture_optimised(LLVMModuleRef module); /* the same of a piece that a re-link optimised */

#endif
