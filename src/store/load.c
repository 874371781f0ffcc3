/* SPDX-License-Identifier: MIT */
/* load.c: reads the tables of a recording into a run and the rows of a lens. */
#include <string.h>

#include "keys/mode.h"
#include "store/file.h"
#include "store/store.h"

#define ANY_ID ((size_t)UINT32_MAX + 1) /* a recording may hold any number for a process or thread */

static enum run_kind kind_of(struct sql *sql, const char *text)
{
	for (int kind = 0; kind < RUN_KINDS; kind++)
		if (strcmp(run_kind_text((enum run_kind)kind), text) == 0)
			return (enum run_kind)kind;
	sql_fault(sql, "a routine has an unknown kind");
	return RUN_UNKNOWN_KIND;
}

void store_load_routines(struct sql *sql, struct run *run)
{
	for (struct sql_rows rows = sql_ask(sql, "SELECT object, build_id, path FROM object ORDER BY object", ""); sql_next(&rows);)
		if (sql_int(&rows, 0) != (int64_t)run->object_count ||
		    run_object(run, sql_text(&rows, 1), sql_text(&rows, 2)) != run->object_count - 1)
			sql_fault(sql, "its objects are not numbered in order");
	for (struct sql_rows rows = sql_ask(sql, "SELECT routine, object, linkage, file, line, kind FROM routine ORDER BY routine", "");
	     sql_next(&rows);) {
		struct run_routine routine = {
			.object = sql_is_null(&rows, 1) ? RUN_NO_OBJECT : sql_index(&rows, 1, run->object_count),
			.line = sql_index(&rows, 4, UINT32_MAX),
			.kind = kind_of(sql, sql_text(&rows, 5)),
			.linkage = pool_text(&run->pool, sql_text(&rows, 2)),
			.file = pool_text(&run->pool, sql_text(&rows, 3)),
		};
		int64_t number = sql_int(&rows, 0);
		if (run_routine(run, &routine) != number || (number != RUN_OUTSIDE && number != (int64_t)run->routine_count - 1))
			sql_fault(sql, "its routines are not numbered in order");
	}
}

static void load_processes(struct sql *sql, struct run *run, int64_t id)
{
	size_t first = run->process_count;
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT process, pid, parent_pid, flags, workers, threads, start_ns, wall_ns, cpu_ns, own_cpu_ns, snapshots, period_ns, hook_ns, untimed_ns"
		     " FROM process WHERE run = ? ORDER BY process",
		     "i", id);
	     sql_next(&rows);) {
		if (sql_int(&rows, 0) != (int64_t)(run->process_count - first))
			sql_fault(sql, "its processes are not numbered in order");
		MEMORY_GROW(run->processes, run->process_count, run->process_room);
		run->processes[run->process_count++] = (struct run_process){
			.pid = sql_index(&rows, 1, ANY_ID),
			.parent_pid = sql_index(&rows, 2, ANY_ID),
			.flags = sql_index(&rows, 3, UINT32_MAX),
			.workers = sql_index(&rows, 4, UINT32_MAX),
			.threads = sql_count(&rows, 5),
			.start_ns = sql_count(&rows, 6),
			.wall_ns = sql_count(&rows, 7),
			.cpu_ns = sql_count(&rows, 8),
			.own_cpu_ns = sql_count(&rows, 9),
			.snapshots = sql_count(&rows, 10),
			.period_ns = sql_count(&rows, 11),
			.hook_ns = sql_count(&rows, 12),
			.untimed_ns = sql_count(&rows, 13),
		};
	}
	for (struct sql_rows rows = sql_ask(sql, "SELECT process, cause, events FROM lost WHERE run = ?", "i", id); sql_next(&rows);) {
		uint32_t process = sql_index(&rows, 0, run->process_count - first), cause = sql_index(&rows, 1, RAW_LOST_KINDS);
		if (!sql->bad)
			run->processes[first + process].lost[cause] = sql_count(&rows, 2);
	}
}

