/* SPDX-License-Identifier: MIT */
/* pgo.h: the counters that clang's own instrumentation (-fprofile-generate) has in a source, and what they would have counted.
 *
 * clang takes a profile (-fprofile-use) only in its own terms: for each function a hash of the graph that it has early
 * on, and counters on some of its blocks and edges. Both are told by the code that clang makes with instrumentation, as
 * text, right after that has been put in:
 *
 *     clang -O2 … -g -fprofile-generate -mllvm -print-after=pgo-instr-gen
 *
 * pgo_read reads this: blocks, the lines of their instructions, the blocks before them, the counters in them.
 * pgo_estimate gives each block a count, by what is known of lines, and each counter that of its block. What is known
 * is of the optimised program, so these are estimates:
 * 1. A block was executed as often as that line of it which was executed least: other blocks have code of the others.
 * 2. No more often than the blocks before it together, nor than those behind it; a function begins no more often than it ends.
 * 3. A block that was made to split an edge has what the others leave.
 * 4. A select chooses each of its values as often as the other.
 *
 *     struct pgo pgo;
 *     if (pgo_read(&pgo, file, &why) < 0) …
 *     pgo_estimate(&pgo, &pgo.functions[i], lookup, context);
 *     pgo_write_function(&pgo, &pgo.functions[i], out);
 *     pgo_free(&pgo); */
#ifndef SKEIN_PGO_H
#define SKEIN_PGO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "base/fail.h"
#include "base/memory.h"

#define PGO_NO_COUNTER UINT32_MAX
enum { PGO_KINDS = 3 }; /* of values that clang would note: callees of pointers, sizes of copies, tables of virtual functions */

struct pgo_line {
	const char *file;
	uint32_t line;
};

struct pgo_block {
	uint32_t label;        /* a number, or a hash of a name; that of the entry is not known */
	uint32_t counter;      /* or PGO_NO_COUNTER */
	uint32_t instructions; /* that are not the instrumentation's */
	bool leaves;           /* the function */
	size_t first_line, lines;
	size_t first_before, befores; /* labels of blocks before it */
	double count;
};

/* A counter of those for whom a select of a block chooses its first value. */
struct pgo_choice {
	size_t block;
	uint32_t counter;
};

struct pgo_function {
	const char *name;
	uint64_t hash;
	uint32_t counters;
	size_t first_block, blocks; /* the entry first */
	size_t first_choice, choices;
	uint32_t sites[PGO_KINDS]; /* where it would; of none of them anything is told, but clang wants to see their number */
};

struct pgo {
	struct pgo_function *functions;
	size_t function_count, function_room;
	struct pgo_block *blocks;
	size_t block_count, block_room;
	struct pgo_line *lines;
	size_t line_count, line_room;
	struct pgo_choice *choices;
	size_t choice_count, choice_room;
	uint32_t *befores;
	size_t before_count, before_room;
	struct pool pool;
};

int pgo_read(struct pgo *pgo, FILE *file, struct fail *why);
void pgo_free(struct pgo *pgo);

/* lookup tells how often a line was executed; false: it is not known. The result is false if nothing is known of the function. */
bool pgo_estimate(struct pgo *pgo, const struct pgo_function *f,
                  bool (*lookup)(void *context, const char *file, uint32_t line, uint64_t *count), void *context);
void pgo_write_function(const struct pgo *pgo, const struct pgo_function *f, FILE *file); /* as llvm-profdata merge reads it */

#endif
