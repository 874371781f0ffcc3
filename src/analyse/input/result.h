/* SPDX-License-Identifier: MIT */
/* result.h: a routine's figures: the metrics of the paper's section 6.1, its cost function, and what it will cost when its input grows.
 *
 *     size_t count;
 *     struct inputs_result *all = inputs_results(inputs, INPUT_TRMS, MODELS_MEAN, &count);     one a routine: by x10_pct, those without
 *                                                                                              by cost
 *     free(all);
 *
 * What a routine will cost: x10_pct is its share of the program's cost if its input were ten times as large and all
 * else grew in proportion to the input: F C / (F C + 10 (T - C)), where C is its cost, T the program's, and F what its
 * cost function says it grows by. Of a routine without one nobody knows. */
#ifndef SKEIN_INPUT_RESULT_H
#define SKEIN_INPUT_RESULT_H

#include "analyse/input/input.h"
#include "analyse/input/models.h"

extern const char *const inputs_measure_names[2]; /* of enum models_cost */

struct inputs_result {
	struct inputs_pick pick;
	uint64_t calls;
	uint64_t cost; /* with what it called; of activations within others of the same routine nothing twice */
	uint64_t self;
	size_t sizes[INPUT_METRICS];
	uint64_t largest;              /* trms */
	uint64_t total[INPUT_METRICS]; /* sizes of all activations, added up */
	uint64_t thread_induced, external;
	uint32_t bits; /* sizes are bins of so many digits; 0: exact */
	struct models_fit growth[INPUT_METRICS];
	double cost_pct, x10_pct; /* by the metric that was asked for; x10_pct is not a number if it has no cost function */
};

struct inputs_result inputs_result(const struct inputs *inputs, const struct inputs_pick *pick, enum input_metric metric,
                                   enum models_cost measure, uint64_t whole);
struct inputs_result *inputs_results(const struct inputs *inputs, enum input_metric metric, enum models_cost measure, size_t *count);

/* A curve as points for models.h, each at its mean size. The caller frees; there are curve->count. */
struct models_point *inputs_points(const struct inputs_curve *curve);

/* Not a number where it is not defined. Section 6.1; shares in percent of all input (Figure 9) and of induced first
 * accesses (Figures 17 to 19). */
double inputs_richness(const struct inputs_result *r);
double inputs_volume(const struct inputs_result *r);
double inputs_share(uint64_t part, uint64_t whole);

#endif
