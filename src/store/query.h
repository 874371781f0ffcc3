/* SPDX-License-Identifier: MIT */
/* query.h: a query that a user writes, asked of an open recording.
 *
 *     struct store_query *q = store_query(store, "SELECT routine, work_ns FROM v_contexts", &why);        NULL: why is filled
 *     while ((more = store_query_next(q, &why)) > 0)
 *             … store_query_value(q, 0).number …
 *     store_query_end(q);
 *
 * The views of query_views.c stay the same when the schema changes. They are made in memory, for this query: nothing is written to the
 * recording, which is open for reading only. A query is one statement that reads; it may call no function that loads code, and it gets at
 * most 1 GiB of memory. */
#ifndef SKEIN_STORE_QUERY_H
#define SKEIN_STORE_QUERY_H

#include <stddef.h>
#include "store/store.h"

struct store_query;

struct store_value {
	enum { STORE_NULL, STORE_NUMBER, STORE_REAL, STORE_TEXT, STORE_BYTES } kind;
	int64_t number; /* of STORE_BYTES: how many */
	double real;
	const char *text; /* valid until the next row */
};

/* `text` NULL: the list of the views, with their columns. */
struct store_query *store_query(struct store *store, const char *text, struct fail *why);
int store_query_next(struct store_query *q, struct fail *why); /* 1: there is a row, 0: no more, -1 */
size_t store_query_columns(const struct store_query *q);
const char *store_query_name(const struct store_query *q, size_t column);
struct store_value store_query_value(const struct store_query *q, size_t column);
void store_query_end(struct store_query *q);

/* The views, for query.c; ended by one without a name. */
extern const struct store_view {
	const char *name, *meaning, *select;
} store_views[];

#endif
