/* SPDX-License-Identifier: MIT */
/* plot.c: cost by size in characters, both axes logarithmic. */
#include <math.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "report/input/view.h"

enum { WIDTH = 60, HEIGHT = 16, LABEL = 8 };

struct axis {
	double from, to; /* logarithms */
};

/* Where a value lies, from 0 to cells - 1; below 0 or beyond: outside. */
static int place(const struct axis *axis, double value, int cells)
{
	double at = (log10(value) - axis->from) / (axis->to - axis->from) * (cells - 1);
	return at >= -0.5 && at <= cells - 0.5 ? (int)(at + 0.5) : -1;
}

double input_picture_cost(const struct input_picture *p, size_t point)
{
	const struct models_point *at = &p->points[point];
	return p->measure == MODELS_WORST ? at->cost_max : at->calls ? at->cost_sum / (double)at->calls : 0;
}

static void include(struct axis *axis, double value)
{
	double at = log10(fmax(value, 1));
	axis->from = fmin(axis->from, at);
	axis->to = fmax(axis->to, at);
}

static void widen(struct axis *axis)
{
	if (axis->to - axis->from < 0.1) {
		axis->from -= 0.05;
		axis->to += 0.05;
	}
}

static void draw(const struct input_picture *p, const struct axis *x, const struct axis *y, char grid[HEIGHT][WIDTH + 1])
{
	for (int row = 0; row < HEIGHT; row++) {
		memset(grid[row], ' ', WIDTH);
		grid[row][WIDTH] = 0;
	}
	for (int column = 0; p->growth->model != MODEL_NONE && column < WIDTH; column++) {
		double size = pow(10, x->from + (x->to - x->from) * column / (WIDTH - 1));
		int row = place(y, fmax(models_cost_at(p->growth, size), 1), HEIGHT);
		if (row >= 0)
			grid[HEIGHT - 1 - row][column] = '.';
	}
	for (size_t i = 0; i < p->count; i++) {
		int column = place(x, fmax(p->points[i].size, 1), WIDTH), row = place(y, fmax(input_picture_cost(p, i), 1), HEIGHT);
		if (column >= 0 && row >= 0)
			grid[HEIGHT - 1 - row][column] = 'o';
	}
}

static const char *amount(struct pool *pool, double value)
{
	return text_amount(pool, (int64_t)fmin(value + 0.5, 0x1p62));
}

static void trim(char *line)
{
	for (size_t length = strlen(line); length && line[length - 1] == ' ';)
		line[--length] = 0;
}

const char *input_plot(struct pool *pool, const struct input_picture *p)
{
	struct axis x = {INFINITY, -INFINITY}, y = {INFINITY, -INFINITY};
	char grid[HEIGHT][WIDTH + 1];
	for (size_t i = 0; i < p->count; i++) {
		include(&x, p->points[i].size);
		include(&y, input_picture_cost(p, i));
	}
	widen(&x);
	widen(&y);
	draw(p, &x, &y, grid);
	const char *text =
		pool_print(pool, "%s (logarithmic axes)\n%s (o) and its fit (.) by %s\n", escape_plain(pool, p->title), p->y, p->x);
	for (int row = 0; row < HEIGHT; row++) {
		trim(grid[row]);
		const char *label = row == 0 ? amount(pool, pow(10, y.to)) : row == HEIGHT - 1 ? amount(pool, pow(10, y.from)) : "";
		text = pool_print(pool, "%s%*s |%s%s\n", text, LABEL, label, *grid[row] ? " " : "", grid[row]);
	}
	const char *left = amount(pool, pow(10, x.from)), *right = amount(pool, pow(10, x.to));
	text = pool_print(pool, "%s%*s +-%.*s\n", text, LABEL, "", WIDTH,
	                  "------------------------------------------------------------------------");
	return pool_print(pool, "%s%*s   %s%*s\n", text, LABEL, "", left, WIDTH - (int)strlen(left), right);
}
