/* SPDX-License-Identifier: MIT */
/* Columns of a page: what each takes, and that columns with the same bytes lie in one place. */
#include "unit/lib.h"

#include "report/html/columns.h"

struct row {
	const char *name;
	int64_t work, same, other;
};

static void put_row(struct sheet *s, const struct row *r)
{
	COLUMN(s, NAME, "name", "name", r->name);
	COLUMN(s, NS, "work_ns", "work", r->work);
	COLUMN(s, NS, "same_ns", NULL, r->same);
	COLUMN(s, NS, "other_ns", NULL, r->other);
	COLUMN(s, PERCENT, "pct", NULL, 12.5);
}

/* The head of a sheet of two rows, in which the third column has what the second one has, but for `more`. */
static char *head_of(struct columns *columns, int64_t more)
{
	struct sheet sheet;
	char *text = NULL;
	size_t size;
	FILE *head = open_memstream(&text, &size);
	sheet_start(&sheet, false);
	put_row(&sheet, &(struct row){0});
	sheet_row(&sheet, 0);
	put_row(&sheet, &(struct row){"one", 1000, 1000 + more, 7});
	sheet_row(&sheet, 0);
	put_row(&sheet, &(struct row){"two", -1, -1, 8});
	columns_sheet(columns, &sheet, head);
	fclose(head);
	sheet_free(&sheet);
	return text;
}

/* Where the column lies. */
static long place(const char *head, const char *name)
{
	char wanted[64];
	snprintf(wanted, sizeof wanted, "\"name\": \"%s\"", name);
	const char *column = strstr(head, wanted), *at = column ? strstr(column, "\"at\": ") : NULL;
	assert_non_null(at);
	return strtol(at + 6, NULL, 10);
}

static void equal_columns_lie_in_one_place(void **state)
{
	struct columns columns = {0};
	(void)state;
	char *head = head_of(&columns, 0);
	assert_int_equal(place(head, "same_ns"), place(head, "work_ns"));
	assert_int_not_equal(place(head, "other_ns"), place(head, "work_ns"));
	size_t count = columns.count;
	char *again = head_of(&columns, 0);
	assert_string_equal(again, head); /* of another sheet, too */
	assert_int_equal(columns.count, count);
	free(again);
	free(head);
	columns_free(&columns);
}

static void others_do_not(void **state)
{
	struct columns columns = {0};
	(void)state;
	char *head = head_of(&columns, 1);
	assert_int_not_equal(place(head, "same_ns"), place(head, "work_ns"));
	free(head);
	columns_free(&columns);
}

/* 1000: folded 2000, and 1; then nothing. Texts from 1 on. */
static void numbers_are_of_seven_bits(void **state)
{
	static const unsigned char work[] = {0xd1, 0x0f, 0}, names[] = {1, 2};
	struct columns columns = {0};
	(void)state;
	char *head = head_of(&columns, 0);
	assert_memory_equal(columns.bytes + place(head, "work_ns"), work, sizeof work);
	assert_memory_equal(columns.bytes + place(head, "name"), names, sizeof names);
	free(head);
	columns_free(&columns);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_columns_lie_in_one_place),
		cmocka_unit_test(others_do_not),
		cmocka_unit_test(numbers_are_of_seven_bits),
	};
	return cmocka_run_group_tests_name("columns", tests, NULL, NULL);
}
