/* SPDX-License-Identifier: MIT */
/* build.c: from the raw tables of the calls lens to the rows of calls.h.
 *
 * Problem: a raw row says what one worker did along one arc; a routine's profile is spread over all arcs that lead to
 * it, over lanes, and over processes whose numbers differ. Activations that were open when a process was killed have
 * not yet been added to their rows.
 * Idea: each process's rows are copied and completed in ticks (the open activations end at last_tsc, as the runtime
 * itself does at an orderly end), then each row becomes one entry row and one arc row in nanoseconds. calls_sort adds
 * up rows of equal keys. Direct time is taken per raw row, in ticks; sums
 * below zero are lifted to 0 at the end.
 * Cost: linear in rows, plus a sort.
 * Differs from the paper: direct time is net of waiting, and of tasks that a waiting activation's worker ran. An
 * activation that is outermost in its worker but recursive by ancestry (section 4.4.1, cases 3 and 4) counts in its
 * worker's elapsed time, or direct time could exceed it; nested_ns says how much of elapsed time that is. A recursive
 * call that was entered in another state than the call around it has its time in its own state (move_recursion). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/calls/calls.h"
#include "analyse/places.h"
#include "base/number.h"
#include "base/text.h"

static void add_entry(struct calls *calls, const struct calls_entry *row)
{
	MEMORY_GROW(calls->entries, calls->entry_count, calls->entry_room);
	calls->entries[calls->entry_count++] = *row;
}

/* An arc of one worker is a row of the arcs, which are over all workers, and one of its caller's callees, which are not. */
static void add_arc(struct calls *calls, uint32_t worker, const struct calls_arc_row *row)
{
	MEMORY_GROW(calls->arcs, calls->arc_count, calls->arc_room);
	calls->arcs[calls->arc_count++] = *row;
	if (row->caller == RUN_OUTSIDE)
		return;
	MEMORY_GROW(calls->callees, calls->callee_count, calls->callee_room);
	calls->callees[calls->callee_count++] = (struct calls_callee_row){.caller = row->caller,
	                                                                  .worker = worker,
	                                                                  .entry = row->entry,
	                                                                  .callee_call = row->callee_call,
	                                                                  .calls = row->calls,
	                                                                  .elapsed_ns = row->elapsed_ns,
	                                                                  .outer_ns = row->outer_ns,
	                                                                  .error_ns = row->caller == row->callee ? 0 : row->error_ns};
}

/* ---- rows with times ---- */

struct arc_list {
	struct calls_arc *rows;
	size_t count, room;
};

static void copy_rows(struct arc_list *list, const struct raw_table *table)
{
	size_t rows;
	const struct calls_arc *from = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		MEMORY_GROW(list->rows, list->count, list->room);
		list->rows[list->count++] = from[i];
	}
}

static struct calls_arc *find_row(struct arc_list *list, const struct raw_open *open)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->rows[i].caller == open->caller && list->rows[i].callee == open->callee && list->rows[i].flags == open->flags)
			return &list->rows[i];
	MEMORY_GROW(list->rows, list->count, list->room);
	list->rows[list->count] = (struct calls_arc){.caller = open->caller, .callee = open->callee, .flags = open->flags};
	return &list->rows[list->count++];
}

/* Ends the activations that were open, outermost first: each one's time is also callee time of the one below it. A
 * frame that stands for an activation in another worker is not an activation: what ran on top of it displaced the
 * activation below. */
static void end_open(struct arc_list *list, const struct raw_table *table, uint64_t now)
{
	size_t rows;
	const struct raw_open *open = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		uint64_t spent = now > open[i].start_tsc ? now - open[i].start_tsc : 0;
		bool elsewhere = open[i].flags & CALLS_ELSEWHERE;
		struct calls_arc *mine = find_row(list, &open[i]);
		if (!elsewhere) {
			mine->elapsed_ticks += spent;
			mine->outer_ticks += open[i].outer ? spent : 0;
		}
		if (i == 0)
			continue;
		struct calls_arc *below = find_row(list, &open[i - 1]);
		if (elsewhere)
			below->displaced_ticks += spent;
		else
			below->callee_ticks += spent;
	}
}

