/* SPDX-License-Identifier: MIT */
/* log.c: varints; differences as zigzag numbers, so that small ones are short in both directions. */
#include "core/flow/log.h"

#include "core/flow/varint.h"

enum field { FIELD_NONE, FIELD_NUMBER, FIELD_PLACE };

static const uint8_t fields[FLOW_KINDS][FLOW_FIELDS] = {
#define X(kind, first, second, third) [FLOW_##kind] = {FIELD_##first, FIELD_##second, FIELD_##third},
	FLOW_RECORD_LIST(X)
#undef X
};

/* ---- writing ---- */

void flow_chunk_start(struct flow_chunk *chunk, void *memory, size_t bytes, uint64_t time)
{
	*chunk = (struct flow_chunk){.head = memory, .room = bytes - sizeof *chunk->head, .time = time};
	chunk->head->base = time;
	__atomic_store_n(&chunk->head->used, 0, __ATOMIC_RELEASE);
}

bool flow_log_put(struct flow_chunk *chunk, const struct flow_record *record)
{
	uint64_t used = chunk->head->used, time = record->time > chunk->time ? record->time : chunk->time;
	if (chunk->room - used < FLOW_RECORD_BYTES)
		return false;
	unsigned char *begin = (unsigned char *)(chunk->head + 1), *to = begin + used;
	*to++ = (unsigned char)record->kind;
	to = flow_varint_put(to, time - chunk->time);
	chunk->time = time;
	for (int i = 0; i < FLOW_FIELDS && fields[record->kind][i] != FIELD_NONE; i++) {
		uint64_t n = record->field[i];
		if (fields[record->kind][i] == FIELD_PLACE) {
			uint64_t difference = n - chunk->place;
			chunk->place = n;
			n = difference << 1 ^ -(difference >> 63);
		}
		to = flow_varint_put(to, n);
	}
	__atomic_store_n(&chunk->head->used, (uint64_t)(to - begin), __ATOMIC_RELEASE);
	return true;
}

struct flow_mark flow_log_mark(const struct flow_chunk *chunk)
{
	return (struct flow_mark){chunk->head->used, chunk->time, chunk->place};
}

void flow_log_return(struct flow_chunk *chunk, const struct flow_mark *mark)
{
	chunk->time = mark->time;
	chunk->place = mark->place;
	__atomic_store_n(&chunk->head->used, mark->used, __ATOMIC_RELEASE);
}

/* ---- reading ---- */

void flow_reader_start(struct flow_reader *reader, const void *memory, size_t bytes)
{
	const struct flow_head *head = memory;
	*reader = (struct flow_reader){0};
	if (bytes < sizeof *head) {
		reader->is_bad = bytes > 0;
		return;
	}
	uint64_t used = __atomic_load_n(&head->used, __ATOMIC_ACQUIRE), room = bytes - sizeof *head;
	reader->is_bad = used > room;
	reader->time = head->base;
	reader->at = (const unsigned char *)(head + 1);
	reader->end = reader->at + (used < room ? used : room);
}

static bool get_field(struct flow_reader *reader, enum field what, uint64_t *n)
{
	if (!flow_varint_get(&reader->at, reader->end, n))
		return false;
	if (what == FIELD_PLACE)
		*n = reader->place += *n >> 1 ^ -(*n & 1);
	return true;
}

static bool get_record(struct flow_reader *reader, struct flow_record *record)
{
	unsigned char kind = *reader->at++;
	uint64_t ticks;
	if (kind >= FLOW_KINDS || !flow_varint_get(&reader->at, reader->end, &ticks) || ticks > UINT64_MAX - reader->time)
		return false;
	*record = (struct flow_record){.kind = (enum flow_kind)kind, .time = reader->time += ticks};
	for (int i = 0; i < FLOW_FIELDS && fields[kind][i] != FIELD_NONE; i++)
		if (!get_field(reader, (enum field)fields[kind][i], &record->field[i]))
			return false;
	return true;
}

bool flow_log_get(struct flow_reader *reader, struct flow_record *record)
{
	if (reader->at == reader->end)
		return false;
	if (get_record(reader, record))
		return true;
	reader->is_bad = true;
	reader->at = reader->end;
	return false;
}
