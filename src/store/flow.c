/* SPDX-License-Identifier: MIT */
/* flow.c: the rows of the flow lens, to and from a recording. */
#include <stdlib.h>
#include <string.h>

#include "store/flow.h"
#include "store/store.h"

/* ---- saving ---- */

static int64_t number_or_null(uint32_t number)
{
	return number == FLOWS_NONE ? -1 : (int64_t)number;
}

static void save_total(struct sql *sql, const struct flows *f, int64_t id)
{
	sql_do(sql, "INSERT INTO flow_total VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiiiiiiiuuiiiit", id,
	       store_whole(f->wall_ns), store_whole(f->minimum_ns), store_whole(f->load_ns), store_whole(f->latency_ns),
	       (int64_t)f->machine_cores, store_whole(f->skipped_ns), store_whole(f->idle_ns), store_whole(f->events),
	       store_whole(f->unexplained), store_whole(f->bad), f->switches, f->switches_lost, (int64_t)f->slices, (int64_t)f->ended,
	       (int64_t)f->orders, store_whole(f->path_all), flows_keeps_words[f->keeps]);
	for (size_t i = 0; i < f->level_count; i++)
		if (f->levels[i])
			sql_do(sql, "INSERT INTO flow_level VALUES (?, ?, ?)", "iii", id, (int64_t)i, store_whole(f->levels[i]));
	for (size_t i = 0; i < f->core_count; i++)
		sql_do(sql, "INSERT INTO flow_cores VALUES (?, ?, ?)", "iii", id, (int64_t)f->cores[i].cores, store_whole(f->cores[i].ns));
	for (size_t i = 0; i < f->slice_count; i++) {
		const struct flows_slice *s = &f->slice[i];
		sql_do(sql, "INSERT INTO flow_slice VALUES (?, ?, ?, ?, ?, ?)", "iiiiii", id, (int64_t)s->worker, (int64_t)s->slice,
		       store_whole(s->work_ns), store_whole(s->load_ns), store_whole(s->wait_ns));
	}
}

static void save_objects(struct sql *sql, const struct flows *f, int64_t id, const uint32_t *map)
{
	for (size_t i = 0; i < f->object_count; i++) {
		const struct flows_object *o = &f->objects[i];
		sql_do(sql, "INSERT INTO flow_object VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		       "iittitiiiiiiiiitiiuu", id, (int64_t)i, o->name, flows_object_kinds[o->what], (int64_t)map[o->first.routine],
		       o->first.file, (int64_t)o->first.line, store_whole(o->members), store_whole(o->acquired), store_whole(o->contended),
		       store_whole(o->refused), store_whole(o->waited_ns), store_whole(o->held_ns), (int64_t)o->longest_queue,
		       (int64_t)map[o->holder.routine], o->holder.file, (int64_t)o->holder.line, store_whole(o->holder_ns), o->free_ns,
		       o->free_idle_ns);
	}
}

static void save_waits(struct sql *sql, const struct flows *f, int64_t id, const uint32_t *map)
{
	for (size_t i = 0; i < f->wait_count; i++) {
		const struct flows_wait *w = &f->waits[i];
		sql_do(sql, "INSERT INTO flow_wait VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		       "iiitittu"
		       "uititiiii",
		       id, (int64_t)w->thread, (int64_t)map[w->where.routine], w->where.file, (int64_t)w->where.line, w->callers,
		       flows_wait_name(w->kind), number_or_null(w->object), number_or_null(w->for_thread),
		       (int64_t)map[w->for_where.routine], w->for_where.file, (int64_t)w->for_where.line, flows_outcomes[w->outcome],
		       store_whole(w->count), store_whole(w->waited_ns), store_whole(w->longest_ns), store_whole(w->late_ns));
	}
}