static enum calls_state state_of(uint32_t flags, uint32_t flag)
{
	return flags & flag ? STATE_CONCURRENT : STATE_SEQUENTIAL;
}

/* Where the hooks took less time than was taken off for them, a sum may lie below zero. The sum is corrected before
 * direct time is computed, so that direct time never exceeds elapsed time. */
static uint64_t at_least_0(uint64_t ticks)
{
	return (int64_t)ticks < 0 ? 0 : ticks;
}

/* Only the outermost activation has elapsed time, and has it in the state of its own entry. If its routine calls itself
 * in the other state, that call's time goes there: an instant belongs to the innermost activation of the routine. The
 * sum over both states stays what it was. */
static void move_recursion(const struct session_process *p, struct calls *calls, const struct calls_entry *callee,
                           const struct calls_arc *row)
{
	uint32_t from = state_of(row->flags, CALLS_CALLER_CONCURRENT);
	int64_t ns = session_signed_ns(p, row->elapsed_ticks - row->outer_ticks - row->nested_ticks);
	if (row->caller != row->callee || from == callee->entry || ns <= 1) /* -1 would mean unknown */
		return;
	add_entry(calls, &(struct calls_entry){.routine = callee->routine, .worker = callee->worker, .entry = from, .elapsed_ns = -ns});
	add_entry(calls,
	          &(struct calls_entry){.routine = callee->routine, .worker = callee->worker, .entry = callee->entry, .elapsed_ns = ns});
}

/* Of the time of an arc's calls, in ns: 95 % of errors are smaller. */
static int64_t error_of(const struct session_process *p, const struct calls_arc *row)
{
	return session_signed_ns(p, number_count(1.96 * sqrt((double)row->variance * CALLS_SQUARE)));
}

static void take_arc(struct session *s, const struct session_process *p, struct calls *calls, uint32_t worker,
                     const struct calls_arc *recorded)
{
	struct calls_arc settled = *recorded, *row = &settled;
	settled.elapsed_ticks = at_least_0(settled.elapsed_ticks);
	settled.outer_ticks = at_least_0(settled.outer_ticks);
	settled.nested_ticks = at_least_0(settled.nested_ticks);
	settled.callee_ticks = at_least_0(settled.callee_ticks);
	settled.displaced_ticks = at_least_0(settled.displaced_ticks);
	uint32_t callee = session_routine(s, p, row->callee);
	struct calls_entry entry = {
		.routine = callee,
		.worker = worker,
		.entry = state_of(row->flags, CALLS_CONCURRENT),
		.callee_calls = (int64_t)row->callee_calls,
	};
	if (row->flags & CALLS_ELSEWHERE) {
		entry.elsewhere_ns = (int64_t)session_ns(p, row->callee_ticks);
		if (callee != RUN_OUTSIDE && row->callee_calls)
			add_entry(calls, &entry);
		return;
	}
	entry.calls = (int64_t)row->calls;
	entry.elapsed_ns = (int64_t)session_ns(p, row->outer_ticks + row->nested_ticks);
	entry.nested_ns = (int64_t)session_ns(p, row->nested_ticks);
	entry.wait_ns = (int64_t)session_ns(p, row->wait_ticks);
	entry.direct_ns = session_signed_ns(p, row->elapsed_ticks - row->callee_ticks - row->wait_ticks - row->displaced_ticks);
	entry.displaced_ns = (int64_t)session_ns(p, row->displaced_ticks);
	entry.same_calls = (int64_t)row->same_calls;
	entry.timed_calls = (int64_t)(row->calls - at_least_0(row->skipped_calls - row->left));
	int64_t error_ns = error_of(p, row);
	entry.error_ns = row->caller == row->callee ? 0 : error_ns;
	add_entry(calls, &entry);
	move_recursion(p, calls, &entry, row);
	add_arc(calls, worker,
	        &(struct calls_arc_row){
			.caller = session_routine(s, p, row->caller),
			.callee = callee,
			.entry = state_of(row->flags, CALLS_CALLER_CONCURRENT),
			.callee_call = state_of(row->flags, CALLS_CALL_CONCURRENT),
			.arc = state_of(row->flags, CALLS_CONCURRENT),
			.calls = (int64_t)row->calls,
			.elapsed_ns = (int64_t)session_ns(p, row->elapsed_ticks),
			.same_calls = (int64_t)row->same_calls,
			.timed_calls = entry.timed_calls,
			.error_ns = error_ns,
			.outer_ns = (int64_t)session_ns(p, row->outer_ticks + row->nested_ticks),
		});
}

