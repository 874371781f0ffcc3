/* SPDX-License-Identifier: MIT */
#include "analyse/flow/logs.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/memory.h"

enum { MOST_OBJECTS = 1 << 26, AROUND = 1 << 16 };

static int chunk_order(const void *a, const void *b)
{
	const struct flow_logs_chunk *x = a, *y = b;
	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int early_order(const void *a, const void *b)
{
	const struct flow_logs_early *x = a, *y = b;
	return x->time < y->time ? -1 : x->time > y->time;
}

static void take_object(struct flow_logs *l, size_t number, const struct raw_flow_object *row)
{
	if (number >= MOST_OBJECTS || !row->site)
		return;
	while (number >= l->object_count) {
		MEMORY_GROW(l->objects, l->object_count, l->object_room);
		l->objects[l->object_count++] = NULL;
	}
	l->objects[number] = row;
	if (!row->released)
		return;
	MEMORY_GROW(l->early, l->early_count, l->early_room);
	l->early[l->early_count++] = (struct flow_logs_early){row->released, row->first_thread, (uint32_t)number};
}

static void take_objects(struct flow_logs *l, const struct raw_table *table)
{
	size_t rows;
	const struct raw_flow_object *row = raw_table_rows(table, &rows);
	for (size_t i = 0; table->object && i < rows; i++)
		take_object(l, table->object - 1 + i, &row[i]);
}

static void take_chunk(struct flow_logs *l, const struct raw_table *table)
{
	size_t rows;
	const void *memory = raw_table_rows(table, &rows);
	MEMORY_GROW(l->chunks, l->chunk_count, l->chunk_room);
	l->chunks[l->chunk_count++] = (struct flow_logs_chunk){table->lane, table->object, memory, rows * sizeof(uint64_t)};
}

void flow_logs_read(struct flow_logs *l, const struct raw_reader *raw)
{
	*l = (struct flow_logs){.mapped = raw->bytes,
	                        .mapped_bytes = raw->size,
	                        .pid = raw->file.pid,
	                        .parent_pid = raw->file.parent_pid,
	                        .flags = raw->file.flags,
	                        .start = raw->file.start_tsc};
	for (const struct raw_record *r = raw_first(raw); r; r = raw_next(raw, r)) {
		const struct raw_table *table = (const void *)r;
		if (r->type == RAW_TABLE && table->kind == RAW_FLOW_OBJECTS)
			take_objects(l, table);
		else if (r->type == RAW_TABLE && table->kind == RAW_FLOW_LOG)
			take_chunk(l, table);
		else if (r->type == RAW_TABLE && table->kind == RAW_FLOW_PATHS)
			flow_paths_add(&l->paths, table->lane, table);
	}
	flow_paths_sort(&l->paths);
	if (l->chunk_count)
		qsort(l->chunks, l->chunk_count, sizeof *l->chunks, chunk_order);
	if (l->early_count)
		qsort(l->early, l->early_count, sizeof *l->early, early_order);
}

/* The kernel has mapped pages around each one that was read, too: up to AROUND bytes. Some of them may be wanted again soon. */
void flow_logs_passed(const struct flow_logs_chunk *chunk, const void *mapped, size_t bytes)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)mapped, behind = (first + bytes + page - 1) / page * page,
		  from = (uintptr_t)chunk->memory / AROUND * AROUND,
		  to = ((uintptr_t)chunk->memory + chunk->bytes + AROUND - 1) / AROUND * AROUND;
	from = from > first ? from : first;
	to = to < behind ? to : behind;
	if (to > from)
		madvise((void *)from, to - from, MADV_DONTNEED);
}

void flow_logs_free(struct flow_logs *l)
{
	free(l->chunks);
	free(l->early);
	free(l->objects);
	flow_paths_free(&l->paths);
	*l = (struct flow_logs){0};
}
