/* SPDX-License-Identifier: MIT */
/* source.h: finding and reading a source file that a recording names, for views that show its lines.
 *
 *     struct source_search search = {.name = "sort.c"};
 *     for (…) source_consider(&search, file);                 each file that the recording knows
 *     if (source_check(&search, &why) < 0) …                  none, several, or not to be read
 *     FILE *file = source_open(&search, &is);
 *     source_text(pool, line)                                 a line as it is shown
 *     if (source_is_newer(run, &is)) …                        than the program */
#ifndef SKEIN_SOURCE_H
#define SKEIN_SOURCE_H

#include <stdio.h>
#include <sys/stat.h>
#include "analyse/run.h"
#include "base/fail.h"

struct source_search {
	const char *name;  /* as the user gives it */
	const char *found; /* as the recording has it; NULL: none */
	const char *other; /* a second one that fits as well */
	bool exact;
};

void source_consider(struct source_search *search, const char *file);
int source_check(const struct source_search *search, struct fail *why);
/* as the user names it, else where the compiler found it; NULL: errno */
FILE *source_open(const struct source_search *search, struct stat *is);
const char *source_text(struct pool *pool, const char *line);           /* tabs become spaces; the line's end goes */
bool source_is_newer(const struct run *run, const struct stat *source); /* than the program, or than the run if the program is gone */

#endif
