/* SPDX-License-Identifier: MIT */
#include "analyse/table.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "pass/table.h"

static const struct {
	char letter;
	uint32_t flag;
} known[] = {{'p', TABLE_SPAWN}, {'l', TABLE_LOOP}, {'i', TABLE_INLINED}, {'f', TABLE_FOREIGN},
             {'1', TABLE_ONCE},  {'=', TABLE_LEAF}, {'0', TABLE_START},   {'c', TABLE_COUNTED}};

/* Unknown letters mean nothing: a later version may write more. */
static uint32_t site_flags(const char *letters)
{
	uint32_t flags = 0;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		flags |= strchr(letters, known[i].letter) ? known[i].flag : 0;
	return flags;
}

size_t table_fields(char *line, char *fields[], size_t most)
{
	line[strcspn(line, "\n")] = 0;
	size_t end = strlen(line), count = fields_split(line, fields, most);
	count = count < most ? count : most;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(fields[i], "-") == 0)
			*fields[i] = 0;
		fields_unescape(fields[i]);
	}
	for (size_t i = count; i < most; i++)
		fields[i] = line + end;
	return count;
}

void table_write_field(FILE *file, const char *text)
{
	if (!*text)
		fputc('-', file);
	fields_write(file, text);
}

void table_write_flags(FILE *file, uint32_t flags)
{
	if (!flags)
		fputc('-', file);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (flags & known[i].flag)
			fputc(known[i].letter, file);
}

bool table_number(const char *text, uint32_t *value)
{
	uint64_t number;
	bool good = fields_number(text, &number) && number < UINT32_MAX;
	*value = (uint32_t)number;
	return good;
}

/* A line or column that debug information does not give is an empty field. */
static bool place(const char *text, uint32_t *value)
{
	*value = 0;
	return !*text || table_number(text, value);
}

static bool add_routine(struct table *t, char *f[TABLE_FIELDS])
{
	uint32_t index, line;
	if (!table_number(f[1], &index) || index != t->routine_count || !place(f[4], &line))
		return false;
	MEMORY_GROW(t->routines, t->routine_count, t->routine_room);
	t->routines[t->routine_count++] = (struct table_routine){
		.linkage = pool_text(&t->pool, f[2]),
		.file = pool_text(&t->pool, f[3]),
		.line = line,
		.openmp = strchr(f[5], 'o') != NULL,
		.unprofiled = strchr(f[5], 'u') != NULL,
		.tiny = strchr(f[5], 't') != NULL,
		.atomic = strchr(f[5], 'a') != NULL,
		.external = strchr(f[5], 'e') != NULL,
		.shared = strchr(f[5], 'c') != NULL,
		.gone = strchr(f[5], 'g') != NULL,
	};
	return true;
}

static bool add_site(struct table *t, char *f[TABLE_FIELDS])
{
	uint32_t index, caller, callee = TABLE_NO_ROUTINE, line, column;
	if (!table_number(f[1], &index) || index != t->site_count || !table_number(f[2], &caller) || !place(f[6], &line) ||
	    !place(f[7], &column))
		return false;
	if (strcmp(f[3], "-1") != 0 && !table_number(f[3], &callee))
		return false;
	MEMORY_GROW(t->sites, t->site_count, t->site_room);
	t->sites[t->site_count++] = (struct table_site){
		.caller = caller,
		.callee = callee,
		.callee_name = pool_text(&t->pool, f[4]),
		.file = pool_text(&t->pool, f[5]),
		.line = line,
		.column = column,
		.flags = site_flags(f[8]),
	};
	return true;
}

static bool add_inlined(struct table *t, char *f[TABLE_FIELDS], bool removed)
{
	uint32_t line, into = TABLE_NO_ROUTINE;
	if (!place(f[3], &line) || (!removed && !table_number(f[4], &into)))
		return false;
	MEMORY_GROW(t->inlined, t->inlined_count, t->inlined_room);
	t->inlined[t->inlined_count++] = (struct table_inlined){
		.linkage = pool_text(&t->pool, f[1]),
		.file = pool_text(&t->pool, f[2]),
		.line = line,
		.into = into,
	};
	return true;
}

