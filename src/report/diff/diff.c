/* SPDX-License-Identifier: MIT */
#include "report/diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/strv.h"
#include "base/text.h"
#include "store/repeats.h"

enum { MOST_WITH_POINT = 1000 };

/* `run` is the number of the run in the file; 0: the only one. */
static int open_run(struct diff *d, size_t side, const char *path, int64_t run, struct fail *why)
{
	MEMORY_GROW(d->recordings, d->recording_count, d->recording_room);
	struct diff_recording *r = &d->recordings[d->recording_count++];
	struct view_ask ask = {0};
	*r = (struct diff_recording){.path = path, .side = side, .store = store_open(path, why)};
	if (!r->store)
		return -1;
	if (!store_has_lens(r->store, d->lens->name))
		return fail_set(why, FAIL_NOT_FOUND, "%.300s holds no run of the lens %s: record one with `skein record %s -- PROGRAM`",
		                path, d->lens->name, d->lens->name);
	store_choose(r->store, run);
	r->data = lens_open(d->lens, r->store, &(struct arguments){0}, &ask, why);
	if (!r->data)
		return -1;
	r->run = (const struct run *)(const void *)((const char *)r->data + d->lens->run_at);
	return 0;
}

/* Repeated runs are several recordings; those of the input lens are one, since they add up. */
static int open_recording(struct diff *d, size_t side, const char *path, struct fail *why)
{
	struct repeats repeats = {0};
	struct store *store = store_open(path, why);
	bool adds_up = lens_traits(d->lens->name) & LENS_RUNS_ADD_UP;
	int result = store ? 0 : -1;
	if (store && !adds_up && store_has_lens(store, d->lens->name))
		result = store_repeats(store, d->lens->name, &repeats, why);
	store_close(store);
	for (size_t i = 0; result == 0 && i < repeats.count; i++)
		if (repeats.runs[i].counts)
			result = open_run(d, side, path, repeats.runs[i].run, why);
	if (result == 0 && !repeats.counted)
		result = open_run(d, side, path, 0, why);
	repeats_free(&repeats);
	return result;
}

static void list_groups(struct diff *d)
{
	const struct diff_table *tables = d->lens->diff->tables;
	while (tables[d->group_count].what)
		d->group_count++;
	d->groups = memory_zeroed(d->group_count, sizeof *d->groups);
	for (size_t i = 0; i < d->group_count; i++) {
		d->groups[i].table = &tables[i];
		while (tables[i].figures[d->groups[i].figure_count].name)
			d->groups[i].figure_count++;
	}
}

const char *diff_label(struct pool *pool, const char *path)
{
	const char *base = str_base(path);
	return str_ends(base, ".skein") && strlen(base) > 6 ? pool_print(pool, "%.*s", (int)strlen(base) - 6, base) : pool_text(pool, base);
}

int diff_open(struct diff *d, const struct lens *lens, const struct diff_side *sides, size_t side_count, const struct diff_limits *limits,
              struct fail *why)
{
	*d = (struct diff){.lens = lens, .sides = sides, .side_count = side_count, .limits = *limits};
	for (size_t s = 0; s < side_count; s++)
		for (size_t i = 0; i < sides[s].count; i++)
			if (open_recording(d, s, sides[s].paths[i], why) < 0) {
				diff_close(d);
				return -1;
			}
	list_groups(d);
	for (size_t r = 0; r < d->recording_count; r++)
		diff_number_routines(d, r);
	for (size_t r = 0; r < d->recording_count; r++)
		if (diff_read(d, r, why) < 0) {
			diff_close(d);
			return -1;
		}
	diff_make_rows(d);
	return 0;
}

static void close_group(struct diff_group *g)
{
	for (size_t i = 0; i < g->slot_count; i++) {
		free(g->slots[i].where);
		free(g->slots[i].is_in);
		free(g->slots[i].values);
	}
	free(g->slots);
	lookup_free(&g->index);
}

void diff_close(struct diff *d)
{
	for (size_t i = 0; i < d->group_count; i++)
		close_group(&d->groups[i]);
	for (size_t i = 0; i < d->routine_count; i++)
		free(d->routines[i].in);
	for (size_t i = 0; i < d->recording_count; i++) {
		free(d->recordings[i].routines);
		if (d->recordings[i].data)
			lens_close(d->lens, d->recordings[i].data);
		store_close(d->recordings[i].store);
	}
	free(d->groups);
	free(d->routines);
	free(d->recordings);
	free(d->rows);
	pool_free(&d->pool);
	memset(d, 0, sizeof *d);
}

