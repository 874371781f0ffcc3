/* SPDX-License-Identifier: MIT */
/* sure.h: whether a difference between two groups of runs is real, or what runs of one program differ by anyway.
 *
 *     double old[] = {10.1, 10.3, 9.9}, new[] = {11.2, 11.0, 11.3};
 *     double p[2] = {sure_compare(old, 3, new, 3), sure_compare(new, 3, new, 3)};
 *     sure_correct(p, 2);                       several comparisons: each has its chance to be wrong
 *     sure_level(p[0])                          0.95, 0.99, 0.999, or 0: not sure
 *
 * The level is that of all comparisons together: of a hundred reports of which nothing has changed, at most five call anything real at
 * 0.95. Nothing is known of a group of one run. Pure functions, no memory kept. */
#ifndef SKEIN_SURE_H
#define SKEIN_SURE_H

#include <stddef.h>

enum { SURE_RANKED = 8 }; /* runs in each group from which on their order alone is looked at */

double sure_mean(const double *values, size_t count);
/* The chance that groups which do not differ show a difference of this size or more; not a number: it cannot be known. */
double sure_compare(const double *old, size_t old_count, const double *new, size_t new_count);
void sure_correct(double *p, size_t count); /* Holm's correction, in place; what is not a number takes no part */
double sure_level(double p);

/* P(|T| >= |t|) of Student's distribution. */
double sure_student(double t, double degrees);

#endif
