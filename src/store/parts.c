/* SPDX-License-Identifier: MIT */
/* parts.c: writes and reads a merged recording.
 *
 * Rows of values arrive part by part and are wanted figure by figure: the table's index puts them in that order, within a cache of pages
 * that is bounded. Routines are known by identity, so parts of one build share them. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/strv.h"
#include "keys/lenses.h"
#include "store/file.h"
#include "store/parts_file.h"
#include "store/schema.h"

/* KiB of pages in memory. */
#define CACHE "PRAGMA page_size = 4096; PRAGMA cache_size = -131072; PRAGMA journal_mode = off; PRAGMA synchronous = off"

/* Of a job: a number of a rank is below. */
enum { MOST_RANKS = 1 << 28 };

struct figure_name {
	const char *lens, *name;
	enum part_of of;
};

struct merge {
	struct sql sql;
	sqlite3_stmt *insert; /* a value */
	struct run names;     /* routines so far */
	struct figure_name *figures;
	size_t figure_count, figure_room;
	int64_t part, notes, files; /* how many there are */
	char *temporary;
	struct pool pool;
};

static const char *const of_names[] = {[PART_RUN] = "run", [PART_ROUTINE] = "routine", [PART_CALL] = "call"};

/* ---- writing ---- */

static int fail_to_write(const struct merge *m, const char *path, struct fail *why)
{
	return fail_set(why, FAIL_INTERNAL, "cannot write the merged recording %.300s: %s", path, m->sql.why);
}

