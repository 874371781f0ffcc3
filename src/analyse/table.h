/* SPDX-License-Identifier: MIT */
/* table.h: reads the table of a re-linked object (see src/pass/table.h for its lines).
 *
 *     struct table table;
 *     if (table_read(&table, path, &why) < 0) …
 *     table.routines[3].linkage …
 *     table_free(&table);
 *
 * Everything is checked: indices count up from 0, references stay inside, the last line is there. The table owns its
 * strings. For other files with such lines this header also has: unescaping, cutting a line into fields, and reading
 * a file up to its last line. */
#ifndef SKEIN_TABLE_H
#define SKEIN_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "base/fail.h"
#include "base/memory.h"

#define TABLE_NO_ROUTINE 0xffffffffu

struct table_routine {
	const char *linkage, *file;
	uint32_t line;
	int openmp, unprofiled, atomic;
	int tiny;     /* unprofiled because it is small */
	int external; /* of a piece: others can call it by its name */
	int shared;   /* of a piece: others may have it, too, and the linker keeps one */
	int gone;     /* the linker dropped it */
};

/* Flags of a site, for the span lens. TABLE_START: not a call, but the start of main, of a constructor or of a
 * thread's first routine; the caller is then the callee itself. */
enum table_site_flag {
	TABLE_SPAWN = 1,
	TABLE_LOOP = 2,
	TABLE_INLINED = 4,
	TABLE_FOREIGN = 8,
	TABLE_ONCE = 16,
	TABLE_START = 32,
	TABLE_LEAF = 64,
	TABLE_COUNTED = 128 /* calls lens: there is a row */
};

struct table_site {
	uint32_t caller, callee; /* callee may be TABLE_NO_ROUTINE */
	const char *callee_name, *file;
	uint32_t line, column;
	uint32_t flags; /* enum table_site_flag */
};

struct table_inlined {
	const char *linkage, *file;
	uint32_t line, into; /* TABLE_NO_ROUTINE: removed */
};

/* A function that a routine calls and whose reads and writes are not modelled. */
struct table_unseen {
	uint32_t caller;
	const char *name;
};

struct table {
	char build_id[129];
	struct table_routine *routines;
	size_t routine_count, routine_room;
	struct table_site *sites;
	size_t site_count, site_room;
	struct table_inlined *inlined;
	size_t inlined_count, inlined_room;
	struct table_unseen *unseen;
	size_t unseen_count, unseen_room;
	struct pool pool;
};

int table_read(struct table *table, const char *path, struct fail *why);
void table_free(struct table *table);

/* Cuts a line (its newline may be there) at its tabs, in place, and undoes the escapes of each field. Returns the
 * number of fields; fields beyond `most` are dropped, missing ones are "". */
size_t table_fields(char *line, char *fields[], size_t most);
bool table_number(const char *text, uint32_t *value); /* decimal digits, less than UINT32_MAX */
void table_write_field(FILE *file, const char *text); /* writes `text` escaped */
void table_write_flags(FILE *file, uint32_t flags);   /* of a site */

/* What a file's first line (magic and version) and its required last line are. */
#define TABLE_FIELDS 12
enum table_line { TABLE_LINE_GOOD, TABLE_LINE_BAD, TABLE_LINE_LAST };
struct table_form {
	const char *what; /* for error messages: "a table" */
	const char *magic;
	uint32_t version;
	enum table_line (*add)(void *context, char *fields[TABLE_FIELDS]);
};
int table_read_lines(const char *path, const struct table_form *form, void *context, struct fail *why);

#endif
