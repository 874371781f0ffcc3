/* SPDX-License-Identifier: MIT */
/* derive.h: a column that is worked out of others: NAME=EXPRESSION, with + - * / ( ), numbers and the names of metrics.
 *
 *     struct derive d;
 *     if (derive_parse(&d, "bandwidth=LLC-misses*64/work_ns", names, count, &why) < 0) …
 *     double gb_s = derive_value(&d, values);        values[i] belongs to names[i]
 *
 * A name may have a minus sign in it: the longest name that fits is meant. Dividing by zero gives no number (NaN). */
#ifndef SKEIN_DERIVE_H
#define SKEIN_DERIVE_H

#include <stddef.h>
#include "base/fail.h"

enum { DERIVE_NAME = 64, DERIVE_STEPS = 128 };

struct derive {
	char name[DERIVE_NAME];
	struct {
		char what; /* n: number, v: value, or an operator; ~ is the sign */
		size_t value;
		double number;
	} steps[DERIVE_STEPS]; /* operands first */
	size_t count;
};

int derive_parse(struct derive *d, const char *text, const char *const *names, size_t count, struct fail *why);
double derive_value(const struct derive *d, const double *values);

#endif
