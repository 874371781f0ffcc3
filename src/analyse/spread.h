/* SPDX-License-Identifier: MIT */
/* spread.h: the median of a figure of repeated runs, and how sure it is.
 *
 *     struct spread s = spread_of(seconds, 10);
 *     printf("%.2f +- %.2f (%.2f to %.2f)\n", s.median, s.plus_minus, s.least, s.most);
 *
 * The values stay as they are. One value has a spread of 0, no value is not a number. The same values in the same order have the
 * same spread, on any machine. */
#ifndef SKEIN_SPREAD_H
#define SKEIN_SPREAD_H

#include <stddef.h>

struct spread {
	double median;     /* of an even number, the mean of the two in the middle */
	double plus_minus; /* 95 % of the medians of such runs lie at most so far away */
	double least, most;
};

struct spread spread_of(const double *values, size_t count);

#endif
