/* SPDX-License-Identifier: MIT */
/* query_views.c: the views that queries of users can rely on. Columns may be added at the end; none goes, none changes its meaning.
 *
 * A thread is named by its number in reports: its place among the threads of its run. */
#include "store/query.h"

#define THREADS "(SELECT *, row_number() OVER (PARTITION BY run ORDER BY process, thread) - 1 AS place FROM main.thread)"
const struct store_view store_views[] = {
	{"v_runs", "one row per run: lens, command, times",
         "SELECT run, lens, mode, command, (SELECT value FROM main.meta WHERE key = 'program') AS program,"
         " (SELECT value FROM main.meta WHERE key = 'build_id') AS build_id, datetime(started_real_ns / 1000000000, 'unixepoch') AS started,"
         " wall_ns, cpu_ns, lost_events FROM main.run"},
	{"v_routines", "all routines that any lens saw",
         "SELECT r.routine AS routine_id, r.name AS routine, r.linkage, r.file, r.line, r.kind, o.path AS object, o.build_id"
         " FROM main.routine r LEFT JOIN main.object o USING (object)"},
	{"v_threads", "threads of each run, by their number in reports",
         "SELECT t.run, n.lens, t.place AS thread, p.pid, t.tid, t.name, t.worker, t.start_ns, t.end_ns, t.cpu_ns, t.wait_ns"
         " FROM " THREADS " t JOIN main.run n USING (run) JOIN main.process p ON p.run = t.run AND p.process = t.process"},
	{"v_calls", "calls: calls and times of a routine, by worker and by the state in which it was entered",
         "SELECT c.run, c.routine AS routine_id, r.name AS routine, r.file, r.line, c.worker, c.entry, c.calls, c.elapsed_ns, c.direct_ns,"
         " c.callee_calls, c.callee_ns, c.wait_ns FROM main.calls_routine c JOIN main.routine r USING (routine)"},
	{"v_arcs", "calls: who called whom, by the states of caller and callee",
         "SELECT a.run, a.caller AS caller_id, f.name AS caller, a.callee AS callee_id, t.name AS callee, a.entry, a.callee_call, a.arc,"
         " a.calls, a.elapsed_ns, a.outer_ns FROM main.calls_arc a JOIN main.routine f ON f.routine = a.caller"
         " JOIN main.routine t ON t.routine = a.callee"},
	{"v_spans", "span: work, span and parallelism of each run",
         "SELECT run, work, span, burdened_span, work * 1.0 / nullif(span, 0) AS parallelism, clock, cores FROM main.span_total"},
	{"v_sites", "span: work and span of a call site, by profile and measure",
         "SELECT s.run, s.site, f.name AS caller, coalesce(t.name, s.callee_name) AS callee, s.file, s.line, s.column, s.kind, m.profile,"
         " m.measure, m.count, m.work, m.span FROM main.span_site s JOIN main.span_sum m ON m.run = s.run AND m.site = s.site"
         " JOIN main.routine f ON f.routine = s.caller LEFT JOIN main.routine t ON t.routine = s.callee"},
	{"v_contexts", "idle: call paths, excluding callees; a context leads to its parent",
         "SELECT s.run, s.scope AS context, s.parent, CASE s.kind WHEN 0 THEN 'root' WHEN 1 THEN 'process' WHEN 2 THEN 'routine'"
         " WHEN 3 THEN 'inlined' WHEN 4 THEN 'loop' ELSE 'line' END AS kind, r.name AS routine, f.name AS file, s.line,"
         " coalesce(c.work_ns, 0) AS work_ns, coalesce(c.idle_ns, 0) AS idle_ns, coalesce(c.overhead_ns, 0) AS overhead_ns,"
         " coalesce(c.samples, 0) AS samples FROM main.idle_scope s JOIN main.routine r USING (routine)"
         " LEFT JOIN main.idle_file f ON f.run = s.run AND f.file = s.file LEFT JOIN (SELECT run, logical, sum(samples) AS samples,"
         " sum(idle_ns) AS idle_ns, sum(CASE overhead WHEN 0 THEN serial_ns + under_ns + full_ns + over_ns ELSE 0 END) AS work_ns,"
         " sum(CASE overhead WHEN 0 THEN 0 ELSE serial_ns + under_ns + full_ns + over_ns END) AS overhead_ns FROM main.idle_cost"
         " GROUP BY run, logical) c ON c.run = s.run AND c.logical = s.scope"},
	{"v_idle_threads", "idle: what was sampled of each thread",
         "SELECT i.run, t.place AS thread, t.name, i.cpu_ns, i.work_ns, i.dropped_ns, i.own_ns, i.samples FROM main.idle_thread i JOIN " THREADS
         " t ON t.run = i.run AND t.process = i.process AND t.thread = i.thread"},
	/* A recording of the order of events (orders) has no times. */
	{"v_flows", "flow: the run, and the shortest that it could have been",
         "SELECT run, iif(orders, NULL, wall_ns) AS wall_ns, iif(orders, NULL, minimum_ns) AS minimum_ns, iif(orders, NULL, load_ns) AS load_ns,"
         " iif(orders, NULL, latency_ns) AS latency_ns, cores, events FROM main.flow_total"},
	{"v_waits", "flow: who waited for whom, on what and where",
         "SELECT w.run, w.traced AS thread, r.name AS routine, w.file, w.line, w.callers, w.kind, o.name AS object, w.for_traced AS for_thread,"
         " iif(w.for_traced IS NULL, NULL, f.name) AS for_routine, w.for_file, w.for_line, w.outcome, w.count,"
         " iif(t.orders, NULL, w.waited_ns) AS waited_ns, iif(t.orders, NULL, w.longest_ns) AS longest_ns,"
         " iif(t.orders, NULL, w.late_ns) AS late_ns FROM main.flow_wait w JOIN main.flow_total t ON t.run = w.run"
         " JOIN main.routine r ON r.routine = w.routine JOIN main.routine f ON f.routine = w.for_routine"
         " LEFT JOIN main.flow_object o ON o.run = w.run AND o.object = w.object"},
	{"v_objects", "flow: locks and the like, with those who held them",
         "SELECT o.run, o.object AS object_id, o.name AS object, o.kind, o.file, o.line, o.members, o.acquisitions, o.contended,"
         " iif(t.orders, NULL, o.waited_ns) AS waited_ns, iif(t.orders, NULL, o.held_ns) AS held_ns, o.longest_queue, h.name AS holder,"
         " o.holder_file, o.holder_line, iif(t.orders, NULL, o.minimum_if_free_ns) AS minimum_if_free_ns FROM main.flow_object o"
         " JOIN main.flow_total t ON t.run = o.run JOIN main.routine h ON h.routine = o.holder"},
	{"v_inputs", "input: cost of a routine by the size of its input, by metric and thread",
         "SELECT p.run, r.name AS routine, r.file, r.line, t.place AS thread, m.metric, p.size, p.calls, p.cost_min, p.cost_max, p.cost_sum"
         " FROM main.input_point p JOIN (SELECT 1 AS bit, 'rms' AS metric UNION ALL SELECT 2, 'rms+external' UNION ALL SELECT 4, 'trms') m"
         " ON p.metrics & m.bit JOIN main.input_context c ON c.run = p.run AND c.context = p.context"
         " JOIN main.routine r ON r.routine = c.routine LEFT JOIN " THREADS
         " t ON t.run = p.run AND t.process = p.process AND t.thread = p.thread"},
	{"v_functions", "paths: functions, how many paths they have, and how many were taken",
         "SELECT f.run, f.function, r.name AS routine, r.file, r.line, f.blocks, f.edges, f.entries, f.possible, f.executed"
         " FROM main.paths_function f JOIN main.routine r USING (routine)"},
	{"v_paths", "paths: how often each path was taken",
         "SELECT p.run, p.function, r.name AS routine, p.path, CASE p.kind WHEN 0 THEN 'entry-exit' WHEN 1 THEN 'entry-backedge'"
         " WHEN 2 THEN 'backedge-backedge' ELSE 'backedge-exit' END AS kind, p.count, p.blocks, p.instructions, p.copy"
         " FROM main.paths_path p JOIN main.paths_function f ON f.run = p.run AND f.function = p.function JOIN main.routine r USING (routine)"},
	{"v_ranks", "which rank of a job each run was",
         "SELECT n.run, r.lens, n.rank, n.ranks, n.task, n.mpi_rank, n.mpi_ranks, n.job, n.node, n.launcher FROM main.rank n"
         " JOIN main.run r USING (run)"},
	{"v_messages", "calls of MPI, by peer, tag and communicator",
         "SELECT m.run, m.call, m.kind, m.comm, m.peer, m.tag, m.calls, m.bytes, m.wait_ns, m.longest_ns FROM main.message m"},
	{"v_parts", "merged recordings: the recordings that went into it, one row per rank and lens",
         "SELECT part, lens, rank, ranks, task, mpi_rank, mpi_ranks, job, node, launcher, program, command, exit_code, died_of, file"
         " FROM main.part"},
	{"v_part_values", "merged recordings: figures by rank; what has no row is 0",
         "SELECT p.part, p.lens, p.rank, p.task, p.node, f.name AS figure, f.of, v.routine AS routine_id,"
         " iif(f.of = 'routine', r.name, NULL) AS routine, v.value FROM main.part_value v JOIN main.part_figure f USING (figure)"
         " JOIN main.part p USING (part) JOIN main.routine r USING (routine)"},
	{NULL, NULL, NULL}};
