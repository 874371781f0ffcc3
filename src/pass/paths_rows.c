/* SPDX-License-Identifier: MIT */
/* paths_rows.c: which counters of a function have rows in the object's table.
 *
 * A table is made for each thread that is alive at once, and its space is allocated, not sparse. So it has a limit. Functions with few paths always have
 * rows; the others by how often they are called for each row that they take, as long as there is room. What has none is counted through a hash. */
#include "pass/paths.h"

#include <stdlib.h>

enum { FEW = 512, ARRAY_MAX = 1 << 16, ROWS_MAX = 1 << 19 };

static double calls_by_row(const struct paths_routine *r)
{
	return r->passed[r->edges] / (double)r->keys;
}

static int by_use(const void *a, const void *b)
{
	const struct paths_routine *x = *(struct paths_routine *const *)a, *y = *(struct paths_routine *const *)b;
	double u = calls_by_row(x), v = calls_by_row(y);
	if (u != v)
		return u > v ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static void give_rows(struct paths_routine *r, uint64_t *rows)
{
	r->first = (uint32_t)*rows;
	r->array = (uint32_t)r->keys;
	*rows += r->keys;
}

void paths_rows(struct paths_pass *s)
{
	struct paths_routine **many = pass_zeroed(s->count, sizeof *many);
	uint64_t rows = 0;
	size_t n = 0;
	for (size_t i = 0; i < s->count; i++) {
		struct paths_routine *r = &s->routines[i];
		if (r->entry >= 0)
			r->entry = (int64_t)rows++;
		if (r->counts && (r->keys <= FEW || s->edges))
			give_rows(r, &rows);
		else if (r->counts && r->keys <= ARRAY_MAX)
			many[n++] = r;
	}
	qsort(many, n, sizeof *many, by_use);
	for (size_t i = 0; i < n && rows + many[i]->keys <= ROWS_MAX; i++)
		give_rows(many[i], &rows);
	free(many);
	s->p->table_sites = rows;
	s->p->row_words = 1;
}
