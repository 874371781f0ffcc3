/* SPDX-License-Identifier: MIT */
/* test_paths.c: rows of call paths, against a list that is searched from its beginning, and against libgcc's walks. */
#include "unit/lib.h"

#include <execinfo.h>
#include "raw/writer.h"
#include "trace/paths.h"
#include "unwind/modules.h"

enum { LANES = 2, ROWS_MAX = 20000, DEEPEST = 300 };

static struct paths lanes[LANES + 1];

/* What begins a thread here: the function whose call returns to this address. */
static uintptr_t start;
bool threads_is_start(uintptr_t ip);
bool threads_is_start(uintptr_t ip)
{
	return ip == start;
}

/* ---- what is in the recording ---- */

static const struct raw_flow_path *row_of(uint32_t lane, uint32_t number)
{
	const char *at = (const char *)raw_header() + RAW_HEADER_BYTES, *end = (const char *)raw_header() + raw_header()->used_bytes;
	for (; at < end; at += ((const struct raw_record *)at)->bytes) {
		const struct raw_table *t = (const struct raw_table *)at;
		if (t->record.type == RAW_TABLE && t->kind == RAW_FLOW_PATHS && t->lane == lane && number >= t->object &&
		    number < t->object + t->used)
			return (const struct raw_flow_path *)(t + 1) + (number - t->object);
	}
	return NULL;
}

static void without_a_recording_there_are_no_rows(void **state)
{
	static struct paths paths;
	(void)state;
	paths_begin(&paths);
	assert_int_equal(paths_intern(&paths, 0, &(uint64_t){1}, 1), 0);
	assert_int_equal(paths_here(&paths, 0, (void *)16), 0);
}

/* ---- rows ---- */

static struct {
	struct raw_flow_path rows[ROWS_MAX];
	uint32_t count;
} naive[LANES];

static uint32_t naive_row(uint32_t lane, uint32_t parent, uint64_t place)
{
	for (uint32_t i = 0; i < naive[lane].count; i++)
		if (naive[lane].rows[i].place == place && naive[lane].rows[i].parent == parent)
			return i + 1;
	assert_true(naive[lane].count < ROWS_MAX);
	naive[lane].rows[naive[lane].count++] = (struct raw_flow_path){.place = place, .parent = parent};
	return naive[lane].count;
}

static void each_frame_below_the_same_frames_has_one_row(void **state)
{
	uint64_t random = 1, places[PATHS_FRAMES];
	(void)state;
	for (int turn = 0; turn < 3000; turn++) {
		uint32_t lane = turn % LANES, expected = 0, count = 1 + (uint32_t)(turn * 7 % PATHS_FRAMES);
		for (uint32_t i = count; i--;) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			uint64_t choice = random >> 60 ? 0 : random >> 40 & 3;
			places[i] = (uint64_t)(1 + choice) << RAW_PLACE_SHIFT | (0x401000 + 16 * choice);
		}
		for (uint32_t i = count; i--;)
			expected = naive_row(lane, expected, places[i]);
		assert_int_equal(paths_intern(&lanes[lane], lane, places, count), expected);
	}
	for (uint32_t lane = 0; lane < LANES; lane++) {
		assert_true(naive[lane].count > 5000);
		for (uint32_t number = 1; number <= naive[lane].count; number++)
			assert_memory_equal(row_of(lane, number), &naive[lane].rows[number - 1], sizeof naive[lane].rows[0]);
		assert_null(row_of(lane, naive[lane].count + 1));
	}
}

/* ---- walks ---- */

static struct {
	uint32_t path;
	void *theirs[DEEPEST + 50];
	int count;
} walked;
static volatile int sink;

#ifdef __clang__
#define NOINLINE __attribute__((noinline, disable_tail_calls))
#else
#define NOINLINE __attribute__((noinline, noclone, optimize("no-optimize-sibling-calls")))
#endif

/* As an interposed function does. */
static NOINLINE void wait_here(void)
{
	walked.path = paths_here(&lanes[LANES], LANES, __builtin_return_address(0));
	walked.count = backtrace(walked.theirs, DEEPEST + 50);
}

static NOINLINE void descend(int depth)
{
	if (depth)
		descend(depth - 1);
	else
		wait_here();
	sink++;
}

/* Rows from the innermost one on are those of libgcc's walk, less its first frame, up to `most`. */
static void check_rows(int most)
{
	uint32_t number = walked.path;
	int expected = walked.count - 1 < most ? walked.count - 1 : most;
	for (int i = 0; i < expected; i++) {
		const struct raw_flow_path *row = row_of(LANES, number);
		assert_non_null(row);
		assert_true(row->place == modules_place((uintptr_t)walked.theirs[i + 1]));
		number = row->parent;
	}
	assert_int_equal(number, 0);
}

static void a_path_is_what_libgcc_sees_from_the_caller_on(void **state)
{
	(void)state;
	for (int depth = 0; depth < DEEPEST; depth = depth * 2 + 1) {
		uint32_t first = 0;
		for (volatile int again = 0; again < 2; again++) { /* unrolled, it would be two calls */
			descend(depth);
			assert_true(walked.count > depth + 2);
			check_rows(PATHS_FRAMES);
			assert_true(walked.path && (!again || walked.path == first));
			first = walked.path;
		}
	}
}

static NOINLINE void start_function(void)
{
	descend(3);
	sink++;
}

static NOINLINE void begin_thread(void)
{
	start_function();
	sink++;
}

/* Four of descend, and start_function: begin_thread is Skein's, and what is beyond it the machinery's. */
static void a_path_ends_with_the_function_of_the_thread(void **state)
{
	(void)state;
	begin_thread();
	start = (uintptr_t)walked.theirs[6];
	begin_thread();
	start = 0;
	check_rows(5);
}

static void a_caller_that_is_not_on_the_stack_is_the_whole_path(void **state)
{
	uintptr_t elsewhere = (uintptr_t)backtrace + 1;
	(void)state;
	uint32_t path = paths_here(&lanes[LANES], LANES, (const void *)elsewhere);
	assert_non_null(row_of(LANES, path));
	assert_true(row_of(LANES, path)->place == modules_place(elsewhere));
	assert_int_equal(row_of(LANES, path)->parent, 0);
}

int main(void)
{
	static char folder[] = "/tmp/skein-paths-XXXXXX";
	int failed = 1;
	const struct CMUnitTest before[] = {cmocka_unit_test(without_a_recording_there_are_no_rows)};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_frame_below_the_same_frames_has_one_row),
		cmocka_unit_test(a_path_is_what_libgcc_sees_from_the_caller_on),
		cmocka_unit_test(a_path_ends_with_the_function_of_the_thread),
		cmocka_unit_test(a_caller_that_is_not_on_the_stack_is_the_whole_path),
	};
	if (cmocka_run_group_tests(before, NULL, NULL) || !mkdtemp(folder) || raw_open(folder, RAW_LENS_FLOW, 0) < 0)
		return 1;
	modules_start();
	for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
		paths_begin(&lanes[i]);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	char path[128];
	snprintf(path, sizeof path, "%s/%d-0.raw", folder, (int)getpid());
	remove(path);
	remove(folder);
	return failed;
}
