/* SPDX-License-Identifier: MIT */
#include "store/sql.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST (INT64_C(1) << 62) /* larger than any count or time, and small enough to add a few */

void sql_fault(struct sql *sql, const char *why)
{
	if (!sql->bad)
		snprintf(sql->why, sizeof sql->why, "%s", why);
	sql->bad = true;
}

/* SQLite's words for a write that failed do not tell what to do about it. It forgets the number of an error that ended a COMMIT;
 * that is still in errno, which was 0 before. */
static const char *cause(sqlite3 *db)
{
	int last = errno, code = sqlite3_errcode(db) & 0xff, system = code == SQLITE_IOERR ? sqlite3_system_errno(db) : 0;
	system = system || code != SQLITE_IOERR ? system : last;
	if (system == EFBIG)
		return "it would exceed the limit on the size of files; raise the limit with `ulimit -f unlimited`";
	if (system == ENOSPC || system == EDQUOT || code == SQLITE_FULL)
		return "no space is left; free some";
	return system ? strerror(system) : sqlite3_errmsg(db);
}

static void fault(struct sql *sql)
{
	sql_fault(sql, cause(sql->db));
}

void sql_script(struct sql *sql, const char *text)
{
	errno = 0;
	if (!sql->bad && sqlite3_exec(sql->db, text, NULL, NULL, NULL) != SQLITE_OK)
		fault(sql);
}

static void bind_all(struct sql *sql, sqlite3_stmt *statement, const char *kinds, va_list list)
{
	int code = SQLITE_OK;
	for (int i = 1; *kinds && code == SQLITE_OK; kinds++, i++) {
		if (*kinds == 't') {
			code = sqlite3_bind_text(statement, i, va_arg(list, const char *), -1, SQLITE_TRANSIENT);
			continue;
		}
		if (*kinds == 'b') {
			const void *memory = va_arg(list, const void *);
			code = sqlite3_bind_blob64(statement, i, memory, va_arg(list, size_t), SQLITE_TRANSIENT);
			continue;
		}
		if (*kinds == 'r') {
			code = sqlite3_bind_double(statement, i, va_arg(list, double));
			continue;
		}
		int64_t value = va_arg(list, int64_t);
		code = *kinds == 'u' && value == -1 ? sqlite3_bind_null(statement, i) : sqlite3_bind_int64(statement, i, value);
	}
	if (code != SQLITE_OK)
		fault(sql);
}

void sql_do(struct sql *sql, const char *text, const char *kinds, ...)
{
	if (sql->bad)
		return;
	if (sql->last_text != text) {
		sqlite3_finalize(sql->last);
		sql->last = NULL;
		sql->last_text = text;
		if (sqlite3_prepare_v2(sql->db, text, -1, &sql->last, NULL) != SQLITE_OK) {
			fault(sql);
			return;
		}
	}
	va_list list;
	va_start(list, kinds);
	bind_all(sql, sql->last, kinds, list);
	va_end(list);
	errno = 0;
	if (!sql->bad && sqlite3_step(sql->last) != SQLITE_DONE)
		fault(sql);
	sqlite3_reset(sql->last);
}

struct sql_rows sql_ask(struct sql *sql, const char *text, const char *kinds, ...)
{
	struct sql_rows rows = {.sql = sql};
	if (sql->bad)
		return rows;
	if (sqlite3_prepare_v2(sql->db, text, -1, &rows.statement, NULL) != SQLITE_OK) {
		fault(sql);
		return rows;
	}
	va_list list;
	va_start(list, kinds);
	bind_all(sql, rows.statement, kinds, list);
	va_end(list);
	return rows;
}

bool sql_next(struct sql_rows *rows)
{
	int code = rows->sql->bad || !rows->statement ? SQLITE_DONE : sqlite3_step(rows->statement);
	if (code == SQLITE_ROW)
		return true;
	if (code != SQLITE_DONE)
		fault(rows->sql);
	sqlite3_finalize(rows->statement);
	rows->statement = NULL;
	return false;
}

int64_t sql_int(const struct sql_rows *rows, int column)
{
	return sqlite3_column_int64(rows->statement, column);
}

uint64_t sql_count(const struct sql_rows *rows, int column)
{
	int64_t value = sql_int(rows, column);
	bool good = value >= 0 && value < MOST;
	if (!good)
		sql_fault(rows->sql, "a number is out of range");
	return good ? (uint64_t)value : 0;
}

uint32_t sql_index(const struct sql_rows *rows, int column, size_t below)
{
	int64_t value = sql_int(rows, column);
	if (value >= 0 && (uint64_t)value < below)
		return (uint32_t)value;
	sql_fault(rows->sql, "a row refers to a row that does not exist");
	return 0;
}

int64_t sql_measure(const struct sql_rows *rows, int column)
{
	return sql_is_null(rows, column) ? -1 : (int64_t)sql_count(rows, column);
}

double sql_real(const struct sql_rows *rows, int column)
{
	double value = sqlite3_column_double(rows->statement, column);
	bool good = value >= 0 && value < (double)MOST;
	if (!good)
		sql_fault(rows->sql, "a number is out of range");
	return good ? value : 0;
}

bool sql_is_null(const struct sql_rows *rows, int column)
{
	return sqlite3_column_type(rows->statement, column) == SQLITE_NULL;
}

const void *sql_blob(const struct sql_rows *rows, int column, size_t *bytes)
{
	const void *memory = sqlite3_column_blob(rows->statement, column);
	*bytes = memory ? (size_t)sqlite3_column_bytes(rows->statement, column) : 0;
	return memory;
}

const char *sql_text(const struct sql_rows *rows, int column)
{
	const unsigned char *text = sqlite3_column_text(rows->statement, column);
	return text ? (const char *)text : "";
}

void sql_end(struct sql *sql)
{
	sqlite3_finalize(sql->last);
	sql->last = NULL;
	sql->last_text = NULL;
}
