/* SPDX-License-Identifier: MIT */
/* strv.c: strings and vectors of strings. */
#include "base/strv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

static void strv_take(struct strv *v, char *text)
{
	if (v->count + 1 >= v->room) {
		v->room = v->room ? 2 * v->room : 16;
		v->at = mem_or_die(realloc(v->at, v->room * sizeof *v->at));
	}
	v->at[v->count++] = text;
	v->at[v->count] = NULL;
}

void strv_add(struct strv *v, const char *text)
{
	strv_take(v, str_copy(text));
}

void strv_add_bytes(struct strv *v, const char *text, size_t bytes)
{
	strv_take(v, mem_or_die(strndup(text, bytes)));
}

static char *format_list(const char *format, va_list list)
{
	char *text;
	if (vasprintf(&text, format, list) < 0)
		text = NULL;
	return mem_or_die(text);
}

void strv_addf(struct strv *v, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	strv_take(v, format_list(format, list));
	va_end(list);
}

void strv_add_all(struct strv *v, const struct strv *more)
{
	for (size_t i = 0; i < more->count; i++)
		strv_add(v, more->at[i]);
}

bool strv_read(struct strv *v, const char *path)
{
	FILE *in = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	if (!in)
		return false;
	while (getline(&line, &room, in) > 0)
		strv_add_bytes(v, line, strcspn(line, "\n"));
	bool whole = !ferror(in);
	free(line);
	fclose(in);
	return whole;
}

bool strv_has(const struct strv *v, const char *text)
{
	for (size_t i = 0; i < v->count; i++)
		if (strcmp(v->at[i], text) == 0)
			return true;
	return false;
}

void strv_free(struct strv *v)
{
	for (size_t i = 0; i < v->count; i++)
		free(v->at[i]);
	free(v->at);
	*v = (struct strv){0};
}

char *str_format(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	char *text = format_list(format, list);
	va_end(list);
	return text;
}

char *str_copy(const char *text)
{
	return mem_or_die(strdup(text));
}

bool str_starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *text, const char *suffix)
{
	size_t length = strlen(text), end = strlen(suffix);
	return length >= end && strcmp(text + length - end, suffix) == 0;
}

const char *str_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

char *str_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return str_copy(".");
	return slash == path ? str_copy("/") : mem_or_die(strndup(path, (size_t)(slash - path)));
}

char *str_absolute(const char *folder, const char *path)
{
	return path[0] == '/' ? str_copy(path) : str_format("%s/%s", folder, path);
}
