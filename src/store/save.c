/* SPDX-License-Identifier: MIT */
/* save.c: adds a run to a recording, or begins one.
 *
 * The new file is made under another name in the same folder, without journals since no other process can see it,
 * and renamed when it is complete and on the disk. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keys/lenses.h"
#include "store/file.h"
#include "store/schema.h"
#include "store/store.h"
#include "store/turn.h"

static const char *const state_names[] = {
	[STATE_SEQUENTIAL] = "sequential", [STATE_CONCURRENT] = "concurrent", [STATE_UNKNOWN] = "unknown"};

/* SQLite has 63 bits, and reading refuses numbers that are larger than any time. */
int64_t store_whole(uint64_t value)
{
	return value >= UINT64_C(1) << 62 ? (INT64_C(1) << 62) - 1 : (int64_t)value;
}

/* ---- what all lenses share ---- */

/* Adds the run's objects and routines to those of the file; map[i] is the file's number for the run's routine i. */
static uint32_t *save_routines(struct sql *sql, const struct run *run)
{
	struct run known;
	run_start(&known);
	store_load_routines(sql, &known);
	size_t old_objects = known.object_count, old_routines = known.routine_count;
	uint32_t *map = memory_resize(NULL, run->routine_count, sizeof *map);
	for (size_t i = 0; i < run->routine_count; i++) {
		struct run_routine routine = run->routines[i];
		if (routine.object != RUN_NO_OBJECT)
			routine.object = run_object(&known, run->objects[routine.object].build_id, run->objects[routine.object].path);
		map[i] = run_routine(&known, &routine);
	}
	for (size_t i = old_objects; i < known.object_count; i++)
		sql_do(sql, "INSERT INTO object VALUES (?, ?, ?)", "itt", (int64_t)i, known.objects[i].build_id, known.objects[i].path);
	for (size_t i = old_routines == 1 ? 0 : old_routines; i < known.routine_count; i++) {
		const struct run_routine *r = &known.routines[i];
		sql_do(sql, "INSERT OR IGNORE INTO routine VALUES (?, ?, ?, ?, ?, ?, ?)", "iutttit", (int64_t)i,
		       r->object == RUN_NO_OBJECT ? INT64_C(-1) : (int64_t)r->object, r->linkage, r->name, r->file, (int64_t)r->line,
		       run_kind_text(r->kind));
	}
	run_free(&known);
	return map;
}

static void save_processes(struct sql *sql, const struct run *run, int64_t id)
{
	static const char *const lost_texts[] = {
#define X(name, text) text,
		RAW_LOST_LIST(X)
#undef X
	};
	for (size_t i = 0; i < run->process_count; i++) {
		const struct run_process *p = &run->processes[i];
		sql_do(sql, "INSERT INTO process VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiiiiiiiiiii", id, (int64_t)i,
		       (int64_t)p->pid, (int64_t)p->parent_pid, (int64_t)p->flags, (int64_t)p->workers, store_whole(p->threads),
		       store_whole(p->start_ns), store_whole(p->wall_ns), store_whole(p->cpu_ns), store_whole(p->own_cpu_ns),
		       store_whole(p->snapshots), store_whole(p->period_ns), store_whole(p->hook_ns), store_whole(p->untimed_ns));
	}
	for (size_t i = 0; i < run->process_count; i++)
		for (int cause = 0; cause < RAW_LOST_KINDS; cause++)
			if (run->processes[i].lost[cause])
				sql_do(sql, "INSERT INTO lost VALUES (?, ?, ?, ?, ?)", "iiiit", id, (int64_t)i, (int64_t)cause,
				       store_whole(run->processes[i].lost[cause]), lost_texts[cause]);
}

static void save_workers(struct sql *sql, const struct run *run, int64_t id)
{
	for (size_t i = 0; i < run->worker_count; i++) {
		const struct run_worker *w = &run->workers[i];
		sql_do(sql, "INSERT INTO worker VALUES (?, ?, ?, ?, ?, ?)", "iiiiii", id, (int64_t)i, (int64_t)w->process, (int64_t)w->lane,
		       store_whole(w->threads), store_whole(w->alive_ns));
	}
	for (size_t i = 0; i < run->worker_count; i++)
		for (int kind = 0; kind < RAW_WAIT_KINDS; kind++)
			if (run->workers[i].waits[kind] || run->workers[i].wait_ns[kind])
				sql_do(sql, "INSERT INTO wait VALUES (?, ?, ?, ?, ?)", "iitii", id, (int64_t)i, run_wait_names[kind],
				       store_whole(run->workers[i].waits[kind]), store_whole(run->workers[i].wait_ns[kind]));
	for (size_t i = 0; i < run->thread_count; i++) {
		const struct run_thread *t = &run->threads[i];
		sql_do(sql, "INSERT OR IGNORE INTO thread VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiiiiiit", id, (int64_t)t->process,
		       (int64_t)t->number, (int64_t)t->tid, (int64_t)t->worker, (int64_t)t->creator, store_whole(t->start_ns),
		       store_whole(t->end_ns), store_whole(t->cpu_ns), store_whole(t->wait_ns), t->name);
	}
}

