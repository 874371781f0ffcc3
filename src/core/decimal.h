/* SPDX-License-Identifier: MIT */
/* decimal.h: reads a decimal number from a text.
 *
 *     uint64_t n = decimal_read(&at);      *at moves behind the last digit; without a digit: 0, and *at stays */
#ifndef SKEIN_CORE_DECIMAL_H
#define SKEIN_CORE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

static inline bool decimal_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline uint64_t decimal_read(const char **at)
{
	uint64_t n = 0;
	while (decimal_is_digit(**at))
		n = 10 * n + (uint64_t)(*(*at)++ - '0');
	return n;
}

#endif