struct merge *merge_begin(const char *path, struct fail *why)
{
	struct merge *m = memory_zeroed(1, sizeof *m);
	char numbers[128];
	m->temporary = str_format("%s.new-%d", path, (int)getpid());
	run_start(&m->names);
	unlink(m->temporary);
	if (sqlite3_open_v2(m->temporary, &m->sql.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
		sql_fault(&m->sql, sqlite3_errmsg(m->sql.db));
	snprintf(numbers, sizeof numbers, "PRAGMA application_id = %d; PRAGMA user_version = %d", SCHEMA_APPLICATION_ID, SCHEMA_VERSION);
	sql_script(&m->sql, CACHE);
	store_disarm(m->sql.db);
	sql_script(&m->sql, numbers);
	sql_script(&m->sql, schema_sql);
	sql_script(&m->sql, "BEGIN");
	if (!m->sql.bad &&
	    sqlite3_prepare_v2(m->sql.db, "INSERT OR REPLACE INTO part_value VALUES (?, ?, ?, ?)", -1, &m->insert, NULL) != SQLITE_OK)
		sql_fault(&m->sql, sqlite3_errmsg(m->sql.db));
	if (!m->sql.bad)
		return m;
	fail_to_write(m, path, why);
	merge_drop(m);
	return NULL;
}

static size_t figure_number(struct merge *m, const char *lens, const char *name, enum part_of of)
{
	for (size_t i = 0; i < m->figure_count; i++)
		if (m->figures[i].of == of && strcmp(m->figures[i].name, name) == 0 && strcmp(m->figures[i].lens, lens) == 0)
			return i;
	MEMORY_GROW(m->figures, m->figure_count, m->figure_room);
	m->figures[m->figure_count] = (struct figure_name){pool_text(&m->pool, lens), pool_text(&m->pool, name), of};
	sql_do(&m->sql, "INSERT INTO part_figure VALUES (?, ?, ?, ?)", "ittt", (int64_t)m->figure_count, lens, name, of_names[of]);
	return m->figure_count++;
}

void merge_value(struct merge *m, const char *lens, const char *name, enum part_of of, uint32_t routine, int64_t value)
{
	const int64_t row[] = {(int64_t)figure_number(m, lens, name, of), routine, m->part, value};
	for (int i = 0; i < 4; i++)
		sqlite3_bind_int64(m->insert, i + 1, row[i]);
	if (!m->sql.bad && sqlite3_step(m->insert) != SQLITE_DONE)
		sql_fault(&m->sql, sqlite3_errmsg(m->sql.db));
	sqlite3_reset(m->insert);
}

void merge_note(struct merge *m, const char *text)
{
	sql_do(&m->sql, "INSERT INTO part_note VALUES (?, ?)", "it", m->notes++, text);
}

/* The routines of a recording by their numbers in the merged file. */
static uint32_t *map_routines(struct merge *m, const struct run *from)
{
	size_t objects = m->names.object_count, routines = m->names.routine_count;
	uint32_t *map = memory_resize(NULL, from->routine_count + 1, sizeof *map);
	for (size_t i = 0; i < from->routine_count; i++) {
		struct run_routine routine = from->routines[i];
		if (routine.object != RUN_NO_OBJECT)
			routine.object = run_object(&m->names, from->objects[routine.object].build_id, from->objects[routine.object].path);
		map[i] = run_routine(&m->names, &routine);
	}
	for (size_t i = objects; i < m->names.object_count; i++)
		sql_do(&m->sql, "INSERT INTO object VALUES (?, ?, ?)", "itt", (int64_t)i, m->names.objects[i].build_id,
		       m->names.objects[i].path);
	for (size_t i = routines; i < m->names.routine_count; i++) {
		const struct run_routine *r = &m->names.routines[i];
		sql_do(&m->sql, "INSERT INTO routine VALUES (?, ?, ?, ?, ?, ?, ?)", "iutttit", (int64_t)i,
		       r->object == RUN_NO_OBJECT ? INT64_C(-1) : (int64_t)r->object, r->linkage, r->name, r->file, (int64_t)r->line,
		       run_kind_text(r->kind));
	}
	return map;
}

static void add_head(struct merge *m, struct store *store, const char *path, const char *lens, int64_t run)
{
	for (struct sql_rows rows = sql_ask(
		     &store->sql,
		     "SELECT coalesce(iif(k.mpi_ranks > 1, k.mpi_rank, NULL), k.rank, k.task, k.mpi_rank), coalesce(k.ranks, k.mpi_ranks, 0), k.task, k.mpi_rank, k.mpi_ranks,"
		     " coalesce(k.job, ''), coalesce(k.node, ''), coalesce(k.launcher, ''), r.command, r.started_real_ns, r.exit_code,"
		     " r.died_of, (SELECT value FROM meta WHERE key = 'program'), (SELECT value FROM meta WHERE key = 'build_id')"
		     " FROM run r LEFT JOIN rank k USING (run) WHERE r.run = ?",
		     "i", run);
	     sql_next(&rows);)
		sql_do(&m->sql, "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "ittiiuuuttttttiuu", m->part,
		       lens, str_base(path), sql_is_null(&rows, 0) ? m->files : (int64_t)sql_index(&rows, 0, MOST_RANKS),
		       (int64_t)sql_index(&rows, 1, MOST_RANKS), sql_measure(&rows, 2), sql_measure(&rows, 3), sql_measure(&rows, 4),
		       sql_text(&rows, 5), sql_text(&rows, 6), sql_text(&rows, 7), sql_text(&rows, 12), sql_text(&rows, 13),
		       sql_text(&rows, 8), store_whole(sql_count(&rows, 9)), sql_measure(&rows, 10), sql_measure(&rows, 11));
}

static void add_lens(struct merge *m, struct store *store, const char *path, const char *lens, const uint32_t *map, size_t routines)
{
	int64_t run = store_run_to_load(store, lens);
	if (run < 0)
		return;
	add_head(m, store, path, lens, run);
	parts_add_run(m, store, lens, run, map, routines);
	m->part++;
}

/* What was added of a recording that turned out to be damaged. */
static void forget_since(struct merge *m, int64_t first)
{
	sql_do(&m->sql, "DELETE FROM part_value WHERE part >= ?", "i", first);
	sql_do(&m->sql, "DELETE FROM part WHERE part >= ?", "i", first);
	m->part = first;
}

int merge_add(struct merge *m, const char *path, struct fail *why)
{
#define X(upper, lower, number, how, words, traits) #lower,
	static const char *const lenses[] = {LENS_LIST(X)};
#undef X
	struct run from;
	int64_t first = m->part;
	struct store *store = store_open(path, why);
	if (!store)
		return -1;
	run_start(&from);
	store_load_routines(&store->sql, &from);
	uint32_t *map = map_routines(m, &from);
	for (size_t i = 0; i < sizeof lenses / sizeof *lenses; i++)
		add_lens(m, store, path, lenses[i], map, from.routine_count);
	int result = store->sql.bad ? fail_set(why, FAIL_INTERNAL, "%s is damaged (%s)", path, store->sql.why) : 0;
	if (result < 0)
		forget_since(m, first);
	m->files++;
	free(map);
	run_free(&from);
	store_close(store);
	return result;
}

/* A folder may hold what an earlier job with more ranks left: only the newest job of each lens is looked at. */
static void forget_old_jobs(struct merge *m)
{
	static const char old[] =
		"part IN (SELECT o.part FROM part o, (SELECT lens, job, ranks, max(started_real_ns) FROM part GROUP BY lens) n"
		" WHERE o.lens = n.lens AND (o.job <> n.job OR o.ranks <> n.ranks))";
	int64_t count = 0;
	struct pool pool = {0};
	for (struct sql_rows rows = sql_ask(&m->sql, pool_print(&pool, "SELECT count(*) FROM part WHERE %s", old), ""); sql_next(&rows);)
		count = sql_int(&rows, 0);
	if (count) {
		sql_script(&m->sql, pool_print(&pool, "DELETE FROM part_value WHERE %s; DELETE FROM part WHERE %s", old, old));
		merge_note(m,
		           pool_print(&pool, "%lld part%s of an earlier job %s left out.", (long long)count, count == 1 ? "" : "s",
		                      count == 1 ? "is" : "are"));
	}
	pool_free(&pool);
}

static void add_meta(struct merge *m)
{
	sql_do(&m->sql,
	       "INSERT OR REPLACE INTO meta SELECT 'program', program FROM part WHERE part = (SELECT min(part) FROM part) UNION ALL"
	       " SELECT 'build_id', build_id FROM part WHERE part = (SELECT min(part) FROM part) UNION ALL SELECT 'skein', ?",
	       "t", SKEIN_VERSION);
}

static void close_file(struct merge *m)
{
	sqlite3_finalize(m->insert);
	m->insert = NULL;
	sql_end(&m->sql);
	sqlite3_close(m->sql.db);
	m->sql.db = NULL;
}

int merge_end(struct merge *m, const char *path, struct fail *why)
{
	forget_old_jobs(m);
	add_meta(m);
	sqlite3_finalize(m->insert);
	m->insert = NULL;
	sql_end(&m->sql);
	sql_script(&m->sql, "COMMIT");
	int result = m->sql.bad ? fail_to_write(m, path, why) : 0;
	close_file(m);
	if (result == 0 && rename(m->temporary, path) < 0) {
		sql_fault(&m->sql, "it cannot be renamed");
		result = fail_to_write(m, path, why);
	}
	merge_drop(m);
	return result;
}

void merge_drop(struct merge *m)
{
	if (m->sql.db)
		close_file(m);
	unlink(m->temporary);
	free(m->temporary);
	free(m->figures);
	run_free(&m->names);
	pool_free(&m->pool);
	free(m);
}

/* ---- reading ---- */

bool store_has_parts(struct store *store)
{
	bool has = false;
	for (struct sql_rows rows = sql_ask(&store->sql, "SELECT 1 FROM part LIMIT 1", ""); sql_next(&rows);)
		has = true;
	return has;
}

static void load_list(struct sql *sql, struct parts *parts)
{
	for (struct sql_rows rows =
	             sql_ask(sql,
	                     "SELECT part, lens, file, rank, ranks, task, mpi_rank, mpi_ranks, job, node, launcher, program,"
	                     " build_id, command, started_real_ns, exit_code, died_of FROM part ORDER BY lens, rank, task, part",
	                     "");
	     sql_next(&rows);) {
		MEMORY_GROW(parts->list, parts->count, parts->room);
		struct part *p = &parts->list[parts->count++];
		*p = (struct part){.number = sql_int(&rows, 0),
		                   .rank = sql_index(&rows, 3, MOST_RANKS),
		                   .ranks = sql_index(&rows, 4, MOST_RANKS),
		                   .task = sql_measure(&rows, 5),
		                   .mpi_rank = sql_measure(&rows, 6),
		                   .mpi_ranks = sql_measure(&rows, 7),
		                   .started_real_ns = sql_count(&rows, 14),
		                   .exit_code = sql_measure(&rows, 15),
		                   .died_of = sql_measure(&rows, 16)};
		const char **texts[] = {&p->lens, &p->file, &p->job, &p->node, &p->launcher, &p->program, &p->build_id, &p->command};
		static const int columns[] = {1, 2, 8, 9, 10, 11, 12, 13};
		for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
			*texts[i] = pool_text(&parts->pool, sql_text(&rows, columns[i]));
	}
}

static enum part_of of_text(struct sql *sql, const char *text)
{
	for (int of = 0; of <= PART_CALL; of++)
		if (strcmp(of_names[of], text) == 0)
			return (enum part_of)of;
	sql_fault(sql, "a figure is about nothing that is known");
	return PART_RUN;
}

static void load_figures(struct sql *sql, struct parts *parts)
{
	for (struct sql_rows rows = sql_ask(sql, "SELECT figure, lens, name, of FROM part_figure ORDER BY figure", ""); sql_next(&rows);) {
		if (sql_int(&rows, 0) != (int64_t)parts->figure_count)
			sql_fault(sql, "its figures are not numbered in order");
		MEMORY_GROW(parts->figures, parts->figure_count, parts->figure_room);
		parts->figures[parts->figure_count++] =
			(struct part_figure){pool_text(&parts->pool, sql_text(&rows, 1)), pool_text(&parts->pool, sql_text(&rows, 2)),
		                             of_text(sql, sql_text(&rows, 3))};
	}
	for (struct sql_rows rows = sql_ask(sql, "SELECT text FROM part_note ORDER BY note", ""); sql_next(&rows);) {
		MEMORY_GROW(parts->notes, parts->note_count, parts->note_room);
		parts->notes[parts->note_count++] = pool_text(&parts->pool, sql_text(&rows, 0));
	}
}

/* Where the part with that number is in the list. */
static void number_places(struct parts *parts, struct sql *sql)
{
	int64_t most = -1;
	for (size_t i = 0; i < parts->count; i++)
		most = parts->list[i].number > most ? parts->list[i].number : most;
	if (most > (int64_t)1 << 28)
		sql_fault(sql, "its parts are not numbered in order");
	if (sql->bad)
		return;
	parts->place_count = (size_t)(most + 1);
	parts->places = memory_zeroed(parts->place_count + 1, sizeof *parts->places);
	for (size_t i = 0; i < parts->count; i++) {
		if (parts->list[i].number < 0 || parts->places[parts->list[i].number])
			sql_fault(sql, "its parts are not numbered in order");
		else
			parts->places[parts->list[i].number] = i + 1;
	}
}

int parts_load(struct store *store, struct parts *parts, struct fail *why)
{
	*parts = (struct parts){0};
	run_start(&parts->names);
	store_load_routines(&store->sql, &parts->names);
	run_show_names(&parts->names);
	load_list(&store->sql, parts);
	load_figures(&store->sql, parts);
	number_places(parts, &store->sql);
	if (!store->sql.bad)
		return 0;
	fail_set(why, FAIL_INTERNAL, "%s is damaged, or was made by another skein (%s): merge again", store->path, store->sql.why);
	parts_free(parts);
	return -1;
}

void parts_free(struct parts *parts)
{
	free(parts->list);
	free(parts->figures);
	free(parts->notes);
	free(parts->places);
	run_free(&parts->names);
	pool_free(&parts->pool);
}

int parts_values(struct store *store, const struct parts *parts, size_t figure, parts_take *take, void *context, struct fail *why)
{
	struct sql *sql = &store->sql;
	for (struct sql_rows rows = sql_ask(sql, "SELECT routine, part, value FROM part_value WHERE figure = ? ORDER BY routine, part", "i",
	                                    (int64_t)figure);
	     sql_next(&rows);) {
		uint32_t routine = sql_index(&rows, 0, parts->names.routine_count), part = sql_index(&rows, 1, parts->place_count);
		if (!sql->bad && parts->places[part])
			take(context, routine, parts->places[part] - 1, sql_int(&rows, 2));
	}
	return sql->bad ? fail_set(why, FAIL_INTERNAL, "%s is damaged (%s): merge again", store->path, sql->why) : 0;
}
