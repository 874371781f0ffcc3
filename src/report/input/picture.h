/* SPDX-License-Identifier: MIT */
/* picture.h: what the plots of a routine show: cost, or number of calls, by input size; in text and in SVG.
 *
 *     struct input_picture p = input_picture(&pool, d, &d->results[i], PICTURE_COST);
 *     puts(input_plot(&pool, &p));
 *     input_picture_free(&p);
 *
 * A picture has a series for the metric that was asked for and, with --overlay, one for rms (or for trms, if rms was asked
 * for). Texts live in the pool. */
#ifndef SKEIN_INPUT_PICTURE_H
#define SKEIN_INPUT_PICTURE_H

#include "report/axis.h"
#include "report/input/view.h"

enum { PICTURE_SERIES = 2 };
enum picture_kind { PICTURE_COST, PICTURE_WORKLOAD };

struct input_series {
	const char *metric;
	struct models_point *points;
	size_t count;
	struct models_fit growth;
};

struct input_picture {
	enum picture_kind kind;
	const char *name, *place; /* of the routine; place is "" if it is not known */
	const char *x, *y;        /* what the axes show, with units */
	struct input_series series[PICTURE_SERIES];
	size_t series_count;
	uint64_t calls;
	double cost_pct; /* not a number for a single thread */
	enum models_cost measure;
	bool is_linear;
};

struct input_picture input_picture(struct pool *pool, const struct input_data *d, const struct inputs_result *r, enum picture_kind kind);
void input_picture_free(struct input_picture *picture);

double input_picture_value(const struct input_picture *picture, const struct models_point *point);           /* cost, or number of calls */
void input_picture_axes(const struct input_picture *picture, struct axis *x, struct axis *y, double margin); /* for all its series */
const char *input_picture_growth(struct pool *pool, const struct input_series *series); /* "n^2, R2 1.00", or why there is none */
const char *input_plot(struct pool *pool, const struct input_picture *picture);         /* lines of text */

/* of the routines asked for, the first few */
const char *view_input_plots(struct pool *pool, const struct input_data *d, const struct view_ask *ask);

#endif
