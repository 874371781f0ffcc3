/* SPDX-License-Identifier: MIT */
/* returns.h: calls that may not come back to the frame that made them.
 *
 * A call comes back if its callee is known, is the one that runs, has a return, and neither ends in a call that does
 * not return nor goes on with an exception, and all calls in it come back. Whatever is not known may exit, jump or
 * throw. Endless loops are not considered, since they cannot be decided, nor are signal handlers that jump.
 *
 * Of a function in another object the object's compile says what it depends on, and skein says which come back in the end
 * (relink/pieces/returns.h): those are the names in PLAN_DEFINED.
 *
 *     struct returns returns;
 *     returns_find(&returns, module);
 *     if (returns_may_stop(&returns, call)) …
 *     returns_free(&returns); */
#ifndef SKEIN_PASS_RETURNS_H
#define SKEIN_PASS_RETURNS_H

#include "pass/pass.h"

struct returns {
	struct returns_function *at; /* in the order of their addresses */
	size_t count;
};

void returns_find(struct returns *r, LLVMModuleRef module);
bool returns_may_stop(const struct returns *r, LLVMValueRef instruction);
void returns_free(struct returns *r);

/* One line for each function that comes back if others do: VISIBILITY NAME CALLEE…, divided by tabs. VISIBILITY is d for default, h for
 * hidden from other objects of a process; -NAME is a function that only this object has. */
void returns_write(LLVMModuleRef module, FILE *to);

#endif
