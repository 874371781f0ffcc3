/* SPDX-License-Identifier: MIT */
/* session_raw.c: the raw recordings of a session folder, opened, with the two times that a killed process left open: how long a
 * tick is, and when the process gave its last sign of life. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include "analyse/session.h"
#include "base/strv.h"

static int is_raw(const struct dirent *entry)
{
	return str_ends(entry->d_name, ".raw");
}

/* The process itself compared the clocks, as often as it could. If it was killed too soon for a good comparison,
 * compare the clocks of session start and now, unless the machine was rebooted in between. */
static double ns_per_tick(const struct session_plan *plan, const struct raw_file *file)
{
	enum { LONG_ENOUGH_NS = 20000000 };
	struct session_plan now = {0};
	if (file->last_tsc > file->start_tsc && file->last_ns > file->start_ns + LONG_ENOUGH_NS)
		return (double)(file->last_ns - file->start_ns) / (double)(file->last_tsc - file->start_tsc);
	session_plan_read_clocks(&now);
	if (plan->clock_tsc && now.clock_tsc > plan->clock_tsc && now.clock_ns > plan->clock_ns)
		return (double)(now.clock_ns - plan->clock_ns) / (double)(now.clock_tsc - plan->clock_tsc);
	if (file->last_tsc > file->start_tsc && file->last_ns > file->start_ns)
		return (double)(file->last_ns - file->start_ns) / (double)(file->last_tsc - file->start_tsc);
	return 0;
}

/* The least time that a worker needs for what its rows say: its own work and waiting, and its longest routine.
 * Activations that are open have waits and callees, but no elapsed time yet. */
static uint64_t least_ticks(const struct raw_table *table)
{
	size_t rows;
	const struct calls_arc *arc = raw_table_rows(table, &rows);
	uint64_t sum = 0, longest = 0;
	for (size_t i = 0; i < rows; i++) {
		int64_t own = (int64_t)(arc[i].elapsed_ticks - arc[i].callee_ticks - arc[i].displaced_ticks),
			wait = (int64_t)arc[i].wait_ticks;
		int64_t outermost = (int64_t)(arc[i].outer_ticks + arc[i].nested_ticks), mine = own > wait ? own : wait;
		sum += mine > 0 ? (uint64_t)mine : 0;
		longest = outermost > 0 && (uint64_t)outermost > longest ? (uint64_t)outermost : longest;
	}
	return sum > longest ? sum : longest;
}

/* When the worker of a lane entered its outermost open activation; if none is known, when its thread started. Rows of a lane that several
 * threads had are those of all of them: the first one's start counts. */
static uint64_t lane_start(const struct session_process *p, uint32_t lane)
{
	uint64_t start = p->raw.file.start_tsc, first = UINT64_MAX;
	unsigned threads = 0;
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct raw_thread *thread = (const void *)r;
		const struct raw_table *table = (const void *)r;
		size_t rows = 0;
		const struct raw_open *open = NULL;
		if (r->type == RAW_THREAD && thread->lane == lane) {
			first = thread->start_tsc < first ? thread->start_tsc : first;
			threads++;
		}
		if (r->type == RAW_TABLE && table->kind == RAW_CALLS_OPEN && table->lane == lane)
			open = raw_table_rows(table, &rows);
		if (rows)
			start = open[0].start_tsc;
	}
	if (threads > 1 || (threads == 1 && start == p->raw.file.start_tsc))
		start = first;
	return start > p->raw.file.start_tsc ? start : p->raw.file.start_tsc;
}

/* A process that was killed refreshed last_tsc at its last snapshot; its rows may contain later times. */
static uint64_t last_sign(const struct session_process *p)
{
	uint64_t last = p->raw.file.last_tsc;
	if (session_is_finished(p))
		return last;
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct raw_table *table = (const void *)r;
		if (r->type != RAW_TABLE || table->kind != RAW_CALLS_ARCS)
			continue;
		uint64_t ticks = least_ticks(table), end = lane_start(p, table->lane) + ticks;
		if (ticks < UINT64_C(1) << 48 && end > last && end - last < UINT64_C(1) << 48) /* days; more is nonsense */
			last = end;
	}
	return last;
}

static void open_raw(struct session *s, const char *path, uint32_t lens)
{
	struct session_process p = {0};
	struct fail why;
	if (raw_reader_open(&p.raw, path, &why) < 0) {
		run_note(&s->run, "The records of one process could not be read: %s.", why.text);
		return;
	}
	if (p.raw.file.lens != lens) {
		run_note(&s->run, "The records of one process are left out: they belong to another lens.");
		raw_reader_close(&p.raw);
		return;
	}
	p.path = pool_text(&s->run.pool, path);
	p.ns_per_tick = ns_per_tick(&s->plan, &p.raw.file);
	p.last_tsc = last_sign(&p);
	MEMORY_GROW(s->processes, s->process_count, s->process_room);
	s->processes[s->process_count++] = p;
}

static int by_start(const void *a, const void *b)
{
	const struct raw_file *x = &((const struct session_process *)a)->raw.file, *y = &((const struct session_process *)b)->raw.file;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* Why a folder may have no raw recording in it. A raw recording begins with LEAST_BYTES; the program has the limits of skein. */
static const char *likely_cause(struct session *s, const char *folder)
{
	enum { ENOUGH_BYTES = 1 << 20, LEAST_BYTES = 256 << 10 };
	struct statvfs disk;
	struct rlimit limit;
	if (s->run.note_count)
		return s->run.notes[0];
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < LEAST_BYTES)
		return pool_print(
			&s->run.pool,
			"the limit on the size of files, %llu bytes, is too small for a raw recording; raise it with `ulimit -f unlimited`",
			(unsigned long long)limit.rlim_cur);
	if (statvfs(folder, &disk) == 0 && (uint64_t)disk.f_bavail * disk.f_frsize < ENOUGH_BYTES)
		return "no space was left on the device; free some, or choose another place with -o";
	return "the program ended, or dropped its environment, before Skein's runtime could start in it, or the kernel refused the runtime a "
	       "file or memory";
}

int session_open_raw(struct session *s, const char *folder, uint32_t lens, struct fail *why)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_raw, alphasort);
	if (count < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot read the folder %s: %s", folder, strerror(errno));
	for (int i = 0; i < count; i++) {
		char path[PATH_MAX];
		if (snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name) < (int)sizeof path)
			open_raw(s, path, lens);
		free(entries[i]);
	}
	free(entries);
	if (s->process_count == 0)
		return fail_set(why, FAIL_INTERNAL, "nothing was recorded: %s", likely_cause(s, folder));
	qsort(s->processes, s->process_count, sizeof *s->processes, by_start);
	return 0;
}
