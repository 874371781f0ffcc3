/* SPDX-License-Identifier: MIT */
/* Columns of bytes, as a page of skein view holds them: what is decoded from them, by a reader of its own, is what CSV has. */
#include "unit/lib.h"

#include <inttypes.h>
#include <math.h>

#include "base/escape.h"
#include "report/html/columns.h"

/* ---- a reader, as web/src/data.ts is one ---- */

struct read {
	struct columns columns;
	char *head;
	size_t head_bytes;
	const char *texts[4096]; /* from 1 */
	struct pool pool;
};

static size_t number_behind(const char *at, const char *name)
{
	const char *found = strstr(at, name);
	assert_non_null(found);
	return strtoull(found + strlen(name), NULL, 10);
}

static struct read *read_sheet(const struct sheet *sheet)
{
	struct read *r = memory_zeroed(1, sizeof *r);
	FILE *head = open_memstream(&r->head, &r->head_bytes);
	columns_blob(&r->columns, "before", 6, head); /* so that nothing begins at 0 */
	columns_sheet(&r->columns, sheet, head);
	fputs(" texts ", head);
	columns_texts(&r->columns, head);
	fclose(head);
	const char *place = strstr(r->head, " texts ");
	size_t at = number_behind(place, "\"at\": "), count = number_behind(place, "\"count\": ");
	assert_true(count < 4096);
	assert_int_equal(at + number_behind(place, "\"bytes\": "), r->columns.count);
	for (size_t i = 1; i <= count; i++) {
		const char *end = memchr(r->columns.bytes + at, '\n', r->columns.count - at);
		assert_non_null(end);
		size_t length = (size_t)(end - (const char *)r->columns.bytes) - at;
		r->texts[i] = pool_print(&r->pool, "%.*s", (int)length, (const char *)r->columns.bytes + at);
		at += length + 1;
	}
	assert_int_equal(at, r->columns.count);
	return r;
}

static void read_free(struct read *r)
{
	columns_free(&r->columns);
	pool_free(&r->pool);
	free(r->head);
	free(r);
}

static const char *column_of(const struct read *r, const char *name)
{
	char quoted[64];
	snprintf(quoted, sizeof quoted, "{\"name\": \"%s\"", name);
	const char *found = strstr(r->head, quoted);
	assert_non_null(found);
	return found;
}

static char code_of(const struct read *r, const char *name)
{
	return strstr(column_of(r, name), "\"code\": \"")[9];
}

static uint64_t varint(const unsigned char *bytes, size_t *at)
{
	uint64_t value = 0;
	for (int shift = 0;; shift += 7) {
		value |= (uint64_t)(bytes[*at] & 127) << shift;
		if (bytes[(*at)++] < 128)
			return value;
	}
}

/* The cell as CSV has it, without quotes. Every number on the way is one that a double holds exactly. */
static void decode(const struct read *r, const char *name, size_t rows, char cells[][512])
{
	const char *place = column_of(r, name);
	size_t at = number_behind(place, "\"at\": "), end = at + number_behind(place, "\"bytes\": ");
	char code = code_of(r, name);
	int64_t last = 0;
	for (size_t row = 0; row < rows; row++) {
		uint64_t value = varint(r->columns.bytes, &at);
		assert_true(value <= UINT64_C(1) << 53);
		if (strchr("tmx", code)) {
			uint64_t text = code == 't' ? value : value / 2;
			snprintf(cells[row], 512, "%s", text ? r->texts[text] : "");
			continue;
		}
		cells[row][0] = 0;
		if (!value)
			continue;
		value--;
		last += value % 2 ? -(int64_t)(value / 2) - 1 : (int64_t)(value / 2);
		if (code == 'n')
			snprintf(cells[row], 512, "%" PRId64, last);
		else
			snprintf(cells[row], 512, "%s%" PRId64 ".%04" PRId64, last < 0 ? "-" : "", labs(last) / 10000, labs(last) % 10000);
	}
	assert_int_equal(at, end);
}

/* ---- sheets ---- */

enum { MOST_ROWS = 600 };

static char cells[MOST_ROWS][512];

