/* SPDX-License-Identifier: MIT */
#include "analyse/flow/parts/take.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"

enum { MOST_ROWS = 10000 };

static uint64_t ns_of(uint64_t ticks, double ns_per_tick)
{
	return number_count((double)ticks * ns_per_tick + 0.5);
}

static bool same_place(const struct flows_where *a, const struct flows_where *b)
{
	return a->routine == b->routine && a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* ---- tasks ---- */

/* There are as many as places in the program that create something. */
static uint32_t task_row(struct flows *f, enum flows_task_kind kind, const struct flows_where *created)
{
	for (size_t i = 0; i < f->task_count; i++)
		if (f->tasks[i].kind == kind && same_place(&f->tasks[i].created, created))
			return (uint32_t)i;
	MEMORY_GROW(f->tasks, f->task_count, f->task_room);
	f->tasks[f->task_count++] = (struct flows_task){.kind = kind, .created = *created};
	return (uint32_t)f->task_count - 1;
}

static void add_group(struct flows_task *to, const struct flow_group *g, double ns_per_tick)
{
	uint64_t longest = ns_of(g->longest, ns_per_tick);
	to->count += g->count;
	to->most = g->most > to->most ? g->most : to->most;
	to->work_ns += ns_of(g->sums.work, ns_per_tick);
	to->load_ns += ns_of(g->sums.load, ns_per_tick);
	to->waited_ns += ns_of(g->sums.waited, ns_per_tick);
	to->outside_ns += ns_of(g->sums.outside, ns_per_tick);
	to->longest_ns = longest > to->longest_ns ? longest : to->longest_ns;
}

static void add_edge(struct flows *f, const struct flows_edge *more)
{
	for (size_t i = 0; i < f->edge_count; i++) {
		struct flows_edge *e = &f->edges[i];
		if (e->from != more->from || e->to != more->to || e->wait != more->wait)
			continue;
		e->count += more->count;
		e->ns += more->ns;
		return;
	}
	MEMORY_GROW(f->edges, f->edge_count, f->edge_room);
	f->edges[f->edge_count++] = *more;
}

void flow_parts_tasks(struct flows *f, const struct flow_tasks *t, struct flow_spots *spots, double ns_per_tick)
{
	uint32_t *rows = memory_zeroed(t->group_count + 1, sizeof *rows);
	for (size_t i = 0; i < t->group_count; i++) {
		struct flows_where created = flow_spots_where(spots, t->groups[i].spot);
		rows[i] = task_row(f, t->groups[i].kind, &created);
		add_group(&f->tasks[rows[i]], &t->groups[i], ns_per_tick);
	}
	for (size_t i = 0; i < t->edge_count && f->edge_count < MOST_ROWS; i++) {
		const struct flow_edge *e = &t->edges[i];
		add_edge(f,
		         &(struct flows_edge){rows[e->from], rows[e->to], e->wait == FLOW_WAITS ? FLOWS_CREATES : e->wait, e->count,
		                              ns_of(e->ticks, ns_per_tick)});
	}
	free(rows);
}

/* ---- marks ---- */

static struct flows_mark *mark_row(struct flows *f, const struct flows_mark *key)
{
	for (size_t i = 0; i < f->mark_count; i++)
		if (f->marks[i].kind == key->kind && f->marks[i].thread == key->thread && same_place(&f->marks[i].name, &key->name))
			return &f->marks[i];
	MEMORY_GROW(f->marks, f->mark_count, f->mark_room);
	f->marks[f->mark_count] = *key;
	return &f->marks[f->mark_count++];
}

static uint32_t thread_of(const struct flows *f, const struct flow_tally *tally, uint32_t strand)
{
	size_t known = f->run->thread_count;
	uint32_t thread = strand < tally->track_count ? tally->tracks[strand].thread : FLOWS_NONE;
	return thread < known ? thread : (uint32_t)known;
}

void flow_parts_marks(struct flows *f, const struct flow_marks *m, struct flow_spots *spots, const struct flow_tally *tally,
                      double ns_per_tick)
{
	for (size_t i = 0; i < m->row_count && f->mark_count < MOST_ROWS; i++) {
		const struct flow_mark_row *r = &m->rows[i];
		struct flows_mark key = {.kind = r->what == FLOW_MARK_VALUE     ? FLOWS_VALUE
		                                 : r->what == FLOW_MARK_MESSAGE ? FLOWS_MESSAGE
		                                                                : FLOWS_PART,
		                         .thread = thread_of(f, tally, r->strand),
		                         .name = flow_spots_where(spots, r->spot),
		                         .least = INT64_MAX,
		                         .most = INT64_MIN};
		struct flows_mark *to = mark_row(f, &key);
		uint64_t longest = ns_of(r->longest, ns_per_tick);
		to->count += r->count;
		to->ns += ns_of(r->ticks, ns_per_tick);
		to->longest_ns = longest > to->longest_ns ? longest : to->longest_ns;
		to->work_ns += ns_of(r->work, ns_per_tick);
		to->load_ns += ns_of(r->load, ns_per_tick);
		to->waited_ns += ns_of(r->waited, ns_per_tick);
		to->outside_ns += ns_of(r->outside, ns_per_tick);
		to->least = r->least < to->least ? r->least : to->least;
		to->most = r->most > to->most ? r->most : to->most;
		to->last = r->last;
	}
}
