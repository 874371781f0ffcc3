/* SPDX-License-Identifier: MIT */
/* shape.h: reads the shapes of the functions of a re-linked object (see src/pass/shape.h for its lines).
 *
 *     struct shape shape;
 *     if (shape_read(&shape, path, &why) < 0) …
 *     const struct shape_function *f = &shape.functions[3];
 *     shape.edges[f->first_edge + e], shape.blocks[f->first_block + b] …
 *     shape_free(&shape);
 *
 * Everything is checked: numbers stay inside, each function has the blocks and edges that it says, the last line is
 * there. Whether the edges make a graph (a block without a way out does not) is checked by the code that builds one.
 * The shape owns its memory. */
#ifndef SKEIN_SHAPE_H
#define SKEIN_SHAPE_H

#include <stdbool.h>
#include <stdint.h>
#include "base/fail.h"
#include "base/memory.h"
#include "core/paths/body.h"

#define SHAPE_NONE UINT32_MAX

struct shape_line {
	uint32_t file; /* or SHAPE_NONE */
	uint32_t line;
};

struct shape_block {
	uint32_t instructions;
	uint32_t lines, shown;
	size_t first_line, first_shown; /* shown: where the program's own source has the block */
};

/* A copy that counts paths of a function. */
struct shape_part {
	uint32_t copy;
	const char *chosen; /* hex digits as in the file; NULL: all */
};

/* Which paths of a function were asked for. */
enum shape_asked { SHAPE_ALL, SHAPE_THESE, SHAPE_OTHERS };

struct shape_function {
	uint32_t routine; /* index of the routine in the table */
	uint32_t blocks, edges;
	bool by_turns, measured;
	uint32_t first, array; /* rows of counters */
	uint32_t entry;        /* row, or SHAPE_NONE */
	size_t first_block;
	size_t first_edge; /* edges + 1: the last is the function's beginning, for which only `passed` means something */
	size_t first_part;
	uint32_t parts;
	enum shape_asked asked;
	size_t first_name, names; /* paths that were asked for, or all others were; in rising order, each once */
};

struct shape {
	char build_id[129];
	uint32_t copy, copies;
	enum paths_how how;
	const char **files;
	size_t file_count, file_room;
	struct shape_function *functions;
	size_t function_count, function_room;
	struct shape_block *blocks;
	uint8_t *stops;
	size_t block_count, block_room, stop_room;
	struct paths_edge *edges;
	double *passed, *guessed; /* guessed: `passed` without measured weights */
	size_t edge_count, edge_room, passed_count, passed_room, guessed_count, guessed_room;
	struct shape_line *lines;
	size_t line_count, line_room;
	struct shape_part *parts;
	size_t part_count, part_room;
	uint64_t *names;
	size_t name_count, name_room;
	struct pool pool;
};

int shape_read(struct shape *shape, const char *path, struct fail *why);
void shape_free(struct shape *shape);

/* The facts that core/paths/body.h begins with, and the same without measured weights. */
struct paths_body shape_body(const struct shape *shape, const struct shape_function *f);
struct paths_body shape_guess(const struct shape *shape, const struct shape_function *f);

/* The arcs that a part chooses, one byte each. False: the part is not for a graph with this many arcs. */
bool shape_chosen(const struct shape_part *part, uint32_t arcs, uint8_t *chosen);

/* Whether both have the same functions, shared among copies in the same way. The shapes of two copies must. */
bool shape_is_alike(const struct shape *a, const struct shape *b);

#endif
