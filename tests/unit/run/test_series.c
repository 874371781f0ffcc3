/* SPDX-License-Identifier: MIT */
/* Repeated runs: each program has each of its turns once, pairs stay together, and each run reads the same standard input. */
#include "unit/lib.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "run/repeat/again.h"
#include "run/repeat/series.h"

static void one_program_has_its_turns_in_order(void **state)
{
	size_t count;
	struct series_step *steps = series_steps(3, 2, 1, &count);
	(void)state;
	assert_int_equal(count, 5);
	static const unsigned turns[] = {0, 0, 1, 2, 3};
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(steps[i].side, 0);
		assert_int_equal(steps[i].turn, turns[i]);
	}
	free(steps);
}

static void two_programs_run_in_pairs_in_either_order(void **state)
{
	size_t count, swapped = 0, changes = 0;
	struct series_step *steps = series_steps(1000, 1, 2, &count);
	(void)state;
	assert_int_equal(count, 2002);
	for (size_t i = 0; i < count; i += 2) {
		assert_int_equal(steps[i].side + steps[i + 1].side, 1);
		assert_int_equal(steps[i].turn, i / 2);
		assert_int_equal(steps[i + 1].turn, i / 2);
		swapped += steps[i].side;
		changes += i && steps[i].side != steps[i - 2].side;
	}
	assert_in_range(swapped, 440, 560); /* by chance 500 +- 16 */
	assert_in_range(changes, 440, 560);
	size_t again_count;
	struct series_step *again = series_steps(1000, 1, 2, &again_count);
	assert_memory_equal(steps, again, count * sizeof *steps);
	free(again);
	free(steps);
}

static void first_pairs_have_both_orders(void **state)
{
	size_t count, swapped = 0;
	struct series_step *steps = series_steps(10, 0, 2, &count);
	(void)state;
	for (size_t i = 0; i < count; i += 2)
		swapped += steps[i].side;
	assert_in_range(swapped, 3, 7);
	free(steps);
}

/* What a run reads, to the end. */
static size_t read_all(const struct again *again, char *text, size_t room)
{
	struct fail why;
	size_t bytes = 0;
	ssize_t got;
	assert_int_equal(again_begin(again, &why), 0);
	while ((got = read(STDIN_FILENO, text + bytes, room - bytes)) > 0)
		bytes += (size_t)got;
	return bytes;
}

static void a_pipe_is_read_by_each_run(void **state)
{
	struct again again;
	struct fail why;
	int ends[2];
	char text[64], link[64];
	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "one\ntwo\n", 8), 8);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	assert_int_equal(again_open(&again, &why), 0);
	for (int run = 0; run < 3; run++) {
		assert_int_equal(read_all(&again, text, sizeof text), 8);
		assert_memory_equal(text, "one\ntwo\n", 8);
	}
	assert_int_equal(write(STDIN_FILENO, "x", 1), -1); /* what a run writes there does not reach the next one */
	ssize_t length = readlink("/proc/self/fd/0", link, sizeof link - 1);
	assert_true(length > 0);
	link[length] = 0;
	assert_true(access(link, F_OK) < 0); /* it has no name */
}

static void a_file_is_read_from_where_it_stood(void **state)
{
	struct again again;
	struct fail why;
	char text[64], path[] = "/tmp/skein-test-XXXXXX";
	int fd = mkstemp(path);
	(void)state;
	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(write(fd, "head tail", 9), 9);
	lseek(fd, 5, SEEK_SET);
	dup2(fd, STDIN_FILENO);
	close(fd);
	assert_int_equal(again_open(&again, &why), 0);
	for (int run = 0; run < 3; run++)
		assert_int_equal(read_all(&again, text, sizeof text), 4);
	assert_memory_equal(text, "tail", 4);
}

static void what_is_no_file_and_no_pipe_stays(void **state)
{
	struct again again;
	struct fail why;
	(void)state;
	int null = open("/dev/null", O_RDONLY);
	dup2(null, STDIN_FILENO);
	close(null);
	assert_int_equal(again_open(&again, &why), 0);
	assert_false(again.rewinds);
	close(STDIN_FILENO);
	assert_int_equal(again_open(&again, &why), 0);
	assert_int_equal(again_begin(&again, &why), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_program_has_its_turns_in_order), cmocka_unit_test(two_programs_run_in_pairs_in_either_order),
		cmocka_unit_test(first_pairs_have_both_orders),       cmocka_unit_test(a_pipe_is_read_by_each_run),
		cmocka_unit_test(a_file_is_read_from_where_it_stood), cmocka_unit_test(what_is_no_file_and_no_pipe_stays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
