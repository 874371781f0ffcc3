/* SPDX-License-Identifier: MIT */
/* svg.c: cost by size (Figures 4 to 7) and calls by size (Figure 8): one routine large, or several as a gallery. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/text.h"
#include "report/input/picture.h"
#include "report/svg.h"

enum { STEPS = 200 };
#define MARGIN 0.04

/* How a series looks. */
static const struct look {
	const char *colour, *dashes, *cap;
	double dot; /* width of a small marker */
} looks[PICTURE_SERIES] = {{SVG_BLUE, "", "round", 3.5}, {SVG_ORANGE, " stroke-dasharray=\"6 4\"", "square", 5}};

/* ---- a series ---- */

static bool is_inside(const struct svg_panel *panel, double x, double y)
{
	return axis_has(&panel->x, x) && axis_has(&panel->y, y);
}

static void put_curve(FILE *f, const struct svg_panel *panel, const struct input_series *s, const struct look *look)
{
	double from = axis_place(&panel->x, fmax(s->growth.smallest, panel->x.from)), to = axis_place(&panel->x, s->growth.largest);
	char letter = 'M';
	if (s->growth.model == MODEL_NONE)
		return;
	fprintf(f, "<path class=\"fit\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"%s d=\"", look->colour, look->dashes);
	for (int i = 0; i <= STEPS; i++) {
		double size = axis_value(&panel->x, from + (to - from) * i / STEPS), cost = models_cost_at(&s->growth, size);
		if (is_inside(panel, size, cost)) {
			fprintf(f, "%c%.1f %.1f", letter, svg_across(panel, size), svg_down(panel, cost));
			letter = 'L';
		}
	}
	fputs("\"/>\n", f);
}

/* From the axis up to each number of calls. */
static void put_stems(FILE *f, const struct svg_panel *panel, const struct input_picture *p, const struct input_series *s,
                      const struct look *look)
{
	fprintf(f, "<path stroke=\"%s\" stroke-opacity=\"0.5\" fill=\"none\" d=\"", look->colour);
	for (size_t i = 0; i < s->count; i++) {
		double size = s->points[i].size, value = input_picture_value(p, &s->points[i]);
		if (is_inside(panel, size, value))
			fprintf(f, "M%.1f %.1fV%.1f", svg_across(panel, size), panel->top + panel->height, svg_down(panel, value));
	}
	fputs("\"/>\n", f);
}

static void put_marker(FILE *f, double x, double y, size_t series, const char *tip)
{
	if (series == 0)
		fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\">", x, y, looks[0].colour);
	else
		fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"6\" height=\"6\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\">", x - 3,
		        y - 3, looks[series].colour);
	svg_tip(f, tip);
	fputs(series == 0 ? "</circle>\n" : "</rect>\n", f);
}

static const char *tip_of(struct pool *pool, const struct input_picture *p, const struct input_series *s, const struct models_point *point)
{
	const char *head = pool_print(pool, "%s %s: %s call%s", s->metric, axis_label(pool, round(point->size)),
	                              text_count(pool, (int64_t)point->calls), text_s(point->calls));
	return p->kind == PICTURE_WORKLOAD ? head
					   : pool_print(pool, "%s, %s %s", head, inputs_measure_names[p->measure],
	                                                text_count(pool, number_whole(input_picture_value(p, point) + 0.5)));
}

static void put_markers(FILE *f, const struct svg_panel *panel, const struct input_picture *p, size_t series)
{
	const struct input_series *s = &p->series[series];
	for (size_t i = 0; i < s->count; i++) {
		struct pool pool = {0};
		double size = s->points[i].size, value = input_picture_value(p, &s->points[i]);
		if (is_inside(panel, size, value))
			put_marker(f, svg_across(panel, size), svg_down(panel, value), series, tip_of(&pool, p, s, &s->points[i]));
		pool_free(&pool);
	}
}

