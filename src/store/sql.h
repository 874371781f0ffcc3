/* SPDX-License-Identifier: MIT */
/* sql.h: a thin layer over SQLite for the files of this folder.
 *
 * A session of statements carries its first error along: after the first failure all further calls do nothing, and
 * the caller checks once, at the end.
 *
 *     struct sql sql = {.db = db};
 *     sql_do(&sql, "INSERT INTO note VALUES (?, ?, ?)", "iit", run, i, text);
 *     for (struct sql_rows rows = sql_ask(&sql, "SELECT …", "i", run); sql_next(&rows);)
 *             … sql_int(&rows, 0) … sql_text(&rows, 1) …
 *     if (sql.bad) …sql.why…
 *
 * Kinds of parameters: i int64_t; u int64_t where -1 is NULL; r double; t text; b a blob:
 * its memory (const void *) and its bytes (size_t). */
#ifndef SKEIN_STORE_SQL_H
#define SKEIN_STORE_SQL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sql {
	sqlite3 *db;
	bool bad;
	char why[256];
	const char *last_text; /* the statement that sql_do prepared last: rows of one table follow each other */
	sqlite3_stmt *last;
};

struct sql_rows {
	struct sql *sql;
	sqlite3_stmt *statement;
};

void sql_fault(struct sql *sql, const char *why); /* the first fault is kept */
void sql_script(struct sql *sql, const char *text);
void sql_do(struct sql *sql, const char *text, const char *kinds, ...);
struct sql_rows sql_ask(struct sql *sql, const char *text, const char *kinds, ...);
bool sql_next(struct sql_rows *rows); /* false also ends the query */
int64_t sql_int(const struct sql_rows *rows, int column);
uint64_t sql_count(const struct sql_rows *rows, int column);               /* an integer that is not negative, or a fault */
uint32_t sql_index(const struct sql_rows *rows, int column, size_t below); /* an integer below `below`, or a fault and 0 */
int64_t sql_measure(const struct sql_rows *rows, int column);              /* -1 for NULL, never less */
double sql_real(const struct sql_rows *rows, int column);                  /* a number that is not negative, or a fault */
bool sql_is_null(const struct sql_rows *rows, int column);
const void *sql_blob(const struct sql_rows *rows, int column, size_t *bytes); /* valid until the next row; no bytes for NULL */
const char *sql_text(const struct sql_rows *rows, int column);                /* "" for NULL; valid until the next row */
void sql_end(struct sql *sql);

#endif
