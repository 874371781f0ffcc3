/* SPDX-License-Identifier: MIT */
/* models.h: finds how cost grows, from costs at many input sizes.
 *
 *     struct models_point points[] = {{.size = 10, .calls = 3, .cost_min = 90, .cost_max = 130, .cost_sum = 320}, …};
 *                                             each size once, in any order
 *     struct models_fit fit = models_fit(points, count, MODELS_MEAN);
 *     fit.model                               MODEL_N_LOG, or MODEL_NONE: models_why_none(&fit)
 *     models_cost_at(&fit, 10 * fit.largest)  what a call with ten times the largest input would cost
 *     models_is_worse(&fit, MODEL_N)          true: cost grows faster than n, beyond doubt
 *
 * What is fitted is cost = a + b f(n), by weighted least squares on *relative* errors: a routine that costs 10 at its
 * smallest input and 10^9 at its largest is fitted over the whole range, and noise is in proportion to cost. The cost
 * of a size is the mean of its calls (MODELS_MEAN) or the worst (MODELS_WORST). The mean is for choosing models: the
 * worst of many calls lies higher than the worst of few, and sizes differ in how often they are called, so worst
 * costs bend where nothing grows. A size that was called once has half the weight of one that was called often.
 *
 * The model is the one with the least information criterion (Schwarz's: N log of the mean squared error, and log N for
 * each parameter). A model that grows is taken only if it beats the constant one clearly, and the power law a + b n^c
 * only if it clearly beats all with a name and these are off by more than MODELS_NEAR, also with their next lower term:
 * n log n + k n is n log n.
 * A routine with fewer than MODELS_SIZES sizes, or less than MODELS_RANGE between the smallest and the largest, gets no model.
 *
 * The exponent is c of the power law, whatever the model, with its 95 % confidence interval by the likelihood's
 * profile; where cost is constant it is the slope on logarithmic axes. r2 is on logarithmic costs too. Pure functions,
 * no memory. */
#ifndef SKEIN_MODELS_H
#define SKEIN_MODELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Models in the order of their growth. */
enum model {
	MODEL_1,
	MODEL_LOG,
	MODEL_N,
	MODEL_N_LOG,
	MODEL_N2,
	MODEL_N2_LOG,
	MODEL_N3,
	MODEL_2N,
	MODELS_NAMED,
	MODEL_POWER = MODELS_NAMED,
	MODEL_NONE
};
enum models_cost { MODELS_MEAN, MODELS_WORST };

#define MODELS_SIZES 8        /* least number of different sizes above 0 */
#define MODELS_RANGE 10.0     /* least ratio of the largest to the smallest size */
#define MODELS_NEAR 0.02      /* a named model whose relative error is smaller is good enough */
#define MODELS_TOLERANCE 0.05 /* growth by less than n^this more than stated is not called worse: lower-order terms look the same */

struct models_point {
	double size; /* size 0 is left out: it has no place on a logarithmic axis */
	uint64_t calls;
	double cost_min, cost_max, cost_sum;
};

struct models_fit {
	enum model model;
	double a, b; /* cost = a + b f(n), with logarithms to base 2; f(n) = n^exponent for the power law */
	/* cost = a + b f(n) + b k g(n), where g is the next lower term: n of n log n and n^2, n^2 of n^2 log n and
	 * n^3; mostly 0 */
	double k;
	double exponent, exponent_low, exponent_high;
	double r2;
	double error;             /* root of the mean squared relative error */
	double smallest, largest; /* smallest and largest size */
	size_t sizes;
	double beyond[MODELS_NAMED]; /* cost grows by at least n^this more than each model, with 97.5 % confidence */
};

struct models_fit models_fit(const struct models_point *points, size_t count, enum models_cost cost);
double models_cost_at(const struct models_fit *fit, double size);
bool models_is_worse(const struct models_fit *fit, enum model stated);
const char *models_why_none(const struct models_fit *fit); /* "too few sizes" (fit->sizes says how many); NULL: there is a model */

double models_power(enum model model);                  /* c of n^c and of n^c log n; not of 2^n and of models without a name */
const char *models_name(enum model model);              /* "n log n"; "power law"; "none" */
bool models_parse(const char *text, enum model *model); /* reads "O(n log n)", "n log n", "n*log(n)", "O(n^2)"; false: not a named model */

#endif
