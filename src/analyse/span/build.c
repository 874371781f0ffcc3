/* SPDX-License-Identifier: MIT */
/* build.c: from the raw tables of the span lens to the sites of span.h.
 *
 * Problem: the profile on work has one row per site, lane and object; the profile on the span in the log of the lane
 * of thread 0 (or, with --under, in a log of each lane), under numbers that are valid in one file only.
 * Idea: a tally for each line of each object's table takes both in; then each tally with anything in it becomes a site.
 * Objects that were registered twice share their table and so their tallies. spans_sort adds up sites that the compiler
 * made copies of.
 * Cost: linear in rows, entries and lines of tables, plus a sort of the sites that were executed.
 * A process that was killed has no totals: its work and span are those of the invocations that had ended. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyse/names.h"
#include "analyse/places.h"
#include "analyse/span/path.h"
#include "analyse/span/span.h"
#include "base/number.h"
#include "base/text.h"
#include "keys/mode.h"

struct tally {
	struct span_sum sums[SPANS_PROFILES][SPAN_MEASURES];
	uint64_t ticks;
	uint32_t place;
	size_t site; /* of the spans, from 1, once it is there; 0: none */
};

/* A row of RAW_SPAN_TARGETS whose site may have no number of the spans yet. */
struct called {
	const struct tally *site;
	uint32_t routine;
	uint64_t count;
};

struct build {
	struct session *session;
	const struct session_process *process;
	struct spans *spans;
	struct tally **tallies; /* by table of the session; NULL: no tally yet */
	struct called *called;
	size_t called_count, called_room;
	struct places names; /* of what was called through pointers */
	uint32_t places;     /* sites on the critical path so far */
	size_t last_range;   /* the range in which the last number was found */
	uint64_t unknown;    /* rows and entries of sites that no table names */
};

/* ---- where a number belongs ---- */

static struct tally *tallies_of(struct build *b, size_t table)
{
	if (!b->tallies[table])
		b->tallies[table] = memory_zeroed(b->session->tables[table].table.site_count, sizeof **b->tallies);
	return b->tallies[table];
}

static struct tally *tally_in(struct build *b, size_t range, uint64_t number)
{
	const struct session_range *r = &b->process->ranges[range];
	const struct session_table *t = &b->session->tables[r->table];
	if (!t->loaded || number < r->first_site || number - r->first_site >= t->table.site_count)
		return NULL;
	b->last_range = range;
	return &tallies_of(b, r->table)[number - r->first_site];
}

static struct tally *tally_of(struct build *b, uint64_t number)
{
	struct tally *found = b->last_range < b->process->range_count ? tally_in(b, b->last_range, number) : NULL;
	for (size_t i = 0; !found && i < b->process->range_count; i++)
		found = tally_in(b, i, number);
	return found;
}

/* ---- the profile on work ---- */

static void take_sites(struct build *b, const struct raw_table *table)
{
	size_t rows, range = 0;
	const struct span_site *from = raw_table_rows(table, &rows);
	const struct session_process *p = b->process;
	while (range < p->range_count && p->ranges[range].number != table->object)
		range++;
	if (range == p->range_count || !b->session->tables[p->ranges[range].table].loaded) {
		b->unknown += rows;
		return;
	}
	struct tally *tally = tallies_of(b, p->ranges[range].table);
	size_t known = b->session->tables[p->ranges[range].table].table.site_count;
	for (size_t i = 0; i < rows && i < known; i++) {
		for (int measure = 0; measure < SPAN_MEASURES; measure++)
			span_add(&tally[i].sums[SPANS_ON_WORK][measure], from[i].on_work[measure].count, from[i].on_work[measure].work,
			         from[i].on_work[measure].span);
		tally[i].ticks += from[i].ticks;
	}
}

/* ---- the profile on the span ---- */

static void take_entry(struct build *b, const struct span_entry *e)
{
	struct tally *tally = tally_of(b, e->key / SPAN_MEASURES);
	if (!tally) {
		b->unknown++;
		return;
	}
	span_add(&tally->sums[SPANS_ON_SPAN][e->key % SPAN_MEASURES], e->sum.count, e->sum.work, e->sum.span);
	if (!tally->place)
		tally->place = ++b->places;
}

/* Like span_on_span, but sites of the file may have any numbers, and their order is kept. */
static void take_log(struct build *b, const struct span_entry *log, uint64_t entries)
{
	for (uint64_t i = 0; i < entries; i++) {
		if (log[i].key != SPAN_GAP)
			take_entry(b, &log[i]);
		else if (log[i].sum.count && log[i].sum.count <= entries - i)
			i += log[i].sum.count - 1;
		else
			return;
	}
}

