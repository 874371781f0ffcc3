/* SPDX-License-Identifier: MIT */
/* paths.c: the rows of all lanes in one array, in which a caller is found by its index. */
#include "analyse/flow/paths.h"

#include <stdlib.h>
#include "base/memory.h"

struct flow_path_table {
	uint64_t lane;
	const struct raw_table *table;
};

struct flow_path_lane {
	uint64_t lane;
	size_t before, count; /* frames of lanes before it, and its own */
};

struct flow_path_frame {
	uint64_t place;
	uint32_t caller; /* a path; 0: none */
};

void flow_paths_add(struct flow_paths *p, uint64_t lane, const struct raw_table *table)
{
	MEMORY_GROW(p->tables, p->table_count, p->table_room);
	p->tables[p->table_count++] = (struct flow_path_table){lane, table};
}

static int table_order(const void *a, const void *b)
{
	const struct flow_path_table *x = a, *y = b;
	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	return x->table->object < y->table->object ? -1 : x->table->object > y->table->object;
}

static struct flow_path_lane *lane_of(struct flow_paths *p, uint64_t lane)
{
	if (!p->lane_count || p->lanes[p->lane_count - 1].lane != lane) {
		MEMORY_GROW(p->lanes, p->lane_count, p->lane_room);
		p->lanes[p->lane_count++] = (struct flow_path_lane){lane, p->frame_count, 0};
	}
	return &p->lanes[p->lane_count - 1];
}

void flow_paths_put(struct flow_paths *p, uint64_t number, uint64_t place, uint32_t parent)
{
	struct flow_path_lane *lane = lane_of(p, number);
	if (p->frame_count == UINT32_MAX)
		return;
	MEMORY_GROW(p->frames, p->frame_count, p->frame_room);
	p->frames[p->frame_count++] =
		(struct flow_path_frame){.place = place, .caller = parent && parent <= lane->count ? (uint32_t)lane->before + parent : 0};
	lane->count++;
}

bool flow_paths_row(const struct flow_paths *p, size_t i, uint64_t *lane, uint64_t *place, uint32_t *parent)
{
	size_t low = 0, high = p->lane_count;
	if (i >= p->frame_count)
		return false;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (p->lanes[middle].before <= i)
			low = middle;
		else
			high = middle;
	}
	*lane = p->lanes[low].lane;
	*place = p->frames[i].place;
	*parent = p->frames[i].caller ? p->frames[i].caller - (uint32_t)p->lanes[low].before : 0;
	return true;
}

static void take_rows(struct flow_paths *p, uint64_t lane, const struct raw_table *table)
{
	size_t count;
	const struct raw_flow_path *row = raw_table_rows(table, &count);
	if (table->object != lane_of(p, lane)->count + 1)
		return;
	for (size_t i = 0; i < count; i++)
		flow_paths_put(p, lane, row[i].place, row[i].parent);
}

void flow_paths_sort(struct flow_paths *p)
{
	if (p->table_count)
		qsort(p->tables, p->table_count, sizeof *p->tables, table_order);
	for (size_t i = 0; i < p->table_count; i++)
		take_rows(p, p->tables[i].lane, p->tables[i].table);
}

uint32_t flow_paths_find(const struct flow_paths *p, uint64_t lane, uint64_t number)
{
	size_t low = 0, high = p->lane_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (p->lanes[middle].lane < lane)
			low = middle + 1;
		else
			high = middle;
	}
	bool is_there = low < p->lane_count && p->lanes[low].lane == lane && number && number <= p->lanes[low].count;
	return is_there ? (uint32_t)(p->lanes[low].before + number) : 0;
}

size_t flow_paths_places(const struct flow_paths *p, uint32_t path, uint64_t *places, size_t most)
{
	size_t count = 0;
	for (; path && path <= p->frame_count && count < most; path = p->frames[path - 1].caller)
		places[count++] = p->frames[path - 1].place;
	return count;
}

void flow_paths_free(struct flow_paths *p)
{
	free(p->tables);
	free(p->lanes);
	free(p->frames);
	*p = (struct flow_paths){0};
}
