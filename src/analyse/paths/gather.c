/* SPDX-License-Identifier: MIT */
#include "analyse/paths/gather.h"

#include <stdlib.h>
#include <string.h>

#include "pass/shape.h"

#define COMPARE(x, y)                              \
	do {                                       \
		if ((x) != (y))                    \
			return (x) < (y) ? -1 : 1; \
	} while (0)

/* ---- rows ---- */

static void take_counts(struct gather *g, const struct raw_table *table)
{
	size_t rows;
	const uint64_t *row = raw_table_rows(table, &rows);
	if (rows > g->count_count) {
		g->counts = memory_resize(g->counts, rows, sizeof *g->counts);
		memset(g->counts + g->count_count, 0, (rows - g->count_count) * sizeof *g->counts);
		g->count_count = rows;
	}
	for (size_t i = 0; i < rows; i++)
		g->counts[i] += row[i];
}

static void add_key(struct gather *g, struct gather_key key)
{
	if (!key.value)
		return;
	MEMORY_GROW(g->keys, g->key_count, g->key_room);
	g->keys[g->key_count++] = key;
}

static void take_keys(struct gather *g, const struct raw_table *table, struct gather_stream stream)
{
	size_t rows;
	const struct raw_paths_key *row = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++)
		if (row[i].kind <= RAW_PATHS_PREFIX)
			add_key(g, (struct gather_key){row[i].routine, row[i].kind, stream, row[i].key, row[i].value});
}

static void take_own(struct gather *g, const struct raw_table *table, struct gather_stream stream)
{
	enum { HEAD = 2 };
	size_t rows;
	const uint64_t *row = raw_table_rows(table, &rows);
	uint64_t size = rows > HEAD ? row[1] : 0;
	if (size > rows - HEAD || (row[0] & ~(uint64_t)UINT32_MAX))
		return;
	for (uint64_t i = 0; i < size; i++)
		add_key(g, (struct gather_key){(uint32_t)row[0], RAW_PATHS_COUNT, stream, i, row[HEAD + i]});
	for (uint64_t i = 0; size <= (rows - HEAD) / 2 && i < size; i++)
		add_key(g, (struct gather_key){(uint32_t)row[0], RAW_PATHS_PREFIX, stream, i, row[HEAD + size + i]});
}

static void take_stops(struct gather *g, const struct raw_table *table, struct gather_stream stream)
{
	size_t rows;
	const struct raw_paths_stop *row = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		if (!row[i].count)
			continue;
		MEMORY_GROW(g->stops, g->stop_count, g->stop_room);
		g->stops[g->stop_count++] = (struct gather_stop){row[i].routine, row[i].block, stream, row[i].reg, row[i].count};
	}
}

/* Takes the frames that were in a call when the process ended; the table has those of all objects. */
static void take_open(struct gather *g, const struct raw_table *table, uint32_t process, const struct session_range *range,
                      uint32_t routines)
{
	size_t rows;
	const struct raw_paths_open *row = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		if (!row[i].routine || row[i].routine == RAW_PATHS_LINK || row[i].block == RAW_PATHS_NO_CALL ||
		    row[i].routine - range->first_routine >= routines)
			continue;
		MEMORY_GROW(g->stops, g->stop_count, g->stop_room);
		g->stops[g->stop_count++] = (struct gather_stop){
			row[i].routine - range->first_routine, row[i].block, {process, table->lane, range->number}, row[i].reg, 1};
	}
}

/* ---- order ---- */

int gather_stream_order(const struct gather_stream *a, const struct gather_stream *b)
{
	COMPARE(a->process, b->process);
	COMPARE(a->lane, b->lane);
	COMPARE(a->object, b->object);
	return 0;
}

static int key_order(const void *a, const void *b)
{
	const struct gather_key *x = a, *y = b;
	COMPARE(x->routine, y->routine);
	int streams = gather_stream_order(&x->stream, &y->stream);
	if (streams)
		return streams;
	COMPARE(x->kind, y->kind);
	if (x->kind == RAW_PATHS_PREFIX)
		COMPARE(x->value, y->value);
	COMPARE(x->key, y->key);
	return 0;
}

static int stop_order(const void *a, const void *b)
{
	const struct gather_stop *x = a, *y = b;
	COMPARE(x->routine, y->routine);
	int streams = gather_stream_order(&x->stream, &y->stream);
	if (streams)
		return streams;
	COMPARE(x->block, y->block);
	COMPARE(x->reg, y->reg);
	return 0;
}

