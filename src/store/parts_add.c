/* SPDX-License-Identifier: MIT */
/* parts_add.c: the figures of one recording, for a merged one.
 *
 * Every figure is a sum over a table of the recording, by routine or of the whole run, so that each rank has one number of each. A list of
 * queries says which; a new figure is a new name and column of one of them. */
#include <string.h>

#include "keys/lenses.h"
#include "store/file.h"
#include "store/parts_file.h"

#define WORK "serial_ns + under_ns + full_ns + over_ns"

static const struct source {
	const char *lens; /* NULL: any */
	enum part_of of;
	const char *names; /* of the columns, behind the routine or the call */
	const char *query; /* of a run */
} sources[] = {
	{NULL, PART_RUN, "wall_ns cpu_ns lost_events", "SELECT wall_ns, cpu_ns, lost_events FROM run WHERE run = ?"},
	{NULL, PART_RUN, "wait_ns message_ns collective_ns",
         "SELECT sum(wait_ns), sum(iif(kind = 'message', wait_ns, 0)), sum(iif(kind = 'collective', wait_ns, 0)) FROM wait WHERE run = ?"},
	{NULL, PART_RUN, "sync_ns",
         "SELECT sum(wait_ns) FROM message WHERE run = ? AND kind = 'collective' AND call NOT IN ('MPI_Init', 'MPI_Init_thread', 'MPI_Finalize')"},
	{NULL, PART_CALL, "calls bytes wait_ns",
         "SELECT call, sum(calls), sum(bytes), sum(wait_ns) FROM message WHERE run = ? GROUP BY call ORDER BY call"},
	{"calls", PART_RUN, "work_ns", "SELECT sum(direct_ns) FROM calls_routine WHERE run = ?"},
	{"calls", PART_ROUTINE, "calls elapsed_ns direct_ns wait_ns",
         "SELECT routine, sum(calls), sum(elapsed_ns), sum(direct_ns), sum(wait_ns) FROM calls_routine WHERE run = ? GROUP BY routine"},
	{"span", PART_RUN, "work span burdened_span", "SELECT work, span, burdened_span FROM span_total WHERE run = ?"},
	{"span", PART_ROUTINE, "count work",
         "SELECT s.caller, sum(m.count), sum(m.work) FROM span_sum m JOIN span_site s ON s.run = m.run AND s.site = m.site"
         " WHERE m.run = ? AND m.profile = 'work' AND m.measure = 'local' GROUP BY s.caller"},
	{"idle", PART_RUN, "work_ns idle_ns overhead_ns samples",
         "SELECT sum(iif(overhead = 0, " WORK ", 0)), sum(idle_ns), sum(iif(overhead = 0, 0, " WORK
         ")), sum(samples) FROM idle_cost WHERE run = ?"},
	{"idle", PART_ROUTINE, "work_ns idle_ns overhead_ns samples",
         "SELECT s.routine, sum(iif(c.overhead = 0, " WORK ", 0)), sum(c.idle_ns), sum(iif(c.overhead = 0, 0, " WORK ")), sum(c.samples)"
         " FROM idle_cost c JOIN idle_scope s ON s.run = c.run AND s.scope = c.logical WHERE c.run = ? GROUP BY s.routine"},
	{"input", PART_ROUTINE, "calls cost",
         "SELECT c.routine, sum(p.calls), sum(p.self_sum) FROM input_point p JOIN input_context c ON c.run = p.run AND c.context = p.context"
         " WHERE p.run = ? AND p.metrics & 1 GROUP BY c.routine"},
	{"paths", PART_ROUTINE, "entries executed",
         "SELECT routine, sum(entries), sum(executed) FROM paths_function WHERE run = ? GROUP BY routine"},
	{"flow", PART_RUN, "minimum_ns load_ns events", "SELECT minimum_ns, load_ns, events FROM flow_total WHERE run = ?"},
	{"flow", PART_RUN, "work_ns waited_ns", "SELECT sum(work_ns), sum(waited_ns) + sum(outside_ns) FROM flow_thread WHERE run = ?"},
	{"flow", PART_ROUTINE, "waits waited_ns",
         "SELECT routine, sum(count), sum(waited_ns) FROM flow_wait WHERE run = ? GROUP BY routine"},
	{"flow", PART_ROUTINE, "calls self_ns", "SELECT routine, calls, self_ns FROM flow_routine WHERE run = ?"},
};

/* The name that ends at the next space. */
static const char *next_name(struct pool *pool, const char **at)
{
	size_t length = strcspn(*at, " ");
	const char *name = pool_print(pool, "%.*s", (int)length, *at);
	*at += length + (*at + length < *at + strlen(*at));
	return name;
}

static void add_row(struct merge *m, const struct source *source, const char *lens, const struct sql_rows *rows, const uint32_t *map,
                    size_t routines)
{
	const char *at = source->names, *call = source->of == PART_CALL ? sql_text(rows, 0) : "";
	int column = source->of == PART_RUN ? 0 : 1;
	uint32_t routine = source->of == PART_ROUTINE ? sql_index(rows, 0, routines) : 0;
	for (; *at; column++) {
		struct pool pool = {0};
		const char *name = next_name(&pool, &at);
		if (*call)
			name = pool_print(&pool, "%s %s", call, name);
		int64_t value = sql_is_null(rows, column) ? 0 : sql_int(rows, column);
		if (value)
			merge_value(m, lens, name, source->of, routines ? map[routine] : 0, value);
		pool_free(&pool);
	}
}

void parts_add_run(struct merge *m, struct store *store, const char *lens, int64_t run, const uint32_t *map, size_t routines)
{
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
		if (sources[i].lens && strcmp(sources[i].lens, lens) != 0)
			continue;
		for (struct sql_rows rows = sql_ask(&store->sql, sources[i].query, "i", run); sql_next(&rows);)
			add_row(m, &sources[i], lens, &rows, map, routines);
	}
}
