/* SPDX-License-Identifier: MIT */
/* format.h: which memory functions with a format (scanf, printf and similar functions) access at their arguments.
 *
 *     struct input_format f = {.text = "%d %9s", .arguments = words, .does = does, .context = me};
 *     input_format_scan(&f, 2);             both were assigned: does(me, true, INPUT_FORMAT_BYTES, words[0], 4), then the text at words[1]
 *     input_format_print(&f);               what printf reads: texts
 *
 * Arguments are words, one each, or the state of a va_list. The functions need nothing else, so they may run
 * anywhere. */
#ifndef SKEIN_INPUT_FORMAT_H
#define SKEIN_INPUT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

enum input_format_what {
	INPUT_FORMAT_BYTES,
	INPUT_FORMAT_TEXT, /* a text up to its zero, at most `bytes` long */
	INPUT_FORMAT_WIDE, /* a text of characters of four bytes */
	INPUT_FORMAT_MADE  /* a pointer to an allocated block */
};

/* The state of a va_list: System V ABI, figure 3.34. */
struct input_format_list {
	uint32_t gp_offset, fp_offset;
	uint64_t overflow, saved;
};

struct input_format {
	const void *text;
	bool is_wide;              /* the format consists of wide characters */
	const uint64_t *arguments; /* the arguments behind the format; NULL: use `list` */
	const struct input_format_list *list;
	void (*does)(void *context, bool writes, enum input_format_what what, uint64_t at, uint64_t bytes);
	void *context;
};

/* `assigned`: what the function returned. A %n behind text that need not have matched counts as written. */
void input_format_scan(const struct input_format *f, int64_t assigned);
void input_format_print(const struct input_format *f);

#endif
