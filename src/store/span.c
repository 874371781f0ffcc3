/* SPDX-License-Identifier: MIT */
/* span.c: the rows of the span lens, to and from a recording. */
#include <stdlib.h>
#include <string.h>

#include "store/file.h"
#include "store/store.h"

/* ---- saving ---- */

static void save_total(struct sql *sql, const struct spans *s, int64_t id)
{
	sql_do(sql, "INSERT INTO span_total VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	       "iiiiiititiiiiiiiiiiiiii", id, store_whole(s->work), store_whole(s->span), store_whole(s->burdened_span),
	       store_whole(s->program_work), store_whole(s->program_span), s->under, store_whole(s->under_count), s->clock,
	       store_whole(s->burden), store_whole(s->cores), store_whole(s->events[RAW_SPAN_SPAWNS]),
	       store_whole(s->events[RAW_SPAN_TASKS]), store_whole(s->events[RAW_SPAN_LOOPS]), store_whole(s->events[RAW_SPAN_THREADS]),
	       store_whole(s->events[RAW_SPAN_JOINED]), store_whole(s->events[RAW_SPAN_LOCKS]), store_whole(s->events[RAW_SPAN_CONDITIONS]),
	       store_whole(s->atomic_routines), store_whole(s->other_work), store_whole(s->running), store_whole(s->open_work),
	       store_whole(s->open_span));
}

/* Saves rows in the order of the table's key, so that SQLite only appends. */
static void save_sums(struct sql *sql, const struct spans_site *site, int64_t id, int64_t number)
{
	for (int profile = SPANS_PROFILES - 1; profile >= 0; profile--)
		for (int measure = 0; measure < SPAN_MEASURES; measure++) {
			const struct span_sum *sum = &site->sums[profile][measure];
			if (sum->count || sum->work || sum->span)
				sql_do(sql, "INSERT INTO span_sum VALUES (?, ?, ?, ?, ?, ?, ?)", "iittiii", id, number,
				       spans_profile_names[profile], spans_measure_names[measure], store_whole(sum->count),
				       store_whole(sum->work), store_whole(sum->span));
		}
}

static void save_sites(struct sql *sql, const struct spans *s, int64_t id, const uint32_t *map)
{
	for (size_t i = 0; i < s->site_count; i++) {
		const struct spans_site *site = &s->sites[i];
		sql_do(sql, "INSERT INTO span_site VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iitiiiutttui", id, (int64_t)i, site->file,
		       (int64_t)site->line, (int64_t)site->column, (int64_t)map[site->caller],
		       site->callee == RUN_NOWHERE ? INT64_C(-1) : (int64_t)map[site->callee], site->callee_name,
		       spans_kind_names[site->kind],
		       site->foreign           ? (site->inlined ? "fi" : "f")
		               : site->inlined ? "i"
		                               : "",
		       site->real_ns == SPANS_UNKNOWN ? INT64_C(-1) : store_whole((uint64_t)site->real_ns), store_whole(site->iterations));
	}
	for (size_t i = 0; i < s->site_count; i++)
		save_sums(sql, &s->sites[i], id, (int64_t)i);
	for (size_t i = 0; i < s->site_count; i++)
		if (s->sites[i].place)
			sql_do(sql, "INSERT INTO span_path VALUES (?, ?, ?)", "iii", id, (int64_t)s->sites[i].place, (int64_t)i);
}

static void save_targets(struct sql *sql, const struct spans *s, int64_t id, const uint32_t *map)
{
	for (size_t i = 0; i < s->target_count; i++) {
		const struct spans_target *t = &s->targets[i];
		sql_do(sql, "INSERT INTO span_target VALUES (?, ?, ?, ?, ?)", "iiiui", id, (int64_t)t->site,
		       (int64_t)(i - s->sites[t->site].first_target), t->routine == RUN_NOWHERE ? INT64_C(-1) : (int64_t)map[t->routine],
		       store_whole(t->count));
	}
}

