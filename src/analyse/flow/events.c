/* SPDX-License-Identifier: MIT */
/* events.c: a merge of the lanes' logs.
 *
 * Problem: each lane has a log in the order of its own events; flow_step wants the order of all.
 * Idea: a heap of lanes, by the time of the next record of each. Of records with one time, those that others may wait for come first:
 * a release is stamped before it is done, an acquisition after it succeeded. Releases that are in no log, but in the rows
 * of objects, are one lane more.
 * Cost: O(log lanes) for each event. */
#include "analyse/flow/events.h"

#include <stdlib.h>
#include "analyse/flow/paths.h"
#include "base/map.h"
#include "base/memory.h"
#include "core/flow/log.h"

#define NO_STRAND UINT32_MAX

struct chunk {
	uint32_t lane, number;
	const struct raw_table *table;
};

/* One release by the first thread of an object. */
struct early {
	uint64_t time;
	uint32_t thread, object;
};

struct lane {
	uint32_t number;
	size_t next, end; /* chunks that follow */
	struct flow_reader reader;
	struct flow_record record; /* the next one */
	uint32_t strand;
};

struct flow_events {
	struct chunk *chunks; /* by lane and number */
	size_t chunk_count, chunk_room;
	struct early *early; /* by time */
	size_t early_count, early_room, early_next;
	struct lane *lanes;
	size_t lane_count, lane_room;
	struct lane **heap; /* lanes with a record, the first one at its top */
	size_t heap_count;
	struct map by_token, by_handle, by_thread; /* strand + 1 */
	struct flow_paths paths;
	uint32_t strands, objects;
	uint64_t bad;
};

/* ---- what there is ---- */

static int chunk_order(const void *a, const void *b)
{
	const struct chunk *x = a, *y = b;
	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int early_order(const void *a, const void *b)
{
	const struct early *x = a, *y = b;
	return x->time < y->time ? -1 : x->time > y->time;
}

static void take_objects(struct flow_events *f, const struct raw_table *table)
{
	size_t rows;
	const struct raw_flow_object *row = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		if (table->object == 0 || table->object >= NO_STRAND - i)
			continue;
		uint32_t number = table->object + (uint32_t)i;
		f->objects = number > f->objects ? number : f->objects;
		if (!row[i].released)
			continue;
		MEMORY_GROW(f->early, f->early_count, f->early_room);
		f->early[f->early_count++] = (struct early){row[i].released, row[i].first_thread, number - 1};
	}
}

static void take_tables(struct flow_events *f, const struct raw_reader *raw)
{
	for (const struct raw_record *r = raw_first(raw); r; r = raw_next(raw, r)) {
		const struct raw_table *table = (const void *)r;
		if (r->type != RAW_TABLE)
			continue;
		if (table->kind == RAW_FLOW_OBJECTS)
			take_objects(f, table);
		if (table->kind == RAW_FLOW_PATHS)
			flow_paths_add(&f->paths, table->lane, table);
		if (table->kind == RAW_FLOW_LOG) {
			MEMORY_GROW(f->chunks, f->chunk_count, f->chunk_room);
			f->chunks[f->chunk_count++] = (struct chunk){table->lane, table->object, table};
		}
	}
}

/* ---- lanes ---- */

static bool advance(struct flow_events *f, struct lane *lane)
{
	while (!flow_log_get(&lane->reader, &lane->record)) {
		size_t rows;
		f->bad += lane->reader.is_bad;
		if (lane->next == lane->end)
			return false;
		const void *memory = raw_table_rows(f->chunks[lane->next++].table, &rows);
		flow_reader_start(&lane->reader, memory, rows * sizeof(uint64_t));
	}
	return true;
}

/* Whether others may wait for what the record tells. */
static bool sends(enum flow_kind kind)
{
	switch (kind) {
	case FLOW_CREATE:
	case FLOW_END:
	case FLOW_RELEASE:
	case FLOW_UNSHARE:
	case FLOW_FILL:
	case FLOW_POST:
	case FLOW_LISTEN:
	case FLOW_SIGNAL:
	case FLOW_BROADCAST:
	case FLOW_ARRIVE: return true;
	default: return false;
	}
}

static bool is_before(const struct lane *a, const struct lane *b)
{
	if (a->record.time != b->record.time)
		return a->record.time < b->record.time;
	if (sends(a->record.kind) != sends(b->record.kind))
		return sends(a->record.kind);
	return a < b;
}

static void sink(struct flow_events *f, size_t i)
{
	for (;;) {
		size_t first = i;
		for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < f->heap_count; child++)
			first = is_before(f->heap[child], f->heap[first]) ? child : first;
		if (first == i)
			return;
		struct lane *lane = f->heap[i];
		f->heap[i] = f->heap[first];
		f->heap[first] = lane;
		i = first;
	}
}

static void make_lanes(struct flow_events *f)
{
	for (size_t i = 0; i < f->chunk_count; i++) {
		if (i == 0 || f->chunks[i].lane != f->chunks[i - 1].lane) {
			MEMORY_GROW(f->lanes, f->lane_count, f->lane_room);
			f->lanes[f->lane_count++] = (struct lane){.number = f->chunks[i].lane, .next = i, .strand = NO_STRAND};
		}
		f->lanes[f->lane_count - 1].end = i + 1;
	}
	f->heap = memory_zeroed(f->lane_count + 1, sizeof *f->heap);
	for (size_t i = 0; i < f->lane_count; i++)
		if (advance(f, &f->lanes[i]))
			f->heap[f->heap_count++] = &f->lanes[i];
	for (size_t i = f->heap_count; i--;)
		sink(f, i);
}

