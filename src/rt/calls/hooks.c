/* SPDX-License-Identifier: MIT */
/* hooks.c: the code that the `calls` lens puts into a subject.
 *
 * The plugin (src/pass/calls/calls.c) puts it where routines begin, end and call.
 *
 * times: enter and leave in each routine, catch where control comes back by a jump (landing pads, setjmp).
 * counts: a direct call to a profiled routine costs one increment at the site (table once a routine, then site). A call
 * whose target is not known leaves word in `from`; a routine that can be reached in other ways than by direct calls
 * looks there (arrive) and puts it back when it ends (depart), for the foreign code that may call again. */
#include "rt/calls/hot.h"

#include "rt/hooks.h"

HOOK struct calls_frame *skein_hook_enter(uint32_t index);
HOOK struct calls_frame *skein_hook_enter(uint32_t index)
{
	return hot_enter(&skein_hook_object, index, 0);
}

/* The body of a parallel construct. */
HOOK struct calls_frame *skein_hook_enter_body(uint32_t index);
HOOK struct calls_frame *skein_hook_enter_body(uint32_t index)
{
	return hot_enter(&skein_hook_object, index, 1);
}

HOOK void skein_hook_leave(struct calls_frame *mine, uint32_t index);
HOOK void skein_hook_leave(struct calls_frame *mine, uint32_t index)
{
	hot_leave(&skein_hook_object, mine, index);
}

HOOK void skein_hook_catch(struct calls_frame *mine);
HOOK void skein_hook_catch(struct calls_frame *mine)
{
	if (HOT_RARELY(skein_self.calls->top != mine))
		skein_rt_catch(mine);
}

HOOK uint64_t *skein_hook_table(void);
HOOK uint64_t *skein_hook_table(void)
{
	uint64_t *table = skein_self.tables[skein_hook_object.slot];
	return HOT_RARELY(!table) ? skein_rt_counts(&skein_hook_object) : table;
}

HOOK void skein_hook_site(uint64_t *table, uint32_t site);
HOOK void skein_hook_site(uint64_t *table, uint32_t site)
{
	uint64_t *rows = (uint64_t *)((char *)table + HOOK_NUMBER(skein_hook_row_bytes));
	arch_add(&rows[2 * (uint64_t)site + hot_concurrent()], 1);
}

HOOK void skein_hook_call_out(uint32_t index);
HOOK void skein_hook_call_out(uint32_t index)
{
	skein_self.from = (uint64_t)(skein_hook_object.first_routine + index) << 32 | CALLS_ELSEWHERE;
}

HOOK void skein_hook_back(void);
HOOK void skein_hook_back(void)
{
	skein_self.from = 0;
}

HOOK uint64_t skein_hook_arrive(uint32_t index);
HOOK uint64_t skein_hook_arrive(uint32_t index)
{
	uint64_t from = skein_self.from;
	if (HOT_RARELY(from)) {
		skein_rt_arrive(from & ~(uint64_t)15, skein_hook_object.first_routine + index, hot_concurrent());
		skein_self.from = 0;
	}
	return from;
}

/* For what may be a signal handler: the kernel calls it in the middle of profiled code, where `from` is 0; its return
 * address tells. Inlined, this is the address that the routine itself returns to. */
HOOK uint64_t skein_hook_arrive_handler(uint32_t index);
HOOK uint64_t skein_hook_arrive_handler(uint32_t index)
{
	uint64_t from = skein_self.from;
	if (HOT_RARELY(from || __builtin_return_address(0) == skein_rt_restorer)) {
		skein_rt_arrive(from & ~(uint64_t)15, skein_hook_object.first_routine + index, hot_concurrent());
		skein_self.from = 0;
	}
	return from;
}

HOOK void skein_hook_depart(uint64_t from);
HOOK void skein_hook_depart(uint64_t from)
{
	skein_self.from = from;
}
