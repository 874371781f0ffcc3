/* SPDX-License-Identifier: MIT */
/* One sheet, three forms, the same numbers; names that cannot do harm. */
#include "unit/lib.h"

#include "base/escape.h"
#include "report/sheet.h"

struct row {
	const char *name;
	int64_t calls, ns;
	const char **where;
};

static void put_row(struct sheet *s, const struct row *r)
{
	COLUMN(s, NAME, "name", "name", r->name);
	COLUMN(s, COUNT, "calls", "calls", r->calls);
	COLUMN(s, NS, "ns", "time", r->ns, .drop = 1, .meaning = "sum over workers");
	COLUMN(s, PERCENT, "pct", NULL, 12.5);
	COLUMN(s, TEXT, NULL, "where", *r->where, .drop = 2);
}

static void start(struct sheet *s, bool keeps_all)
{
	sheet_start(s, keeps_all);
	put_row(s, &(struct row){0});
}

static void row(struct sheet *s, unsigned rank, const char *name, int64_t calls, int64_t ns)
{
	const char *where = "file.c:1";
	sheet_row(s, rank);
	put_row(s, &(struct row){name, calls, ns, &where});
}

static void fill(struct sheet *s)
{
	start(s, true);
	row(s, 1, "detail", 9999999, 5);
	row(s, 0, "small", 3, 1500);
	row(s, 0, "evil\033[2J\",\n\xff", 21891, 2500000000);
	row(s, 0, "empty", 7, -1);
}

enum form { TEXT, CSV, JSON };

static char *printed(struct sheet *s, enum form form, unsigned width)
{
	char *text = NULL;
	size_t size;
	const char *verdict[] = {"It is slow."}, *caveats[] = {"No events were lost."};
	struct page page = {.lens = "calls",
	                    .view = "routines",
	                    .verdict = verdict,
	                    .verdict_count = 1,
	                    .caveats = caveats,
	                    .caveat_count = 1,
	                    .sheet = s};
	FILE *file = open_memstream(&text, &size);
	if (form == TEXT)
		out_text(file, &page, width, false);
	else if (form == CSV)
		out_csv(file, &page);
	else
		out_json(file, &page);
	fclose(file);
	return text;
}

static void expect(struct sheet *s, enum form form, unsigned width, const char *expected)
{
	char *text = printed(s, form, width);
	assert_string_equal(text, expected);
	free(text);
}

static void sorted_by_numbers_from_the_largest_with_totals_first(void **state)
{
	(void)state;
	struct sheet s;
	struct fail why;
	fill(&s);
	assert_int_equal(sheet_sort(&s, "ns", &why), 0);
	expect(&s, CSV, 80,
	       "name,calls,ns,pct\n\"evil\\x1b[2J\"\",\\x0a\\xff\",21891,2500000000,12.5000\nsmall,3,1500,12.5000\nempty,7,,12.5000\ndetail,9999999,5,12.5000\n");
	assert_int_equal(sheet_sort(&s, "name", &why), 0);
	assert_string_equal(sheet_cell(&s, 0, 0)->text, "empty");
	sheet_free(&s);
}

static void an_unknown_column_is_answered_with_the_list(void **state)
{
	(void)state;
	struct sheet s;
	struct fail why;
	fill(&s);
	assert_int_equal(sheet_sort(&s, "nonsense", &why), -1);
	assert_int_equal(why.status, FAIL_USAGE);
	assert_non_null(strstr(why.text, "this view has name, calls, time, where, and in CSV ns, pct"));
	sheet_free(&s);
}

static void put_alike(struct sheet *s, const struct row *r)
{
	COLUMN(s, NAME, "name", "Name", r->name);
	COLUMN(s, COUNT, "calls", NULL, r->calls);
	COLUMN(s, COUNT, "ns", NULL, r->ns);
	COLUMN(s, COUNT, NULL, "calls", -r->calls);
	COLUMN(s, COUNT, NULL, "Time", 100 - r->ns, .sorts = "ns");
}

/* The name of the first row in that order. */
static const char *first_by(const char *column, bool keeps_all)
{
	struct sheet s;
	struct fail why;
	sheet_start(&s, keeps_all);
	put_alike(&s, &(struct row){0});
	for (int i = 0; i < 2; i++) {
		sheet_row(&s, 0);
		put_alike(&s, &(struct row){i ? "b" : "a", i ? 2 : 3, i ? 20 : 30, NULL});
	}
	const char *first = sheet_sort(&s, column, &why) == 0 ? sheet_cell(&s, 0, 0)->text : "none";
	sheet_free(&s);
	return first;
}

static void headings_sort_as_names_do(void **state)
{
	(void)state;
	assert_string_equal(first_by("name", true), "a");
	assert_string_equal(first_by("NAME", true), "a");
	assert_string_equal(first_by("time", true), "b"); /* 80 before 70 */
	assert_string_equal(first_by("time", false), "none");
	assert_string_equal(first_by("calls", true), "a"); /* a name goes before a heading */
	assert_string_equal(first_by("ns", true), "b");    /* unless a column says that it is meant */
	assert_string_equal(first_by("ns", false), "a");
}

