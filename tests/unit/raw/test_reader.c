/* SPDX-License-Identifier: MIT */
/* The reader of raw recordings takes nothing on trust. */
#include "unit/lib.h"

#include "raw/reader.h"
#include "unit/raw/make.h"

static char folder[64];
static char path[128];

static int make_folder(void **state)
{
	(void)state;
	return rawmake_folder(folder, sizeof folder, path, sizeof path, "1000.raw");
}

static int remove_folder(void **state)
{
	(void)state;
	return rawmake_remove(folder);
}

/* Looks at every byte that the reader lets through; the sanitizer sees if one lies outside. Returns the records. */
static size_t walk(const struct raw_reader *raw)
{
	size_t count = 0;
	volatile uint64_t sum = 0;
	for (const struct raw_record *r = raw_first(raw); r; r = raw_next(raw, r)) {
		count++;
		if (r->type == RAW_OBJECT) {
			const struct raw_object *object = (const void *)r;
			for (unsigned n = 0; n < 4; n++)
				sum += strlen(raw_text(object->text, object->text_bytes, n));
		} else if (r->type == RAW_TABLE) {
			size_t rows;
			const struct raw_table *table = (const void *)r;
			const unsigned char *bytes = raw_table_rows(table, &rows);
			for (size_t i = 0; i < rows * table->row_bytes; i++)
				sum += bytes[i];
		} else if (r->type == RAW_NAME) {
			const struct raw_name *name = (const void *)r;
			sum += strlen(raw_text(name->text, name->text_bytes, 1));
		}
	}
	return count;
}

static void a_good_file_is_read_whole(void **state)
{
	(void)state;
	struct raw_reader raw;
	struct fail why;
	assert_int_equal(raw_reader_open(&raw, path, &why), 0);
	assert_int_equal(raw.file.pid, 1000);
	assert_int_equal(walk(&raw), 17);
	raw_reader_close(&raw);
}

static void a_missing_file_and_a_folder_are_refused(void **state)
{
	(void)state;
	struct raw_reader raw;
	struct fail why;
	assert_int_equal(raw_reader_open(&raw, "/nowhere/at/all", &why), -1);
	assert_int_equal(why.status, FAIL_NOT_FOUND);
	assert_int_equal(raw_reader_open(&raw, folder, &why), -1);
	assert_int_equal(why.status, FAIL_INTERNAL);
}

static unsigned char *load(size_t *size)
{
	FILE *file = fopen(path, "rb");
	unsigned char *bytes = malloc(RAWMAKE_ROOM);
	*size = fread(bytes, 1, RAWMAKE_ROOM, file);
	fclose(file);
	return bytes;
}

static void store(const char *to, const unsigned char *bytes, size_t size)
{
	FILE *file = fopen(to, "wb");
	fwrite(bytes, 1, size, file);
	fclose(file);
}

static void every_truncation_is_refused(void **state)
{
	(void)state;
	struct raw_reader raw;
	struct fail why;
	char cut[160];
	snprintf(cut, sizeof cut, "%s/cut", folder);
	size_t size;
	unsigned char *bytes = load(&size);
	for (size_t length = 0; length < size; length += length < RAW_HEADER_BYTES ? 512 : 8) {
		store(cut, bytes, length);
		assert_int_equal(raw_reader_open(&raw, cut, &why), -1);
		assert_int_equal(why.status, FAIL_INTERNAL);
	}
	free(bytes);
}

static void a_record_that_was_never_named_ends_the_file(void **state)
{
	(void)state;
	struct rawmake make;
	struct raw_reader raw;
	struct fail why;
	char file[160];
	snprintf(file, sizeof file, "%s/pending", folder);
	rawmake_start(&make, 0);
	rawmake_thread(&make, 0, 0, 0, 1, "t");
	((struct raw_record *)rawmake_add(&make, RAW_PENDING, 64))->type = RAW_PENDING;
	rawmake_thread(&make, 1, 0, 0, 1, "t");
	((struct raw_record *)rawmake_add(&make, 0, 64))->bytes = 0;
	rawmake_write(&make, file);
	assert_int_equal(raw_reader_open(&raw, file, &why), 0);
	assert_int_equal(walk(&raw), 4);
	assert_int_equal(raw.pending, 2);
	raw_reader_close(&raw);
	rawmake_free(&make);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Bytes, words and whole numbers at random places: every file is either read within its bounds or refused. */
static void mutations_never_lead_outside(void **state)
{
	(void)state;
	struct raw_reader raw;
	struct fail why;
	char file[160];
	snprintf(file, sizeof file, "%s/mutated", folder);
	size_t size, good = 0;
	unsigned char *bytes = load(&size), *copy = malloc(size);
	uint64_t seed = 88172645463325252u;
	for (int round = 0; round < 4000; round++) {
		static const uint32_t nasty[] = {0, 1, 7, 8, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff8};
		memcpy(copy, bytes, size);
		for (uint64_t n = next_random(&seed) % 4 + 1; n; n--) {
			size_t at = (size_t)(next_random(&seed) % (size / 4)) * 4;
			uint32_t word = next_random(&seed) % 2 ? nasty[next_random(&seed) % 8] : (uint32_t)next_random(&seed);
			if (at >= sizeof(struct raw_file) && at < RAW_HEADER_BYTES)
				at = RAW_HEADER_BYTES + at % (size - RAW_HEADER_BYTES) / 4 * 4;
			memcpy(copy + at, &word, sizeof word);
		}
		store(file, copy, size);
		if (raw_reader_open(&raw, file, &why) == 0) {
			walk(&raw);
			raw_reader_close(&raw);
			good++;
		}
	}
	assert_true(good > 100);
	free(bytes);
	free(copy);
}

static void random_bytes_are_refused(void **state)
{
	(void)state;
	struct raw_reader raw;
	struct fail why;
	char file[160];
	unsigned char bytes[16384];
	uint64_t seed = 42;
	snprintf(file, sizeof file, "%s/random", folder);
	for (int round = 0; round < 100; round++) {
		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (unsigned char)next_random(&seed);
		if (round % 2)
			memcpy(bytes, RAW_MAGIC, 8);
		store(file, bytes, sizeof bytes);
		assert_int_equal(raw_reader_open(&raw, file, &why), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_file_is_read_whole),    cmocka_unit_test(a_missing_file_and_a_folder_are_refused),
		cmocka_unit_test(every_truncation_is_refused),  cmocka_unit_test(a_record_that_was_never_named_ends_the_file),
		cmocka_unit_test(mutations_never_lead_outside), cmocka_unit_test(random_bytes_are_refused),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
