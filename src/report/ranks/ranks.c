/* SPDX-License-Identifier: MIT */
/* ranks.c: figures over all ranks of a lens: order statistics, row by row as the merged recording has them.
 *
 * Cost: one pass over the values; memory for the values of one figure and one routine, and of those that views and groups need again. */
#include "report/ranks/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MOST_KEPT = 256 }; /* routines whose values are kept: those with the largest sums decide what ranks do */

const char *const ranks_figures[RANKS_FIGURES] = {"wall_ns",    "cpu_ns",        "work_ns", "wait_ns",
                                                  "message_ns", "collective_ns", "sync_ns", "lost_events"};

/* By which figure of routines a lens ranks them. */
static const struct {
	const char *lens, *figure;
} mains[] = {{"calls", "direct_ns"}, {"idle", "work_ns"}, {"span", "work"}, {"input", "cost"}, {"paths", "entries"}, {"flow", "waited_ns"}};

/* ---- the parts of the lens ---- */

static int choose_lens(struct ranks *r, const char *lens, struct fail *why)
{
	const struct part *list = r->parts.list;
	for (size_t i = 0, end; i < r->parts.count; i = end) {
		for (end = i; end < r->parts.count && strcmp(list[end].lens, list[i].lens) == 0;)
			end++;
		bool fits = lens ? strcmp(list[i].lens, lens) == 0 : end - i > r->count;
		if (fits) {
			r->list = &list[i];
			r->count = end - i;
			r->lens = list[i].lens;
		}
	}
	if (!r->count)
		return fail_set(why, FAIL_NOT_FOUND, "no recording of these ranks has the lens %.100s", lens ? lens : "that is asked for");
	for (size_t i = 0; i < sizeof mains / sizeof *mains; i++)
		if (strcmp(mains[i].lens, r->lens) == 0)
			r->main = mains[i].figure;
	return 0;
}

/* ---- figures ---- */

struct filling {
	struct ranks *ranks;
	size_t figure;
	bool begun;
	uint32_t routine;
	double *values; /* of the routine that is being read, by part of the lens */
	double *sorted;
	size_t first; /* place of the lens's first part among all */
};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static void end_routine(struct filling *f)
{
	struct ranks *r = f->ranks;
	size_t n = r->count;
	if (!f->begun)
		return;
	MEMORY_GROW(r->rows, r->row_count, r->row_room);
	struct ranks_row *row = &r->rows[r->row_count++];
	*row = (struct ranks_row){.figure = f->figure, .routine = f->routine, .values = f->values};
	memcpy(f->sorted, f->values, n * sizeof *f->sorted);
	qsort(f->sorted, n, sizeof *f->sorted, by_value);
	for (size_t i = 0; i < n; i++) {
		row->sum += f->values[i];
		row->least_at = f->values[i] < f->values[row->least_at] ? i : row->least_at;
		row->most_at = f->values[i] > f->values[row->most_at] ? i : row->most_at;
	}
	row->least = f->sorted[0];
	row->most = f->sorted[n - 1];
	row->mean = row->sum / (double)n;
	row->median = n % 2 ? f->sorted[n / 2] : (f->sorted[n / 2 - 1] + f->sorted[n / 2]) / 2;
	f->values = NULL;
	f->begun = false;
}

static void take(void *context, uint32_t routine, size_t part, int64_t value)
{
	struct filling *f = context;
	if (part < f->first || part >= f->first + f->ranks->count)
		return;
	if (f->begun && f->routine != routine)
		end_routine(f);
	if (!f->begun) {
		f->values = memory_zeroed(f->ranks->count, sizeof *f->values);
		f->routine = routine;
		f->begun = true;
	}
	f->values[part - f->first] = (double)value;
}

/* Only what is looked at again keeps its values: figures of the run and the routines with most of the main figure. */
static void drop_values(struct ranks *r, size_t from)
{
	for (size_t i = from; i < r->row_count; i++) {
		const struct part_figure *figure = &r->parts.figures[r->rows[i].figure];
		bool keeps = figure->of == PART_RUN || (figure->of == PART_ROUTINE && strcmp(figure->name, r->main) == 0) ||
			(figure->of == PART_CALL && strstr(figure->name, "wait_ns"));
		if (keeps)
			continue;
		free(r->rows[i].values);
		r->rows[i].values = NULL;
	}
}