static void put_in_order(struct gather *g)
{
	size_t kept = 0;
	if (g->key_count)
		qsort(g->keys, g->key_count, sizeof *g->keys, key_order);
	for (size_t i = 0; i < g->key_count; i++) {
		if (kept && key_order(&g->keys[kept - 1], &g->keys[i]) == 0)
			g->keys[kept - 1].value += g->keys[i].kind == RAW_PATHS_COUNT ? g->keys[i].value : 0;
		else
			g->keys[kept++] = g->keys[i];
	}
	g->key_count = kept;
	kept = 0;
	if (g->stop_count)
		qsort(g->stops, g->stop_count, sizeof *g->stops, stop_order);
	for (size_t i = 0; i < g->stop_count; i++) {
		if (kept && stop_order(&g->stops[kept - 1], &g->stops[i]) == 0)
			g->stops[kept - 1].count += g->stops[i].count;
		else
			g->stops[kept++] = g->stops[i];
	}
	g->stop_count = kept;
}

/* ---- an object ---- */

static bool is_of(const struct session_process *p, uint32_t object, size_t table)
{
	for (size_t i = 0; i < p->range_count; i++)
		if (p->ranges[i].number == object)
			return p->ranges[i].table == table;
	return false;
}

/* An object that was loaded twice in a row has two ranges with the same numbers. */
static void take_open_of(struct gather *g, const struct session *s, uint32_t process, const struct raw_table *t, size_t table)
{
	const struct session_process *p = &s->processes[process];
	for (size_t i = 0; i < p->range_count; i++) {
		bool seen = p->ranges[i].table != table;
		for (size_t k = 0; k < i; k++)
			seen |= p->ranges[k].number == p->ranges[i].number;
		if (!seen)
			take_open(g, t, process, &p->ranges[i], (uint32_t)s->tables[table].table.routine_count);
	}
}

static void take_process(struct gather *g, const struct session *s, uint32_t process, size_t table)
{
	const struct session_process *p = &s->processes[process];
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct raw_table *t = (const void *)r;
		if (r->type == RAW_TABLE && t->kind == RAW_PATHS_OPEN)
			take_open_of(g, s, process, t, table);
		if (r->type != RAW_TABLE || !is_of(p, t->object, table))
			continue;
		struct gather_stream stream = {process, t->lane, t->object};
		if (t->kind == RAW_PATHS_COUNTS)
			take_counts(g, t);
		else if (t->kind == RAW_PATHS_KEYS)
			take_keys(g, t, stream);
		else if (t->kind == RAW_PATHS_OWN)
			take_own(g, t, stream);
		else if (t->kind == RAW_PATHS_STOPS)
			take_stops(g, t, stream);
	}
}

int gather_object(struct gather *g, const struct session *session, size_t table, struct fail *why)
{
	const struct session_table *t = &session->tables[table];
	const char *slash = strrchr(t->path, '/');
	char path[4096];
	memset(g, 0, sizeof *g);
	if (snprintf(path, sizeof path, "%.*s" SHAPE_FILE, slash ? (int)(slash + 1 - t->path) : 0, t->path) >= (int)sizeof path)
		return fail_set(why, FAIL_INTERNAL, "the path of a table is too long: %.200s…", t->path);
	if (shape_read(&g->shape, path, why) < 0)
		return -1;
	for (size_t i = 0; i < g->shape.function_count; i++)
		if (g->shape.functions[i].routine >= t->table.routine_count) {
			shape_free(&g->shape);
			return fail_set(why, FAIL_INTERNAL,
			                "%s does not match the table beside it: empty the re-link cache (~/.cache/skein) and record again",
			                path);
		}
	for (uint32_t i = 0; i < session->process_count; i++)
		take_process(g, session, i, table);
	put_in_order(g);
	return 0;
}

void gather_free(struct gather *g)
{
	shape_free(&g->shape);
	free(g->counts);
	free(g->keys);
	free(g->stops);
	memset(g, 0, sizeof *g);
}

/* ---- questions ---- */

uint64_t gather_count(const struct gather *g, uint64_t row)
{
	return row < g->count_count ? g->counts[row] : 0;
}

/* The first key whose routine is not below this one. */
static size_t first_key(const struct gather *g, uint64_t routine)
{
	size_t low = 0, high = g->key_count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (g->keys[middle].routine < routine)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct gather_key *gather_keys(const struct gather *g, uint32_t routine, size_t *count)
{
	size_t first = first_key(g, routine);
	*count = first_key(g, (uint64_t)routine + 1) - first;
	return g->keys + first;
}

const struct gather_stop *gather_stops(const struct gather *g, uint32_t routine, size_t *count)
{
	size_t low = 0, high;
	while (low < g->stop_count && g->stops[low].routine < routine)
		low++;
	for (high = low; high < g->stop_count && g->stops[high].routine == routine;)
		high++;
	*count = high - low;
	return g->stops + low;
}

const struct gather_key *gather_prefix(const struct gather_key *keys, size_t count, const struct gather_stream *stream, uint64_t place)
{
	struct gather_key wanted = {.routine = count ? keys->routine : 0, .kind = RAW_PATHS_PREFIX, .stream = *stream, .value = place};
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (key_order(&keys[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	const struct gather_key *found = low < count ? &keys[low] : NULL;
	return found && found->kind == RAW_PATHS_PREFIX && found->value == place && gather_stream_order(&found->stream, stream) == 0 ? found
																     : NULL;
}
