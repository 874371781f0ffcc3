/* SPDX-License-Identifier: MIT */
#include "analyse/flow/parts/marks.h"

#include <stdlib.h>
#include "base/hash.h"
#include "base/memory.h"

enum { MOST_OPEN = 1 << 10 };

void flow_marks_start(struct flow_marks *m)
{
	*m = (struct flow_marks){0};
}

void flow_marks_free(struct flow_marks *m)
{
	for (size_t i = 0; i < m->track_count; i++)
		free(m->tracks[i].open);
	free(m->tracks);
	free(m->rows);
	lookup_free(&m->by_row);
}

static bool same_row(const void *array, size_t number, const void *what)
{
	const struct flow_mark_row *a = (const struct flow_mark_row *)array + number, *b = what;
	return a->what == b->what && a->strand == b->strand && a->spot == b->spot;
}

static size_t row_of(struct flow_marks *m, const struct flow_event *e)
{
	struct flow_mark_row key = {
		.what = (enum flow_said)e->count, .strand = e->strand, .spot = e->mark, .least = INT64_MAX, .most = INT64_MIN};
	uint64_t hash = hash_number(hash_number(HASH_START, (uint64_t)key.what << 32 | key.strand), key.spot);
	size_t *place = lookup_at(&m->by_row, hash, same_row, m->rows, &key);
	if (!*place) {
		MEMORY_GROW(m->rows, m->row_count, m->row_room);
		m->rows[m->row_count++] = key;
		*place = m->row_count;
	}
	return *place - 1;
}

static struct flow_mark_track *track_of(struct flow_marks *m, uint32_t strand)
{
	while (strand >= m->track_count) {
		MEMORY_GROW(m->tracks, m->track_count, m->track_room);
		m->tracks[m->track_count++] = (struct flow_mark_track){0};
	}
	return &m->tracks[strand];
}

static void open_part(struct flow_marks *m, const struct flow_event *e, const struct flow_strand *s)
{
	struct flow_mark_track *track = track_of(m, e->strand);
	size_t row = row_of(m, e);
	m->rows[row].count++;
	if (track->count == MOST_OPEN)
		return;
	MEMORY_GROW(track->open, track->count, track->room);
	track->open[track->count++] = (struct flow_mark_part){row, e->time, s->work, s->load, s->waited, s->outside};
}

static void close_part(struct flow_marks *m, struct flow_mark_track *track, const struct flow_strand *s, uint64_t time)
{
	const struct flow_mark_part *part = &track->open[--track->count];
	struct flow_mark_row *row = &m->rows[part->row];
	uint64_t ticks = time - part->time;
	row->ticks += ticks;
	row->longest = ticks > row->longest ? ticks : row->longest;
	row->work += s->work - part->work;
	row->load += s->load - part->load;
	row->waited += s->waited - part->waited;
	row->outside += s->outside - part->outside;
}

static void take_value(struct flow_mark_row *row, int64_t value)
{
	row->count++;
	row->least = value < row->least ? value : row->least;
	row->most = value > row->most ? value : row->most;
	row->last = value;
}

void flow_marks_event(struct flow_marks *m, const struct flow_event *e, const struct flow_event_about *about, const struct flow *flow)
{
	const struct flow_strand *s = flow->memory.strand(flow->memory.context, e->strand);
	if (e->kind == FLOW_END && s && e->strand < m->track_count)
		while (m->tracks[e->strand].count)
			close_part(m, &m->tracks[e->strand], s, e->time);
	if (e->kind != FLOW_MARK || !s)
		return;
	if (e->count == FLOW_MARK_BEGIN)
		open_part(m, e, s);
	else if (e->count == FLOW_MARK_END && track_of(m, e->strand)->count)
		close_part(m, track_of(m, e->strand), s, e->time);
	else if (e->count == FLOW_MARK_MESSAGE || e->count == FLOW_MARK_VALUE)
		take_value(&m->rows[row_of(m, e)], about->value);
}

void flow_marks_end(struct flow_marks *m, const struct flow *flow)
{
	for (uint32_t i = 0; i < m->track_count; i++)
		while (m->tracks[i].count)
			close_part(m, &m->tracks[i], flow->memory.strand(flow->memory.context, i), flow->end);
}
