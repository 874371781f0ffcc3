/* SPDX-License-Identifier: MIT */
/* flow_parts.c: what was created and marked in a run of the flow lens, to and from a recording. */
#include <string.h>

#include "store/flow.h"
#include "store/store.h"

/* ---- saving ---- */

static void save_tasks(struct sql *sql, const struct flows *f, int64_t id, const uint32_t *map)
{
	for (size_t i = 0; i < f->task_count; i++) {
		const struct flows_task *t = &f->tasks[i];
		sql_do(sql, "INSERT INTO flow_task VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iititiiiiiiii", id, (int64_t)i,
		       flows_task_kinds[t->kind], (int64_t)map[t->created.routine], t->created.file, (int64_t)t->created.line,
		       store_whole(t->count), store_whole(t->most), store_whole(t->work_ns), store_whole(t->load_ns),
		       store_whole(t->waited_ns), store_whole(t->outside_ns), store_whole(t->longest_ns));
	}
	for (size_t i = 0; i < f->edge_count; i++) {
		const struct flows_edge *e = &f->edges[i];
		sql_do(sql, "INSERT INTO flow_edge VALUES (?, ?, ?, ?, ?, ?)", "iiitii", id, (int64_t)e->from, (int64_t)e->to,
		       e->wait == FLOWS_CREATES ? "creates" : flows_wait_name(e->wait), store_whole(e->count), store_whole(e->ns));
	}
}

static void save_marks(struct sql *sql, const struct flows *f, int64_t id, const uint32_t *map)
{
	for (size_t i = 0; i < f->mark_count; i++) {
		const struct flows_mark *m = &f->marks[i];
		sql_do(sql, "INSERT INTO flow_mark VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iitiitiiiiiiiiiii", id,
		       (int64_t)i, flows_mark_kinds[m->kind], (int64_t)m->thread, (int64_t)map[m->name.routine], m->name.file,
		       (int64_t)m->name.line, store_whole(m->count), store_whole(m->ns), store_whole(m->longest_ns),
		       store_whole(m->work_ns), store_whole(m->load_ns), store_whole(m->waited_ns), store_whole(m->outside_ns), m->least,
		       m->most, m->last);
	}
}

void store_save_parts(struct sql *sql, const struct flows *f, int64_t id, const uint32_t *map)
{
	save_tasks(sql, f, id, map);
	save_marks(sql, f, id, map);
}

/* ---- loading ---- */

static void load_tasks(struct sql *sql, struct flows *f, int64_t id)
{
	for (struct sql_rows rows = sql_ask(sql,
	                                    "SELECT task, kind, routine, file, line, count, most, work_ns, load_ns, waited_ns, outside_ns,"
	                                    " longest_ns FROM flow_task WHERE run = ? ORDER BY task",
	                                    "i", id);
	     sql_next(&rows);) {
		if (sql_int(&rows, 0) != (int64_t)f->task_count)
			sql_fault(sql, "its tasks are not numbered in order");
		MEMORY_GROW(f->tasks, f->task_count, f->task_room);
		f->tasks[f->task_count++] = (struct flows_task){
			.kind = (enum flows_task_kind)store_flow_word(sql, flows_task_kinds, FLOWS_TASK_KINDS, sql_text(&rows, 1)),
			.created = store_flow_where(&rows, 2, f),
			.count = sql_count(&rows, 5),
			.most = sql_count(&rows, 6),
			.work_ns = sql_count(&rows, 7),
			.load_ns = sql_count(&rows, 8),
			.waited_ns = sql_count(&rows, 9),
			.outside_ns = sql_count(&rows, 10),
			.longest_ns = sql_count(&rows, 11),
		};
	}
}

static void load_edges(struct sql *sql, struct flows *f, int64_t id)
{
	const char *kinds[FLOW_WAITS];
	for (uint32_t i = 0; i < FLOW_WAITS; i++)
		kinds[i] = flows_wait_name(i);
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT task, other, kind, count, ns FROM flow_edge WHERE run = ? ORDER BY task, other, kind", "i", id);
	     sql_next(&rows);) {
		const char *kind = sql_text(&rows, 2);
		bool creates = strcmp(kind, "creates") == 0;
		MEMORY_GROW(f->edges, f->edge_count, f->edge_room);
		f->edges[f->edge_count++] = (struct flows_edge){
			.from = sql_index(&rows, 0, f->task_count),
			.to = sql_index(&rows, 1, f->task_count),
			.wait = creates ? FLOWS_CREATES : store_flow_word(sql, kinds, FLOW_WAITS, kind),
			.count = sql_count(&rows, 3),
			.ns = sql_count(&rows, 4),
		};
	}
}

static void load_marks(struct sql *sql, struct flows *f, int64_t id)
{
	for (struct sql_rows rows = sql_ask(sql,
	                                    "SELECT kind, traced, routine, file, line, count, ns, longest_ns, work_ns, load_ns, waited_ns,"
	                                    " outside_ns, least, most, last FROM flow_mark WHERE run = ? ORDER BY number",
	                                    "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(f->marks, f->mark_count, f->mark_room);
		f->marks[f->mark_count++] = (struct flows_mark){
			.kind = (enum flows_mark_kind)store_flow_word(sql, flows_mark_kinds, FLOWS_MARK_KINDS, sql_text(&rows, 0)),
			.thread = sql_index(&rows, 1, f->run->thread_count + 1),
			.name = store_flow_where(&rows, 2, f),
			.count = sql_count(&rows, 5),
			.ns = sql_count(&rows, 6),
			.longest_ns = sql_count(&rows, 7),
			.work_ns = sql_count(&rows, 8),
			.load_ns = sql_count(&rows, 9),
			.waited_ns = sql_count(&rows, 10),
			.outside_ns = sql_count(&rows, 11),
			.least = sql_int(&rows, 12),
			.most = sql_int(&rows, 13),
			.last = sql_int(&rows, 14),
		};
	}
}

void store_load_parts(struct sql *sql, struct flows *f, int64_t id)
{
	load_tasks(sql, f, id);
	load_edges(sql, f, id);
	load_marks(sql, f, id);
}
