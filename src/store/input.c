/* SPDX-License-Identifier: MIT */
/* input.c: the rows of the input lens, to and from a recording. A recording holds any number of runs of this lens,
 * which are read as one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/file.h"
#include "store/store.h"

enum { KERNEL = -1, OTHERS = -2 }; /* writers that are not threads */
#define MOST_NORM 0x1p61

/* ---- saving ---- */

static void save_hows(struct sql *sql, const struct inputs *s, int64_t id)
{
	for (size_t i = 0; i < s->run->process_count; i++) {
		const struct raw_input_how *h = &s->hows[i];
		sql_do(sql, "INSERT INTO input_how VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiiiiiiiiiiiii", id,
		       (int64_t)i, (int64_t)h->producer, (int64_t)h->cost, (int64_t)h->options, (int64_t)h->cell_bytes,
		       (int64_t)h->sizes_max, store_whole(h->reads), store_whole(h->writes), store_whole(h->kernel_reads),
		       store_whole(h->kernel_writes), store_whole(h->switches), store_whole(h->renumberings), store_whole(h->forgotten),
		       store_whole(h->binned), store_whole(h->cut), store_whole(h->unseen));
	}
}

static void save_points(struct sql *sql, const struct inputs *s, int64_t id)
{
	for (size_t i = 0; i < s->point_count; i++) {
		const struct inputs_point *p = &s->points[i];
		const struct run_thread *thread = &s->run->threads[p->thread];
		sql_do(sql, "INSERT INTO input_point VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiiiiiiiiiriiii",
		       id, (int64_t)p->context, (int64_t)thread->process, (int64_t)thread->number, (int64_t)p->set, (int64_t)p->metrics,
		       (int64_t)p->bits, store_whole(p->size), store_whole(p->size_sum), store_whole(p->calls), store_whole(p->cost_min),
		       store_whole(p->cost_max), store_whole(p->cost_sum), fmin(sqrt(p->squares), MOST_NORM),
		       store_whole(p->cost_outermost), store_whole(p->self_sum), store_whole(p->thread_induced), store_whole(p->external));
	}
}

static int64_t writer_number(const struct run *run, uint32_t writer)
{
	return writer == INPUTS_KERNEL ? KERNEL : writer == INPUTS_OTHERS ? OTHERS : (int64_t)run->threads[writer].number;
}

static void save_input(struct sql *sql, const void *data)
{
	const struct inputs *s = data;
	uint32_t *map;
	int64_t id = store_save_run(sql, s->run, 0, &map);
	save_hows(sql, s, id);
	for (size_t i = 0; i < s->context_count; i++)
		sql_do(sql, "INSERT INTO input_context VALUES (?, ?, ?, ?)", "iiii", id, (int64_t)i, (int64_t)s->contexts[i].parent,
		       (int64_t)map[s->contexts[i].routine]);
	for (size_t i = 1; i < s->set_count; i++)
		for (uint32_t k = 0; k < s->sets[i].count; k++)
			sql_do(sql, "INSERT INTO input_chosen VALUES (?, ?, ?)", "iii", id, (int64_t)i,
			       (int64_t)map[s->sets[i].routines[k]]);
	save_points(sql, s, id);
	for (size_t i = 0; i < s->source_count; i++) {
		const struct run_thread *reader = &s->run->threads[s->sources[i].reader];
		sql_do(sql, "INSERT INTO input_matrix VALUES (?, ?, ?, ?, ?)", "iiiii", id, (int64_t)reader->process,
		       (int64_t)reader->number, writer_number(s->run, s->sources[i].writer), store_whole(s->sources[i].cells));
	}
	free(map);
}

int store_save_input(const char *path, const struct inputs *inputs, char aside[PATH_MAX], struct fail *why)
{
	return store_write(path, &(struct store_content){inputs->run, inputs, save_input}, aside, why);
}

/* ---- loading ---- */

/* A run that is being read: the index of its first process and thread in the whole, and the new indices of its
 * contexts. */
struct part {
	struct sql *sql;
	struct inputs *inputs;
	int64_t id;
	struct inputs_run *at;
	uint32_t *contexts;
	size_t context_count, context_room;
	uint32_t *sets; /* new numbers of sets */
	size_t set_count, set_room;
};

static struct raw_input_how how_in(const struct sql_rows *rows)
{
	return (struct raw_input_how){
		.producer = sql_index(rows, 1, RAW_INPUT_COMPILED + 1),
		.cost = sql_index(rows, 2, RAW_INPUT_INSTRUCTIONS + 1),
		.options = sql_index(rows, 3, UINT32_MAX),
		.cell_bytes = sql_index(rows, 4, UINT32_MAX),
		.sizes_max = sql_index(rows, 5, UINT32_MAX),
		.reads = sql_count(rows, 6),
		.writes = sql_count(rows, 7),
		.kernel_reads = sql_count(rows, 8),
		.kernel_writes = sql_count(rows, 9),
		.switches = sql_count(rows, 10),
		.renumberings = sql_count(rows, 11),
		.forgotten = sql_count(rows, 12),
		.binned = sql_count(rows, 13),
		.cut = sql_count(rows, 14),
		.unseen = sql_count(rows, 15),
	};
}

