/* SPDX-License-Identifier: MIT */
/* trend.c: reads a figure from each recording, by the views that show it, and prints them side by side. */
#include "report/diff/trend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyse/run.h"
#include "base/number.h"
#include "base/strv.h"
#include "base/text.h"
#include "report/diff/diff.h"

/* ---- the figure ---- */

/* "calls.parse.direct_ns": the routine may have dots in its name. */
static int read_name(struct trend *t, const char *name, struct fail *why)
{
	const char *first = strchr(name, '.'), *last = strrchr(name, '.');
	if (!first || first == name || !last[1] || (last != first && last == first + 1))
		return fail_set(why, FAIL_USAGE,
		                "%.200s is not a figure: write LENS.FIGURE, such as span.parallelism, or LENS.ROUTINE.FIGURE", name);
	const char *lens = pool_print(&t->pool, "%.*s", (int)(first - name), name);
	t->lens = lens_find(lens);
	t->figure = pool_text(&t->pool, last + 1);
	t->routine = last == first ? "" : pool_print(&t->pool, "%.*s", (int)(last - first - 1), first + 1);
	return t->lens ? 0 : lens_unknown(lens, why);
}

static const struct diff_table *table_of(const struct lens *lens, bool of_routine)
{
	const struct diff_table *found = NULL;
	for (const struct diff_table *t = lens->diff->tables; t->what; t++)
		if (!found && t->shape == (of_routine ? DIFF_ROUTINES : DIFF_RUN))
			found = t;
	return found;
}

static enum unit unit_by_name(const char *name)
{
	return str_ends(name, "_ns") ? UNIT_NS : str_ends(name, "_pct") ? UNIT_PERCENT : UNIT_COUNT;
}

static const struct cell *called(const struct sheet *s, size_t row, const char *column)
{
	for (size_t c = 0; c < s->column_count; c++)
		if (s->columns[c].name && strcmp(s->columns[c].name, column) == 0)
			return sheet_cell(s, row, c);
	return NULL;
}

static bool is_text(const struct cell *cell, const char *text)
{
	return cell && cell->kind == CELL_TEXT && strcmp(cell->text, text) == 0;
}

/* Summaries write what is not whole as text. */
static struct cell as_number(const struct cell *cell)
{
	char *end;
	if (cell->kind != CELL_TEXT)
		return *cell;
	double value = strtod(cell->text, &end);
	bool is_number = *cell->text && !*end && isfinite(value);
	return is_number ? (struct cell){.kind = CELL_REAL, .real = value} : (struct cell){.kind = CELL_EMPTY};
}

/* ---- its value in a recording ---- */

static int no_figure(const struct trend *t, const struct sheet *s, const char *of, struct fail *why)
{
	struct pool pool = {0};
	const char *list = "";
	for (size_t i = 0; i < (*t->routine ? s->column_count : s->row_count); i++) {
		const struct cell *name = *t->routine ? NULL : called(s, i, "name");
		const char *one = *t->routine ? s->columns[i].name : name && name->kind == CELL_TEXT ? name->text : NULL;
		if (one && strlen(list) < 500)
			list = pool_print(&pool, "%s%s%s", list, *list ? ", " : "", one);
	}
	fail_set(why, FAIL_USAGE, "%s of the lens %s has no figure %.100s; figures: %.600s", of, t->lens->name, t->figure, list);
	pool_free(&pool);
	return -1;
}

static int find_of_run(struct trend *t, struct trend_point *p, const struct sheet *s, struct fail *why)
{
	for (size_t row = 0; row < s->row_count; row++)
		if (is_text(called(s, row, "name"), t->figure)) {
			p->value = as_number(called(s, row, "value"));
			p->missing = p->value.kind == CELL_EMPTY ? "did not measure it" : NULL;
			return 0;
		}
	return no_figure(t, s, "the run", why);
}

/* Several rows of the name: several routines. */
static int find_of_routine(struct trend *t, struct trend_point *p, const struct diff_table *table, const struct sheet *s, struct fail *why)
{
	size_t found = 0;
	for (size_t row = 0; row < s->row_count; row++) {
		if (table->where[0].column && !is_text(called(s, row, table->where[0].column), table->where[0].value))
			continue;
		const struct cell *value = called(s, row, t->figure);
		if (!value)
			return no_figure(t, s, "a routine", why);
		p->value = as_number(value);
		found++;
	}
	if (found > 1)
		return fail_set(why, FAIL_USAGE, "%.300s has %zu routines that match %.200s: name one of them", p->path, found, t->routine);
	p->missing = !found ? "does not have the routine" : p->value.kind == CELL_EMPTY ? "did not measure it" : NULL;
	return 0;
}

