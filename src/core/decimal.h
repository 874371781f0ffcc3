/* SPDX-License-Identifier: MIT */
/* decimal.h: reads a decimal number from a text, and writes one.
 *
 *     uint64_t n = decimal_read(&at);      *at moves behind the last digit; without a digit: 0, and *at stays
 *     *decimal_write(to, n) = 0; */
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

/* Writes the digits and returns their end; at most 20. */
static inline char *decimal_write(char *to, uint64_t n)
{
	char digits[20];
	int count = 0;
	do
		digits[count++] = (char)('0' + n % 10);
	while (n /= 10);
	while (count)
		*to++ = digits[--count];
	return to;
}

#endif
