/* SPDX-License-Identifier: MIT */
/* session.c: what all lenses share of a session: objects, threads, lanes, names; and from numbers of a process to the run. */
#include "analyse/session.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyse/names.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/strv.h"
#include "keys/lenses.h"

/* ---- objects and their tables ---- */

static const char *table_path(const struct session_plan *plan, const char *build_id, const char *named)
{
	for (size_t i = 0; i < plan->object_count; i++)
		if (strcmp(plan->objects[i].build_id, build_id) == 0)
			return plan->objects[i].table;
	return named;
}

static const char *native_path(const struct session_plan *plan, const char *build_id, const char *named)
{
	for (size_t i = 0; i < plan->object_count; i++)
		if (strcmp(plan->objects[i].build_id, build_id) == 0)
			return plan->objects[i].native;
	return named;
}

static void name_routines(struct session *s, struct session_table *t)
{
	t->routines = memory_resize(NULL, t->table.routine_count, sizeof *t->routines);
	for (size_t i = 0; i < t->table.routine_count; i++) {
		const struct table_routine *r = &t->table.routines[i];
		t->routines[i] = r->gone ? RUN_OUTSIDE
					 : run_routine(&s->run,
		                                       &(struct run_routine){
							       .object = t->object,
							       .line = r->line,
							       .kind = r->unprofiled ? RUN_UNPROFILED_KIND
								       : r->openmp   ? RUN_OPENMP_KIND
										     : RUN_PLAIN_KIND,
							       .linkage = r->linkage,
							       .file = r->file,
						       });
	}
}

static void list_inlined(struct session *s, const struct session_table *t)
{
	struct run *run = &s->run;
	for (size_t i = 0; i < t->table.inlined_count; i++) {
		const struct table_inlined *from = &t->table.inlined[i];
		MEMORY_GROW(run->inlined, run->inlined_count, run->inlined_room);
		run->inlined[run->inlined_count++] = (struct run_inlined){
			.into = from->into == TABLE_NO_ROUTINE ? RUN_NOWHERE : t->routines[from->into],
			.line = from->line,
			.name = names_demangle(&run->pool, pool_text(&run->pool, from->linkage)),
			.file = pool_text(&run->pool, from->file),
		};
	}
}

static size_t load_table(struct session *s, const char *build_id, const char *named, const char *path)
{
	uint32_t object = run_object(&s->run, build_id, native_path(&s->plan, build_id, path));
	for (size_t i = 0; i < s->table_count; i++)
		if (s->tables[i].object == object)
			return i;
	MEMORY_GROW(s->tables, s->table_count, s->table_room);
	struct session_table *t = &s->tables[s->table_count++];
	*t = (struct session_table){.object = object, .path = pool_text(&s->plan.pool, table_path(&s->plan, build_id, named))};
	struct fail why;
	if (table_read(&t->table, t->path, &why) < 0) {
		run_note(&s->run, "Routines of %s have no names: %s.", s->run.objects[object].path, why.text);
	} else {
		t->loaded = true;
		name_routines(s, t);
		list_inlined(s, t);
	}
	return s->table_count - 1;
}

/* ---- records that every lens shares ---- */

static void add_lane(struct session_process *p, uint32_t lane)
{
	if (lane == RAW_NO_LANE || (p->lane_count && p->lanes[p->lane_count - 1] == lane))
		return;
	MEMORY_GROW(p->lanes, p->lane_count, p->lane_room);
	p->lanes[p->lane_count++] = lane;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static void number_workers(struct session *s, struct session_process *p, uint32_t process)
{
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		if (r->type == RAW_LANE)
			add_lane(p, ((const struct raw_lane *)(const void *)r)->lane);
		else if (r->type == RAW_THREAD)
			add_lane(p, ((const struct raw_thread *)(const void *)r)->lane);
		else if (r->type == RAW_TABLE)
			add_lane(p, ((const struct raw_table *)(const void *)r)->lane);
	}
	if (p->lane_count == 0)
		add_lane(p, 0); /* every process needs at least one worker */
	qsort(p->lanes, p->lane_count, sizeof *p->lanes, by_number);
	size_t kept = 0;
	for (size_t i = 0; i < p->lane_count; i++)
		if (i == 0 || p->lanes[i] != p->lanes[i - 1])
			p->lanes[kept++] = p->lanes[i];
	p->lane_count = kept;
	p->first_worker = (uint32_t)s->run.worker_count;
	for (size_t i = 0; i < kept; i++) {
		MEMORY_GROW(s->run.workers, s->run.worker_count, s->run.worker_room);
		s->run.workers[s->run.worker_count++] = (struct run_worker){.process = process, .lane = p->lanes[i]};
	}
}

