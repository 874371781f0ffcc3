/* SPDX-License-Identifier: MIT */
#include "analyse/names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/names_rust.h"

/* The demangler of libstdc++ (Itanium C++ ABI, section 3.4) has C linkage, but no C header. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

const char *names_demangle(struct pool *pool, const char *linkage)
{
	const char *rust = names_rust(pool, linkage);
	if (rust)
		return rust;
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

/* Without parameters, and, if so wanted, without template arguments. */
static const char *shorten(struct pool *pool, const char *name, bool templates)
{
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
		if (*at == '<' && !templates)
			to = mempcpy(to, at, (size_t)(end - at) + 1);
		else if (*at == '<')
			to = stpcpy(to, "<…>");
		at = end;
		if (*end == ')' && (end[1] == 0 || strncmp(end + 1, " const", 6) == 0 || end[1] == ' '))
			break; /* the parameters begin here: the name has ended */
	}
	*to = 0;
	return text;
}

const char *names_short(struct pool *pool, const char *name, size_t most)
{
	return strlen(name) <= most ? name : shorten(pool, name, true);
}

const char *names_brief(struct pool *pool, const char *name)
{
	const char *brief = strchr(name, '(') ? shorten(pool, name, false) : name;
	return names_short(pool, brief, NAMES_BRIEF);
}

/* Clang: f.omp_outlined, f.omp_outlined.3, f.omp_outlined_debug__ and, for each task, .omp_task_entry..3 without its
 * function. Gcc: f._omp_fn.0, be it a parallel region or a task. Skein's own: f.cilk_for, f.cilk_spawn.2. */
const char *names_construct(struct pool *pool, const char *linkage, const char **what)
{
	static const char *const constructs[][2] = {{".omp_task_entry.", "(task)"},
	                                            {"._omp_fn.", "(OpenMP)"},
	                                            {".omp_outlined", "(parallel)"},
	                                            {".cilk_for", "(cilk_for)"},
	                                            {".cilk_spawn", "(cilk_spawn)"}};
	for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++) {
		const char *end = strstr(linkage, constructs[i][0]);
		if (!end)
			continue;
		*what = constructs[i][1];
		return names_demangle(pool, pool_print(pool, "%.*s", (int)(end - linkage), linkage));
	}
	return NULL;
}
