/* SPDX-License-Identifier: MIT */
/* hooks.c: the code that the `input` lens puts into a subject: see src/pass/input/input.c for where it goes,
 * rt/input/input.h for what it means.
 *
 * An access is one look at the thread's own stamp. What the look cannot answer is asked of the runtime, out of line. */
#include "rt/hooks.h"
#include "core/input/fast.h"
#include "core/input/stack.h"
#include "rt/input/input.h"

HOOK struct rt_input *skein_hook_me(void);
HOOK struct rt_input *skein_hook_me(void)
{
	struct rt_input *me = skein_self.input;
	return INPUT_RARELY(!me) ? skein_rt_input_meet(&skein_hook_object) : me;
}

HOOK uint32_t skein_hook_arrive(struct rt_input *me, const void *function, uint32_t index);
HOOK uint32_t skein_hook_arrive(struct rt_input *me, const void *function, uint32_t index)
{
	return INPUT_RARELY(me->where) ? skein_rt_input_arrive(me, function, &skein_hook_object, index) : INPUT_HERE;
}

HOOK void skein_hook_depart(struct rt_input *me, uint32_t from);
HOOK void skein_hook_depart(struct rt_input *me, uint32_t from)
{
	if (INPUT_RARELY(from))
		me->where = from;
}

/* The runtime does what is not usual: the routine's first call in this thread, a full stack, a counter at its end. In line this is half a
 * kilobyte of each routine, and a fifth of the time that the first look takes; a call of it is not to be seen in a run of lua. */
__attribute__((noinline, used)) uint32_t skein_hook_enter(struct rt_input *me, uint32_t index);
__attribute__((noinline, used)) uint32_t skein_hook_enter(struct rt_input *me, uint32_t index)
{
	struct input_thread *t = &me->core.t;
	uint32_t slot = skein_hook_object.slot;
	struct input_routine **table = INPUT_RARELY(slot >= me->tables_room) ? NULL : me->tables[slot],
			     *routine = INPUT_RARELY(!table) ? NULL : table[index];
	if (INPUT_RARELY(!routine || me->core.busy || t->depth >= t->room || t->count >= t->count_max))
		return skein_rt_input_enter(me, &skein_hook_object, index);
	me->core.busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->count++;
	input_push_frame(t, routine);
	routine->open++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	me->core.busy = 0;
	return t->depth;
}

/* Likewise at each way out of each routine. */
__attribute__((noinline, used)) void skein_hook_pop(struct rt_input *me, uint32_t mine);
__attribute__((noinline, used)) void skein_hook_pop(struct rt_input *me, uint32_t mine)
{
	struct input_thread *t = &me->core.t;
	if (INPUT_RARELY(t->depth != mine || t->too_deep || !input_concurrent_enter(&me->core))) {
		skein_rt_input_leave(me, mine);
		return;
	}
	const struct input_frame *f = input_top(t);
	if (INPUT_RARELY(!input_collect_here(t, f)))
		skein_rt_input_collect(me);
	input_pop_frame(t, f);
	input_concurrent_leave(&me->core);
}

HOOK void skein_hook_leave(struct rt_input *me, uint32_t mine, uint64_t cost, uint64_t firsts);
HOOK void skein_hook_leave(struct rt_input *me, uint32_t mine, uint64_t cost, uint64_t firsts)
{
	me->core.t.cost += cost;
	me->core.t.firsts += firsts;
	skein_hook_pop(me, mine);
}

HOOK void skein_hook_catch(struct rt_input *me, uint32_t mine);
HOOK void skein_hook_catch(struct rt_input *me, uint32_t mine)
{
	if (INPUT_RARELY(me->core.t.depth != mine || me->where))
		skein_rt_input_catch(me, mine);
}

