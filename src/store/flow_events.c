/* SPDX-License-Identifier: MIT */
/* flow_events.c: the events of the flow lens, to and from a recording.
 *
 * Logs are stored as they were recorded, each chunk compressed by itself. A chunk says how long it was; the recording may come from anywhere,
 * so what all chunks say is bounded before any of them is decompressed, and each must have the length that it says. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analyse/flow/kept.h"
#include "store/flow.h"
#include "store/store.h"

/* Of 3 MB of a program that contends for a lock it leaves 17 % in 37 ms; the best level leaves 16 %, in 480 ms. */
enum { LEVEL = 5, MOST_NS_PER_TICK = 1000000 };

/* ---- saving ---- */

struct packer {
	struct sql *sql;
	unsigned char *room;
	size_t bytes;
};

static void pack(struct packer *p, const void *memory, size_t bytes)
{
	uLongf packed = compressBound(FLOWS_CHUNK_BYTES);
	if (!p->room)
		p->room = memory_resize(NULL, packed, 1);
	if (compress2(p->room, &packed, memory, bytes, LEVEL) != Z_OK)
		sql_fault(p->sql, "zlib cannot compress its events");
	p->bytes = packed;
}

static void save_logs(struct packer *p, const struct flows_kept *k, int64_t id)
{
	for (size_t i = 0; i < k->count; i++)
		for (size_t c = 0; c < k->logs[i].chunk_count; c++) {
			const struct flow_logs_chunk *chunk = &k->logs[i].chunks[c];
			size_t bytes = flows_kept_used(chunk);
			pack(p, chunk->memory, bytes);
			sql_do(p->sql, "INSERT OR IGNORE INTO flow_log VALUES (?, ?, ?, ?, ?, ?)", "iiiiib", id, (int64_t)i,
			       (int64_t)chunk->lane, (int64_t)chunk->number, (int64_t)bytes, p->room, p->bytes);
		}
	for (size_t at = 0, piece = 0; at < k->switches.size; at += FLOWS_SWITCHES_BYTES, piece++) {
		size_t left = k->switches.size - at, bytes = left < FLOWS_SWITCHES_BYTES ? left : FLOWS_SWITCHES_BYTES;
		pack(p, k->switches.at + at, bytes);
		sql_do(p->sql, "INSERT INTO flow_switches VALUES (?, ?, ?, ?)", "iiib", id, (int64_t)piece, (int64_t)bytes, p->room,
		       p->bytes);
	}
}

static void save_members(struct sql *sql, const struct flows_kept *k, int64_t id)
{
	for (size_t p = 0, n = 0; p < k->count; p++)
		for (size_t i = 0; i < k->logs[p].object_count; i++, n++) {
			static const struct raw_flow_object unused;
			const struct raw_flow_object *o = k->logs[p].objects[i] ? k->logs[p].objects[i] : &unused;
			sql_do(sql, "INSERT INTO flow_member VALUES (?, ?, ?, ?, ?, ?, ?, ?)", "iiiuiiii", id, (int64_t)p, (int64_t)i,
			       k->members[n] == FLOWS_NONE ? INT64_C(-1) : (int64_t)k->members[n], (int64_t)o->first_thread,
			       store_whole(o->released), (int64_t)o->site, raw_flow_is_shared(o->what) ? (int64_t)o->place : 0);
		}
}

static void save_paths(struct sql *sql, const struct flows_kept *k, int64_t id)
{
	for (size_t p = 0; p < k->count; p++) {
		uint64_t lane, place;
		uint32_t parent;
		for (size_t i = 0; flow_paths_row(&k->logs[p].paths, i, &lane, &place, &parent); i++)
			sql_do(sql, "INSERT INTO flow_path VALUES (?, ?, ?, ?, ?, ?)", "iiiiii", id, (int64_t)p, (int64_t)i, (int64_t)lane,
			       (int64_t)place, (int64_t)parent);
	}
}

void store_save_events(struct sql *sql, const struct flows_kept *k, int64_t id, const uint32_t *map)
{
	struct packer packer = {.sql = sql};
	for (size_t i = 0; i < k->count; i++) {
		const struct flow_logs *l = &k->logs[i];
		const struct flow_clock *c = &k->clocks[i];
		sql_do(sql, "INSERT INTO flow_process VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiiiri", id, (int64_t)i, (int64_t)l->pid,
		       (int64_t)l->parent_pid, (int64_t)l->flags, store_whole(l->start), store_whole(c->ns), c->ns_per_tick,
		       store_whole(k->skip));
	}
	save_logs(&packer, k, id);
	free(packer.room);
	for (size_t i = 0; i < k->place_count; i++) {
		const struct flows_place *p = &k->places[i];
		sql_do(sql, "INSERT INTO flow_place VALUES (?, ?, ?, ?, ?, ?, ?)", "iiiiiti", id, (int64_t)p->process, (int64_t)p->place,
		       (int64_t)p->path, (int64_t)map[p->where.routine], p->where.file, (int64_t)p->where.line);
	}
	for (size_t i = 0; i < k->number_count; i++)
		sql_do(sql, "INSERT INTO flow_number VALUES (?, ?, ?, ?)", "iiii", id, (int64_t)k->numbers[i].process,
		       (int64_t)k->numbers[i].number, (int64_t)map[k->numbers[i].routine]);
	save_members(sql, k, id);
	save_paths(sql, k, id);
}

