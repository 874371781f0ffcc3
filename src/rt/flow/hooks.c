/* SPDX-License-Identifier: MIT */
/* hooks.c: the code that the flow lens puts into a subject with --routines: where routines begin and end, and where control comes back
 * by a jump (landing pads, setjmp).
 *
 * The plugin (src/pass/flow/flow.c) puts it there. The records go into the log of waits and wake-ups, which belongs to the recorder
 * (src/trace). So the re-linked program has libskein-trace.so in the place of libskein-rt.so: there is one set of interposers, one
 * skein_self and one log, the library that is preloaded anyway, also into programs that the subject executes. */
#include "core/flow/hot.h"

#include "rt/flow/routines.h"
#include "rt/hooks.h"
#include "threads/self.h"

#define RARELY(x) __builtin_expect(!!(x), 0)

HOOK uint64_t skein_hook_enter(uint32_t index);
HOOK uint64_t skein_hook_enter(uint32_t index)
{
	char here;
	uint64_t first = skein_hook_object.first_routine, mine = 0;
	if (!RARELY(!first))
		mine = flow_hot_enter(skein_self.flow, first + index, (uintptr_t)&here);
	return RARELY(!mine) ? skein_trace_enter(&skein_hook_object, index) : mine;
}

HOOK void skein_hook_leave(uint64_t mine);
HOOK void skein_hook_leave(uint64_t mine)
{
	char here;
	struct flow_hot *hot = skein_self.flow;
	if (RARELY(hot->depth != mine || !flow_hot_leave(hot, (uintptr_t)&here)))
		skein_trace_leave(mine);
}

HOOK void skein_hook_catch(uint64_t mine);
HOOK void skein_hook_catch(uint64_t mine)
{
	if (RARELY(skein_self.flow->depth != mine))
		skein_trace_catch(mine);
}
