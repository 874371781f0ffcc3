/* SPDX-License-Identifier: MIT */
/* decimal.h: a number as it stands in a text.
 *
 *     uint64_t n = decimal_read(&at);      *at is behind its last digit; 0, and *at as it was: there is none */
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