/* ---- loading ---- */

static int64_t newest_run(struct sql *sql)
{
	int64_t id = -1;
	for (struct sql_rows rows = sql_ask(sql, "SELECT run FROM run WHERE lens = 'flow' ORDER BY run DESC LIMIT 1", ""); sql_next(&rows);)
		id = sql_int(&rows, 0);
	return id;
}

static void load_processes(struct sql *sql, struct flows_kept *k, int64_t id)
{
	size_t found = 0;
	for (struct sql_rows rows = sql_ask(sql,
	                                    "SELECT process, pid, parent_pid, flags, start_tick, start_ns, ns_per_tick, from_tick FROM"
	                                    " flow_process"
	                                    " WHERE run = ? ORDER BY process",
	                                    "i", id);
	     sql_next(&rows);) {
		size_t i = sql_index(&rows, 0, k->count);
		k->logs[i] = (struct flow_logs){.pid = sql_index(&rows, 1, UINT32_MAX),
		                                .parent_pid = sql_index(&rows, 2, UINT32_MAX),
		                                .flags = sql_index(&rows, 3, UINT32_MAX),
		                                .start = sql_count(&rows, 4)};
		k->skip = sql_count(&rows, 7);
		k->clocks[i] = (struct flow_clock){k->logs[i].start, sql_count(&rows, 5), sql_real(&rows, 6)};
		if (i != found++ || !(k->clocks[i].ns_per_tick > 0 && k->clocks[i].ns_per_tick < MOST_NS_PER_TICK))
			sql_fault(sql, "the processes of its events make no sense");
	}
	if (found != k->count)
		sql_fault(sql, "the events of a process are missing");
}

/* What will be decompressed, in all. */
static size_t bound(struct sql *sql, const char *sizes, int64_t id, uint64_t *left)
{
	size_t all = 0;
	for (struct sql_rows rows = sql_ask(sql, sizes, "i", id); sql_next(&rows);) {
		uint64_t bytes = sql_index(&rows, 0, FLOWS_CHUNK_BYTES + 1);
		if (bytes > *left)
			sql_fault(sql, "its events take more memory than any recording needs");
		*left -= bytes <= *left ? bytes : *left;
		all += bytes;
	}
	return all;
}

static void unpack(struct sql_rows *rows, int column, void *to, size_t bytes)
{
	size_t packed;
	uLongf got = bytes;
	const void *log = sql_blob(rows, column, &packed);
	if (!packed || uncompress(to, &got, log, packed) != Z_OK || got != bytes)
		sql_fault(rows->sql, "its events cannot be decompressed");
}

static void *own(struct flows_kept *k, void *memory)
{
	MEMORY_GROW(k->blocks, k->block_count, k->block_room);
	return k->blocks[k->block_count++] = memory;
}

static void load_logs(struct sql *sql, struct flows_kept *k, int64_t id)
{
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT process, lane, chunk, bytes, log FROM flow_log WHERE run = ? ORDER BY process, lane, chunk", "i",
	                     id);
	     sql_next(&rows);) {
		struct flow_logs *l = &k->logs[sql_index(&rows, 0, k->count)];
		size_t bytes = sql_index(&rows, 3, FLOWS_CHUNK_BYTES + 1);
		void *memory = own(k, memory_zeroed(bytes + 1, 1));
		unpack(&rows, 4, memory, bytes);
		MEMORY_GROW(l->chunks, l->chunk_count, l->chunk_room);
		l->chunks[l->chunk_count++] =
			(struct flow_logs_chunk){sql_index(&rows, 1, UINT32_MAX), sql_index(&rows, 2, UINT32_MAX), memory, bytes};
	}
}

static void load_switches(struct sql *sql, struct flows_kept *k, int64_t id, size_t bytes)
{
	unsigned char *memory = memory_zeroed(bytes + 1, 1);
	size_t at = 0;
	k->switches = (struct blob){memory, bytes};
	for (struct sql_rows rows = sql_ask(sql, "SELECT bytes, log FROM flow_switches WHERE run = ? ORDER BY piece", "i", id);
	     sql_next(&rows);) {
		size_t piece = sql_index(&rows, 0, FLOWS_CHUNK_BYTES + 1);
		if (piece <= bytes - at)
			unpack(&rows, 1, memory + at, piece);
		at += piece;
	}
}

