/* SPDX-License-Identifier: MIT */
#include "run/look/plan.h"

#include <math.h>

#include "base/number.h"

/* clang-format off */
const struct look_plan look_plan[] = {
	{"idle",  1.1, false, false},
	{"flow",  1.1, false, false},
	{"calls", 1.3, false, true},
	{"paths", 1.4, false, true},
	{"span",  1.5, true,  true},
	{"input", 9.0, false, true},
};
/* clang-format on */
const size_t look_plan_count = sizeof look_plan / sizeof *look_plan;

uint64_t look_estimate(const struct look_plan *plan, uint64_t wall_ns, uint64_t cpu_ns)
{
	uint64_t base = plan->serial && cpu_ns > wall_ns ? cpu_ns : wall_ns;
	return number_count(ceil(plan->factor * (double)base));
}

bool look_fits(uint64_t budget_ns, uint64_t spent_ns, uint64_t estimate_ns)
{
	return !budget_ns || (spent_ns < budget_ns && estimate_ns <= budget_ns - spent_ns);
}
