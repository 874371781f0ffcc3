/* SPDX-License-Identifier: MIT */
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "report/lens.h"
#include "report/view.h"

#define NORMAL_95 1.96
#define EXACT_DOUBLE 9007199254740992.0L /* up to here each whole number is a double */

enum { NO_COLUMN = -1 };

const char *const figure_about_names[FIGURE_ABOUTS] = {
#define X(name, text) text,
	FIGURE_ABOUT_LIST(X)
#undef X
};

const char *const figure_kind_names[FIGURE_KINDS] = {
#define X(name, text) text,
	FIGURE_KIND_LIST(X)
#undef X
};

/* ---- a number for people ---- */

const char *figure_text(struct pool *pool, enum unit unit, long double value, int digits)
{
	bool is_whole = value == floorl(value) && fabsl(value) < EXACT_DOUBLE;
	if (unit == UNIT_PERCENT)
		return digits ? pool_print(pool, "%.*Lf %%", digits + 1, value) : text_percent(pool, (double)value);
	if (unit == UNIT_NS && !digits)
		return text_ns(pool, (double)value);
	if (unit == UNIT_RATIO)
		return pool_print(pool, "%.*Lf", digits + 2, value);
	const char *count = is_whole ? text_count(pool, number_whole((double)value)) : pool_print(pool, "%.*Lf", digits, value);
	return unit == UNIT_NS ? pool_print(pool, "%s ns", count) : count;
}

struct figure_range figure_part_of(double part, double n)
{
	double z2 = NORMAL_95 * NORMAL_95, middle = (part + z2 / (2 * n)) / (1 + z2 / n),
	       wide = NORMAL_95 / (1 + z2 / n) * sqrt(part * (1 - part) / n + z2 / (4 * n * n));
	return (struct figure_range){middle > wide ? middle - wide : 0, middle + wide < 1 ? middle + wide : 1};
}

/* ---- cells ---- */

static int column_of(const struct sheet *s, const char *name)
{
	for (size_t i = 0; i < s->column_count; i++)
		if (s->columns[i].name && strcmp(s->columns[i].name, name) == 0)
			return (int)i;
	return NO_COLUMN;
}

static const char *text_in(const struct sheet *s, size_t row, const char *column)
{
	int at = column ? column_of(s, column) : NO_COLUMN;
	const struct cell *cell = at >= 0 ? sheet_cell(s, row, (size_t)at) : NULL;
	return cell && cell->kind == CELL_TEXT && cell->text ? cell->text : "";
}

/* Not a number: the cell is empty, or not there. A summary has what is not whole as a text. */
static long double number_in(const struct sheet *s, size_t row, int column)
{
	const struct cell *cell = column >= 0 ? sheet_cell(s, row, (size_t)column) : NULL;
	char *end;
	if (!cell || cell->kind == CELL_EMPTY)
		return NAN;
	if (cell->kind == CELL_NUMBER)
		return (long double)cell->number;
	if (cell->kind == CELL_REAL)
		return cell->real;
	double value = strtod(cell->text, &end);
	return *cell->text && !*end && isfinite(value) ? value : (double)NAN;
}

double figure_beside(const struct figure_cell *cell, const char *column)
{
	return (double)number_in(cell->sheet, cell->row, column_of(cell->sheet, column));
}

/* Figures of the whole run are rows; all others are columns of the row. */
static long double look_up(const struct sheet *s, size_t row, enum figure_about about, const char *name)
{
	if (about != FIGURE_RUN)
		return number_in(s, row, column_of(s, name));
	for (size_t i = 0; i < s->row_count; i++)
		if (strcmp(text_in(s, i, "name"), name) == 0)
			return number_in(s, i, column_of(s, "value"));
	return NAN;
}

static void fill_sheet(const struct view *view, const void *data, const char *routine, struct sheet *s)
{
	sheet_start(s, false);
	view->fill(data, &(struct view_ask){.routine = routine, .all_rows = true}, s);
}

/* ---- which rows ---- */

