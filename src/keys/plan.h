/* SPDX-License-Identifier: MIT */
/* plan.h: the keys of a plan: what skein and skein-cc tell the pass plugin.
 *
 * A plan is a list of texts KEY=VALUE. The plugin finds them in the environment of the compiler or linker, as
 * SKEIN_PASS_KEY=VALUE. A new key is one line of the list below; both sides name it by its identifier, so that a mistyped
 * key does not compile.
 *
 *     plan_add(&plan, PLAN_MODE, "%s", MODE_COUNTS);              skein, see build/plan.h
 *     strcmp(pass_option(PLAN_MODE), MODE_COUNTS) == 0            the plugin, see pass/pass.h
 *
 * Each line: the key, the lenses it is for, the form of its value, and its meaning. A key that is missing from a plan has the
 * empty value. Nothing here needs a library: this header may be included everywhere. */
#ifndef SKEIN_KEYS_PLAN_H
#define SKEIN_KEYS_PLAN_H

#define PLAN_KEYS(X)                                                                                                                  \
	X(LENS, "all", "name of a lens", "the lens that the program is re-linked for; without it the plugin only lowers keywords")    \
	X(TABLE, "all", "path", "the file to which the table of routines and sites is written")                                       \
	X(OBJECT, "all", "hexadecimal digits", "build-id of the native file")                                                         \
	X(TOGETHER, "all", "lines NUMBER<TAB>FOLDER", "the copies that one divided link makes (pass/together.h)")                     \
	X(PIECE, "all", "hexadecimal digits",                                                                                         \
	  "one object of the program is finished by itself: its routines have this name (pass/piece.h)")                              \
	X(HOOKS, "all", "path", "the hooks, for a piece; without them it is only optimised")                                          \
	X(DEFINED, "input paths", "path",                                                                                             \
	  "functions that the pieces of a program define, or that come back: a line `program` or `library`, then names in order")     \
	X(TOTAL, "all", "ROUTINES ROWS ROOT", "the hooks are finished, for a program whose pieces have so many together")             \
	X(GRAPH, "span paths", "path", "a piece without HOOKS writes there what its functions call (others.c of the lens)")           \
	X(FACTS, "span paths", "path", "what is known of its functions, and of those that it calls, when all pieces are seen")        \
	X(MANY, "span", "1", "the pieces of a program have so many sites together that hooks are not inlined")                        \
	X(PREPARED, "all", "1", "the objects of the program were optimised by themselves, as pieces without HOOKS (pass/piece.h)")    \
	X(BEFORE, "all", "path", "a compile writes its bitcode there before it is optimised (pass/capture.h)")                        \
	X(AFTER, "all", "path", "the same compile, or a piece, writes it there when it is optimised")                                 \
	X(EMITS, "all", "1", "or ends there, and writes the module itself")                                                           \
	X(RETURNS, "all", "path", "and writes there which functions come back if others do (pass/returns.h)")                         \
	X(STRIP, "all", "1", "the user asked for no debug information: none is left once BEFORE is written, and there is no AFTER")   \
	X(OPTIMISED, "all", "1", "a piece was written so: it is instrumented as it is, and nothing but code is made of it")           \
	X(PARTS, "all", "1", "code is generated in several parts, which may not have the same names as other objects (pass/parts.c)") \
	X(CILK, "all", "a CILK_ value", "spawned calls run in parallel, and nothing is instrumented")                                 \
	X(MODE, "calls span flow", "a MODE_ value", "what is measured")                                                               \
	X(ONLY, "calls span paths flow", "lines PATTERN", "only routines that match are profiled")                                    \
	X(SKIP, "calls span paths flow", "lines PATTERN", "routines that match are not profiled")                                     \
	X(LEAVE, "all", "lines NAME", "functions at which the compiler crashed: they are not profiled")                               \
	X(INLINED, "span", "1", "calls that were inlined keep their sites")                                                           \
	X(UNDER, "span", "site", "measure only what runs under this site")                                                            \
	X(WHATIF, "span", "lines SITE", "sites whose cost is scaled; the factors are in the session")                                 \
	X(CELL, "input", "number", "binary logarithm of the bytes in a cell of memory")                                               \
	X(COST, "input", "MODE_INSTRUCTIONS", "cost counts instructions, not basic blocks")                                           \
	X(LOCKS, "input", "1", "accesses to memory by locking functions count as input")                                              \
	X(COPIES, "paths", "number", "how many copies divide the paths (default 1)")                                                  \
	X(COPY, "paths", "number", "which of these copies this one is, from 0")                                                       \
	X(SHARE, "paths", "best, p3 or pbl", "how copies divide the paths")                                                           \
	X(THRESHOLD, "paths", "number", "beginnings of paths at which P3 makes tasks of a function")                                  \
	X(TURNS, "paths", "1", "copies may also divide the calls of a function by turns")                                             \
	X(WEIGHTS, "paths", "path", "a file with edge counts of an earlier run")                                                      \
	X(ONLYPATHS, "paths", "lines FUNCTION:LIST", "only these paths are counted")                                                  \
	X(COUNTERS, "paths", "path", "a compile writes down clang's own counters (pass/counters.h), and lowers nothing")              \
	X(EDGES, "paths", "1", "a plain counter per edge instead of paths: what bench/paths.sh holds the path counts against")

/* A program with more sites than these has many. */
#define PLAN_MANY_SITES 1000

/* What names of static functions and variables end in, where code was generated in parts; the compiler may add a dot and a number. */
#define PLAN_PARTS_ENDING ".skein"

enum plan_key {
#define PLAN_KEY(key, lenses, form, meaning) PLAN_##key,
	PLAN_KEYS(PLAN_KEY)
#undef PLAN_KEY
		PLAN_KEY_COUNT
};

/* The key as it is written in a plan: "MODE" for PLAN_MODE. */
static inline const char *plan_key_name(enum plan_key key)
{
	static const char *const names[] = {
#define PLAN_KEY(key, lenses, form, meaning) #key,
		PLAN_KEYS(PLAN_KEY)
#undef PLAN_KEY
	};
	return names[key];
}

/* What the name of PLAN_BEFORE ends in as long as the plugin is at work in a compile; a compiler that crashes leaves the file behind. */
#define PLAN_AT_WORK_ENDING ".at-work"

/* Values of PLAN_CILK: the language in which the rewritten source was compiled. At a link only the first. */
#define CILK_PARALLEL_C "parallel"
#define CILK_PARALLEL_CXX "parallel-c++"

#endif