static void take_object(struct session *s, struct session_process *p, const struct raw_object *object)
{
	const char *build_id = raw_text(object->text, object->text_bytes, 0);
	size_t table =
		load_table(s, build_id, raw_text(object->text, object->text_bytes, 1), raw_text(object->text, object->text_bytes, 2));
	MEMORY_GROW(p->ranges, p->range_count, p->range_room);
	p->ranges[p->range_count++] = (struct session_range){object->number, object->first_routine, object->first_site, table};
}

static uint64_t since_start(const struct session_process *p, uint64_t start_ns, uint64_t tsc)
{
	uint64_t from = p->raw.file.start_tsc;
	return start_ns + (tsc > from ? session_ns(p, tsc - from) : 0);
}

static void take_thread(struct session *s, const struct session_process *p, uint32_t process, const struct raw_thread *t)
{
	struct run *run = &s->run;
	uint64_t start_ns = run->processes[process].start_ns;
	uint64_t start = since_start(p, start_ns, t->start_tsc);
	uint64_t end = since_start(p, start_ns, t->end_tsc ? t->end_tsc : p->last_tsc);
	uint32_t worker = session_worker(p, t->lane);
	MEMORY_GROW(run->threads, run->thread_count, run->thread_room);
	char name[sizeof t->name + 1] = {0};
	memcpy(name, t->name, sizeof t->name);
	run->threads[run->thread_count++] = (struct run_thread){
		.process = process,
		.number = t->number,
		.tid = t->tid,
		.worker = worker,
		.creator = t->creator,
		.start_ns = start,
		.end_ns = end > start ? end : start,
		.cpu_ns = t->cpu_ns,
		.wait_ns = session_ns(p, t->wait_ticks),
		.name = pool_text(&run->pool, name),
	};
	run->workers[worker].alive_ns += end > start ? end - start : 0;
}

static void take_lane(struct session *s, const struct session_process *p, const struct raw_lane *lane)
{
	struct run_worker *worker = &s->run.workers[session_worker(p, lane->lane)];
	worker->threads += lane->threads;
	for (int kind = 0; kind < RAW_WAIT_KINDS; kind++) {
		worker->wait_ns[kind] += session_ns(p, lane->wait_ticks[kind]);
		worker->waits[kind] += lane->waits[kind];
	}
}

static void take_name(struct session *s, struct session_process *p, const struct raw_name *name)
{
	MEMORY_GROW(p->names, p->name_count, p->name_room);
	p->names[p->name_count].number = name->routine;
	p->names[p->name_count++].routine = run_routine(&s->run,
	                                                &(struct run_routine){
								.object = RUN_NO_OBJECT,
								.line = name->line,
								.kind = RUN_REGION_KIND,
								.linkage = raw_text(name->text, name->text_bytes, 0),
								.file = raw_text(name->text, name->text_bytes, 1),
							});
}

static uint64_t wall_ns(const struct session_process *p)
{
	const struct raw_file *file = &p->raw.file;
	uint64_t measured = file->last_ns > file->start_ns ? file->last_ns - file->start_ns : 0;
	uint64_t reckoned = p->last_tsc > file->start_tsc ? session_ns(p, p->last_tsc - file->start_tsc) : 0;
	return session_is_finished(p) || measured > reckoned ? measured : reckoned;
}

static void take_process(struct session *s, struct session_process *p)
{
	const struct raw_file *file = &p->raw.file;
	struct run *run = &s->run;
	uint32_t process = (uint32_t)run->process_count;
	MEMORY_GROW(run->processes, run->process_count, run->process_room);
	struct run_process *mine = &run->processes[run->process_count++];
	*mine = (struct run_process){
		.pid = file->pid,
		.parent_pid = file->parent_pid,
		.flags = file->flags,
		.workers = file->workers,
		.threads = file->threads,
		.start_ns = file->start_ns - s->processes[0].raw.file.start_ns,
		.wall_ns = wall_ns(p),
		.cpu_ns = file->cpu_ns,
		.own_cpu_ns = file->own_cpu_ns,
		.snapshots = file->snapshots,
		.period_ns = file->snapshot_period_ns,
		.hook_ns = session_ns(p, file->hook_ticks),
		.untimed_ns = session_ns(p, file->untimed_ticks),
	};
	memcpy(mine->lost, file->lost, sizeof mine->lost);
	number_workers(s, p, process);
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		if (r->type == RAW_OBJECT)
			take_object(s, p, (const void *)r);
		else if (r->type == RAW_THREAD)
			take_thread(s, p, process, (const void *)r);
		else if (r->type == RAW_LANE)
			take_lane(s, p, (const void *)r);
		else if (r->type == RAW_NAME)
			take_name(s, p, (const void *)r);
	}
	uint64_t end = mine->start_ns + mine->wall_ns;
	run->wall_ns = end > run->wall_ns ? end : run->wall_ns;
	run->cpu_ns += mine->cpu_ns;
	run->own_cpu_ns += mine->own_cpu_ns;
	if (p->raw.pending)
		run_note(run, "Process %u was stopped while it wrote: %zu incomplete records are left out.", file->pid, p->raw.pending);
	if (p->ns_per_tick <= 0 && !(file->flags & RAW_COUNTS))
		run_note(run, "Process %u ended before its clock could be calibrated: its times are missing.", file->pid);
}