/* All markers as one path: a gallery may have a million of them. Those that would cover the one before are left out. */
static void put_dots(FILE *f, const struct svg_panel *panel, const struct input_picture *p, size_t series)
{
	const struct input_series *s = &p->series[series];
	long last_x = -1, last_y = -1;
	fprintf(f, "<path class=\"dots\" stroke=\"%s\" stroke-width=\"%g\" stroke-linecap=\"%s\" d=\"", looks[series].colour,
	        looks[series].dot, looks[series].cap);
	for (size_t i = 0; i < s->count; i++) {
		double size = s->points[i].size, value = input_picture_value(p, &s->points[i]);
		long x = is_inside(panel, size, value) ? lround(svg_across(panel, size)) : last_x;
		long y = is_inside(panel, size, value) ? lround(svg_down(panel, value)) : last_y;
		if (x != last_x || y != last_y)
			fprintf(f, "M%ld %ldh.1", x, y);
		last_x = x;
		last_y = y;
	}
	fputs("\"/>\n", f);
}

/* Where two series are the same, both are seen: dashes lie over a line, circles in squares. */
static void put_panel(FILE *f, struct svg_panel *panel, const struct input_picture *p, bool is_small)
{
	input_picture_axes(p, &panel->x, &panel->y, MARGIN);
	svg_axes(f, panel, SVG_ALL_MARKS);
	for (size_t i = 0; i < p->series_count; i++)
		if (p->kind == PICTURE_WORKLOAD)
			put_stems(f, panel, p, &p->series[i], &looks[i]);
		else
			put_curve(f, panel, &p->series[i], &looks[i]);
	for (size_t i = p->series_count; i-- > 0;)
		if (is_small)
			put_dots(f, panel, p, i);
		else
			put_markers(f, panel, p, i);
}

static void put_line(FILE *f, double x, double y, const struct look *look)
{
	fprintf(f, "<path stroke=\"%s\" stroke-width=\"1.5\"%s d=\"M%.1f %.1fh28\"/>\n", look->colour, look->dashes, x, y);
}

/* ---- one routine ---- */

enum { WIDTH = 720, LEFT = 84, RIGHT = 36, HEAD = 60, LEGEND = 18, PLOT = 360, FOOT = 56 };

static const char *points_text(struct pool *pool, const struct input_picture *p, const struct input_series *s)
{
	bool has_0 = false;
	for (size_t i = 0; i < s->count; i++)
		has_0 |= s->points[i].size <= 0;
	return pool_print(pool, "%s: %zu size%s%s", s->metric, s->count, text_s(s->count),
	                  has_0 && !p->is_linear ? " (size 0 has no place on this axis)" : "");
}

/* A row for the series: its points, and its curve or why there is none. */
static void put_legend(FILE *f, struct pool *pool, const struct input_picture *p, size_t series, double y)
{
	const struct input_series *s = &p->series[series];
	const char *text = points_text(pool, p, s);
	double x = LEFT + 6;
	put_marker(f, x, y - 4, series, s->metric);
	svg_text(f, x + 12, y, SVG_NORMAL, "", text);
	x += 12 + svg_width(text, SVG_NORMAL) + 24;
	if (p->kind == PICTURE_WORKLOAD)
		return;
	if (s->growth.model == MODEL_NONE)
		svg_text(f, x, y, SVG_NORMAL, "", pool_print(pool, "no curve: %s", view_input_why(pool, &s->growth)));
	else {
		put_line(f, x, y - 4, &looks[series]);
		svg_text(f, x + 36, y, SVG_NORMAL, "", pool_print(pool, "fit: %s", input_picture_growth(pool, s)));
	}
}

static const char *note_of(struct pool *pool, const struct input_picture *p)
{
	const char *text =
		pool_print(pool, "%s%s%s call%s", p->place, *p->place ? ", " : "", text_count(pool, (int64_t)p->calls), text_s(p->calls));
	return isnan(p->cost_pct) ? text : pool_print(pool, "%s, %s of the cost", text, text_percent(pool, p->cost_pct));
}

