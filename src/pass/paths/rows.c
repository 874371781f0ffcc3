/* SPDX-License-Identifier: MIT */
/* rows.c: which counters of a function have rows in the object's table.
 *
 * That table is made for each thread that is alive at once, and its space is allocated, not sparse. So only functions
 * with few paths have their counters there. The others get a table of their own when they are first called, which a row
 * of the object's leads to. */
#include "pass/paths/paths.h"

enum { FEW = 512 };

void paths_rows(struct paths_pass *s)
{
	uint64_t rows = 0;
	for (size_t i = 0; i < s->count; i++) {
		struct paths_routine *r = &s->routines[i];
		bool few = s->edges || (r->keys <= FEW && !r->graph.cuts);
		r->own = r->counts && !few ? (int64_t)rows++ : -1;
		if (r->entry >= 0)
			r->entry = (int64_t)rows++;
		if (!r->counts || !few)
			continue;
		r->first = (uint32_t)rows;
		r->array = (uint32_t)r->keys;
		rows += r->keys;
	}
	s->p->table_sites = rows;
}
