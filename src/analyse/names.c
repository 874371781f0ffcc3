/* SPDX-License-Identifier: MIT */
#include "analyse/names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The demangler of libstdc++ (Itanium C++ ABI, section 3.4) has C linkage, but no C header. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

const char *names_demangle(struct pool *pool, const char *linkage)
{
	if (strncmp(linkage, "_Z", 2) != 0 || strlen(linkage) > NAMES_LONGEST)
		return linkage;
	int status = 0;
	char *name = __cxa_demangle(linkage, NULL, NULL, &status);
	if (!name)
		return linkage;
	if (strlen(name) > NAMES_LONGEST)
		name[NAMES_LONGEST] = 0;
	const char *mine = pool_text(pool, name);
	free(name);
	return mine;
}

/* Bytes of an operator's name here (operator<, operator(), operator->), or 0. */
static size_t operator_bytes(const char *at)
{
	static const char word[] = "operator";
	size_t length = sizeof word - 1;
	if (strncmp(at, word, length) != 0)
		return 0;
	return length + (strncmp(at + length, "()", 2) == 0 ? 2 : strspn(at + length, "<>=-!+*/%^&|~,[]"));
}

/* The bracket that closes the one at `at`, or NULL. */
static const char *closing(const char *at)
{
	int depth = 0;
	for (; *at; at++) {
		depth += strchr("<({[", *at) ? 1 : strchr(">)}]", *at) && !(at[0] == '>' && at[-1] == '-') ? -1 : 0;
		if (depth == 0)
			return at;
	}
	return NULL;
}

const char *names_short(struct pool *pool, const char *name, size_t most)
{
	if (strlen(name) <= most)
		return name;
	char *text = pool_bytes(pool, 4 * strlen(name) + 1), *to = text; /* a replacement is at most four bytes for one byte */
	for (const char *at = name; *at; at++) {
		size_t whole = operator_bytes(at);
		if (whole) {
			memcpy(to, at, whole);
			to += whole;
			at += whole - 1;
			continue;
		}
		bool opens = (*at == '<' || *at == '(') && at > name && strncmp(at, "(anonymous", 10) != 0;
		const char *end = opens ? closing(at) : NULL;
		if (!end) {
			*to++ = *at;
			continue;
		}
		if (*at == '<')
			to = stpcpy(to, "<…>");
		at = end;
		if (*end == ')' && (end[1] == 0 || strncmp(end + 1, " const", 6) == 0 || end[1] == ' '))
			break; /* the parameters begin here: the name has ended */
	}
	*to = 0;
	return text;
}
