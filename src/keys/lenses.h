/* SPDX-License-Identifier: MIT */
/* lenses.h: the list of lenses. All other lists of lenses are made from this one; what a lens does is in its structs:
 * report/lens.h, run/lens.h, pass/lens.h and rt/rt.h.
 *
 *     if (lens_traits("input") & LENS_RUNS_ADD_UP) …
 *
 * A list of its structs is made by LENS_LIST with an X that takes what it needs, as in report/lens.c.
 *
 * NAME and lower are the lens's name in identifiers. The number is the one in raw recordings and never changes. `how` is RELINK
 * for a lens that instruments a program, PRELOAD for one that takes any program as it is, EITHER for one that takes any program and can
 * instrument one, with the library that is preloaded for its runtime. LENS_IF_HOOKS(how, …) expands to its other arguments where the lens
 * has hooks, LENS_IF_RELINK(how, …) where libskein-rt.so is their runtime; else to nothing. `words` is the size of a row of the tables that a subject's threads have,
 * in words of eight bytes. Traits are what layers below the lenses' own structs must know. */
#ifndef SKEIN_KEYS_LENSES_H
#define SKEIN_KEYS_LENSES_H

#include <string.h>

enum lens_trait {
	LENS_TAKES_STATIC = 1,         /* records programs that were linked with -static */
	LENS_TAKES_STATIC_COUNTED = 2, /* the same, but only counts */
	LENS_WRITES_SHAPES = 4,        /* the re-link leaves the shapes of functions beside their table */
	LENS_PRICES_FOREIGN = 8,       /* foreign code has a modelled cost of its own; else its time belongs to its callers */
	LENS_TAKES_PIECES = 32,        /* each object of a program can be finished by itself */
	LENS_ASKS_OTHERS = 64,         /* what is done in one depends on which functions others define */
	LENS_HOOKS_ARE_WATCHED = 128,  /* what its hooks take is measured by samples; else it is known from their number */
	LENS_ASKS_RETURNS = 512,       /* depends on which functions of others come back to their callers */
	LENS_ASKS_GRAPH = 1024,        /* depends on what all functions of a program call; and there is a row a site */
	LENS_KEEPS_CALLS = 256,        /* calls that the compiler would inline stay calls: it wants bitcode from before that */
	LENS_RUNS_ADD_UP = 16,         /* a further run joins the earlier ones in a recording; else it replaces them */
	LENS_RUNS_IN_TRACE = 2048,     /* the runtime of its hooks is libskein-trace.so; else libskein-rt.so */
};

/* clang-format off */
#define LENS_LIST(X)                                                                                            \
	X(CALLS, calls, 1, RELINK, 2, LENS_TAKES_STATIC_COUNTED | LENS_TAKES_PIECES)                            \
	X(SPAN, span, 2, RELINK, 12, LENS_PRICES_FOREIGN | LENS_KEEPS_CALLS | LENS_TAKES_PIECES | LENS_ASKS_GRAPH) \
	X(IDLE, idle, 3, PRELOAD, 0, 0)                                                                         \
	X(INPUT, input, 4, RELINK, 1, LENS_TAKES_STATIC | LENS_RUNS_ADD_UP | LENS_TAKES_PIECES | LENS_ASKS_OTHERS | LENS_HOOKS_ARE_WATCHED) \
	X(PATHS, paths, 5, RELINK, 1, LENS_TAKES_STATIC | LENS_WRITES_SHAPES | LENS_TAKES_PIECES | LENS_ASKS_RETURNS | LENS_HOOKS_ARE_WATCHED) \
	X(FLOW, flow, 6, EITHER, 0, LENS_TAKES_PIECES | LENS_RUNS_IN_TRACE)
/* clang-format on */

#define LENS_IF_RELINK(how, ...) LENS_IF_RELINK_##how(__VA_ARGS__)
#define LENS_IF_RELINK_RELINK(...) __VA_ARGS__
#define LENS_IF_RELINK_PRELOAD(...)
#define LENS_IF_RELINK_EITHER(...)
#define LENS_IF_HOOKS(how, ...) LENS_IF_HOOKS_##how(__VA_ARGS__)
#define LENS_IF_HOOKS_RELINK(...) __VA_ARGS__
#define LENS_IF_HOOKS_EITHER(...) __VA_ARGS__
#define LENS_IF_HOOKS_PRELOAD(...)

/* 0 for a name that is not a lens's. */
static inline unsigned lens_number(const char *name)
{
#define X(upper, lower, number, how, words, traits) \
	if (strcmp(name, #lower) == 0)              \
		return number;
	LENS_LIST(X)
#undef X
	return 0;
}

static inline unsigned lens_row_words(const char *name)
{
#define X(upper, lower, number, how, words, traits) \
	if (strcmp(name, #lower) == 0)              \
		return words;
	LENS_LIST(X)
#undef X
	return 0;
}

static inline unsigned lens_traits(const char *name)
{
#define X(upper, lower, number, how, words, traits) \
	if (strcmp(name, #lower) == 0)              \
		return traits;
	LENS_LIST(X)
#undef X
	return 0;
}

/* The library that a re-linked program is linked with, beside what it had. */
static inline const char *lens_runtime(const char *name)
{
	return lens_traits(name) & LENS_RUNS_IN_TRACE ? "libskein-trace.so" : "libskein-rt.so";
}

#endif
