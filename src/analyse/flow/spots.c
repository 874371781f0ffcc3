/* SPDX-License-Identifier: MIT */
#include "analyse/flow/spots.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 256, MOST_PLACES = 64, MOST_CALLERS = 8 };

static const struct flows_where nowhere = {RUN_OUTSIDE, "", 0};

void flow_spots_start_given(struct flow_spots *s, size_t processes)
{
	*s = (struct flow_spots){.process_count = processes};
	s->by_place = memory_zeroed(processes + 1, sizeof *s->by_place);
	s->by_path = memory_zeroed(processes + 1, sizeof *s->by_path);
	MEMORY_GROW(s->spots, s->count, s->room);
	s->spots[s->count++] = (struct flow_spot){.is_named = true, .where = nowhere, .callers = ""};
}

void flow_spots_start(struct flow_spots *s, struct session *session, const struct flow_logs *logs)
{
	flow_spots_start_given(s, session->process_count);
	s->session = session;
	s->logs = logs;
	places_start(&s->places, session);
}

void flow_spots_give(struct flow_spots *s, uint32_t process, uint64_t place, uint32_t path, const struct flows_where *where)
{
	uint64_t spot = flow_spots_at(s, process, place, path);
	if (spot)
		s->spots[spot].where = *where;
}

void flow_spots_free(struct flow_spots *s)
{
	for (size_t i = 0; i < s->process_count; i++) {
		map_free(&s->by_place[i]);
		map_free(&s->by_path[i]);
	}
	free(s->by_place);
	free(s->by_path);
	free(s->spots);
	if (s->session)
		places_free(&s->places);
}

uint64_t flow_spots_at(struct flow_spots *s, uint32_t process, uint64_t place, uint32_t path)
{
	if (!place || process >= s->process_count)
		return 0;
	void **found = path ? map_at(&s->by_path[process], path) : map_at(&s->by_place[process], place);
	if (!*found) {
		*found = (void *)(uintptr_t)s->count;
		MEMORY_GROW(s->spots, s->count, s->room);
		s->spots[s->count++] = (struct flow_spot){
			.place = place, .process = process, .path = path, .is_named = !s->session, .where = nowhere, .callers = ""};
	}
	return (uintptr_t)*found;
}

bool flow_spots_same(const struct flow_spots *s, uint64_t a, uint64_t b)
{
	return a && b && s->spots[a].process == s->spots[b].process && s->spots[a].place == s->spots[b].place;
}

/* ---- names ---- */

static void enter(struct flow_spots *s, uint32_t process)
{
	if (s->process == process + 1)
		return;
	places_process(&s->places, &s->session->processes[process].raw);
	s->process = process + 1;
}

static size_t all_frames(struct flow_spots *s, const struct flow_spot *spot, struct blame_frame *frames, size_t most)
{
	uint64_t places[MOST_PLACES] = {spot->place};
	size_t count = 1, frame_count = 0;
	enter(s, spot->process);
	if (spot->path)
		count = flow_paths_places(&s->logs[spot->process].paths, spot->path, places, MOST_PLACES);
	for (size_t i = 0; i < count && frame_count < most; i++)
		frame_count += places_frames(&s->places, places[i], frames + frame_count, most - frame_count);
	return frame_count;
}

/* Code of the program itself that has no name is the program's, too. */
static bool is_programs(const struct run *run, uint32_t routine)
{
	const struct run_routine *r = &run->routines[routine];
	return blame_is_programs(run, routine) ||
		(r->object != RUN_NO_OBJECT && r->linkage[0] == '(' && strcmp(run->objects[r->object].path, run->program) == 0);
}

/* The innermost frame that has a name and is the program's; else the innermost one without; else the innermost of all. */
static size_t frame_to_blame(const struct run *run, const struct blame_frame *frames, size_t count)
{
	size_t named = blame_frame(run, frames, count);
	if (blame_is_programs(run, frames[named].routine))
		return named;
	for (size_t i = 0; i < count; i++)
		if (is_programs(run, frames[i].routine))
			return i;
	return 0;
}

size_t flow_spots_frames(struct flow_spots *s, uint64_t number, struct blame_frame *to, size_t most)
{
	struct blame_frame frames[MOST_FRAMES] = {0};
	size_t count = number ? all_frames(s, &s->spots[number], frames, MOST_FRAMES) : 0, kept = 0;
	for (size_t i = 0; i < count && kept < most; i++)
		if (is_programs(s->places.run, frames[i].routine))
			to[kept++] = frames[i];
	return kept;
}

/* Calls of calls in one routine, such as a recursion, are named once. */
static const char *name_callers(const struct run *run, struct pool *pool, const struct blame_frame *frames, size_t count)
{
	const char *text = "";
	uint32_t last = RUN_NOWHERE;
	for (size_t i = 0, named = 0; i < count && named < MOST_CALLERS; i++) {
		if (!is_programs(run, frames[i].routine) || frames[i].routine == last)
			continue;
		last = frames[i].routine;
		text = pool_print(pool, "%s%s%s", text, named++ ? " < " : "", run->routines[last].name);
	}
	return text;
}

static void name(struct flow_spots *s, struct flow_spot *spot)
{
	struct blame_frame frames[MOST_FRAMES] = {0};
	size_t count = all_frames(s, spot, frames, MOST_FRAMES), at = frame_to_blame(s->places.run, frames, count);
	spot->where = (struct flows_where){frames[at].routine, frames[at].file, frames[at].line};
	blame_line(s->places.run, &frames[at], &spot->where.file, &spot->where.line);
	spot->callers = name_callers(s->places.run, &s->session->run.pool, frames + at + 1, count - at - 1);
	spot->is_named = true;
}

struct flows_where flow_spots_where(struct flow_spots *s, uint64_t spot)
{
	if (!s->spots[spot].is_named)
		name(s, &s->spots[spot]);
	return s->spots[spot].where;
}

const char *flow_spots_callers(struct flow_spots *s, uint64_t spot)
{
	flow_spots_where(s, spot);
	return s->spots[spot].callers;
}

const char *flow_spots_variable(struct flow_spots *s, uint32_t process, uint64_t place)
{
	enter(s, process);
	return places_variable(&s->places, place);
}
