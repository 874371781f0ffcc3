/* SPDX-License-Identifier: MIT */
/* pgo.h: the counters that clang's own instrumentation (-fprofile-generate) puts into a source, and estimates of
 * their counts.
 *
 * clang takes a profile (-fprofile-use) only in its own terms: for each function a hash of the graph that it has early
 * on, and counters on some of its blocks and edges. Skein's plugin writes both into a file right after clang's
 * instrumentation (pass/counters.h):
 *
 *     SKEIN_PASS_COUNTERS=FILE clang -O2 … -g -fprofile-generate -fpass-plugin=libskein-pass.so
 *
 * pgo_read reads that file: blocks, the lines of their instructions, the blocks before them, the counters in them.
 * pgo_estimate gives each block a count, from the counts of lines, and each counter the count of its block. Line
 * counts come from the optimised program, so these are estimates:
 * 1. The count of a block is that of its least executed line, since other blocks also have code of its other lines; lines of inlined
 * functions, which have code wherever they were inlined, are asked only if it has no others.
 * 2. A block runs no more often than the blocks before it together, nor than those behind it; a function begins no
 * more often than it ends.
 * 3. A block that was made to split an edge has the count that other edges leave.
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
#include "pass/counters.h"

#define PGO_NO_COUNTER UINT32_MAX
enum { PGO_KINDS = COUNTERS_KINDS };

struct pgo_line {
	const char *file;
	uint32_t line;
	bool inlined; /* of a function that was inlined there: other blocks may have it, too */
};

struct pgo_block {
	uint32_t counter;      /* or PGO_NO_COUNTER */
	uint32_t instructions; /* instructions, except those of the instrumentation */
	bool leaves;           /* the block leaves the function */
	size_t first_line, lines;
	size_t first_before, befores; /* numbers of the blocks before it, from 0 in the function */
	double count;
};

/* A counter of how often a select in a block chooses its first value. */
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
	uint32_t sites[PGO_KINDS]; /* number of sites of each kind: no values are known, but clang wants to see the numbers */
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

/* `lookup` returns how often a line was executed; false: not known. The result is false if no line of the function is
 * known. */
bool pgo_estimate(struct pgo *pgo, const struct pgo_function *f,
                  bool (*lookup)(void *context, const char *file, uint32_t line, uint64_t *count), void *context);
void pgo_write_function(const struct pgo *pgo, const struct pgo_function *f, FILE *file); /* in the form that llvm-profdata merge reads */

#endif