static void find_log(struct build *b, uint32_t lane, uint64_t number, uint64_t bytes)
{
	uint64_t entries;
	const struct span_entry *log = path_log(b->process, lane, number, bytes, &entries);
	if (log)
		take_log(b, log, entries);
	else if (bytes)
		run_note(&b->session->run, "The profile of the critical path is missing or incomplete: its log was not found.");
}

/* ---- what was called through pointers ---- */

static void take_targets(struct build *b, const struct raw_table *table)
{
	size_t rows;
	const struct raw_span_target *row = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		const struct tally *site = row[i].count ? tally_of(b, row[i].site) : NULL;
		if (!site) {
			b->unknown += row[i].count != 0;
			continue;
		}
		MEMORY_GROW(b->called, b->called_count, b->called_room);
		b->called[b->called_count++] =
			(struct called){site,
		                        row[i].place == RAW_SPAN_OTHER_TARGETS ? RUN_NOWHERE : places_routine(&b->names, row[i].place),
		                        row[i].count};
	}
}

/* Sites without a call that has ended are not listed, and neither are their targets. */
static void add_targets(struct build *b)
{
	struct spans *s = b->spans;
	for (size_t i = 0; i < b->called_count; i++) {
		if (!b->called[i].site->site)
			continue;
		MEMORY_GROW(s->targets, s->target_count, s->target_room);
		s->targets[s->target_count++] =
			(struct spans_target){b->called[i].site->site - 1, b->called[i].routine, b->called[i].count};
	}
	free(b->called);
}

/* ---- totals ---- */

/* A thread that was not created has none. */
static void take_way(struct build *b, uint32_t lane)
{
	uint64_t entries = 0;
	const struct span_entry *log = path_log(b->process, lane, RAW_SPAN_WAY_LOG, UINT64_MAX, &entries);
	take_log(b, log, entries);
}

/* The estimated work of calls that had not returned belongs to the site that created their thread. */
static void take_running(struct build *b, const struct path *path)
{
	struct path_running *list;
	size_t count = path_running(b->process, &list);
	for (size_t i = 0; i < count; i++) {
		struct tally *tally = list[i].site == PATH_NO_SITE ? NULL : tally_of(b, list[i].site);
		if (!tally)
			continue;
		b->spans->running++;
		b->spans->open_work += list[i].open;
		span_add(&tally->sums[SPANS_ON_WORK][SPAN_LOCAL], 0, list[i].open, list[i].open);
		if (list[i].lane == path->lane)
			span_add(&tally->sums[SPANS_ON_SPAN][SPAN_LOCAL], 0, list[i].open, list[i].open);
	}
	b->spans->open_span = path->open;
	free(list);
}

static void take_path(struct build *b, bool is_under)
{
	struct path path = path_longest(b->process);
	struct spans *s = b->spans;
	if (!path.kept)
		return;
	s->program_span = path.span;
	s->burdened_span = path.kept->burdened_span > path.span ? path.kept->burdened_span : path.span;
	if (is_under)
		return;
	if (path.through_running)
		take_way(b, path.lane);
	find_log(b, path.lane, path.kept->log_number, path.kept->end);
	take_running(b, &path);
}

static void take_under(struct build *b, const struct raw_table *table)
{
	size_t rows;
	const struct raw_span_under *under = raw_table_rows(table, &rows);
	if (!rows)
		return;
	b->spans->under_count += under->count;
	b->spans->work += under->work;
	b->spans->span += under->span;
	b->spans->burdened_span += under->burdened_span;
	find_log(b, table->lane, RAW_SPAN_UNDER_LOG, under->log_bytes);
}

static void take_process(struct build *b)
{
	const struct session_process *p = b->process;
	struct spans *s = b->spans;
	bool is_under = *s->under;
	const struct raw_table *table;
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		if ((table = path_table(r, RAW_SPAN_SITES)))
			take_sites(b, table);
		else if ((table = path_table(r, RAW_SPAN_TARGETS)))
			take_targets(b, table);
	}
	take_path(b, is_under);
	s->program_work = path_work(p) + s->open_work;
	if (!is_under) {
		s->work = s->program_work;
		s->span = s->program_span;
		return;
	}
	s->burdened_span = 0;
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r))
		if ((table = path_table(r, RAW_SPAN_UNDER)))
			take_under(b, table);
}

/* ---- from tallies to sites ---- */