static void followers_stay_below_their_row(void **state)
{
	(void)state;
	struct sheet s;
	struct fail why;
	start(&s, true);
	row(&s, 0, "a", 1, 10);
	sheet_follow(&s, 0);
	put_row(&s, &(struct row){"a in worker 0", -1, -1, &(const char *){""}});
	row(&s, 0, "b", 2, 20);
	assert_int_equal(sheet_sort(&s, "ns", &why), 0);
	assert_string_equal(sheet_cell(&s, 0, 0)->text, "b");
	assert_string_equal(sheet_cell(&s, 1, 0)->text, "a");
	assert_string_equal(sheet_cell(&s, 2, 0)->text, "a in worker 0");
	sheet_free(&s);
}

static void text_is_verdict_table_meanings_and_caveats(void **state)
{
	(void)state;
	struct sheet s;
	struct fail why;
	fill(&s);
	assert_int_equal(sheet_sort(&s, "ns", &why), 0);
	sheet_top(&s, 3);
	expect(&s, TEXT, 80,
	       "It is slow.\n\n"
	       "name                    calls     time  where\n"
	       "evil\\x1b[2J\",\\x0a\\xff  21,891   2.50 s  file.c:1\n"
	       "small                       3  1.50 us  file.c:1\n"
	       "empty                       7           file.c:1\n"
	       "time: sum over workers.\n\n"
	       "What may be wrong with this:\n- No events were lost.\n");
	sheet_free(&s);
}

static void text_fits_the_width(void **state)
{
	(void)state;
	struct sheet s;
	start(&s, true);
	row(&s, 0, "a_very_long_name_of_a_routine_that_goes_on_and_on_for_ever_and_some_more_beyond_that", 1, 1);
	for (unsigned width = 40; width < 120; width += 7) {
		char *text = printed(&s, TEXT, width), *line = strtok(text, "\n");
		for (; line; line = strtok(NULL, "\n"))
			assert_true(escape_width(line) <= width);
		free(text);
	}
	sheet_free(&s);
}

static void json_has_nulls_and_safe_strings(void **state)
{
	(void)state;
	struct sheet s;
	struct fail why;
	fill(&s);
	assert_int_equal(sheet_sort(&s, "ns", &why), 0);
	sheet_top(&s, 3);
	char *text = printed(&s, JSON, 80);
	assert_non_null(
		strstr(text, "\"name\": \"evil\\u001b[2J\\\",\\u000a\\\\xff\", \"calls\": 21891, \"ns\": 2500000000, \"pct\": 12.5000}"));
	assert_non_null(strstr(text, "\"name\": \"empty\", \"calls\": 7, \"ns\": null"));
	assert_non_null(strstr(text, "\"verdict\": [\n    \"It is slow.\"\n  ]"));
	for (const char *at = text; *at; at++)
		assert_true(*at == '\n' || (*at >= 32 && *at < 127));
	free(text);
	sheet_free(&s);
}

static void put_units(struct sheet *s, int64_t number)
{
	COLUMN(s, ID, "line", "line", number);
	COLUMN(s, COUNT, "count", "count", number);
	COLUMN(s, NS, "ns", "time", number);
	COLUMN(s, RATIO, "ratio", "ratio", (double)number / 100);
	COLUMN(s, FIGURE, "value", "value", ((struct cell){.kind = CELL_NUMBER, .number = number}));
}

static void a_unit_decides_how_text_shows_a_number_and_scripts_get_all_digits(void **state)
{
	(void)state;
	struct sheet s;
	sheet_start(&s, true);
	put_units(&s, 0);
	for (int64_t number = 99; number < 100000000; number = 100 * number + 99) {
		sheet_row(&s, 0);
		put_units(&s, number);
	}
	expect(&s, CSV, 0,
	       "line,count,ns,ratio,value\n99,99,99,0.9900,99\n9999,9999,9999,99.9900,9999\n999999,999999,999999,9999.9900,999999\n"
	       "99999999,99999999,99999999,999999.9900,99999999\n");
	expect(&s, TEXT, 80,
	       "It is slow.\n\n"
	       "    line    count     time    ratio       value\n"
	       "      99       99    99 ns     0.99          99\n"
	       "    9999    9,999  10.0 us    99.99       9,999\n"
	       "  999999  999,999  1.00 ms  9999.99     999,999\n"
	       "99999999    100 M   100 ms  999,999  99,999,999\n"
	       "\nWhat may be wrong with this:\n- No events were lost.\n");
	sheet_free(&s);
}

static void only_proper_text_passes(void **state)
{
	(void)state;
	struct pool pool = {0};
	assert_string_equal(escape_plain(&pool, "größe → 量"), "größe → 量");
	assert_string_equal(escape_plain(&pool, "\xc0\x80 \xed\xa0\x80 \xe2\x80\xae \xc2\x9b"),
	                    "\\xc0\\x80 \\xed\\xa0\\x80 \\xe2\\x80\\xae \\xc2\\x9b");
	assert_int_equal(escape_width("größe"), 5);
	pool_free(&pool);
}

