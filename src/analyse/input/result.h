/* SPDX-License-Identifier: MIT */
/* result.h: a routine's figures: the metrics of the paper's section 6.1, its cost function, and what it will cost when its input grows.
 *
 *     size_t count;
 *     struct inputs_result *all = inputs_results(inputs, INPUT_TRMS, MODELS_MEAN, &count);
 *                                            one per routine, sorted by x10_pct, or by cost_pct where that is not known;
 *                                            those with too few sizes follow, by cost
 *     free(all);
 *
 * x10_pct is the routine's share of the program's cost at ten times the input, if all other cost grows in proportion
 * to the input: F C / (F C + 10 (T - C)), where C is its cost, T the program's, and F the factor by which its cost
 * function grows. It is withheld, not a number, where there is no cost function, or where other curves that fit as well
 * would give a share that differs by more than a tenth of it. */
#ifndef SKEIN_INPUT_RESULT_H
#define SKEIN_INPUT_RESULT_H

#include "analyse/input/input.h"
#include "analyse/input/models.h"

extern const char *const inputs_measure_names[2]; /* of enum models_cost */

struct inputs_result {
	struct inputs_pick pick;
	uint64_t calls;
	uint64_t cost; /* cost with callees; activations inside others of the same routine do not count twice */
	uint64_t self;
	size_t sizes[INPUT_METRICS];
	uint64_t largest;              /* trms */
	uint64_t total[INPUT_METRICS]; /* sum of the sizes of all activations */
	uint64_t thread_induced, external;
	uint32_t bits; /* sizes are bins of this many digits; 0: exact */
	struct models_fit growth[INPUT_METRICS];
	bool is_programs;         /* not of the C library, the loader or the system's headers (analyse/blame_place.h) */
	double self_pct;          /* share of the program's cost excluding callees */
	double cost_pct, x10_pct; /* by the chosen metric; x10_pct is not a number where it is not known */
	double rank;              /* what results are sorted by */
};

struct inputs_result inputs_result(const struct inputs *inputs, const struct inputs_pick *pick, enum input_metric metric,
                                   enum models_cost measure, uint64_t whole);
struct inputs_result *inputs_results(const struct inputs *inputs, enum input_metric metric, enum models_cost measure, size_t *count);

/* mixed.c: whether the activations are several curves, because they called different functions through a pointer; and the
 * curve for each set of functions, the costliest first (the result: how many sets there are; `most` are filled in). */
struct inputs_given {
	uint32_t set; /* in inputs.sets; RUN_OUTSIDE there: functions that are too many to be told apart */
	struct models_fit fit;
};
bool inputs_is_mixed(const struct inputs *inputs, const struct inputs_pick *pick, enum input_metric metric);
size_t inputs_given(const struct inputs *inputs, const struct inputs_pick *pick, enum input_metric metric, struct inputs_given *list,
                    size_t most);

/* A curve as points for models.h, each at its mean size. The caller frees; there are curve->count. */
struct models_point *inputs_points(const struct inputs_curve *curve);

/* As sentences and tables show it: the confidence interval of the exponent, "1.98 to 2.04"; "" if it is narrower than the digits. */
const char *inputs_interval(struct pool *pool, const struct models_fit *g);
double inputs_no_sign(double value, double least);

/* The metrics of section 6.1, not a number where not defined; shares in percent of all input (Figure 9) and of
 * induced first accesses (Figures 17 to 19). */
double inputs_richness(const struct inputs_result *r);
double inputs_volume(const struct inputs_result *r);
double inputs_share(uint64_t part, uint64_t whole);

#endif
