/* SPDX-License-Identifier: MIT */
/* values.h: changes some values in the tables of a SQLite database that lies in memory.
 *
 *     size = values_change(bytes, size, room, seed);         at most `room` bytes; what is not a database stays as it is
 */
#ifndef SKEIN_FUZZ_VALUES_H
#define SKEIN_FUZZ_VALUES_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned draw(unsigned *seed, unsigned limit)
{
	*seed = *seed * 1664525u + 1013904223u;
	return limit ? (*seed >> 8) % limit : 0;
}

/* The text that a query gives first, or ""; the caller frees it with sqlite3_free. */
static char *ask_text(sqlite3 *db, const char *query, unsigned skip)
{
	sqlite3_stmt *rows = NULL;
	char *text = NULL, *whole = sqlite3_mprintf("%s LIMIT 1 OFFSET %u", query, skip);
	if (sqlite3_prepare_v2(db, whole, -1, &rows, NULL) == SQLITE_OK && sqlite3_step(rows) == SQLITE_ROW)
		text = sqlite3_mprintf("%s", (const char *)sqlite3_column_text(rows, 0));
	sqlite3_finalize(rows);
	sqlite3_free(whole);
	return text ? text : sqlite3_mprintf("");
}

static unsigned ask_count(sqlite3 *db, const char *from)
{
	char *query = sqlite3_mprintf("SELECT count(*) FROM %s", from), *text = ask_text(db, query, 0);
	unsigned count = (unsigned)strtoul(text, NULL, 10);
	sqlite3_free(query);
	sqlite3_free(text);
	return count;
}

/* The column of that number of a table, round and round. */
static char *column_of(sqlite3 *db, const char *table, unsigned number)
{
	char *from = sqlite3_mprintf("pragma_table_info('%q')", table), *query = sqlite3_mprintf("SELECT name FROM %s", from);
	unsigned count = ask_count(db, from);
	char *column = ask_text(db, query, count ? number % count : 0);
	sqlite3_free(from);
	sqlite3_free(query);
	return column;
}

/* Values at which arithmetic goes wrong, what stands in another row, or nothing at all. */
static const char *value_for(char *room, size_t bytes, const char *column, unsigned *seed)
{
	static const char *const nasty[] = {"0",
	                                    "1",
	                                    "-1",
	                                    "2",
	                                    "9223372036854775807",
	                                    "-9223372036854775807 - 1",
	                                    "4611686018427387903",
	                                    "4294967295",
	                                    "4294967296",
	                                    "2147483647",
	                                    "-2147483648",
	                                    "1e308",
	                                    "-1e308",
	                                    "9e999",
	                                    "0.5",
	                                    "NULL",
	                                    "''",
	                                    "x'00ff80'",
	                                    "char(8238) || '<&\"=\t' || char(27)",
	                                    "printf('%.5000c', 'x')"};
	unsigned pick = draw(seed, 30);
	if (pick < sizeof nasty / sizeof *nasty)
		return nasty[pick];
	if (pick < 25)
		snprintf(room, bytes, "(%u)", draw(seed, 64));
	else if (pick < 26)
		snprintf(room, bytes, "\"%s\" || \"%s\"", column, column);
	else if (pick < 28)
		snprintf(room, bytes, "\"%s\" + %d", column, (int)draw(seed, 5) - 2);
	else
		snprintf(room, bytes, "-\"%s\" * %u", column, draw(seed, 1000));
	return room;
}

/* Which rows: mostly those that have the same value somewhere as a row that was drawn, else all. Most tables have no rowid. */
static char *rows_of(sqlite3 *db, const char *table, unsigned *seed)
{
	if (draw(seed, 8) == 0)
		return sqlite3_mprintf("");
	unsigned rows = ask_count(db, table), row = draw(seed, rows);
	char *key = column_of(db, table, draw(seed, 1000));
	char *where = sqlite3_mprintf("WHERE \"%w\" IS (SELECT \"%w\" FROM \"%w\" LIMIT 1 OFFSET %u)", key, key, table, row);
	sqlite3_free(key);
	return where;
}

/* Rows get a value in one column, or go. */
static void change(sqlite3 *db, unsigned *seed)
{
	static const char tables[] = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'";
	unsigned table_count = ask_count(db, "sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
	char *table = ask_text(db, tables, draw(seed, table_count)), *column = column_of(db, table, draw(seed, 1000)), room[300];
	const char *value = value_for(room, sizeof room, column, seed);
	char *where = rows_of(db, table, seed);
	char *all = draw(seed, 16) ? sqlite3_mprintf("UPDATE OR IGNORE \"%w\" SET \"%w\" = %s %s", table, column, value, where)
				   : sqlite3_mprintf("DELETE FROM \"%w\" %s", table, where);
	sqlite3_exec(db, all, NULL, NULL, NULL);
	sqlite3_free(all);
	sqlite3_free(where);
	sqlite3_free(column);
	sqlite3_free(table);
}

static inline size_t values_change(unsigned char *bytes, size_t size, size_t room, unsigned seed)
{
	sqlite3 *db = NULL;
	sqlite3_int64 now = 0;
	unsigned char *copy = sqlite3_malloc64(size ? size : 1);
	memcpy(copy, bytes, size);
	if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
	    sqlite3_deserialize(db, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
	                        SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) != SQLITE_OK)
		exit(1);
	sqlite3_exec(db, "PRAGMA ignore_check_constraints = on; PRAGMA foreign_keys = off", NULL, NULL, NULL);
	for (unsigned changes = 1 + draw(&seed, 4); changes > 0; changes--)
		change(db, &seed);
	unsigned char *whole = sqlite3_serialize(db, "main", &now, 0);
	bool fits = whole && now > 0 && (size_t)now <= room;
	if (fits)
		memcpy(bytes, whole, (size_t)now);
	sqlite3_free(whole);
	sqlite3_close(db);
	return fits ? (size_t)now : size;
}

#endif