static void save_rank(struct sql *sql, const struct run *run, int64_t id)
{
	const struct run_rank *r = &run->rank;
	if (run_is_ranked(run))
		sql_do(sql, "INSERT INTO rank VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", "iuuuuuttt", id, r->rank, r->ranks, r->task, r->mpi_rank,
		       r->mpi_ranks, r->job, r->node, r->launcher);
	for (size_t i = 0; i < run->message_count; i++) {
		const struct run_message *m = &run->messages[i];
		sql_do(sql, "INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "ittuuuiiii", id, m->call, m->kind, m->comm,
		       m->peer, m->tag, store_whole(m->calls), store_whole(m->bytes), store_whole(m->wait_ns), store_whole(m->longest_ns));
	}
}

static void save_places(struct sql *sql, const struct run *run, int64_t id, const uint32_t *map)
{
	for (size_t i = 0; i < run->site_count; i++) {
		const struct run_site *s = &run->sites[i];
		sql_do(sql, "INSERT INTO site VALUES (?, ?, ?, ?, ?, ?)", "iiitii", id, (int64_t)map[s->caller], (int64_t)map[s->callee],
		       s->file, (int64_t)s->line, (int64_t)s->column);
	}
	for (size_t i = 0; i < run->inlined_count; i++) {
		const struct run_inlined *in = &run->inlined[i];
		sql_do(sql, "INSERT INTO inlined VALUES (?, ?, ?, ?, ?)", "ittiu", id, in->name, in->file, (int64_t)in->line,
		       in->into == RUN_NOWHERE ? INT64_C(-1) : (int64_t)map[in->into]);
	}
	for (size_t i = 0; i < run->note_count; i++)
		sql_do(sql, "INSERT INTO note VALUES (?, ?, ?)", "iit", id, (int64_t)i, run->notes[i]);
}

/* A new run of a lens takes the place of those that it was not repeated with. Where runs add up, and among repeated ones, it takes only
 * its own: skein may have been killed after it stored the run and before it removed the session, which is then recovered. */
static void make_way(struct sql *sql, const struct run *run)
{
	if (!(lens_traits(run->lens) & LENS_RUNS_ADD_UP))
		sql_do(sql, "DELETE FROM run WHERE lens = ? AND (series = 0 OR series <> ?)", "ti", run->lens, run->series);
	if (run->process_count)
		sql_do(sql,
		       "DELETE FROM run WHERE lens = ? AND started_real_ns = ? AND run IN (SELECT run FROM process WHERE process = 0 AND pid = ?)",
		       "tii", run->lens, store_whole(run->started_real_ns), (int64_t)run->processes[0].pid);
}

int64_t store_save_run(struct sql *sql, const struct run *run, uint64_t snapshots, uint32_t **map)
{
	make_way(sql, run);
	sql_do(sql, "INSERT OR REPLACE INTO meta VALUES ('build_id', ?), ('program', ?), ('skein', ?)", "ttt", run->build_id, run->program,
	       SKEIN_VERSION);
	sql_do(sql, "INSERT INTO run VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	       "tttiiiiiiuiuuuuuuuuuuii", run->lens, run->mode, run->command, store_whole(run->started_real_ns), store_whole(run->wall_ns),
	       store_whole(run->cpu_ns), store_whole(run->own_cpu_ns), run->series, (int64_t)run->turn, run->exit_code,
	       (int64_t)run->stopped, run->died_of, run->lasted_ns, run->ran_ns, run->wanted_ns, run->crowd_ns, run->user_ns,
	       run->system_ns, run->faults, run->samples, run->hook_samples, store_whole(snapshots), store_whole(run_lost_events(run)));
	int64_t id = sqlite3_last_insert_rowid(sql->db);
	*map = save_routines(sql, run);
	save_processes(sql, run, id);
	save_workers(sql, run, id);
	save_rank(sql, run, id);
	save_places(sql, run, id, *map);
	return id;
}

/* ---- the calls lens ---- */