static void save_span(struct sql *sql, const void *data)
{
	const struct spans *s = data;
	uint32_t *map;
	int64_t id = store_save_run(sql, s->run, 0, &map);
	save_total(sql, s, id);
	save_sites(sql, s, id, map);
	save_targets(sql, s, id, map);
	for (size_t i = 0; i < s->what_if_count; i++) {
		const struct spans_what_if *w = &s->what_ifs[i];
		sql_do(sql, "INSERT INTO span_what_if VALUES (?, ?, ?, ?, ?, ?)", "iitrrr", id, (int64_t)i, w->site, w->factor, w->work,
		       w->span);
	}
	for (size_t i = 0; i < s->region_count; i++) {
		const struct spans_region *r = &s->regions[i];
		sql_do(sql, "INSERT INTO span_region VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", "ittiiiiii", id, r->name, r->file,
		       (int64_t)r->line, store_whole(r->begun), store_whole(r->count), store_whole(r->work), store_whole(r->span),
		       store_whole(r->burdened_span));
	}
	free(map);
}

int store_save_span(const char *path, const struct spans *spans, char aside[PATH_MAX], struct fail *why)
{
	return store_write(path, &(struct store_content){spans->run, spans, save_span}, aside, why);
}

/* ---- loading ---- */

/* The index of a name in a list, or a fault and 0. */
static int name_of(struct sql *sql, const char *text, const char *const *names, int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(names[i], text) == 0)
			return i;
	sql_fault(sql, "a kind, profile or measure has an unknown name");
	return 0;
}

static void load_total(struct sql *sql, struct spans *s, int64_t id)
{
	size_t found = 0;
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT work, span, burdened_span, program_work, program_span, under, under_count, clock, burden, cores, spawns, tasks, loops, threads,"
		     " joined, locks, conditions, atomic_routines, other_work, running, open_work, open_span FROM span_total WHERE run = ?",
		     "i", id);
	     sql_next(&rows);) {
		s->work = sql_count(&rows, 0);
		s->span = sql_count(&rows, 1);
		s->burdened_span = sql_count(&rows, 2);
		s->program_work = sql_count(&rows, 3);
		s->program_span = sql_count(&rows, 4);
		s->under = pool_text(&s->pool, sql_text(&rows, 5));
		s->under_count = sql_count(&rows, 6);
		s->clock = pool_text(&s->pool, sql_text(&rows, 7));
		s->burden = sql_count(&rows, 8);
		s->cores = sql_count(&rows, 9);
		for (int event = 0; event < RAW_SPAN_EVENTS; event++)
			s->events[event] = sql_count(&rows, 10 + event);
		s->atomic_routines = sql_count(&rows, 17);
		s->other_work = sql_count(&rows, 18);
		s->running = sql_count(&rows, 19);
		s->open_work = sql_count(&rows, 20);
		s->open_span = sql_count(&rows, 21);
		found++;
	}
	if (id >= 0 && (found != 1 || s->cores == 0))
		sql_fault(sql, "a run of the span lens has no totals");
}

static void load_sites(struct sql *sql, const struct run *run, struct spans *s, int64_t id)
{
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT site, file, line, column, caller, callee, callee_name, kind, flags, real_ns, iterations FROM span_site WHERE run = ? ORDER BY site",
		     "i", id);
	     sql_next(&rows);) {
		if (sql_int(&rows, 0) != (int64_t)s->site_count)
			sql_fault(sql, "its sites are not numbered in order");
		MEMORY_GROW(s->sites, s->site_count, s->site_room);
		s->sites[s->site_count++] = (struct spans_site){
			.file = pool_text(&s->pool, sql_text(&rows, 1)),
			.line = sql_index(&rows, 2, UINT32_MAX),
			.column = sql_index(&rows, 3, UINT32_MAX),
			.caller = sql_index(&rows, 4, run->routine_count),
			.callee = sql_is_null(&rows, 5) ? RUN_NOWHERE : sql_index(&rows, 5, run->routine_count),
			.callee_name = pool_text(&s->pool, sql_text(&rows, 6)),
			.kind = (enum spans_kind)name_of(sql, sql_text(&rows, 7), spans_kind_names, SPANS_KINDS),
			.foreign = strchr(sql_text(&rows, 8), 'f') != NULL,
			.inlined = strchr(sql_text(&rows, 8), 'i') != NULL,
			.real_ns = sql_measure(&rows, 9),
			.iterations = sql_count(&rows, 10),
		};
	}
}

