/* SPDX-License-Identifier: MIT */
/* Two SQL statements say the same, or do not: where a blank matters, and where it does not. */
#include "unit/lib.h"

#include "store/statement.h"

static void comments_and_the_form_of_blanks_do_not_matter(void **state)
{
	static const char *const same[][2] = {
		{"CREATE TABLE a (b TEXT)", "CREATE TABLE a (b TEXT)"},
		{"CREATE TABLE a (b TEXT)", "CREATE\tTABLE \r\n a(\fb  TEXT )"},
		{"CREATE TABLE a (b TEXT, c TEXT)", "CREATE TABLE a (b TEXT, -- the b, or 'it\n\tc TEXT -- the c\n)"},
		{"CREATE TABLE a (b TEXT)", "CREATE/* a table */TABLE a (b /**/ TEXT)"},
		{"CREATE TABLE a (b TEXT)", "CREATE TABLE a (b TEXT) -- at the end"},
		{"CREATE TABLE a (b TEXT)", "CREATE TABLE a (b TEXT) /* without an end"},
		{"a ('x' , \"y\")", "a('x',\"y\")"},
		{"", " \n"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		if (!statement_is_same(same[i][0], same[i][1]) || !statement_is_same(same[i][1], same[i][0]))
			fail_msg("not the same: %s", same[i][1]);
}

static void all_else_matters(void **state)
{
	static const char *const other[][2] = {
		{"CREATE TABLE a (b TEXT)", "CREATE TABLE a (bTEXT)"},
		{"CREATE TABLE a (b TEXT)", "CREATE TABLE a (b TEXT"},
		{"CREATE TABLE a (b TEXT)", "CREATE TABLE A (b TEXT)"},
		{"CREATE TABLE a (b TEXT)", "CREATE TABLE a (b TEXT) WITHOUT ROWID"},
		{"a DEFAULT 'x y'", "a DEFAULT 'xy'"},
		{"a DEFAULT 'x y'", "a DEFAULT 'x  y'"},
		{"a DEFAULT 'x -- y'", "a DEFAULT 'x '"},
		{"a DEFAULT 'x/* y */'", "a DEFAULT 'x'"},
		{"a \"x y\" TEXT", "a \"xy\" TEXT"},
		{"a `x y` TEXT", "a `xy` TEXT"},
		{"a [x y] TEXT", "a [xy] TEXT"},
		{"a 'it''s b' c", "a 'it''sb' c"},
		{"a x 'ff'", "a x'ff'"},
		{"a - -1", "a --1"},
		{"a < = b", "a <= b"},
		{"a 'b", "a 'b '"},
		{"a", ""},
	};
	(void)state;
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		if (statement_is_same(other[i][0], other[i][1]) || statement_is_same(other[i][1], other[i][0]))
			fail_msg("taken for the same: %s and %s", other[i][0], other[i][1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comments_and_the_form_of_blanks_do_not_matter),
		cmocka_unit_test(all_else_matters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
