/* SPDX-License-Identifier: MIT */
/* scoped.h: names of functions that objects tell about: one that only its object means is another in each.
 *
 *     struct scoped names = {0};
 *     size_t index = scoped_index(&names, "open", 0);      from 0, one for each name; 0: all objects mean the same
 *     size_t other = scoped_index(&names, "open", 3);      a function that only object 3 has
 *     scoped_free(&names); */
#ifndef SKEIN_RELINK_PIECES_SCOPED_H
#define SKEIN_RELINK_PIECES_SCOPED_H

#include "base/map.h"

struct scoped {
	struct scoped_name {
		char *name;
		size_t object;
	} *at;
	size_t count, room;
	struct lookup index;
};

size_t scoped_index(struct scoped *names, const char *name, size_t object);
void scoped_free(struct scoped *names);

#endif