static void save_calls(struct sql *sql, const void *data)
{
	const struct calls *c = data;
	uint32_t *map;
	int64_t id = store_save_run(sql, c->run, c->snapshots, &map);
	for (size_t i = 0; i < c->entry_count; i++) {
		const struct calls_entry *e = &c->entries[i];
		sql_do(sql, "INSERT INTO calls_routine VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiitiuuuuuuuuu", id,
		       (int64_t)map[e->routine], (int64_t)e->worker, state_names[e->entry], e->calls, e->elapsed_ns, e->direct_ns,
		       e->callee_calls, e->callee_ns, e->wait_ns, e->nested_ns, e->same_calls, e->timed_calls, e->error_ns);
	}
	for (size_t i = 0; i < c->arc_count; i++) {
		const struct calls_arc_row *a = &c->arcs[i];
		sql_do(sql, "INSERT INTO calls_arc VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiitttiuuuuu", id,
		       (int64_t)map[a->caller], (int64_t)map[a->callee], state_names[a->entry], state_names[a->callee_call],
		       state_names[a->arc], a->calls, a->elapsed_ns, a->same_calls, a->timed_calls, a->error_ns, a->outer_ns);
	}
	for (size_t i = 0; i < c->callee_count; i++) {
		const struct calls_callee_row *e = &c->callees[i];
		sql_do(sql, "INSERT INTO calls_callee VALUES (?, ?, ?, ?, ?, ?, ?, ?)", "iiittiuu", id, (int64_t)map[e->caller],
		       (int64_t)e->worker, state_names[e->entry], state_names[e->callee_call], e->calls, e->elapsed_ns, e->outer_ns);
	}
	for (size_t i = 0; i < c->wait_count; i++) {
		const struct calls_wait *w = &c->waits[i];
		sql_do(sql, "INSERT INTO calls_wait VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiitttiiii", id, (int64_t)map[w->routine],
		       (int64_t)w->worker, run_wait_names[w->kind], w->object, w->file, (int64_t)w->line, store_whole(w->waits),
		       store_whole(w->ns), store_whole(w->longest_ns));
	}
	for (size_t i = 0; i < c->inside_count; i++) {
		const struct calls_inside *in = &c->inside[i];
		sql_do(sql, "INSERT INTO calls_inside VALUES (?, ?, ?, ?, ?, ?, ?)", "iiiiiii", id, (int64_t)map[in->routine],
		       store_whole(in->snapshots), store_whole(in->union_ns), store_whole(in->same_ns), store_whole(in->running_ns),
		       store_whole(in->off_cpu_ns));
	}
	for (size_t i = 0; i < c->together_count; i++) {
		const struct calls_together *t = &c->together[i];
		sql_do(sql, "INSERT INTO calls_together VALUES (?, ?, ?, ?, ?)", "iiiii", id, (int64_t)map[t->a], (int64_t)map[t->b],
		       store_whole(t->snapshots), store_whole(t->ns));
	}
	for (size_t i = 0; i < c->level_count; i++) {
		const struct calls_level *l = &c->levels[i];
		sql_do(sql, "INSERT INTO calls_level VALUES (?, ?, ?, ?, ?)", "iiuii", id, (int64_t)l->working,
		       l->routine == RUN_NOWHERE ? INT64_C(-1) : (int64_t)map[l->routine], store_whole(l->snapshots), store_whole(l->ns));
	}
	free(map);
}

/* ---- files ---- */

int store_check_target(const char *path, struct fail *why)
{
	struct stat is;
	if (stat(path, &is) < 0)
		return errno == ENOENT ? 0 : fail_set(why, FAIL_INTERNAL, "cannot write the recording %s: %s", path, strerror(errno));
	if (!store_is_ours(path))
		return fail_set(why, FAIL_INTERNAL,
		                "will not overwrite %s, which is not a recording: move it away, or choose another file with -o", path);
	struct store *old = store_open(path, why);
	store_close(old);
	return old || why->cause != FAIL_STRANGE_SCHEMA ? 0 : -1; /* what cannot be read for another reason will be kept aside */
}

/* Whether the old file is of this build and was copied. If not, but there is one (of another build, another version or
 * damaged), *other is set: it will be kept aside. */
