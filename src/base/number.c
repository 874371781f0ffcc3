/* SPDX-License-Identifier: MIT */
/* number.c: compares before it casts. */
#include "base/number.h"

#include <math.h>
#include <string.h>

/* No comparison holds for what is not a number. */
int64_t number_within(double value, int64_t least, int64_t most)
{
	if (!(value > (double)least))
		return least;
	return value < (double)most ? (int64_t)value : most;
}

int64_t number_whole(double value)
{
	return isnan(value) ? 0 : number_within(value, -NUMBER_MOST, NUMBER_MOST);
}

uint64_t number_count(double value)
{
	return (uint64_t)number_within(value, 0, NUMBER_MOST);
}

bool number_is_factor(const char *text)
{
	size_t digits = strspn(text, "0123456789"), more = text[digits] == '.' ? 1 + strspn(text + digits + 1, "0123456789") : 0;
	return digits + more > (more > 0) && digits < 16 && digits + more < 32 && text[digits + more] == 0;
}
