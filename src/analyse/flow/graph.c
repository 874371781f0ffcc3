/* SPDX-License-Identifier: MIT */
/* graph.c: routines are a hundred times as many events as waits, and core/flow has a position for each question at each event. So its
 * passes leave them out, and here is a pass that has nothing else to do. */
#include "analyse/flow/graph.h"

#include <stdlib.h>
#include <string.h>
#include "analyse/flow/routines.h"
#include "base/hash.h"
#include "base/number.h"
#include "core/flow/way.h"
#include "keys/mode.h"

enum { MOST_NUMBERS = 1 << 21 }; /* more are not to be believed */

/* Of each process: routines of the run by their numbers. */
struct numbers {
	uint32_t *routines; /* RUN_NOWHERE: not looked up yet */
	size_t count;
};

static uint32_t routine_of(struct session *session, struct numbers *numbers, uint32_t process, uint32_t number)
{
	struct numbers *mine = &numbers[process];
	const struct session_process *p = &session->processes[process];
	if (number >= MOST_NUMBERS)
		return session_routine(session, p, number);
	if (number >= mine->count) {
		size_t count = number + 256;
		mine->routines = memory_resize(mine->routines, count, sizeof *mine->routines);
		for (size_t i = mine->count; i < count; i++)
			mine->routines[i] = RUN_NOWHERE;
		mine->count = count;
	}
	if (mine->routines[number] == RUN_NOWHERE)
		mine->routines[number] = session_routine(session, p, number);
	return mine->routines[number];
}

/* From the end of the run to its beginning; then the other way round. */
static void take_critical(struct flow_routines *routines, const struct flow_way *way)
{
	const struct flow_way **all = NULL;
	size_t count = 0, room = 0;
	for (; way; way = way->before) {
		MEMORY_GROW(all, count, room);
		all[count++] = way;
	}
	for (size_t i = count; i--;)
		flow_routines_critical(routines, all[i]->strand, all[i]->time, i ? all[i - 1]->sender_time : UINT64_MAX);
	free(all);
}

static void keep_numbers(struct flows_kept *kept, const struct numbers *numbers, size_t processes)
{
	for (uint32_t p = 0; p < processes; p++)
		for (uint32_t i = 0; i < numbers[p].count; i++) {
			if (numbers[p].routines[i] == RUN_NOWHERE)
				continue;
			MEMORY_GROW(kept->numbers, kept->number_count, kept->number_room);
			kept->numbers[kept->number_count++] = (struct flows_number){p, i, numbers[p].routines[i]};
		}
}

static uint64_t pass(struct flow_routines *routines, struct session *session, const struct flow_input *input, struct flows_kept *kept)
{
	struct numbers *numbers = memory_zeroed(input->count + 1, sizeof *numbers);
	struct flow_events *events = flow_events_open(input->logs, input->count);
	struct flow_event e = {0};
	struct flow_event_about about;
	uint64_t end = 0;
	flow_events_routines(events);
	if (input->switches)
		flow_events_switches(events, input->switches, input->switches_bytes, input->switches_mapped, &input->clock);
	flow_events_skip(events, input->skip);
	while (flow_events_next(events, &e, &about)) {
		uint32_t routine = e.kind == FLOW_ENTRY ? routine_of(session, numbers, about.process, e.object) : RUN_OUTSIDE;
		flow_routines_event(routines, &e, &about, routine);
		end = e.time;
	}
	flow_events_close(events);
	keep_numbers(kept, numbers, input->count);
	for (size_t i = 0; i < input->count; i++)
		free(numbers[i].routines);
	free(numbers);
	return end;
}

static void take_rows(struct flows *f, const struct flow_routines *routines, double ns_per_tick)
{
	for (uint32_t i = 0; i < routines->row_count; i++) {
		const struct flow_routines_row *row = &routines->rows[i];
		if (!row->calls)
			continue;
		MEMORY_GROW(f->routines, f->routine_count, f->routine_room);
		f->routines[f->routine_count++] = (struct flows_routine){
			.routine = i,
			.calls = row->calls,
			.concurrent = row->concurrent,
			.total_ns = number_count((double)row->total * ns_per_tick + 0.5),
			.self_ns = number_count((double)row->self * ns_per_tick + 0.5),
			.wait_ns = number_count((double)row->wait * ns_per_tick + 0.5),
			.no_core_ns = number_count((double)row->off * ns_per_tick + 0.5),
			.critical_ns = number_count((double)row->critical * ns_per_tick + 0.5),
		};
	}
}

static bool same_arc(const void *array, size_t number, const void *what)
{
	const struct flows_arc *a = (const struct flows_arc *)array + number, *b = what;
	return a->caller == b->caller && a->callee == b->callee;
}

/* Of all workers, and of calls in any state. */
static void take_arcs(struct flows *f, const struct flow_routines *routines, double ns_per_tick)
{
	struct lookup rows = {0};
	uint64_t *ticks = memory_zeroed(routines->arc_count + 1, sizeof *ticks);
	for (size_t i = 0; i < routines->arc_count; i++) {
		const struct flow_routines_arc *arc = &routines->arcs[i];
		const struct flows_arc key = {.caller = arc->caller, .callee = arc->callee};
		if (arc->states & FLOW_ROUTINES_ELSEWHERE)
			continue;
		size_t *row = lookup_at(&rows, hash_number(HASH_START, (uint64_t)arc->caller << 32 | arc->callee), same_arc, f->arcs, &key);
		if (!*row) {
			MEMORY_GROW(f->arcs, f->arc_count, f->arc_room);
			f->arcs[f->arc_count++] = key;
			*row = f->arc_count;
		}
		f->arcs[*row - 1].calls += arc->calls;
		f->arcs[*row - 1].concurrent += arc->states & FLOW_ROUTINES_CONCURRENT ? arc->calls : 0;
		ticks[*row - 1] += arc->total;
	}
	for (size_t i = 0; i < f->arc_count; i++)
		f->arcs[i].total_ns = number_count((double)ticks[i] * ns_per_tick + 0.5);
	lookup_free(&rows);
	free(ticks);
}

static void note_left_out(struct session *session)
{
	size_t tiny = 0;
	for (size_t i = 0; i < session->table_count; i++)
		for (size_t k = 0; k < session->tables[i].table.routine_count; k++)
			tiny += session->tables[i].table.routines[k].tiny && !session->tables[i].table.routines[k].gone;
	if (tiny)
		run_note(&session->run,
		         "%zu small routine%s without loops and calls %s not recorded, since that takes longer than they do: their time "
		         "belongs to their callers. --only '*' records all routines.",
		         tiny, tiny == 1 ? "" : "s", tiny == 1 ? "was" : "were");
}

void flow_graph_take(struct flows *flows, struct session *session, const struct flow_input *input, const struct flow_way *way,
                     double ns_per_tick, struct flows_kept *kept)
{
	struct flow_routines routines;
	if (strcmp(session->plan.mode, MODE_ROUTINES) != 0)
		return;
	note_left_out(session);
	flow_routines_start(&routines);
	take_critical(&routines, way);
	flow_routines_end(&routines, pass(&routines, session, input, kept));
	take_rows(flows, &routines, ns_per_tick);
	take_arcs(flows, &routines, ns_per_tick);
	flows->events += routines.events;
	flow_routines_free(&routines);
}
