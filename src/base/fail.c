/* SPDX-License-Identifier: MIT */
/* fail.c: makes and prints errors: one sentence and a status. */
#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>

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
int fail_print(const char *program, const struct fail *why)
{
	struct pool pool = {0};
	fprintf(stderr, "%s: ", program);
	for (const char *p = locale_is_utf8() ? why->text : locale_ascii(&pool, why->text); *p; p++) {
		unsigned char c = (unsigned char)*p;
		if (c < 0x20 || c == 0x7f)
			fprintf(stderr, "\\x%02x", c);
		else
			fputc(c, stderr);
	}
	fputc('\n', stderr);
	pool_free(&pool);
	return why->status;
}
