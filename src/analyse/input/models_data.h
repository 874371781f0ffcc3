/* SPDX-License-Identifier: MIT */
/* models_data.h: costs ready to be fitted, and the parts of fitting. For models*.c only. */
#ifndef SKEIN_MODELS_DATA_H
#define SKEIN_MODELS_DATA_H

#include "analyse/input/models.h"

#define MODELS_SAMPLES 128 /* more points than this are merged, by equal steps of log n */

/* Terms that may stand beside a leading term. Each is scaled to be 1 at the largest size, but for TERM_SHRINK, which is
 * 1 / n and 1 at the smallest. */
enum models_term { TERM_1, TERM_LOG, TERM_N, TERM_N_LOG, TERM_N2, TERM_SHRINK, TERMS };

struct models_data {
	size_t count;
	double smallest, largest;     /* sizes */
	double n[MODELS_SAMPLES];     /* sizes, from the smallest */
	double log_n[MODELS_SAMPLES]; /* log(n / largest) */
	double y[MODELS_SAMPLES];     /* costs, above 0 */
	double weight[MODELS_SAMPLES];
	bool is_above_change;
	/* The rest is set by models_weigh. */
	double root[MODELS_SAMPLES]; /* root of the weight of a squared error, which makes errors relative */
	double z[MODELS_SAMPLES];    /* root times y */
	double term[TERMS][MODELS_SAMPLES];
	double terms_terms[TERMS][TERMS], terms_z[TERMS], z_z; /* sums of products */
	double top;                                            /* cost at the largest size, by the curve that gave the weights */
	double steepest;                                       /* exponents above this hang on the few largest sizes */
};

/* A curve: lead * f(n) + offset + k * lower(n), with terms scaled as above. */
struct models_curve {
	enum model model;
	double exponent;        /* of the model, without its logarithm */
	enum models_term lower; /* TERM_1: none */
	double lead, offset, k;
	double squares; /* of weighted errors */
	int parameters; /* number of factors */
};

/* ---- models_solve.c: curves by least squares ---- */

/* What a curve must pay, in units of squares. A leading term that is less than `least_share` of the cost at the largest
 * size must take away at least `proof`; else it is enlarged to that share, or not taken if it hangs on few sizes. */
struct models_terms {
	double price; /* for each factor */
	double least_share, proof;
};

double models_f(enum model model, double n);                      /* of a model with a name; log is to the base of 2 */
void models_weigh(struct models_data *data, const double *about); /* errors count relative to these costs */
struct models_curve models_solve(const struct models_data *data, enum model model, double exponent, const struct models_terms *how);
double models_value(const struct models_data *data, const struct models_curve *curve, double n); /* cost */
double models_criterion(const struct models_curve *curve, const struct models_terms *how);       /* squares, and what its factors cost */

/* ---- models_growth.c: which exponents the costs allow ---- */

struct models_growth {
	struct models_terms how;
	struct models_curve named[MODELS_NAMED]; /* squares are infinite where a model does not apply */
	struct models_curve power;               /* the best power law */
	double squares;                          /* of the best curve of all, whatever its number of factors */
	double variance;                         /* the unit of squares */
	double alike;                            /* squares that differ by less are the same: no program is exactly of a model */
	double low, high;                        /* exponents, with 95 % confidence; high may be infinite */
	double sure;                             /* the least exponent of a power law with 99.9 % confidence */
	double ten_low, ten_high;                /* factors by which cost may grow at ten times the largest size, with 95 % */
	bool allowed[MODELS_NAMED];              /* with 95 % confidence a curve that grows no faster is among those allowed */
	bool refuted[MODELS_NAMED];              /* with 99.9 % confidence none is, not even with a change of slope */
};
void models_growth(struct models_data *data, struct models_growth *growth);
struct models_curve models_describe(struct models_data *data); /* the slowest growth with a name that fits about as well as any */

/* ---- models_resample.c ---- */

/* How much the variance must be enlarged: errors get other signs, neighbours the same, and what they then add up to in
 * the direction in which they change the exponent is compared with what independent errors of one size would. */
double models_resample(const struct models_data *data, const struct models_curve *curve, double variance);
void models_calm(struct models_data *data, const double *about); /* single costs that are far from these count less */

/* ---- models_change.c: changes of slope and steps ---- */

size_t models_change(const struct models_data *data, double squares); /* the first point behind a change; 0: there is none */

/* The first point of the upper half of log n, if curves describe costs there far better than everywhere; 0: they do not. */
size_t models_calm_part(const struct models_data *data, double squares);

/* The least squares of curves that change once and are of a model above, and how many factors they have. */
double models_changed_squares(const struct models_data *data, enum model above, int *parameters);

#endif
