/* SPDX-License-Identifier: MIT */
/* fail.c: makes and prints errors: one sentence and a status. */
#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/escape.h"
#include "base/locale.h"

__attribute__((format(printf, 4, 0))) static void set(struct fail *why, enum fail_cause cause, int status, const char *format, va_list list)
{
	why->status = status;
	why->cause = cause;
	vsnprintf(why->text, sizeof why->text, format, list);
}

int fail_set(struct fail *why, int status, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	set(why, FAIL_PLAIN, status, format, list);
	va_end(list);
	return -1;
}

int fail_because(struct fail *why, enum fail_cause cause, int status, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	set(why, cause, status, format, list);
	va_end(list);
	return -1;
}

/* Names in the sentence may come from a hostile file: their bytes must not reach the terminal as commands. */
static void print(const char *program, const char *text)
{
	struct pool pool = {0};
	fprintf(stderr, "%s: ", program);
	locale_put(stderr, escape_plain(&pool, text));
	fputc('\n', stderr);
	pool_free(&pool);
}

int fail_print(const char *program, const struct fail *why)
{
	print(program, why->text);
	return why->status;
}

void fail_note(const char *program, const char *format, ...)
{
	struct fail note;
	va_list list;

	va_start(list, format);
	set(&note, FAIL_PLAIN, 0, format, list);
	va_end(list);
	print(program, note.text);
}
