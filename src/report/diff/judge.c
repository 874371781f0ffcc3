/* SPDX-License-Identifier: MIT */
/* judge.c: from slots to rows: what differs, by how much, whether that is sure, and whether it is worse.
 *
 * Exact figures that are the same in all runs of each side differ exactly. All others are judged by their runs (analyse/diff/sure.h), with
 * one correction for all that is tested in a report. Small parts of the whole are not tested: thousands of them would cost those that
 * matter their chance to be found. Which ones are small is decided by both sides together, so the choice favours no difference. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/diff/sure.h"
#include "base/strv.h"
#include "report/diff/diff.h"

const char *const diff_verdicts[DIFF_VERDICTS] = {
	[DIFF_IS_WORSE] = "worse",     [DIFF_IS_BETTER] = "better",   [DIFF_IS_NEW] = "new",     [DIFF_IS_GONE] = "gone",
	[DIFF_IS_RENAMED] = "renamed", [DIFF_IS_INLINED] = "inlined", [DIFF_IS_MOVED] = "moved", [DIFF_IS_OTHER] = "other"};

/* The runs of one figure of one slot in one side. */
struct runs {
	struct cell cell; /* the value; the mean, if they differ */
	double *values;
	size_t count;
	bool is_steady;   /* all are the same */
	double low, high; /* of an interval */
};

struct judging {
	struct diff *diff;
	size_t side;
	double *values[2]; /* room for the runs of each side */
	double wholes[DIFF_FIGURES];
};

/* ---- runs ---- */

static bool is_there(const struct diff *d, const struct diff_slot *slot, size_t side)
{
	for (size_t r = 0; r < d->recording_count; r++)
		if (d->recordings[r].side == side && slot->is_in[r])
			return true;
	return false;
}

/* A run without the slot spent nothing in it, if the figure adds up; else it has no figure. */
static struct runs runs_of(const struct diff *d, const struct diff_group *g, const struct diff_slot *slot, size_t figure, size_t side,
                           double *values)
{
	const struct diff_figure *f = &g->table->figures[figure];
	struct runs runs = {.values = values, .is_steady = true, .low = NAN, .high = NAN};
	for (size_t r = 0; r < d->recording_count; r++) {
		if (d->recordings[r].side != side)
			continue;
		struct cell cell = diff_values(g, slot, r)[figure];
		if (!slot->is_in[r] && f->adds_up)
			cell = (struct cell){.kind = CELL_NUMBER, .number = 0};
		if (cell.kind == CELL_EMPTY)
			continue;
		double value = sheet_value(&cell);
		if (f->kind == DIFF_INTERVAL) {
			const struct cell *bounds = &diff_values(g, slot, r)[figure + 1];
			runs.low = bounds[0].kind != CELL_EMPTY ? sheet_value(&bounds[0]) : NAN;
			runs.high = bounds[1].kind != CELL_EMPTY ? sheet_value(&bounds[1]) : NAN;
		}
		runs.is_steady &= !runs.count || value == values[0];
		values[runs.count++] = value;
		runs.cell = cell;
	}
	if (!runs.is_steady)
		runs.cell = (struct cell){.kind = CELL_REAL, .real = sure_mean(values, runs.count)};
	return runs;
}

static struct cell change_of(const struct cell *old, const struct cell *new)
{
	int64_t change;
	if (old->kind == CELL_NUMBER && new->kind == CELL_NUMBER && !__builtin_sub_overflow(new->number, old->number, &change))
		return (struct cell){.kind = CELL_NUMBER, .number = change};
	return (struct cell){.kind = CELL_REAL, .real = sheet_value(new) - sheet_value(old)};
}

/* The whole of a figure: of the rows without parents, of both sides the larger one. */
static double whole_of(struct judging *j, const struct diff_group *g, size_t figure)
{
	double sums[2] = {0, 0};
	for (size_t s = 0; s < g->slot_count; s++)
		for (int k = 0; k < 2 && !g->slots[s].parent; k++) {
			struct runs runs = runs_of(j->diff, g, &g->slots[s], figure, k ? j->side : 0, j->values[k]);
			sums[k] += runs.cell.kind == CELL_EMPTY ? 0 : sheet_value(&runs.cell);
		}
	return sums[0] > sums[1] ? sums[0] : sums[1];
}

/* ---- rows ---- */

