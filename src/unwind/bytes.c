/* SPDX-License-Identifier: MIT */
#include "unwind/bytes.h"

#include <string.h>
#include "unwind/memory.h"

void bytes_seek(struct bytes *b, uintptr_t address, uintptr_t limit)
{
	if (address > limit)
		b->failed = true;
	b->limit = limit;
	if (b->is_direct && !b->failed) {
		b->at = (const unsigned char *)address;
		b->end = (const unsigned char *)limit;
		b->next = limit;
	} else {
		b->at = b->end = b->window;
		b->next = address;
	}
}

bool bytes_refill(struct bytes *b)
{
	size_t count = sizeof b->window - b->next % sizeof b->window; /* never over the end of a page */
	if (b->next < b->limit && count > b->limit - b->next)
		count = b->limit - b->next;
	if (b->failed || b->is_direct || b->next >= b->limit || !memory_copy(b->next, b->window, count)) {
		b->failed = true;
		return false;
	}
	b->at = b->window;
	b->end = b->window + count;
	b->next += count;
	return true;
}

uint64_t bytes_fixed(struct bytes *b, unsigned count)
{
	uint64_t value = 0;
	if ((size_t)(b->end - b->at) >= sizeof value) {
		memcpy(&value, b->at, sizeof value);
		b->at += count;
		return value & ~UINT64_C(0) >> (64 - 8 * count);
	}
	for (unsigned i = 0; i < count; i++)
		value |= (uint64_t)bytes_u8(b) << 8 * i;
	return value;
}

uint64_t bytes_uleb(struct bytes *b)
{
	uint64_t value = 0;
	unsigned byte, shift = 0;
	do {
		byte = bytes_u8(b);
		if (shift < 64)
			value |= (uint64_t)(byte & 127) << shift;
		shift += 7;
	} while (byte & 128);
	return value;
}

int64_t bytes_sleb(struct bytes *b)
{
	uint64_t value = 0;
	unsigned byte, shift = 0;
	do {
		byte = bytes_u8(b);
		if (shift < 64)
			value |= (uint64_t)(byte & 127) << shift;
		shift += 7;
	} while (byte & 128);
	if (byte & 64 && shift < 64)
		value |= ~UINT64_C(0) << shift;
	return (int64_t)value;
}

static int64_t extend(uint64_t value, unsigned bits)
{
	return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

uintptr_t bytes_encoded(struct bytes *b, unsigned encoding, uintptr_t data)
{
	uintptr_t here = bytes_address(b), value;
	switch (encoding & 15) {
		/* clang-format off */
	case 0x0: case 0x4: case 0xc: value = bytes_fixed(b, 8); break;
	case 0x1: value = bytes_uleb(b); break;
	case 0x2: value = bytes_fixed(b, 2); break;
	case 0x3: value = bytes_fixed(b, 4); break;
	case 0x9: value = (uintptr_t)bytes_sleb(b); break;
	case 0xa: value = (uintptr_t)extend(bytes_fixed(b, 2), 16); break;
	case 0xb: value = (uintptr_t)extend(bytes_fixed(b, 4), 32); break;
	default: b->failed = true; return 0;
		/* clang-format on */
	}
	switch (encoding & 0x70) {
	case 0x00: return value;
	case 0x10: return value + here;
	case 0x30: return value + data;
	default: b->failed = true; return 0;
	}
}
