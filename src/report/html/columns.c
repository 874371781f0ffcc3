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

/* To the page, numbers beyond 2^53 are not exact. A difference of two may be twice as large as they are, and is folded. */
enum { PAGE_BITS = 51 };
static bool is_exact(int64_t value)
{
	return value < INT64_C(1) << PAGE_BITS && value > -(INT64_C(1) << PAGE_BITS);
}

void columns_say(FILE *head, const char *text)
{
	struct pool pool = {0};
	escape_json(head, escape_plain(&pool, text));
	pool_free(&pool);
}

void columns_blob(struct columns *c, const void *bytes, size_t count, FILE *head)
{
	fprintf(head, "{\"at\": %zu, \"bytes\": %zu}", c->count, count);
	put_bytes(c, bytes, count);
}

/* ---- texts ---- */

static bool is_text(const void *array, size_t number, const void *what)
{
	const struct columns_text *texts = array;
	return strcmp(texts[number].raw, what) == 0;
}

/* What is shown is mostly what was given, and then kept once. */
static struct columns_text text_of(struct columns *c, const char *raw)
{
	struct pool pool = {0};
	const char *plain = escape_plain(&pool, raw);
	struct columns_text text = {.raw = pool_text(&c->pool, raw)};
	text.plain = strcmp(plain, raw) == 0 ? text.raw : pool_text(&c->pool, plain);
	pool_free(&pool);
	return text;
}

static uint64_t number_of(struct columns *c, const char *raw)
{
	if (!*raw)
		return 0;
	size_t *place = lookup_at(&c->index, hash_text(HASH_START, raw), is_text, c->texts, raw);
	if (!*place) {
		MEMORY_GROW(c->texts, c->text_count, c->text_room);
		c->texts[c->text_count++] = text_of(c, raw);
		*place = c->text_count;
	}
	return *place;
}

void columns_texts(struct columns *c, FILE *head)
{
	size_t at = c->count;
	for (size_t i = 0; i < c->text_count; i++) {
		put_bytes(c, c->texts[i].plain, strlen(c->texts[i].plain));
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

static bool is_small_real(double real)
{
	char text[400];
	snprintf(text, sizeof text, "%.4f", real);
	return fabs(real) < 0x1p51 / 10000 && strcmp(text, "-0.0000") != 0;
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
	bool texts = false, numbers = false, reals = false, huge = false;
	for (size_t r = 0; r < s->row_count; r++) {
		const struct cell *cell = sheet_cell(s, r, column);
		if (cell->kind == CELL_EMPTY)
			continue;
		if (cell->kind == CELL_TEXT) {
			texts = true;
		} else if (is_real(is, cell)) {
			reals = true;
			huge |= !is_small_real(sheet_value(cell));
		} else {
			numbers = true;
			huge |= !is_exact(cell->number);
		}
	}
	if (texts)
		return numbers || reals ? 'x' : 't';
	if (huge || (numbers && reals))
		return 'm';
	return reals ? 'd' : 'n';
}

static bool is_reference(char code)
{
	return code == 't' || code == 'm' || code == 'x';
}

static void put_reference(struct columns *c, const struct column *is, const struct cell *cell, char code)
{
	char text[400];
	if (cell->kind == CELL_TEXT || cell->kind == CELL_EMPTY) {
		uint64_t number = number_of(c, cell->kind == CELL_TEXT ? cell->text : "");
		put_varint(c, code == 't' ? number : 2 * number);
		return;
	}
	if (is_real(is, cell))
		snprintf(text, sizeof text, "%.4f", sheet_value(cell));
	else
		snprintf(text, sizeof text, "%" PRId64, cell->number);
	put_varint(c, 2 * number_of(c, text) + 1);
}

static void put_number(struct columns *c, int64_t value, int64_t *last)
{
	put_varint(c, folded(value - *last) + 1);
	*last = value;
}

static void put_cell(struct columns *c, const struct column *is, const struct cell *cell, char code, int64_t *last)
{
	if (is_reference(code))
		put_reference(c, is, cell, code);
	else if (cell->kind == CELL_EMPTY)
		put_varint(c, 0);
	else
		put_number(c, code == 'd' ? ten_thousandths(sheet_value(cell)) : cell->number, last);
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
	columns_say(head, is->name);
	fprintf(head, ", \"unit\": \"%s\", \"code\": \"%c\", ", units[is->unit], code);
	put_place(c, at, head);
	if (is->title) {
		fputs(", \"title\": ", head);
		columns_say(head, is->title);
	}
	if (is->meaning) {
		fputs(", \"meaning\": ", head);
		columns_say(head, is->meaning);
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
