/* SPDX-License-Identifier: MIT */
/* show.c: the views of many ranks. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "base/text.h"
#include "report/ranks/ranks.h"
#include "report/view.h"

enum { TOP_ROWS = 20 };

/* ---- rows that are a figure over all ranks ---- */

struct figure_row {
	const struct ranks *r;
	const struct ranks_row *row;
	const char *call, *name; /* of a call of MPI: both halves of its figure's name */
};

static struct cell number(double value)
{
	return isnan(value) ? (struct cell){.kind = CELL_EMPTY} : (struct cell){.kind = CELL_NUMBER, .number = number_whole(round(value))};
}

/* As people read it: a time if the figure is one. */
static struct cell words(struct pool *pool, const struct figure_row *r, double value)
{
	const char *name = r->r->parts.figures[r->row->figure].name;
	const char *text = strlen(name) > 3 && strcmp(name + strlen(name) - 3, "_ns") == 0 ? text_ns(pool, value)
											   : text_amount(pool, number_whole(round(value)));
	return (struct cell){.kind = CELL_TEXT, .text = text};
}

static const struct run_routine *routine_of(const struct figure_row *r)
{
	return &r->r->parts.names.routines[r->row->routine];
}

static void put_spread(struct sheet *s, const struct figure_row *r)
{
#define SPREAD(name, title, value, ...)               \
	COLUMN(s, FIGURE, name, NULL, number(value)); \
	COLUMN(s, FIGURE, NULL, title, words(&s->pool, r, value), __VA_ARGS__)
	SPREAD("sum", "sum", r->row->sum, .drop = 3);
	SPREAD("min", "min", r->row->least, .drop = 2);
	SPREAD("mean", "mean", r->row->mean, .drop = 0);
	SPREAD("median", "median", r->row->median, .drop = 1);
	SPREAD("max", "max", r->row->most, .drop = 0);
#undef SPREAD
	COLUMN(s, ID, "min_rank", NULL, r->r->list[r->row->least_at].rank);
	COLUMN(s, ID, "max_rank", "in rank", r->r->list[r->row->most_at].rank, .meaning = "the rank that has the most");
	COLUMN(s, RATIO, "imbalance", "imbal.", ranks_imbalance(r->row), .meaning = "max divided by mean: 1 is even");
}

static void put_routine(struct sheet *s, const struct figure_row *r)
{
	COLUMN(s, NAME, "routine", "routine", view_name(s, routine_of(r)));
	COLUMN(s, TEXT, "file", NULL, routine_of(r)->file);
	COLUMN(s, ID, "line", NULL, view_line(routine_of(r)));
	COLUMN(s, TEXT, "figure", NULL, r->r->parts.figures[r->row->figure].name);
	put_spread(s, r);
}

static void fill_routines(const struct ranks *r, const struct view_ask *ask, struct sheet *s)
{
	put_routine(s, &(struct figure_row){0});
	for (size_t i = 0; i < r->row_count; i++) {
		const struct part_figure *figure = &r->parts.figures[r->rows[i].figure];
		struct figure_row row = {.r = r, .row = &r->rows[i]};
		if (figure->of != PART_ROUTINE || (!ask->all_rows && strcmp(figure->name, r->main) != 0) ||
		    !view_wants(ask->routine, routine_of(&row)))
			continue;
		sheet_row(s, strcmp(figure->name, r->main) != 0);
		put_routine(s, &row);
	}
	s->legend = s->is_text ? pool_print(&s->pool, "Figures are %s of the lens %s.", r->main, r->lens) : NULL;
}

static void put_figure(struct sheet *s, const struct figure_row *r)
{
	COLUMN(s, TEXT, "figure", "figure", r->r->parts.figures[r->row->figure].name);
	put_spread(s, r);
}

static void fill_figures(const struct ranks *r, const struct view_ask *ask, struct sheet *s)
{
	(void)ask;
	put_figure(s, &(struct figure_row){0});
	for (size_t i = 0; i < r->row_count; i++)
		if (r->parts.figures[r->rows[i].figure].of == PART_RUN) {
			sheet_row(s, 0);
			put_figure(s, &(struct figure_row){.r = r, .row = &r->rows[i]});
		}
}

static void put_call(struct sheet *s, const struct figure_row *r)
{
	COLUMN(s, TEXT, "call", "call", r->call);
	COLUMN(s, TEXT, "figure", "figure", r->name);
	put_spread(s, r);
}