static void save_threads(struct sql *sql, const struct flows *f, int64_t id, const uint32_t *map)
{
	for (size_t i = 0; i <= f->run->thread_count; i++) {
		const struct flows_thread *t = &f->threads[i];
		sql_do(sql, "INSERT INTO flow_thread VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiiiiuiiti", id, (int64_t)i,
		       store_whole(t->work_ns), store_whole(t->load_ns), store_whole(t->waited_ns), store_whole(t->outside_ns),
		       store_whole(t->late_ns), store_whole(t->critical_ns), t->slack_ns, store_whole(t->events),
		       (int64_t)map[t->created.routine], t->created.file, (int64_t)t->created.line);
	}
}

static void save_path(struct sql *sql, const struct flows *f, int64_t id, const uint32_t *map)
{
	for (size_t i = 0; i < f->path_count; i++) {
		const struct flows_stretch *s = &f->path[i];
		sql_do(sql, "INSERT INTO flow_stretch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiiiituitiiti", id,
		       (int64_t)i, (int64_t)s->thread, store_whole(s->at_ns), store_whole(s->ns), store_whole(s->count),
		       store_whole(s->outside_ns), store_whole(s->recorded_ns), flows_event_names[s->kind], number_or_null(s->object),
		       (int64_t)map[s->from.routine], s->from.file, (int64_t)s->from.line, (int64_t)map[s->to.routine], s->to.file,
		       (int64_t)s->to.line);
	}
}

static void save_slack(struct sql *sql, const struct flows *f, int64_t id, const uint32_t *map)
{
	for (size_t i = 0; i < f->slack_count; i++) {
		const struct flows_slack *s = &f->slack[i];
		sql_do(sql, "INSERT INTO flow_slack VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiitiitiiiiuu", id, (int64_t)i,
		       (int64_t)s->thread, (int64_t)map[s->from.routine], s->from.file, (int64_t)s->from.line, (int64_t)map[s->to.routine],
		       s->to.file, (int64_t)s->to.line, store_whole(s->count), store_whole(s->work_ns), store_whole(s->critical_ns),
		       s->least_ns, s->average_ns);
	}
}

static void save_routines(struct sql *sql, const struct flows *f, int64_t id, const uint32_t *map)
{
	for (size_t i = 0; i < f->routine_count; i++) {
		const struct flows_routine *r = &f->routines[i];
		sql_do(sql, "INSERT INTO flow_routine VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiiiii", id, (int64_t)map[r->routine],
		       store_whole(r->calls), store_whole(r->total_ns), store_whole(r->self_ns), store_whole(r->wait_ns),
		       store_whole(r->no_core_ns), store_whole(r->critical_ns), store_whole(r->concurrent));
	}
	for (size_t i = 0; i < f->arc_count; i++) {
		const struct flows_arc *a = &f->arcs[i];
		sql_do(sql, "INSERT INTO flow_arc VALUES (?, ?, ?, ?, ?, ?)", "iiiiii", id, (int64_t)map[a->caller],
		       (int64_t)map[a->callee], store_whole(a->calls), store_whole(a->total_ns), store_whole(a->concurrent));
	}
}

static void save_flow(struct sql *sql, const void *data)
{
	const struct flows *f = data;
	uint32_t *map;
	int64_t id = store_save_run(sql, f->run, 0, &map);
	save_total(sql, f, id);
	save_objects(sql, f, id, map);
	save_waits(sql, f, id, map);
	save_threads(sql, f, id, map);
	save_path(sql, f, id, map);
	save_slack(sql, f, id, map);
	store_save_parts(sql, f, id, map);
	if (f->kept)
		store_save_events(sql, f->kept, id, map);
	save_routines(sql, f, id, map);
	free(map);
}

int store_save_flow(const char *path, const struct flows *flows, char aside[PATH_MAX], struct fail *why)
{
	return store_write(path, &(struct store_content){flows->run, flows, save_flow}, aside, why);
}

/* ---- loading ---- */

uint32_t store_flow_word(struct sql *sql, const char *const *words, uint32_t count, const char *word)
{
	for (uint32_t i = 0; i < count; i++)
		if (words[i] && strcmp(words[i], word) == 0)
			return i;
	sql_fault(sql, "it has a word that is not known");
	return 0;
}

