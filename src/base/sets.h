/* SPDX-License-Identifier: MIT */
/* sets.h: sets of numbers, of which equal ones are kept once and have one number themselves.
 *
 *     struct sets sets = {0};
 *     uint32_t few = sets_with(&sets, 0, 12);        the empty set, 0, and one member more
 *     few = sets_with(&sets, few, 7);
 *     const uint32_t *members;
 *     size_t count = sets_members(&sets, few, &members);      in rising order; valid until the next call of sets_with
 *     sets_free(&sets);
 *
 * A set has at most SETS_MEMBERS members, and all of them together SETS_ALL: what is beyond is not added. */
#ifndef SKEIN_SETS_H
#define SKEIN_SETS_H

#include <stddef.h>
#include <stdint.h>
#include "base/map.h"

enum { SETS_MEMBERS = 512, SETS_ALL = 1 << 24 };

struct sets_one {
	size_t first, count;
};

struct sets {
	struct sets_one *all; /* from number 1 on */
	size_t count, room;
	uint32_t *members;
	size_t member_count, member_room;
	struct lookup by_members;
	struct map larger; /* by a set and a number: the set with it, + 1 */
};

uint32_t sets_with(struct sets *sets, uint32_t set, uint32_t member);
size_t sets_members(const struct sets *sets, uint32_t set, const uint32_t **members);
void sets_free(struct sets *sets);

#endif