static void put_two(struct sheet *s, const char *text)
{
	COLUMN(s, NAME, "name", "name", text);
	COLUMN(s, CODE, "code", "code", text);
}

static void code_is_cut_at_its_end_and_names_in_their_middle(void **state)
{
	(void)state;
	struct sheet s;
	sheet_start(&s, true);
	put_two(&s, NULL);
	sheet_row(&s, 0);
	put_two(&s, "abcdefghijklmnopqrstuvwxyz");
	s.drawing = "/\\";
	char *text = printed(&s, TEXT, 42);
	assert_non_null(strstr(text, "abcdefghi…qrstuvwxyz  abcdefghijklmnopqrs…\n\n/\\\n"));
	free(text);
	sheet_free(&s);
}

static void a_table_without_rows_has_its_columns(void **state)
{
	(void)state;
	struct sheet s;
	start(&s, true);
	expect(&s, CSV, 0, "name,calls,ns,pct\n");
	sheet_free(&s);
}

static void scripts_pay_for_no_column_of_text(void **state)
{
	(void)state;
	struct sheet s;
	start(&s, false);
	sheet_row(&s, 0);
	put_row(&s, &(struct row){"long", 5, 1, NULL}); /* to look at `where` would crash */
	assert_int_equal(s.column_count, 4);
	expect(&s, CSV, 0, "name,calls,ns,pct\nlong,5,1,12.5000\n");
	sheet_free(&s);
}

/* As many rows as a sheet never keeps: with `most`, only the first ones. */
static char *poured(size_t rows, size_t most, size_t *kept)
{
	char *text = NULL;
	size_t size;
	struct sheet s;
	FILE *file = open_memstream(&text, &size);
	start(&s, false);
	s.pour = file;
	s.pour_most = most;
	*kept = 0;
	for (size_t i = 0; i < rows; i++) {
		row(&s, 0, i % 2 ? "odd" : "even", (int64_t)i, 1);
		*kept = s.row_room > *kept ? s.row_room : *kept;
	}
	out_csv(file, &(struct page){.sheet = &s});
	sheet_free(&s);
	fclose(file);
	return text;
}

static void rows_that_are_poured_are_those_that_are_kept(void **state)
{
	static const size_t counts[] = {0, 1, 1023, 1024, 1025, 5000};
	(void)state;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		struct sheet s;
		size_t kept;
		start(&s, false);
		for (size_t k = 0; k < counts[i]; k++)
			row(&s, 0, k % 2 ? "odd" : "even", (int64_t)k, 1);
		char *whole = printed(&s, CSV, 0), *in_turn = poured(counts[i], 0, &kept), *first = poured(counts[i], 1030, &kept);
		assert_string_equal(in_turn, whole);
		assert_true(kept < 2000);
		sheet_top(&s, 1030);
		expect(&s, CSV, 0, first);
		sheet_free(&s);
		free(whole);
		free(in_turn);
		free(first);
	}
}

/* Columns that are not wanted are not even computed, and a row remembers its routine. */
static void a_sheet_may_have_some_columns_only(void **state)
{
	static const char *const only[] = {"calls", "nowhere", NULL};
	struct sheet s;
	(void)state;
	sheet_start(&s, true);
	s.only = only;
	put_row(&s, &(struct row){0});
	sheet_row(&s, 0);
	sheet_about(&s, 7);
	put_row(&s, &(struct row){"name", 21891, 5, NULL});
	sheet_row(&s, 0);
	put_row(&s, &(struct row){"other", 3, 5, NULL});
	expect(&s, CSV, 0, "calls\n21891\n3\n");
	assert_int_equal(s.rows[0].about, 7);
	assert_true(s.rows[1].about == SHEET_NO_ROUTINE);
	sheet_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorted_by_numbers_from_the_largest_with_totals_first),
		cmocka_unit_test(an_unknown_column_is_answered_with_the_list),
		cmocka_unit_test(headings_sort_as_names_do),
		cmocka_unit_test(followers_stay_below_their_row),
		cmocka_unit_test(text_is_verdict_table_meanings_and_caveats),
		cmocka_unit_test(text_fits_the_width),
		cmocka_unit_test(json_has_nulls_and_safe_strings),
		cmocka_unit_test(a_unit_decides_how_text_shows_a_number_and_scripts_get_all_digits),
		cmocka_unit_test(only_proper_text_passes),
		cmocka_unit_test(code_is_cut_at_its_end_and_names_in_their_middle),
		cmocka_unit_test(a_table_without_rows_has_its_columns),
		cmocka_unit_test(scripts_pay_for_no_column_of_text),
		cmocka_unit_test(rows_that_are_poured_are_those_that_are_kept),
		cmocka_unit_test(a_sheet_may_have_some_columns_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
