/* SPDX-License-Identifier: MIT */
#include "report/overview/across.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/strv.h"
#include "base/text.h"

enum { MOST_FILTERS = 2 };

/* Where a figure of a routine is: a column of a view, in the rows in which other columns have these values. Rows of one routine add up,
 * unless the figure is a text. */
static const struct figure_place {
	enum overview_lens_number lens;
	const char *view;
	struct {
		const char *column, *value;
	} where[MOST_FILTERS];
	const char *column;
	enum { COUNT, REAL, TEXT } is;
	size_t at; /* in struct overview_routine */
	bool is_weight;
} places[] = {
#define AT(field) offsetof(struct overview_routine, field)
#define OF_ALL {{"worker", "all"}, {"entry", "all"}}
	{OVERVIEW_CALLS, "routines", OF_ALL, "calls", COUNT, AT(calls), false},
	{OVERVIEW_CALLS, "routines", OF_ALL, "direct_ns", COUNT, AT(direct_ns), false},
	{OVERVIEW_CALLS, "routines", OF_ALL, "direct_pct", REAL, AT(direct_pct), true},
	{OVERVIEW_CALLS, "routines", OF_ALL, "wait_ns", COUNT, AT(wait_ns), false},
	{OVERVIEW_SPAN, "sites", {{"profile", "span"}, {"measure", "local"}}, "span_share", REAL, AT(span_pct), true},
	{OVERVIEW_IDLE, "flat", {{"kind", "routine"}}, "idle_pct", REAL, AT(idle_pct), true},
	{OVERVIEW_INPUT, "routines", {{"thread", "all"}}, "model", TEXT, AT(growth), false},
	{OVERVIEW_INPUT, "routines", {{"thread", "all"}}, "exponent", REAL, AT(exponent), false},
	{OVERVIEW_INPUT, "routines", {{"thread", "all"}}, "self_pct", REAL, AT(cost_pct), true},
	{OVERVIEW_INPUT, "routines", {{"thread", "all"}}, "x10_pct", REAL, AT(x10_pct), false},
	{OVERVIEW_PATHS, "functions", {{NULL, NULL}}, "paths_executed", COUNT, AT(paths_executed), false},
	{OVERVIEW_PATHS, "functions", {{NULL, NULL}}, "paths_90", COUNT, AT(paths_90), false},
	{OVERVIEW_PATHS, "functions", {{NULL, NULL}}, "flow_pct", REAL, AT(flow_pct), true},
	{OVERVIEW_FLOW, "waits", {{NULL, NULL}}, "waited_ns", COUNT, AT(wait_ns), false},
};
enum { PLACES = sizeof places / sizeof *places };

void across_start(struct overview_routine *r)
{
	r->calls = r->direct_ns = r->wait_ns = r->paths_executed = r->paths_90 = -1;
	r->direct_pct = r->span_pct = r->idle_pct = r->exponent = r->cost_pct = r->x10_pct = r->flow_pct = NAN;
	r->growth = NULL;
	r->weight = NAN;
}

/* ---- one view ---- */

static size_t column_of(const struct sheet *s, const char *name)
{
	size_t c = 0;
	while (c < s->column_count && !(s->columns[c].name && strcmp(s->columns[c].name, name) == 0))
		c++;
	return c;
}

static bool passes(const struct sheet *s, size_t row, const struct figure_place *p)
{
	for (size_t i = 0; i < MOST_FILTERS && p->where[i].column; i++) {
		size_t c = column_of(s, p->where[i].column);
		const struct cell *cell = c < s->column_count ? sheet_cell(s, row, c) : NULL;
		if (!cell || cell->kind != CELL_TEXT || strcmp(cell->text, p->where[i].value) != 0)
			return false;
	}
	return true;
}

