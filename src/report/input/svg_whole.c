/* SPDX-License-Identifier: MIT */
/* svg_whole.c: pictures of all routines: where their input comes from (Figure 9), and how they differ in it (Figures 15, 16, 18
 * and 19). */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "report/input/view.h"
#include "report/svg.h"

#define MARGIN 0.04

/* ---- sources ---- */

enum { MOST_NAMED = 40, WIDTH = 720, HEAD = 84, NAMES = 230, RIGHT = 36, FOOT = 56, BAR = 14, STEP = 20, PLOT = 360, LEFT = 84 };
#define THREAD_COLOUR SVG_BLUE
#define EXTERNAL_COLOUR "#E69F00"

static double thread_share(const struct inputs_result *r)
{
	return inputs_share(r->thread_induced, r->total[INPUT_TRMS]);
}

static double external_share(const struct inputs_result *r)
{
	return inputs_share(r->external, r->total[INPUT_TRMS]);
}

static void put_head(FILE *f, struct pool *pool, size_t count, size_t all, double height)
{
	const char *title = "Input from other threads and from outside";
	svg_start(f, WIDTH, height, title);
	svg_text(f, WIDTH / 2.0, 26, SVG_LARGE, "text-anchor=\"middle\"", title);
	svg_text(f, WIDTH / 2.0, 44, SVG_NORMAL, "text-anchor=\"middle\" fill=\"" SVG_GREY "\"",
	         pool_print(pool, "%s of %s routines, the one with the largest share first", text_count(pool, (int64_t)count),
	                    text_count(pool, (int64_t)all)));
	fputs("<rect x=\"235\" y=\"58\" width=\"12\" height=\"12\" fill=\"" THREAD_COLOUR "\"/>\n", f);
	svg_text(f, 253, 68, SVG_NORMAL, "", "from other threads");
	fputs("<rect x=\"385\" y=\"58\" width=\"12\" height=\"12\" fill=\"" EXTERNAL_COLOUR "\"/>\n", f);
	svg_text(f, 403, 68, SVG_NORMAL, "", "from outside");
}

static void percent_axis(struct axis *axis)
{
	axis_start(axis, AXIS_LINEAR);
	axis_include(axis, 100);
	axis_close(axis, 0);
}

/* A few routines: a bar each, with its name. */
static void put_named(FILE *f, const struct input_data *d, const struct inputs_result **list, size_t count)
{
	struct svg_panel panel = {.left = NAMES, .top = HEAD, .width = WIDTH - NAMES - RIGHT, .height = (double)count * STEP};
	panel.x_title = "% of the routine's input (trms)";
	percent_axis(&panel.x);
	panel.y = panel.x;
	svg_axes(f, &panel, SVG_X_MARKS);
	for (size_t i = 0; i < count; i++) {
		struct pool pool = {0};
		double thread = thread_share(list[i]), external = external_share(list[i]), from = svg_across(&panel, 0),
		       middle = svg_across(&panel, thread), to = svg_across(&panel, thread + external), top = HEAD + (double)i * STEP + 3;
		const char *name = run_shown(&d->run.routines[list[i]->pick.routine]);
		fputs("<g class=\"routine\">", f);
		svg_tip(f,
		        pool_print(&pool, "%s: %s from other threads, %s from outside", name, text_percent(&pool, thread),
		                   text_percent(&pool, external)));
		fprintf(f, "\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"" THREAD_COLOUR "\"/>\n", from, top,
		        middle - from, BAR);
		fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"" EXTERNAL_COLOUR "\"/>\n", middle, top,
		        to - middle, BAR);
		svg_text(f, NAMES - 8, top + BAR - 3, SVG_NORMAL, "text-anchor=\"end\"", svg_fit(&pool, name, NAMES - 16, SVG_NORMAL));
		fputs("</g>\n", f);
		pool_free(&pool);
	}
}

/* A staircase from the axis up to the shares: thread-induced, or both. */
static void put_area(FILE *f, const struct svg_panel *panel, const struct inputs_result **list, size_t count, bool is_both)
{
	double bottom = panel->top + panel->height;
	fprintf(f, "<path class=\"area\" fill=\"%s\" d=\"M%.1f %.1f", is_both ? EXTERNAL_COLOUR : THREAD_COLOUR, panel->left, bottom);
	for (size_t i = 0; i < count; i++) {
		double share = thread_share(list[i]) + (is_both ? external_share(list[i]) : 0);
		fprintf(f, "V%.1fH%.1f", svg_down(panel, share), svg_across(panel, (double)i + 1));
	}
	fprintf(f, "V%.1fZ\"/>\n", bottom);
}

static void put_areas(FILE *f, const struct inputs_result **list, size_t count)
{
	struct svg_panel panel = {.left = LEFT, .top = HEAD, .width = WIDTH - LEFT - RIGHT, .height = PLOT};
	panel.x_title = "routines (--top N names the first N)";
	panel.y_title = "% of the routine's input (trms)";
	axis_start(&panel.x, AXIS_LINEAR);
	axis_include(&panel.x, (double)count);
	axis_close(&panel.x, 0);
	percent_axis(&panel.y);
	put_area(f, &panel, list, count, true);
	put_area(f, &panel, list, count, false);
	svg_axes(f, &panel, SVG_ALL_MARKS);
}

