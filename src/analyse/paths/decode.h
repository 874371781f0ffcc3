/* SPDX-License-Identifier: MIT */
/* decode.h: from the counters of one function, in all copies, to its profile. For build.c.
 *
 *     struct decode d = {.paths = paths, .memory = &memory, .copies = gathered, .copy_count = k, .shape = &gathered[0]->shape};
 *     decode_function(&d, &d.shape->functions[i], routine, &why);
 *
 * The profile is added to paths->profiles, complete but for what paths_complete fills in. */
#ifndef SKEIN_PATHS_DECODE_H
#define SKEIN_PATHS_DECODE_H

#include "analyse/paths/gather.h"
#include "analyse/paths/paths.h"
#include "base/map.h"

struct decode {
	struct paths *paths;
	struct paths_memory *memory;
	const struct gather *const *copies; /* NULL for a copy in which the object was never loaded */
	uint32_t copy_count;
	const struct shape *shape; /* of any of them */
	uint32_t first_file;       /* of the shape's files in paths->files */

	/* The function that is being decoded. */
	const struct shape_function *f;
	uint32_t profile;
	struct paths_graph g;
	double *weights;
	struct paths_plan *plan;    /* by part of the function */
	uint8_t **chosen;           /* by part; NULL: all */
	uint32_t *arcs, *steps;     /* room for a path */
	uint32_t begin, length, at; /* the path that is being put together in `steps`, and where it has come to */
	double *own;                /* edges passed in one copy, by turns */
	struct lookup known;        /* the function's paths in paths->list */
	bool disagrees;
};

int decode_function(struct decode *d, const struct shape_function *f, uint32_t routine, struct fail *why);

/* ---- between the two files of it ---- */

/* Puts the path together that a key stands for, in d->begin, steps and length. `known` arcs of its last segment are
 * given in d->arcs, if it is not 0: else it must be a whole path. False: the key means none. */
bool decode_key(struct decode *d, const struct gather *from, uint32_t part, const struct gather_stream *stream, uint64_t key,
                uint32_t known);
void decode_stops(struct decode *d);                                              /* of a function that is not by turns */
void decode_stops_of(struct decode *d, const struct gather *from, uint32_t part); /* of one copy */
void decode_pass(struct decode *d, uint64_t count);                               /* the way in d->steps, in d->own */

#endif
