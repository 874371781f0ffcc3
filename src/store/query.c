/* SPDX-License-Identifier: MIT */
#include "store/query.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "store/file.h"

#define MOST_MEMORY (INT64_C(1) << 30)

struct store_query {
	sqlite3_stmt *statement;
};

/* Views of ours lie in the database in memory that each connection has, and so does the list of them. */
static void make_views(struct sql *sql)
{
	struct pool pool = {0};
	const char *list = "";
	sql_script(sql, "PRAGMA temp_store = memory");
	for (const struct store_view *view = store_views; view->name; view++) {
		const char *columns = "";
		sql_script(sql, pool_print(&pool, "CREATE TEMP VIEW %s AS %s", view->name, view->select));
		for (struct sql_rows rows = sql_ask(sql, "SELECT group_concat(name, ' ') FROM pragma_table_info(?)", "t", view->name);
		     sql_next(&rows);)
			columns = pool_text(&pool, sql_text(&rows, 0));
		list = pool_print(&pool, "%s%sSELECT '%s' AS view, '%s' AS meaning, '%s' AS columns", list, *list ? " UNION ALL " : "",
		                  view->name, view->meaning, columns);
	}
	sql_script(sql, pool_print(&pool, "CREATE TEMP VIEW v_views AS %s", list));
	pool_free(&pool);
}

static int may(void *unused, int action, const char *a, const char *name, const char *database, const char *trigger)
{
	(void)unused, (void)a, (void)database, (void)trigger;
	if (action == SQLITE_FUNCTION)
		return strcasecmp(name, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
	return action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE ? SQLITE_OK : SQLITE_DENY;
}

/* What may be wrong before a query runs and while it does. */
static int refuse(int code, struct fail *why)
{
	if (code == SQLITE_AUTH)
		return fail_set(why, FAIL_USAGE, "the query may only read: write a SELECT");
	if (code == SQLITE_NOMEM)
		return fail_set(why, FAIL_INTERNAL, "the query needs more than 1 GiB of memory: ask for less, with WHERE or LIMIT");
	return 0;
}

static int refuse_text(struct store *store, int code, struct fail *why)
{
	if (refuse(code, why) < 0)
		return -1;
	if (code == SQLITE_CORRUPT || code == SQLITE_IOERR || code == SQLITE_NOTADB)
		return fail_set(why, FAIL_INTERNAL, "%s is damaged (%s): record again", store->path, sqlite3_errmsg(store->sql.db));
	return fail_set(why, FAIL_USAGE, "the query failed: %.500s (without a query, skein sql lists the views)",
	                sqlite3_errmsg(store->sql.db));
}

/* Whether nothing is there but blanks, semicolons and comments: SQLite compiles these to no statement. */
static bool is_nothing(sqlite3 *db, const char *text)
{
	sqlite3_stmt *more = NULL;
	while (*text) {
		const char *tail = text;
		bool is_bad = sqlite3_prepare_v2(db, text, -1, &more, &tail) != SQLITE_OK || more;
		sqlite3_finalize(more);
		if (is_bad || tail == text)
			return false;
		text = tail;
	}
	return true;
}

struct store_query *store_query(struct store *store, const char *text, struct fail *why)
{
	sqlite3 *db = store->sql.db;
	const char *tail = "";
	make_views(&store->sql);
	if (store->sql.bad) {
		fail_set(why, FAIL_INTERNAL, "cannot make the views of %s: %s", store->path, store->sql.why);
		return NULL;
	}
	sqlite3_set_authorizer(db, may, NULL);
	sqlite3_hard_heap_limit64(MOST_MEMORY);
	struct store_query *q = memory_zeroed(1, sizeof *q);
	int code = sqlite3_prepare_v2(db, text ? text : "SELECT * FROM v_views", -1, &q->statement, &tail);
	if (code == SQLITE_OK && !q->statement)
		fail_set(why, FAIL_USAGE, "the query is empty: without one, skein sql lists the views");
	else if (code == SQLITE_OK && !is_nothing(db, tail))
		fail_set(why, FAIL_USAGE, "a query is one statement: run skein sql once for each");
	else if (code == SQLITE_OK)
		return q;
	else
		refuse_text(store, code, why);
	store_query_end(q);
	return NULL;
}

int store_query_next(struct store_query *q, struct fail *why)
{
	int code = sqlite3_step(q->statement);
	if (code == SQLITE_ROW || code == SQLITE_DONE)
		return code == SQLITE_ROW;
	if (refuse(code, why) < 0)
		return -1;
	return fail_set(why, FAIL_INTERNAL, "the query failed: %.500s", sqlite3_errmsg(sqlite3_db_handle(q->statement)));
}

size_t store_query_columns(const struct store_query *q)
{
	return (size_t)sqlite3_column_count(q->statement);
}

const char *store_query_name(const struct store_query *q, size_t column)
{
	const char *name = sqlite3_column_name(q->statement, (int)column);
	return name ? name : "";
}

struct store_value store_query_value(const struct store_query *q, size_t column)
{
	int at = (int)column;
	const char *text;
	switch (sqlite3_column_type(q->statement, at)) {
	case SQLITE_INTEGER: return (struct store_value){.kind = STORE_NUMBER, .number = sqlite3_column_int64(q->statement, at)};
	case SQLITE_FLOAT: return (struct store_value){.kind = STORE_REAL, .real = sqlite3_column_double(q->statement, at)};
	case SQLITE_BLOB: return (struct store_value){.kind = STORE_BYTES, .number = sqlite3_column_bytes(q->statement, at)};
	case SQLITE_TEXT:
		text = (const char *)sqlite3_column_text(q->statement, at);
		return (struct store_value){.kind = STORE_TEXT, .text = text ? text : ""};
	default: return (struct store_value){.kind = STORE_NULL};
	}
}

void store_query_end(struct store_query *q)
{
	sqlite3_finalize(q->statement);
	free(q);
}
