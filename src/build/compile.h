/* SPDX-License-Identifier: MIT */
/* compile.h: one source to one object that holds native code and bitcode.
 *
 * The native half must be what plain clang makes of the same flags, to the byte. So the plugin only looks on: it writes down the bitcode as
 * it is before optimisation and after it (pass/capture.h), and both go into the object: the first as section .llvm.lto, where lld
 * looks for it, the second as .skein.opt. A source that is compiled without debug information has some until the first is written;
 * what is optimised without any shows no lines, and is not kept. With unusual debug information a source is compiled a second time,
 * at the same time, for its bitcode (way.h).
 *
 * clang's own -ffat-lto-objects would not do: it optimises the native half a second time, after the bitcode was set aside, and other code
 * comes out (34 of 122 files of lua, bzip2 and zstd differ).
 *
 * What instruments the program itself, as sanitizers do, would run twice: then bitcode is made by a compile with -flto=full, and is all that
 * there is.
 *
 * Who asks for -flto, full or thin, gets a fat object from clang, so that his link optimises what he compiled; our bitcode, as it is before
 * optimisation, goes beside it into a section of its own. When the program is re-linked it is optimised as far as a compile with -flto
 * does, and takes the place of his.
 *
 * A source that includes cilk/cilk.h, ours, is preprocessed for its bitcode and its keywords turned into markers
 * (build/cilk/cilk.h); the plugin lowers them, and marks the loops of OpenMP, before anything is optimised. What Cilk cannot say
 * is an error of the compile.
 *
 * Such a source has a second bitcode, in .skein.cilk, in which spawned calls are tasks (pass/lower/parallel.h); it
 * stands in for the first when a program is linked to run in parallel.
 *
 * How the source was compiled goes along, in a section that stays in the program and is not loaded (command.h).
 *
 * A source that compiles but gives no bitcode is no error: a warning says that its functions will be foreign. */
#ifndef SKEIN_COMPILE_H
#define SKEIN_COMPILE_H

#include <stdbool.h>
#include "build/args.h"
#include "build/way.h"

#define COMPILE_BITCODE ".llvm.lto"
#define COMPILE_OPTIMISED ".skein.opt"
#define COMPILE_RETURNS ".skein.returns" /* lines of pass/returns.h */
#define COMPILE_RAW ".skein.raw"         /* ours, not optimised, where .llvm.lto is the user's */
#define COMPILE_OWN ".skein.bc"          /* ours, from a compile of its own, where .llvm.lto is the user's */
/* of a source that speaks Cilk: the bitcode of a program that runs in parallel, or a line that says why there is none */
#define COMPILE_PARALLEL ".skein.cilk"
#define COMPILE_MARK ".skein.cc" /* a section with the -O level, one digit */

struct compile {
	const struct args *args;
	const struct args_input *input;
	const char *driver; /* clang-19 or clang++-19 */
	const char *output;
	bool split;   /* the command line also says how to link */
	char *libdir; /* of the job itself: our own libraries and headers, or NULL */
	enum way way; /* the same */
};

int compile_run(struct compile *job, int *status, struct fail *why); /* status: clang's; -1 when it could not be started */

void compile_add_headers(const char *libdir, struct strv *words); /* finds Skein's cilk/cilk.h before any other */

/* ---- between compile.c and cilk/compile.c ---- */

/* The files of one job, in a folder that goes with it. */
struct halves {
	char *bitcode, *optimised, *returns, *parallel, *log, *stdin_copy, *plain, *marked;
	const char *input; /* for standard input, or NULL */
};

struct strv compile_command(const struct compile *job, bool bitcode, const char *output);
void compile_add_input(const struct compile *job, const char *mode, struct strv *words);
/* The line of a log that has both words; the caller frees. NULL: there is none. */
char *compile_line_with(const char *log, const char *word, const char *other);
bool compile_says_cilk(const char *log);
int compile_cilk(const struct compile *job, const struct halves *h, int *status, struct fail *why); /* 0: the bitcode is there */

#endif
