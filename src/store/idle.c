/* SPDX-License-Identifier: MIT */
/* idle.c: the rows of the idle lens, to and from a recording. A recording may have a hundred thousand scopes, so
 * scopes refer to routines and files by number. */
#include <stdlib.h>
#include <string.h>

#include "store/file.h"
#include "store/store.h"

/* ---- saving ---- */

static void save_total(struct sql *sql, const struct idles *s, int64_t id)
{
	sql_do(sql, "INSERT INTO idle_total VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiiiiii", id, (int64_t)s->cores,
	       store_whole(s->period_ns), (int64_t)s->timer_clock, store_whole(s->rings), store_whole(s->no_rings),
	       store_whole(s->unsampled), store_whole(s->nodes_lost), (int64_t)s->gomp, store_whole(s->unnamed));
	for (size_t i = 0; i < s->run->thread_count; i++) {
		const struct idles_thread *t = &s->threads[i];
		sql_do(sql, "INSERT INTO idle_thread VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiiiiiiiii", id, (int64_t)i,
		       (int64_t)s->run->threads[i].process, (int64_t)s->run->threads[i].number, store_whole(t->cpu_ns),
		       store_whole(t->work_ns), store_whole(t->dropped_ns), store_whole(t->own_ns), store_whole(t->unseen_ns),
		       store_whole(t->samples), store_whole(t->dropped), store_whole(t->own), store_whole(t->paths_cut));
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The files that scopes name, each once, sorted; the caller frees. */
static const char **list_files(const struct idles *s, size_t *count)
{
	const char **files = memory_resize(NULL, s->scope_count, sizeof *files);
	*count = 0;
	for (size_t i = 0; i < s->scope_count; i++)
		files[i] = s->scopes[i].file;
	qsort(files, s->scope_count, sizeof *files, by_text);
	for (size_t i = 0; i < s->scope_count; i++)
		if (*count == 0 || strcmp(files[*count - 1], files[i]) != 0)
			files[(*count)++] = files[i];
	return files;
}

static void save_scopes(struct sql *sql, const struct idles *s, int64_t id, const uint32_t *map)
{
	size_t file_count;
	const char **files = list_files(s, &file_count);
	for (size_t i = 0; i < file_count; i++)
		sql_do(sql, "INSERT INTO idle_file VALUES (?, ?, ?)", "iit", id, (int64_t)i, files[i]);
	for (size_t i = 0; i < s->scope_count; i++) {
		const struct idles_scope *scope = &s->scopes[i];
		const char **file = bsearch(&scope->file, files, file_count, sizeof *files, by_text);
		sql_do(sql, "INSERT INTO idle_scope VALUES (?, ?, ?, ?, ?, ?, ?)", "iiuiiii", id, (int64_t)i,
		       scope->parent == IDLES_NO_SCOPE ? INT64_C(-1) : (int64_t)scope->parent, (int64_t)scope->kind,
		       (int64_t)map[scope->routine], (int64_t)(file - files), (int64_t)scope->line);
	}
	free(files);
}

/* Reasons for idleness beside what threads wait for. */
static const struct {
	uint32_t why;
	const char *name;
} special_whys[] = {{RAW_IDLE_HELD, "held"}, {RAW_IDLE_READY, "ready"}, {RAW_IDLE_BLOCKED, "blocked"}};

static const char *why_name(uint32_t why)
{
	for (size_t i = 0; i < sizeof special_whys / sizeof *special_whys; i++)
		if (special_whys[i].why == why)
			return special_whys[i].name;
	return run_wait_names[why];
}

static void save_costs(struct sql *sql, const struct idles *s, int64_t id)
{
	for (size_t i = 0; i < s->cost_count; i++) {
		const struct idles_cost *c = &s->costs[i];
		sql_do(sql, "INSERT INTO idle_cost VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiiiiiii", id,
		       (int64_t)c->scope[IDLES_LOGICAL], (int64_t)c->scope[IDLES_PHYSICAL], (int64_t)c->thread, (int64_t)c->overhead,
		       store_whole(c->samples), store_whole(c->ns[RAW_IDLE_SERIAL]), store_whole(c->ns[RAW_IDLE_UNDER]),
		       store_whole(c->ns[RAW_IDLE_FULL]), store_whole(c->ns[RAW_IDLE_OVER]), store_whole(c->idle_ns));
	}
	for (size_t i = 0; i < s->why_count; i++)
		sql_do(sql, "INSERT INTO idle_why VALUES (?, ?, ?, ?, ?)", "iiiti", id, (int64_t)s->whys[i].scope,
		       (int64_t)s->whys[i].thread, why_name(s->whys[i].why), store_whole(s->whys[i].ns));
	for (size_t i = 0; i < s->wait_count; i++) {
		const struct idles_wait *w = &s->waits[i];
		sql_do(sql, "INSERT INTO idle_wait VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiittiiii", id,
		       (int64_t)w->scope[IDLES_LOGICAL], (int64_t)w->scope[IDLES_PHYSICAL], (int64_t)w->thread, run_wait_names[w->kind],
		       w->object, store_whole(w->waits), store_whole(w->wait_ns), store_whole(w->quiet_ns), store_whole(w->held_ns));
	}
	for (size_t i = 0; i < s->event_name_count; i++)
		sql_do(sql, "INSERT INTO idle_event_name VALUES (?, ?, ?)", "iit", id, (int64_t)i, s->event_names[i]);
	for (size_t i = 0; i < s->event_count; i++) {
		const struct idles_event *e = &s->events[i];
		sql_do(sql, "INSERT INTO idle_event VALUES (?, ?, ?, ?, ?, ?)", "iiiiii", id, (int64_t)e->scope[IDLES_LOGICAL],
		       (int64_t)e->scope[IDLES_PHYSICAL], (int64_t)e->thread, (int64_t)e->event, store_whole(e->count));
	}
}

static void save_idle(struct sql *sql, const void *data)
{
	const struct idles *s = data;
	uint32_t *map;
	int64_t id = store_save_run(sql, s->run, 0, &map);
	save_total(sql, s, id);
	save_scopes(sql, s, id, map);
	save_costs(sql, s, id);
	free(map);
}

int store_save_idle(const char *path, const struct idles *idles, char aside[PATH_MAX], struct fail *why)
{
	return store_write(path, &(struct store_content){idles->run, idles, save_idle}, aside, why);
}

/* ---- loading ---- */

static void load_total(struct sql *sql, struct idles *s, int64_t id)
{
	size_t found = 0;
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT cores, period_ns, timer_clock, rings, no_rings, unsampled, nodes_lost, gomp, unnamed FROM idle_total WHERE run = ?",
		     "i", id);
	     sql_next(&rows); found++) {
		s->cores = sql_index(&rows, 0, UINT32_MAX);
		s->period_ns = sql_count(&rows, 1);
		s->timer_clock = sql_int(&rows, 2) != 0;
		s->rings = sql_count(&rows, 3);
		s->no_rings = sql_count(&rows, 4);
		s->unsampled = sql_count(&rows, 5);
		s->nodes_lost = sql_count(&rows, 6);
		s->gomp = sql_int(&rows, 7) != 0;
		s->unnamed = sql_count(&rows, 8);
	}
	if (id >= 0 && (found != 1 || s->cores == 0))
		sql_fault(sql, "a run of the idle lens has no totals");
}

