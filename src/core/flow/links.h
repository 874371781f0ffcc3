/* SPDX-License-Identifier: MIT */
/* links.h: what the pass forward leaves for the pass backward (slack.h), as bytes that are read from their end.
 *
 * Links are put into a block one after another and taken out of it last first. Each is a few varints and, behind them, one byte with
 * their length: about ten bytes. Numbers of events are differences from the link's own.
 *
 *     struct flow_links block = {.bytes = memory, .room = room};
 *     if (!flow_links_put(&block, &link, number)) …              the block is full: the next one takes it
 *     …
 *     while (flow_links_take(&block, &link, number)) …           number: of the event; the caller counts them, too
 *
 * A block that another program has changed gives links that make no sense, and nothing outside of it is read. */
#ifndef SKEIN_CORE_FLOW_LINKS_H
#define SKEIN_CORE_FLOW_LINKS_H

#include "core/flow/flow.h"

enum { FLOW_LINK_BYTES = 1 + 6 * 10 + 1 };

struct flow_links {
	unsigned char *bytes;
	uint32_t used, room;
};

bool flow_links_put(struct flow_links *block, const struct flow_link *link, uint64_t number);
bool flow_links_take(struct flow_links *block, struct flow_link *link, uint64_t number); /* false: there is no other */

#endif