static const struct raw_table *as_table(const struct raw_record *record, uint32_t kind)
{
	const struct raw_table *table = (const void *)record;
	return record->type == RAW_TABLE && table->kind == kind ? table : NULL;
}

/* All tables of one lane belong together: an open activation's row may be in any of them. */
static void take_lane_times(struct session *s, const struct session_process *p, struct calls *calls, uint32_t lane)
{
	struct arc_list list = {0};
	const struct raw_table *table;
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r))
		if ((table = as_table(r, RAW_CALLS_ARCS)) && table->lane == lane)
			copy_rows(&list, table);
	if (!session_is_finished(p))
		for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r))
			if ((table = as_table(r, RAW_CALLS_OPEN)) && table->lane == lane)
				end_open(&list, table, p->last_tsc);
	for (size_t i = 0; i < list.count; i++)
		take_arc(s, p, calls, session_worker(p, lane), &list.rows[i]);
	free(list.rows);
}

/* ---- rows with counts only ---- */

static void count_call(struct calls *calls, uint32_t worker, uint32_t caller, uint32_t callee, enum calls_state state, uint64_t times)
{
	if (times == 0)
		return;
	struct calls_entry entry = {.routine = callee,
	                            .worker = worker,
	                            .entry = state,
	                            .calls = (int64_t)times,
	                            .elapsed_ns = RUN_UNKNOWN,
	                            .direct_ns = RUN_UNKNOWN,
	                            .callee_calls = RUN_UNKNOWN,
	                            .callee_ns = RUN_UNKNOWN,
	                            .wait_ns = RUN_UNKNOWN,
	                            .nested_ns = RUN_UNKNOWN,
	                            .same_calls = RUN_UNKNOWN,
	                            .timed_calls = RUN_UNKNOWN,
	                            .error_ns = RUN_UNKNOWN};
	add_entry(calls, &entry);
	if (caller != RUN_OUTSIDE) {
		entry.routine = caller;
		entry.entry = STATE_UNKNOWN;
		entry.calls = 0;
		entry.callee_calls = (int64_t)times;
		add_entry(calls, &entry);
	}
	add_arc(calls, worker,
	        &(struct calls_arc_row){.caller = caller,
	                                .callee = callee,
	                                .entry = STATE_UNKNOWN,
	                                .callee_call = STATE_UNKNOWN,
	                                .arc = state,
	                                .calls = (int64_t)times,
	                                .elapsed_ns = RUN_UNKNOWN,
	                                .same_calls = RUN_UNKNOWN,
	                                .timed_calls = RUN_UNKNOWN,
	                                .error_ns = RUN_UNKNOWN,
	                                .outer_ns = RUN_UNKNOWN});
}

