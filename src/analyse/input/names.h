/* SPDX-License-Identifier: MIT */
/* names.h: which routine of the run begins at a place (raw/format.h).
 *
 *     struct inputs_names names;
 *     inputs_names_start(&names, run);
 *     inputs_names_process(&names, &process->raw);          the modules of this process replace the earlier ones
 *     uint32_t routine = inputs_names_routine(&names, place);
 *     inputs_names_free(&names);
 *
 * The result is never RUN_OUTSIDE; a place without a name is a routine "(unknown)". A file is opened once for all
 * processes. */
#ifndef SKEIN_INPUT_NAMES_H
#define SKEIN_INPUT_NAMES_H

#include "analyse/run.h"
#include "analyse/symbols/symbols.h"
#include "base/map.h"
#include "raw/reader.h"

struct inputs_file {
	const char *path, *build_id;
	struct symbols *symbols; /* NULL: not opened yet */
	uint32_t object;         /* index in the run, once anything in the file has a name */
};

struct inputs_names {
	struct run *run;
	struct inputs_file *files;
	size_t file_count, file_room;
	uint32_t *modules; /* of this process, by number: file + 1; 0: none */
	size_t module_count;
	struct map known; /* what was named before, of this process: routine + 1 by its place */
};

void inputs_names_start(struct inputs_names *names, struct run *run);
void inputs_names_process(struct inputs_names *names, const struct raw_reader *raw);
uint32_t inputs_names_routine(struct inputs_names *names, uint64_t place);
void inputs_names_free(struct inputs_names *names);

#endif