static int by_sum(const void *a, const void *b)
{
	const struct ranks_row *x = *(struct ranks_row *const *)a, *y = *(struct ranks_row *const *)b;
	return x->sum > y->sum ? -1 : x->sum < y->sum;
}

static void keep_largest(struct ranks *r)
{
	struct ranks_row **kept = memory_zeroed(r->row_count + 1, sizeof *kept);
	size_t count = 0;
	for (size_t i = 0; i < r->row_count; i++)
		if (r->rows[i].values && r->parts.figures[r->rows[i].figure].of == PART_ROUTINE)
			kept[count++] = &r->rows[i];
	qsort(kept, count, sizeof *kept, by_sum);
	for (size_t i = MOST_KEPT; i < count; i++) {
		free(kept[i]->values);
		kept[i]->values = NULL;
	}
	free(kept);
}

static int fill_rows(struct ranks *r, struct fail *why)
{
	struct filling f = {.ranks = r, .first = (size_t)(r->list - r->parts.list)};
	int result = 0;
	f.sorted = memory_zeroed(r->count, sizeof *f.sorted);
	for (f.figure = 0; f.figure < r->parts.figure_count && result == 0; f.figure++) {
		size_t from = r->row_count;
		if (strcmp(r->parts.figures[f.figure].lens, r->lens) != 0)
			continue;
		result = parts_values(r->store, &r->parts, f.figure, take, &f, why);
		end_routine(&f);
		drop_values(r, from);
	}
	free(f.sorted);
	keep_largest(r);
	for (size_t i = 0; i < r->row_count; i++)
		for (int n = 0; n < RANKS_FIGURES; n++) {
			const struct part_figure *figure = &r->parts.figures[r->rows[i].figure];
			bool counts = n == RANKS_WORK && strcmp(figure->name, "work") == 0; /* in ticks of a clock */
			if (figure->of == PART_RUN && (counts || strcmp(figure->name, ranks_figures[n]) == 0)) {
				r->of_run[n] = r->rows[i].values;
				r->work_counts |= counts;
			}
		}
	return result;
}

int ranks_open(struct ranks *r, struct store *store, const char *lens, struct fail *why)
{
	*r = (struct ranks){.store = store, .main = ""};
	if (parts_load(store, &r->parts, why) < 0)
		return -1;
	if (choose_lens(r, lens, why) == 0 && fill_rows(r, why) == 0) {
		ranks_find_groups(r);
		return 0;
	}
	ranks_close(r);
	return -1;
}

void ranks_close(struct ranks *r)
{
	for (size_t i = 0; i < r->row_count; i++)
		free(r->rows[i].values);
	free(r->rows);
	free(r->group_of);
	parts_free(&r->parts);
}

double ranks_imbalance(const struct ranks_row *row)
{
	return row->mean > 0 ? row->most / row->mean : NAN;
}

const struct ranks_row *ranks_row_of(const struct ranks *r, enum ranks_figure figure)
{
	for (size_t i = 0; i < r->row_count; i++)
		if (r->of_run[figure] && r->rows[i].values == r->of_run[figure])
			return &r->rows[i];
	return NULL;
}

/* ---- names ---- */

const char *ranks_name(struct pool *pool, const struct part *part)
{
	if (part->task >= 0 && (part->mpi_rank >= 0 || part->rank != part->task))
		return pool_print(pool, "task %lld, rank %lld", (long long)part->task, (long long)part->rank);
	return pool_print(pool, part->task >= 0 ? "task %lld" : "rank %lld", (long long)part->rank);
}

const char *ranks_list(struct pool *pool, const struct ranks *r, uint32_t group)
{
	enum { MOST_RANGES = 8 };
	const char *text = "";
	size_t ranges = 0;
	for (size_t i = 0, end; i < r->count; i = end) {
		for (end = i + 1; end < r->count && r->group_of[end] == group && r->group_of[i] == group &&
		     r->list[end].rank == r->list[end - 1].rank + 1;)
			end++;
		if (r->group_of[i] != group)
			continue;
		if (ranges++ == MOST_RANGES)
			return pool_print(pool, "%s, …", text);
		text = end - i == 1 ? pool_print(pool, "%s%s%lld", text, *text ? ", " : "", (long long)r->list[i].rank)
				    : pool_print(pool, "%s%s%lld-%lld", text, *text ? ", " : "", (long long)r->list[i].rank,
		                                 (long long)r->list[end - 1].rank);
	}
	return text;
}