HOOK void skein_hook_tell(struct rt_input *me, uint64_t cost, uint64_t firsts);
HOOK void skein_hook_tell(struct rt_input *me, uint64_t cost, uint64_t firsts)
{
	me->core.t.cost += cost;
	me->core.t.firsts += firsts;
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

HOOK void skein_hook_aside(struct rt_input *me);
HOOK void skein_hook_aside(struct rt_input *me)
{
	me->where = INPUT_ASIDE;
}

HOOK void skein_hook_home(struct rt_input *me);
HOOK void skein_hook_home(struct rt_input *me)
{
	me->where = INPUT_HERE;
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

/* Accesses of one, two, four or eight cells, with nothing of others. Reads return how many of them are first accesses
 * that the thread has not been told of. */
#define ACCESS(result, name, cells) \
	HOOK result skein_hook_##name##cells(struct rt_input *me, const void *p, uint32_t bytes, uint32_t cell_log2, uint32_t aligned)
#define READ(cells)                                                                                                                  \
	ACCESS(uint64_t, read, cells);                                                                                               \
	ACCESS(uint64_t, read, cells)                                                                                                \
	{                                                                                                                            \
		uint64_t firsts = 0;                                                                                                 \
		if (INPUT_RARELY(!input_fast_read(&me->core.t, (uintptr_t)p, cell_log2, cells, aligned, me->core.t.limit, &firsts))) \
			input_concurrent_read_slow(&me->core, (uintptr_t)p, bytes);                                                  \
		return firsts;                                                                                                       \
	}
#define WRITE(cells)                                                                                                         \
	ACCESS(void, write, cells);                                                                                          \
	ACCESS(void, write, cells)                                                                                           \
	{                                                                                                                    \
		if (INPUT_RARELY(!input_fast_write(&me->core.t, (uintptr_t)p, cell_log2, cells, aligned, me->core.t.limit))) \
			input_concurrent_write_slow(&me->core, (uintptr_t)p, bytes);                                         \
	}
#define MODIFY(cells)                                                                                                                    \
	ACCESS(uint64_t, modify, cells);                                                                                                 \
	ACCESS(uint64_t, modify, cells)                                                                                                  \
	{                                                                                                                                \
		uint64_t firsts = 0;                                                                                                     \
		if (INPUT_RARELY(!input_fast_modify(&me->core.t, (uintptr_t)p, cell_log2, cells, aligned, me->core.t.limit, &firsts))) { \
			input_concurrent_read_slow(&me->core, (uintptr_t)p, bytes);                                                      \
			input_concurrent_write_slow(&me->core, (uintptr_t)p, bytes);                                                     \
		}                                                                                                                        \
		return firsts;                                                                                                           \
	}
#define ALL(access) access(1) access(2) access(4) access(8)
ALL(READ)
ALL(WRITE)
ALL(MODIFY)

/* Accesses of the program's own that are wide, or of an odd size. They are part of their block, and cost nothing. */
HOOK void skein_hook_wide_read(struct rt_input *me, const void *p, uint64_t bytes);
HOOK void skein_hook_wide_read(struct rt_input *me, const void *p, uint64_t bytes)
{
	input_concurrent_read_slow(&me->core, (uintptr_t)p, bytes);
}

HOOK void skein_hook_wide_write(struct rt_input *me, const void *p, uint64_t bytes);
HOOK void skein_hook_wide_write(struct rt_input *me, const void *p, uint64_t bytes)
{
	input_concurrent_write_slow(&me->core, (uintptr_t)p, bytes);
}

/* What moves or reads a piece of memory, such as memcpy. */
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

/* Whether the accesses of a loop were told: see src/pass/input/ranges.c. */
HOOK uint32_t skein_hook_ranges(struct rt_input *me, const struct input_told *ranges, uint32_t count, uint32_t kinds);
HOOK uint32_t skein_hook_ranges(struct rt_input *me, const struct input_told *ranges, uint32_t count, uint32_t kinds)
{
	return skein_rt_input_ranges(me, ranges, count, kinds);
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

HOOK uint64_t skein_hook_calls(struct rt_input *me, const char *words, uint64_t *arguments);
HOOK uint64_t skein_hook_calls(struct rt_input *me, const char *words, uint64_t *arguments)
{
	return skein_rt_input_calls(me, words, arguments);
}

HOOK void skein_hook_called(struct rt_input *me, const char *words, uint64_t *arguments, uint64_t result, uint64_t before);
HOOK void skein_hook_called(struct rt_input *me, const char *words, uint64_t *arguments, uint64_t result, uint64_t before)
{
	skein_rt_input_called(me, words, arguments, result, before);
}

/* Models with more to them than one range: behind the call, with its arguments and its result. */
/* clang-format off */
#define X(name)                                                                                                    \
	HOOK void skein_hook_##name(struct rt_input *me, uint64_t a, uint64_t b, uint64_t c, uint64_t result);     \
	HOOK void skein_hook_##name(struct rt_input *me, uint64_t a, uint64_t b, uint64_t c, uint64_t result)      \
	{                                                                                                          \
		skein_rt_input_##name(me, a, b, c, result);                                                        \
	}
/* clang-format on */
INPUT_MODEL_LIST(X)
#undef X
