/* SPDX-License-Identifier: MIT */
/* format.c: words for functions with a format: scan:FLAGS and print:FLAGS, with the number of the argument that is the format at the end.
 *
 *     k  what is written came from outside        W  the format is of wide characters
 *     v  behind the format is a va_list
 *
 * printf uses up its list, and scanf may: both are read as they were before the call. */
#include "core/input/format.h"
#include <malloc.h>
#include <string.h>
#include <wchar.h>
#include "rt/input/calls.h"

struct formatted {
	const struct input_call *c;
	bool is_outside;
};

static uint64_t bytes_at(enum input_format_what what, uint64_t at, uint64_t most, bool writes)
{
	const void *text = (const void *)(uintptr_t)at;
	if (what == INPUT_FORMAT_BYTES)
		return most;
	if (what == INPUT_FORMAT_TEXT) {
		uint64_t length = most == UINT64_MAX ? strlen(text) : strnlen(text, most);
		return length + (writes || length < most);
	}
	uint64_t length = most == UINT64_MAX ? wcslen(text) : wcsnlen(text, most);
	return (length + (writes || length < most)) * sizeof(wchar_t);
}

static void does(void *context, bool writes, enum input_format_what what, uint64_t at, uint64_t bytes)
{
	const struct formatted *f = context;
	if (!input_call_address(at))
		return;
	if (what == INPUT_FORMAT_MADE) {
		void *block = *(void **)(uintptr_t)at;
		input_concurrent_forget(&f->c->me->core, (uintptr_t)block, malloc_usable_size(block));
		input_call_write(f->c, at, bytes);
		return;
	}
	input_call_does *how = !writes ? input_call_read : f->is_outside ? input_call_kernel : input_call_write;
	how(f->c, at, bytes_at(what, at, bytes, writes));
}

/* The state of a va_list, behind the arguments. */
static struct input_format_list *list_of(const struct input_call *c)
{
	return (struct input_format_list *)(void *)c->more;
}

void input_call_format(const struct input_call *c, const char *word, bool behind)
{
	const char *flags = strchr(word, ':') + 1, *number = flags + strcspn(flags, "0123456789");
	bool scans = *word == 's', has_list = memchr(flags, 'v', (size_t)(number - flags));
	struct formatted formatted = {.c = c, .is_outside = memchr(flags, 'k', (size_t)(number - flags))};
	const uint64_t *format = c->a + (*number - '0');
	struct input_format f = {.text = (const void *)(uintptr_t)*format,
	                         .is_wide = memchr(flags, 'W', (size_t)(number - flags)),
	                         .does = does,
	                         .context = &formatted};
	if (has_list && !behind)
		memcpy(list_of(c), (const void *)(uintptr_t)format[1], sizeof(struct input_format_list));
	f.list = has_list ? list_of(c) : NULL;
	f.arguments = has_list ? NULL : format + 1;
	if (scans && behind)
		input_format_scan(&f, (int64_t)c->result);
	else if (!scans && !behind)
		input_format_print(&f);
}
