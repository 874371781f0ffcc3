/* SPDX-License-Identifier: MIT */
/* source.h: finding and reading a source file that a recording names, for views that show its lines.
 *
 *     struct source_search search = {.name = "sort.c"};
 *     for (…) source_consider(&search, file);                 each file that the recording knows
 *     if (source_check(&search, &why) < 0) …                  none, several, or not to be read
 *     struct source_reader reader;
 *     if (!source_begin(&reader, &search)) …                  it was there a moment ago
 *     while (source_next(&reader)) …                          reader.line, and source_text(pool, reader.text) as it is shown
 *     sheet->doubt = source_end(&reader, pool, run, &search, last);
 *
 * `last` is the last line that the recording names. */
#ifndef SKEIN_SOURCE_H
#define SKEIN_SOURCE_H

#include <stdio.h>
#include <sys/stat.h>
#include "analyse/run.h"
#include "base/fail.h"

/* Views that have a figure for each line leave out what a damaged recording puts beyond any source file. */
enum { SOURCE_MOST_LINES = 1 << 24 };

struct source_search {
	const char *name;  /* as the user gives it */
	const char *found; /* as the recording has it; NULL: none */
	const char *other; /* a second one that fits as well */
	bool exact;
};

void source_consider(struct source_search *search, const char *file);
int source_check(const struct source_search *search, struct fail *why);
const char *source_text(struct pool *pool, const char *line); /* tabs become spaces; the line's end goes */

struct source_reader {
	FILE *file;
	struct stat is;
	char *text;
	size_t room;
	uint32_t line; /* number of the line, from 1 */
};

/* The file as the user names it, else where the compiler found it; false: it cannot be read. */
bool source_begin(struct source_reader *reader, const struct source_search *search);
bool source_next(struct source_reader *reader);
/* Closes the file. Returns a sentence if it is newer than the program (or than the run, if the program is gone), or shorter than
 * the recording has it; else NULL. */
const char *source_end(struct source_reader *reader, struct pool *pool, const struct run *run, const struct source_search *search,
                       uint32_t last);

#endif
