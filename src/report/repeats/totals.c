/* SPDX-License-Identifier: MIT */
#include "report/repeats/totals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A figure with a fraction is a text with four digits behind the point (summary.h). */
static double value_of(const struct cell *cell)
{
	if (cell->kind == CELL_NUMBER || cell->kind == CELL_REAL)
		return sheet_value(cell);
	const char *point = cell->kind == CELL_TEXT ? strrchr(cell->text, '.') : NULL;
	if (!point || strlen(point) != 5 || strspn(point + 1, "0123456789") != 4)
		return NAN;
	char *end;
	double value = strtod(cell->text, &end);
	return *end ? NAN : value;
}

static struct total *figure_named(struct totals *f, const char *name)
{
	for (size_t i = 0; i < f->count; i++)
		if (strcmp(f->at[i].name, name) == 0)
			return &f->at[i];
	MEMORY_GROW(f->at, f->count, f->room);
	struct total *new = &f->at[f->count++];
	*new = (struct total){.name = pool_text(&f->pool, name), .values = memory_resize(NULL, f->runs, sizeof *new->values)};
	for (size_t i = 0; i < f->runs; i++)
		new->values[i] = NAN;
	return new;
}

static void take_sheet(struct totals *f, const struct sheet *sheet, size_t run)
{
	for (size_t row = 0; row < sheet->row_count; row++) {
		const struct cell *name = sheet_cell(sheet, row, 0);
		double value = value_of(sheet_cell(sheet, row, 1));
		if (name->kind == CELL_TEXT && !isnan(value))
			figure_named(f, name->text)->values[run] = value;
	}
}

static int take_run(struct store *store, const struct lens *lens, const struct arguments *a, struct totals *f, size_t run, struct fail *why)
{
	const struct view *view = lens_view(lens, "summary");
	struct view_ask ask = {.all_rows = true};
	void *data = lens_open(lens, store, a, &ask, why);
	if (!data)
		return -1;
	struct sheet sheet;
	sheet_start(&sheet, true);
	view->fill(data, &ask, &sheet);
	take_sheet(f, &sheet, run);
	sheet_free(&sheet);
	lens_close(lens, data);
	return 0;
}

static void find_spread(struct total *figure, const struct repeats *repeats)
{
	double *known = memory_resize(NULL, repeats->count, sizeof *known);
	size_t count = 0;
	for (size_t i = 0; i < repeats->count; i++)
		if (repeats->runs[i].counts && !isnan(figure->values[i]))
			known[count++] = figure->values[i];
	figure->spread = spread_of(known, count);
	free(known);
}

int totals_load(struct store *store, const struct lens *lens, const struct arguments *a, const struct repeats *repeats,
                struct totals *totals, struct fail *why)
{
	const struct arguments none = {0};
	int64_t chosen = store_chosen(store);
	int result = 0;
	*totals = (struct totals){.runs = repeats->count};
	for (size_t i = 0; i < repeats->count && result == 0; i++) {
		store_choose(store, repeats->runs[i].run);
		result = take_run(store, lens, a ? a : &none, totals, i, why);
	}
	store_choose(store, chosen);
	for (size_t i = 0; i < totals->count; i++)
		find_spread(&totals->at[i], repeats);
	if (result < 0)
		totals_free(totals);
	return result;
}

const struct total *totals_find(const struct totals *totals, const char *name)
{
	for (size_t i = 0; i < totals->count; i++)
		if (strcmp(totals->at[i].name, name) == 0)
			return &totals->at[i];
	return NULL;
}

void totals_free(struct totals *totals)
{
	for (size_t i = 0; i < totals->count; i++)
		free(totals->at[i].values);
	free(totals->at);
	pool_free(&totals->pool);
	*totals = (struct totals){0};
}
