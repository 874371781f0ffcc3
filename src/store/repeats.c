/* SPDX-License-Identifier: MIT */
/* repeats.c: which runs of a lens belong together, and which of them stands for all. */
#include "store/repeats.h"

#include <stdlib.h>
#include <string.h>

#include "keys/lenses.h"
#include "store/file.h"

static void take_run(struct repeats *r, const struct sql_rows *rows)
{
	MEMORY_GROW(r->runs, r->count, r->room);
	struct repeats_run *one = &r->runs[r->count++];
	*one = (struct repeats_run){
		.run = sql_int(rows, 0),
		.turn = sql_index(rows, 1, UINT32_MAX),
		.wall_ns = sql_count(rows, 2),
		.cpu_ns = sql_count(rows, 3),
		.exit_code = sql_measure(rows, 4),
		.died_of = sql_measure(rows, 5),
		.stopped = sql_count(rows, 6) != 0,
	};
	one->failed = !one->stopped && (one->exit_code > 0 || one->died_of > 0);
}

static int by_wall(const void *a, const void *b)
{
	const struct repeats_run *x = a, *y = b;
	if (x->wall_ns != y->wall_ns)
		return x->wall_ns < y->wall_ns ? -1 : 1;
	return x->run < y->run ? -1 : x->run > y->run;
}

static void find_median(struct repeats *r)
{
	size_t good = 0, at = 0;
	for (size_t i = 0; i < r->count; i++)
		good += !r->runs[i].failed;
	for (size_t i = 0; i < r->count; i++)
		r->runs[i].counts = !good || !r->runs[i].failed;
	r->counted = good ? good : r->count;
	struct repeats_run *sorted = memory_resize(NULL, r->counted, sizeof *sorted);
	for (size_t i = 0; i < r->count; i++)
		if (r->runs[i].counts)
			sorted[at++] = r->runs[i];
	if (at)
		qsort(sorted, at, sizeof *sorted, by_wall);
	for (size_t i = 0; i < r->count; i++)
		if (at && r->runs[i].run == sorted[(at - 1) / 2].run)
			r->median = i;
	free(sorted);
}

/* The newest run, and those that were made together with it. */
static void find_runs(struct sql *sql, const char *lens, struct repeats *r)
{
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT run, turn, CASE WHEN died_of > 0 THEN max(wall_ns, coalesce(lasted_ns, 0)) ELSE wall_ns END, cpu_ns, exit_code, died_of,"
		     " stopped FROM run WHERE lens = ?1 AND (run ="
		     " (SELECT max(run) FROM run WHERE lens = ?1) OR (series <> 0 AND series ="
		     " (SELECT series FROM run WHERE lens = ?1 ORDER BY run DESC LIMIT 1))) ORDER BY turn, run",
		     "t", lens);
	     sql_next(&rows);) {
		if (r->count < REPEATS_MOST)
			take_run(r, &rows);
		else
			sql_fault(sql, "it has more repeated runs than skein makes");
	}
	find_median(r);
}

int store_repeats(struct store *store, const char *lens, struct repeats *repeats, struct fail *why)
{
	memset(repeats, 0, sizeof *repeats);
	find_runs(&store->sql, lens, repeats);
	if (!store->sql.bad && repeats->count)
		return 0;
	repeats_free(repeats);
	return store_load_failed(store, lens, why);
}

void repeats_free(struct repeats *repeats)
{
	free(repeats->runs);
	memset(repeats, 0, sizeof *repeats);
}

size_t repeats_find(const struct repeats *repeats, uint32_t turn)
{
	size_t i = 0;
	while (i < repeats->count && repeats->runs[i].turn != turn)
		i++;
	return i;
}

void store_choose(struct store *store, int64_t run)
{
	store->chosen = run;
}

int64_t store_chosen(const struct store *store)
{
	return store->chosen;
}

static bool is_of_lens(struct sql *sql, int64_t run, const char *lens)
{
	bool is = false;
	for (struct sql_rows rows = sql_ask(sql, "SELECT 1 FROM run WHERE run = ? AND lens = ?", "it", run, lens); sql_next(&rows);)
		is = true;
	return is;
}

int64_t store_run_to_load(struct store *store, const char *lens)
{
	struct repeats r = {0};
	int64_t id = -1;
	if (store->chosen && is_of_lens(&store->sql, store->chosen, lens))
		return store->chosen;
	find_runs(&store->sql, lens, &r);
	if (r.count)
		id = lens_traits(lens) & LENS_RUNS_ADD_UP ? r.runs[r.count - 1].run : r.runs[r.median].run;
	repeats_free(&r);
	return id;
}
