/* SPDX-License-Identifier: MIT */
/* mapping.h: the file of the recording, in memory. For writer.c only, which holds its lock around every change of
 * size.
 *
 *     struct raw_file *map = mapping_open(folder);      NULL: there is no recording
 *     if (mapping_reaches(map->used_bytes + bytes)) …   the bytes are there, on disk and in memory
 *
 * The addresses stay as they are for as long as the process lives, and in its children. This module maintains
 * file_bytes of the header, the allocated size. errno stays. */
#ifndef SKEIN_RAW_MAPPING_H
#define SKEIN_RAW_MAPPING_H

#include <stdbool.h>
#include "raw/format.h"

struct raw_file *mapping_open(const char *folder); /* a new file in the folder, all zero but for file_bytes */
bool mapping_reaches(uint64_t end);                /* the file has `end` bytes, or could grow to them */
void mapping_trim(void);                           /* frees the space behind used_bytes */

/* In the child of a fork: copies the used part to a new file at the same addresses, since the child has pointers
 * into the recording in tables, stacks and registers. The parent's threads go on writing while the child copies:
 * sizes are those that the child saw first. A child without a file is an event lost of its parent's. */
enum mapping_fork {
	MAPPING_IN_FILE,
	MAPPING_IN_MEMORY, /* there is no file; nothing reaches the parent's */
	MAPPING_SHARED     /* no memory either: the mapping is still the parent's, whose header and tables stay as they are */
};
enum mapping_fork mapping_fork(const char *folder);

#endif
