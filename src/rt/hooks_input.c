/* SPDX-License-Identifier: MIT */
/* hooks_input.c: the code that the `input` lens puts into a subject: see src/pass/input.c for where it goes, rt/input.h for what it means.
 *
 * An access is one look at the thread's own stamp. What the look cannot answer is asked of the runtime, out of line. */
#include "rt/input.h"

#define HOOK __attribute__((used, always_inline))

struct skein_object skein_hook_object __attribute__((used)) = {.build_id = "-"};

static __attribute__((constructor(101), used)) void skein_hook_register(void)
{
	skein_rt_register(&skein_hook_object);
}

static __attribute__((destructor(101), used)) void skein_hook_unregister(void)
{
	skein_rt_unregister(&skein_hook_object);
}

HOOK struct rt_input *skein_hook_me(void);
HOOK struct rt_input *skein_hook_me(void)
{
	struct rt_input *me = skein_self.input;
	return INPUT_RARELY(!me) ? skein_rt_input_meet(&skein_hook_object) : me;
}

HOOK uint32_t skein_hook_arrive(struct rt_input *me, const void *function);
HOOK uint32_t skein_hook_arrive(struct rt_input *me, const void *function)
{
	return INPUT_RARELY(me->where) ? skein_rt_input_arrive(me, function) : INPUT_HERE;
}

HOOK void skein_hook_depart(struct rt_input *me, uint32_t from);
HOOK void skein_hook_depart(struct rt_input *me, uint32_t from)
{
	if (INPUT_RARELY(from))
		me->where = from;
}

HOOK uint32_t skein_hook_enter(struct rt_input *me, uint32_t index);
HOOK uint32_t skein_hook_enter(struct rt_input *me, uint32_t index)
{
	return skein_rt_input_enter(me, &skein_hook_object, index);
}

HOOK void skein_hook_leave(struct rt_input *me, uint32_t mine, uint64_t cost);
HOOK void skein_hook_leave(struct rt_input *me, uint32_t mine, uint64_t cost)
{
	me->core.t.cost += cost;
	skein_rt_input_leave(me, mine);
}

HOOK void skein_hook_catch(struct rt_input *me, uint32_t mine);
HOOK void skein_hook_catch(struct rt_input *me, uint32_t mine)
{
	if (INPUT_RARELY(me->core.t.depth != mine || me->where))
		skein_rt_input_catch(me, mine);
}

HOOK void skein_hook_cost(struct rt_input *me, uint64_t cost);
HOOK void skein_hook_cost(struct rt_input *me, uint64_t cost)
{
	me->core.t.cost += cost;
}

HOOK void skein_hook_out(struct rt_input *me);
HOOK void skein_hook_out(struct rt_input *me)
{
	me->where = INPUT_OUTSIDE;
}

HOOK void skein_hook_through(struct rt_input *me, const void *target);
HOOK void skein_hook_through(struct rt_input *me, const void *target)
{
	me->target = target;
	me->where = INPUT_THROUGH;
}

HOOK void skein_hook_back(struct rt_input *me);
HOOK void skein_hook_back(struct rt_input *me)
{
	if (me->where)
		skein_rt_input_back(me);
}

HOOK void skein_hook_sync(struct rt_input *me);
HOOK void skein_hook_sync(struct rt_input *me)
{
	input_concurrent_sync(&me->core);
}

/* The stamps of `cells` cells, if they are in one chunk, and that is at hand. `aligned`: to so many, so they are. */
INPUT_INLINE const uint32_t *stamps_at(const struct rt_input *me, uint64_t address, uint32_t cell_log2, uint32_t cells, uint32_t aligned)
{
	uint64_t cell = address >> cell_log2, number = cell >> INPUT_CELLS_LOG2;
	uint32_t at = (uint32_t)number & (INPUT_FRONT - 1), first = (uint32_t)cell & (INPUT_CELLS - 1);
	if (INPUT_RARELY(me->core.t.lane.front[at].number != number || (!aligned && first > INPUT_CELLS - cells)))
		return NULL;
	return &me->core.t.lane.front[at].chunk->stamps[first];
}

INPUT_INLINE bool is_news(const struct rt_input *me, uint32_t stamp, bool write)
{
	return stamp < me->core.t.limit || (write && !(stamp & INPUT_WRITTEN));
}

