/* SPDX-License-Identifier: MIT */
/* suspects.h: files whose symbols crash what reads them.
 *
 * Symbols are read in a process of their own (run/apart.h), since files are as their makers left them and libdw and libelf are not proof
 * against all of them. That process says here, in memory that its parent sees, which file it is at; the parent adds the file at which
 * it crashed, and in the next try that file has no names.
 *
 *     struct suspects *shared = …;
 *     suspects_share(shared);                  before the fork; NULL: nothing is watched
 *     suspects_at("/usr/bin/prog");            reading begins
 *     suspects_at("");                         and is over
 *     if (!suspects_add(shared)) …             after a crash; false: it was not at a file, or there are too many
 */
#ifndef SKEIN_SUSPECTS_H
#define SKEIN_SUSPECTS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct suspects {
	char at[PATH_MAX]; /* "": at none */
	char files[8][PATH_MAX];
	size_t count;
};

void suspects_share(struct suspects *shared);
void suspects_at(const char *path);
bool suspects_have(const char *path);
bool suspects_add(struct suspects *suspects);

#endif