static struct sql_rows ask_hows(struct sql *sql, int64_t id)
{
	return sql_ask(
		sql,
		"SELECT process, producer, cost, options, cell_bytes, sizes_max, reads, writes, kernel_reads, kernel_writes, switches, renumberings, forgotten, binned, cut,"
		" unseen FROM input_how WHERE run = ? ORDER BY process",
		"i", id);
}

/* How a run was made, by its last process that has a record of it. */
static struct raw_input_how how_of(struct sql *sql, int64_t id)
{
	struct raw_input_how how = {0};
	for (struct sql_rows rows = ask_hows(sql, id); sql_next(&rows);)
		if (sql_int(&rows, 4))
			how = how_in(&rows);
	return how;
}

static void load_hows(struct part *p)
{
	struct inputs *s = p->inputs;
	size_t next = 0;
	s->hows = memory_resize(s->hows, s->run->process_count ? s->run->process_count : 1, sizeof *s->hows);
	memset(s->hows + p->at->first_process, 0, p->at->processes * sizeof *s->hows);
	for (struct sql_rows rows = ask_hows(p->sql, p->id); sql_next(&rows); next++) {
		if (next >= p->at->processes || sql_int(&rows, 0) != (int64_t)next) {
			sql_fault(p->sql, "its processes do not match those of the run");
			continue;
		}
		s->hows[p->at->first_process + next] = how_in(&rows);
		s->has_contexts |= (s->hows[p->at->first_process + next].options & RAW_INPUT_HAS_CONTEXTS) != 0;
	}
}

static void load_contexts(struct part *p)
{
	for (struct sql_rows rows =
	             sql_ask(p->sql, "SELECT context, parent, routine FROM input_context WHERE run = ? ORDER BY context", "i", p->id);
	     sql_next(&rows);) {
		size_t number = p->context_count;
		uint32_t parent = number ? sql_index(&rows, 1, number) : 0, routine = sql_index(&rows, 2, p->inputs->run->routine_count);
		if (sql_int(&rows, 0) != (int64_t)number || (number == 0) != (routine == RUN_OUTSIDE && sql_int(&rows, 0) == 0))
			sql_fault(p->sql, "its contexts are not numbered in order");
		if (p->sql->bad)
			continue;
		MEMORY_GROW(p->contexts, p->context_count, p->context_room);
		p->contexts[p->context_count++] = number ? inputs_context(p->inputs, p->contexts[parent], routine) : 0;
	}
}

static void end_set(struct part *p, const struct inputs_set *set)
{
	MEMORY_GROW(p->sets, p->set_count, p->set_room);
	p->sets[p->set_count++] = inputs_set(p->inputs, set);
}

static void load_sets(struct part *p)
{
	struct inputs_set set = {0};
	end_set(p, &set);
	for (struct sql_rows rows =
	             sql_ask(p->sql, "SELECT chosen, routine FROM input_chosen WHERE run = ? ORDER BY chosen, routine", "i", p->id);
	     sql_next(&rows);) {
		int64_t number = sql_int(&rows, 0);
		uint32_t routine = sql_index(&rows, 1, p->inputs->run->routine_count);
		if (set.count && number == (int64_t)p->set_count + 1) {
			end_set(p, &set);
			set.count = 0;
		}
		if (number != (int64_t)p->set_count)
			sql_fault(p->sql, "its sets of functions are not numbered in order");
		if (!p->sql->bad)
			inputs_set_add(&set, routine);
	}
	if (set.count)
		end_set(p, &set);
}

