/* SPDX-License-Identifier: MIT */
#include "analyse/flow/spots.h"

#include <stdlib.h>
#include "analyse/blame_place.h"

enum { MOST_FRAMES = 32 };

static const struct flows_where nowhere = {RUN_OUTSIDE, "", 0};

void flow_spots_start_given(struct flow_spots *s, size_t processes)
{
	*s = (struct flow_spots){.process_count = processes};
	s->by_place = memory_zeroed(processes + 1, sizeof *s->by_place);
	MEMORY_GROW(s->spots, s->count, s->room);
	s->spots[s->count++] = (struct flow_spot){.is_named = true, .where = nowhere};
}

void flow_spots_start(struct flow_spots *s, struct session *session)
{
	flow_spots_start_given(s, session->process_count);
	s->session = session;
	places_start(&s->places, session);
}

void flow_spots_give(struct flow_spots *s, uint32_t process, uint64_t place, const struct flows_where *where)
{
	uint64_t spot = flow_spots_at(s, process, place);
	if (spot)
		s->spots[spot].where = *where;
}

void flow_spots_free(struct flow_spots *s)
{
	for (size_t i = 0; i < s->process_count; i++)
		map_free(&s->by_place[i]);
	free(s->by_place);
	free(s->spots);
	if (s->session)
		places_free(&s->places);
}

uint64_t flow_spots_at(struct flow_spots *s, uint32_t process, uint64_t place)
{
	if (!place || process >= s->process_count)
		return 0;
	void **found = map_at(&s->by_place[process], place);
	if (!*found) {
		*found = (void *)(uintptr_t)s->count;
		MEMORY_GROW(s->spots, s->count, s->room);
		s->spots[s->count++] = (struct flow_spot){.place = place, .process = process, .is_named = !s->session, .where = nowhere};
	}
	return (uintptr_t)*found;
}

static void enter(struct flow_spots *s, uint32_t process)
{
	if (s->process == process + 1)
		return;
	places_process(&s->places, &s->session->processes[process].raw);
	s->process = process + 1;
}

static void name(struct flow_spots *s, struct flow_spot *spot)
{
	struct blame_frame frames[MOST_FRAMES];
	enter(s, spot->process);
	size_t count = places_frames(&s->places, spot->place, frames, MOST_FRAMES);
	const struct blame_frame *first = &frames[blame_frame(s->places.run, frames, count)];
	spot->where = (struct flows_where){first->routine, first->file, first->line};
	blame_line(s->places.run, first, &spot->where.file, &spot->where.line);
	spot->is_named = true;
}

struct flows_where flow_spots_where(struct flow_spots *s, uint64_t spot)
{
	if (!s->spots[spot].is_named)
		name(s, &s->spots[spot]);
	return s->spots[spot].where;
}

const char *flow_spots_variable(struct flow_spots *s, uint32_t process, uint64_t place)
{
	enter(s, process);
	return places_variable(&s->places, place);
}
