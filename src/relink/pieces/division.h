/* SPDX-License-Identifier: MIT */
/* division.h: which copy of a program counts which paths, decided from what each of its pieces tells of its own functions.
 *
 *     struct division division = {0};
 *     division_add(&division, path, &why);                 for every piece, in order
 *     division_solve(&division, &how, &why);
 *     division_write(&division, 0, 1, to);                 what copy 1 counts of piece 0
 *     division_write_parts(&division, 0, 7, to);           lines `c` of pass/shape.h: all copies, and the eighth function of piece 0
 *     division_free(&division);
 *
 * A piece tells in lines of pass/shape.h, and in two kinds of its own (pass/paths/others.c). ROUTINE is a number of the piece's, a NAME begins
 * with - if only this piece means it, else with +.
 *
 *     w  ROUTINE  NAME  FLAGS     a routine, in the order of the lines `f`. a: its address is taken
 *     k  ROUTINE  NAME  TIMES     which calls this so often, for one call of its own; behind its line `w`
 *
 * What a copy counts is one line for each routine of which it counts something, ROUTINE  FLAGS  CHOSEN: a flag t if copies take turns, else -;
 * CHOSEN as in pass/shape.h. So the lines of two copies are the same if the same code serves both. */
#ifndef SKEIN_RELINK_PIECES_DIVISION_H
#define SKEIN_RELINK_PIECES_DIVISION_H

#include <stdint.h>
#include <stdio.h>
#include "analyse/paths/shape.h"
#include "core/paths/guess.h"
#include "core/paths/share.h"
#include "relink/pieces/scoped.h"

struct division_how {
	uint32_t copies;
	const char *share; /* a value of PLAN_SHARE; NULL: "best" */
	uint32_t threshold;
	bool turns;
};

struct division {
	struct shape *shapes; /* one a piece */
	size_t *firsts;       /* number of each piece's first function */
	size_t pieces, piece_room, first_room;
	struct division_function *functions;
	size_t count, room;
	struct scoped names;
	struct paths_call *calls; /* callee: the number of a name, until it is solved */
	size_t call_count, call_room;
	struct paths_memory memory;
	struct paths_share share;
};

int division_add(struct division *d, const char *path, struct fail *why);
int division_solve(struct division *d, const struct division_how *how, struct fail *why);
void division_write(const struct division *d, size_t piece, uint32_t copy, FILE *to);
void division_write_parts(const struct division *d, size_t piece, size_t function, FILE *to);
void division_free(struct division *d);

#endif