static void take_site_counts(struct session *s, const struct session_process *p, struct calls *calls, const struct raw_table *table)
{
	const struct session_table *t = session_table(s, p, table->object);
	if (!t)
		return;
	size_t rows;
	const struct raw_site_count *counts = raw_table_rows(table, &rows);
	uint32_t worker = session_worker(p, table->lane);
	for (size_t i = 0; i < rows && i < t->table.site_count; i++) {
		const struct table_site *site = &t->table.sites[i];
		if (site->callee == TABLE_NO_ROUTINE)
			continue;
		uint32_t caller = t->routines[site->caller], callee = t->routines[site->callee];
		count_call(calls, worker, caller, callee, STATE_SEQUENTIAL, counts[i].sequential);
		count_call(calls, worker, caller, callee, STATE_CONCURRENT, counts[i].concurrent);
	}
}

static void take_counts(struct session *s, const struct session_process *p, struct calls *calls)
{
	const struct raw_table *table;
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		if ((table = as_table(r, RAW_CALLS_SITES)))
			take_site_counts(s, p, calls, table);
		if (!(table = as_table(r, RAW_CALLS_ARCS)))
			continue;
		size_t rows;
		const struct calls_arc *arc = raw_table_rows(table, &rows);
		for (size_t i = 0; i < rows; i++)
			if (!(arc[i].flags & CALLS_ELSEWHERE))
				count_call(calls, session_worker(p, table->lane), session_routine(s, p, arc[i].caller),
				           session_routine(s, p, arc[i].callee), state_of(arc[i].flags, CALLS_CONCURRENT), arc[i].calls);
	}
}

/* ---- snapshots ---- */

static void take_inside(struct session *s, const struct session_process *p, struct calls *calls, const struct raw_table *table)
{
	size_t rows;
	const struct raw_inside *from = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		MEMORY_GROW(calls->inside, calls->inside_count, calls->inside_room);
		calls->inside[calls->inside_count++] = (struct calls_inside){
			.routine = session_routine(s, p, from[i].routine),
			.snapshots = from[i].snapshots,
			.union_ns = session_ns(p, from[i].union_ticks),
			.same_ns = session_ns(p, from[i].same_ticks),
			.running_ns = session_ns(p, from[i].running_ticks),
			.off_cpu_ns = session_ns(p, from[i].off_cpu_ticks),
		};
	}
}

static void take_together(struct session *s, const struct session_process *p, struct calls *calls, const struct raw_table *table)
{
	size_t rows;
	const struct raw_together *from = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		uint32_t a = session_routine(s, p, from[i].routine_a), b = session_routine(s, p, from[i].routine_b);
		MEMORY_GROW(calls->together, calls->together_count, calls->together_room);
		calls->together[calls->together_count++] = (struct calls_together){
			.a = a < b ? a : b,
			.b = a < b ? b : a,
			.snapshots = from[i].snapshots,
			.ns = session_ns(p, from[i].ticks),
		};
	}
}

static void take_levels(struct session *s, const struct session_process *p, struct calls *calls, const struct raw_table *table)
{
	size_t rows;
	const struct raw_level *from = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		MEMORY_GROW(calls->levels, calls->level_count, calls->level_room);
		calls->levels[calls->level_count++] = (struct calls_level){
			.working = from[i].working,
			.routine = from[i].routine == RAW_ANY_ROUTINE ? RUN_NOWHERE : session_routine(s, p, from[i].routine),
			.snapshots = from[i].snapshots,
			.ns = session_ns(p, from[i].ticks),
		};
	}
}

static void take_snapshots(struct session *s, const struct session_process *p, struct calls *calls)
{
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct raw_table *table;
		if ((table = as_table(r, RAW_CALLS_INSIDE)))
			take_inside(s, p, calls, table);
		else if ((table = as_table(r, RAW_CALLS_TOGETHER)))
			take_together(s, p, calls, table);
		else if ((table = as_table(r, RAW_CALLS_LEVELS)))
			take_levels(s, p, calls, table);
	}
	calls->snapshots += p->raw.file.snapshots;
}

/* ---- waits ---- */

