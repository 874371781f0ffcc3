/* SPDX-License-Identifier: MIT */
/* What is packed into a page comes out of it again; and which sources are put into one. */
#include "unit/lib.h"

#include <sys/time.h>
#include <zlib.h>

#include "report/html/html.h"
#include "report/html/sources.h"

/* ---- packing ---- */

static size_t from_base64(const char *text, unsigned char *to)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t count = 0, length = strlen(text);
	assert_int_equal(length % 4, 0);
	for (size_t i = 0; i < length; i += 4) {
		uint32_t bits = 0;
		int pads = (text[i + 2] == '=') + (text[i + 3] == '=');
		assert_true(!pads || i + 4 == length);
		for (size_t k = 0; k < 4; k++) {
			const char *digit = text[i + k] == '=' ? digits : strchr(digits, text[i + k]);
			assert_non_null(digit);
			bits = bits << 6 | (uint32_t)(digit - digits);
		}
		for (int k = 0; k < 3 - pads; k++)
			to[count++] = (unsigned char)(bits >> (16 - 8 * k));
	}
	return count;
}

static void expect_packed(size_t head_bytes, size_t body_bytes, bool is_random)
{
	unsigned char *all = calloc(1, head_bytes + body_bytes + 1), *packed, *out = malloc(head_bytes + body_bytes + 16);
	char *text = NULL;
	size_t length = 0;
	struct fail why;
	uint64_t seed = head_bytes + 3 * body_bytes;
	for (size_t i = 0; is_random && i < head_bytes + body_bytes; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		all[i] = (unsigned char)(seed >> 33);
	}
	FILE *file = open_memstream(&text, &length);
	assert_int_equal(html_pack(all, head_bytes, all + head_bytes, body_bytes, file, &why), 0);
	fclose(file);
	packed = malloc(length + 4);
	z_stream z = {.next_in = packed,
	              .avail_in = (unsigned)from_base64(text, packed),
	              .next_out = out,
	              .avail_out = (unsigned)(head_bytes + body_bytes + 16)};
	assert_int_equal(inflateInit2(&z, MAX_WBITS + 16), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	assert_int_equal(z.total_out, 4 + head_bytes + body_bytes);
	inflateEnd(&z);
	assert_int_equal(out[0] | out[1] << 8 | out[2] << 16, head_bytes);
	assert_memory_equal(out + 4, all, head_bytes + body_bytes);
	free(text);
	free(packed);
	free(out);
	free(all);
}

static void what_is_packed_comes_out_again(void **state)
{
	(void)state;
	for (size_t bytes = 0; bytes < 20; bytes++)
		expect_packed(bytes, 2 * bytes, true);
	for (size_t bytes = 49000; bytes < 49300; bytes += 37) /* where what is ready is written */
		expect_packed(1, bytes, true);
	expect_packed(1000, 1 << 20, true);
	expect_packed(1 << 20, 0, true);
	expect_packed(0, 5 << 20, false);
}

/* ---- sources ---- */

/* A sheet whose column `file` names each of these, as often as its place. */
static void note(struct sources *sources, const char *column, const char *const *names)
{
	struct sheet s;
	sheet_start(&s, false);
	COLUMN(&s, TEXT, column, column, "");
	for (int i = 0; names[i]; i++)
		for (int times = 0; times <= i; times++) {
			sheet_row(&s, 0);
			COLUMN(&s, TEXT, column, column, names[i]);
		}
	sources_note(sources, &s);
	sheet_free(&s);
}

static void expect_chosen(const struct sources *s, const char *const *names)
{
	for (size_t i = 0; i < s->chosen; i++) {
		assert_non_null(names[i]);
		assert_string_equal(s->list[i].path, names[i]);
		assert_non_null(s->list[i].text);
	}
	assert_null(names[s->chosen]);
}

static void the_file_that_rows_name_most_is_first(void **state)
{
	struct sources s = {0};
	(void)state;
	lib_write("a.c", "int a;\n");
	lib_write("b.cpp", "int b;\n");
	lib_write("there/c.h", "int c;\n");
	note(&s, "file", (const char *[]){"a.c", "there/c.h", "gone.c", "b.cpp", NULL});
	note(&s, "holder_file", (const char *[]){"there/c.h", "there/c.h", "there/c.h", NULL});
	note(&s, "other", (const char *[]){"other.c", NULL});
	lib_write("other.c", "int other;\n");
	sources_choose(&s, 0);
	expect_chosen(&s, (const char *[]){"there/c.h", "b.cpp", "a.c", NULL});
	assert_int_equal(s.list[2].bytes, 7);
	assert_memory_equal(s.list[2].text, "int a;\n", 7);
	assert_true(s.list[0].is_newer);
	sources_free(&s);
}

static void a_file_from_before_the_run_is_not_newer(void **state)
{
	struct sources s = {0};
	(void)state;
	lib_write("a.c", "int a;\n");
	assert_int_equal(utimes("a.c", (struct timeval[]){{1000, 0}, {1000, 0}}), 0);
	note(&s, "file", (const char *[]){"a.c", NULL});
	sources_choose(&s, UINT64_C(1000) * 1000000000);
	expect_chosen(&s, (const char *[]){"a.c", NULL});
	assert_false(s.list[0].is_newer);
	sources_free(&s);
}

/* A recording from anywhere names what it likes. None of this is read, and none of it is waited for. */
static void what_is_no_source_is_left_out(void **state)
{
	struct sources s = {0};
	(void)state;
	lib_write("a.c", "int a;\n");
	lib_write("id_rsa", "key\n");
	lib_write("letter.txt", "dear\n");
	lib_write(".c", "hidden\n");
	lib_write("empty.c", "");
	FILE *file = fopen("zero.c", "w");
	fwrite("a\0b", 1, 3, file);
	fclose(file);
	file = fopen("large.c", "w");
	for (int i = 0; i < 600 << 10; i++)
		fputc('x', file);
	fclose(file);
	assert_int_equal(mkfifo("pipe.c", 0600), 0);
	assert_int_equal(mkdir("folder.c", 0700), 0);
	note(&s, "file",
	     (const char *[]){"a.c", "id_rsa", "letter.txt", ".c", "empty.c", "zero.c", "large.c", "pipe.c", "folder.c", "gone.c", "",
	                      "/usr/include/stdio.h", "/lib/x.c", NULL});
	sources_choose(&s, 0);
	expect_chosen(&s, (const char *[]){"a.c", NULL});
	sources_free(&s);
}

static void at_most_forty_files_are_read(void **state)
{
	struct sources s = {0};
	static char names[60][16];
	const char *list[61] = {NULL};
	(void)state;
	for (int i = 0; i < 60; i++) {
		snprintf(names[i], sizeof names[i], "f%02d.c", i);
		lib_write(names[i], "int a;\n");
		list[i] = names[i];
	}
	note(&s, "file", list);
	sources_choose(&s, 0);
	assert_int_equal(s.chosen, 40);
	assert_string_equal(s.list[0].path, "f59.c");
	assert_string_equal(s.list[39].path, "f20.c");
	sources_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_packed_comes_out_again),
		cmocka_unit_test_setup_teardown(the_file_that_rows_name_most_is_first, lib_enter, lib_leave),
		cmocka_unit_test_setup_teardown(a_file_from_before_the_run_is_not_newer, lib_enter, lib_leave),
		cmocka_unit_test_setup_teardown(what_is_no_source_is_left_out, lib_enter, lib_leave),
		cmocka_unit_test_setup_teardown(at_most_forty_files_are_read, lib_enter, lib_leave),
	};
	return cmocka_run_group_tests_name("html", tests, NULL, NULL);
}
