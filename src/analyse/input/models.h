/* SPDX-License-Identifier: MIT */
/* models.h: finds how cost grows, from costs at many input sizes.
 *
 *     struct models_point points[] = {{.size = 10, .calls = 3, .cost_min = 90, .cost_max = 130, .cost_sum = 320}, …};
 *                                             each size once, in any order
 *     struct models_fit fit = models_fit(points, count, MODELS_MEAN);
 *     fit.model                               MODEL_N_LOG, or MODEL_NONE: models_why_none(&fit)
 *     models_cost_at(&fit, 10 * fit.largest)  what a call with ten times the largest input would cost
 *     models_is_worse(&fit, MODEL_N)          true: cost grows faster than n, beyond doubt
 *     models_allows(&fit, MODEL_N)            true: cost may well grow like n, or slower. Neither: it cannot be told
 *
 * Fitted are curves of a leading term, an offset and at most one lower term, so n^2 + 60 n is n^2, by least squares of
 * *relative* errors: a routine that costs 10 at its smallest input and 10^9 at its largest is fitted over the whole
 * range, and noise is in proportion to cost. The cost of a size is the mean of its calls (MODELS_MEAN) or the worst
 * (MODELS_WORST). The mean is for choosing models: the worst of many calls lies higher than the worst of few, and sizes
 * differ in how often they are called, so worst costs bend where nothing grows. A size that was called once has half the
 * weight of one that was called often. Single costs that are far off count less, and single sizes that are far from all
 * others do not count.
 *
 * The exponent is that of cost as n goes to infinity, the limit of log cost / log n, and its interval has 95 %
 * confidence: n log n has the exponent 1, and 2^n has an infinite one. The interval has the exponents of all curves that
 * fit nearly as well as the best. Where these differ by more than MODELS_WIDEST there is no model: it cannot be told.
 *
 * Where the slope changes, or cost has a step, the model is that of the sizes above the change (`change_at`), if these
 * are enough for one; `before` describes those below.
 *
 * How often all this is true is measured by tests/unit/input/test_families.c. Pure functions, no memory. */
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
#define MODELS_R2 0.4         /* least R2 of a model that grows */
#define MODELS_WIDEST 1.25    /* a wider interval of exponents is no answer */
#define MODELS_TOLERANCE 0.05 /* growth by less than n^this more than stated is not called worse: lower-order terms look the same */

enum models_why {
	MODELS_TOLD,      /* there is a model */
	MODELS_NO_SIZES,  /* no sizes above 0 */
	MODELS_FEW_SIZES, /* fewer than MODELS_SIZES */
	MODELS_NARROW,    /* the range of sizes is below MODELS_RANGE */
	MODELS_UNEVEN,    /* the range is large only by single sizes, or most of it has none */
	MODELS_CHANGED,   /* cost changes at change_at, and there are too few sizes above */
	MODELS_SCATTERED, /* costs fit curves of very different exponents equally well */
	MODELS_MIXED      /* the points are those of several curves; models_fit does not know, result.h says so */
};

struct models_point {
	double size; /* size 0 is left out: it has no place on a logarithmic axis */
	uint64_t calls;
	double cost_min, cost_max, cost_sum;
};

/* cost = a + b f(n) + k lower(n) + c / n, with logarithms to base 2; f(n) = n^exponent for the power law */
struct models_part {
	enum model model, lower;
	double exponent;
	double a, b, c, k;
};

struct models_fit {
	enum model model;
	enum models_why why;
	struct models_part is;
	double change_at;          /* the smallest size above a change of slope or a step; 0: there is none */
	struct models_part before; /* the curve below change_at */
	bool has_before;           /* `before` describes the costs there */
	double exponent, exponent_low, exponent_high;
	double sure;              /* cost grows by at least n^this, with 99.9 % confidence */
	double r2;                /* on logarithmic costs */
	double error;             /* root of the mean squared relative error */
	double smallest, largest; /* smallest and largest size */
	size_t sizes;
	double ten_low, ten_high; /* by how much cost at ten times the largest size may differ from models_cost_at: factors, with 95 % */
	bool allowed[MODELS_NAMED], refuted[MODELS_NAMED];
};

struct models_fit models_fit(const struct models_point *points, size_t count, enum models_cost cost);
double models_cost_at(const struct models_fit *fit, double size);
bool models_is_worse(const struct models_fit *fit, enum model stated);
bool models_allows(const struct models_fit *fit, enum model stated);
const char *models_why_none(const struct models_fit *fit); /* "too few sizes" (fit->sizes says how many); NULL: there is a model */

double models_power(enum model model);                  /* c of n^c and of n^c log n; not of 2^n and of models without a name */
const char *models_name(enum model model);              /* "n log n"; "power law"; "none" */
bool models_parse(const char *text, enum model *model); /* reads "O(n log n)", "n log n", "n*log(n)", "O(n^2)"; false: not a named model */

#endif