static void fill_calls(const struct ranks *r, const struct view_ask *ask, struct sheet *s)
{
	(void)ask;
	put_call(s, &(struct figure_row){0});
	for (size_t i = 0; i < r->row_count; i++) {
		const struct part_figure *figure = &r->parts.figures[r->rows[i].figure];
		size_t half = strcspn(figure->name, " ");
		if (figure->of != PART_CALL)
			continue;
		sheet_row(s, strcmp(figure->name + half, " wait_ns") == 0 ? 0 : 1);
		put_call(s,
		         &(struct figure_row){r, &r->rows[i], pool_print(&s->pool, "%.*s", (int)half, figure->name),
		                              figure->name + half + (figure->name[half] != 0)});
	}
	if (!s->row_count)
		s->legend = "No rank used MPI, or its calls were not seen.";
}

/* ---- rows that are a rank, a node or a group ---- */

struct set_row {
	const struct ranks *r;
	const char *name;
	const struct part *part; /* of a rank */
	size_t count;
	double sums[RANKS_FIGURES]; /* not a number: not measured */
	int64_t group;
};

static int64_t whole(double value)
{
	return isnan(value) ? RUN_UNKNOWN : number_whole(value);
}

/* Sums over the parts of the set; in text means, so that sets can be compared. */
static void put_times(struct sheet *s, const struct set_row *r)
{
	double n = r->count ? (double)r->count : 1;
	COLUMN(s, NS, "wall_ns", "wall", whole(r->sums[RANKS_WALL] / n), .drop = 2);
	COLUMN(s, NS, "cpu_ns", "CPU", whole(r->sums[RANKS_CPU] / n), .drop = 1);
	if (!r->r->work_counts)
		COLUMN(s, NS, "work_ns", "work", whole(r->sums[RANKS_WORK] / n));
	COLUMN(s, NS, "wait_ns", "waiting", whole(r->sums[RANKS_WAIT] / n), .drop = 3);
	COLUMN(s, NS, "message_ns", "in messages", whole(r->sums[RANKS_MESSAGE] / n), .meaning = "waiting for messages of other ranks");
	COLUMN(s, NS, "collective_ns", "in collectives", whole(r->sums[RANKS_COLLECTIVE] / n),
	       .meaning = "waiting in collective calls of MPI");
}

static void put_rank(struct sheet *s, const struct set_row *r)
{
	COLUMN(s, ID, "rank", "rank", r->part->rank);
	COLUMN(s, ID, "array_task", NULL, r->part->task);
	COLUMN(s, NAME, "node", "node", r->part->node);
	put_times(s, r);
	COLUMN(s, COUNT, "lost_events", NULL, whole(r->sums[RANKS_LOST]));
	COLUMN(s, ID, "group", "group", r->group, .drop = 4);
	COLUMN(s, ID, "exit_code", NULL, r->part->exit_code);
	COLUMN(s, ID, "died_of", NULL, r->part->died_of);
	COLUMN(s, NAME, "file", NULL, r->part->file);
}

static void add_part(struct set_row *row, const struct ranks *r, size_t part)
{
	row->r = r;
	row->count++;
	for (int f = 0; f < RANKS_FIGURES; f++)
		row->sums[f] += r->of_run[f] ? r->of_run[f][part] : NAN;
}

static void fill_ranks(const struct ranks *r, const struct view_ask *ask, struct sheet *s)
{
	(void)ask;
	static const struct part nobody;
	put_rank(s, &(struct set_row){.r = r, .part = &nobody});
	for (size_t i = 0; i < r->count; i++) {
		struct set_row row = {.part = &r->list[i], .group = r->group_of[i]};
		add_part(&row, r, i);
		if (isnan(row.sums[RANKS_LOST]))
			row.sums[RANKS_LOST] = 0;
		sheet_row(s, 0);
		put_rank(s, &row);
	}
}

static void put_node(struct sheet *s, const struct set_row *r)
{
	COLUMN(s, NAME, "node", "node", r->name);
	COLUMN(s, COUNT, "ranks", "ranks", r->count);
	put_times(s, r);
}

struct by_name {
	const struct part *part;
	size_t place;
};

static int by_node(const void *a, const void *b)
{
	const struct by_name *x = a, *y = b;
	return strcmp(x->part->node, y->part->node);
}

static void fill_nodes(const struct ranks *r, const struct view_ask *ask, struct sheet *s)
{
	struct by_name *list = memory_zeroed(r->count, sizeof *list);
	(void)ask;
	put_node(s, &(struct set_row){.r = r});
	for (size_t i = 0; i < r->count; i++)
		list[i] = (struct by_name){&r->list[i], i};
	qsort(list, r->count, sizeof *list, by_node);
	for (size_t i = 0, end; i < r->count; i = end) {
		struct set_row row = {.name = list[i].part->node};
		for (end = i; end < r->count && strcmp(list[end].part->node, list[i].part->node) == 0; end++)
			add_part(&row, r, list[end].place);
		sheet_row(s, 0);
		put_node(s, &row);
	}
	s->legend = "Times are means over the ranks of the node.";
	free(list);
}

