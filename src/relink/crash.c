/* SPDX-License-Identifier: MIT */
#include "relink/crash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `on function '@f'` of the passes that generate code and of the plugin, `on function "f"` of the others. The innermost comes last. */
static const char *function_in(const char *line, size_t *bytes)
{
	static const char said[] = "on function ";
	const char *at = strstr(line, said);
	if (!at || (at[sizeof said - 1] != '\'' && at[sizeof said - 1] != '"'))
		return NULL;
	at += sizeof said - 1;
	char quote = *at++;
	at += quote == '\'' && *at == '@';
	const char *end = strrchr(at, quote);
	*bytes = end ? (size_t)(end - at) : 0;
	return *bytes ? at : NULL;
}

char *crash_function(const char *log)
{
	struct strv lines = {0};
	const char *found = NULL;
	size_t bytes = 0, more;

	strv_read(&lines, log);
	for (size_t i = 0; i < lines.count; i++) {
		const char *name = function_in(lines.at[i], &more);
		if (name) {
			found = name;
			bytes = more;
		}
	}
	char *copy = found ? str_format("%.*s", (int)bytes, found) : NULL;
	strv_free(&lines);
	return copy;
}

static bool is_known(const struct crashes *c, const char *object, const char *function)
{
	for (size_t i = 0; i < c->functions.count; i++)
		if (strcmp(c->objects.at[i], object) == 0 && strcmp(c->functions.at[i], function) == 0)
			return true;
	return false;
}

bool crashes_note(struct crashes *c, const char *object, const char *log)
{
	char *function = crash_function(log);
	bool is_new = function && !is_known(c, object, function);

	if (is_new) {
		strv_add(&c->objects, object);
		strv_add(&c->functions, function);
	}
	free(function);
	return is_new;
}

char *crashes_lines(const struct crashes *c, const char *object)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *to = mem_or_die(open_memstream(&text, &bytes));

	for (size_t i = 0; i < c->functions.count; i++)
		if (strcmp(object, CRASH_ANYWHERE) == 0 || strcmp(c->objects.at[i], object) == 0)
			fprintf(to, "%s\n", c->functions.at[i]);
	fclose(to);
	if (bytes)
		return text;
	free(text);
	return NULL;
}

void crashes_free(struct crashes *c)
{
	strv_free(&c->objects);
	strv_free(&c->functions);
}