static void note_foreign(struct session *s)
{
	const char *list = "";
	for (size_t i = 0; i < s->plan.foreign_count; i++)
		list = pool_print(&s->plan.pool, "%s%s%s", list, i ? "; " : "", s->plan.foreign[i]);
	if (*list && lens_traits(s->plan.lens) & LENS_PRICES_FOREIGN)
		run_note(
			&s->run,
			"Foreign code was linked in: %s. Its cost is estimated by a fixed model, and the calls that it makes have no site.",
			list);
	else if (*list)
		run_note(&s->run, "Foreign code was linked in: %s. Its routines are not counted, and its time belongs to its callers.",
		         list);
}

/* Build-id of the program. The module record of the loaded file has the build-id of a program that is only sampled. */
static const char *identity_of(struct session *s)
{
	char identity[64];
	if (s->plan.object_count && *s->plan.objects[0].build_id)
		return pool_text(&s->run.pool, s->plan.objects[0].build_id);
	for (const struct raw_record *r = raw_first(&s->processes[0].raw); r; r = raw_next(&s->processes[0].raw, r)) {
		const struct raw_module *module = (const void *)r;
		if (r->type == RAW_MODULE && strcmp(raw_text(module->text, module->text_bytes, 1), s->plan.native) == 0 &&
		    *raw_text(module->text, module->text_bytes, 0))
			return pool_text(&s->run.pool, raw_text(module->text, module->text_bytes, 0));
	}
	session_file_identity(s->plan.native, identity, sizeof identity);
	return pool_text(&s->run.pool, identity);
}

static int64_t number_set(const struct session_plan *plan, enum session_key key)
{
	const char *text = session_plan_setting(plan, key);
	return *text ? strtoll(text, NULL, 10) : RUN_UNKNOWN;
}

static void take_end(struct run *run, const struct session_plan *plan)
{
	int64_t series = number_set(plan, SESSION_SERIES), turn = number_set(plan, SESSION_TURN);
	run->series = series > 0 ? series : 0;
	run->turn = turn > 0 && turn < UINT32_MAX ? (uint32_t)turn : 1;
	run->stopped = number_set(plan, SESSION_STOPPED) == 1;
	run->exit_code = number_set(plan, SESSION_EXIT_CODE);
	run->died_of = number_set(plan, SESSION_DIED_OF);
	run->lasted_ns = number_set(plan, SESSION_LASTED_NS);
	run->ran_ns = number_set(plan, SESSION_RAN_NS);
	run->wanted_ns = number_set(plan, SESSION_WANTED_NS);
	run->crowd_ns = number_set(plan, SESSION_CROWD_NS);
	run->user_ns = number_set(plan, SESSION_USER_NS);
	run->system_ns = number_set(plan, SESSION_SYSTEM_NS);
	run->faults = number_set(plan, SESSION_FAULTS);
	run->samples = number_set(plan, SESSION_SAMPLES);
	run->hook_samples = number_set(plan, SESSION_HOOK_SAMPLES);
}

static void take_rank(struct run *run, const struct session_plan *plan)
{
	struct run_rank *rank = &run->rank;
	rank->rank = number_set(plan, SESSION_RANK);
	rank->ranks = number_set(plan, SESSION_RANKS);
	rank->task = number_set(plan, SESSION_TASK);
	rank->job = pool_text(&run->pool, session_plan_setting(plan, SESSION_JOB));
	rank->node = pool_text(&run->pool, session_plan_setting(plan, SESSION_NODE));
	rank->launcher = pool_text(&run->pool, session_plan_setting(plan, SESSION_LAUNCHER));
}

