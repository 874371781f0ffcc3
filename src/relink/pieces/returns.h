/* SPDX-License-Identifier: MIT */
/* returns.h: which functions of a program come back to their callers, from what each of its objects says (pass/returns.h).
 *
 *     struct returns returns = {0};
 *     returns_define(&returns, "main");                     for every function that some object defines for all
 *     returns_add(&returns, lines, size);                   for every object
 *     returns_solve(&returns, true, &names);                their names
 *     returns_free(&returns);
 *
 * A function comes back if every object that defines it says so, and all that it calls come back. What no object speaks of does not. */
#ifndef SKEIN_RELINK_PIECES_RETURNS_H
#define SKEIN_RELINK_PIECES_RETURNS_H

#include <stdbool.h>
#include "base/strv.h"
#include "relink/pieces/scoped.h"

struct returns {
	struct scoped names;
	struct returns_function *functions; /* one for each name */
	size_t function_count, function_room;
	struct returns_call *calls;
	size_t call_count, call_room;
	size_t objects;
};

void returns_define(struct returns *r, const char *name);
void returns_add(struct returns *r, const char *lines, size_t size);
/* Of a library others may take the place of what is visible to them. */
void returns_solve(struct returns *r, bool is_program, struct strv *names);
void returns_free(struct returns *r);

#endif