static void put_large(FILE *f, struct pool *pool, const struct input_picture *p)
{
	double top = HEAD + (double)p->series_count * LEGEND + 8;
	bool has_growth = p->kind == PICTURE_COST && p->series_count == 1;
	const char *tail = has_growth ? pool_print(pool, ": %s", view_input_growth(pool, &p->series[0].growth)) : "";
	const char *title = pool_print(pool, "%s%s", svg_fit(pool, p->name, WIDTH - 160, SVG_LARGE), tail);
	svg_start(f, WIDTH, top + PLOT + FOOT, title);
	svg_text(f, WIDTH / 2.0, 26, SVG_LARGE, "text-anchor=\"middle\"", title);
	svg_text(f, WIDTH / 2.0, 44, SVG_NORMAL, "text-anchor=\"middle\" fill=\"" SVG_GREY "\"", note_of(pool, p));
	for (size_t i = 0; i < p->series_count; i++)
		put_legend(f, pool, p, i, HEAD + 12 + (double)i * LEGEND);
	struct svg_panel panel = {
		.left = LEFT, .top = top, .width = WIDTH - LEFT - RIGHT, .height = PLOT, .x_title = p->x, .y_title = p->y};
	put_panel(f, &panel, p, false);
	svg_end(f);
}

/* ---- gallery ---- */

enum { CELL_WIDTH = 310, CELL_HEIGHT = 220, COLUMNS = 3, EDGE = 10, GALLERY_HEAD = 64 };

/* The place comes last: if there is too little room, a reader misses it least. */
static const char *cell_note(struct pool *pool, const struct input_picture *p)
{
	const char *text = p->kind == PICTURE_COST ? input_picture_growth(pool, &p->series[0])
						   : pool_print(pool, "%s call%s, %zu size%s", text_count(pool, (int64_t)p->calls),
	                                                        text_s(p->calls), p->series[0].count, text_s(p->series[0].count));
	if (!isnan(p->cost_pct))
		text = pool_print(pool, "%s, %s of the cost", text, text_percent(pool, p->cost_pct));
	return *p->place ? pool_print(pool, "%s, %s", text, p->place) : text;
}

static void put_gallery_legend(FILE *f, const struct input_picture *p, double y)
{
	for (size_t i = 0; i < p->series_count; i++) {
		double x = EDGE + 12 + (double)i * 160;
		if (p->kind == PICTURE_COST)
			put_line(f, x, y - 4, &looks[i]);
		put_marker(f, x + 14, y - 4, i, p->series[i].metric);
		svg_text(f, x + 36, y, SVG_NORMAL, "", p->series[i].metric);
	}
}

static void put_cell(FILE *f, struct pool *pool, const struct input_picture *p, double left, double top)
{
	struct svg_panel panel = {
		.left = left + 58, .top = top + 42, .width = CELL_WIDTH - 58 - 24, .height = CELL_HEIGHT - 42 - 30, .letters = SVG_SMALL};
	svg_text(f, left + 12, top + 18, SVG_NORMAL, "font-weight=\"bold\"", svg_fit(pool, p->name, CELL_WIDTH - 30, SVG_NORMAL * 1.15));
	svg_text(f, left + 12, top + 33, SVG_SMALL, "fill=\"" SVG_GREY "\"", svg_fit(pool, cell_note(pool, p), CELL_WIDTH - 24, SVG_SMALL));
	put_panel(f, &panel, p, true);
}

