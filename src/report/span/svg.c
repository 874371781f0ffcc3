/* SPDX-License-Identifier: MIT */
/* svg.c: bounds on the speed-up as curves. */
#include <math.h>

#include "report/span/view.h"
#include "report/svg.h"

enum { LEFT = 80, TOP = 60, WIDTH = 560, HEIGHT = 380, RIGHT = 150, FOOT = 60, MOST_CORES_LOG2 = 8, STEPS = 8 };

static const struct {
	enum spans_bound bound;
	const char *colour, *dash, *words;
} curves[] = {
	{SPANS_LINEAR, "#999", "4 4", "linear"},
	{SPANS_SPAN, SVG_ORANGE, "10 4", "span: at most"},
	{SPANS_GREEDY, SVG_BLUE, "", "greedy: at least"},
	{SPANS_BURDENED, "#009E73", "2 3", "burdened: estimate"},
};

static void put_curve(FILE *f, const struct svg_panel *panel, const struct spans *spans, size_t curve)
{
	fprintf(f, "<path class=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s%s%s d=\"", "bound", curves[curve].colour,
	        *curves[curve].dash ? " stroke-dasharray=\"" : "", curves[curve].dash, *curves[curve].dash ? "\"" : "");
	for (int i = 0; i <= MOST_CORES_LOG2 * STEPS; i++) {
		double cores = exp2((double)i / STEPS), speedup = spans_bound(spans, curves[curve].bound, cores);
		fprintf(f, "%c%.1f %.1f", i ? 'L' : 'M', svg_across(panel, cores), svg_down(panel, speedup > 1 ? speedup : 1));
	}
	fputs("\"/>\n", f);
	double bottom = TOP + 16 + 20 * (double)curve, left = LEFT + WIDTH + 12;
	fprintf(f, "<path stroke=\"%s\" stroke-width=\"2\"%s%s%s d=\"M%.0f %.0fh24\"/>\n", curves[curve].colour,
	        *curves[curve].dash ? " stroke-dasharray=\"" : "", curves[curve].dash, *curves[curve].dash ? "\"" : "", left, bottom - 4);
	svg_text(f, left + 30, bottom, SVG_SMALL, "", curves[curve].words);
}

int view_span_draw_speedup(const void *data, const struct view_ask *ask, FILE *file, struct fail *why)
{
	const struct spans *spans = &((const struct span_data *)data)->spans;
	struct svg_panel panel = {.left = LEFT, .top = TOP, .width = WIDTH, .height = HEIGHT, .x_title = "cores", .y_title = "speed-up"};
	struct pool pool = {0};
	(void)ask;
	if (spans->span <= 0)
		return fail_set(why, FAIL_USAGE, "there is nothing to draw: the recording has no span");
	axis_start(&panel.x, AXIS_LOG);
	axis_start(&panel.y, AXIS_LOG);
	for (int end = 0; end < 2; end++) {
		axis_include(&panel.x, end ? 1 << MOST_CORES_LOG2 : 1);
		axis_include(&panel.y, end ? 1 << MOST_CORES_LOG2 : 1);
	}
	axis_close(&panel.x, 0);
	axis_close(&panel.y, 0);
	const char *title = pool_print(&pool, "speed-up: the program's parallelism is %.1f", spans_parallelism(spans));
	svg_start(file, LEFT + WIDTH + RIGHT, TOP + HEIGHT + FOOT, title);
	svg_text(file, LEFT, 30, SVG_LARGE, "", title);
	svg_axes(file, &panel, SVG_ALL_MARKS);
	for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
		put_curve(file, &panel, spans, i);
	svg_end(file);
	pool_free(&pool);
	return 0;
}
