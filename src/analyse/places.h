/* SPDX-License-Identifier: MIT */
/* places.h: what is at a place (raw/format.h): the routine of the run that begins there, the line of a call, a variable.
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
	struct map named; /* of this process, by number: struct raw_place */
	struct map known; /* what was named before, of this process: routine + 1 by its place */
};

void places_start(struct places *places, struct session *session);
void places_process(struct places *places, const struct raw_reader *raw);
uint32_t places_routine(struct places *places, uint64_t place);

/* The line of a call, by its return address: the innermost one that is not in a header of the system. file "": not known. */
struct places_line {
	const char *file;
	uint32_t line;
};
struct places_line places_line(struct places *places, uint64_t place);
/* The calls that a return address stands for, innermost first: inlined ones, and at last the routine's. At most `most`, which is more than
 * 0; returns how many, at least 1. The routine of a place without a name is "(unknown)". */
struct blame_frame;
size_t places_frames(struct places *places, uint64_t place, struct blame_frame *frames, size_t most);
const char *places_variable(struct places *places, uint64_t place); /* the variable around the place; "": not known */
void places_free(struct places *places);

#endif