/* ---- what rows are called ---- */

static const struct diff_slot *slot_of(const struct diff *d, const struct diff_row *row)
{
	return &d->groups[row->group].slots[row->slot];
}

const char *diff_name(const struct diff *d, const struct diff_row *row)
{
	return slot_of(d, row)->name;
}

/* Of two names the new one, unless the routine is gone. */
const char *diff_routine_name(const struct diff *d, const struct diff_row *row)
{
	uint32_t routine = slot_of(d, row)->routine;
	size_t wanted = row->verdict == DIFF_IS_GONE ? 0 : row->side;
	if (routine == RUN_NOWHERE)
		return "";
	for (int turn = 0; turn < 2; turn++, wanted = 0)
		for (size_t r = 0; r < d->recording_count; r++)
			if (d->recordings[r].side == wanted && d->routines[routine].in[r] != RUN_NOWHERE)
				return d->recordings[r].run->routines[d->routines[routine].in[r]].name;
	return d->routines[routine].as->name;
}

const struct diff_place *diff_place(const struct diff *d, const struct diff_row *row)
{
	static const struct diff_place nowhere = {"", RUN_UNKNOWN};
	const struct diff_slot *slot = slot_of(d, row);
	const struct diff_place *found = &nowhere;
	for (size_t r = 0; r < d->recording_count; r++)
		if (slot->is_in[r] && slot->where[r].file && (d->recordings[r].side == 0 || d->recordings[r].side == row->side))
			found = &slot->where[r];
	return found;
}

struct cell diff_at(const struct diff *d, const struct diff_row *row, size_t side)
{
	const struct diff_group *g = &d->groups[row->group];
	double sum = 0;
	size_t count = 0;
	struct cell last = {.kind = CELL_EMPTY};
	bool is_steady = true;
	for (size_t r = 0; r < d->recording_count && row->figure; r++) {
		if (d->recordings[r].side != side)
			continue;
		struct cell cell = diff_values(g, slot_of(d, row), r)[row->figure - g->table->figures];
		if (cell.kind == CELL_EMPTY)
			continue;
		is_steady &= !count || sheet_value(&cell) == sheet_value(&last);
		sum += sheet_value(&cell);
		count++;
		last = cell;
	}
	return is_steady ? last : (struct cell){.kind = CELL_REAL, .real = sum / (double)count};
}

const char *diff_percent(struct pool *pool, double percent)
{
	double size = fabs(percent);
	if (!isfinite(percent))
		return "";
	if (percent >= 1000)
		return pool_print(pool, "x %s", text_count(pool, number_whole(percent / 100 + 1.5)));
	if (percent < 0 && size >= 99.5 && size < 100)
		return pool_print(pool, "-%.2f %%", size);
	return pool_print(pool, size >= 9.95 ? "%s%.0f %%" : size >= 0.05 ? "%s%.1f %%" : "%s%.2f %%", percent < 0 ? "-" : "+", size);
}

const char *diff_value(struct pool *pool, enum unit unit, const struct cell *cell)
{
	if (cell->kind == CELL_EMPTY)
		return "";
	if (cell->kind == CELL_TEXT)
		return cell->text;
	double value = sheet_value(cell);
	const char *sign = value < 0 ? "-" : "";
	value = value < 0 ? -value : value;
	switch (unit) {
	case UNIT_NS: return pool_print(pool, "%s%s", sign, text_ns(pool, value));
	case UNIT_PERCENT: return pool_print(pool, "%s%.1f %%", sign, value);
	case UNIT_RATIO: return pool_print(pool, "%s%.2f", sign, value);
	default:
		return cell->kind == CELL_NUMBER   ? pool_print(pool, "%s%s", sign, text_amount(pool, number_whole(value)))
			: value >= MOST_WITH_POINT ? pool_print(pool, "%s%s", sign, text_amount(pool, number_whole(value + 0.5)))
						   : pool_print(pool, "%s%.1f", sign, value);
	}
}