static struct diff_row *add_row(struct judging *j, size_t group, size_t slot, enum diff_verdict verdict, const char *figure)
{
	struct diff *d = j->diff;
	MEMORY_GROW(d->rows, d->row_count, d->row_room);
	struct diff_row *row = &d->rows[d->row_count++];
	*row = (struct diff_row){.verdict = verdict,
	                         .group = group,
	                         .slot = slot,
	                         .figure_name = figure,
	                         .side = j->side,
	                         .pct = NAN,
	                         .of_all = NAN,
	                         .sure = "exact"};
	return row;
}

static bool has_insn_clock(const struct diff *d)
{
	for (size_t r = 0; r < d->recording_count; r++)
		if (!d->recordings[r].has_insn_clock)
			return false;
	return true;
}

static bool is_exact(const struct diff *d, const struct diff_figure *f)
{
	return f->kind == DIFF_EXACT || f->kind == DIFF_WORD || f->kind == DIFF_PAIR || (f->kind == DIFF_CLOCK && has_insn_clock(d));
}

/* The chance that there is no difference: 0 if it is exact. */
static double chance_of(struct judging *j, const struct diff_figure *f, const struct runs *old, const struct runs *new, double share)
{
	struct diff *d = j->diff;
	if (f->kind == DIFF_INTERVAL)
		return old->high < new->low || new->high < old->low ? 0.05 : 1;
	if (is_exact(d, f) && old->is_steady && new->is_steady)
		return 0;
	d->unsteady += is_exact(d, f);
	if (f->adds_up && share * 100 < DIFF_TESTED_PCT)
		return NAN;
	double p = sure_compare(old->values, old->count, new->values, new->count);
	d->tested += !isnan(p);
	return p;
}

static void compare_words(struct judging *j, size_t group, size_t slot, const struct diff_figure *f, const struct runs *old,
                          const struct runs *new)
{
	if (old->cell.kind != CELL_TEXT || new->cell.kind != CELL_TEXT || strcmp(old->cell.text, new->cell.text) == 0)
		return;
	struct diff_row *row = add_row(j, group, slot, DIFF_IS_OTHER, f->name);
	row->figure = f;
	row->old = old->cell;
	row->new = new->cell;
}

static void compare(struct judging *j, size_t group, size_t at, size_t figure)
{
	struct diff *d = j->diff;
	const struct diff_group *g = &d->groups[group];
	const struct diff_slot *slot = &g->slots[at];
	const struct diff_figure *f = &g->table->figures[figure];
	struct runs old = runs_of(d, g, slot, figure, 0, j->values[0]), new = runs_of(d, g, slot, figure, j->side, j->values[1]);
	if (f->kind == DIFF_WORD) {
		compare_words(j, group, at, f, &old, &new);
		return;
	}
	if (old.cell.kind == CELL_EMPTY || new.cell.kind == CELL_EMPTY || sheet_value(&old.cell) == sheet_value(&new.cell))
		return;
	double before = sheet_value(&old.cell), after = sheet_value(&new.cell), larger = fmax(before, after);
	double whole = f->adds_up ? j->wholes[figure] : larger, share = whole > 0 ? larger / whole : 0;
	double p = chance_of(j, f, &old, &new, share);
	struct diff_row *row = add_row(j, group, at, DIFF_IS_OTHER, f->name);
	row->figure = f;
	row->old = old.cell;
	row->new = new.cell;
	row->change = change_of(&old.cell, &new.cell);
	row->pct = before ? 100 * (after - before) / fabs(before) : NAN;
	row->of_all = f->adds_up && whole > 0 ? 100 * (after - before) / whole : NAN;
	row->weight = whole > 0 ? fabs(after - before) / whole : 0;
	row->p = p;
}

static void compare_pair(struct judging *j, size_t group, size_t at, const struct diff_figure *f)
{
	struct diff *d = j->diff;
	const struct diff_group *g = &d->groups[group];
	const struct diff_slot *slot = &g->slots[at];
	const struct diff_recording *old = NULL, *new = NULL;
	double before = NAN, after = NAN;
	for (size_t r = d->recording_count; r-- > 0;) {
		old = d->recordings[r].side == 0 && slot->is_in[r] ? &d->recordings[r] : old;
		new = d->recordings[r].side == j->side && slot->is_in[r] ? &d->recordings[r] : new;
	}
	const uint32_t *in = d->routines[slot->routine].in;
	g->table->pair(old->data, in[old - d->recordings], new->data, in[new - d->recordings], &before, &after);
	if (isnan(before) || isnan(after) || before == after)
		return;
	struct diff_row *row = add_row(j, group, at, DIFF_IS_OTHER, f->name);
	row->figure = f;
	row->old = (struct cell){.kind = CELL_REAL, .real = before};
	row->new = (struct cell){.kind = CELL_REAL, .real = after};
	row->change = change_of(&row->old, &row->new);
	row->pct = before > 0 ? 100 * (after - before) / before : NAN;
	row->weight = fabs(after - before) / fmax(before, after);
}

