/* SPDX-License-Identifier: MIT */
/* file.h: what the files of this folder share: an open recording, its routines, and what all lenses store. */
#ifndef SKEIN_STORE_FILE_H
#define SKEIN_STORE_FILE_H

#include <limits.h>
#include "analyse/run.h"
#include "base/fail.h"
#include "store/sql.h"

struct store {
	struct sql sql;
	char *path;
};

/* The file's objects and routines have the numbers 0, 1, 2 … of a run: a run that holds them all is the file's table. */
void store_load_routines(struct sql *sql, struct run *run);

int64_t store_whole(uint64_t value); /* as it is stored: SQLite has 63 bits */

/* What all lenses share of a run. Saving returns the run's number; map[i] is the file's number for the run's routine i, and
 * *map the caller's to free. Loading takes the newest run of the lens and returns its number, or -1. */
int64_t store_save_run(struct sql *sql, const struct run *run, uint64_t snapshots, uint32_t **map);
int64_t store_load_run(struct sql *sql, struct run *run, const char *lens);
/* the newest run without its processes, workers, threads and remarks: */
int64_t store_load_head(struct sql *sql, struct run *run, const char *lens);
void store_append_run(struct sql *sql, struct run *run, int64_t id);                  /* those of a run, behind those there are */
int store_load_failed(const struct store *store, const char *lens, struct fail *why); /* says why; returns -1 */

/* Writes a recording as store.h has it; `save` adds the run to an open file. */
struct store_content {
	const struct run *run;
	const void *data;
	void (*save)(struct sql *sql, const void *data);
};
int store_write(const char *path, const struct store_content *content, char aside[PATH_MAX], struct fail *why);

bool store_is_ours(const char *path); /* it begins as a recording does, whether it can be read or not */

#endif
