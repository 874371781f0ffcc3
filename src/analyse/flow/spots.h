/* SPDX-License-Identifier: MIT */
/* spots.h: the calls by which events happened, each with a number, and with a name once that is wanted.
 *
 *     struct flow_spots spots;
 *     flow_spots_start(&spots, session, logs);
 *     event.mark = flow_spots_at(&spots, about.process, about.place, about.path);      0: neither is known
 *     …
 *     struct flows_where where = flow_spots_where(&spots, mark);            the first call of the program on the path
 *     flow_spots_free(&spots);
 *
 * A process is looked into once, so naming goes process by process only where spots do. */
#ifndef SKEIN_ANALYSE_FLOW_SPOTS_H
#define SKEIN_ANALYSE_FLOW_SPOTS_H

#include "analyse/blame_place.h"
#include "analyse/flow/flows.h"
#include "analyse/places.h"

struct flow_spot {
	uint64_t place;
	uint32_t process, path; /* path 0: of the place alone */
	bool is_named;
	struct flows_where where;
	const char *callers; /* the program's routines on the path behind that of `where`, innermost first: "f < g < main" */
};

struct flow_spots {
	struct session *session; /* NULL: all names are given */
	const struct flow_logs *logs;
	size_t process_count;
	struct places places;
	uint32_t process;               /* the process that `places` is about, + 1 */
	struct map *by_place, *by_path; /* by process: spot's number */
	struct flow_spot *spots;
	size_t count, room;
};

void flow_spots_start(struct flow_spots *spots, struct session *session, const struct flow_logs *logs); /* one for each process */
uint64_t flow_spots_at(struct flow_spots *spots, uint32_t process, uint64_t place, uint32_t path);
/* Without a session: places of so many processes, which have the names that they are given, and others none. */
void flow_spots_start_given(struct flow_spots *spots, size_t processes);
void flow_spots_give(struct flow_spots *spots, uint32_t process, uint64_t place, uint32_t path, const struct flows_where *where);
struct flows_where flow_spots_where(struct flow_spots *spots, uint64_t spot);
const char *flow_spots_callers(struct flow_spots *spots, uint64_t spot);
bool flow_spots_same(const struct flow_spots *spots, uint64_t a, uint64_t b); /* the same call, by whatever path */
/* The program's calls on a path, innermost first, at most `most`; returns how many. */
size_t flow_spots_frames(struct flow_spots *spots, uint64_t spot, struct blame_frame *frames, size_t most);
const char *flow_spots_variable(struct flow_spots *spots, uint32_t process, uint64_t place); /* "": there is none */
void flow_spots_free(struct flow_spots *spots);

#endif
