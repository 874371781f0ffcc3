/* SPDX-License-Identifier: MIT */
#include "report/html/columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/hash.h"
#include "base/text.h"

/* ---- bytes ---- */

static void put_byte(struct columns *c, unsigned char byte)
{
	MEMORY_GROW(c->bytes, c->count, c->room);
	c->bytes[c->count++] = byte;
}

static void put_bytes(struct columns *c, const void *bytes, size_t count)
{
	while (c->room - c->count < count) {
		c->room = c->room ? 2 * c->room : 4096;
		c->bytes = memory_resize(c->bytes, c->room, 1);
	}
	if (count)
		memcpy(c->bytes + c->count, bytes, count);
	c->count += count;
}

static void put_varint(struct columns *c, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_byte(c, (unsigned char)(value | 0x80));
	put_byte(c, (unsigned char)value);
}

static uint64_t folded(int64_t value)
{
	return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

/* Differences wrap around, as the reader's sums do not: a number beyond 2^53 is no number to the page. */
enum { PAGE_BITS = 53 };
static bool is_exact(int64_t value)
{
	return value < INT64_C(1) << PAGE_BITS && value > -(INT64_C(1) << PAGE_BITS);
}

void columns_blob(struct columns *c, const void *bytes, size_t count, FILE *head)
{
	fprintf(head, "{\"at\": %zu, \"bytes\": %zu}", c->count, count);
	put_bytes(c, bytes, count);
}

/* ---- texts ---- */

static bool is_text(const void *array, size_t number, const void *what)
{
	char *const *texts = array;
	return strcmp(texts[number], what) == 0;
}

static uint64_t number_of(struct columns *c, const char *text)
{
	struct pool pool = {0};
	if (!*text)
		return 0;
	const char *plain = escape_plain(&pool, text);
	size_t *place = lookup_at(&c->index, hash_text(HASH_START, plain), is_text, c->texts, plain);
	if (!*place) {
		MEMORY_GROW(c->texts, c->text_count, c->text_room);
		c->texts[c->text_count++] = pool_text(&c->pool, plain);
		*place = c->text_count;
	}
	uint64_t number = *place;
	pool_free(&pool);
	return number;
}

void columns_texts(struct columns *c, FILE *head)
{
	size_t at = c->count;
	for (size_t i = 0; i < c->text_count; i++) {
		put_bytes(c, c->texts[i], strlen(c->texts[i]));
		put_byte(c, '\n');
	}
	fprintf(head, "{\"at\": %zu, \"bytes\": %zu, \"count\": %zu}", at, c->count - at, c->text_count);
}

/* ---- columns ---- */

/* As CSV has it. */
static bool is_real(const struct column *column, const struct cell *cell)
{
	return column->unit == UNIT_PERCENT || column->unit == UNIT_RATIO || cell->kind == CELL_REAL;
}

/* Of a real that has few enough digits. */
static int64_t ten_thousandths(double real)
{
	char text[64];
	snprintf(text, sizeof text, "%.4f", real);
	char *point = strchr(text, '.');
	memmove(point, point + 1, strlen(point));
	return strtoll(text, NULL, 10);
}

static char code_of(const struct sheet *s, size_t column)
{
	const struct column *is = &s->columns[column];
	bool texts = false, numbers = false, reals = false, large = false;
	for (size_t r = 0; r < s->row_count; r++) {
		const struct cell *cell = sheet_cell(s, r, column);
		if (cell->kind == CELL_EMPTY)
			continue;
		if (cell->kind == CELL_TEXT) {
			texts = true;
		} else if (is_real(is, cell)) {
			reals = true;
			large |= !(fabs(sheet_value(cell)) < 0x1p53 / 10000);
		} else {
			numbers = true;
			texts |= !is_exact(cell->number);
		}
	}
	if (texts || (numbers && reals))
		return 't';
	return !reals ? 'n' : large ? 'f' : 'd';
}

static void put_text(struct columns *c, const struct column *is, const struct cell *cell)
{
	char text[400];
	if (cell->kind == CELL_TEXT || cell->kind == CELL_EMPTY) {
		put_varint(c, number_of(c, cell->kind == CELL_TEXT ? cell->text : ""));
		return;
	}
	if (is_real(is, cell))
		snprintf(text, sizeof text, "%.4f", sheet_value(cell));
	else
		snprintf(text, sizeof text, "%" PRId64, cell->number);
	put_varint(c, number_of(c, text));
}

static void put_number(struct columns *c, int64_t value, int64_t *last)
{
	put_varint(c, folded(value - *last) + 1);
	*last = value;
}

static void put_cell(struct columns *c, const struct column *is, const struct cell *cell, char code, int64_t *last)
{
	double real = cell->kind == CELL_EMPTY ? NAN : sheet_value(cell);
	if (code == 't')
		put_text(c, is, cell);
	else if (code == 'f')
		put_bytes(c, &real, sizeof real);
	else if (cell->kind == CELL_EMPTY)
		put_varint(c, 0);
	else
		put_number(c, code == 'd' ? ten_thousandths(real) : cell->number, last);
}

/* ---- columns that are alike ---- */

struct alike {
	const struct columns *columns;
	size_t at, count;
};

static bool is_alike(const void *parts, size_t number, const void *what)
{
	const struct columns_part *part = (const struct columns_part *)parts + number;
	const struct alike *a = what;
	return part->count == a->count && memcmp(a->columns->bytes + part->at, a->columns->bytes + a->at, a->count) == 0;
}

static uint64_t hash_bytes(const unsigned char *bytes, size_t count)
{
	uint64_t hash = hash_number(HASH_START, count), word = 0;
	for (; count >= sizeof word; bytes += sizeof word, count -= sizeof word) {
		memcpy(&word, bytes, sizeof word);
		hash = hash_number(hash, word);
	}
	for (word = 0; count; count--)
		word = word << 8 | *bytes++;
	return hash_number(hash, word);
}

/* The column that lies from `at` on is added, or taken away again if there is one like it. */
static void put_place(struct columns *c, size_t at, FILE *head)
{
	struct alike new = {c, at, c->count - at};
	size_t *place = lookup_at(&c->by_bytes, hash_bytes(c->bytes + at, new.count), is_alike, c->parts, &new);
	if (*place) {
		c->count = at;
	} else {
		MEMORY_GROW(c->parts, c->part_count, c->part_room);
		c->parts[c->part_count++] = (struct columns_part){at, new.count};
		*place = c->part_count;
	}
	fprintf(head, "\"at\": %zu, \"bytes\": %zu", c->parts[*place - 1].at, new.count);
}

static void put_column(struct columns *c, const struct sheet *s, size_t column, FILE *head)
{
	static const char *const units[] = {
		[UNIT_NAME] = "name", [UNIT_CONTEXT] = "context", [UNIT_CODE] = "code",       [UNIT_LIST] = "list",
		[UNIT_TEXT] = "text", [UNIT_ID] = "id",           [UNIT_COUNT] = "count",     [UNIT_NS] = "ns",
		[UNIT_BAR] = "bar",   [UNIT_RATIO] = "ratio",     [UNIT_PERCENT] = "percent", [UNIT_FIGURE] = "figure",
	};
	const struct column *is = &s->columns[column];
	size_t at = c->count;
	int64_t last = 0;
	char code = code_of(s, column);
	for (size_t r = 0; r < s->row_count; r++)
		put_cell(c, is, sheet_cell(s, r, column), code, &last);
	fputs("{\"name\": ", head);
	escape_json(head, is->name);
	fprintf(head, ", \"unit\": \"%s\", \"code\": \"%c\", ", units[is->unit], code);
	put_place(c, at, head);
	if (is->title) {
		fputs(", \"title\": ", head);
		escape_json(head, is->title);
	}
	if (is->meaning) {
		fputs(", \"meaning\": ", head);
		escape_json(head, is->meaning);
	}
	fputc('}', head);
}

static void put_depths(struct columns *c, const struct sheet *s, FILE *head)
{
	size_t at = c->count;
	int64_t last = 0;
	for (size_t r = 0; r < s->row_count; r++)
		put_number(c, s->rows[r].depth, &last);
	fputs(", \"depths\": {\"code\": \"n\", ", head);
	put_place(c, at, head);
	fputc('}', head);
}

void columns_sheet(struct columns *c, const struct sheet *s, FILE *head)
{
	const char *comma = "";
	fprintf(head, "{\"rows\": %zu, \"columns\": [", s->row_count);
	for (size_t i = 0; i < s->column_count; i++)
		if (s->columns[i].name) {
			fputs(comma, head);
			put_column(c, s, i, head);
			comma = ", ";
		}
	fputc(']', head);
	if (s->is_tree)
		put_depths(c, s, head);
	fputc('}', head);
}

void columns_free(struct columns *c)
{
	free(c->bytes);
	free(c->texts);
	free(c->parts);
	lookup_free(&c->index);
	lookup_free(&c->by_bytes);
	pool_free(&c->pool);
	memset(c, 0, sizeof *c);
}
