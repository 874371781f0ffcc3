/* SPDX-License-Identifier: MIT */
#include "analyse/flow/kept.h"

#include <stdlib.h>
#include "base/memory.h"
#include "core/flow/log.h"

size_t flows_kept_used(const struct flow_logs_chunk *chunk)
{
	const struct flow_head *head = chunk->memory;
	if (chunk->bytes < sizeof *head)
		return chunk->bytes;
	size_t room = chunk->bytes - sizeof *head;
	return sizeof *head + (head->used < room ? (size_t)head->used : room);
}

static bool is_small(const struct flows_kept *k)
{
	uint64_t bytes = k->switches.size + k->member_count * sizeof(struct raw_flow_object);
	for (size_t p = 0; p < k->count; p++)
		for (size_t i = 0; i < k->logs[p].chunk_count; i++) {
			size_t used = flows_kept_used(&k->logs[p].chunks[i]);
			if (used > FLOWS_CHUNK_BYTES)
				return false;
			bytes += used;
		}
	return bytes <= FLOWS_KEPT_BYTES;
}

static int place_order(const void *a, const void *b)
{
	const struct flows_place *x = a, *y = b;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Process by process, since a process is looked into once then. */
static void name_places(struct flows_kept *k, struct flow_spots *spots)
{
	for (size_t i = 1; i < spots->count; i++) {
		MEMORY_GROW(k->places, k->place_count, k->place_room);
		const struct flow_spot *spot = &spots->spots[i];
		k->places[k->place_count++] = (struct flows_place){.process = spot->process, .path = spot->path, .place = spot->place};
	}
	if (k->place_count)
		qsort(k->places, k->place_count, sizeof *k->places, place_order);
	for (size_t i = 0; i < k->place_count; i++) {
		struct flows_place *p = &k->places[i];
		p->where = flow_spots_where(spots, flow_spots_at(spots, p->process, p->place, p->path));
	}
}

void flows_keep(struct flows *flows, const struct flows_kept *all, struct flow_spots *spots, bool is_wanted)
{
	struct flows_kept *kept = memory_zeroed(1, sizeof *kept);
	*kept = *all;
	flows->keeps = !is_wanted ? FLOWS_UNWANTED : !is_small(kept) ? FLOWS_TOO_MANY : FLOWS_KEPT;
	if (flows->keeps == FLOWS_KEPT) {
		name_places(kept, spots);
		flows->kept = kept;
		return;
	}
	flows_kept_free(kept);
	free(kept);
}

void flows_kept_free(struct flows_kept *k)
{
	for (size_t i = 0; i < k->count; i++)
		flow_logs_free(&k->logs[i]);
	for (size_t i = 0; i < k->block_count; i++)
		free(k->blocks[i]);
	blob_free(&k->switches);
	free(k->logs);
	free(k->clocks);
	free(k->members);
	free(k->places);
	free(k->numbers);
	free(k->blocks);
	pool_free(&k->pool);
	*k = (struct flows_kept){0};
}