static void expect_cells(const struct sheet *s, const char *name, size_t column, char code)
{
	struct read *r = read_sheet(s);
	struct pool pool = {0};
	assert_int_equal(code_of(r, name), code);
	decode(r, name, s->row_count, cells);
	for (size_t row = 0; row < s->row_count; row++) {
		const struct cell *cell = sheet_cell(s, row, column);
		char *text = NULL;
		size_t bytes = 0;
		FILE *file = open_memstream(&text, &bytes);
		if (cell->kind == CELL_TEXT)
			fputs(escape_plain(&pool, cell->text), file);
		else
			out_number(file, &s->columns[column], cell);
		fclose(file);
		assert_string_equal(cells[row], text);
		free(text);
	}
	pool_free(&pool);
	read_free(r);
}

static struct cell figure(double real)
{
	return (struct cell){.kind = CELL_REAL, .real = real};
}

static struct cell number(int64_t value)
{
	return (struct cell){.kind = CELL_NUMBER, .number = value};
}

static struct cell text(const char *words)
{
	return (struct cell){.kind = CELL_TEXT, .text = words};
}

static void put_row(struct sheet *s, struct cell value)
{
	COLUMN(s, TEXT, "name", "name", "row");
	COLUMN(s, FIGURE, "value", "value", value);
	COLUMN(s, TEXT, NULL, "only in text", "unseen");
}

/* A column of these cells comes back, and is written with this code. */
static void expect(char code, size_t count, const struct cell *all)
{
	struct sheet s;
	sheet_start(&s, false);
	put_row(&s, all[0]);
	for (size_t i = 0; i < count; i++) {
		sheet_row(&s, 0);
		put_row(&s, all[i]);
	}
	expect_cells(&s, "value", 1, code);
	sheet_free(&s);
}

#define EXPECT(code, ...) expect(code, sizeof(struct cell[]){__VA_ARGS__} / sizeof(struct cell), (const struct cell[]){__VA_ARGS__})
static const struct cell empty = {.kind = CELL_EMPTY};

static void numbers_come_back(void **state)
{
	(void)state;
	EXPECT('n', number(0));
	EXPECT('n', empty);
	EXPECT('n', empty, number(0), empty, number(-1), number(1), number(63), number(64), number(-64), number(-65), empty);
	EXPECT('n', number(8191), number(8192), number(-8192), number(INT32_MAX), number(INT32_MIN), number(INT64_C(1) << 32));
	const int64_t most = (INT64_C(1) << 51) - 1;
	EXPECT('n', number(most), number(-most), number(most), number(0), number(-most));
}

static void what_a_double_cannot_hold_is_kept_as_its_digits(void **state)
{
	(void)state;
	EXPECT('m', number(INT64_MAX), number(INT64_MIN), number(0), empty, number(7));
	EXPECT('m', number(INT64_C(1) << 51), number(-5));
	EXPECT('m', figure(1e300), figure(-1e18), figure(0.5));
	EXPECT('m', figure(-0.00001), figure(-0.0), figure(0.03125), empty); /* -0.0000 */
}

static void reals_have_the_digits_of_csv(void **state)
{
	(void)state;
	EXPECT('d', figure(0), figure(0.03125), figure(-0.03125), figure(99.99995), figure(1.0 / 3), empty, figure(-2.0 / 3),
	       figure(0.00005));
	EXPECT('d', figure(225179981368.5), figure(-225179981368.5), figure(0.0001));
}

static void numbers_beside_reals_keep_their_form(void **state)
{
	(void)state;
	EXPECT('m', number(12), figure(12), empty, figure(-1.5), number(-3));
}

static void texts_come_back(void **state)
{
	(void)state;
	EXPECT('t', text("one"), text("two"), text("one"), text(""), empty);
	EXPECT('x', text("-1"), number(-1), figure(-1), empty, text(""), number(1));
	EXPECT('t', text("a line\nand another\r\n"), text("\xff\x1b[2J"), text("\xe2\x80\xae"), text("</script>"), text("\xc3\xa9"));
}

/* Which of the cells is a text: `-1` is a formula to a spreadsheet, -1 is a figure. */
static void a_figure_among_texts_is_marked(void **state)
{
	const struct cell all[] = {text("-1"), number(-1), empty, figure(-1)};
	const uint64_t marks[] = {0, 1, 0, 1};
	struct sheet s;
	(void)state;
	sheet_start(&s, false);
	put_row(&s, all[0]);
	for (size_t i = 0; i < 4; i++) {
		sheet_row(&s, 0);
		put_row(&s, all[i]);
	}
	struct read *r = read_sheet(&s);
	size_t at = number_behind(column_of(r, "value"), "\"at\": ");
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(varint(r->columns.bytes, &at) % 2, marks[i]);
	assert_null(strstr(r->head, "only in text"));
	assert_null(strstr(r->head, "depths"));
	read_free(r);
	sheet_free(&s);
}

