/* SPDX-License-Identifier: MIT */
/* bytes.h: reading DWARF's variable-length numbers one after another, from memory that may go away.
 *
 *     struct bytes b = {.is_direct = …};
 *     bytes_seek(&b, address, limit);
 *     uint64_t length = bytes_uleb(&b);
 *     if (b.failed) …
 *
 * Direct reading takes the memory as it is; otherwise it is copied through the kernel, a piece at a time. Behind the
 * limit, and where there is nothing, everything is 0 and `failed` is set: it is enough to check `failed` at the end. */
#ifndef SKEIN_UNWIND_BYTES_H
#define SKEIN_UNWIND_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	const unsigned char *at, *end; /* what can be read here and now */
	uintptr_t next;                /* address of *end */
	uintptr_t limit;
	bool is_direct, failed;
	unsigned char window[64];
};

void bytes_seek(struct bytes *b, uintptr_t address, uintptr_t limit);
bool bytes_refill(struct bytes *b);
uint64_t bytes_fixed(struct bytes *b, unsigned count); /* 1 to 8 bytes, little-endian */
uint64_t bytes_uleb(struct bytes *b);
int64_t bytes_sleb(struct bytes *b);
uintptr_t bytes_encoded(struct bytes *b, unsigned encoding, uintptr_t data); /* a DW_EH_PE_ pointer; data: what datarel means */

static inline uintptr_t bytes_address(const struct bytes *b)
{
	return b->next - (uintptr_t)(b->end - b->at);
}

static inline unsigned bytes_u8(struct bytes *b)
{
	return b->at < b->end || bytes_refill(b) ? *b->at++ : 0;
}

/* Whether anything is left. */
static inline bool bytes_more(const struct bytes *b)
{
	return !b->failed && (b->at < b->end || b->next < b->limit);
}

static inline void bytes_skip(struct bytes *b, uint64_t count)
{
	uintptr_t to = bytes_address(b) + count;
	if (count <= (uint64_t)(b->end - b->at))
		b->at += count;
	else if (to > b->limit || to < count)
		b->failed = true;
	else
		bytes_seek(b, to, b->limit);
}

#endif