static int thread_order(const void *a, const void *b)
{
	const struct run_thread *x = a, *y = b;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* The index of a thread by its process and number in the file. */
static uint32_t thread_of(const struct part *p, int64_t process, int64_t number)
{
	const struct run_thread *threads = p->inputs->run->threads + p->at->first_thread;
	if (process >= 0 && process < p->at->processes && number >= 0 && number < UINT32_MAX && p->at->threads) {
		struct run_thread key = {.process = p->at->first_process + (uint32_t)process, .number = (uint32_t)number};
		const struct run_thread *at = bsearch(&key, threads, p->at->threads, sizeof key, thread_order);
		if (at)
			return (uint32_t)(at - p->inputs->run->threads);
	}
	sql_fault(p->sql, "a row refers to a thread that does not exist");
	return 0;
}

static void load_points(struct part *p)
{
	for (struct sql_rows rows = sql_ask(
		     p->sql,
		     "SELECT context, process, thread, chosen, metrics, bits, size, size_sum, calls, cost_min, cost_max, cost_sum, cost_norm, cost_outermost, self_sum,"
		     " thread_induced, external FROM input_point WHERE run = ?",
		     "i", p->id);
	     sql_next(&rows);) {
		uint32_t context = sql_index(&rows, 0, p->context_count), thread = thread_of(p, sql_int(&rows, 1), sql_int(&rows, 2));
		double norm = sql_real(&rows, 12);
		if (p->sql->bad)
			continue;
		inputs_add(p->inputs,
		           &(struct inputs_point){
				   .context = p->contexts[context],
				   .set = p->sets[sql_index(&rows, 3, p->set_count)],
				   .thread = thread,
				   .metrics = (uint16_t)sql_index(&rows, 4, 1 << INPUT_METRICS),
				   .bits = (uint16_t)sql_index(&rows, 5, 64),
				   .size = sql_count(&rows, 6),
				   .size_sum = sql_count(&rows, 7),
				   .calls = sql_count(&rows, 8),
				   .cost_min = sql_count(&rows, 9),
				   .cost_max = sql_count(&rows, 10),
				   .cost_sum = sql_count(&rows, 11),
				   .squares = norm * norm,
				   .cost_outermost = sql_count(&rows, 13),
				   .self_sum = sql_count(&rows, 14),
				   .thread_induced = sql_count(&rows, 15),
				   .external = sql_count(&rows, 16),
			   });
	}
}

static void load_matrix(struct part *p)
{
	for (struct sql_rows rows = sql_ask(p->sql, "SELECT process, reader, writer, cells FROM input_matrix WHERE run = ?", "i", p->id);
	     sql_next(&rows);) {
		int64_t writer = sql_int(&rows, 2);
		inputs_add_source(p->inputs,
		                  &(struct inputs_source){
					  .writer = writer == KERNEL ? INPUTS_KERNEL
						  : writer == OTHERS ? INPUTS_OTHERS
								     : thread_of(p, sql_int(&rows, 0), writer),
					  .reader = thread_of(p, sql_int(&rows, 0), sql_int(&rows, 1)),
					  .cells = sql_count(&rows, 3),
				  });
	}
}

static void load_one(struct sql *sql, struct inputs *s, int64_t id, const char *command, uint64_t started_real_ns)
{
	struct run *run = s->run;
	uint32_t process = (uint32_t)run->process_count, thread = (uint32_t)run->thread_count;
	store_append_run(sql, run, id);
	s->runs = memory_resize(s->runs, s->run_count + 1, sizeof *s->runs);
	struct part part = {.sql = sql, .inputs = s, .id = id, .at = &s->runs[s->run_count++]};
	*part.at = (struct inputs_run){process,
	                               (uint32_t)run->process_count - process,
	                               thread,
	                               (uint32_t)run->thread_count - thread,
	                               pool_text(&run->pool, command),
	                               started_real_ns};
	load_hows(&part);
	load_contexts(&part);
	load_sets(&part);
	load_points(&part);
	load_matrix(&part);
	free(part.contexts);
	free(part.sets);
}

/* Removes repeated notes: runs often have the same ones. */
static void say_once(struct run *run)
{
	size_t kept = 0;
	for (size_t i = 0; i < run->note_count; i++) {
		size_t same = 0;
		while (same < kept && strcmp(run->notes[same], run->notes[i]) != 0)
			same++;
		if (same == kept)
			run->notes[kept++] = run->notes[i];
	}
	run->note_count = kept;
}

/* All that are like the newest one, or only the one that is wanted. */
static void load_all(struct sql *sql, struct inputs *s, int64_t newest, bool alone)
{
	struct raw_input_how wanted = how_of(sql, newest);
	for (struct sql_rows rows = sql_ask(sql, "SELECT run, command, started_real_ns FROM run WHERE lens = 'input' ORDER BY run", "");
	     sql_next(&rows);) {
		struct raw_input_how how = how_of(sql, sql_int(&rows, 0));
		if (alone && sql_int(&rows, 0) != newest)
			continue;
		if (inputs_are_alike(&how, &wanted))
			load_one(sql, s, sql_int(&rows, 0), sql_text(&rows, 1), sql_count(&rows, 2));
		else
			s->runs_left_out++;
	}
}

int store_load_input(struct store *store, struct run *run, struct inputs *inputs, struct fail *why)
{
	struct sql *sql = &store->sql;
	run_start(run);
	inputs_start(inputs, run);
	int64_t newest = store_load_head(store, run, "input");
	load_all(sql, inputs, newest, newest == store->chosen);
	if (newest >= 0 && !sql->bad) {
		say_once(run);
		inputs_sort(inputs);
		return 0;
	}
	inputs_free(inputs);
	run_free(run);
	return store_load_failed(store, "input", why);
}