static void put_gallery(FILE *f, struct pool *pool, const struct input_data *d, const struct inputs_result **list, size_t count,
                        enum picture_kind kind)
{
	size_t columns = count < COLUMNS ? 2 : COLUMNS, rows = (count + columns - 1) / columns;
	struct input_picture first = input_picture(pool, d, list[0], kind);
	double legend = first.series_count > 1 ? LEGEND : 0, width = (double)columns * CELL_WIDTH + 2 * EDGE;
	const char *title = pool_print(pool, "%s by input size: %s routine%s", kind == PICTURE_COST ? "Cost" : "Calls",
	                               text_count(pool, (int64_t)count), text_s(count));
	svg_start(f, width, GALLERY_HEAD + legend + (double)rows * CELL_HEIGHT + EDGE, title);
	svg_text(f, EDGE + 12, 28, SVG_LARGE, "", title);
	svg_text(f, EDGE + 12, 48, SVG_NORMAL, "fill=\"" SVG_GREY "\"",
	         pool_print(pool, "%s by %s; %s axes", first.y, first.x, first.is_linear ? "linear" : "logarithmic"));
	if (legend > 0)
		put_gallery_legend(f, &first, GALLERY_HEAD + 6);
	input_picture_free(&first);
	for (size_t i = 0; i < count; i++) {
		struct pool mine = {0};
		struct input_picture p = input_picture(&mine, d, list[i], kind);
		size_t row = i / columns, column = i % columns;
		put_cell(f, &mine, &p, EDGE + (double)column * CELL_WIDTH, GALLERY_HEAD + legend + (double)row * CELL_HEIGHT);
		input_picture_free(&p);
		pool_free(&mine);
	}
	svg_end(f);
}

/* ---- which ---- */

static bool ran(const struct input_data *d, uint32_t routine)
{
	size_t count;
	free(view_input_threads_of(d, routine, &count));
	return count > 0;
}

/* The routines to draw, in the order of reports; a single one need not have a cost function. */
static size_t choose(const struct input_data *d, const struct view_ask *ask, enum picture_kind kind, const struct inputs_result **list)
{
	size_t wanted = 0, kept = 0;
	for (size_t i = 0; i < d->result_count; i++)
		if (view_input_wants(d, ask->routine, d->results[i].pick.routine) && ran(d, d->results[i].pick.routine))
			list[wanted++] = &d->results[i];
	if (wanted == 1 && ask->routine)
		return 1;
	for (size_t i = 0; i < wanted; i++)
		if (kind == PICTURE_WORKLOAD || list[i]->growth[d->metric].model != MODEL_NONE)
			list[kept++] = list[i];
	return ask->top > 0 && kept > (size_t)ask->top ? (size_t)ask->top : kept;
}

static int draw(const struct input_data *d, const struct view_ask *ask, enum picture_kind kind, FILE *file, struct fail *why)
{
	const struct inputs_result **list = memory_zeroed(d->result_count, sizeof *list);
	size_t count = choose(d, ask, kind, list);
	struct pool pool = {0};
	int result = 0;
	if (count == 0 && kind == PICTURE_WORKLOAD)
		result = fail_set(why, FAIL_USAGE, "there is nothing to draw: thread %ld did not call such a routine", d->asked.thread);
	else if (count == 0)
		result = fail_set(
			why, FAIL_USAGE,
			"there is nothing to draw: no such routine has a cost function by %s; --routine R draws the points of any single routine",
			inputs_metric_names[d->metric]);
	else if (count == 1 && ask->routine) {
		struct input_picture p = input_picture(&pool, d, list[0], kind);
		put_large(file, &pool, &p);
		input_picture_free(&p);
	} else
		put_gallery(file, &pool, d, list, count, kind);
	pool_free(&pool);
	free(list);
	return result;
}

int view_input_draw_cost(const void *data, const struct view_ask *ask, FILE *file, struct fail *why)
{
	return draw(data, ask, PICTURE_COST, file, why);
}

int view_input_draw_workload(const void *data, const struct view_ask *ask, FILE *file, struct fail *why)
{
	return draw(data, ask, PICTURE_WORKLOAD, file, why);
}