static void load_total(struct sql *sql, struct flows *f, int64_t id)
{
	size_t found = 0;
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT wall_ns, minimum_ns, load_ns, latency_ns, events, unexplained, bad, switches,"
		     " switches_lost, slices, ended, stretches, cores, idle_ns, skipped_ns, kept, orders FROM flow_total WHERE run = ?",
		     "i", id);
	     sql_next(&rows); found++) {
		f->wall_ns = sql_count(&rows, 0);
		f->minimum_ns = sql_count(&rows, 1);
		f->load_ns = sql_count(&rows, 2);
		f->latency_ns = sql_count(&rows, 3);
		f->events = sql_count(&rows, 4);
		f->unexplained = sql_count(&rows, 5);
		f->bad = sql_count(&rows, 6);
		f->switches = sql_measure(&rows, 7);
		f->switches_lost = sql_measure(&rows, 8);
		f->slices = sql_index(&rows, 9, UINT32_MAX);
		f->ended = sql_int(&rows, 10) != 0;
		f->path_all = sql_count(&rows, 11);
		f->machine_cores = sql_index(&rows, 12, UINT32_MAX);
		f->idle_ns = sql_count(&rows, 13);
		f->skipped_ns = sql_count(&rows, 14);
		f->keeps = (enum flows_keeps)store_flow_word(sql, flows_keeps_words, FLOWS_KEEPS, sql_text(&rows, 15));
		f->orders = sql_int(&rows, 16) != 0;
	}
	if (id >= 0 && (found != 1 || f->slices == 0))
		sql_fault(sql, "a run of the flow lens has no totals");
}

enum { MOST_LEVELS = 1 << 17 };

static void load_times(struct sql *sql, struct flows *f, int64_t id)
{
	for (struct sql_rows rows = sql_ask(sql, "SELECT working, ns FROM flow_level WHERE run = ? ORDER BY working", "i", id);
	     sql_next(&rows);) {
		uint32_t level = sql_index(&rows, 0, MOST_LEVELS);
		while (f->level_count <= level) {
			MEMORY_GROW(f->levels, f->level_count, f->level_room);
			f->levels[f->level_count++] = 0;
		}
		f->levels[level] = sql_count(&rows, 1);
	}
	for (struct sql_rows rows = sql_ask(sql, "SELECT cores, ns FROM flow_cores WHERE run = ? ORDER BY cores", "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(f->cores, f->core_count, f->core_room);
		f->cores[f->core_count++] = (struct flows_core){sql_index(&rows, 0, UINT32_MAX), sql_count(&rows, 1)};
	}
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT worker, slice, work_ns, load_ns, wait_ns FROM flow_slice WHERE run = ? ORDER BY worker, slice",
	                     "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(f->slice, f->slice_count, f->slice_room);
		f->slice[f->slice_count++] = (struct flows_slice){sql_index(&rows, 0, f->run->worker_count), sql_index(&rows, 1, f->slices),
		                                                  sql_count(&rows, 2), sql_count(&rows, 3), sql_count(&rows, 4)};
	}
}

struct flows_where store_flow_where(const struct sql_rows *rows, int column, struct flows *f)
{
	return (struct flows_where){sql_index(rows, column, f->run->routine_count), pool_text(&f->pool, sql_text(rows, column + 1)),
	                            sql_index(rows, column + 2, UINT32_MAX)};
}

