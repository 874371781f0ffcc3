/* SPDX-License-Identifier: MIT */
/* Sheets whose rows are trees, sorted and cut, against a slow way; and columns that are worked out of others. */
#include "unit/lib.h"

#include <math.h>

#include "report/idle/derive.h"
#include "report/sheet.h"

enum { MOST = 120 };

/* A forest in the order of a walk. */
struct row {
	int id, value, depth;
};

static void put_row(struct sheet *s, const struct row *r)
{
	COLUMN(s, COUNT, "id", "id", r->id);
	COLUMN(s, COUNT, "value", "value", r->value);
}

static void fill(struct sheet *s, const struct row *rows, int count)
{
	sheet_start(s, true);
	put_row(s, NULL);
	s->is_tree = true;
	for (int i = 0; i < count; i++) {
		sheet_row(s, 0);
		sheet_nest(s, (uint32_t)rows[i].depth);
		put_row(s, &rows[i]);
	}
}

static int random_forest(struct row *rows)
{
	int count = rand() % MOST;
	for (int i = 0; i < count; i++)
		rows[i] = (struct row){i, rand() % 12, i ? rand() % (rows[i - 1].depth + 2) : 0};
	return count;
}

static int end_of(const struct row *rows, int count, int at)
{
	int end = at + 1;
	while (end < count && rows[end].depth > rows[at].depth)
		end++;
	return end;
}

/* Takes the largest of the siblings that are left, the first one of equals, then what is below it, then the next. */
static void slow_sort(const struct row *rows, int from, int to, int depth, struct row *out, int *done)
{
	bool taken[MOST] = {false};
	for (;;) {
		int best = -1;
		for (int i = from; i < to; i++)
			if (rows[i].depth == depth && !taken[i] && (best < 0 || rows[i].value > rows[best].value))
				best = i;
		if (best < 0)
			return;
		taken[best] = true;
		out[(*done)++] = rows[best];
		slow_sort(rows, best + 1, end_of(rows, to, best), depth + 1, out, done);
	}
}

static void siblings_are_sorted_with_what_is_below_them(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 300; seed++) {
		struct row rows[MOST], sorted[MOST];
		struct sheet s;
		struct fail why;
		int done = 0;
		srand(seed);
		int count = random_forest(rows);
		slow_sort(rows, 0, count, 0, sorted, &done);
		assert_int_equal(done, count);
		fill(&s, rows, count);
		assert_int_equal(sheet_sort(&s, "value", &why), 0);
		assert_int_equal(s.row_count, count);
		for (int i = 0; i < count; i++)
			assert_int_equal(sheet_cell(&s, (size_t)i, 0)->number, sorted[i].id);
		sheet_free(&s);
	}
}

static int parent_of(const struct row *rows, int at)
{
	int parent = at;
	while (parent >= 0 && rows[parent].depth >= rows[at].depth)
		parent--;
	return parent;
}

/* Values grow towards the roots, as inclusive ones do; then the top rows are those with the largest values, and each has its parent. */
static void the_top_rows_are_the_largest_and_have_their_parents(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 200; seed++) {
		struct row rows[MOST];
		struct sheet s;
		struct fail why;
		srand(seed);
		int count = random_forest(rows), top = rand() % MOST + 1, left_out = 0, kept_least = 1 << 20;
		for (int i = 0; i < count; i++)
			rows[i].value = (40 - rows[i].depth) * 1000 + rand() % 900;
		fill(&s, rows, count);
		sheet_sort(&s, "value", &why);
		sheet_top(&s, (size_t)top);
		assert_int_equal(s.row_count, count < top ? count : top);
		bool kept[MOST] = {false};
		for (size_t r = 0; r < s.row_count; r++) {
			kept[sheet_cell(&s, r, 0)->number] = true;
			int value = (int)sheet_cell(&s, r, 1)->number;
			kept_least = value < kept_least ? value : kept_least;
		}
		for (int i = 0; i < count; i++) {
			int parent = parent_of(rows, i);
			assert_true(!kept[i] || parent < 0 || kept[parent]);
			left_out = !kept[i] && rows[i].value > left_out ? rows[i].value : left_out;
		}
		assert_true(s.row_count == 0 || left_out <= kept_least);
		sheet_free(&s);
	}
}

/* ---- derived columns ---- */

static const char *const names[] = {"work_ns", "LLC-misses", "LLC", "samples"};
static const double values[] = {8, 5, 100, 3};

static double value_of(const char *text)
{
	struct derive d;
	struct fail why;
	if (derive_parse(&d, text, names, 4, &why) < 0)
		fail_msg("%s", why.text);
	return derive_value(&d, values);
}

static void expressions_are_what_they_say(void **state)
{
	(void)state;
	assert_true(value_of("x=1+2*3") == 7);
	assert_true(value_of("x=(1+2)*3") == 9);
	assert_true(value_of("x=8-4-2") == 2);
	assert_true(value_of("x=8/4/2") == 1);
	assert_true(value_of("x=--2*-3") == -6);
	assert_true(value_of("x = LLC-misses*64/work_ns") == 40);
	assert_true(value_of("x=LLC - samples") == 97);
	assert_true(value_of("x=LLC-samples") == 97);
	assert_true(value_of("x=1e3+.5") == 1000.5);
	assert_true(isnan(value_of("x=1/(samples-3)")));
}

static void wrong_expressions_are_refused(void **state)
{
	(void)state;
	static const char *const wrong[] = {"",         "=1",         "x",
	                                    "x=",       "x=1+",       "x=(1",
	                                    "x=1)",     "x=1 2",      "x=samples samples",
	                                    "x=sample", "x=samplesx", "x=*2",
	                                    "x=1..2",   "y!=2",       "x=%"};
	struct derive d;
	struct fail why;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (derive_parse(&d, wrong[i], names, 4, &why) == 0)
			fail_msg("nobody minds '%s'", wrong[i]);
	char deep[400] = "x=";
	memset(deep + 2, '-', 300);
	assert_int_equal(derive_parse(&d, deep, names, 4, &why), -1);
	char lengthy[1000] = "x=1";
	for (int i = 0; i < 300; i++)
		strcat(lengthy, "+1");
	assert_int_equal(derive_parse(&d, lengthy, names, 4, &why), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(siblings_are_sorted_with_what_is_below_them),
		cmocka_unit_test(the_top_rows_are_the_largest_and_have_their_parents),
		cmocka_unit_test(expressions_are_what_they_say),
		cmocka_unit_test(wrong_expressions_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