int session_read(struct session *session, const char *folder, struct fail *why)
{
	memset(session, 0, sizeof *session);
	if (session_plan_read(&session->plan, folder, why) < 0)
		return -1;
	struct run *run = &session->run;
	run_start(run);
	if (session_open_raw(session, folder, lens_number(session->plan.lens), why) < 0) {
		session_free(session);
		run_free(run);
		return -1;
	}
	run->lens = pool_text(&run->pool, session->plan.lens);
	run->mode = pool_text(&run->pool, session->plan.mode);
	run->program = pool_text(&run->pool, session->plan.native);
	run->command = pool_text(&run->pool, session->plan.command);
	run->build_id = identity_of(session);
	take_end(run, &session->plan);
	run->started_real_ns = session->processes[0].raw.file.start_real_ns;
	take_rank(run, &session->plan);
	for (size_t i = 0; i < session->process_count; i++) {
		take_process(session, &session->processes[i]);
		session_take_messages(session, folder, &session->processes[i]);
	}
	run_sort_threads(run); /* a thread that got its number first may have its record later */
	note_foreign(session);
	for (size_t i = 0; i < session->plan.setting_count; i++)
		if (session->plan.settings[i].key == SESSION_NOTE && *session->plan.settings[i].value)
			run_note(run, "%c%s.", toupper((unsigned char)session->plan.settings[i].value[0]),
			         session->plan.settings[i].value + 1);
	return 0;
}

void session_free(struct session *session)
{
	for (size_t i = 0; i < session->process_count; i++) {
		struct session_process *p = &session->processes[i];
		raw_reader_close(&p->raw);
		free(p->ranges);
		free(p->lanes);
		free(p->names);
	}
	for (size_t i = 0; i < session->table_count; i++) {
		table_free(&session->tables[i].table);
		free(session->tables[i].routines);
	}
	free(session->processes);
	free(session->tables);
	session_plan_free(&session->plan);
	session->processes = NULL;
	session->tables = NULL;
	session->process_count = session->table_count = 0;
}

/* ---- from numbers of one process to the run ---- */

uint32_t session_routine(struct session *session, const struct session_process *process, uint32_t number)
{
	if (number == 0)
		return RUN_OUTSIDE;
	for (size_t i = 0; i < process->range_count; i++) {
		const struct session_range *range = &process->ranges[i];
		const struct session_table *t = &session->tables[range->table];
		if (t->loaded && number >= range->first_routine && number - range->first_routine < t->table.routine_count)
			return t->routines[number - range->first_routine];
	}
	for (size_t i = 0; i < process->name_count; i++)
		if (process->names[i].number == number)
			return process->names[i].routine;
	session->unknown_routines++;
	return run_routine(&session->run,
	                   &(struct run_routine){.object = RUN_NO_OBJECT, .linkage = "(unknown)", .file = "", .kind = RUN_UNKNOWN_KIND});
}

uint32_t session_worker(const struct session_process *process, uint32_t lane)
{
	const uint32_t *at = bsearch(&lane, process->lanes, process->lane_count, sizeof lane, by_number);
	return process->first_worker + (at ? (uint32_t)(at - process->lanes) : 0);
}

const struct session_table *session_table(const struct session *session, const struct session_process *process, uint32_t object_number)
{
	for (size_t i = 0; i < process->range_count; i++)
		if (process->ranges[i].number == object_number && session->tables[process->ranges[i].table].loaded)
			return &session->tables[process->ranges[i].table];
	return NULL;
}

uint64_t session_ns(const struct session_process *process, uint64_t ticks)
{
	return number_count((double)ticks * process->ns_per_tick + 0.5);
}

int64_t session_signed_ns(const struct session_process *process, uint64_t ticks)
{
	return ticks > INT64_MAX ? -(int64_t)session_ns(process, -ticks) : (int64_t)session_ns(process, ticks);
}

bool session_is_finished(const struct session_process *process)
{
	return process->raw.file.flags & (RAW_FINISHED | RAW_EXECED);
}

void session_file_identity(const char *path, char *to, size_t room)
{
	struct stat is = {0};
	if (stat(path, &is) < 0)
		memset(&is, 0, sizeof is);
	snprintf(to, room, "file-%016" PRIx64 "-%" PRIx64 "-%" PRIx64, hash_text(HASH_START, path), (uint64_t)is.st_size,
	         (uint64_t)is.st_mtim.tv_sec * 1000000000 + (uint64_t)is.st_mtim.tv_nsec);
}