static bool copy_old(struct sql *sql, const char *path, const char *build_id, bool *other)
{
	struct fail why;
	*other = access(path, F_OK) == 0;
	struct store *old = *other ? store_open(path, &why) : NULL;
	if (!old)
		return false;
	bool same = false;
	for (struct sql_rows rows = sql_ask(&old->sql, "SELECT 1 FROM meta WHERE key = 'build_id' AND value = ?", "t", build_id);
	     sql_next(&rows);)
		same = true;
	*other = !same;
	if (same) {
		sqlite3_backup *copy = sqlite3_backup_init(sql->db, "main", old->sql.db, "main");
		if (!copy || sqlite3_backup_step(copy, -1) != SQLITE_DONE)
			sql_fault(sql, sqlite3_errmsg(sql->db));
		sqlite3_backup_finish(copy);
	}
	store_close(old);
	return same;
}

static void begin_file(struct sql *sql)
{
	char numbers[128];
	snprintf(numbers, sizeof numbers, "PRAGMA application_id = %d; PRAGMA user_version = %d", SCHEMA_APPLICATION_ID, SCHEMA_VERSION);
	sql_script(sql, "PRAGMA page_size = 1024"); /* the file has many tables, most of them small */
	sql_script(sql, numbers);
	sql_script(sql, schema_sql);
}

static int write_file(const char *temporary, const char *path, const struct store_content *content, bool *other, struct fail *why)
{
	struct sql sql = {0};
	if (sqlite3_open_v2(temporary, &sql.db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		sql_fault(&sql, sqlite3_errmsg(sql.db));
	bool copied = !sql.bad && copy_old(&sql, path, content->run->build_id, other);
	sql_script(&sql, "PRAGMA journal_mode = off; PRAGMA synchronous = off; PRAGMA foreign_keys = on");
	store_disarm(sql.db); /* after the pragmas: a disarmed connection keeps its journal */
	if (!copied)
		begin_file(&sql);
	sql_script(&sql, "BEGIN");
	content->save(&sql, content->data);
	sql_end(&sql);
	sql_script(&sql, "COMMIT");
	sql_script(&sql, "VACUUM");
	sqlite3_close(sql.db);
	return sql.bad ? fail_set(why, FAIL_INTERNAL, "cannot write the recording %s: %s", path, sql.why) : 0;
}

static int sync_path(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);
	int result = fd < 0 ? -1 : fsync(fd);
	if (fd >= 0)
		close(fd);
	return result;
}

/* FILE.old-1, or the first number that is free. */
static int move_aside(const char *path, char aside[PATH_MAX])
{
	for (int n = 1; n < 10000; n++) {
		if (snprintf(aside, PATH_MAX, "%s.old-%d", path, n) >= PATH_MAX)
			return -1;
		if (access(aside, F_OK) < 0)
			return rename(path, aside);
	}
	errno = EEXIST;
	return -1;
}

static int put_in_place(const char *temporary, const char *path, bool other, char aside[PATH_MAX], struct fail *why)
{
	if (sync_path(temporary, O_RDONLY) < 0 || (other && move_aside(path, aside) < 0) || rename(temporary, path) < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot write the recording %s: %s", path, strerror(errno));
	char folder[PATH_MAX];
	snprintf(folder, sizeof folder, "%s", path);
	sync_path(dirname(folder), O_RDONLY | O_DIRECTORY);
	return 0;
}

static char temporary[PATH_MAX]; /* for store_abandon: while the file exists */

void store_abandon(void)
{
	if (*temporary)
		unlink(temporary);
}

static int write_and_place(const char *path, const struct store_content *content, char aside[PATH_MAX], struct fail *why)
{
	char folder[PATH_MAX], name[PATH_MAX];
	bool other = false;
	snprintf(folder, sizeof folder, "%s", path);
	snprintf(name, sizeof name, "%s", path);
	if (snprintf(temporary, sizeof temporary, "%s/.%s.new-XXXXXX", dirname(folder), basename(name)) >= (int)sizeof temporary)
		return fail_set(why, FAIL_INTERNAL, "the path of the recording is too long: %.100s…", path);
	int fd = mkstemp(temporary); /* mode 0600 */
	if (fd < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot write the recording %s: %s", path, strerror(errno));
	close(fd);
	int result = write_file(temporary, path, content, &other, why);
	if (result == 0)
		result = put_in_place(temporary, path, other, aside, why);
	if (result < 0)
		unlink(temporary);
	*temporary = 0;
	return result;
}

int store_write(const char *path, const struct store_content *content, char aside[PATH_MAX], struct fail *why)
{
	*aside = 0;
	int turn = turn_take(path, why);
	if (turn == TURN_BUSY)
		return -1;
	int result = write_and_place(path, content, aside, why);
	turn_give(path, turn);
	return result;
}

int store_save_calls(const char *path, const struct calls *calls, char aside[PATH_MAX], struct fail *why)
{
	return store_write(path, &(struct store_content){calls->run, calls, save_calls}, aside, why);
}