static void equal_texts_are_stored_once(void **state)
{
	struct sheet s;
	char names[50][32];
	(void)state;
	sheet_start(&s, false);
	put_row(&s, empty);
	for (int i = 0; i < MOST_ROWS; i++) {
		snprintf(names[i % 50], sizeof names[0], "routine %d", i % 50);
		sheet_row(&s, 0);
		COLUMN(&s, TEXT, "name", "name", names[i % 50]);
		COLUMN(&s, FIGURE, "value", "value", empty);
	}
	struct read *r = read_sheet(&s);
	assert_int_equal(number_behind(strstr(r->head, " texts "), "\"count\": "), 50);
	read_free(r);
	expect_cells(&s, "name", 0, 't');
	sheet_free(&s);
}

static void a_tree_has_depths(void **state)
{
	static const uint32_t depths[] = {0, 1, 2, 300, 1, 0, 1};
	struct sheet s;
	int64_t last = 0;
	(void)state;
	sheet_start(&s, false);
	put_row(&s, empty);
	for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
		sheet_row(&s, 0);
		sheet_nest(&s, depths[i]);
		put_row(&s, number((int64_t)i));
	}
	struct read *r = read_sheet(&s);
	const char *place = strstr(r->head, "\"depths\": ");
	assert_non_null(place);
	size_t at = number_behind(place, "\"at\": ");
	for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
		uint64_t value = varint(r->columns.bytes, &at) - 1;
		last += value % 2 ? -(int64_t)(value / 2) - 1 : (int64_t)(value / 2);
		assert_int_equal(last, depths[i]);
	}
	read_free(r);
	sheet_free(&s);
}

static void a_sheet_without_rows_has_its_columns(void **state)
{
	struct sheet s;
	(void)state;
	sheet_start(&s, false);
	put_row(&s, empty);
	struct read *r = read_sheet(&s);
	assert_int_equal(number_behind(r->head, "\"rows\": "), 0);
	assert_int_equal(code_of(r, "value"), 'n');
	read_free(r);
	sheet_free(&s);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 11 ^ *seed >> 37;
}

static void random_columns_come_back(void **state)
{
	struct cell all[200];
	uint64_t seed = 11;
	(void)state;
	for (int round = 0; round < 400; round++) {
		size_t count = 1 + next_random(&seed) % 200;
		unsigned bits = next_random(&seed) % 51 + 1;
		bool reals = next_random(&seed) % 2, fits = true;
		for (size_t i = 0; i < count; i++) {
			int64_t value = (int64_t)(next_random(&seed) & ((UINT64_C(1) << bits) - 1)) * (next_random(&seed) % 2 ? 1 : -1);
			double real = (double)value / 65536;
			all[i] = next_random(&seed) % 5 == 0 ? empty : reals ? figure(real) : number(value);
			char digits[64];
			snprintf(digits, sizeof digits, "%.4f", real);
			fits &= all[i].kind != CELL_REAL || (strcmp(digits, "-0.0000") != 0 && fabs(real) < 0x1p51 / 10000);
		}
		bool any = false;
		for (size_t i = 0; i < count; i++)
			any |= all[i].kind != CELL_EMPTY;
		expect(!any || !reals ? 'n' : fits ? 'd' : 'm', count, all);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_come_back),
		cmocka_unit_test(what_a_double_cannot_hold_is_kept_as_its_digits),
		cmocka_unit_test(reals_have_the_digits_of_csv),
		cmocka_unit_test(numbers_beside_reals_keep_their_form),
		cmocka_unit_test(texts_come_back),
		cmocka_unit_test(a_figure_among_texts_is_marked),
		cmocka_unit_test(equal_texts_are_stored_once),
		cmocka_unit_test(a_tree_has_depths),
		cmocka_unit_test(a_sheet_without_rows_has_its_columns),
		cmocka_unit_test(random_columns_come_back),
	};
	return cmocka_run_group_tests_name("columns_read", tests, NULL, NULL);
}
