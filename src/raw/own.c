/* SPDX-License-Identifier: MIT */
/* own.c: functions of the C library on memory and text, for what runs in a subject alone.
 *
 * Problem: a subject may define memcpy, strlen or any other function of the C library. By name the runtime would call that
 * one, which is instrumented and calls the runtime: within a registration, under a lock, or without an end. A compiler
 * makes such calls, too.
 * Idea: the same names, hidden: they bind where the runtime is linked, and are not seen outside.
 * Cost: blocks of 16 bytes, and one instruction for what is long: within a small factor of the C library's.
 *
 * Loops have a step that the compiler cannot see through, or it would find that a loop is the very function that it stands in. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include "arch/arch.h"

#pragma GCC visibility push(hidden)

enum { WORD = 8, BLOCK = 16, LONG = 1024 };
#define STEP(x) __asm__("" : "+r"(x))

typedef uint64_t word __attribute__((may_alias, aligned(1)));
typedef uint64_t block __attribute__((vector_size(BLOCK), may_alias, aligned(1)));

/* ---- memory ---- */

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	char *t = to;
	const char *f = from;
	if (bytes >= LONG) {
		arch_copy(t, f, bytes);
	} else if (bytes >= BLOCK) {
		block last = *(const block *)(f + bytes - BLOCK);
		for (size_t i = 0; i < bytes - BLOCK; i += BLOCK) {
			STEP(i);
			*(block *)(t + i) = *(const block *)(f + i);
		}
		*(block *)(t + bytes - BLOCK) = last;
	} else if (bytes >= WORD) {
		word last = *(const word *)(f + bytes - WORD);
		*(word *)t = *(const word *)f;
		*(word *)(t + bytes - WORD) = last;
	} else {
		for (size_t i = 0; i < bytes; i++) {
			STEP(i);
			t[i] = f[i];
		}
	}
	return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
	char *t = to;
	const char *f = from;
	if ((uintptr_t)t - (uintptr_t)f >= bytes && (uintptr_t)f - (uintptr_t)t >= bytes)
		return memcpy(to, from, bytes);
	if (t < f) {
		arch_copy(t, f, bytes);
		return to;
	}
	for (size_t i = bytes; i--;) {
		STEP(i);
		t[i] = f[i];
	}
	return to;
}

void *memset(void *to, int byte, size_t bytes)
{
	char *t = to;
	word w = 0x0101010101010101u * (unsigned char)byte;
	block b = {w, w};
	if (bytes >= LONG) {
		arch_fill(t, byte, bytes);
	} else if (bytes >= BLOCK) {
		for (size_t i = 0; i < bytes - BLOCK; i += BLOCK) {
			STEP(i);
			*(block *)(t + i) = b;
		}
		*(block *)(t + bytes - BLOCK) = b;
	} else if (bytes >= WORD) {
		*(word *)t = w;
		*(word *)(t + bytes - WORD) = w;
	} else {
		for (size_t i = 0; i < bytes; i++) {
			STEP(i);
			t[i] = (char)byte;
		}
	}
	return to;
}

int memcmp(const void *x, const void *y, size_t bytes)
{
	const unsigned char *a = x, *b = y;
	size_t i = 0;
	while (i + WORD <= bytes && *(const word *)(a + i) == *(const word *)(b + i))
		i += WORD;
	for (; i < bytes; i++)
		if (a[i] != b[i])
			return a[i] - b[i];
	return 0;
}

/* What clang makes of a memcmp that asks only for equality. */
int bcmp(const void *x, const void *y, size_t bytes)
{
	return memcmp(x, y, bytes);
}

/* The first `byte` or, if `ends`, 0 from `at` on; `end` if there is none before. Blocks are read whole: an aligned one lies in one
 * page. */
static const char *find(const char *at, int byte, int ends, const char *end)
{
	const char *part = (const char *)((uintptr_t)at & -(uintptr_t)BLOCK);
	if (at == end)
		return end;
	uint32_t found = (arch_equal(part, byte) | (ends ? arch_equal(part, 0) : 0)) & ~0u << (at - part);
	while (!found) {
		part += BLOCK;
		if (part >= end)
			return end;
		found = arch_equal(part, byte) | (ends ? arch_equal(part, 0) : 0);
	}
	at = part + __builtin_ctz(found);
	return at < end ? at : end;
}

static const char *anywhere(void)
{
	return (const char *)UINTPTR_MAX;
}

void *memchr(const void *in, int byte, size_t bytes)
{
	const char *end = bytes < UINTPTR_MAX - (uintptr_t)in ? (const char *)in + bytes : anywhere();
	const char *at = find(in, byte, 0, end);
	return at == end ? NULL : (void *)(uintptr_t)at;
}

/* ---- text ---- */

size_t strlen(const char *text)
{
	return (size_t)(find(text, 0, 0, anywhere()) - text);
}

size_t strnlen(const char *text, size_t most)
{
	const char *end = most < UINTPTR_MAX - (uintptr_t)text ? text + most : anywhere();
	return (size_t)(find(text, 0, 0, end) - text);
}

char *strchr(const char *text, int c)
{
	const char *at = find(text, c, 1, anywhere());
	return *at == (char)c ? (char *)(uintptr_t)at : NULL;
}

char *strrchr(const char *text, int c)
{
	const char *last = NULL;
	for (;; text++) {
		last = *text == (char)c ? text : last;
		if (!*text)
			return (char *)(uintptr_t)last;
	}
}

int strcmp(const char *x, const char *y)
{
	while (*x && *x == *y)
		x++, y++;
	return (unsigned char)*x - (unsigned char)*y;
}

int strncmp(const char *x, const char *y, size_t most)
{
	for (size_t i = 0; i < most; i++)
		if (x[i] != y[i] || !x[i])
			return (unsigned char)x[i] - (unsigned char)y[i];
	return 0;
}

char *stpcpy(char *restrict to, const char *restrict from)
{
	size_t length = strlen(from);
	memcpy(to, from, length + 1);
	return to + length;
}

char *strcpy(char *restrict to, const char *restrict from)
{
	memcpy(to, from, strlen(from) + 1);
	return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
	strcpy(to + strlen(to), from);
	return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t bytes)
{
	size_t length = strnlen(from, bytes);
	memcpy(to, from, length);
	memset(to + length, 0, bytes - length);
	return to;
}

static size_t run(const char *text, const char *set, int in)
{
	size_t n = 0;
	while (text[n] && (find(set, text[n], 1, anywhere())[0] != 0) == in)
		n++;
	return n;
}

size_t strspn(const char *text, const char *set)
{
	return run(text, set, 1);
}

size_t strcspn(const char *text, const char *set)
{
	return run(text, set, 0);
}

char *strstr(const char *text, const char *part)
{
	size_t length = strlen(part);
	for (;; text++) {
		if (strncmp(text, part, length) == 0)
			return (char *)(uintptr_t)text;
		if (!*text)
			return NULL;
	}
}

size_t wcsnlen(const wchar_t *text, size_t most)
{
	size_t n = 0;
	while (n < most && text[n]) {
		n++;
		STEP(n);
	}
	return n;
}

size_t wcslen(const wchar_t *text)
{
	return wcsnlen(text, SIZE_MAX);
}

#pragma GCC visibility pop