static void put_group(struct sheet *s, const struct set_row *r)
{
	COLUMN(s, ID, "group", "group", r->group);
	COLUMN(s, COUNT, "count", "ranks", r->count);
	COLUMN(s, NAME, "ranks", "which", r->name);
	put_times(s, r);
}

static void fill_groups(const struct ranks *r, const struct view_ask *ask, struct sheet *s)
{
	(void)ask;
	put_group(s, &(struct set_row){.r = r});
	for (uint32_t g = 0; g < r->group_count; g++) {
		struct set_row row = {.name = ranks_list(&s->pool, r, g), .group = g};
		for (size_t i = 0; i < r->count; i++)
			if (r->group_of[i] == g)
				add_part(&row, r, i);
		sheet_row(s, 0);
		put_group(s, &row);
	}
	s->legend =
		"Times are means over the ranks of the group. Ranks are alike whose times by routine differ by less than 30 % of what both do, and their waiting likewise.";
}

/* ---- pages ---- */

static const struct ranks_view {
	const char *name, *sort;
	void (*fill)(const struct ranks *r, const struct view_ask *ask, struct sheet *s);
} views[] = {
	{"routines", "sum", fill_routines}, {"ranks", NULL, fill_ranks}, {"figures", NULL, fill_figures},
	{"mpi", "sum", fill_calls},         {"nodes", NULL, fill_nodes}, {"groups", NULL, fill_groups},
};
enum { VIEWS = sizeof views / sizeof *views };

static const struct ranks_view *find_view(const char *name, struct fail *why)
{
	const char *names[VIEWS + 1] = {NULL};
	char list[200] = "";
	for (size_t i = 0; i < VIEWS; i++) {
		if (!name || strcmp(views[i].name, name) == 0)
			return &views[i];
		names[i] = views[i].name;
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", views[i].name);
	}
	const char *near = nearest(name, names);
	if (near)
		fail_set(why, FAIL_USAGE, "there is no view %.100s of many ranks; did you mean %s?", name, near);
	else
		fail_set(why, FAIL_USAGE, "there is no view %.100s of many ranks; its views are %s", name, list);
	return NULL;
}

static void print_page(const struct ranks *r, const struct ranks_view *view, const struct report_ask *ask, struct sheet *sheet, size_t rows,
                       FILE *file)
{
	struct findings verdict = {0}, caveats = {0};
	ranks_judge(r, &verdict, &caveats);
	bool whole = view == &views[0] || ask->form != REPORT_TEXT;
	const char *heading = rows > sheet->row_count
		? pool_print(&sheet->pool,
	                     "The first %s of %s rows (--top 0 shows all):", text_count(&sheet->pool, (int64_t)sheet->row_count),
	                     text_count(&sheet->pool, (int64_t)rows))
		: NULL;
	struct page page = {.lens = r->lens,
	                    .view = view->name,
	                    .heading = heading,
	                    .verdict = verdict.lines,
	                    .verdict_count = whole ? verdict.count : 1,
	                    .caveats = caveats.lines,
	                    .caveat_count = caveats.count,
	                    .sheet = sheet};
	if (ask->form == REPORT_CSV)
		out_csv(file, &page);
	else if (ask->form == REPORT_JSON)
		out_json(file, &page);
	else
		out_text(file, &page, report_width(file), report_colour(file));
	findings_free(&verdict);
	findings_free(&caveats);
}

int ranks_show(const struct ranks *r, const struct report_ask *ask, FILE *file, struct fail *why)
{
	const struct ranks_view *view = find_view(ask->view_name, why);
	struct sheet sheet;
	int result = 0;
	if (!view)
		return -1;
	sheet_start(&sheet, ask->form == REPORT_TEXT || ask->sort || view->sort);
	sheet.is_text = ask->form == REPORT_TEXT;
	view->fill(r, &ask->view, &sheet);
	size_t rows = sheet.row_count;
	long top = ask->view.top < 0 ? (ask->form == REPORT_TEXT ? TOP_ROWS : 0) : ask->view.top;
	if (ask->sort || view->sort)
		result = sheet_sort(&sheet, ask->sort ? ask->sort : view->sort, why);
	if (result == 0 && top > 0)
		sheet_top(&sheet, (size_t)top);
	if (result == 0)
		print_page(r, view, ask, &sheet, rows, file);
	sheet_free(&sheet);
	if (result == 0 && (fflush(file) != 0 || ferror(file)))
		return fail_set(why, FAIL_INTERNAL, "cannot write the report: no space left, or the reader closed the pipe");
	return result;
}
