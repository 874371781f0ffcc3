/* SPDX-License-Identifier: MIT */
/* hooks_calls.c: the code that the `calls` lens puts into a subject.
 *
 * Compiled to bitcode, given to each re-link as an object, and inlined by the plugin (src/pass/calls.c) where routines
 * begin, end and call. Hooks hold no state: it is all in the runtime. Names that begin with skein_hook_ are the
 * plugin's vocabulary.
 *
 * times: enter and leave in each routine, catch where control comes back by a jump (landing pads, setjmp).
 * counts: a direct call to a profiled routine costs one increment at the site (table once a routine, then site). A call
 * whose target is not known leaves word in `from`; a routine that can be reached in other ways than by direct calls
 * looks there (arrive) and puts it back when it ends (depart), for the foreign code that may call again. */
#include <x86intrin.h>
#include "rt/object.h"
#include "threads/threads.h"

#define HOOK __attribute__((used, always_inline))
#define RARELY(x) __builtin_expect(!!(x), 0)

struct skein_object skein_hook_object __attribute__((used)) = {.build_id = "-"};

static __attribute__((constructor(101), used)) void skein_hook_register(void)
{
	skein_rt_register(&skein_hook_object);
}

static __attribute__((destructor(101), used)) void skein_hook_unregister(void)
{
	skein_rt_unregister(&skein_hook_object);
}

static inline uint64_t concurrent_now(void)
{
	return atomic_load_explicit(&skein_n_working, memory_order_relaxed) > 1;
}

HOOK struct calls_frame *skein_hook_enter(uint32_t index, uint32_t inherit);
HOOK struct calls_frame *skein_hook_enter(uint32_t index, uint32_t inherit)
{
	struct calls_lane *lane = skein_self.calls;
	if (RARELY(lane->top + 1 >= lane->limit))
		return skein_rt_enter(&skein_hook_object, index, inherit);
	uint32_t routine = skein_hook_object.first_routine + index;
	uint64_t concurrent = concurrent_now();
	uint64_t key = calls_key(lane->top->as_caller, routine, concurrent);
	struct calls_arc *arc = calls_probe(lane, key);
	if (RARELY(!arc))
		arc = skein_rt_arc(lane, key);
	struct calls_frame *mine = calls_push(lane, arc, routine, concurrent, inherit);
	if (concurrent && RARELY(arc->calls <= 64 || (arc->calls & 63) == 0))
		skein_rt_same(lane, arc, arc->calls <= 64 ? 1 : 64);
	mine->start = __rdtsc();
	return mine;
}

HOOK void skein_hook_leave(struct calls_frame *mine, uint32_t index);
HOOK void skein_hook_leave(struct calls_frame *mine, uint32_t index)
{
	uint64_t now = __rdtsc();
	struct calls_lane *lane = skein_self.calls;
	if (RARELY(lane->top != mine))
		skein_rt_leave(mine, now);
	else
		calls_pop(lane, mine, skein_hook_object.first_routine + index, now);
}

HOOK void skein_hook_catch(struct calls_frame *mine);
HOOK void skein_hook_catch(struct calls_frame *mine)
{
	if (RARELY(skein_self.calls->top != mine))
		skein_rt_catch(mine);
}

HOOK uint64_t *skein_hook_table(void);
HOOK uint64_t *skein_hook_table(void)
{
	uint64_t *table = skein_self.tables[skein_hook_object.slot];
	return RARELY(!table) ? skein_rt_counts(&skein_hook_object) : table;
}

HOOK void skein_hook_site(uint64_t *table, uint32_t site);
HOOK void skein_hook_site(uint64_t *table, uint32_t site)
{
	table[2 * (uint64_t)site + concurrent_now()]++;
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
	if (RARELY(from)) {
		skein_rt_arrive(from & ~(uint64_t)15, skein_hook_object.first_routine + index, concurrent_now());
		skein_self.from = 0;
	}
	return from;
}

HOOK void skein_hook_depart(uint64_t from);
HOOK void skein_hook_depart(uint64_t from)
{
	skein_self.from = from;
}
