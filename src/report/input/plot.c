/* SPDX-License-Identifier: MIT */
/* plot.c: cost by size in characters. */
#include <math.h>
#include <string.h>

#include "base/escape.h"
#include "base/number.h"
#include "base/text.h"
#include "report/input/picture.h"

enum { WIDTH = 60, HEIGHT = 16, LABEL = 8 };

/* Where a value lies, from 0 to cells - 1; below 0: outside. */
static int place(const struct axis *axis, double value, int cells)
{
	return axis_has(axis, value) ? (int)number_within(axis_place(axis, value) * (cells - 1) + 0.5, 0, cells - 1) : -1;
}

static void put(char grid[HEIGHT][WIDTH + 1], int column, int row, char mark)
{
	if (column >= 0 && row >= 0)
		grid[HEIGHT - 1 - row][column] = mark;
}

static const char point_marks[PICTURE_SERIES] = {'o', 'x'}, fit_marks[PICTURE_SERIES] = {'.', ','};

/* The first series goes last: it covers the others. */
static void draw(const struct input_picture *p, const struct axis *x, const struct axis *y, char grid[HEIGHT][WIDTH + 1])
{
	for (int row = 0; row < HEIGHT; row++) {
		memset(grid[row], ' ', WIDTH);
		grid[row][WIDTH] = 0;
	}
	for (size_t s = p->series_count; s-- > 0;) {
		const struct input_series *series = &p->series[s];
		for (int column = 0; series->growth.model != MODEL_NONE && column < WIDTH; column++) {
			double size = axis_value(x, (double)column / (WIDTH - 1));
			if (size >= series->growth.smallest * 0.99 && size <= series->growth.largest * 1.01)
				put(grid, column, place(y, models_cost_at(&series->growth, size), HEIGHT), fit_marks[s]);
		}
		for (size_t i = 0; i < series->count; i++)
			put(grid, place(x, series->points[i].size, WIDTH), place(y, input_picture_value(p, &series->points[i]), HEIGHT),
			    point_marks[s]);
	}
}

static const char *amount(struct pool *pool, double value)
{
	return text_amount(pool, number_whole(value + 0.5));
}

static void trim(char *line)
{
	for (size_t length = strlen(line); length && line[length - 1] == ' ';)
		line[--length] = 0;
}

static const char *heading(struct pool *pool, const struct input_picture *p)
{
	const char *name = escape_plain(pool, p->name), *axes = p->is_linear ? "linear" : "logarithmic";
	if (p->series_count == 1)
		return pool_print(pool, "%s: %s (%s axes)\n%s (o) and its fit (.) by %s\n", name, input_picture_growth(pool, &p->series[0]),
		                  axes, p->y, p->x);
	const char *text = pool_print(pool, "%s (%s axes)\n%s by %s\n", name, axes, p->y, p->x);
	for (size_t s = 0; s < p->series_count && s < PICTURE_SERIES; s++) {
		const struct input_series *series = &p->series[s];
		const char *fit = series->growth.model == MODEL_NONE
			? pool_print(pool, ", no fit: %s", view_input_why(pool, &series->growth))
			: pool_print(pool, " and its fit (%c): %s", fit_marks[s], input_picture_growth(pool, series));
		text = pool_print(pool, "%s%s (%c)%s\n", text, series->metric, point_marks[s], fit);
	}
	return text;
}

const char *input_plot(struct pool *pool, const struct input_picture *p)
{
	struct axis x, y;
	char grid[HEIGHT][WIDTH + 1];
	input_picture_axes(p, &x, &y, 0);
	draw(p, &x, &y, grid);
	const char *text = heading(pool, p);
	for (int row = 0; row < HEIGHT; row++) {
		trim(grid[row]);
		const char *label = row == 0 ? amount(pool, y.to) : row == HEIGHT - 1 ? amount(pool, y.from) : "";
		text = pool_print(pool, "%s%*s |%s%s\n", text, LABEL, label, *grid[row] ? " " : "", grid[row]);
	}
	const char *left = amount(pool, x.from), *right = amount(pool, x.to);
	text = pool_print(pool, "%s%*s +-%.*s\n", text, LABEL, "", WIDTH,
	                  "------------------------------------------------------------------------");
	return pool_print(pool, "%s%*s   %s%*s\n", text, LABEL, "", left, WIDTH - (int)strlen(left), right);
}