/* A thread's work belongs to the site that created the thread, without a call there: a tally may have work, but no
 * count. */
static bool is_empty(const struct tally *tally)
{
	for (int profile = 0; profile < SPANS_PROFILES; profile++)
		for (int measure = 0; measure < SPAN_MEASURES; measure++) {
			const struct span_sum *sum = &tally->sums[profile][measure];
			if (sum->count || sum->work || sum->span)
				return false;
		}
	return true;
}

static int64_t real_time(const struct build *b, const struct tally *tally)
{
	uint64_t count = tally->sums[SPANS_ON_WORK][SPAN_LOCAL].count, timed = count / SPAN_TIMED_EACH + (count % SPAN_TIMED_EACH != 0);
	if (!tally->ticks || !timed)
		return SPANS_UNKNOWN;
	return (int64_t)session_ns(b->process, number_count((double)tally->ticks / (double)timed * (double)count));
}

/* Creating a thread is a spawn, although the function that does so is foreign. */
static enum spans_kind kind_of(const struct table_site *site)
{
	bool creates = site->flags & TABLE_FOREIGN &&
		(strcmp(site->callee_name, "pthread_create") == 0 || strcmp(site->callee_name, "thrd_create") == 0);
	return site->flags & TABLE_SPAWN || creates ? SPANS_SPAWN : site->flags & TABLE_LOOP ? SPANS_LOOP : SPANS_CALL;
}

static void add_site(struct build *b, const struct session_table *t, const struct table_site *from, struct tally *tally)
{
	struct spans *s = b->spans;
	bool foreign = from->flags & TABLE_FOREIGN;
	MEMORY_GROW(s->sites, s->site_count, s->site_room);
	struct spans_site *site = &s->sites[s->site_count++];
	tally->site = s->site_count;
	*site = (struct spans_site){
		.caller = from->flags & TABLE_START ? RUN_OUTSIDE : t->routines[from->caller],
		.callee = from->callee == TABLE_NO_ROUTINE ? RUN_NOWHERE : t->routines[from->callee],
		.callee_name = names_demangle(&s->pool, pool_text(&s->pool, from->callee_name)),
		.file = pool_text(&s->pool, from->file),
		.line = from->line,
		.column = from->column,
		.kind = kind_of(from),
		.foreign = foreign,
		.inlined = from->flags & TABLE_INLINED,
		.real_ns = foreign ? real_time(b, tally) : SPANS_UNKNOWN,
		.place = tally->place,
		.iterations = from->flags & TABLE_LOOP ? tally->ticks : 0,
	};
	memcpy(site->sums, tally->sums, sizeof site->sums);
	for (int profile = 0; from->flags & TABLE_LEAF && profile < SPANS_PROFILES; profile++)
		site->sums[profile][SPAN_TOP_SITE] = site->sums[profile][SPAN_LOCAL];
	for (int profile = 0; from->flags & TABLE_ONCE && profile < SPANS_PROFILES; profile++)
		site->sums[profile][SPAN_TOP_CALLER] = site->sums[profile][SPAN_TOP_SITE];
}

/* The routines that were called: callees and callers of executed sites, and routines without a site, such as a
 * thread's function. */
static void count_atomics(struct build *b, const struct table *t, const struct tally *tallies)
{
	bool *called = memory_zeroed(t->routine_count, sizeof *called), *named = memory_zeroed(t->routine_count, sizeof *named);
	for (size_t i = 0; i < t->site_count; i++) {
		const struct table_site *site = &t->sites[i];
		bool was = !is_empty(&tallies[i]);
		called[site->caller] |= was;
		if (site->callee != TABLE_NO_ROUTINE) {
			named[site->callee] = true;
			called[site->callee] |= was;
		}
	}
	for (size_t i = 0; i < t->routine_count; i++)
		b->spans->atomic_routines += (called[i] || !named[i]) && t->routines[i].atomic;
	free(called);
	free(named);
}

static void add_table(struct build *b, const struct session_table *t, struct tally *tallies)
{
	for (size_t i = 0; i < t->table.site_count; i++)
		if (!is_empty(&tallies[i]))
			add_site(b, t, &t->table.sites[i], &tallies[i]);
	count_atomics(b, &t->table, tallies);
}

/* ---- options of the recording ---- */

