/* SPDX-License-Identifier: MIT */
/* models.c: reports what functions of the C library did to memory, after they have returned. Such functions access
 * larger pieces than necessary, and internal tables: none of that is input. Memory that an allocator hands out
 * counts as never accessed, so frees need not be seen. */
#include "rt/input/input.h"

#include <malloc.h>
#include <string.h>

/* Large blocks come from the kernel, cleared: they are not worth a shadow as large. */
enum { CLEARED_MOST = 128 << 10 };

#define MODEL(name) void skein_rt_input_##name(struct rt_input *me, uint64_t a, uint64_t b, uint64_t c, uint64_t result)
#define UNUSED(...) (void)sizeof((uint64_t[]){__VA_ARGS__})

static const char *text_at(uint64_t address)
{
	return (const char *)(uintptr_t)address;
}

static void reads(struct rt_input *me, uint64_t at, uint64_t bytes)
{
	skein_rt_input_read(me, (const void *)(uintptr_t)at, bytes);
}

static void writes(struct rt_input *me, uint64_t at, uint64_t bytes)
{
	skein_rt_input_write(me, (const void *)(uintptr_t)at, bytes);
}

static uint64_t usable(uint64_t block)
{
	return block ? malloc_usable_size((void *)(uintptr_t)block) : 0;
}

void skein_rt_input_kernel(struct rt_input *me, const void *at, uint64_t bytes)
{
	if (bytes)
		input_concurrent_kernel_write(&me->core, (uintptr_t)at, bytes);
}

uint64_t skein_rt_input_text(uint64_t text)
{
	return text ? strlen(text_at(text)) + 1 : 0;
}

/* ---- memory that comes and goes ---- */

MODEL(fresh)
{
	UNUSED(a, b, c);
	input_concurrent_forget(&me->core, result, usable(result));
}

MODEL(cleared)
{
	UNUSED(c);
	input_concurrent_forget(&me->core, result, usable(result));
	if (result && a * b <= CLEARED_MOST)
		writes(me, result, a * b);
}

/* What was at the old place, and how much of it, is gone: as much is new here as was asked for. */
MODEL(moved)
{
	UNUSED(c);
	if (!result || result == a)
		return;
	input_concurrent_forget(&me->core, result, usable(result));
	if (a)
		writes(me, result, b);
}

/* ---- text ---- */

MODEL(copied)
{
	UNUSED(b, c);
	uint64_t bytes = skein_rt_input_text(a);
	reads(me, a, bytes);
	if (!result)
		return;
	input_concurrent_forget(&me->core, result, usable(result));
	writes(me, result, bytes);
}

/* strncat gives at most c bytes; strcat has no third argument, 0 here. */
MODEL(append)
{
	UNUSED(result);
	uint64_t more = c ? strnlen(text_at(b), c) : strlen(text_at(b)), all = strlen(text_at(a));
	uint64_t before = all > more ? all - more : 0;
	reads(me, b, c && more == c ? more : more + 1);
	reads(me, a, before + 1);
	writes(me, a + before, more + 1);
}

MODEL(padded)
{
	UNUSED(result);
	uint64_t bytes = strnlen(text_at(b), c);
	reads(me, b, bytes < c ? bytes + 1 : c);
	writes(me, a, c);
}

MODEL(find)
{
	UNUSED(b, c);
	reads(me, a, result ? result - a + 1 : skein_rt_input_text(a));
}

MODEL(find_some)
{
	UNUSED(b);
	reads(me, a, result ? result - a + 1 : c);
}

/* How far two pieces of memory had to be read until they differed, or one ended with a zero. */
static uint64_t alike(uint64_t a, uint64_t b, uint64_t most, bool is_text)
{
	uint64_t n = 0;
	while (n < most && text_at(a)[n] == text_at(b)[n] && !(is_text && !text_at(a)[n]))
		n++;
	return n < most ? n + 1 : most;
}

static void compared(struct rt_input *me, uint64_t a, uint64_t b, uint64_t bytes)
{
	reads(me, a, bytes);
	reads(me, b, bytes);
}

MODEL(compare)
{
	UNUSED(result);
	compared(me, a, b, alike(a, b, c, false));
}

MODEL(compare_text)
{
	UNUSED(c, result);
	compared(me, a, b, alike(a, b, UINT64_MAX, true));
}

MODEL(compare_some)
{
	UNUSED(result);
	compared(me, a, b, alike(a, b, c, true));
}

MODEL(number)
{
	UNUSED(b, c, result);
	static const char part[] = " \t\n\v\f\r+-.0123456789abcdefABCDEFxXpP";
	reads(me, a, strspn(text_at(a), part) + 1);
}

/* ---- trees and lists of libstdc++ (colour, parent, left, right; next, previous) ---- */

enum { PARENT = 8, LEFT = 16, RIGHT = 24, PREVIOUS = 8 };

static uint64_t step(struct rt_input *me, uint64_t node, unsigned way)
{
	reads(me, node + way, sizeof node);
	return *(const uint64_t *)(uintptr_t)(node + way);
}

/* The next node, or with the ways exchanged the one before: as the library looks for it. */
static void walk(struct rt_input *me, uint64_t node, unsigned right, unsigned left)
{
	uint64_t child = step(me, node, right), parent;
	if (child) {
		while ((child = step(me, child, left)))
			;
		return;
	}
	for (parent = step(me, node, PARENT); node == step(me, parent, right); parent = step(me, parent, PARENT))
		node = parent;
}

MODEL(tree_next)
{
	UNUSED(b, c, result);
	walk(me, a, RIGHT, LEFT);
}

MODEL(tree_before)
{
	UNUSED(b, c, result);
	walk(me, a, LEFT, RIGHT);
}

MODEL(list_hooked)
{
	UNUSED(c, result);
	reads(me, b + PREVIOUS, sizeof b);
	writes(me, a, 2 * sizeof a);
	writes(me, *(const uint64_t *)(uintptr_t)(a + PREVIOUS), sizeof a);
	writes(me, b + PREVIOUS, sizeof b);
}

MODEL(list_unhooked)
{
	UNUSED(b, c, result);
	reads(me, a, 2 * sizeof a);
	writes(me, *(const uint64_t *)(uintptr_t)(a + PREVIOUS), sizeof a);
	writes(me, *(const uint64_t *)(uintptr_t)a + PREVIOUS, sizeof a);
}

/* ---- from outside ---- */

MODEL(line)
{
	UNUSED(b, c);
	if (result)
		input_concurrent_kernel_write(&me->core, a, skein_rt_input_text(a));
}
