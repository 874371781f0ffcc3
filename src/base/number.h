/* SPDX-License-Identifier: MIT */
/* number.h: whole numbers from doubles.
 *
 * A cast of a double that is not a number, or does not fit, has no defined result, and a recording from elsewhere may hold
 * any figure. All of skein's casts from double to a whole number are therefore made here, and digits after the point are cut:
 *
 *     number_whole(-2.7)                  -2; at most 2^62 from 0; 0 for what is not a number
 *     number_count(2.7)                   2; 0 to 2^62
 *     number_within(share * 20, 0, 20)    for an index or a length; the least for what is not a number
 *
 * number_is_factor("0.5") tells whether a user's word is a decimal number that is not negative, short enough for strtod.
 *
 * tests/cli/house/casts.sh finds a cast elsewhere. */
#ifndef SKEIN_NUMBER_H
#define SKEIN_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#define NUMBER_MOST (INT64_C(1) << 62) /* the sum of two still fits */

int64_t number_whole(double value);
uint64_t number_count(double value);
bool number_is_factor(const char *text);
int64_t number_within(double value, int64_t least, int64_t most);

#endif