static uint32_t wait_kind_of(struct sql *sql, const char *text)
{
	for (uint32_t kind = 0; kind < RAW_WAIT_KINDS; kind++)
		if (strcmp(run_wait_names[kind], text) == 0)
			return kind;
	sql_fault(sql, "a wait has an unknown kind");
	return 0;
}

static void load_workers(struct sql *sql, struct run *run, int64_t id, uint32_t processes)
{
	size_t first = run->worker_count;
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT worker, process, lane, threads, alive_ns FROM worker WHERE run = ? ORDER BY worker", "i", id);
	     sql_next(&rows);) {
		if (sql_int(&rows, 0) != (int64_t)(run->worker_count - first))
			sql_fault(sql, "its workers are not numbered in order");
		MEMORY_GROW(run->workers, run->worker_count, run->worker_room);
		run->workers[run->worker_count++] = (struct run_worker){
			.process = processes + sql_index(&rows, 1, run->process_count - processes),
			.lane = sql_index(&rows, 2, UINT32_MAX),
			.threads = sql_count(&rows, 3),
			.alive_ns = sql_count(&rows, 4),
		};
	}
	for (struct sql_rows rows = sql_ask(sql, "SELECT worker, kind, waits, wait_ns FROM wait WHERE run = ?", "i", id);
	     sql_next(&rows);) {
		size_t worker = first + sql_index(&rows, 0, run->worker_count - first);
		uint32_t kind = wait_kind_of(sql, sql_text(&rows, 1));
		if (sql->bad)
			continue;
		run->workers[worker].waits[kind] = sql_count(&rows, 2);
		run->workers[worker].wait_ns[kind] = sql_count(&rows, 3);
	}
}

static void load_threads(struct sql *sql, struct run *run, int64_t id, uint32_t processes, uint32_t workers)
{
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT process, thread, tid, worker, creator, start_ns, end_ns, cpu_ns, wait_ns, name FROM thread WHERE run = ?"
		     " ORDER BY process, thread",
		     "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(run->threads, run->thread_count, run->thread_room);
		run->threads[run->thread_count++] = (struct run_thread){
			.process = processes + sql_index(&rows, 0, run->process_count - processes),
			.number = sql_index(&rows, 1, UINT32_MAX),
			.tid = sql_index(&rows, 2, ANY_ID),
			.worker = workers + sql_index(&rows, 3, run->worker_count - workers),
			.creator = sql_index(&rows, 4, UINT32_MAX),
			.start_ns = sql_count(&rows, 5),
			.end_ns = sql_count(&rows, 6),
			.cpu_ns = sql_count(&rows, 7),
			.wait_ns = sql_count(&rows, 8),
			.name = pool_text(&run->pool, sql_text(&rows, 9)),
		};
	}
}