static int read_data(struct trend *t, struct trend_point *p, const void *data, struct fail *why)
{
	const struct diff_table *table = table_of(t->lens, *t->routine);
	struct view_ask ask = {.routine = *t->routine ? t->routine : NULL, .all_rows = table && table->all_rows};
	struct sheet s;
	int result;
	p->recorded_ns = ((const struct run *)(const void *)((const char *)data + t->lens->run_at))->started_real_ns;
	if (!table)
		return fail_set(why, FAIL_USAGE, "the lens %s has no figures of routines; leave out %.100s", t->lens->name, t->routine);
	if (*t->routine && !t->lens->knows_routine(data, t->routine)) {
		p->missing = "does not have the routine";
		return 0;
	}
	sheet_start(&s, false);
	table->view->fill(data, &ask, &s);
	result = *t->routine ? find_of_routine(t, p, table, &s, why) : find_of_run(t, p, &s, why);
	sheet_free(&s);
	return result;
}

static int read_point(struct trend *t, struct trend_point *p, struct fail *why)
{
	struct view_ask ask = {0};
	struct store *store = store_open(p->path, why);
	int result = store ? 0 : -1;
	if (store && !store_has_lens(store, t->lens->name)) {
		p->missing = "holds no run of the lens";
	} else if (store) {
		void *data = lens_open(t->lens, store, &(struct arguments){0}, &ask, why);
		result = data ? read_data(t, p, data, why) : -1;
		if (data)
			lens_close(t->lens, data);
	}
	store_close(store);
	return result;
}

int trend_open(struct trend *t, const char *figure, char *const *paths, size_t count, struct fail *why)
{
	size_t known = 0;
	*t = (struct trend){.count = count};
	int result = read_name(t, figure, why);
	t->points = memory_zeroed(count, sizeof *t->points);
	for (size_t i = 0; i < count && result == 0; i++) {
		t->points[i].path = paths[i];
		result = read_point(t, &t->points[i], why);
		known += result == 0 && !t->points[i].missing;
		if (t->points[i].value.kind == CELL_REAL)
			t->unit = UNIT_RATIO;
	}
	if (result == 0 && !known)
		result = fail_set(why, FAIL_NOT_FOUND, "no recording has %.200s: %.300s %s", figure, paths[0], t->points[0].missing);
	if (result < 0)
		trend_close(t);
	else if (unit_by_name(t->figure) != UNIT_COUNT || t->unit != UNIT_RATIO)
		t->unit = unit_by_name(t->figure);
	return result;
}

void trend_close(struct trend *t)
{
	free(t->points);
	pool_free(&t->pool);
	memset(t, 0, sizeof *t);
}

/* ---- as a page ---- */

struct trend_row {
	const struct trend *trend;
	const struct trend_point *point;
	struct cell change; /* from the recording before that has a value */
	double pct, share;
};

static const char *time_text(struct pool *pool, uint64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm;
	char text[64];
	if (!ns || !gmtime_r(&seconds, &tm) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm))
		return "";
	return pool_text(pool, text);
}

static const char *value_text(struct pool *pool, const struct trend *t, const struct cell *cell)
{
	return diff_value(pool, t->unit, cell);
}

static void put_point(struct sheet *s, const struct trend_row *r)
{
	COLUMN(s, NAME, "recording", "recording", r->point->path);
	COLUMN(s, TEXT, "recorded", "recorded", time_text(&s->pool, r->point->recorded_ns), .drop = 1);
	COLUMN(s, TEXT, "lens", NULL, r->trend->lens->name);
	COLUMN(s, TEXT, "routine", NULL, r->trend->routine);
	COLUMN(s, TEXT, "figure", NULL, r->trend->figure);
	COLUMN(s, FIGURE, "value", NULL, r->point->value);
	COLUMN(s, FIGURE, "change", NULL, r->change);
	COLUMN(s, PERCENT, "change_pct", NULL, r->pct);
	COLUMN(s, FIGURE, NULL, "value", ((struct cell){.kind = CELL_TEXT, .text = value_text(&s->pool, r->trend, &r->point->value)}));
	COLUMN(s, FIGURE, NULL, "change", ((struct cell){.kind = CELL_TEXT, .text = diff_percent(&s->pool, r->pct)}),
	       .meaning = "since the recording before");
	COLUMN(s, BAR, NULL, "", r->share, .drop = 2);
}

