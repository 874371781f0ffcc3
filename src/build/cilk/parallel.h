/* SPDX-License-Identifier: MIT */
/* parallel.h: Cilk programs that run in parallel.
 *
 * skein-cc -fcilk=parallel links a program as ever, which leaves a note, and then again from that note (recipe.h) with
 * the bitcode in which spawned calls are tasks, src/cilk and LLVM's OpenMP runtime. A lens does the same to a program
 * that runs serially with CILK=parallel in its plan (relink.h). */
#ifndef SKEIN_BUILD_PARALLEL_H
#define SKEIN_BUILD_PARALLEL_H

#include "base/fail.h"
#include "build/note.h"

/* Links output, which is there and has its libraries' paths, once more. `folder` is for files that may go behind it.
 * status: the linker's. */
int parallel_link(const struct note *note, const char *output, const char *folder, int *status, struct fail *why);

#endif