static bool add_unseen(struct table *t, char *f[TABLE_FIELDS])
{
	uint32_t caller;
	if (!table_number(f[1], &caller))
		return false;
	MEMORY_GROW(t->unseen, t->unseen_count, t->unseen_room);
	t->unseen[t->unseen_count++] = (struct table_unseen){caller, pool_text(&t->pool, f[2])};
	return true;
}

static bool references_stay_inside(const struct table *t)
{
	for (size_t i = 0; i < t->site_count; i++)
		if (t->sites[i].caller >= t->routine_count ||
		    (t->sites[i].callee != TABLE_NO_ROUTINE && t->sites[i].callee >= t->routine_count))
			return false;
	for (size_t i = 0; i < t->inlined_count; i++)
		if (t->inlined[i].into != TABLE_NO_ROUTINE && t->inlined[i].into >= t->routine_count)
			return false;
	for (size_t i = 0; i < t->unseen_count; i++)
		if (t->unseen[i].caller >= t->routine_count)
			return false;
	return true;
}

static bool is_end(const struct table *t, char *f[TABLE_FIELDS])
{
	uint32_t routines, sites;
	return table_number(f[1], &routines) && table_number(f[2], &sites) && routines == t->routine_count && sites == t->site_count &&
		references_stay_inside(t);
}

static enum table_line add_line(void *context, char *f[TABLE_FIELDS])
{
	struct table *t = context;
	bool good;
	if (strcmp(f[0], "r") == 0)
		good = add_routine(t, f);
	else if (strcmp(f[0], "s") == 0)
		good = add_site(t, f);
	else if (strcmp(f[0], "i") == 0)
		good = add_inlined(t, f, false);
	else if (strcmp(f[0], "x") == 0)
		good = add_inlined(t, f, true);
	else if (strcmp(f[0], "u") == 0)
		good = add_unseen(t, f);
	else if (strcmp(f[0], "end") == 0)
		return is_end(t, f) ? TABLE_LINE_LAST : TABLE_LINE_BAD;
	else if (strcmp(f[0], "o") == 0)
		good = snprintf(t->build_id, sizeof t->build_id, "%s", f[1]) < (int)sizeof t->build_id;
	else
		good = true; /* an unknown line: a later version may write more kinds */
	return good ? TABLE_LINE_GOOD : TABLE_LINE_BAD;
}

static int read_lines(FILE *file, const char *path, const struct table_form *form, void *context, struct fail *why)
{
	char *line = NULL, *f[TABLE_FIELDS];
	size_t room = 0, number_of_line = 0;
	uint32_t version = 0;
	enum table_line result = TABLE_LINE_GOOD;
	while (result == TABLE_LINE_GOOD && getline(&line, &room, file) >= 0) {
		table_fields(line, f, TABLE_FIELDS);
		if (number_of_line++ == 0)
			result = strcmp(f[0], form->magic) == 0 && table_number(f[1], &version) && version == form->version
				? TABLE_LINE_GOOD
				: TABLE_LINE_BAD;
		else
			result = form->add(context, f);
	}
	free(line);
	if (result == TABLE_LINE_LAST)
		return 0;
	if (result == TABLE_LINE_BAD)
		return fail_set(why, FAIL_INTERNAL,
		                "%s is not %s of this skein (line %zu): empty the re-link cache (~/.cache/skein) and record again", path,
		                form->what, number_of_line);
	return fail_set(why, FAIL_INTERNAL, "%s is truncated after line %zu: empty the re-link cache (~/.cache/skein) and record again",
	                path, number_of_line);
}

int table_read_lines(const char *path, const struct table_form *form, void *context, struct fail *why)
{
	FILE *file = fopen(path, "re");
	if (!file)
		return fail_set(why, FAIL_INTERNAL, "cannot read %s: %s", path, strerror(errno));
	int result = read_lines(file, path, form, context, why);
	fclose(file);
	return result;
}

int table_read(struct table *table, const char *path, struct fail *why)
{
	static const struct table_form form = {"a table", TABLE_MAGIC, TABLE_VERSION, add_line};
	memset(table, 0, sizeof *table);
	int result = table_read_lines(path, &form, table, why);
	if (result < 0)
		table_free(table);
	return result;
}

void table_free(struct table *table)
{
	free(table->routines);
	free(table->sites);
	free(table->inlined);
	free(table->unseen);
	pool_free(&table->pool);
	memset(table, 0, sizeof *table);
}