static void take_waits(struct session *s, const struct session_process *p, struct calls *calls, struct places *places)
{
	const struct raw_table *table;
	places_process(places, &p->raw);
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		size_t rows = 0;
		const struct raw_routine_wait *from = (table = as_table(r, RAW_CALLS_WAITS)) ? raw_table_rows(table, &rows) : NULL;
		for (size_t i = 0; i < rows; i++) {
			if (from[i].kind >= RAW_WAIT_KINDS || !from[i].ticks)
				continue;
			struct places_line at = places_line(places, from[i].place);
			MEMORY_GROW(calls->waits, calls->wait_count, calls->wait_room);
			calls->waits[calls->wait_count++] = (struct calls_wait){
				.routine = session_routine(s, p, from[i].routine),
				.worker = session_worker(p, table->lane),
				.kind = from[i].kind,
				.object = from[i].object == RAW_CHILD_PROCESS ? "a child process" : places_variable(places, from[i].object),
				.file = at.file,
				.line = at.line,
				.waits = from[i].waits,
				.ns = session_ns(p, from[i].ticks),
				.longest_ns = session_ns(p, from[i].longest_ticks),
			};
		}
	}
}

/* ---- times that do not fit into each other ---- */

/* Hooks sometimes cost more than what is taken off for them, and a process that was killed did things after its last
 * sign of life: direct times may be below zero by nanoseconds per call, or by some snapshot periods. More than that
 * is a fault. */
static double allowed_ns(const struct session *s, const struct calls_entry *row)
{
	const struct session_process *p = &s->processes[s->run.workers[row->worker].process];
	double killed = session_is_finished(p) ? 0 : 10 * (double)p->raw.file.snapshot_period_ns;
	return 10000 + killed + 10 * ((double)row->calls + (double)row->callee_calls) + 3 * (double)row->error_ns;
}

static bool is_same_place(const struct calls_entry *a, const struct calls_entry *b)
{
	return a->routine == b->routine && a->worker == b->worker;
}

/* A callee whose time was set to 0 would leave its caller with more direct time than elapsed time. */
static void keep_below_elapsed(struct calls_entry *rows, size_t count)
{
	double direct = 0, elapsed = 0;
	for (size_t i = 0; i < count; i++) {
		direct += (double)rows[i].direct_ns;
		elapsed += (double)rows[i].elapsed_ns;
	}
	for (size_t i = 0; direct > elapsed && i < count; i++)
		rows[i].direct_ns = number_whole((double)rows[i].direct_ns * (elapsed / direct));
}

static double own_ns(const struct calls_entry *row)
{
	return (double)row->direct_ns + (double)row->wait_ns;
}

static void move_ns(int64_t *from, int64_t *to, double ns)
{
	uint64_t whole = number_count(ns);
	if (whole == NUMBER_MOST) /* an invalid recording */
		return;
	*from = (int64_t)((uint64_t)*from - whole);
	*to = (int64_t)((uint64_t)*to + whole);
}

/* Recursion through other routines may leave one state with less elapsed time than direct time, and the other state
 * with more: the difference is moved. */
static void balance_states(struct calls_entry *poor, struct calls_entry *rich)
{
	double lacks = own_ns(poor) - (double)poor->elapsed_ns, has = (double)rich->elapsed_ns - own_ns(rich);
	move_ns(&rich->elapsed_ns, &poor->elapsed_ns, lacks < has ? lacks : has);
}

/* Nested time is part of elapsed time, and neither is below 0: the store refuses other recordings. */
static void balance_nested(struct calls_entry *poor, struct calls_entry *rich)
{
	double nested = (double)rich->nested_ns, over = nested - (double)rich->elapsed_ns;
	move_ns(&rich->nested_ns, &poor->nested_ns, over < nested ? over : nested);
}

/* Callee time is what is left of elapsed time. The sum over calls would count recursion once per level. */
static void take_callee_time(struct calls_entry *row)
{
	double left = (double)row->elapsed_ns - own_ns(row) - (double)row->displaced_ns;
	row->callee_ns = row->elsewhere_ns + (int64_t)number_count(left);
	row->displaced_ns = row->elsewhere_ns = 0;
}

