/* SPDX-License-Identifier: MIT */
#include "core/flow/links.h"

#include "core/flow/varint.h"

enum { BEGINS = 1, WORKS = 2, EXITS = 4, FROM = 8, TO = 16 };

bool flow_links_put(struct flow_links *block, const struct flow_link *link, uint64_t number)
{
	unsigned char *begin = block->bytes + block->used, *to = begin;
	if (block->room - block->used < FLOW_LINK_BYTES)
		return false;
	bool has_from = link->from != FLOW_NONE, has_to = link->to != FLOW_NONE;
	*to++ = (unsigned char)((link->begins ? BEGINS : 0) | (link->works ? WORKS : 0) | (link->exits ? EXITS : 0) |
	                        (has_from ? FROM : 0) | (has_to ? TO : 0));
	to = flow_varint_put(to, link->strand);
	to = flow_varint_put(to, link->took);
	to = flow_varint_put(to, link->held);
	to = flow_varint_put(to, link->mark);
	if (has_from)
		to = flow_varint_put(to, number - link->from);
	if (has_to)
		to = flow_varint_put(to, number - link->to);
	*to = (unsigned char)(to - begin);
	block->used += (uint32_t)(to + 1 - begin);
	return true;
}

/* A number that makes no sense is as good as any. */
static uint64_t number_at(const unsigned char **at, const unsigned char *end)
{
	uint64_t n;
	flow_varint_get(at, end, &n);
	return n;
}

bool flow_links_take(struct flow_links *block, struct flow_link *link, uint64_t number)
{
	if (block->used < 2)
		return false;
	uint32_t last = block->used - 1, length = block->bytes[last];
	if (length == 0 || length > last)
		return false;
	const unsigned char *at = block->bytes + last - length, *end = block->bytes + last;
	unsigned flags = *at++;
	*link = (struct flow_link){.from = FLOW_NONE,
	                           .to = FLOW_NONE,
	                           .begins = flags & BEGINS,
	                           .works = flags & WORKS,
	                           .exits = flags & EXITS,
	                           .strand = (uint32_t)number_at(&at, end)};
	link->took = number_at(&at, end);
	link->held = number_at(&at, end);
	link->mark = number_at(&at, end);
	if (flags & FROM)
		link->from = number - number_at(&at, end);
	if (flags & TO)
		link->to = number - number_at(&at, end);
	block->used = last - length;
	return true;
}
