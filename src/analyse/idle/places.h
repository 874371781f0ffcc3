/* SPDX-License-Identifier: MIT */
/* places.h: names for the places of raw recordings (raw/format.h).
 *
 *     struct idles_places places;
 *     idles_places_start(&places, session, &scopes);
 *     idles_places_process(&places, &process->raw);         replaces the modules of the last process
 *     const struct idles_named *n = idles_places_name(&places, ip, true);
 *     for (size_t i = 0; i < n->count; i++) … n->steps[i] …      outermost first
 *     idles_places_free(&places);
 *
 * The result is never NULL, and is valid until the next process. A file is opened once for all processes. Code of
 * Skein's own sampler is one step: its routines that a program reaches have the names of what they stand for. */
#ifndef SKEIN_IDLE_PLACES_H
#define SKEIN_IDLE_PLACES_H

#include "analyse/idle/overhead.h"
#include "analyse/idle/scopes.h"
#include "analyse/session.h"
#include "analyse/symbols/symbols.h"
#include "base/map.h"
#include "raw/reader.h"

struct idles_named {
	/* the first step is the routine, without the file and line of a call, which the caller knows */
	const struct idles_step *steps;
	size_t count;
	const char *file; /* file of the place itself; "" if not known */
	uint32_t line;
	enum overhead_module module;
	const char *linkage;  /* linkage name of the routine */
	const char *overhead; /* the kind of overhead that a mark gives the place, or NULL */
	bool is_ours, is_named;
};

struct idles_file {
	const char *path, *build_id;
	struct symbols *symbols; /* NULL: not opened yet */
	uint32_t object;         /* index in the run, once anything in the file has a name */
	enum overhead_module module;
	bool is_ours, is_gomp;
};

struct idles_places {
	struct run *run;
	const struct session_plan *plan;
	struct idles_scopes *scopes;
	struct idles_file *files;
	size_t file_count, file_room;
	uint32_t *modules; /* of this process, by number: file + 1; 0: none */
	size_t module_count;
	const struct raw_place **named; /* by number */
	size_t named_count;
	struct map known[2]; /* what was named before, of this process: a struct idles_named by its place; [1]: where a call returns to */
};

void idles_places_start(struct idles_places *places, struct session *session, struct idles_scopes *scopes);
void idles_places_process(struct idles_places *places, const struct raw_reader *raw);
const struct idles_named *idles_places_name(struct idles_places *places, uint64_t place, bool is_return);
bool idles_places_have_gomp(const struct idles_places *places); /* a process had gcc's OpenMP runtime, and not Skein's in its place */
const char *idles_places_variable(struct idles_places *places, uint64_t place); /* around the place; "": not known */
void idles_places_free(struct idles_places *places);

#endif
