/* SPDX-License-Identifier: MIT */
/* open.c: opens a recording that may come from anywhere.
 *
 * Nothing in the file may run: no triggers, no views, no functions in its schema. Each table must be declared
 * exactly as in schema.sql, so a generated column, a check or a disguised virtual table is refused before it is
 * read. SQLite's own check of the pages comes first; the code that loads numbers checks what they refer to. The file
 * is opened as immutable: a journal beside it is ignored, and nothing is written beside it. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/file.h"
#include "store/schema.h"
#include "store/store.h"

enum { SQLITE_HEAD = 100, PAGE_BYTES_AT = 16, PAGES_AT = 28, APPLICATION_ID_AT = 68, MOST_TEXT_BYTES = 1 << 20 };

static uint32_t big_endian(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* A missing part of the last page would read as zeros in SQLite. */
static bool is_cut_off(const unsigned char *head, off_t size)
{
	uint64_t page = (uint64_t)head[PAGE_BYTES_AT] << 8 | head[PAGE_BYTES_AT + 1];
	return (uint64_t)size < (page == 1 ? 65536 : page) * big_endian(head + PAGES_AT);
}

/* Tells a recording from any other file before SQLite sees it. */
static int check_head(const char *path, bool whole, struct fail *why)
{
	unsigned char head[SQLITE_HEAD] = {0};
	struct stat is;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return fail_set(why, errno == ENOENT ? FAIL_NOT_FOUND : FAIL_INTERNAL, "cannot open the recording %s: %s", path,
		                strerror(errno));
	bool regular = fstat(fd, &is) == 0 && S_ISREG(is.st_mode);
	ssize_t got = regular ? read(fd, head, sizeof head) : 0;
	close(fd);
	if (!regular)
		return fail_set(why, FAIL_INTERNAL, "%s is not a recording: it is not a regular file", path);
	if (got != SQLITE_HEAD || memcmp(head, "SQLite format 3", 16) != 0 || big_endian(head + APPLICATION_ID_AT) != SCHEMA_APPLICATION_ID)
		return fail_set(why, FAIL_INTERNAL, "%s is not a recording of skein: its header is not that of a recording", path);
	if (whole && is_cut_off(head, is.st_size))
		return fail_set(why, FAIL_INTERNAL, "%s is damaged: its end is missing; record again", path);
	return 0;
}

bool store_is_ours(const char *path)
{
	struct fail why;
	return check_head(path, false, &why) == 0;
}

static char *uri_of(const char *path)
{
	static const char tail[] = "?mode=ro&immutable=1";
	char *uri = memory_resize(NULL, 3 * strlen(path) + sizeof tail + 8, 1), *to = uri;
	to += sprintf(to, "file:");
	if (path[0] == '/')
		to += sprintf(to, "//"); /* an empty host, so that a path with two slashes is not taken for a host */
	for (; *path; path++)
		to += sprintf(to, strchr("%?#", *path) || (unsigned char)*path <= 32 ? "%%%02X" : "%c", (unsigned char)*path);
	strcpy(to, tail);
	return uri;
}

static void make_harmless(sqlite3 *db)
{
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, MOST_TEXT_BYTES);
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
}

static int64_t ask_number(struct sql *sql, const char *text)
{
	int64_t value = 0;
	for (struct sql_rows rows = sql_ask(sql, text, ""); sql_next(&rows);)
		value = sql_int(&rows, 0);
	return value;
}

/* A statement without comments and spaces. The caller frees the result. */
static char *essence(const char *statement)
{
	char *text = memory_resize(NULL, strlen(statement) + 1, 1), *to = text;
	for (; *statement; statement++) {
		if (statement[0] == '-' && statement[1] == '-')
			statement += strcspn(statement, "\n") - 1;
		else if (!strchr(" \t\n", *statement))
			*to++ = *statement;
	}
	*to = 0;
	return text;
}

static bool says_the_same(const char *a, const char *b)
{
	char *x = essence(a), *y = essence(b);
	bool same = strcmp(x, y) == 0;
	free(x);
	free(y);
	return same;
}

/* Checks that every table of the schema exists and is declared as in schema.sql. */
static void check_tables(struct sql *sql)
{
	struct sql ours = {0};
	if (sqlite3_open(":memory:", &ours.db) != SQLITE_OK)
		sql_fault(sql, "SQLite cannot open a database in memory");
	else
		sql_script(&ours, schema_sql);
	for (struct sql_rows rows = sql_ask(&ours, "SELECT name, sql FROM sqlite_schema WHERE type = 'table'", ""); sql_next(&rows);) {
		bool same = false;
		for (struct sql_rows theirs =
		             sql_ask(sql, "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", "t", sql_text(&rows, 0));
		     sql_next(&theirs);)
			same = says_the_same(sql_text(&theirs, 0), sql_text(&rows, 1));
		if (!same)
			sql_fault(sql, "a table is missing or has other columns");
	}
	if (ours.bad)
		sql_fault(sql, ours.why);
	sqlite3_close(ours.db);
}

static void check_pages(struct sql *sql)
{
	for (struct sql_rows rows = sql_ask(sql, "PRAGMA quick_check(1)", ""); sql_next(&rows);)
		if (strcmp(sql_text(&rows, 0), "ok") != 0)
			sql_fault(sql, "its pages are inconsistent");
}

/* A recording holds what its skein measured: what is new in the schema cannot be made up, so older files are not converted. */
static int other_version(const char *path, int64_t version, struct fail *why)
{
	if (version > SCHEMA_VERSION)
		return fail_set(why, FAIL_INTERNAL,
		                "%s was made by a newer skein (its schema has version %lld, this skein reads version %d): update skein",
		                path, (long long)version, SCHEMA_VERSION);
	return fail_set(
		why, FAIL_INTERNAL,
		"%s was made by an older skein (its schema has version %lld, this skein reads version %d): record again with `skein record LENS -- PROGRAM`, or use the skein that made it",
		path, (long long)version, SCHEMA_VERSION);
}

static int check_store(struct store *store, struct fail *why)
{
	struct sql *sql = &store->sql;
	sql_script(sql, "PRAGMA cell_size_check = on; PRAGMA mmap_size = 0");
	int64_t version = ask_number(sql, "PRAGMA user_version");
	if (!sql->bad && version != SCHEMA_VERSION)
		return other_version(store->path, version, why);
	check_tables(sql);
	check_pages(sql);
	if (sql->bad)
		return fail_set(why, FAIL_INTERNAL, "%s is damaged, or was made by another skein (%s): record again", store->path,
		                sql->why);
	return 0;
}

struct store *store_open(const char *path, struct fail *why)
{
	if (check_head(path, true, why) < 0)
		return NULL;
	struct store *store = memory_zeroed(1, sizeof *store);
	store->path = memory_text(path);
	char *uri = uri_of(path);
	int code = sqlite3_open_v2(uri, &store->sql.db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	free(uri);
	if (code != SQLITE_OK) {
		fail_set(why, FAIL_INTERNAL, "cannot open the recording %s: %s", path, sqlite3_errmsg(store->sql.db));
	} else {
		make_harmless(store->sql.db);
		if (check_store(store, why) == 0)
			return store;
	}
	store_close(store);
	return NULL;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	sql_end(&store->sql);
	sqlite3_close(store->sql.db);
	free(store->path);
	free(store);
}

bool store_has_lens(struct store *store, const char *lens)
{
	bool has = false;
	for (struct sql_rows rows = sql_ask(&store->sql, "SELECT 1 FROM run WHERE lens = ? LIMIT 1", "t", lens); sql_next(&rows);)
		has = true;
	return has;
}