/* What is on one side only has a row for each of its figures. */
static void list_figures(struct judging *j, size_t group, size_t at, enum diff_verdict verdict, bool is_new)
{
	struct diff *d = j->diff;
	const struct diff_group *g = &d->groups[group];
	bool is_first = true;
	for (size_t i = 0; i < g->figure_count; i++) {
		const struct diff_figure *f = &g->table->figures[i];
		struct runs runs = runs_of(d, g, &g->slots[at], i, is_new ? j->side : 0, j->values[0]);
		if (runs.cell.kind == CELL_EMPTY || f->kind == DIFF_BOUND)
			continue;
		struct diff_row *row = add_row(j, group, at, verdict, f->name);
		row->figure = f;
		row->is_first = is_first;
		is_first = false;
		*(is_new ? &row->new : &row->old) = runs.cell;
		row->p = is_exact(d, f) ? 0 : NAN;
		row->weight = f->adds_up && j->wholes[i] > 0 ? sheet_value(&runs.cell) / j->wholes[i] : 0;
		row->of_all = f->adds_up ? (is_new ? 100 : -100) * row->weight : NAN;
	}
}

/* ---- routines that are called otherwise, lie elsewhere, or became part of others ---- */

/* As the first recording of that side has it that knows the routine; NULL: none does. */
static const struct run_routine *routine_in(const struct diff *d, uint32_t routine, size_t side, const struct run **run)
{
	for (size_t r = 0; r < d->recording_count; r++)
		if (d->recordings[r].side == side && d->routines[routine].in[r] != RUN_NOWHERE) {
			*run = d->recordings[r].run;
			return &d->recordings[r].run->routines[d->routines[routine].in[r]];
		}
	return NULL;
}

static struct cell text_cell(const char *text)
{
	return (struct cell){.kind = CELL_TEXT, .text = text};
}

static void compare_routine(struct judging *j, size_t group, size_t at)
{
	struct diff *d = j->diff;
	const struct run *run;
	uint32_t routine = d->groups[group].slots[at].routine;
	const struct run_routine *old = routine_in(d, routine, 0, &run), *new = routine_in(d, routine, j->side, &run);
	const char *unused;
	bool is_body = old && run_construct(&d->pool, old, &unused);
	if (!old || !new || is_body)
		return;
	if (strcmp(old->name, new->name) != 0) {
		struct diff_row *row = add_row(j, group, at, DIFF_IS_RENAMED, "name");
		row->old = text_cell(old->name);
		row->new = text_cell(new->name);
	}
	if (strcmp(str_base(old->file), str_base(new->file)) != 0) {
		struct diff_row *row = add_row(j, group, at, DIFF_IS_MOVED, "file");
		row->old = text_cell(old->file);
		row->new = text_cell(new->file);
	} else if (*old->file && old->line != new->line) {
		struct diff_row *row = add_row(j, group, at, DIFF_IS_MOVED, "line");
		row->old = (struct cell){.kind = CELL_NUMBER, .number = old->line};
		row->new = (struct cell){.kind = CELL_NUMBER, .number = new->line};
		row->change = change_of(&row->old, &row->new);
	}
}

/* A routine that is on one side only may be part of others on the other one. */
static bool look_for_inlined(struct judging *j, size_t group, size_t at, bool is_new)
{
	struct diff *d = j->diff;
	const struct run *run;
	const struct run_routine *routine = routine_in(d, d->groups[group].slots[at].routine, is_new ? j->side : 0, &run);
	const char *into = NULL;
	for (size_t r = 0; r < d->recording_count && routine && !into; r++)
		if (d->recordings[r].side == (is_new ? 0 : j->side))
			into = diff_inlined_into(d->recordings[r].run, routine);
	if (!into || !*into)
		return false;
	struct diff_row *row = add_row(j, group, at, DIFF_IS_INLINED, "inlined_into");
	*(is_new ? &row->old : &row->new) = text_cell(into);
	return true;
}

/* ---- all of it ---- */

