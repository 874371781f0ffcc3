/* SPDX-License-Identifier: MIT */
/* callgraph.h: what is proved about the functions of a program from what each of its pieces tells of its own calls.
 *
 *     struct callgraph graph = {0};
 *     callgraph_add(&graph, lines, size);                  for every piece, in order
 *     callgraph_refer(&graph, "callback");                 code that is no piece may call it
 *     callgraph_replace(&graph, "strlcpy");                and it defines this, too
 *     callgraph_obscure(&graph, "__real_open");            this may be anything
 *     callgraph_solve(&graph, is_program, is_general);
 *     callgraph_write(&graph, 0, to);                      what piece 0 must know
 *     callgraph_free(&graph);
 *
 * A piece tells in lines, fields divided by tabs (pass/span/others.c). A NAME begins with - if only this piece means it, else with +.
 *
 *     f  NAME  -FLAGS  CALLEE…     a routine. s: control comes back from it if it does from its callees; l: it calls nothing;
 *                                  u: it calls what cannot be known; w: another piece's may take its place. A CALLEE is a NAME
 *                                  with q before it if a library's of that name is quiet, else with f
 *     o  NAME                      code calls it that has no site for the call
 *     x  NAME                      a function, but no routine
 *
 * What it must know is one line for each of its functions and of those that it calls, NAME  -FLAGS  COMPONENT:
 *
 *     s    control certainly comes back        r    may be open twice           o    code calls it that has no site for the call
 *     l    calls nothing                       x    a call of this name may reach anything
 *
 * COMPONENT is a number that means something only among these lines. So they change only if what a piece must know does. */
#ifndef SKEIN_RELINK_PIECES_CALLGRAPH_H
#define SKEIN_RELINK_PIECES_CALLGRAPH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "relink/pieces/scoped.h"

struct callgraph {
	struct scoped names;
	struct callgraph_function *functions; /* one for each name */
	size_t function_count, function_room;
	struct callgraph_call *calls;
	size_t call_count, call_room;
	size_t *mentions; /* functions that each piece names, piece by piece */
	size_t mention_count, mention_room;
	size_t *firsts; /* of each piece's */
	size_t pieces, piece_room;
};

void callgraph_add(struct callgraph *g, const char *lines, size_t size);
void callgraph_refer(struct callgraph *g, const char *name);
void callgraph_replace(struct callgraph *g, const char *name);
void callgraph_obscure(struct callgraph *g, const char *name);
/* general: nothing is taken as certain to come back. */
void callgraph_solve(struct callgraph *g, bool is_program, bool is_general);
void callgraph_write(struct callgraph *g, size_t piece, FILE *to);
/* A name that calls were taken to reach and that the linked program does not have, though it has the caller; NULL: none. */
const char *callgraph_broken(const struct callgraph *g, bool (*is_there)(void *program, const char *name), void *program);
void callgraph_free(struct callgraph *g);

#endif