static void put(struct overview *o, struct overview_routine *r, const struct figure_place *p, const struct cell *cell)
{
	void *at = (char *)r + p->at;
	if (p->is == TEXT) {
		const char **text = at;
		if (!*text || !**text)
			*text = cell->kind == CELL_TEXT ? pool_text(&o->pool, cell->text) : "";
		return;
	}
	if (cell->kind != CELL_NUMBER && cell->kind != CELL_REAL)
		return;
	if (p->is == COUNT) {
		int64_t *count = at;
		*count = (*count < 0 ? 0 : *count) + cell->number;
		return;
	}
	double *real = at;
	*real = (isnan(*real) ? 0 : *real) + sheet_value(cell);
}

static void take_place(struct overview *o, const struct sheet *s, const struct figure_place *p)
{
	size_t column = column_of(s, p->column);
	for (size_t row = 0; row < s->row_count && column < s->column_count; row++) {
		uint32_t routine = s->rows[row].own != SHEET_NO_ROUTINE ? s->rows[row].own : s->rows[row].about;
		if (routine < o->routine_count && passes(s, row, p))
			put(o, &o->routines[o->routines[routine].same], p, sheet_cell(s, row, column));
	}
}

/* Waits of the flow lens stand in for those of the calls lens, which knows only routines that skein-cc built. */
static void forget_waits(struct overview *o)
{
	for (size_t i = 0; i < o->routine_count; i++)
		o->routines[i].wait_ns = -1;
}

void across_take(struct overview *o, enum overview_lens_number number, const struct lens *lens, const void *data)
{
	const struct view_ask ask = {.all_rows = true};
	struct fail unsaid;
	const char *last = "";
	struct sheet sheet;
	sheet_start(&sheet, false);
	if (number == OVERVIEW_FLOW)
		forget_waits(o);
	for (size_t i = 0; i < PLACES; i++) {
		const struct figure_place *p = &places[i];
		const struct view *view = p->lens == number ? lens_view(lens, p->view) : NULL;
		if (!view || (view->check && view->check(data, &ask, &unsaid) < 0))
			continue;
		if (strcmp(last, p->view) != 0) {
			sheet_free(&sheet);
			sheet_start(&sheet, false);
			view->fill(data, &ask, &sheet);
			last = p->view;
		}
		take_place(o, &sheet, p);
	}
	sheet_free(&sheet);
}

/* ---- all lenses ---- */

static bool is_measured(const struct overview_routine *r)
{
	return r->calls >= 0 || r->wait_ns >= 0 || r->paths_executed >= 0 || r->growth || !isnan(r->span_pct) || !isnan(r->idle_pct);
}

/* Waiting may be by design: it counts where nothing else is known. */
static void weigh(struct overview_routine *r, double whole_wait)
{
	bool is_known = false;
	r->weight = 0;
	for (size_t i = 0; i < PLACES; i++) {
		const double *share = places[i].is_weight ? (const void *)((const char *)r + places[i].at) : NULL;
		is_known |= share && !isnan(*share);
		if (share && *share > r->weight)
			r->weight = *share;
	}
	if (!is_known && r->wait_ns > 0)
		r->weight = text_share_of((double)r->wait_ns, whole_wait);
}

static int by_weight(const void *a, const void *b, void *routines)
{
	const struct overview_routine *list = routines, *x = &list[*(const uint32_t *)a], *y = &list[*(const uint32_t *)b];
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	int names = strcmp(x->shown, y->shown);
	return names ? names : x < y ? -1 : x > y;
}

void across_rank(struct overview *o)
{
	double wait = 0;
	o->rows = memory_resize(NULL, o->routine_count + 1, sizeof *o->rows);
	o->row_count = 0;
	for (size_t i = 0; i < o->routine_count; i++)
		wait += o->routines[i].is_programs && o->routines[i].wait_ns > 0 ? (double)o->routines[i].wait_ns : 0;
	for (uint32_t i = 0; i < o->routine_count; i++) {
		struct overview_routine *r = &o->routines[i];
		if (r->same != i || !r->is_programs || !is_measured(r) || str_ends(r->linkage, "@plt"))
			continue;
		weigh(r, wait);
		o->rows[o->row_count++] = i;
	}
	qsort_r(o->rows, o->row_count, sizeof *o->rows, by_weight, o->routines);
}