static void load_threads(struct sql *sql, struct idles *s, int64_t id)
{
	size_t next = 0;
	s->threads = memory_zeroed(s->run->thread_count, sizeof *s->threads);
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT sampled, process, thread, cpu_ns, work_ns, dropped_ns, own_ns, unseen_ns, samples, dropped, own, paths_cut FROM idle_thread"
		     " WHERE run = ? ORDER BY sampled",
		     "i", id);
	     sql_next(&rows); next++) {
		bool fits = next < s->run->thread_count && sql_int(&rows, 0) == (int64_t)next &&
			sql_int(&rows, 1) == s->run->threads[next].process && sql_int(&rows, 2) == s->run->threads[next].number;
		if (!fits) {
			sql_fault(sql, "its sampled threads do not match those of the run");
			continue;
		}
		s->threads[next] = (struct idles_thread){
			.cpu_ns = sql_count(&rows, 3),
			.work_ns = sql_count(&rows, 4),
			.dropped_ns = sql_count(&rows, 5),
			.own_ns = sql_count(&rows, 6),
			.unseen_ns = sql_count(&rows, 7),
			.samples = sql_count(&rows, 8),
			.dropped = sql_count(&rows, 9),
			.own = sql_count(&rows, 10),
			.paths_cut = sql_count(&rows, 11),
		};
	}
}