static void fit_times(const struct session *s, struct calls *calls)
{
	for (size_t i = 0; calls->has_times && i < calls->entry_count; i++) {
		struct calls_entry *row = &calls->entries[i];
		if ((double)row->direct_ns < -allowed_ns(s, row))
			calls->negative_ns -= (double)row->direct_ns;
		if (row->direct_ns < 0)
			row->direct_ns = 0;
	}
	for (size_t i = 0, end; calls->has_times && i < calls->entry_count; i = end) {
		end = i + 1;
		while (end < calls->entry_count && is_same_place(&calls->entries[i], &calls->entries[end]))
			end++;
		keep_below_elapsed(calls->entries + i, end - i);
		if (end - i == 2) {
			balance_states(&calls->entries[i], &calls->entries[i + 1]);
			balance_states(&calls->entries[i + 1], &calls->entries[i]);
			balance_nested(&calls->entries[i], &calls->entries[i + 1]);
			balance_nested(&calls->entries[i + 1], &calls->entries[i]);
		}
		for (size_t k = i; k < end; k++) {
			if (calls->entries[k].elapsed_ns < 0)
				calls->entries[k].elapsed_ns = 0;
			take_callee_time(&calls->entries[k]);
		}
	}
}

/* ---- sites ---- */

static int by_arc(const void *a, const void *b)
{
	const struct calls_arc_row *x = a, *y = b;
	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

/* Only sites whose arc was called are kept: the source shows the others. */
static void keep_sites(struct session *s, const struct calls *calls)
{
	struct run *run = &s->run;
	for (size_t k = 0; k < s->table_count; k++) {
		const struct session_table *t = &s->tables[k];
		for (size_t i = 0; t->loaded && i < t->table.site_count; i++) {
			const struct table_site *site = &t->table.sites[i];
			if (site->callee == TABLE_NO_ROUTINE)
				continue;
			struct calls_arc_row key = {.caller = t->routines[site->caller], .callee = t->routines[site->callee]};
			if (!calls->arc_count || !bsearch(&key, calls->arcs, calls->arc_count, sizeof key, by_arc))
				continue;
			MEMORY_GROW(run->sites, run->site_count, run->site_room);
			run->sites[run->site_count++] = (struct run_site){.caller = key.caller,
			                                                  .callee = key.callee,
			                                                  .line = site->line,
			                                                  .column = site->column,
			                                                  .file = pool_text(&run->pool, site->file)};
		}
	}
}

void calls_build(struct session *session, struct calls *calls)
{
	memset(calls, 0, sizeof *calls);
	calls->run = &session->run;
	struct places places;
	places_start(&places, session);
	for (size_t i = 0; i < session->process_count; i++) {
		const struct session_process *p = &session->processes[i];
		if (p->raw.file.flags & RAW_COUNTS) {
			take_counts(session, p, calls);
			continue;
		}
		calls->has_times = true;
		for (size_t lane = 0; lane < p->lane_count; lane++)
			take_lane_times(session, p, calls, p->lanes[lane]);
		take_waits(session, p, calls, &places);
		if (!(p->raw.file.flags & RAW_NO_SNAPSHOTS))
			take_snapshots(session, p, calls);
	}
	places_free(&places);
	calls->has_snapshots = calls->snapshots > 0;
	calls_sort(calls);
	calls_share_errors(calls);
	fit_times(session, calls);
	keep_sites(session, calls);
	run_sort_sites(&session->run);
	if (session->unknown_routines)
		run_note(&session->run, "Some calls are listed as (unknown): no table of this build names their routine.");
	if (calls->negative_ns)
		run_note(&session->run,
		         "Direct times are %s too low in total: callees and waits were measured longer than the calls that contain them.",
		         text_ns(&session->run.pool, calls->negative_ns));
}