static void load_places(struct sql *sql, struct run *run, int64_t id)
{
	for (struct sql_rows rows = sql_ask(sql, "SELECT caller, callee, file, line, column FROM site WHERE run = ?", "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(run->sites, run->site_count, run->site_room);
		run->sites[run->site_count++] = (struct run_site){
			.caller = sql_index(&rows, 0, run->routine_count),
			.callee = sql_index(&rows, 1, run->routine_count),
			.file = pool_text(&run->pool, sql_text(&rows, 2)),
			.line = sql_index(&rows, 3, UINT32_MAX),
			.column = sql_index(&rows, 4, UINT32_MAX),
		};
	}
	run_sort_sites(run);
	for (struct sql_rows rows = sql_ask(sql, "SELECT name, file, line, into_routine FROM inlined WHERE run = ?", "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(run->inlined, run->inlined_count, run->inlined_room);
		run->inlined[run->inlined_count++] = (struct run_inlined){
			.name = pool_text(&run->pool, sql_text(&rows, 0)),
			.file = pool_text(&run->pool, sql_text(&rows, 1)),
			.line = sql_index(&rows, 2, UINT32_MAX),
			.into = sql_is_null(&rows, 3) ? RUN_NOWHERE : sql_index(&rows, 3, run->routine_count),
		};
	}
	for (struct sql_rows rows = sql_ask(sql, "SELECT text FROM note WHERE run = ? ORDER BY note", "i", id); sql_next(&rows);)
		run_note(run, "%s", sql_text(&rows, 0));
}

static void load_rank(struct sql *sql, struct run *run, int64_t id)
{
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT rank, ranks, task, mpi_rank, mpi_ranks, job, node, launcher FROM rank WHERE run = ?", "i", id);
	     sql_next(&rows);)
		run->rank = (struct run_rank){.rank = sql_measure(&rows, 0),
		                              .ranks = sql_measure(&rows, 1),
		                              .task = sql_measure(&rows, 2),
		                              .mpi_rank = sql_measure(&rows, 3),
		                              .mpi_ranks = sql_measure(&rows, 4),
		                              .job = pool_text(&run->pool, sql_text(&rows, 5)),
		                              .node = pool_text(&run->pool, sql_text(&rows, 6)),
		                              .launcher = pool_text(&run->pool, sql_text(&rows, 7))};
	for (struct sql_rows rows =
	             sql_ask(sql,
	                     "SELECT call, kind, comm, peer, tag, calls, bytes, wait_ns, longest_ns FROM message WHERE run = ?"
	                     " ORDER BY call, comm, peer, tag",
	                     "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(run->messages, run->message_count, run->message_room);
		run->messages[run->message_count++] = (struct run_message){
			.call = pool_text(&run->pool, sql_text(&rows, 0)),
			.kind = pool_text(&run->pool, sql_text(&rows, 1)),
			.comm = sql_measure(&rows, 2),
			.peer = sql_measure(&rows, 3),
			.tag = sql_measure(&rows, 4),
			.calls = sql_count(&rows, 5),
			.bytes = sql_count(&rows, 6),
			.wait_ns = sql_count(&rows, 7),
			.longest_ns = sql_count(&rows, 8),
		};
	}
}

static const char *meta(struct sql *sql, struct run *run, const char *key)
{
	const char *value = "";
	for (struct sql_rows rows = sql_ask(sql, "SELECT value FROM meta WHERE key = ?", "t", key); sql_next(&rows);)
		value = pool_text(&run->pool, sql_text(&rows, 0));
	return value;
}

void store_append_run(struct sql *sql, struct run *run, int64_t id)
{
	uint32_t processes = (uint32_t)run->process_count, workers = (uint32_t)run->worker_count;
	load_processes(sql, run, id);
	load_workers(sql, run, id, processes);
	load_threads(sql, run, id, processes, workers);
	load_places(sql, run, id);
	load_rank(sql, run, id);
	run_show_names(run);
}

int64_t store_load_head(struct store *store, struct run *run, const char *lens)
{
	struct sql *sql = &store->sql;
	int64_t id = store_run_to_load(store, lens);
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT run, mode, command, started_real_ns, wall_ns, cpu_ns, own_cpu_ns, died_of, lasted_ns, ran_ns, wanted_ns, crowd_ns, user_ns, system_ns, faults, samples, hook_samples,"
		     " series, turn, exit_code, stopped FROM run WHERE run = ?",
		     "i", id);
	     sql_next(&rows);) {
		run->mode = pool_text(&run->pool, sql_text(&rows, 1));
		run->command = pool_text(&run->pool, sql_text(&rows, 2));
		run->started_real_ns = sql_count(&rows, 3);
		run->wall_ns = sql_count(&rows, 4);
		run->cpu_ns = sql_count(&rows, 5);
		run->own_cpu_ns = sql_count(&rows, 6);
		run->died_of = sql_measure(&rows, 7);
		run->lasted_ns = sql_measure(&rows, 8);
		run->ran_ns = sql_measure(&rows, 9);
		run->wanted_ns = sql_measure(&rows, 10);
		run->crowd_ns = sql_measure(&rows, 11);
		run->user_ns = sql_measure(&rows, 12);
		run->system_ns = sql_measure(&rows, 13);
		run->faults = sql_measure(&rows, 14);
		run->samples = sql_measure(&rows, 15);
		run->hook_samples = sql_measure(&rows, 16);
		run->series = sql_int(&rows, 17);
		run->turn = sql_index(&rows, 18, UINT32_MAX);
		run->exit_code = sql_measure(&rows, 19);
		run->stopped = sql_count(&rows, 20) != 0;
	}
	run->lens = pool_text(&run->pool, lens);
	run->build_id = meta(sql, run, "build_id");
	run->program = meta(sql, run, "program");
	store_load_routines(sql, run);
	return id;
}

