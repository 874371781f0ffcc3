/* SPDX-License-Identifier: MIT */
/* file.h: the part of a recording that all lenses share: the open file, its routines, and the rows of a run. */
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

/* Loads all objects and routines of the file into an empty run, which gives them the same numbers 0, 1, 2 … as the
 * file. */
void store_load_routines(struct sql *sql, struct run *run);

int64_t store_whole(uint64_t value); /* the value as stored: SQLite has 63 bits */

/* Saves or loads the rows of a run that all lenses share. Saving returns the run's number; map[i] is the file's
 * number for the run's routine i; the caller frees *map. Loading takes the newest run of the lens and returns its
 * number, or -1. */
int64_t store_save_run(struct sql *sql, const struct run *run, uint64_t snapshots, uint32_t **map);
int64_t store_load_run(struct sql *sql, struct run *run, const char *lens);
/* Loads the newest run without its processes, workers, threads and notes. */
int64_t store_load_head(struct sql *sql, struct run *run, const char *lens);
void store_append_run(struct sql *sql, struct run *run, int64_t id);                  /* adds the rest of a run */
int store_load_failed(const struct store *store, const char *lens, struct fail *why); /* says why; returns -1 */

/* How store.h writes a recording: `save` adds the run to an open file. */
struct store_content {
	const struct run *run;
	const void *data;
	void (*save)(struct sql *sql, const void *data);
};
int store_write(const char *path, const struct store_content *content, char aside[PATH_MAX], struct fail *why);

void store_disarm(sqlite3 *db); /* no trigger, no view and no function of its schema runs */

bool store_is_ours(const char *path); /* the file begins like a recording, whether or not it can be read */

#endif
