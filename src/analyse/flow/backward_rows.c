/* SPDX-License-Identifier: MIT */
/* backward_rows.c: from stretches of strands to rows of flows.h: the slack of threads, and of the work between two calls. */
#include "analyse/flow/backward.h"

#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/number.h"

enum { MOST_ROWS = 10000 };

/* A row that grows: what its average needs is not kept. */
struct sums {
	struct flows_slack row;
	double least, room, bound;
};

struct rows {
	struct sums *at;
	size_t count, room;
	struct lookup index;
};

static bool same_row(const void *array, size_t number, const void *what)
{
	const struct flows_slack *a = &((const struct sums *)array + number)->row, *b = what;
	return a->thread == b->thread && a->from.routine == b->from.routine && a->from.line == b->from.line &&
		a->to.routine == b->to.routine && a->to.line == b->to.line && strcmp(a->from.file, b->from.file) == 0 &&
		strcmp(a->to.file, b->to.file) == 0;
}

static struct sums *sums_of(struct rows *rows, const struct flows_slack *key)
{
	uint64_t hash = hash_number(hash_number(HASH_START, key->from.routine), key->from.line);
	hash = hash_number(hash_number(hash_number(hash, key->to.routine), key->to.line), key->thread);
	size_t *place = lookup_at(&rows->index, hash, same_row, rows->at, key);
	if (!*place) {
		MEMORY_GROW(rows->at, rows->count, rows->room);
		rows->at[rows->count++] = (struct sums){.row = *key, .least = -1};
		*place = rows->count;
	}
	return &rows->at[*place - 1];
}

static uint32_t thread_of(const struct run *run, const struct flow_tally *tally, uint32_t strand)
{
	size_t known = run->thread_count;
	uint32_t thread = strand < tally->track_count ? tally->tracks[strand].thread : FLOWS_NONE;
	return thread < known ? thread : (uint32_t)known;
}

static void add(struct sums *s, const struct flow_backward_row *more, double ns_per_tick)
{
	double least = (double)more->slack * ns_per_tick;
	s->row.count += more->count;
	s->row.work_ns += number_count((double)more->ticks * ns_per_tick + 0.5);
	s->row.critical_ns += number_count((double)more->critical * ns_per_tick + 0.5);
	s->room += more->room * ns_per_tick;
	s->bound += (double)more->bound;
	if (more->slack != FLOW_NONE && (s->least < 0 || least < s->least))
		s->least = least;
}

static int64_t average(const struct sums *s)
{
	return s->bound > 0 ? (int64_t)number_count(s->room / s->bound + 0.5) : RUN_UNKNOWN;
}

/* Most work without slack first, then the least slack; what has no effect on the run's length last. */
static int order(const void *a, const void *b)
{
	const struct flows_slack *x = a, *y = b;
	if (x->critical_ns != y->critical_ns)
		return x->critical_ns > y->critical_ns ? -1 : 1;
	if (x->average_ns != y->average_ns)
		return x->average_ns != RUN_UNKNOWN && (y->average_ns == RUN_UNKNOWN || x->average_ns < y->average_ns) ? -1 : 1;
	return x->work_ns > y->work_ns ? -1 : x->work_ns < y->work_ns;
}

static void take_rows(struct flows *f, const struct rows *rows)
{
	f->slack = memory_zeroed(rows->count + 1, sizeof *f->slack);
	f->slack_room = rows->count + 1;
	for (size_t i = 0; i < rows->count; i++) {
		const struct sums *s = &rows->at[i];
		f->slack[i] = s->row;
		f->slack[i].least_ns = s->least < 0 ? RUN_UNKNOWN : (int64_t)number_count(s->least + 0.5);
		f->slack[i].average_ns = average(s);
	}
	qsort(f->slack, rows->count, sizeof *f->slack, order);
	f->slack_count = rows->count < MOST_ROWS ? rows->count : MOST_ROWS;
}

static void take_threads(struct flows *f, const struct rows *rows)
{
	struct sums *threads = memory_zeroed(f->run->thread_count + 1, sizeof *threads);
	for (size_t i = 0; i < rows->count; i++) {
		threads[rows->at[i].row.thread].room += rows->at[i].room;
		threads[rows->at[i].row.thread].bound += rows->at[i].bound;
	}
	for (size_t i = 0; i <= f->run->thread_count; i++)
		f->threads[i].slack_ns = average(&threads[i]);
	free(threads);
}

void flow_backward_take(const struct flow_backward *b, struct flows *f, struct flow_spots *spots, const struct flow_tally *tally,
                        double ns_per_tick)
{
	struct rows rows = {0};
	for (size_t i = 0; i < b->row_count; i++) {
		const struct flow_backward_row *row = &b->rows[i];
		const struct flows_slack key = {.thread = thread_of(f->run, tally, row->strand),
		                                .from = flow_spots_where(spots, row->from),
		                                .to = flow_spots_where(spots, row->to)};
		add(sums_of(&rows, &key), row, ns_per_tick);
	}
	take_rows(f, &rows);
	take_threads(f, &rows);
	lookup_free(&rows.index);
	free(rows.at);
}
