/* SPDX-License-Identifier: MIT */
/* gather.h: all counters that one copy recorded for one object, before they are decoded.
 *
 *     struct gather g;
 *     if (gather_object(&g, session, table, &why) < 0) …
 *     gather_count(&g, row)                         a counter, added up over lanes and processes
 *     gather_keys(&g, routine, &count)              counts that no array had room for, by lane
 *     gather_stops(&g, routine, &count)             frames that never ended
 *     gather_free(&g);
 *
 * A prefix has its place in the table of one lane (and process, and load of the object), so keys are kept apart by these. */
#ifndef SKEIN_PATHS_GATHER_H
#define SKEIN_PATHS_GATHER_H

#include "analyse/paths/shape.h"
#include "analyse/session.h"

struct gather_stream {
	uint32_t process, lane, object;
};

struct gather_key {
	uint32_t routine;
	uint32_t kind; /* enum raw_paths_key_kind */
	struct gather_stream stream;
	uint64_t key, value;
};

struct gather_stop {
	uint32_t routine, block;
	struct gather_stream stream;
	uint64_t reg, count;
};

struct gather {
	struct shape shape;
	uint64_t *counts;
	size_t count_count;
	struct gather_key *keys; /* by routine, stream, kind; prefixes by place, counts by key, each once */
	size_t key_count, key_room;
	struct gather_stop *stops; /* by routine, stream, block and register, each once */
	size_t stop_count, stop_room;
};

int gather_object(struct gather *g, const struct session *session, size_t table, struct fail *why);
void gather_free(struct gather *g);
uint64_t gather_count(const struct gather *g, uint64_t row); /* 0 beyond the table */
const struct gather_key *gather_keys(const struct gather *g, uint32_t routine, size_t *count);
const struct gather_stop *gather_stops(const struct gather *g, uint32_t routine, size_t *count);

int gather_stream_order(const struct gather_stream *a, const struct gather_stream *b);

/* The key at this place among the prefixes, in the keys of one routine; NULL: none. */
const struct gather_key *gather_prefix(const struct gather_key *keys, size_t count, const struct gather_stream *stream, uint64_t place);

#endif