/* Accesses of one, two, four or eight cells, with nothing of others. */
#define ONE(w) is_news(me, s[0], w)
#define TWO(w) ONE(w) || is_news(me, s[1], w)
#define FOUR(w) TWO(w) || is_news(me, s[2], w) || is_news(me, s[3], w)
#define EIGHT(w) FOUR(w) || is_news(me, s[4], w) || is_news(me, s[5], w) || is_news(me, s[6], w) || is_news(me, s[7], w)
#define ACCESS(name, cells, news, slow)                                                                                  \
	HOOK void skein_hook_##name##cells(struct rt_input *me, const void *p, uint32_t bytes, uint32_t cell_log2, uint32_t aligned); \
	HOOK void skein_hook_##name##cells(struct rt_input *me, const void *p, uint32_t bytes, uint32_t cell_log2, uint32_t aligned)  \
	{                                                                                                                \
		const uint32_t *s = stamps_at(me, (uintptr_t)p, cell_log2, cells, aligned);                              \
		if (INPUT_RARELY(!s || news))                                                                            \
			slow(&me->core, (uintptr_t)p, bytes);                                                            \
	}
ACCESS(read, 1, ONE(false), input_concurrent_read_slow)
ACCESS(read, 2, TWO(false), input_concurrent_read_slow)
ACCESS(read, 4, FOUR(false), input_concurrent_read_slow)
ACCESS(read, 8, EIGHT(false), input_concurrent_read_slow)
ACCESS(write, 1, ONE(true), input_concurrent_write_slow)
ACCESS(write, 2, TWO(true), input_concurrent_write_slow)
ACCESS(write, 4, FOUR(true), input_concurrent_write_slow)
ACCESS(write, 8, EIGHT(true), input_concurrent_write_slow)

HOOK void skein_hook_read(struct rt_input *me, const void *p, uint64_t bytes);
HOOK void skein_hook_read(struct rt_input *me, const void *p, uint64_t bytes)
{
	skein_rt_input_read(me, p, bytes);
}

HOOK void skein_hook_write(struct rt_input *me, const void *p, uint64_t bytes);
HOOK void skein_hook_write(struct rt_input *me, const void *p, uint64_t bytes)
{
	skein_rt_input_write(me, p, bytes);
}

HOOK void skein_hook_masked(struct rt_input *me, const void *p, uint32_t item_bytes, uint64_t mask, uint32_t writes);
HOOK void skein_hook_masked(struct rt_input *me, const void *p, uint32_t item_bytes, uint64_t mask, uint32_t writes)
{
	skein_rt_input_masked(me, p, item_bytes, mask, writes);
}

/* The registers that hold arguments were saved by the routine itself (System V ABI, figure 3.34). */
HOOK void skein_hook_va_start(struct rt_input *me, const void *list);
HOOK void skein_hook_va_start(struct rt_input *me, const void *list)
{
	enum { LIST_BYTES = 24, SAVED_AT = 16, SAVED_BYTES = 176 };
	skein_rt_input_write(me, list, LIST_BYTES);
	skein_rt_input_write(me, *(void *const *)((const char *)list + SAVED_AT), SAVED_BYTES);
}

HOOK void skein_hook_kernel(struct rt_input *me, const void *p, uint64_t bytes);
HOOK void skein_hook_kernel(struct rt_input *me, const void *p, uint64_t bytes)
{
	skein_rt_input_kernel(me, p, bytes);
}

HOOK uint64_t skein_hook_text(uint64_t text);
HOOK uint64_t skein_hook_text(uint64_t text)
{
	return skein_rt_input_text(text);
}

/* Models with more to them than one range: behind the call, with its arguments and its result. */
#define X(name)                                                                                                    \
	HOOK void skein_hook_##name(struct rt_input *me, uint64_t a, uint64_t b, uint64_t c, uint64_t result);     \
	HOOK void skein_hook_##name(struct rt_input *me, uint64_t a, uint64_t b, uint64_t c, uint64_t result)      \
	{                                                                                                          \
		skein_rt_input_##name(me, a, b, c, result);                                                        \
	}
INPUT_MODEL_LIST(X)
#undef X
