/* SPDX-License-Identifier: MIT */
/* mapping.h: the file of the recording, in memory. For writer.c alone, which holds its lock around all that changes the size.
 *
 *     struct raw_file *map = mapping_open(folder);      NULL: there is no recording
 *     if (mapping_reaches(map->used_bytes + bytes)) …   the bytes are there, on disk and in memory
 *
 * The addresses stay as they are for as long as the process lives, and in its children. The header's file_bytes, what is
 * allocated, is kept here. errno may change. */
#ifndef SKEIN_RAW_MAPPING_H
#define SKEIN_RAW_MAPPING_H

#include <stdbool.h>
#include "raw/format.h"

struct raw_file *mapping_open(const char *folder); /* a new file in the folder, all zero but for file_bytes */
bool mapping_reaches(uint64_t end);                /* the file has so many bytes, or could grow */
void mapping_trim(void);                           /* gives back what is behind used_bytes */

/* In the child of a fork: what is used, in a file of its own at the same addresses. Pointers into the recording are all over the
 * child: in tables, stacks and registers. The parent's threads go on writing in theirs while it is copied: what is used
 * and mapped is as the child saw it first. false: in memory only, so that nothing reaches the parent's file. */
bool mapping_fork(const char *folder);

#endif
