/* SPDX-License-Identifier: MIT */
/* note, elf64, archive, bitcode: what is written can be read, and no file, however hostile, does more than fail. */
#include "unit/lib.h"

#include "build/archive.h"
#include "build/bitcode.h"
#include "build/elf64.h"
#include "build/note.h"

static uint64_t random_state = 20150613;

static unsigned random_below(size_t limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((random_state >> 33) % limit);
}

static struct note sample(void)
{
	struct note note = {.folder = str_copy("/a folder\twith\nodd \\x41 names"), .cxx = true, .cilk = true, .parallel = true};
	static const char *const words[] = {"-O2", "", "a\tb", "\\", "-Wl,-rpath,$ORIGIN", "\x7f\x01 \xc3\xa9"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		strv_add(&note.words, words[i]);
	strv_add(&note.environment, "LIBRARY_PATH=/x:/y");
	note.inputs = calloc(1, sizeof *note.inputs);
	note.inputs_count = 1;
	note.inputs[0] = (struct note_input){
		.kind = 'o', .bytes = 12, .mtime_ns = -5, .digest = "0123456789abcdef0123456789abcdef", .path = str_copy("/o\t.o")};
	return note;
}

static void what_is_written_is_read(void **state)
{
	struct note note = sample(), again;
	struct fail why;
	size_t bytes;
	char *text = note_print(&note, &bytes);

	(void)state;
	assert_int_equal(note_parse((struct blob){(unsigned char *)text, bytes}, "x", &again, &why), 0);
	assert_string_equal(again.folder, note.folder);
	assert_true(again.cxx && again.cilk && again.parallel);
	assert_int_equal(again.words.count, note.words.count);
	for (size_t i = 0; i < note.words.count; i++)
		assert_string_equal(again.words.at[i], note.words.at[i]);
	assert_string_equal(again.environment.at[0], note.environment.at[0]);
	assert_int_equal(again.inputs_count, 1);
	assert_string_equal(again.inputs[0].path, "/o\t.o");
	assert_int_equal(again.inputs[0].mtime_ns, -5);
	note_free(&again);
	note_free(&note);
	free(text);
}

/* Every prefix is refused: the last line counts the others. */
static void a_note_that_is_cut_off_is_refused(void **state)
{
	struct note note = sample(), again;
	struct fail why;
	size_t bytes;
	char *text = note_print(&note, &bytes);

	(void)state;
	for (size_t cut = 0; cut < bytes; cut++) {
		unsigned char *copy = malloc(cut ? cut : 1); /* its own allocation, so that a sanitizer sees a byte too many */
		memcpy(copy, text, cut);
		assert_int_equal(note_parse((struct blob){copy, cut}, "x", &again, &why), -1);
		assert_int_equal(why.status, FAIL_CANNOT_RUN);
		free(copy);
	}
	note_free(&note);
	free(text);
}

static void random_changes_never_crash_the_reader(void **state)
{
	struct note note = sample(), again;
	struct fail why;
	size_t bytes;
	char *text = note_print(&note, &bytes);

	(void)state;
	for (int round = 0; round < 20000; round++) {
		unsigned char *copy = malloc(bytes);
		memcpy(copy, text, bytes);
		for (unsigned n = 1 + random_below(4); n; n--)
			copy[random_below(bytes)] = (unsigned char)random_below(256);
		if (note_parse((struct blob){copy, bytes}, "x", &again, &why) == 0)
			note_free(&again);
		free(copy);
	}
	note_free(&note);
	free(text);
}

/* All that looks at a file, on one piece of memory. */
static void look_at(struct blob file)
{
	struct blob section;
	struct elf64_dynamic dynamic;
	struct archive ar;
	struct archive_member member;
	struct note note;
	struct fail why;
	char hex[65];

	elf64_type(file);
	elf64_build_id(file, hex);
	elf64_dynamic(file, &dynamic);
	elf64_dynamic_free(&dynamic);
	if (elf64_section(file, NOTE_SECTION, &section) && note_parse(section, "x", &note, &why) == 0)
		note_free(&note);
	for (archive_open(&ar, file, "/nowhere/x.a"); archive_next(&ar, &member);)
		elf64_type(member.contents);
	archive_close(&ar);
	bitcode_modules(file);
	elf64_hide((unsigned char *)file.at, file.size, ".text");
}

static void hostile(const char *path, bool whole, int rounds)
{
	struct blob file;
	struct fail why;

	assert_int_equal(blob_read(path, &file, &why), 0);
	size_t head = whole || file.size < 4096 ? file.size : 4096, limit = file.size < 65536 ? file.size : 65536;
	for (int round = 0; round < rounds; round++) {
		size_t size = round % 2 ? random_below(limit + 1) : file.size;
		unsigned char *copy = malloc(size ? size : 1);
		memcpy(copy, file.at, size);
		for (unsigned n = 1 + random_below(8); n && size; n--)
			copy[random_below(head < size ? head : size)] = (unsigned char)random_below(256);
		/* the section table stands at the end: damage it as often as the rest */
		for (unsigned n = random_below(8); n && size > 2048; n--)
			copy[size - 1 - random_below(2048)] = (unsigned char)random_below(256);
		look_at((struct blob){copy, size});
		free(copy);
	}
	blob_free(&file);
}

static void damaged_programs_never_crash_the_reader(void **state)
{
	(void)state;
	hostile("/proc/self/exe", false, 600);
}

static void damaged_archives_never_crash_the_reader(void **state)
{
	char path[] = "/tmp/skein-test-XXXXXX";
	int fd = mkstemp(path);
	static const char *const parts[] = {
		"!<arch>\n",
		"/               0           0     0     0       4         `\n\0\0\0\0",
		"//              0           0     0     0       24        `\na_rather_long_name.o/\n\n\n",
		"/0              0           0     0     644     6         `\nabcdef",
		"short.o/        0           0     0     644     3         `\nabc\n",
		"#1/8            0           0     0     644     10        `\nbsdname\0xy",
	};
	static const size_t sizes[] = {8, 64, 84, 66, 64, 70};
	struct archive ar;
	struct archive_member member;
	struct blob file;
	struct fail why;
	static const char *const names[] = {"a_rather_long_name.o", "short.o", "bsdname"};
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		assert_int_equal(write(fd, parts[i], sizes[i]), (ssize_t)sizes[i]);
	close(fd);
	assert_int_equal(blob_read(path, &file, &why), 0);
	for (archive_open(&ar, file, path); archive_next(&ar, &member); count++)
		assert_string_equal(member.name, names[count]);
	assert_int_equal(count, 3);
	archive_close(&ar);
	blob_free(&file);
	hostile(path, true, 20000);
	unlink(path);
}

static void a_section_is_added_and_hidden(void **state)
{
	char path[] = "/tmp/skein-test-XXXXXX";
	int fd = mkstemp(path);
	struct blob self, file, found;
	struct fail why;
	struct elf64_addition more[] = {{".skein.a", 1, 0, {(const unsigned char *)"first", 5}},
	                                {".skein.b", 1, 0, {(const unsigned char *)"second", 6}}};

	(void)state;
	assert_int_equal(blob_read("/proc/self/exe", &self, &why), 0);
	assert_int_equal(write(fd, self.at, self.size), (ssize_t)self.size);
	close(fd);
	assert_int_equal(elf64_add(path, more, 2, &why), 0);
	assert_int_equal(blob_read(path, &file, &why), 0);
	assert_true(elf64_section(file, ".skein.b", &found) && found.size == 6 && memcmp(found.at, "second", 6) == 0);
	assert_true(elf64_section(file, ".skein.a", &found) && found.size == 5);
	assert_true(elf64_section(file, ".text", &found));
	assert_memory_equal(file.at + 64, self.at + 64, self.size - 64); /* nothing but the header changed */
	assert_int_equal(elf64_hide((unsigned char *)file.at, file.size, ".skein.a"), 1);
	assert_false(elf64_section(file, ".skein.a", &found));
	blob_free(&file);
	blob_free(&self);
	unlink(path);
}

static void digests_tell_apart(void **state)
{
	struct digest a = {0}, b = {0}, c = {0};

	(void)state;
	digest_text(&a, "ab");
	digest_text(&a, "c");
	digest_text(&b, "a");
	digest_text(&b, "bc");
	digest_text(&c, "ab");
	digest_text(&c, "c");
	assert_memory_not_equal(&a, &b, sizeof a);
	assert_memory_equal(&a, &c, sizeof a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(a_note_that_is_cut_off_is_refused),
		cmocka_unit_test(random_changes_never_crash_the_reader),
		cmocka_unit_test(damaged_programs_never_crash_the_reader),
		cmocka_unit_test(damaged_archives_never_crash_the_reader),
		cmocka_unit_test(a_section_is_added_and_hidden),
		cmocka_unit_test(digests_tell_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
