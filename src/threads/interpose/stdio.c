/* SPDX-License-Identifier: MIT */
/* stdio.c: functions of stdio, which wait inside libc, where reads and writes cannot be interposed.
 *
 * A call that its stream's buffer can serve is passed on at once: it does not wait, and there may be very many such
 * calls. Another thread may use the stream meanwhile; then a short wait is seen that did not happen, or missed.
 * Waits of printf and similar functions are not seen: their size is not known before the call. */
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1 /* otherwise stdio.h defines some of these itself */
#endif
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "threads/interpose/interpose.h"

static size_t unread(const FILE *f)
{
	const char *at = f->_IO_read_ptr, *end = f->_IO_read_end;
	return at < end ? (size_t)(end - at) : 0;
}

static size_t unwritten(const FILE *f)
{
	const char *at = f->_IO_write_ptr, *end = f->_IO_write_end;
	return at < end ? (size_t)(end - at) : 0;
}

static bool has_line(const FILE *f, int end, size_t most)
{
	size_t bytes = unread(f);
	return bytes >= most || (bytes && memchr(f->_IO_read_ptr, end, bytes));
}

#define WRITES(name) (strstr(name, "write") || strstr(name, "put") || strstr(name, "flush") || strstr(name, "close"))

/* A stream may have no descriptor; NULL: all streams are meant. */
static int number_of(const FILE *f)
{
	return f ? f->_fileno : -1;
}

/* Everything but scanf: the call, and when the buffer will do for it. */
#define X(type, name, parameters, arguments, buffered, stream)                              \
	type name parameters;                                                               \
	EXPORT type name parameters                                                         \
	{                                                                                   \
		const void *caller = __builtin_return_address(0);                           \
		bool works = !(buffered), writes = WRITES(#name);                           \
		int fd = works && threads_client.moved ? number_of(stream) : -1;            \
		if (fd >= 0 && writes)                                                      \
			interpose_moved(THREADS_WRITES, fd, caller);                        \
		bool waits = works && wait_open(RAW_WAIT_IO, NULL, caller);                 \
		type outcome = real.name arguments;                                         \
		if (fd >= 0)                                                                \
			interpose_moved(writes ? THREADS_WROTE : THREADS_READ, fd, caller); \
		wait_close(waits);                                                          \
		return outcome;                                                             \
	}
STDIO_LIST(X)
#undef X

typedef int scanner(FILE *stream, const char *format, va_list list);

static int scan(scanner *scans, FILE *stream, const char *format, va_list list, const void *caller)
{
	bool waits = !has_line(stream, '\n', SIZE_MAX) && wait_open(RAW_WAIT_IO, NULL, caller);
	int outcome = scans(stream, format, list);
	wait_close(waits);
	return outcome;
}

/* The scanner of C23, which glibc has since 2.38. It is looked for at the first call, not when the table is filled:
 * only a program that was linked with such a libc calls it, and with an older one the search would fail and allocate. */
static scanner *scanner_of_c23(void)
{
	static _Atomic(scanner *) found;
	scanner *it = found;
	if (!it) {
		void *symbol = dlsym(RTLD_NEXT, "__isoc23_vfscanf");
		memcpy(&it, &symbol, sizeof it);
		found = it = it ? it : real.__isoc99_vfscanf;
	}
	return it;
}

/* What headers make of scanf and fscanf, of C99 and of C23. */
#define X(prefix, scans)                                                                      \
	int prefix##scanf(const char *restrict format, ...);                                  \
	int prefix##fscanf(FILE *restrict stream, const char *restrict format, ...);          \
                                                                                              \
	EXPORT int prefix##scanf(const char *restrict format, ...)                            \
	{                                                                                     \
		va_list list;                                                                 \
		va_start(list, format);                                                       \
		int outcome = scan(scans, stdin, format, list, __builtin_return_address(0));  \
		va_end(list);                                                                 \
		return outcome;                                                               \
	}                                                                                     \
                                                                                              \
	EXPORT int prefix##fscanf(FILE *restrict stream, const char *restrict format, ...)    \
	{                                                                                     \
		va_list list;                                                                 \
		va_start(list, format);                                                       \
		int outcome = scan(scans, stream, format, list, __builtin_return_address(0)); \
		va_end(list);                                                                 \
		return outcome;                                                               \
	}
X(__isoc99_, real.__isoc99_vfscanf)
X(__isoc23_, scanner_of_c23())
#undef X
