/* SPDX-License-Identifier: MIT */
/* Functions of which nobody knows what they read and write: whom the report names. */
#include "unit/lib.h"

#include "analyse/input/input.h"
#include "analyse/table.h"
#include "core/input/points.h"
#include "unit/raw/make.h"

static char folder[] = "/tmp/skein-unseen.XXXXXX";

/* A program of main and never, and a library of work; `lines` are those of the program's table that say what is unseen.
 * Main and work were called. */
static struct session session_with(const char *lines)
{
	char text[2048], plan[2048];
	struct rawmake raw;
	struct session session;
	struct fail why;
	snprintf(
		plan, sizeof plan,
		"lens\tinput\nmode\tblocks\nperiod_us\t1000\nnative\t/prog\ncommand\t./prog\nobject\t/prog\t/cache/prog\t%s/prog.table\tb1d\n"
		"object\t/lib.so\t/cache/lib.so\t%s/lib.table\t11b\n",
		folder, folder);
	rawmake_text(folder, "session", plan);
	snprintf(text, sizeof text, "skein-table\t2\no\tb1d\tblocks\nr\t0\tmain\t/prog.c\t1\t-\nr\t1\tnever\t/prog.c\t9\t-\n%send\t2\t0\n",
	         lines);
	rawmake_text(folder, "prog.table", text);
	rawmake_text(folder, "lib.table",
	             "skein-table\t2\no\t11b\tblocks\nr\t0\twork\t/lib.c\t1\t-\nr\t1\tskipped\t/lib.c\t9\tu\nu\t0\tinflate\nend\t2\t0\n");
	rawmake_start(&raw, RAW_FINISHED);
	raw.file->lens = RAW_LENS_INPUT;
	rawmake_object(&raw, 0, 1, 2, "b1d", "prog.table", "/cache/prog");
	rawmake_object(&raw, 1, 3, 2, "11b", "lib.table", "/cache/lib.so");
	rawmake_thread(&raw, 0, 0, 0, 1000000000, "prog");
	struct raw_input_point *points = rawmake_table(&raw, RAW_INPUT_POINTS, 0, sizeof *points, 2);
	for (unsigned i = 0; i < 2; i++)
		points[i] = (struct raw_input_point){.routine = 1 + 2 * i,
		                                     .metrics = (1 << INPUT_METRICS) - 1,
		                                     .size = 3,
		                                     .size_sum = 3,
		                                     .calls = 1,
		                                     .cost_min = 5,
		                                     .cost_max = 5,
		                                     .cost_sum = 5};
	struct raw_input_how *how = rawmake_table(&raw, RAW_INPUT_HOW, RAW_NO_LANE, sizeof *how, 1);
	*how = (struct raw_input_how){.producer = RAW_INPUT_COMPILED, .cost = RAW_INPUT_BLOCKS, .cell_bytes = 4};
	snprintf(text, sizeof text, "%s/1.raw", folder);
	rawmake_write(&raw, text);
	rawmake_free(&raw);
	assert_int_equal(session_read(&session, folder, &why), 0);
	return session;
}

/* The note of a session with such lines, or "". */
static void expect_note(const char *lines, const char *note)
{
	struct session session = session_with(lines);
	struct inputs inputs;
	const char *found = "";
	inputs_build(&session, &inputs);
	for (size_t i = 0; i < session.run.note_count; i++)
		found = strstr(session.run.notes[i], "hooks") ? session.run.notes[i] : found;
	assert_string_equal(found, note);
	inputs_free(&inputs);
	session_free(&session);
	run_free(&session.run);
}

static void functions_that_were_called_are_named(void **unused)
{
	(void)unused;
	expect_note("",
	            "The reads and writes of inflate were not seen, because it has no hooks: `skein record input --valgrind` sees them.");
	expect_note(
		"u\t0\tdeflate\n",
		"The reads and writes of 2 functions without hooks were not seen (deflate and inflate): `skein record input --valgrind` sees them.");
	expect_note(
		"u\t0\ta\nu\t0\tb\nu\t0\tc\nu\t0\t_ZN4code3runEi\nu\t0\te\nu\t0\tf\n",
		"The reads and writes of 7 functions without hooks were not seen (a, b, c, code::run(int), e and 2 more): `skein record input --valgrind` sees them.");
}

static void once_however_many_call_them(void **unused)
{
	(void)unused;
	expect_note("u\t0\tinflate\nu\t0\tinflate\nu\t1\tinflate\n",
	            "The reads and writes of inflate were not seen, because it has no hooks: `skein record input --valgrind` sees them.");
}

static void not_those_of_routines_that_nobody_called_and_not_those_with_hooks(void **unused)
{
	(void)unused;
	expect_note("u\t1\tdeflate\nu\t0\twork\n",
	            "The reads and writes of inflate were not seen, because it has no hooks: `skein record input --valgrind` sees them.");
	expect_note(
		"u\t0\tskipped\n",
		"The reads and writes of 2 functions without hooks were not seen (skipped and inflate): `skein record input --valgrind` sees them.");
}

static void a_caller_that_is_not_there_is_refused(void **unused)
{
	(void)unused;
	static const char *const lines[] = {"u\t2\tdeflate\n", "u\t-1\tdeflate\n", "u\t\tdeflate\n", "u\n"};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct table table;
		struct fail why;
		char text[512], path[512];
		snprintf(text, sizeof text,
		         "skein-table\t2\no\tb1d\tblocks\nr\t0\tmain\t/prog.c\t1\t-\nr\t1\tnever\t/prog.c\t9\t-\n%send\t2\t0\n", lines[i]);
		rawmake_text(folder, "bad.table", text);
		snprintf(path, sizeof path, "%s/bad.table", folder);
		assert_true(table_read(&table, path, &why) < 0);
	}
}

static int make_folder(void **unused)
{
	(void)unused;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused)
{
	(void)unused;
	static const char *const names[] = {"session", "prog.table", "lib.table", "bad.table", "1.raw"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[512];
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		unlink(path);
	}
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_that_were_called_are_named),
		cmocka_unit_test(once_however_many_call_them),
		cmocka_unit_test(not_those_of_routines_that_nobody_called_and_not_those_with_hooks),
		cmocka_unit_test(a_caller_that_is_not_there_is_refused),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
