/* SPDX-License-Identifier: MIT */
/* places.h: which routine of the run begins at a place (raw/format.h).
 *
 *     struct places places;
 *     places_start(&places, session);
 *     places_process(&places, &process->raw);               the modules of this process replace the earlier ones
 *     uint32_t routine = places_routine(&places, place);
 *     places_free(&places);
 *
 * The result is never RUN_OUTSIDE; a place without a name is a routine "(unknown)". A place in a re-linked file is the
 * routine that the file's table has. A file is opened once for all processes. */
#ifndef SKEIN_ANALYSE_PLACES_H
#define SKEIN_ANALYSE_PLACES_H

#include "analyse/session.h"
#include "analyse/symbols/symbols.h"
#include "base/map.h"
#include "raw/reader.h"

struct places_file {
	const char *path, *build_id;
	struct symbols *symbols;           /* NULL: not opened yet */
	uint32_t object;                   /* index in the run, once anything in the file has a name */
	const struct session_table *table; /* of a re-linked file; NULL: none */
};

struct places {
	struct run *run;
	const struct session *session;
	struct places_file *files;
	size_t file_count, file_room;
	uint32_t *modules; /* of this process, by number: file + 1; 0: none */
	size_t module_count;
	struct map known; /* what was named before, of this process: routine + 1 by its place */
};

void places_start(struct places *places, struct session *session);
void places_process(struct places *places, const struct raw_reader *raw);
uint32_t places_routine(struct places *places, uint64_t place);
void places_free(struct places *places);

#endif
