/* SPDX-License-Identifier: MIT */
/* parts_file.h: between the files that write a merged recording. */
#ifndef SKEIN_STORE_PARTS_FILE_H
#define SKEIN_STORE_PARTS_FILE_H

#include "store/parts.h"

/* A figure of the part that is being added. */
void merge_value(struct merge *merge, const char *lens, const char *name, enum part_of of, uint32_t routine, int64_t value);
/* All figures of one run; map[i] is the merged file's number of the recording's routine i. */
void parts_add_run(struct merge *merge, struct store *store, const char *lens, int64_t run, const uint32_t *map, size_t routines);

#endif