/* The names of the routines of a recording that fit what was asked for, perhaps by their linkage names. */
struct names {
	const char **list;
	size_t count, room;
	const char *asked;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_names(struct names *names, const struct run *run, const char *asked)
{
	*names = (struct names){.asked = asked};
	for (size_t i = 0; asked && i < run->routine_count; i++)
		if (view_wants(asked, &run->routines[i])) {
			MEMORY_GROW(names->list, names->count, names->room);
			names->list[names->count++] = run->routines[i].name;
		}
	if (names->count)
		qsort(names->list, names->count, sizeof *names->list, by_name);
}

static bool fits(const struct names *names, const char *name)
{
	return !names->asked || view_matches(names->asked, name) ||
		(names->count && bsearch(&name, names->list, names->count, sizeof *names->list, by_name));
}

static bool is_wanted(const struct sheet *s, size_t row, const struct figure_rows *rows, const struct names *name,
                      const struct names *caller)
{
	for (int i = 0; i < FIGURE_FILTERS && rows->where[i].column; i++)
		if (strcmp(text_in(s, row, rows->where[i].column), rows->where[i].is) != 0)
			return false;
	if (rows->about == FIGURE_RUN)
		return row == 0;
	const char *is = text_in(s, row, rows->name);
	return *is && fits(name, is) && (rows->about != FIGURE_SITE || fits(caller, text_in(s, row, rows->caller)));
}

/* ---- values ---- */

struct search {
	const struct lens *lens;
	const void *data;
	const struct figure *figure;
	const struct sheet *sheet;
	long double whole; /* of which percentages are, if that is a figure of the run; not a number: of nothing */
	bool is_exact;
	struct figures_found *found;
};

/* What is missing makes a count too small; it may make anything else too small or too large. */
static void doubt_exact(const struct search *s, struct figure_found *f)
{
	bool may_be_less = s->figure->unit != UNIT_COUNT || s->figure->less || s->figure->of || s->figure->of_run;
	if (!s->found->lost || strcmp(s->figure->column, "lost_events") == 0)
		return;
	f->high = INFINITY;
	f->low = may_be_less ? -INFINITY : f->low;
}

static void doubt_sampled(const struct search *s, size_t row, struct figure_found *f)
{
	struct figure_cell cell = {s->data, s->sheet, row, (double)f->value};
	struct figure_range range = s->figure->range(&cell);
	f->is_small_sample = isnan(range.low);
	f->low = f->is_small_sample ? -INFINITY : range.low;
	f->high = f->is_small_sample ? INFINITY : range.high;
}

static const char *name_of(const struct search *s, size_t row)
{
	const struct figure_rows *rows = s->figure->rows;
	struct pool *pool = &s->found->pool;
	const char *name = text_in(s->sheet, row, rows->name);
	if (rows->about == FIGURE_RUN)
		return "";
	return rows->caller ? pool_print(pool, "%s -> %s", text_in(s->sheet, row, rows->caller), name) : pool_text(pool, name);
}

static const char *place_of(const struct search *s, size_t row)
{
	double line = (double)number_in(s->sheet, row, column_of(s->sheet, "line"));
	return s->figure->rows->about == FIGURE_RUN || isnan(line)
		? ""
		: text_place(&s->found->pool, text_in(s->sheet, row, "file"), (uint32_t)number_within(line, 0, UINT32_MAX));
}

static long double value_of(const struct search *s, size_t row)
{
	const struct figure *f = s->figure;
	enum figure_about about = f->rows->about;
	long double value = look_up(s->sheet, row, about, f->column);
	if (f->less)
		value -= look_up(s->sheet, row, about, f->less);
	long double whole = f->of ? look_up(s->sheet, row, about, f->of) : s->whole;
	if (!f->of && !f->of_run)
		return value;
	return whole > 0 ? 100 * value / whole : (long double)NAN;
}

/* The element that is added to, if rows of one name are added. */
static struct figure_found *same_as(const struct search *s, const char *name)
{
	struct figures_found *all = s->found;
	for (size_t i = all->count; s->figure->rows->adds_up && i-- > 0;)
		if (strcmp(all->list[i].name, name) == 0)
			return &all->list[i];
	return NULL;
}

static void add_value(const struct search *s, size_t row)
{
	struct figures_found *all = s->found;
	const char *name = name_of(s, row);
	long double value = value_of(s, row);
	struct figure_found *f = same_as(s, name);
	if (!f) {
		MEMORY_GROW(all->list, all->count, all->room);
		f = &all->list[all->count++];
		*f = (struct figure_found){.name = name, .place = place_of(s, row), .is_known = true};
	}
	f->kind = s->figure->kind == FIGURE_EXACT && !s->is_exact ? FIGURE_MEASURED : s->figure->kind;
	f->is_known &= !isnan(value);
	f->value += value;
	f->low = f->high = (double)f->value;
	if (f->is_known && f->kind == FIGURE_EXACT)
		doubt_exact(s, f);
	else if (f->is_known && f->kind == FIGURE_SAMPLED)
		doubt_sampled(s, row, f);
}

static void add_zero(const struct search *s, const char *name)
{
	struct figures_found *all = s->found;
	MEMORY_GROW(all->list, all->count, all->room);
	all->list[all->count++] =
		(struct figure_found){.name = pool_text(&all->pool, name), .place = "", .is_known = true, .kind = s->figure->kind};
}

/* ---- all of it ---- */

/* Nothing matches: the name is wrong, or there is nothing to be known of what has that name. */
static int explain_none(const struct search *s, const char *name, const char *caller, struct fail *why)
{
	const struct figure_rows *rows = s->figure->rows;
	bool is_known = rows->about == FIGURE_ROUTINE && s->lens->knows_routine(s->data, name);
	if (is_known && rows->none_is_zero)
		add_zero(s, name);
	else if (!is_known && rows->none)
		s->found->missing = rows->none;
	else if (rows->about == FIGURE_OBJECT)
		return fail_set(why, FAIL_USAGE, "this recording has no object %.200s (a pattern such as '*lock*' may find it)", name);
	else if (rows->about == FIGURE_SITE)
		return fail_set(why, FAIL_USAGE,
		                "this recording has no call from %.200s to %.200s (patterns such as '*parse*' may find it)", caller, name);
	else if (rows->about == FIGURE_ROUTINE && !is_known)
		return fail_set(why, FAIL_USAGE, "this recording has no routine %.200s (a pattern such as '*parse*' may find it)", name);
	else
		s->found->missing = rows->missing ? rows->missing : "the recording does not have it";
	return 0;
}

static void find_whole(struct search *s)
{
	struct sheet summary;
	s->whole = NAN;
	if (!s->figure->of_run)
		return;
	fill_sheet(s->lens->figures->summary, s->data, NULL, &summary);
	s->whole = look_up(&summary, 0, FIGURE_RUN, s->figure->of_run);
	sheet_free(&summary);
}

int figures_find(const struct lens *lens, const void *data, const struct figure *figure, const char *name, const char *caller,
                 struct figures_found *found, struct fail *why)
{
	const struct figure_rows *rows = figure->rows;
	const struct run *run = (const struct run *)(const void *)((const char *)data + lens->run_at);
	const char *routine = rows->about == FIGURE_ROUTINE || rows->about == FIGURE_SITE ? name : NULL;
	struct view_ask ask = {.routine = routine, .all_rows = true};
	struct sheet sheet;
	struct names names, callers;
	struct search s = {.lens = lens,
	                   .data = data,
	                   .figure = figure,
	                   .sheet = &sheet,
	                   .is_exact = !lens->figures->is_exact || lens->figures->is_exact(data),
	                   .found = found};
	found->lost = run_lost_events(run);
	if (rows->view->check && rows->view->check(data, &ask, why) < 0) {
		found->missing = pool_text(&found->pool, why->text);
		return 0;
	}
	find_whole(&s);
	fill_sheet(rows->view, data, routine, &sheet);
	list_names(&names, run, rows->about == FIGURE_OBJECT ? NULL : name);
	list_names(&callers, run, caller);
	names.asked = name;
	for (size_t row = 0; row < sheet.row_count; row++)
		if (is_wanted(&sheet, row, rows, &names, &callers))
			add_value(&s, row);
	int result = found->count ? 0 : explain_none(&s, name, caller, why);
	for (size_t i = 0; i < found->count && !found->missing; i++)
		if (!found->list[i].is_known)
			found->missing = rows->missing ? rows->missing : "the recording does not have it";
	free(names.list);
	free(callers.list);
	sheet_free(&sheet);
	return result;
}

void figures_free(struct figures_found *found)
{
	free(found->list);
	pool_free(&found->pool);
	memset(found, 0, sizeof *found);
}