static void load_sums(struct sql *sql, struct spans *s, int64_t id)
{
	for (struct sql_rows rows = sql_ask(sql, "SELECT site, profile, measure, count, work, span FROM span_sum WHERE run = ?", "i", id);
	     sql_next(&rows);) {
		uint32_t site = sql_index(&rows, 0, s->site_count);
		int profile = name_of(sql, sql_text(&rows, 1), spans_profile_names, SPANS_PROFILES),
		    measure = name_of(sql, sql_text(&rows, 2), spans_measure_names, SPAN_MEASURES);
		if (!sql->bad)
			s->sites[site].sums[profile][measure] =
				(struct span_sum){sql_count(&rows, 3), sql_count(&rows, 4), sql_count(&rows, 5)};
	}
	for (struct sql_rows rows = sql_ask(sql, "SELECT site, place FROM span_path WHERE run = ?", "i", id); sql_next(&rows);) {
		uint32_t site = sql_index(&rows, 0, s->site_count), place = sql_index(&rows, 1, UINT32_MAX);
		if (!sql->bad)
			s->sites[site].place = place;
	}
}

static void load_targets(struct sql *sql, const struct run *run, struct spans *s, int64_t id)
{
	for (struct sql_rows rows = sql_ask(sql, "SELECT site, target, count FROM span_target WHERE run = ? ORDER BY site, place", "i", id);
	     sql_next(&rows);) {
		struct spans_target t = {sql_index(&rows, 0, s->site_count),
		                         sql_is_null(&rows, 1) ? RUN_NOWHERE : sql_index(&rows, 1, run->routine_count),
		                         sql_count(&rows, 2)};
		if (sql->bad)
			continue;
		MEMORY_GROW(s->targets, s->target_count, s->target_room);
		s->targets[s->target_count++] = t;
	}
}

static void load_what_ifs(struct sql *sql, struct spans *s, int64_t id)
{
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT site, factor, work, span FROM span_what_if WHERE run = ? ORDER BY what_if", "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(s->what_ifs, s->what_if_count, s->what_if_room);
		s->what_ifs[s->what_if_count++] = (struct spans_what_if){pool_text(&s->pool, sql_text(&rows, 0)), sql_real(&rows, 1),
		                                                         sql_real(&rows, 2), sql_real(&rows, 3)};
	}
}

static void load_regions(struct sql *sql, struct spans *s, int64_t id)
{
	for (struct sql_rows rows = sql_ask(
		     sql, "SELECT name, file, line, begun, count, work, span, burdened_span FROM span_region WHERE run = ? ORDER BY name",
		     "i", id);
	     sql_next(&rows);) {
		MEMORY_GROW(s->regions, s->region_count, s->region_room);
		s->regions[s->region_count++] = (struct spans_region){
			.name = pool_text(&s->pool, sql_text(&rows, 0)),
			.file = pool_text(&s->pool, sql_text(&rows, 1)),
			.line = sql_index(&rows, 2, UINT32_MAX),
			.begun = sql_count(&rows, 3),
			.count = sql_count(&rows, 4),
			.work = sql_count(&rows, 5),
			.span = sql_count(&rows, 6),
			.burdened_span = sql_count(&rows, 7),
		};
	}
}

int store_load_span(struct store *store, struct run *run, struct spans *spans, struct fail *why)
{
	struct sql *sql = &store->sql;
	run_start(run);
	memset(spans, 0, sizeof *spans);
	spans->run = run;
	spans->under = spans->clock = "";
	int64_t id = store_load_run(store, run, "span");
	load_total(sql, spans, id);
	load_sites(sql, run, spans, id);
	load_sums(sql, spans, id);
	load_targets(sql, run, spans, id);
	load_what_ifs(sql, spans, id);
	load_regions(sql, spans, id);
	spans_sort(spans);
	if (id >= 0 && !sql->bad)
		return 0;
	spans_free(spans);
	run_free(run);
	return store_load_failed(store, "span", why);
}
