/* SPDX-License-Identifier: MIT */
/* paths.h: the call paths of waits, of all lanes of a recording.
 *
 *     struct flow_paths paths = {0};
 *     flow_paths_add(&paths, lane, table);                         each table of RAW_FLOW_PATHS
 *     flow_paths_sort(&paths);
 *     uint32_t path = flow_paths_find(&paths, lane, number);       of a FLOW_PAUSE; 0: not known
 *     size_t found = flow_paths_places(&paths, path, places, most);
 *     flow_paths_free(&paths);
 *
 * A lane is any number that tells it from others. A path is the number of its innermost frame among the frames of all lanes, from 1;
 * each lane has frames of its own. Nothing in a table is believed: a table that does not go on where the one before it ends is left
 * out, and a frame whose caller does not come before it is the outermost one. Memory: frames, which are copied. */
#ifndef SKEIN_ANALYSE_FLOW_PATHS_H
#define SKEIN_ANALYSE_FLOW_PATHS_H

#include "raw/reader.h"

struct flow_paths {
	struct flow_path_table *tables; /* to be sorted */
	size_t table_count, table_room;
	struct flow_path_lane *lanes; /* by number */
	size_t lane_count, lane_room;
	struct flow_path_frame *frames; /* of lane after lane */
	size_t frame_count, frame_room;
};

void flow_paths_add(struct flow_paths *p, uint64_t lane, const struct raw_table *table);
void flow_paths_sort(struct flow_paths *p); /* once, before any question */
/* Instead of tables, frame by frame: lanes in rising order, and of each lane frame 1, 2, 3 … */
void flow_paths_put(struct flow_paths *p, uint64_t lane, uint64_t place, uint32_t parent);
/* The i-th frame of all, from 0, as flow_paths_put takes it; false: there are no more. */
bool flow_paths_row(const struct flow_paths *p, size_t i, uint64_t *lane, uint64_t *place, uint32_t *parent);
uint32_t flow_paths_find(const struct flow_paths *p, uint64_t lane, uint64_t number);
/* The places, innermost first; returns how many there are, at most `most`. */
size_t flow_paths_places(const struct flow_paths *p, uint32_t path, uint64_t *places, size_t most);
void flow_paths_free(struct flow_paths *p);

#endif
