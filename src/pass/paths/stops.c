/* SPDX-License-Identifier: MIT */
/* stops.c: calls that may not come back (pass/returns.h), and which of the program's routines a call reaches. */
#include "pass/paths/paths.h"

#include <stdlib.h>

/* Functions to indices, by address. */
struct paths_callee {
	LLVMValueRef function;
	unsigned index;
};

static int by_function(const void *a, const void *b)
{
	LLVMValueRef x = ((const struct paths_callee *)a)->function, y = ((const struct paths_callee *)b)->function;
	return x < y ? -1 : x > y;
}

int paths_routine_of(const struct paths_pass *s, LLVMValueRef function)
{
	struct paths_callee key = {.function = function};
	if (!LLVMIsAFunction(function) || shim_is_interposable(function))
		return -1;
	const struct paths_callee *hit = bsearch(&key, s->callees, s->p->routine_count, sizeof key, by_function);
	return hit ? (int)hit->index : -1;
}

bool paths_may_stop(const struct paths_pass *s, LLVMValueRef instruction)
{
	return returns_may_stop(&s->returns, instruction);
}

void paths_stops(struct paths_pass *s)
{
	struct program *p = s->p;
	s->callees = pass_zeroed(p->routine_count, sizeof *s->callees);
	for (unsigned i = 0; i < p->routine_count; i++)
		s->callees[i] = (struct paths_callee){p->routines[i].function, i};
	qsort(s->callees, p->routine_count, sizeof *s->callees, by_function);
	returns_find(&s->returns, p->module);
}
