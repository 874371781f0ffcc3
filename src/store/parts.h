/* SPDX-License-Identifier: MIT */
/* parts.h: recordings of many ranks, merged into one file of figures by rank.
 *
 * Writing is a stream: each recording is opened, its figures are added, and it is closed again, so memory does not grow with their number
 * but by some bytes each.
 *
 *     struct merge *m = merge_begin("all.skein", &why);
 *     merge_add(m, "prog.skein.d/rank-000003.skein", &why);        -1: it was left out; a note says so
 *     if (merge_end(m, "all.skein", &why) < 0) …                   the file is there as a whole, or not at all
 *
 * Reading:
 *
 *     struct parts parts;
 *     if (parts_load(store, &parts, &why) < 0) …                   what is known of each part, and which figures there are
 *     parts_values(store, &parts, figure, take, context, &why);     calls take for each value that is not 0, routine by routine
 *     parts_free(&parts);
 */
#ifndef SKEIN_STORE_PARTS_H
#define SKEIN_STORE_PARTS_H

#include <stdbool.h>
#include "analyse/run.h"
#include "base/memory.h"
#include "store/store.h"

struct merge;
struct merge *merge_begin(const char *path, struct fail *why);
int merge_add(struct merge *merge, const char *path, struct fail *why);
void merge_note(struct merge *merge, const char *text);
int merge_end(struct merge *merge, const char *path, struct fail *why);
void merge_drop(struct merge *merge); /* in place of merge_end */

struct part {
	const char *lens, *file, *node, *job, *launcher, *program, *build_id, *command;
	int64_t number; /* in the file */
	int64_t rank, ranks, task, mpi_rank, mpi_ranks;
	uint64_t started_real_ns;
	int64_t exit_code, died_of;
};

enum part_of { PART_RUN, PART_ROUTINE, PART_CALL };

struct part_figure {
	const char *lens, *name; /* of a call: "MPI_Recv wait_ns" */
	enum part_of of;
};

struct parts {
	struct part *list; /* by lens, then by rank */
	size_t count, room;
	struct part_figure *figures;
	size_t figure_count, figure_room;
	size_t *places, place_count; /* by number: the place in the list and 1, or 0 */
	const char **notes;
	size_t note_count, note_room;
	struct run names; /* the routines */
	struct pool pool;
};

bool store_has_parts(struct store *store);
int parts_load(struct store *store, struct parts *parts, struct fail *why);
void parts_free(struct parts *parts);
typedef void parts_take(void *context, uint32_t routine, size_t part, int64_t value);
int parts_values(struct store *store, const struct parts *parts, size_t figure, parts_take *take, void *context, struct fail *why);

#endif
