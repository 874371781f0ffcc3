/* SPDX-License-Identifier: MIT */
/* varint.h: numbers of variable length: seven bits in each byte, lowest first; all but the last byte have the eighth bit.
 *
 *     to = flow_varint_put(to, n);                          at most FLOW_VARINT_BYTES
 *     if (!flow_varint_get(&at, end, &n)) …                 the number has no end before `end`, or more than 64 bits */
#ifndef SKEIN_CORE_FLOW_VARINT_H
#define SKEIN_CORE_FLOW_VARINT_H

#include <stdbool.h>
#include <stdint.h>

enum { FLOW_VARINT_BYTES = 10 };

static inline unsigned char *flow_varint_put(unsigned char *to, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		*to++ = (unsigned char)(n | 0x80);
	*to++ = (unsigned char)n;
	return to;
}

static inline bool flow_varint_get(const unsigned char **at, const unsigned char *end, uint64_t *n)
{
	*n = 0;
	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		unsigned char byte = *(*at)++;
		*n |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return shift < 63 || byte <= 1;
	}
	return false;
}

#endif
