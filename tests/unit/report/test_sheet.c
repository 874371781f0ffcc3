/* SPDX-License-Identifier: MIT */
/* One sheet, three forms, the same numbers; names that cannot do harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "report/sheet.h"

static const struct column columns[] = {{"name", "name", COLUMN_NAME, 0, NULL},
                                        {"calls", "calls", COLUMN_COUNT, 0, NULL},
                                        {"ns", "time", COLUMN_NS, 1, "sum over workers"},
                                        {"pct", NULL, COLUMN_PERCENT, 0, NULL},
                                        {NULL, "where", COLUMN_TEXT, 2, NULL}};

static void row(struct sheet *s, unsigned rank, const char *name, int64_t calls, int64_t ns)
{
	sheet_row(s, rank);
	sheet_text(s, name);
	sheet_number(s, calls);
	sheet_number(s, ns);
	sheet_real(s, 12.5);
	sheet_text(s, "file.c:1");
}

static void fill(struct sheet *s)
{
	sheet_start(s, columns, 5);
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
	assert_non_null(strstr(why.text, "name, calls, ns, pct"));
	sheet_free(&s);
}

static void followers_stay_below_their_row(void **state)
{
	(void)state;
	struct sheet s;
	struct fail why;
	sheet_start(&s, columns, 5);
	row(&s, 0, "a", 1, 10);
	sheet_follow(&s, 0);
	sheet_text(&s, "a in worker 0");
	for (int i = 0; i < 4; i++)
		sheet_empty(&s);
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
	sheet_start(&s, columns, 5);
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

static void numbers_are_shown_as_people_read_them(void **state)
{
	(void)state;
	static const struct {
		int64_t ns;
		const char *text;
	} cases[] = {{0, "0"},           {999, "999 ns"},    {1000, "1.00 us"},   {9994, "9.99 us"},
	             {99949, "99.9 us"}, {123456, "123 us"}, {999600, "1.00 ms"}, {61000000000, "61.0 s"}};
	char text[32];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(sheet_format_ns(text, cases[i].ns), cases[i].text);
	static const struct {
		int64_t count;
		const char *text;
	} amounts[] = {{0, "0"},
	               {999, "999"},
	               {1000, "1.00 k"},
	               {21891, "21.9 k"},
	               {999600, "1.00 M"},
	               {123456789012, "123 G"},
	               {INT64_MAX, "9.22 E"}};
	for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++)
		assert_string_equal(sheet_format_amount(text, amounts[i].count), amounts[i].text);
	assert_string_equal(sheet_format_count(text, 0), "0");
	assert_string_equal(sheet_format_count(text, 1234567), "1,234,567");
	assert_string_equal(sheet_format_count(text, INT64_MAX), "9,223,372,036,854,775,807");
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

static void code_is_cut_at_its_end_and_names_in_their_middle(void **state)
{
	(void)state;
	static const struct column two[] = {{"name", "name", COLUMN_NAME, 0, NULL}, {"code", "code", COLUMN_CODE, 0, NULL}};
	struct sheet s;
	sheet_start(&s, two, 2);
	sheet_row(&s, 0);
	sheet_text(&s, "abcdefghijklmnopqrstuvwxyz");
	sheet_lend(&s, "abcdefghijklmnopqrstuvwxyz");
	s.drawing = "/\\";
	char *text = printed(&s, TEXT, 42);
	assert_non_null(strstr(text, "abcdefghi…qrstuvwxyz  abcdefghijklmnopqrs…\n\n/\\\n"));
	free(text);
	sheet_free(&s);
}

static void a_row_may_leave_out_its_last_cells(void **state)
{
	(void)state;
	struct sheet s;
	sheet_start(&s, columns, 5);
	sheet_row(&s, 0);
	sheet_text(&s, "short");
	sheet_number(&s, 7);
	row(&s, 0, "long", 5, 1);
	expect(&s, CSV, 0, "name,calls,ns,pct\nshort,7,,\nlong,5,1,12.5000\n");
	sheet_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorted_by_numbers_from_the_largest_with_totals_first),
		cmocka_unit_test(an_unknown_column_is_answered_with_the_list),
		cmocka_unit_test(followers_stay_below_their_row),
		cmocka_unit_test(text_is_verdict_table_meanings_and_caveats),
		cmocka_unit_test(text_fits_the_width),
		cmocka_unit_test(json_has_nulls_and_safe_strings),
		cmocka_unit_test(numbers_are_shown_as_people_read_them),
		cmocka_unit_test(only_proper_text_passes),
		cmocka_unit_test(code_is_cut_at_its_end_and_names_in_their_middle),
		cmocka_unit_test(a_row_may_leave_out_its_last_cells),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
