/* SPDX-License-Identifier: MIT */
/* plan.h: which lenses `skein look` records, in which order, and what each will take.
 *
 *     for (size_t i = 0; i < look_plan_count; i++)
 *             … look_plan[i].lens …                                     the cheapest first
 *     uint64_t ns = look_estimate(&look_plan[i], wall_ns, cpu_ns);      of a run, from the first one
 *
 * The factors are those of the documents (doc/bench-*.md), rounded up. Linking for a lens the first time comes on top: it is not known
 * beforehand. */
#ifndef SKEIN_LOOK_PLAN_H
#define SKEIN_LOOK_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct look_plan {
	const char *lens;
	double factor; /* of the run's time without Skein */
	bool serial;   /* Cilk and OpenMP programs run serially under it: the factor is of their CPU time, if that is more */
	bool relinks;  /* only programs that skein-cc built */
};

extern const struct look_plan look_plan[];
extern const size_t look_plan_count;

uint64_t look_estimate(const struct look_plan *plan, uint64_t wall_ns, uint64_t cpu_ns);

/* Whether a further run may begin: it would end within the budget. budget_ns 0: there is none. */
bool look_fits(uint64_t budget_ns, uint64_t spent_ns, uint64_t estimate_ns);

#endif