static const char **load_files(struct sql *sql, struct idles *s, int64_t id, size_t *count)
{
	const char **files = NULL;
	size_t room = 0;
	*count = 0;
	for (struct sql_rows rows = sql_ask(sql, "SELECT file, name FROM idle_file WHERE run = ? ORDER BY file", "i", id);
	     sql_next(&rows);) {
		if (sql_int(&rows, 0) != (int64_t)*count)
			sql_fault(sql, "its files are not numbered in order");
		MEMORY_GROW(files, *count, room);
		files[(*count)++] = pool_text(&s->pool, sql_text(&rows, 1));
	}
	return files;
}

/* The two roots come first, and are the only scopes without a parent. */
static void load_scope(struct sql *sql, struct sql_rows *rows, struct idles *s, const char *const *files, size_t file_count)
{
	size_t number = s->scope_count;
	bool is_root = number < IDLES_TREES;
	uint32_t parent = is_root ? IDLES_NO_SCOPE : sql_index(rows, 1, number), kind = sql_index(rows, 2, IDLES_KINDS),
		 file = sql_index(rows, 4, file_count);
	if (sql_int(rows, 0) != (int64_t)number || sql_is_null(rows, 1) != is_root || (kind == IDLES_ROOT) != is_root)
		sql_fault(sql, "its scopes are not numbered in order");
	if (kind == IDLES_PROCESS)
		sql_index(rows, 5, s->run->process_count);
	if (sql->bad)
		return;
	MEMORY_GROW(s->scopes, s->scope_count, s->scope_room);
	s->scopes[s->scope_count++] = (struct idles_scope){
		.parent = parent,
		.tree = is_root ? (uint8_t)number : s->scopes[parent].tree,
		.kind = (uint8_t)kind,
		.routine = sql_index(rows, 3, s->run->routine_count),
		.file = files[file],
		.line = sql_index(rows, 5, UINT32_MAX),
	};
}

static void load_scopes(struct sql *sql, struct idles *s, int64_t id)
{
	size_t file_count;
	const char **files = load_files(sql, s, id, &file_count);
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT scope, parent, kind, routine, file, line FROM idle_scope WHERE run = ? ORDER BY scope", "i", id);
	     sql_next(&rows);)
		load_scope(sql, &rows, s, files, file_count);
	free(files);
	if (id >= 0 && s->scope_count < IDLES_TREES)
		sql_fault(sql, "a run of the idle lens has no scopes");
}

/* A scope of each tree. */
static void load_place(struct sql_rows *rows, const struct idles *s, uint32_t scope[IDLES_TREES])
{
	for (int tree = 0; tree < IDLES_TREES; tree++) {
		scope[tree] = sql_index(rows, tree, s->scope_count);
		if (!rows->sql->bad && s->scopes[scope[tree]].tree != tree)
			sql_fault(rows->sql, "a cost is in the wrong tree");
	}
}

static void load_costs(struct sql *sql, struct idles *s, int64_t id)
{
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT logical, physical, sampled, overhead, samples, serial_ns, under_ns, full_ns, over_ns, idle_ns FROM idle_cost WHERE run = ?",
		     "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(s->costs, s->cost_count, s->cost_room);
		struct idles_cost *c = &s->costs[s->cost_count++];
		load_place(&rows, s, c->scope);
		c->thread = sql_index(&rows, 2, s->run->thread_count);
		c->overhead = (uint8_t)sql_index(&rows, 3, IDLES_OVERHEADS);
		c->samples = sql_count(&rows, 4);
		for (int class = 0; class < RAW_IDLE_CLASSES; class ++)
			c->ns[class] = sql_count(&rows, 5 + class);
		c->idle_ns = sql_count(&rows, 9);
	}
}