int view_input_draw_sources(const void *data, const struct view_ask *ask, FILE *file, struct fail *why)
{
	const struct input_data *d = data;
	size_t all, count = 0;
	const struct inputs_result **list = view_input_by_source(d, ask, &all);
	struct pool pool = {0};
	int result = 0;
	while (count < all && (ask->top <= 0 || count < (size_t)ask->top) && view_input_induced(list[count]))
		count++;
	if (count == 0)
		result =
			fail_set(why, FAIL_USAGE, "there is nothing to draw: no such routine has input from other threads or from outside");
	else if (count <= MOST_NAMED) {
		put_head(file, &pool, count, all, HEAD + (double)count * STEP + FOOT);
		put_named(file, d, list, count);
		svg_end(file);
	} else {
		put_head(file, &pool, count, all, HEAD + PLOT + FOOT);
		put_areas(file, list, count);
		svg_end(file);
	}
	pool_free(&pool);
	free(list);
	return result;
}

/* ---- distribution ---- */

enum { CELL_WIDTH = 370, CELL_HEIGHT = 290, TITLES = 60 };

static const struct {
	const char *title, *y;
	double factor; /* of the values that scripts have */
} shown[VIEW_METRICS] = {[VIEW_RICHNESS] = {"Profile richness", "richness", 1},
                         [VIEW_VOLUME] = {"Input volume", "volume, in %", 100},
                         [VIEW_THREAD] = {"Thread-induced input", "share of induced reads, in %", 1},
                         [VIEW_EXTERNAL] = {"External input", "share of induced reads, in %", 1}};

/* A point (x, y) of the staircase: x % of the routines have at least y. */
static void put_stairs(FILE *f, const struct svg_panel *panel, const double *values, size_t count, double factor)
{
	fprintf(f, "<path class=\"stairs\" fill=\"none\" stroke=\"" SVG_BLUE "\" stroke-width=\"2\" d=\"M%.1f %.1f", panel->left,
	        svg_down(panel, factor * values[0]));
	for (size_t i = 0; i < count; i++) {
		if (i && values[i] != values[i - 1])
			fprintf(f, "V%.1f", svg_down(panel, factor * values[i]));
		if (i + 1 == count || values[i + 1] != values[i])
			fprintf(f, "H%.1f", svg_across(panel, 100 * (double)(i + 1) / (double)count));
	}
	fputs("\"/>\n", f);
}

static void put_metric(FILE *f, const struct input_data *d, enum view_input_metric metric, double *values)
{
	unsigned row = metric / 2, column = metric % 2;
	double left = column * (double)CELL_WIDTH, top = TITLES + row * (double)CELL_HEIGHT;
	size_t count = view_input_values(d, metric, values);
	struct svg_panel panel = {
		.left = left + 72, .top = top + 30, .width = CELL_WIDTH - 72 - 30, .height = CELL_HEIGHT - 30 - 52, .letters = 11};
	svg_text(f, left + 72, top + 20, SVG_NORMAL, "font-weight=\"bold\"", shown[metric].title);
	if (count == 0) {
		svg_text(f, left + 72, top + 48, SVG_NORMAL, "", "not defined for any routine");
		return;
	}
	axis_start(&panel.x, d->asked.linear ? AXIS_LINEAR : AXIS_LOG);
	axis_include(&panel.x, 100 / (double)count);
	axis_include(&panel.x, 100);
	axis_close(&panel.x, d->asked.linear ? 0 : MARGIN);
	axis_start(&panel.y, metric == VIEW_RICHNESS && !d->asked.linear ? AXIS_LOG_FROM_0 : AXIS_LINEAR);
	axis_include(&panel.y, shown[metric].factor * values[0]);
	axis_include(&panel.y, metric == VIEW_RICHNESS ? shown[metric].factor * values[count - 1] : 100);
	axis_close(&panel.y, MARGIN);
	panel.x_title = "% of the routines";
	panel.y_title = shown[metric].y;
	svg_axes(f, &panel, SVG_ALL_MARKS);
	put_stairs(f, &panel, values, count, shown[metric].factor);
}

int view_input_draw_distribution(const void *data, const struct view_ask *ask, FILE *file, struct fail *why)
{
	const struct input_data *d = data;
	struct pool pool = {0};
	const char *title = "How routines differ in their induced input";
	(void)ask;
	if (d->result_count == 0)
		return fail_set(why, FAIL_USAGE, "there is nothing to draw: the recording has no routine");
	double *values = memory_zeroed(d->result_count, sizeof *values);
	svg_start(file, 2 * CELL_WIDTH, TITLES + 2 * CELL_HEIGHT, title);
	svg_text(file, CELL_WIDTH, 26, SVG_LARGE, "text-anchor=\"middle\"", title);
	svg_text(file, CELL_WIDTH, 44, SVG_NORMAL, "text-anchor=\"middle\" fill=\"" SVG_GREY "\"",
	         pool_print(&pool, "%s routine%s; a point (x, y): x %% of the routines have at least y",
	                    text_count(&pool, (int64_t)d->result_count), text_s(d->result_count)));
	for (int metric = 0; metric < VIEW_METRICS; metric++)
		put_metric(file, d, (enum view_input_metric)metric, values);
	svg_end(file);
	free(values);
	pool_free(&pool);
	return 0;
}
