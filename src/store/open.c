/* SPDX-License-Identifier: MIT */
/* open.c: opens a recording that may come from anywhere.
 *
 * Nothing in the file may run: no triggers, no views, no functions in its schema. The file must have the objects of
 * schema.sql, declared exactly so, and no others: a generated column, a check, a disguised virtual table or an index on an
 * expression is refused before it is read, and so before a run is added to it. SQLite's own check of the pages comes first; the code that loads numbers checks what they refer to. The file
 * is opened as immutable: a journal beside it is ignored, and nothing is written beside it. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/file.h"
#include "store/schema.h"
#include "store/statement.h"
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

void store_disarm(sqlite3 *db)
{
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
}

static void make_harmless(sqlite3 *db)
{
	store_disarm(db);
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

/* How many objects of that kind, name and table there are, and whether all are declared by this statement. */
static size_t count_alike(struct sql *sql, const struct sql_rows *object, bool *same)
{
	size_t count = 0;
	*same = true;
	for (struct sql_rows rows = sql_ask(sql, "SELECT sql FROM sqlite_schema WHERE type = ? AND name = ? AND tbl_name = ?", "ttt",
	                                    sql_text(object, 0), sql_text(object, 1), sql_text(object, 2));
	     sql_next(&rows);) {
		*same = *same && statement_is_same(sql_text(&rows, 0), sql_text(object, 3));
		count++;
	}
	return count;
}

static const char every_object[] = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema";

/* Whether each object of the schema is there once, as schema.sql declares it. */
static bool has_all(struct sql *sql, struct sql *ours)
{
	bool all = true, same;
	for (struct sql_rows rows = sql_ask(ours, every_object, ""); sql_next(&rows);)
		all = count_alike(sql, &rows, &same) == 1 && same && all;
	return all;
}

/* A trigger, a view, an index or a table that schema.sql does not have, or "". Nothing of skein makes one, and some run code. */
static const char *find_stranger(struct pool *pool, struct sql *sql, struct sql *ours)
{
	const char *stranger = "";
	bool same;
	for (struct sql_rows rows = sql_ask(sql, every_object, ""); sql_next(&rows);)
		if (count_alike(ours, &rows, &same) == 0)
			stranger = pool_print(pool, "%.20s %.100s", sql_text(&rows, 0), sql_text(&rows, 1));
	return stranger;
}

/* Nearly every file has the statements of schema.sql, letter by letter and in their order: who opens thousands of files parses ours
 * once. NULL: not done yet. */
static char *usual;

/* All of a schema, in the order of its making; the caller frees. */
static char *schema_text(struct sql *sql)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *file = mem_or_die(open_memstream(&text, &bytes));
	for (struct sql_rows rows = sql_ask(sql, every_object, ""); sql_next(&rows);)
		for (int column = 0; column < 4; column++)
			fprintf(file, "%zu %s\n", strlen(sql_text(&rows, column)), sql_text(&rows, column));
	fclose(file); /* in memory */
	return mem_or_die(text);
}

static bool is_usual(struct sql *sql)
{
	char *text = usual ? schema_text(sql) : NULL;
	bool same = text && strcmp(text, usual) == 0;
	free(text);
	return same;
}

static int check_schema(struct store *store, struct fail *why)
{
	struct sql *sql = &store->sql, ours = {0};
	if (is_usual(sql))
		return 0;
	struct pool pool = {0};
	if (sqlite3_open(":memory:", &ours.db) != SQLITE_OK)
		sql_fault(sql, "SQLite cannot open a database in memory");
	else
		sql_script(&ours, schema_sql);
	bool complete = has_all(sql, &ours);
	const char *stranger = find_stranger(&pool, sql, &ours);
	if (!usual && !ours.bad)
		usual = schema_text(&ours);
	if (ours.bad)
		sql_fault(sql, ours.why);
	sqlite3_close(ours.db);
	if (!complete)
		sql_fault(sql, "a table is missing or has other columns");
	int failed = 0;
	if (!sql->bad && *stranger)
		failed = fail_because(
			why, FAIL_STRANGE_SCHEMA, FAIL_INTERNAL,
			"%s holds the %s, which skein did not make: remove it from the file, or move the file away and record again",
			store->path, stranger);
	pool_free(&pool);
	return failed;
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
	if (check_schema(store, why) < 0)
		return -1;
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

const char *store_path(const struct store *store)
{
	return store->path;
}

bool store_has_lens(struct store *store, const char *lens)
{
	bool has = false;
	for (struct sql_rows rows = sql_ask(&store->sql, "SELECT 1 FROM run WHERE lens = ? LIMIT 1", "t", lens); sql_next(&rows);)
		has = true;
	return has;
}
