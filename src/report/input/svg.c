/* SPDX-License-Identifier: MIT */
/* svg.c: cost by size as a picture: points, the fitted curve, decades on both axes. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "report/input/view.h"

enum { WIDTH = 720, HEIGHT = 480, LEFT = 80, RIGHT = 20, TOP = 50, BOTTOM = 60, STEPS = 200 };
#define POINT_COLOUR "#0072B2"
#define CURVE_COLOUR "#E69F00"

struct axis {
	double from, to; /* logarithms, whole decades */
};

static struct axis decades(double least, double most)
{
	struct axis axis = {floor(log10(fmax(least, 1))), ceil(log10(fmax(most, 1)))};
	axis.to += axis.to <= axis.from;
	return axis;
}

static double across(const struct axis *x, double size)
{
	return LEFT + (log10(fmax(size, 1)) - x->from) / (x->to - x->from) * (WIDTH - LEFT - RIGHT);
}

static double down(const struct axis *y, double cost)
{
	return HEIGHT - BOTTOM - (log10(fmax(cost, 1)) - y->from) / (y->to - y->from) * (HEIGHT - TOP - BOTTOM);
}

/* A name that comes from a subject must stay a text. */
static void put_text(FILE *f, double x, double y, const char *attributes, const char *text)
{
	struct pool pool = {0};
	fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
	for (const char *at = escape_plain(&pool, text); *at; at++)
		fputs(*at == '<' ? "&lt;" : *at == '>' ? "&gt;" : *at == '&' ? "&amp;" : *at == '"' ? "&quot;" : (char[]){*at, 0}, f);
	fputs("</text>\n", f);
	pool_free(&pool);
}

static void put_axes(FILE *f, const struct axis *x, const struct axis *y)
{
	for (double decade = x->from; decade <= x->to; decade++) {
		double at = across(x, pow(10, decade));
		fprintf(f, "<path d=\"M%.1f %d V%d\" stroke=\"#ddd\"/>\n", at, TOP, HEIGHT - BOTTOM);
		fprintf(f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">10<tspan dy=\"-5\" font-size=\"9\">%.0f</tspan></text>\n", at,
		        HEIGHT - BOTTOM + 20, decade);
	}
	for (double decade = y->from; decade <= y->to; decade++) {
		double at = down(y, pow(10, decade));
		fprintf(f, "<path d=\"M%d %.1f H%d\" stroke=\"#ddd\"/>\n", LEFT, at, WIDTH - RIGHT);
		fprintf(f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">10<tspan dy=\"-5\" font-size=\"9\">%.0f</tspan></text>\n",
		        LEFT - 8, at + 4, decade);
	}
	fprintf(f, "<path d=\"M%d %d V%d H%d\" stroke=\"#333\" fill=\"none\"/>\n", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
}

static void put_curve(FILE *f, const struct input_picture *p, const struct axis *x, const struct axis *y)
{
	double from = log10(fmax(p->growth->smallest, 1)), to = log10(fmax(p->growth->largest, 1));
	if (p->growth->model == MODEL_NONE)
		return;
	fputs("<polyline fill=\"none\" stroke=\"" CURVE_COLOUR "\" stroke-width=\"2\" points=\"", f);
	for (int i = 0; i <= STEPS; i++) {
		double size = pow(10, from + (to - from) * i / STEPS), cost = fmax(models_cost_at(p->growth, size), pow(10, y->from));
		fprintf(f, "%.1f,%.1f ", across(x, size), down(y, cost));
	}
	fputs("\"/>\n", f);
}

static void put_picture(FILE *f, const struct input_picture *p)
{
	double size[2] = {INFINITY, 1}, cost[2] = {INFINITY, 1};
	for (size_t i = 0; i < p->count; i++) {
		size[0] = fmin(size[0], p->points[i].size);
		size[1] = fmax(size[1], p->points[i].size);
		cost[0] = fmin(cost[0], input_picture_cost(p, i));
		cost[1] = fmax(cost[1], input_picture_cost(p, i));
	}
	struct axis x = decades(size[0], size[1]), y = decades(cost[0], cost[1]);
	fprintf(f,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n",
	        WIDTH, HEIGHT);
	fprintf(f, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDTH, HEIGHT);
	put_axes(f, &x, &y);
	for (size_t i = 0; i < p->count; i++)
		fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"" POINT_COLOUR "\"/>\n", across(&x, p->points[i].size),
		        down(&y, input_picture_cost(p, i)));
	put_curve(f, p, &x, &y);
	put_text(f, WIDTH / 2.0, TOP - 20, "text-anchor=\"middle\" font-size=\"15\"", p->title);
	put_text(f, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 18, "text-anchor=\"middle\"", p->x);
	put_text(f, 18, (TOP + HEIGHT - BOTTOM) / 2.0, "text-anchor=\"middle\" transform=\"rotate(-90 18 235)\"", p->y);
	fputs("</svg>\n", f);
}

int input_svg(const char *path, const struct input_picture *p, struct fail *why)
{
	FILE *f = fopen(path, "we");
	if (!f)
		return fail_set(why, FAIL_INTERNAL, "cannot write the picture %.400s: %s", path, strerror(errno));
	put_picture(f, p);
	bool is_bad = fflush(f) != 0 || ferror(f);
	int result = is_bad ? fail_set(why, FAIL_INTERNAL, "cannot write the picture %.400s: %s", path, strerror(errno)) : 0;
	fclose(f);
	return result;
}