static const char *clock_name(const struct session *session)
{
	static const char *const names[] = {[RAW_CLOCK_INSN] = "insn", [RAW_CLOCK_TSC] = "tsc", [RAW_CLOCK_NS] = "ns"};
	uint32_t clock = session->processes[0].raw.file.span_clock;
	const char *event = session_plan_setting(&session->plan, SESSION_CLOCK);
	return clock < sizeof names / sizeof *names ? names[clock] : clock == RAW_CLOCK_EVENT && *event ? event : "event";
}

static uint64_t cores_of(const struct session_plan *plan)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned long long cores = strtoull(session_plan_setting(plan, SESSION_CORES), NULL, 10);
	return cores && cores < 1000000 ? cores : online > 0 ? (uint64_t)online : 1;
}

static bool is_sane(double value)
{
	return value >= 0 && value < 0x1p62;
}

static void add_what_if(struct spans *s, const char *site, double factor, const struct raw_span_what_if *row)
{
	if (!is_sane(factor) || !is_sane(row->work) || !is_sane(row->span))
		return;
	MEMORY_GROW(s->what_ifs, s->what_if_count, s->what_if_room);
	s->what_ifs[s->what_if_count++] = (struct spans_what_if){site, factor, row->work, row->span};
}

/* Sites are lines of one setting, factors words of another, results rows of one table, all in the same order. */
static void take_what_ifs(struct build *b)
{
	struct spans *s = b->spans;
	char *sites = pool_text(&s->pool, session_plan_setting(&b->session->plan, SESSION_WHAT_IF_SITES));
	const char *factors = session_plan_setting(&b->session->plan, SESSION_WHAT_IF);
	for (const struct raw_record *r = raw_first(&b->process->raw); r; r = raw_next(&b->process->raw, r)) {
		const struct raw_table *table = path_table(r, RAW_SPAN_WHAT_IF);
		size_t rows = 0;
		const struct raw_span_what_if *row = table ? raw_table_rows(table, &rows) : NULL;
		for (size_t i = 0; i < rows && sites && *sites; i++) {
			char *after;
			double factor = strtod(factors, &after);
			factors = after;
			add_what_if(s, strsep(&sites, "\n"), factor, &row[i]);
		}
	}
}

/* Two threads may have given one name two numbers. */
static void take_region(struct build *b, const struct span_region *row)
{
	struct spans *s = b->spans;
	const struct run *run = &b->session->run;
	uint32_t routine = session_routine(b->session, b->process, row->routine);
	const struct run_routine *named = &run->routines[routine];
	struct spans_region *to = NULL;
	for (size_t i = 0; !to && i < s->region_count; i++)
		if (strcmp(s->regions[i].name, named->linkage) == 0)
			to = &s->regions[i];
	if (!to) {
		MEMORY_GROW(s->regions, s->region_count, s->region_room);
		to = &s->regions[s->region_count++];
		*to = (struct spans_region){.name = pool_text(&s->pool, named->linkage),
		                            .file = pool_text(&s->pool, named->file),
		                            .line = named->line};
	}
	to->begun += row->begun;
	to->count += row->count;
	to->work += row->work;
	to->span += row->span;
	to->burdened_span += row->burdened_span;
}

static int by_name(const void *a, const void *b)
{
	const struct spans_region *x = a, *y = b;
	return strcmp(x->name, y->name);
}

static void take_regions(struct build *b)
{
	struct spans *s = b->spans;
	for (const struct raw_record *r = raw_first(&b->process->raw); r; r = raw_next(&b->process->raw, r)) {
		const struct raw_table *table = path_table(r, RAW_SPAN_REGIONS);
		size_t rows = 0;
		const struct span_region *row = table ? raw_table_rows(table, &rows) : NULL;
		for (size_t i = 0; i < rows; i++)
			take_region(b, &row[i]);
	}
	if (s->region_count)
		qsort(s->regions, s->region_count, sizeof *s->regions, by_name);
}

