/* SPDX-License-Identifier: MIT */
/* cpp.c: strings and streams of libstdc++, and what enters a tree, where its library does what its headers do not:
 * words for its functions, as in special.c.
 *
 * The layouts are those of its ABI (libstdc++.so.6, strings of C++11), which cannot change. */
#include <malloc.h>
#include <stddef.h>
#include <string.h>
#include "rt/input/calls.h"

#define SPECIAL(name) static void name(const struct input_call *c, uint64_t at, bool behind)

static uint64_t word_at(uint64_t at)
{
	return *(const uint64_t *)(uintptr_t)at;
}

/* ---- streams ---- */

extern const char text_buffer[] __asm__("_ZTVNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEE") __attribute__((weak));

bool input_call_is_of_text(uint64_t stream)
{
	enum { BASE = 24, TABLE_HEAD = 16, BUFFER = 232 };
	uint64_t ios = stream + word_at(word_at(stream) - BASE), buffer = word_at(ios + BUFFER);
	return buffer && text_buffer && word_at(buffer) == (uintptr_t)text_buffer + TABLE_HEAD;
}

static input_call_does *from(uint64_t stream)
{
	return input_call_is_of_text(stream) ? input_call_write : input_call_kernel;
}

/* istream::read: how much, the stream knows. */
SPECIAL(gathered)
{
	if (behind)
		from(c->a[0])(c, at, word_at(c->a[0] + sizeof(uint64_t)));
}

/* ---- strings: where the text is, its length, and room for a short one ---- */

enum { LENGTH = 8, SHORT = 16, HEAD = 16 };

SPECIAL(string_read)
{
	if (behind)
		return;
	input_call_read(c, at, HEAD);
	input_call_read(c, word_at(at), word_at(at + LENGTH));
}

SPECIAL(string_size)
{
	if (!behind)
		input_call_read(c, at + LENGTH, sizeof(uint64_t));
}

static void is_new(const struct input_call *c, uint64_t string)
{
	uint64_t text = word_at(string);
	if (text != string + SHORT)
		input_concurrent_forget(&c->me->core, text, malloc_usable_size((void *)(uintptr_t)text));
	input_call_write(c, string, HEAD);
	input_call_write(c, text, word_at(string + LENGTH) + 1);
}

/* A string that was not there before. */
SPECIAL(string_made)
{
	if (behind)
		is_new(c, at);
}

/* The earlier state of the string is kept where a va_list would be. Text that has moved was read, unless it is
 * another one, and is written elsewhere; else what lies from `same` on was written. */
enum change { GROWN, CHANGED, REPLACED };
static void change(const struct input_call *c, uint64_t at, bool behind, enum change how)
{
	uint64_t *text = &c->more[0], *length = &c->more[1];
	if (!behind) {
		input_call_read(c, at, how == GROWN ? HEAD : sizeof *text);
		*text = word_at(at);
		*length = word_at(at + LENGTH);
		return;
	}
	uint64_t now = word_at(at + LENGTH), same = how == GROWN && now >= *length ? *length : 0;
	if (word_at(at) != *text) {
		input_call_read(c, *text, how == REPLACED ? 0 : *length);
		is_new(c, at);
		return;
	}
	input_call_write(c, at + LENGTH, sizeof now);
	input_call_write(c, *text + same, now + 1 - same);
}

SPECIAL(string_grown)
{
	change(c, at, behind, GROWN);
}
SPECIAL(string_changed)
{
	change(c, at, behind, CHANGED);
}
SPECIAL(string_assigned)
{
	change(c, at, behind, REPLACED);
}

/* From a stream, the first argument. */
SPECIAL(string_filled)
{
	if (!behind)
		return;
	input_call_write(c, at, HEAD);
	from(c->a[0])(c, word_at(at), word_at(at + LENGTH) + 1);
}

/* ---- trees (map, set): colour, parent, left, right ---- */

enum { PARENT = 8, LEFT = 16, RIGHT = 24, NODE = 32 };

static uint64_t step(const struct input_call *c, uint64_t node, unsigned way)
{
	input_call_read(c, node + way, sizeof node);
	return word_at(node + way);
}

/* A new node below another one; the head has the root, the first and the last. How the tree is balanced then is not looked at. */
SPECIAL(tree_entered)
{
	if (!behind)
		return;
	uint64_t below = c->a[2], head = c->a[3];
	unsigned way = c->a[0] & 1 ? LEFT : RIGHT;
	input_call_write(c, at, sizeof(uint32_t));
	input_call_write(c, at + PARENT, NODE - PARENT);
	input_call_write(c, below + way, sizeof at);
	if (below == head) {
		input_call_write(c, head + PARENT, NODE - PARENT);
		return;
	}
	if (step(c, head, way) == at)
		input_call_write(c, head + way, sizeof at);
	step(c, head, PARENT);
	input_call_read(c, below, sizeof(uint32_t));
}

const struct input_special input_specials_cpp[] = {INPUT_SPECIAL("gathered", gathered),
                                                   INPUT_SPECIAL("string_read", string_read),
                                                   INPUT_SPECIAL("string_size", string_size),
                                                   INPUT_SPECIAL("string_made", string_made),
                                                   INPUT_SPECIAL("string_grown", string_grown),
                                                   INPUT_SPECIAL("string_changed", string_changed),
                                                   INPUT_SPECIAL("string_assigned", string_assigned),
                                                   INPUT_SPECIAL("string_filled", string_filled),
                                                   INPUT_SPECIAL("tree_entered", tree_entered),
                                                   INPUT_SPECIAL_LAST};