int64_t store_load_run(struct store *store, struct run *run, const char *lens)
{
	int64_t id = store_load_head(store, run, lens);
	store_append_run(&store->sql, run, id);
	return id;
}

static uint32_t state_of(struct sql *sql, const char *text)
{
	if (strcmp(text, "sequential") == 0)
		return STATE_SEQUENTIAL;
	if (strcmp(text, "concurrent") == 0)
		return STATE_CONCURRENT;
	if (strcmp(text, "unknown") != 0)
		sql_fault(sql, "a state has an unknown name");
	return STATE_UNKNOWN;
}

static void load_entries(struct sql *sql, const struct run *run, struct calls *calls, int64_t id)
{
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT routine, worker, entry, calls, elapsed_ns, direct_ns, callee_calls, callee_ns, wait_ns, nested_ns, same_calls,"
		     " timed_calls, error_ns FROM calls_routine WHERE run = ?",
		     "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(calls->entries, calls->entry_count, calls->entry_room);
		calls->entries[calls->entry_count++] = (struct calls_entry){
			.routine = sql_index(&rows, 0, run->routine_count),
			.worker = sql_index(&rows, 1, run->worker_count),
			.entry = state_of(sql, sql_text(&rows, 2)),
			.calls = sql_measure(&rows, 3),
			.elapsed_ns = sql_measure(&rows, 4),
			.direct_ns = sql_measure(&rows, 5),
			.callee_calls = sql_measure(&rows, 6),
			.callee_ns = sql_measure(&rows, 7),
			.wait_ns = sql_measure(&rows, 8),
			.nested_ns = sql_measure(&rows, 9),
			.same_calls = sql_measure(&rows, 10),
			.timed_calls = sql_measure(&rows, 11),
			.error_ns = sql_measure(&rows, 12),
		};
	}
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT caller, callee, entry, callee_call, arc, calls, elapsed_ns, same_calls, timed_calls, error_ns, outer_ns FROM calls_arc WHERE run = ?",
		     "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(calls->arcs, calls->arc_count, calls->arc_room);
		calls->arcs[calls->arc_count++] = (struct calls_arc_row){
			.caller = sql_index(&rows, 0, run->routine_count),
			.callee = sql_index(&rows, 1, run->routine_count),
			.entry = state_of(sql, sql_text(&rows, 2)),
			.callee_call = state_of(sql, sql_text(&rows, 3)),
			.arc = state_of(sql, sql_text(&rows, 4)),
			.calls = sql_measure(&rows, 5),
			.elapsed_ns = sql_measure(&rows, 6),
			.same_calls = sql_measure(&rows, 7),
			.timed_calls = sql_measure(&rows, 8),
			.error_ns = sql_measure(&rows, 9),
			.outer_ns = sql_measure(&rows, 10),
		};
	}
}

static void load_callees(struct sql *sql, const struct run *run, struct calls *calls, int64_t id)
{
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT caller, worker, entry, callee_call, calls, elapsed_ns, outer_ns FROM calls_callee WHERE run = ?",
	                     "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(calls->callees, calls->callee_count, calls->callee_room);
		calls->callees[calls->callee_count++] = (struct calls_callee_row){
			.caller = sql_index(&rows, 0, run->routine_count),
			.worker = sql_index(&rows, 1, run->worker_count),
			.entry = state_of(sql, sql_text(&rows, 2)),
			.callee_call = state_of(sql, sql_text(&rows, 3)),
			.calls = sql_measure(&rows, 4),
			.elapsed_ns = sql_measure(&rows, 5),
			.outer_ns = sql_measure(&rows, 6),
		};
	}
}