static int by_place(const void *a, const void *b)
{
	const struct spans_site *x = *(const struct spans_site *const *)a, *y = *(const struct spans_site *const *)b;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Merged sites have left gaps in the numbers. */
static void number_places(struct spans *s)
{
	struct spans_site **list = memory_resize(NULL, s->site_count, sizeof *list);
	size_t count = 0;
	for (size_t i = 0; i < s->site_count; i++)
		if (s->sites[i].place)
			list[count++] = &s->sites[i];
	if (count)
		qsort(list, count, sizeof *list, by_place);
	for (size_t i = 0; i < count; i++)
		list[i]->place = (uint32_t)i + 1;
	free(list);
}

/* Totals of a process that was killed: the invocations that had ended, and the path through them. The way to the create of a thread
 * may have more of a site than that: invocations that were open at the create. */
static void sum_up_the_killed(struct spans *s)
{
	s->work = s->span = 0;
	for (size_t i = 0; i < s->site_count; i++) {
		struct span_sum *on_work = &s->sites[i].sums[SPANS_ON_WORK][SPAN_LOCAL];
		if (on_work->work < s->sites[i].sums[SPANS_ON_SPAN][SPAN_LOCAL].span)
			on_work->work = on_work->span = s->sites[i].sums[SPANS_ON_SPAN][SPAN_LOCAL].span;
		s->work += s->sites[i].sums[SPANS_ON_WORK][SPAN_LOCAL].work;
		s->span += s->sites[i].sums[SPANS_ON_SPAN][SPAN_LOCAL].span;
	}
	s->burdened_span = s->program_span = s->span;
	s->program_work = s->work;
}

/* Sites add up to the program, unless a signal came between two steps of a hook and its handler ran profiled code, or left by a jump. */
static void note_differences(struct session *session, const struct spans *s)
{
	struct pool *pool = &session->run.pool;
	uint64_t work = 0, span = 0;
	for (size_t i = 0; i < s->site_count; i++) {
		work += s->sites[i].sums[SPANS_ON_WORK][SPAN_LOCAL].work;
		span += s->sites[i].sums[SPANS_ON_SPAN][SPAN_LOCAL].span;
	}
	if (s->site_count && (work != s->work || span != s->span))
		run_note(
			&session->run,
			"Sites add up to a work of %s, not %s, and to a span of %s, not %s: signal handlers that run profiled code, or jump, make figures less exact.",
			text_count(pool, (int64_t)work), text_count(pool, (int64_t)s->work), text_count(pool, (int64_t)span),
			text_count(pool, (int64_t)s->span));
}

/* The hooks of a spawn, a loop or a lock count nothing but their site. Threads are counted apart. */
static void count_events(struct spans *s)
{
	uint64_t counts[SPANS_KINDS] = {0};
	for (size_t i = 0; i < s->site_count; i++) {
		const struct spans_site *site = &s->sites[i];
		uint64_t count = site->sums[SPANS_ON_WORK][SPAN_LOCAL].count;
		enum spans_wait wait = spans_wait(site);
		counts[site->kind] += site->foreign ? 0 : count;
		s->events[RAW_SPAN_LOCKS] += wait == SPANS_LOCK ? count : 0;
		s->events[RAW_SPAN_CONDITIONS] += wait == SPANS_CONDITION ? count : 0;
	}
	if (counts[SPANS_SPAWN])
		s->events[RAW_SPAN_SPAWNS] = counts[SPANS_SPAWN];
	if (counts[SPANS_LOOP])
		s->events[RAW_SPAN_LOOPS] = counts[SPANS_LOOP];
}

void spans_build(struct session *session, struct spans *spans)
{
	memset(spans, 0, sizeof *spans);
	struct build b = {.session = session, .process = &session->processes[0], .spans = spans};
	b.tallies = memory_zeroed(session->table_count, sizeof *b.tallies);
	spans->run = &session->run;
	spans->under = pool_text(&spans->pool, session_plan_setting(&session->plan, SESSION_UNDER_SITE));
	spans->clock = pool_text(&spans->pool, clock_name(session));
	spans->cores = cores_of(&session->plan);
	spans->burden = b.process->raw.file.span_burden;
	memcpy(spans->events, b.process->raw.file.span_events, sizeof spans->events);
	places_start(&b.names, session);
	places_process(&b.names, &b.process->raw);
	take_process(&b);
	places_free(&b.names);
	for (size_t i = 0; i < session->table_count; i++)
		if (b.tallies[i] && strcmp(session->plan.mode, MODE_WHOLE) != 0) /* the few rows of that mode do not add up */
			add_table(&b, &session->tables[i], b.tallies[i]);
	add_targets(&b);
	for (size_t i = 0; i < session->table_count; i++)
		free(b.tallies[i]);
	free(b.tallies);
	spans_sort(spans);
	number_places(spans);
	take_what_ifs(&b);
	take_regions(&b);
	count_events(spans);
	if (!session_is_finished(b.process) && !*spans->under)
		sum_up_the_killed(spans);
	else if (!*spans->under)
		note_differences(session, spans);
	for (size_t i = 1; i < session->process_count; i++)
		spans->other_work += path_work(&session->processes[i]);
	if (b.unknown)
		run_note(&session->run, "Some figures are left out: no table of this build names their call sites.");
}
