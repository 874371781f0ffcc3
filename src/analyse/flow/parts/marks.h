/* SPDX-License-Identifier: MIT */
/* marks.h: what a program said itself (include/skein/skein.h), by name and strand: parts with their times, messages, and values.
 *
 *     struct flow_marks marks;
 *     flow_marks_start(&marks);
 *     flow_marks_event(&marks, &event, &about, &flow);          behind each flow_step
 *     flow_marks_end(&marks, &flow);                            parts that are open end here
 *     …marks.rows…
 *     flow_marks_free(&marks);
 *
 * The time of a part is what its strand did from its beginning to its end; parts in it are counted in it, too. */
#ifndef SKEIN_ANALYSE_FLOW_PARTS_MARKS_H
#define SKEIN_ANALYSE_FLOW_PARTS_MARKS_H

#include "analyse/flow/events.h"
#include "analyse/flow/flows.h"
#include "base/map.h"

struct flow_mark_row {
	enum flow_said what; /* FLOW_MARK_BEGIN: a part */
	uint32_t strand;
	uint64_t spot; /* the mark's name */
	uint64_t count, ticks, longest;
	uint64_t work, load, waited, outside;
	int64_t least, most, last; /* values */
};

struct flow_mark_part {
	size_t row;
	uint64_t time, work, load, waited, outside; /* of the strand when it began */
};

struct flow_mark_track {
	struct flow_mark_part *open; /* innermost last */
	size_t count, room;
};

struct flow_marks {
	struct flow_mark_row *rows;
	size_t row_count, row_room;
	struct lookup by_row;
	struct flow_mark_track *tracks; /* by strand */
	size_t track_count, track_room;
};

void flow_marks_start(struct flow_marks *marks);
void flow_marks_event(struct flow_marks *marks, const struct flow_event *event, const struct flow_event_about *about,
                      const struct flow *flow);
void flow_marks_end(struct flow_marks *marks, const struct flow *flow);
void flow_marks_free(struct flow_marks *marks);

#endif