static void load_waits(struct sql *sql, struct run *run, struct calls *calls, int64_t id)
{
	for (struct sql_rows rows =
	             sql_ask(sql,
	                     "SELECT routine, worker, kind, object, file, line, waits, wait_ns, longest_ns FROM calls_wait WHERE run = ?",
	                     "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(calls->waits, calls->wait_count, calls->wait_room);
		calls->waits[calls->wait_count++] = (struct calls_wait){
			.routine = sql_index(&rows, 0, run->routine_count),
			.worker = sql_index(&rows, 1, run->worker_count),
			.kind = wait_kind_of(sql, sql_text(&rows, 2)),
			.object = pool_text(&run->pool, sql_text(&rows, 3)),
			.file = pool_text(&run->pool, sql_text(&rows, 4)),
			.line = sql_index(&rows, 5, UINT32_MAX),
			.waits = sql_count(&rows, 6),
			.ns = sql_count(&rows, 7),
			.longest_ns = sql_count(&rows, 8),
		};
	}
}

static void load_snapshots(struct sql *sql, const struct run *run, struct calls *calls, int64_t id)
{
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT routine, snapshots, union_ns, same_ns, running_ns, off_cpu_ns FROM calls_inside WHERE run = ?",
	                     "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(calls->inside, calls->inside_count, calls->inside_room);
		calls->inside[calls->inside_count++] = (struct calls_inside){sql_index(&rows, 0, run->routine_count),
		                                                             sql_count(&rows, 1),
		                                                             sql_count(&rows, 2),
		                                                             sql_count(&rows, 3),
		                                                             sql_count(&rows, 4),
		                                                             sql_count(&rows, 5)};
	}
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT routine_a, routine_b, snapshots, together_ns FROM calls_together WHERE run = ?", "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(calls->together, calls->together_count, calls->together_room);
		calls->together[calls->together_count++] =
			(struct calls_together){sql_index(&rows, 0, run->routine_count), sql_index(&rows, 1, run->routine_count),
		                                sql_count(&rows, 2), sql_count(&rows, 3)};
	}
	for (struct sql_rows rows = sql_ask(sql, "SELECT working, routine, snapshots, ns FROM calls_level WHERE run = ?", "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(calls->levels, calls->level_count, calls->level_room);
		calls->levels[calls->level_count++] =
			(struct calls_level){sql_index(&rows, 0, UINT32_MAX),
		                             sql_is_null(&rows, 1) ? RUN_NOWHERE : sql_index(&rows, 1, run->routine_count),
		                             sql_count(&rows, 2), sql_count(&rows, 3)};
	}
}

int store_load_failed(const struct store *store, const char *lens, struct fail *why)
{
	if (store->sql.bad)
		return fail_set(why, FAIL_INTERNAL, "%s is damaged, or was made by another skein (%s): record again", store->path,
		                store->sql.why);
	return fail_set(why, FAIL_NOT_FOUND, "%s has no run of the %s lens: record one with `skein record %s -- PROGRAM`", store->path,
	                lens, lens);
}

int store_load_calls(struct store *store, struct run *run, struct calls *calls, struct fail *why)
{
	struct sql *sql = &store->sql;
	run_start(run);
	memset(calls, 0, sizeof *calls);
	calls->run = run;
	int64_t id = store_load_run(store, run, "calls");
	load_entries(sql, run, calls, id);
	load_callees(sql, run, calls, id);
	load_waits(sql, run, calls, id);
	load_snapshots(sql, run, calls, id);
	calls->has_times = strcmp(run->mode, MODE_COUNTS) != 0;
	for (size_t i = 0; i < run->process_count; i++)
		calls->snapshots += run->processes[i].flags & RAW_NO_SNAPSHOTS ? 0 : run->processes[i].snapshots;
	calls->has_snapshots = calls->has_times && calls->snapshots > 0;
	calls_sort(calls);
	if (id >= 0 && !sql->bad)
		return 0;
	calls_free(calls);
	run_free(run);
	return store_load_failed(store, "calls", why);
}