static void load_objects(struct sql *sql, struct flows *f, int64_t id)
{
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT object, name, kind, routine, file, line, members, acquisitions, contended, waited_ns,"
		     " held_ns, longest_queue, holder, holder_file, holder_line, holder_ns, minimum_if_free_ns, idle_if_free_ns, refused"
		     " FROM flow_object WHERE run = ? ORDER BY object",
		     "i", id);
	     sql_next(&rows);) {
		if (sql_int(&rows, 0) != (int64_t)f->object_count)
			sql_fault(sql, "its objects are not numbered in order");
		MEMORY_GROW(f->objects, f->object_count, f->object_room);
		f->objects[f->object_count++] = (struct flows_object){
			.name = pool_text(&f->pool, sql_text(&rows, 1)),
			.what = (enum raw_flow_what)store_flow_word(sql, flows_object_kinds, FLOWS_OBJECT_KINDS, sql_text(&rows, 2)),
			.first = store_flow_where(&rows, 3, f),
			.members = sql_count(&rows, 6),
			.acquired = sql_count(&rows, 7),
			.contended = sql_count(&rows, 8),
			.waited_ns = sql_count(&rows, 9),
			.held_ns = sql_count(&rows, 10),
			.longest_queue = sql_index(&rows, 11, UINT32_MAX),
			.holder = store_flow_where(&rows, 12, f),
			.holder_ns = sql_count(&rows, 15),
			.free_ns = sql_measure(&rows, 16),
			.free_idle_ns = sql_measure(&rows, 17),
			.refused = sql_count(&rows, 18),
		};
	}
}

static uint32_t load_optional(struct sql_rows *rows, int column, size_t below)
{
	return sql_is_null(rows, column) ? FLOWS_NONE : sql_index(rows, column, below);
}