static uint32_t load_kind(struct sql *sql, const char *name)
{
	for (uint32_t kind = 0; kind < RAW_WAIT_KINDS; kind++)
		if (strcmp(run_wait_names[kind], name) == 0)
			return kind;
	sql_fault(sql, "it has a kind of wait that is not known");
	return 0;
}

static uint32_t load_why(struct sql *sql, const char *name)
{
	for (size_t i = 0; i < sizeof special_whys / sizeof *special_whys; i++)
		if (strcmp(special_whys[i].name, name) == 0)
			return special_whys[i].why;
	return load_kind(sql, name);
}

static void load_whys(struct sql *sql, struct idles *s, int64_t id)
{
	for (struct sql_rows rows = sql_ask(sql, "SELECT logical, sampled, why, ns FROM idle_why WHERE run = ?", "i", id);
	     sql_next(&rows);) {
		const char *why = sql_text(&rows, 2);
		MEMORY_GROW(s->whys, s->why_count, s->why_room);
		s->whys[s->why_count++] = (struct idles_why){.scope = sql_index(&rows, 0, s->scope_count),
		                                             .thread = sql_index(&rows, 1, s->run->thread_count),
		                                             .why = load_why(sql, why),
		                                             .ns = sql_count(&rows, 3)};
	}
	for (struct sql_rows rows = sql_ask(
		     sql, "SELECT logical, physical, sampled, kind, object, waits, wait_ns, quiet_ns, held_ns FROM idle_wait WHERE run = ?",
		     "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(s->waits, s->wait_count, s->wait_room);
		struct idles_wait *w = &s->waits[s->wait_count++];
		load_place(&rows, s, w->scope);
		w->thread = sql_index(&rows, 2, s->run->thread_count);
		w->kind = load_kind(sql, sql_text(&rows, 3));
		w->object = pool_text(&s->pool, sql_text(&rows, 4));
		w->waits = sql_count(&rows, 5);
		w->wait_ns = sql_count(&rows, 6);
		w->quiet_ns = sql_count(&rows, 7);
		w->held_ns = sql_count(&rows, 8);
	}
}

static void load_events(struct sql *sql, struct idles *s, int64_t id)
{
	s->event_names = memory_zeroed(RAW_IDLE_EVENT_MAX, sizeof *s->event_names);
	for (struct sql_rows rows = sql_ask(sql, "SELECT event, name FROM idle_event_name WHERE run = ? ORDER BY event", "i", id);
	     sql_next(&rows);) {
		if (s->event_name_count == RAW_IDLE_EVENT_MAX || sql_int(&rows, 0) != (int64_t)s->event_name_count)
			sql_fault(sql, "its events are not numbered in order");
		else
			s->event_names[s->event_name_count++] = pool_text(&s->pool, sql_text(&rows, 1));
	}
	for (struct sql_rows rows = sql_ask(sql, "SELECT logical, physical, sampled, event, count FROM idle_event WHERE run = ?", "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(s->events, s->event_count, s->event_room);
		struct idles_event *e = &s->events[s->event_count++];
		load_place(&rows, s, e->scope);
		e->thread = sql_index(&rows, 2, s->run->thread_count);
		e->event = sql_index(&rows, 3, s->event_name_count);
		e->count = sql_count(&rows, 4);
	}
}

int store_load_idle(struct store *store, struct run *run, struct idles *idles, struct fail *why)
{
	struct sql *sql = &store->sql;
	run_start(run);
	memset(idles, 0, sizeof *idles);
	idles->run = run;
	int64_t id = store_load_run(store, run, "idle");
	load_total(sql, idles, id);
	load_threads(sql, idles, id);
	load_scopes(sql, idles, id);
	load_costs(sql, idles, id);
	load_whys(sql, idles, id);
	load_events(sql, idles, id);
	if (id >= 0 && !sql->bad)
		idles_sort(idles);
	if (id >= 0 && !sql->bad)
		return 0;
	idles_free(idles);
	run_free(run);
	return store_load_failed(store, "idle", why);
}