struct flow_events *flow_events_open(const struct raw_reader *raw)
{
	struct flow_events *f = memory_zeroed(1, sizeof *f);
	take_tables(f, raw);
	if (f->chunk_count)
		qsort(f->chunks, f->chunk_count, sizeof *f->chunks, chunk_order);
	if (f->early_count)
		qsort(f->early, f->early_count, sizeof *f->early, early_order);
	flow_paths_sort(&f->paths);
	make_lanes(f);
	return f;
}

void flow_events_close(struct flow_events *f)
{
	flow_paths_free(&f->paths);
	map_free(&f->by_token);
	map_free(&f->by_handle);
	map_free(&f->by_thread);
	free(f->heap);
	free(f->lanes);
	free(f->early);
	free(f->chunks);
	free(f);
}

uint32_t flow_events_strands(const struct flow_events *f)
{
	return f->strands;
}

uint64_t flow_events_bad(const struct flow_events *f)
{
	return f->bad;
}

size_t flow_events_path(const struct flow_events *f, uint32_t path, uint64_t *places, size_t most)
{
	return flow_paths_places(&f->paths, path, places, most);
}

/* ---- events ---- */

static void name(struct map *map, uint64_t key, uint32_t strand)
{
	*map_at(map, key) = (void *)((uintptr_t)strand + 1);
}

/* Returns NO_STRAND for a key without a strand. */
static uint32_t named(struct map *map, uint64_t key)
{
	void **found = map_at(map, key);
	uint32_t strand = *found ? (uint32_t)((uintptr_t)*found - 1) : NO_STRAND;
	if (!*found)
		*found = (void *)((uintptr_t)NO_STRAND + 1);
	return strand;
}

/* The strand whose creation had the token, or a new one. */
static uint32_t strand_of(struct flow_events *f, uint64_t token)
{
	uint32_t strand = token ? named(&f->by_token, token) : NO_STRAND;
	if (strand != NO_STRAND)
		return strand;
	strand = f->strands++;
	if (token)
		name(&f->by_token, token, strand);
	return strand;
}

static uint32_t object_of(const struct flow_events *f, uint64_t number)
{
	return number && number <= f->objects ? (uint32_t)number - 1 : NO_STRAND;
}

/* A lane's thread that began before its log did has no name. */
static void meet_strand(struct flow_events *f, struct lane *lane)
{
	const struct flow_record *r = &lane->record;
	if (r->kind == FLOW_BEGIN) {
		lane->strand = strand_of(f, r->field[0]);
		name(&f->by_thread, r->field[1], lane->strand);
	} else if (lane->strand == NO_STRAND) {
		lane->strand = f->strands++;
	}
}

/* Of a wait. */
static void name_path(const struct flow_events *f, const struct lane *lane, struct flow_event_about *about)
{
	about->path = flow_paths_find(&f->paths, lane->number, lane->record.field[2]);
	flow_paths_places(&f->paths, about->path, &about->place, 1);
}

static void translate(struct flow_events *f, const struct lane *lane, struct flow_event *e, struct flow_event_about *about)
{
	const struct flow_record *r = &lane->record;
	switch (r->kind) {
	case FLOW_CREATE:
		e->object = strand_of(f, r->field[0]);
		about->place = r->field[1];
		break;
	case FLOW_BEGIN: about->thread = (uint32_t)r->field[1]; break;
	case FLOW_END: name(&f->by_handle, r->field[0], e->strand); break;
	case FLOW_JOIN:
		e->object = named(&f->by_handle, r->field[0]);
		e->kind = e->object == NO_STRAND ? FLOW_GO : FLOW_JOIN;
		about->place = r->field[1];
		break;
	case FLOW_PAUSE:
		e->object = object_of(f, r->field[1]);
		about->wait = (uint32_t)r->field[0];
		name_path(f, lane, about);
		break;
	case FLOW_FILL:
		e->object = object_of(f, r->field[0]);
		e->count = (uint32_t)r->field[1];
		break;
	case FLOW_GO:
	case FLOW_OFF:
	case FLOW_ON: break;
	default:
		e->object = object_of(f, r->field[0]);
		about->place = r->field[1];
		break;
	}
	e->group = e->object;
}

/* A release that no log has: of a strand that has begun, or it says nothing. */
static bool take_early(struct flow_events *f, struct flow_event *e)
{
	while (f->early_next < f->early_count) {
		const struct early *early = &f->early[f->early_next];
		if (f->heap_count && f->heap[0]->record.time <= early->time)
			return false;
		f->early_next++;
		uint32_t strand = named(&f->by_thread, early->thread);
		if (strand == NO_STRAND)
			continue;
		*e = (struct flow_event){
			.time = early->time, .strand = strand, .object = early->object, .group = early->object, .kind = FLOW_RELEASE};
		return true;
	}
	return false;
}

bool flow_events_next(struct flow_events *f, struct flow_event *e, struct flow_event_about *about)
{
	*about = (struct flow_event_about){0};
	if (take_early(f, e))
		return true;
	if (!f->heap_count)
		return false;
	struct lane *lane = f->heap[0];
	meet_strand(f, lane);
	*e = (struct flow_event){
		.time = lane->record.time, .strand = lane->strand, .object = NO_STRAND, .group = NO_STRAND, .kind = lane->record.kind};
	translate(f, lane, e, about);
	if (!advance(f, lane))
		f->heap[0] = f->heap[--f->heap_count];
	sink(f, 0);
	return true;
}