static void load_waits(struct sql *sql, struct flows *f, int64_t id)
{
	const char *kinds[FLOW_WAITS];
	for (uint32_t i = 0; i < FLOW_WAITS; i++)
		kinds[i] = flows_wait_name(i);
	for (struct sql_rows rows = sql_ask(sql,
	                                    "SELECT traced, routine, file, line, kind, object, for_traced, for_routine, for_file, for_line,"
	                                    " outcome, count, waited_ns, longest_ns, late_ns, callers FROM flow_wait WHERE run = ?"
	                                    " ORDER BY waited_ns DESC",
	                                    "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(f->waits, f->wait_count, f->wait_room);
		f->waits[f->wait_count++] = (struct flows_wait){
			.thread = sql_index(&rows, 0, f->run->thread_count + 1),
			.where = store_flow_where(&rows, 1, f),
			.kind = store_flow_word(sql, kinds, FLOW_WAITS, sql_text(&rows, 4)),
			.object = load_optional(&rows, 5, f->object_count),
			.for_thread = load_optional(&rows, 6, f->run->thread_count + 1),
			.for_where = store_flow_where(&rows, 7, f),
			.outcome = (enum flows_outcome)store_flow_word(sql, flows_outcomes, FLOWS_OUTCOMES, sql_text(&rows, 10)),
			.count = sql_count(&rows, 11),
			.waited_ns = sql_count(&rows, 12),
			.longest_ns = sql_count(&rows, 13),
			.late_ns = sql_count(&rows, 14),
			.callers = pool_text(&f->pool, sql_text(&rows, 15)),
		};
	}
}

static void load_threads(struct sql *sql, struct flows *f, int64_t id)
{
	f->threads = memory_zeroed(f->run->thread_count + 1, sizeof *f->threads);
	for (size_t i = 0; i <= f->run->thread_count; i++)
		f->threads[i] = (struct flows_thread){.slack_ns = RUN_UNKNOWN, .created.file = ""};
	for (struct sql_rows rows =
	             sql_ask(sql,
	                     "SELECT traced, work_ns, load_ns, waited_ns, outside_ns, late_ns, critical_ns, slack_ns, events, creator,"
	                     " creator_file, creator_line FROM flow_thread WHERE run = ?",
	                     "i", id);
	     sql_next(&rows);)
		f->threads[sql_index(&rows, 0, f->run->thread_count + 1)] =
			(struct flows_thread){sql_count(&rows, 1),   sql_count(&rows, 2), sql_count(&rows, 3),
		                              sql_count(&rows, 4),   sql_count(&rows, 5), sql_count(&rows, 6),
		                              sql_measure(&rows, 7), sql_count(&rows, 8), store_flow_where(&rows, 9, f)};
}

static void load_path(struct sql *sql, struct flows *f, int64_t id)
{
	for (struct sql_rows rows =
	             sql_ask(sql,
	                     "SELECT traced, at_ns, ns, outside_ns, recorded_ns, begins, object, from_routine, from_file,"
	                     " from_line, to_routine, to_file, to_line, count FROM flow_stretch WHERE run = ? ORDER BY stretch",
	                     "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(f->path, f->path_count, f->path_room);
		f->path[f->path_count++] = (struct flows_stretch){
			.thread = sql_index(&rows, 0, f->run->thread_count + 1),
			.at_ns = sql_count(&rows, 1),
			.ns = sql_count(&rows, 2),
			.outside_ns = sql_count(&rows, 3),
			.recorded_ns = sql_count(&rows, 4),
			.kind = store_flow_word(sql, flows_event_names, FLOW_KINDS, sql_text(&rows, 5)),
			.object = load_optional(&rows, 6, f->object_count),
			.from = store_flow_where(&rows, 7, f),
			.to = store_flow_where(&rows, 10, f),
			.count = sql_count(&rows, 13),
		};
	}
}

static void load_slack(struct sql *sql, struct flows *f, int64_t id)
{
	for (struct sql_rows rows =
	             sql_ask(sql,
	                     "SELECT traced, from_routine, from_file, from_line, to_routine, to_file, to_line, count, work_ns,"
	                     " critical_ns, least_ns, average_ns FROM flow_slack WHERE run = ? ORDER BY number",
	                     "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(f->slack, f->slack_count, f->slack_room);
		f->slack[f->slack_count++] = (struct flows_slack){
			.thread = sql_index(&rows, 0, f->run->thread_count + 1),
			.from = store_flow_where(&rows, 1, f),
			.to = store_flow_where(&rows, 4, f),
			.count = sql_count(&rows, 7),
			.work_ns = sql_count(&rows, 8),
			.critical_ns = sql_count(&rows, 9),
			.least_ns = sql_measure(&rows, 10),
			.average_ns = sql_measure(&rows, 11),
		};
	}
}

static void load_routines(struct sql *sql, struct flows *f, int64_t id)
{
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT routine, calls, total_ns, self_ns, wait_ns, no_core_ns, critical_ns, concurrent FROM flow_routine WHERE run = ?",
		     "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(f->routines, f->routine_count, f->routine_room);
		f->routines[f->routine_count++] = (struct flows_routine){sql_index(&rows, 0, f->run->routine_count),
		                                                         sql_count(&rows, 1),
		                                                         sql_count(&rows, 2),
		                                                         sql_count(&rows, 3),
		                                                         sql_count(&rows, 4),
		                                                         sql_count(&rows, 5),
		                                                         sql_count(&rows, 6),
		                                                         sql_count(&rows, 7)};
	}
	for (struct sql_rows rows = sql_ask(sql, "SELECT caller, callee, calls, total_ns, concurrent FROM flow_arc WHERE run = ?", "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(f->arcs, f->arc_count, f->arc_room);
		f->arcs[f->arc_count++] =
			(struct flows_arc){sql_index(&rows, 0, f->run->routine_count), sql_index(&rows, 1, f->run->routine_count),
		                           sql_count(&rows, 2), sql_count(&rows, 3), sql_count(&rows, 4)};
	}
}

int store_load_flow(struct store *store, struct run *run, struct flows *flows, struct fail *why)
{
	struct sql *sql = &store->sql;
	run_start(run);
	memset(flows, 0, sizeof *flows);
	flows->run = run;
	int64_t id = store_load_run(sql, run, "flow");
	load_total(sql, flows, id);
	load_times(sql, flows, id);
	load_objects(sql, flows, id);
	load_waits(sql, flows, id);
	load_threads(sql, flows, id);
	load_path(sql, flows, id);
	load_slack(sql, flows, id);
	store_load_parts(sql, flows, id);
	load_routines(sql, flows, id);
	if (id >= 0 && !sql->bad)
		return 0;
	flows_free(flows);
	run_free(run);
	return store_load_failed(store, "flow", why);
}
