/* SPDX-License-Identifier: MIT */
#include "analyse/span/path.h"

#include "base/memory.h"
#include "base/number.h"

#define LEAST_CPU_NS 1000000 /* with less CPU time of known work nothing is estimated */
#define ESTIMATE_ERROR 0.25  /* of work that is estimated from CPU time */

const struct raw_table *path_table(const struct raw_record *record, uint32_t kind)
{
	const struct raw_table *table = (const void *)record;
	return record->type == RAW_TABLE && table->kind == kind ? table : NULL;
}

const struct span_entry *path_log(const struct session_process *p, uint32_t lane, uint64_t number, uint64_t bytes, uint64_t *entries)
{
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct raw_table *table = path_table(r, RAW_SPAN_LOG);
		size_t rows;
		if (!table || table->lane != lane || table->object != number)
			continue;
		const struct span_entry *log = raw_table_rows(table, &rows);
		*entries = bytes / sizeof *log < rows ? bytes / sizeof *log : rows;
		return log;
	}
	return NULL;
}

static const struct span_kept *lane_in(const struct raw_record *record)
{
	const struct raw_table *table = path_table(record, RAW_SPAN_LANE);
	size_t rows = 0;
	const struct span_kept *lane = table ? raw_table_rows(table, &rows) : NULL;
	return rows ? lane : NULL;
}

/* The lane in which the program ended has the whole path: that of thread 0, unless another one called exit. */
static uint32_t lane_of_path(const struct session_process *p)
{
	uint32_t first = 0, found = RAW_NO_LANE;
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct raw_thread *thread = (const void *)r;
		if (r->type == RAW_THREAD && thread->number == 0)
			first = thread->lane;
	}
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct span_kept *lane = lane_in(r);
		uint32_t number = ((const struct raw_table *)(const void *)r)->lane;
		if (lane && lane->span && (found == RAW_NO_LANE || number == first))
			found = number;
	}
	return found == RAW_NO_LANE ? first : found;
}

/* Whether a thread runs in the lane until the program ends. */
static bool is_unended(const struct session_process *p, uint32_t lane)
{
	bool unended = false;
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct raw_thread *thread = (const void *)r;
		if (r->type == RAW_THREAD && thread->lane == lane)
			unended = !thread->end_tsc;
	}
	return unended;
}

/* The local work of the lane's calls that have returned. */
static uint64_t returned_work(const struct session_process *p, uint32_t lane)
{
	uint64_t work = 0;
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct raw_table *table = path_table(r, RAW_SPAN_SITES);
		size_t rows = 0;
		const struct span_site *site = table && table->lane == lane ? raw_table_rows(table, &rows) : NULL;
		for (size_t i = 0; i < rows; i++)
			work += site[i].on_work[SPAN_LOCAL].work;
	}
	return work;
}

/* A thread that still runs when the program ends contributes the work of its returned calls. */
uint64_t path_work(const struct session_process *p)
{
	uint64_t work = 0;
	uint32_t path = lane_of_path(p);
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct span_kept *lane = lane_in(r);
		uint32_t number = ((const struct raw_table *)(const void *)r)->lane;
		if (lane)
			work += number != path && is_unended(p, number) ? returned_work(p, number) : lane->work;
	}
	return work;
}

static uint64_t local_span(const struct session_process *p, uint32_t lane, uint64_t number, uint64_t bytes)
{
	uint64_t entries = 0, span = 0;
	const struct span_entry *log = path_log(p, lane, number, bytes, &entries);
	for (uint64_t i = 0; i < entries; i++) {
		if (log[i].key == SPAN_GAP && (!log[i].sum.count || log[i].sum.count > entries - i))
			break;
		if (log[i].key == SPAN_GAP)
			i += log[i].sum.count - 1;
		else if (log[i].key % SPAN_MEASURES == SPAN_LOCAL)
			span += log[i].sum.span;
	}
	return span;
}

/* What the threads that have ended executed in a nanosecond of CPU time, with the one in which the program ended; 0: unknown. */
static double work_per_ns(const struct session_process *p)
{
	uint64_t work = 0, cpu_ns = 0;
	uint32_t end = lane_of_path(p);
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct span_kept *lane = lane_in(r);
		const struct raw_thread *thread = (const void *)r;
		work += lane ? lane->work : 0;
		cpu_ns += r->type == RAW_THREAD && (thread->end_tsc || thread->lane == end) ? thread->cpu_ns : 0;
	}
	return cpu_ns >= LEAST_CPU_NS ? (double)work / (double)cpu_ns : 0;
}

/* CPU time of the thread that runs in the lane. */
static uint64_t cpu_ns_in(const struct session_process *p, uint32_t lane)
{
	uint64_t cpu_ns = 0;
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct raw_thread *thread = (const void *)r;
		if (r->type == RAW_THREAD && thread->lane == lane)
			cpu_ns = thread->cpu_ns;
	}
	return cpu_ns;
}

static bool is_running(const struct session_process *p, uint32_t lane)
{
	return session_is_finished(p) && lane != lane_of_path(p) && is_unended(p, lane);
}

/* Work that differs from the estimate by less than its error is not made up for. */
static uint64_t open_work(const struct session_process *p, uint32_t lane, const struct span_kept *kept)
{
	double all = work_per_ns(p) * (double)cpu_ns_in(p, lane), known = (double)returned_work(p, lane) - (double)kept->work;
	return all - known > ESTIMATE_ERROR * all && all < 0x1p62 ? number_count(all - known) : 0;
}

size_t path_running(const struct session_process *p, struct path_running **list)
{
	size_t count = 0, room = 0;
	*list = NULL;
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct span_kept *kept = lane_in(r);
		uint32_t lane = ((const struct raw_table *)(const void *)r)->lane;
		uint64_t entries = 0;
		if (!kept || !is_running(p, lane))
			continue;
		const struct span_entry *way = path_log(p, lane, RAW_SPAN_WAY_LOG, UINT64_MAX, &entries);
		MEMORY_GROW(*list, count, room);
		(*list)[count++] = (struct path_running){lane, entries ? way[entries - 1].key / SPAN_MEASURES : PATH_NO_SITE,
		                                         entries ? open_work(p, lane, kept) : 0};
	}
	return count;
}

struct path path_longest(const struct session_process *p)
{
	uint32_t end = lane_of_path(p);
	struct path best = {.lane = end};
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct span_kept *kept = lane_in(r);
		uint32_t lane = ((const struct raw_table *)(const void *)r)->lane;
		struct path path = {.lane = lane, .kept = kept, .through_running = !kept || !kept->span};
		if (!kept || (lane != end && session_is_finished(p) && !is_unended(p, lane)))
			continue;
		path.span = !path.through_running
			? kept->span
			: local_span(p, lane, RAW_SPAN_WAY_LOG, UINT64_MAX) + local_span(p, lane, kept->log_number, kept->end);
		if (path.through_running && session_is_finished(p) && lane != end && local_span(p, lane, RAW_SPAN_WAY_LOG, UINT64_MAX))
			path.open = open_work(p, lane, kept);
		path.span += path.open;
		if (!best.kept || path.span > best.span)
			best = path;
	}
	return best;
}
