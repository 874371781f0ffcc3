/* SPDX-License-Identifier: MIT */
/* store_file.h: what the files of this folder share: an open recording, and its routines. */
#ifndef SKEIN_STORE_FILE_H
#define SKEIN_STORE_FILE_H

#include "analyse/run.h"
#include "store/sql.h"

struct store {
	struct sql sql;
	char *path;
};

/* The file's objects and routines have the numbers 0, 1, 2 … of a run: a run that holds them all is the file's table. */
void store_load_routines(struct sql *sql, struct run *run);

bool store_is_ours(const char *path); /* it begins as a recording does, whether it can be read or not */

#endif
