/* SPDX-License-Identifier: MIT */
/* differences.c: exact figures that are not the same in all repeated runs.
 *
 * Problem: a program that does the same each time has the same counts each time. Where one differs, the program depends on something
 * else than its input, and times of its runs are times of different work.
 * Idea: for each kind of exact figure there is a query for (run, routine, name, what, value); around it, one statement keeps the groups
 * whose values differ between runs, or which some runs do not have. */
#include "store/repeats.h"

#include <stdlib.h>
#include <string.h>

#include "keys/lenses.h"
#include "store/file.h"

/* The runs that count; the numbers of a run's lens and series are found again, so that a list of runs need not be passed. */
#define COUNTED                                                                               \
	" IN (SELECT run FROM run WHERE lens = ?1 AND (run = ?2 OR (series <> 0 AND series =" \
	" (SELECT series FROM run WHERE run = ?2)))"                                          \
	" AND (?3 OR stopped <> 0 OR NOT (coalesce(exit_code, 0) > 0 OR coalesce(died_of, 0) > 0))) "

struct query {
	const char *lens; /* NULL: all */
	const char *text;
};

static const struct query queries[] = {
	{NULL,
         "SELECT run, NULL AS routine, '' AS name, 'threads' AS what, sum(threads) AS v FROM process WHERE run" COUNTED "GROUP BY run"},
	{NULL, "SELECT run, NULL AS routine, '' AS name, 'processes' AS what, count(*) AS v FROM process WHERE run" COUNTED "GROUP BY run"},
	{"span", "SELECT run, NULL AS routine, '' AS name, 'work' AS what, work AS v FROM span_total WHERE clock = 'insn' AND run" COUNTED},
	{"span", "SELECT run, NULL AS routine, '' AS name, 'span' AS what, span AS v FROM span_total WHERE clock = 'insn' AND run" COUNTED},
	{"calls",
         "SELECT run, routine, '' AS name, 'calls' AS what, sum(calls) AS v FROM calls_routine WHERE run" COUNTED "GROUP BY run, routine"},
	{"span",
         "SELECT t.run AS run, s.callee AS routine, '' AS name, 'calls' AS what, sum(t.count) AS v FROM span_sum t"
         " JOIN span_site s ON s.run = t.run AND s.site = t.site WHERE t.profile = 'work' AND t.measure = 'local'"
         " AND s.callee IS NOT NULL AND t.run" COUNTED "GROUP BY t.run, s.callee"},
	{"input",
         "SELECT p.run AS run, c.routine AS routine, '' AS name, 'calls' AS what, sum(p.calls) AS v FROM input_point p"
         " JOIN input_context c ON c.run = p.run AND c.context = p.context WHERE p.context <> 0 AND p.metrics & 4"
         " AND p.run" COUNTED "GROUP BY p.run, c.routine"},
	{"input",
         "SELECT p.run AS run, c.routine AS routine, '' AS name, 'input' AS what, sum(p.size_sum) AS v FROM input_point p"
         " JOIN input_context c ON c.run = p.run AND c.context = p.context WHERE p.context <> 0 AND p.metrics & 4"
         " AND p.run" COUNTED "GROUP BY p.run, c.routine"},
	{"input",
         "SELECT p.run AS run, c.routine AS routine, '' AS name, 'cost' AS what, sum(p.self_sum) AS v FROM input_point p"
         " JOIN input_context c ON c.run = p.run AND c.context = p.context WHERE p.context <> 0 AND p.metrics & 4"
         " AND p.run" COUNTED "GROUP BY p.run, c.routine"},
	{"paths",
         "SELECT run, routine, '' AS name, 'calls' AS what, sum(entries) AS v FROM paths_function WHERE run" COUNTED
         "GROUP BY run, routine"},
	{"paths",
         "SELECT p.run AS run, f.routine AS routine, '' AS name, 'path ' || p.path AS what, sum(p.count) AS v FROM paths_path p"
         " JOIN paths_function f ON f.run = p.run AND f.function = p.function WHERE p.run" COUNTED "GROUP BY p.run, f.routine, p.path"},
	{"flow",
         "SELECT run, routine, '' AS name, 'calls' AS what, sum(calls) AS v FROM flow_routine WHERE run" COUNTED "GROUP BY run, routine"},
	{"flow",
         "SELECT run, NULL AS routine, name, 'acquisitions' AS what, sum(acquisitions) AS v FROM flow_object"
         " WHERE kind IN ('lock', 'rwlock', 'semaphore', 'barrier') AND run" COUNTED "GROUP BY run, name"},
};

static void take(struct sql *sql, const struct query *query, const char *lens, const struct repeats *r, const struct run *names,
                 struct differences *d)
{
	const struct repeats_run *any = &r->runs[0];
	char text[2000];
	bool all_failed = any->failed && any->counts;
	snprintf(text, sizeof text,
	         "SELECT what, routine, name, min(v), max(v), count(*) FROM (%s) GROUP BY what, routine, name"
	         " HAVING min(v) <> max(v) OR count(*) <> ?4 ORDER BY max(v) - min(v) DESC, routine, name",
	         query->text);
	for (struct sql_rows rows = sql_ask(sql, text, "tiii", lens, any->run, (int64_t)all_failed, (int64_t)r->counted);
	     sql_next(&rows);) {
		const struct run_routine *routine =
			sql_is_null(&rows, 1) ? NULL : &names->routines[sql_index(&rows, 1, names->routine_count)];
		uint64_t least = sql_count(&rows, 3), most = sql_count(&rows, 4);
		MEMORY_GROW(d->at, d->count, d->room);
		d->at[d->count++] = (struct difference){
			.what = pool_text(&d->pool, sql_text(&rows, 0)),
			.subject = pool_text(&d->pool, routine ? run_shown(routine) : sql_text(&rows, 2)),
			.file = pool_text(&d->pool, routine ? routine->file : ""),
			.line = routine ? routine->line : 0,
			.least = sql_int(&rows, 5) < (int64_t)r->counted ? 0 : (int64_t)least,
			.most = (int64_t)most,
		};
	}
}

/* A run that skein ended has done as much as it had time for. */
static bool is_comparable(const struct repeats *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->runs[i].counts && r->runs[i].stopped)
			return false;
	return r->counted > 1;
}

int store_differences(struct store *store, const char *lens, const struct repeats *repeats, struct differences *d, struct fail *why)
{
	struct sql *sql = &store->sql;
	memset(d, 0, sizeof *d);
	if (!is_comparable(repeats))
		return 0;
	struct run names;
	run_start(&names);
	store_load_routines(sql, &names);
	run_show_names(&names);
	for (size_t i = 0; i < sizeof queries / sizeof *queries && !sql->bad; i++)
		if (!queries[i].lens || strcmp(queries[i].lens, lens) == 0) {
			d->compared |= queries[i].lens != NULL;
			take(sql, &queries[i], lens, repeats, &names, d);
		}
	run_free(&names);
	if (!sql->bad)
		return 0;
	differences_free(d);
	return store_load_failed(store, lens, why);
}

void differences_free(struct differences *d)
{
	free(d->at);
	pool_free(&d->pool);
	memset(d, 0, sizeof *d);
}