static struct cell change_of(const struct cell *old, const struct cell *new)
{
	int64_t change;
	if (old->kind == CELL_NUMBER && new->kind == CELL_NUMBER && !__builtin_sub_overflow(new->number, old->number, &change))
		return (struct cell){.kind = CELL_NUMBER, .number = change};
	return (struct cell){.kind = CELL_REAL, .real = sheet_value(new) - sheet_value(old)};
}

static void put_points(struct sheet *s, const struct trend *t)
{
	const struct trend_point *last = NULL;
	double most = 0;
	for (size_t i = 0; i < t->count; i++)
		if (!t->points[i].missing && sheet_value(&t->points[i].value) > most)
			most = sheet_value(&t->points[i].value);
	put_point(s, &(struct trend_row){.trend = t});
	for (size_t i = 0; i < t->count; i++) {
		const struct trend_point *p = &t->points[i];
		struct trend_row row = {.trend = t, .point = p, .pct = NAN, .share = NAN};
		if (!p->missing) {
			double value = sheet_value(&p->value), before = last ? sheet_value(&last->value) : 0;
			row.share = most > 0 && value >= 0 ? value / most : NAN;
			if (last)
				row.change = change_of(&last->value, &p->value);
			row.pct = before ? 100 * (value - before) / fabs(before) : NAN;
			last = p;
		}
		sheet_row(s, 0);
		put_point(s, &row);
	}
}

/* First and last, and where the figure was lowest and highest. */
static void judge(const struct trend *t, struct findings *verdict, struct findings *caveats)
{
	const struct trend_point *first = NULL, *last = NULL, *lowest = NULL, *highest = NULL;
	struct pool pool = {0};
	const char *routine = *t->routine ? pool_print(&pool, "%s.", t->routine) : "";
	for (size_t i = 0; i < t->count; i++) {
		const struct trend_point *p = &t->points[i];
		if (p->missing) {
			findings_add(caveats, "%s %s: it has no value.", p->path, p->missing);
			continue;
		}
		first = first ? first : p;
		last = p;
		lowest = !lowest || sheet_value(&p->value) < sheet_value(&lowest->value) ? p : lowest;
		highest = !highest || sheet_value(&p->value) > sheet_value(&highest->value) ? p : highest;
	}
	double from = sheet_value(&first->value), to = sheet_value(&last->value);
	const char *change = diff_percent(&pool, from ? 100 * (to - from) / fabs(from) : NAN);
	findings_add(verdict, "%s.%s%s: %s in %s, %s in %s%s%s%s.", t->lens->name, routine, t->figure, value_text(&pool, t, &first->value),
	             first->path, value_text(&pool, t, &last->value), last->path, *change ? " (" : "", change, *change ? ")" : "");
	if (lowest != first && lowest != last)
		findings_add(verdict, "Lowest: %s in %s.", value_text(&pool, t, &lowest->value), lowest->path);
	if (highest != first && highest != last)
		findings_add(verdict, "Highest: %s in %s.", value_text(&pool, t, &highest->value), highest->path);
	if (t->unit == UNIT_NS)
		findings_add(caveats,
		             "Times differ from run to run; skein diff tells which differences are real, if there are several runs.");
	pool_free(&pool);
}

int trend_show(FILE *file, const struct trend *t, enum report_form form, struct fail *why)
{
	struct findings verdict = {0}, caveats = {0};
	struct sheet sheet;
	sheet_start(&sheet, form == REPORT_TEXT);
	sheet.is_text = form == REPORT_TEXT;
	put_points(&sheet, t);
	judge(t, &verdict, &caveats);
	struct page page = {.lens = t->lens->name,
	                    .view = "trend",
	                    .verdict = verdict.lines,
	                    .verdict_count = verdict.count,
	                    .caveats = caveats.lines,
	                    .caveat_count = caveats.count,
	                    .sheet = &sheet};
	if (form == REPORT_CSV)
		out_csv(file, &page);
	else if (form == REPORT_JSON)
		out_json(file, &page);
	else
		out_text(file, &page, report_width(file), report_colour(file));
	findings_free(&verdict);
	findings_free(&caveats);
	sheet_free(&sheet);
	if (fflush(file) != 0 || ferror(file))
		return fail_set(why, FAIL_INTERNAL, "cannot write the trend: no space left, or the reader closed the pipe");
	return 0;
}
