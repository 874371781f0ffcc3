/* SPDX-License-Identifier: MIT */
/* decode.h: decodes the counters of one function, in all copies, into its profile. For build.c.
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
	const struct shape *shape; /* the shape of any copy */
	uint32_t first_file;       /* index in paths->files of the shape's first file */

	/* The function that is being decoded. */
	const struct shape_function *f;
	uint32_t profile;
	struct paths_graph g;
	double *weights;
	struct paths_plan *plan;     /* by part of the function */
	uint8_t **chosen;            /* by part; NULL: all */
	struct paths_probes *probes; /* by part */
	uint32_t *arcs, *steps;      /* room for a path */
	uint32_t begin, length, at;  /* the path that is being put together in `steps`, and the block it has reached */
	double *own;                 /* edges passed in one copy, by turns */
	struct lookup known;         /* the function's paths in paths->list */
	bool disagrees;
};

int decode_function(struct decode *d, const struct shape_function *f, uint32_t routine, struct fail *why);

/* ---- between decode.c and key.c ---- */

/* Puts the path of a key together in d->begin, steps and length. If `known` is not 0, d->arcs has that many arcs of
 * the path's last segment; else the key must stand for a whole path. False: the key stands for no path. */
bool decode_key(struct decode *d, const struct gather *from, uint32_t part, const struct gather_stream *stream, uint64_t key,
                uint32_t known);
void decode_stops(struct decode *d);                                              /* of a function that is not counted by turns */
void decode_stops_of(struct decode *d, const struct gather *from, uint32_t part); /* of one copy */
void decode_pass(struct decode *d, uint64_t count);                               /* adds the path in d->steps to d->own */

#endif