static void compare_slot(struct judging *j, size_t group, size_t at)
{
	struct diff *d = j->diff;
	const struct diff_group *g = &d->groups[group];
	bool in_old = is_there(d, &g->slots[at], 0), in_new = is_there(d, &g->slots[at], j->side);
	bool is_routine = g->table->shape == DIFF_ROUTINES && g->slots[at].routine != RUN_NOWHERE;
	if (in_old != in_new) {
		bool is_inlined = is_routine && look_for_inlined(j, group, at, in_new);
		list_figures(j, group, at, is_inlined ? DIFF_IS_INLINED : in_new ? DIFF_IS_NEW : DIFF_IS_GONE, in_new);
	}
	if (!in_old || !in_new)
		return;
	for (size_t i = 0; i < g->figure_count; i++) {
		enum diff_kind kind = g->table->figures[i].kind;
		if (kind == DIFF_PAIR && is_routine)
			compare_pair(j, group, at, &g->table->figures[i]);
		else if (kind != DIFF_PAIR && kind != DIFF_BOUND)
			compare(j, group, at, i);
	}
	if (is_routine)
		compare_routine(j, group, at);
}

/* The correction is one for all that was tested; whether a difference matters does not depend on it. */
static void decide(struct diff *d, size_t from)
{
	size_t count = d->row_count - from;
	double *p = memory_resize(NULL, count + 1, sizeof *p);
	for (size_t i = 0; i < count; i++) {
		const struct diff_row *row = &d->rows[from + i];
		p[i] = row->p > 0 && !(row->figure && row->figure->kind == DIFF_INTERVAL) ? row->p : NAN;
	}
	sure_correct(p, count);
	for (size_t i = 0; i < count; i++) {
		struct diff_row *row = &d->rows[from + i];
		row->p = isnan(p[i]) ? row->p : p[i];
		double level = sure_level(row->p);
		row->sure = row->p == 0 ? "exact" : level >= 0.999 ? "0.999" : level >= 0.99 ? "0.99" : level >= 0.95 ? "0.95" : "no";
		row->is_sure = row->p == 0 || level > 0;
		double least = d->limits.percent, change = sheet_value(&row->change);
		bool counts = row->verdict == DIFF_IS_OTHER && row->figure && row->figure->worse != DIFF_NEITHER &&
			!(fabs(row->pct) < least) && row->weight * 100 >= DIFF_MATTERS_PCT;
		if (counts && change)
			row->verdict = (change > 0) == (row->figure->worse == DIFF_MORE) ? DIFF_IS_WORSE : DIFF_IS_BETTER;
	}
	free(p);
}

static int by_importance(const void *a, const void *b)
{
	const struct diff_row *x = a, *y = b;
	if (x->side != y->side)
		return x->side < y->side ? -1 : 1;
	if (x->verdict != y->verdict)
		return x->verdict < y->verdict ? -1 : 1;
	if ((x->group == 0) != (y->group == 0)) /* the run as a whole */
		return x->group == 0 ? -1 : 1;
	if (x->is_sure != y->is_sure)
		return x->is_sure ? -1 : 1;
	if (x->group == 0 && y->group == 0) /* in the order of their list */
		return x->figure < y->figure ? -1 : x->figure > y->figure;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->slot != y->slot)
		return x->slot < y->slot ? -1 : 1;
	return x->figure < y->figure ? -1 : x->figure > y->figure;
}

void diff_make_rows(struct diff *d)
{
	struct judging j = {.diff = d};
	for (int k = 0; k < 2; k++)
		j.values[k] = memory_resize(NULL, d->recording_count + 1, sizeof *j.values[k]);
	for (j.side = 1; j.side < d->side_count; j.side++) {
		size_t from = d->row_count;
		for (size_t group = 0; group < d->group_count; group++) {
			const struct diff_group *g = &d->groups[group];
			for (size_t i = 0; i < g->figure_count; i++)
				j.wholes[i] = g->table->figures[i].adds_up ? whole_of(&j, g, i) : 0;
			for (size_t at = 0; at < g->slot_count; at++)
				compare_slot(&j, group, at);
		}
		decide(d, from);
	}
	if (d->row_count)
		qsort(d->rows, d->row_count, sizeof *d->rows, by_importance);
	for (int k = 0; k < 2; k++)
		free(j.values[k]);
}

bool diff_is_worse(const struct diff *d)
{
	for (size_t i = 0; i < d->row_count; i++) {
		const struct diff_row *row = &d->rows[i];
		if (row->side + 1 == d->side_count && row->verdict == DIFF_IS_WORSE && row->is_sure)
			return true;
	}
	return false;
}
