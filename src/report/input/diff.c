/* SPDX-License-Identifier: MIT */
/* diff.c: what two recordings of the input lens are compared by: how cost grows, and what the same sizes cost. */
#include <math.h>

#include "report/input/view.h"

static const struct diff_figure of_run[] = {
	{"cost", "the cost", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_MORE},
	{"calls", "the number of calls", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER},
	{"trms_total", "the input", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER},
	{0},
};

static const struct diff_figure of_routine[] = {
	{"exponent", "the exponent of the cost", UNIT_RATIO, DIFF_INTERVAL, .worse = DIFF_MORE},
	{"exponent_low", "", UNIT_RATIO, DIFF_BOUND, .worse = DIFF_NEITHER},
	{"exponent_high", "", UNIT_RATIO, DIFF_BOUND, .worse = DIFF_NEITHER},
	{"cost_at_same_sizes", "the cost at the same sizes", UNIT_COUNT, DIFF_PAIR, .worse = DIFF_MORE},
	{"self_cost", "the cost excluding callees", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_MORE, .adds_up = true},
	{"model", "the model", UNIT_TEXT, DIFF_WORD, .worse = DIFF_NEITHER},
	{"calls", "the number of calls", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER, .adds_up = true},
	{"max_trms", "the largest input", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER},
	{0},
};

/* The mean costs of all sizes that both recordings have, added up. Curves are sorted by size. */
static void at_same_sizes(const void *old_data, uint32_t old_routine, const void *new_data, uint32_t new_routine, double *before,
                          double *after)
{
	const struct input_data *old = old_data, *new = new_data;
	struct inputs_pick old_pick = {.routine = old_routine, .thread = INPUTS_ANY, .context = INPUTS_ANY},
			   new_pick = {.routine = new_routine, .thread = INPUTS_ANY, .context = INPUTS_ANY};
	struct inputs_curve a, b;
	double sums[2] = {0, 0};
	size_t common = 0;
	inputs_curve(&old->inputs, &old_pick, old->metric, &a);
	inputs_curve(&new->inputs, &new_pick, new->metric, &b);
	for (size_t i = 0, k = 0; a.bits == b.bits && i < a.count && k < b.count;) {
		const struct inputs_size *x = &a.rows[i], *y = &b.rows[k];
		if (x->size == y->size && x->calls && y->calls) {
			sums[0] += (double)x->cost_sum / (double)x->calls;
			sums[1] += (double)y->cost_sum / (double)y->calls;
			common++;
		}
		i += x->size <= y->size;
		k += y->size <= x->size;
	}
	*before = common ? sums[0] : NAN;
	*after = common ? sums[1] : NAN;
	inputs_curve_free(&a);
	inputs_curve_free(&b);
}

static const struct diff_table tables[] = {
	{.what = "run", .view = &view_input_summary, .shape = DIFF_RUN, .figures = of_run},
	{.what = "routine", .view = &view_input_routines, .shape = DIFF_ROUTINES, .figures = of_routine, .pair = at_same_sizes},
	{0},
};

static const char *const agree[] = {"cost_unit", "cell_bytes", NULL};

const struct diff_lens view_input_diff = {.tables = tables, .agree = agree};