static void load_places(struct sql *sql, struct flows_kept *k, const struct flows *f, int64_t id)
{
	for (struct sql_rows rows = sql_ask(sql, "SELECT process, place, routine, file, line, path FROM flow_place WHERE run = ?", "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(k->places, k->place_count, k->place_room);
		k->places[k->place_count++] = (struct flows_place){
			.process = sql_index(&rows, 0, k->count),
			.path = sql_index(&rows, 5, UINT32_MAX),
			.place = (uint64_t)sql_int(&rows, 1),
			.where = {sql_index(&rows, 2, f->run->routine_count), pool_text(&k->pool, sql_text(&rows, 3)),
		                  sql_index(&rows, 4, UINT32_MAX)},
		};
	}
}

static void load_numbers(struct sql *sql, struct flows_kept *k, const struct flows *f, int64_t id)
{
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT process, number, routine FROM flow_number WHERE run = ? ORDER BY process, number", "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(k->numbers, k->number_count, k->number_room);
		k->numbers[k->number_count++] = (struct flows_number){sql_index(&rows, 0, k->count), sql_index(&rows, 1, UINT32_MAX),
		                                                      sql_index(&rows, 2, f->run->routine_count)};
	}
}

static void load_paths(struct sql *sql, struct flows_kept *k, int64_t id)
{
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT process, lane, place, parent FROM flow_path WHERE run = ? ORDER BY process, frame", "i", id);
	     sql_next(&rows);)
		flow_paths_put(&k->logs[sql_index(&rows, 0, k->count)].paths, sql_index(&rows, 1, UINT32_MAX), (uint64_t)sql_int(&rows, 2),
		               sql_index(&rows, 3, UINT32_MAX));
}

static void add_early(struct flow_logs *l, const struct raw_flow_object *row, size_t number)
{
	MEMORY_GROW(l->early, l->early_count, l->early_room);
	l->early[l->early_count++] = (struct flow_logs_early){row->released, row->first_thread, (uint32_t)number};
}

/* Numbers have no gaps, so what a row can make the program take is bounded by the file. */
static void load_members(struct sql *sql, struct flows_kept *k, const struct flows *f, int64_t id)
{
	size_t room = 0;
	for (struct sql_rows rows =
	             sql_ask(sql,
	                     "SELECT process, number, object, first_thread, released, site, pipe FROM flow_member WHERE run = ?"
	                     " ORDER BY process, number",
	                     "i", id);
	     sql_next(&rows);) {
		struct flow_logs *l = &k->logs[sql_index(&rows, 0, k->count)];
		if (sql_int(&rows, 1) != (int64_t)l->object_count)
			sql_fault(sql, "the objects of its events are not numbered in order");
		struct raw_flow_object *row = own(k, memory_zeroed(1, sizeof *row));
		row->first_thread = sql_index(&rows, 3, UINT32_MAX);
		row->released = sql_count(&rows, 4);
		row->site = (uint64_t)sql_int(&rows, 5);
		row->place = (uint64_t)sql_int(&rows, 6);
		row->what = row->place ? RAW_FLOW_PIPE : RAW_FLOW_LOCK;
		MEMORY_GROW(k->members, k->member_count, room);
		k->members[k->member_count++] = sql_is_null(&rows, 2) ? FLOWS_NONE : sql_index(&rows, 2, f->object_count);
		MEMORY_GROW(l->objects, l->object_count, l->object_room);
		l->objects[l->object_count++] = row->site ? row : NULL;
		if (row->site && row->released)
			add_early(l, row, l->object_count - 1);
	}
}

static int early_order(const void *a, const void *b)
{
	const struct flow_logs_early *x = a, *y = b;
	return x->time < y->time ? -1 : x->time > y->time;
}

static void load_all(struct sql *sql, struct flows_kept *k, const struct flows *f, int64_t id)
{
	uint64_t left = FLOWS_KEPT_BYTES;
	load_processes(sql, k, id);
	bound(sql, "SELECT bytes FROM flow_log WHERE run = ?", id, &left);
	size_t switches = bound(sql, "SELECT bytes FROM flow_switches WHERE run = ?", id, &left);
	if (sql->bad)
		return;
	load_logs(sql, k, id);
	load_switches(sql, k, id, switches);
	load_places(sql, k, f, id);
	load_numbers(sql, k, f, id);
	load_members(sql, k, f, id);
	load_paths(sql, k, id);
	for (size_t i = 0; i < k->count; i++)
		if (k->logs[i].early_count)
			qsort(k->logs[i].early, k->logs[i].early_count, sizeof *k->logs[i].early, early_order);
}

int store_load_events(struct store *store, const struct flows *flows, struct flows_kept *kept, struct fail *why)
{
	struct sql *sql = &store->sql;
	size_t count = flows->run->process_count;
	*kept = (struct flows_kept){.count = count,
	                            .logs = memory_zeroed(count + 1, sizeof *kept->logs),
	                            .clocks = memory_zeroed(count + 1, sizeof *kept->clocks)};
	load_all(sql, kept, flows, newest_run(sql));
	if (!sql->bad)
		return 0;
	flows_kept_free(kept);
	return store_load_failed(store, "flow", why);
}
