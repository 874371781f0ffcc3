/* SPDX-License-Identifier: MIT */
/* Events as bytes: what is put into a chunk is what comes out, and hostile bytes do no harm. */
#include "core/flow/hot.h"
#include "core/flow/log.h"
#include "unit/lib.h"

enum { BYTES = 4096, RECORDS = BYTES };

static uint64_t draw(uint64_t *random)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	uint64_t wide = *random ^ *random >> 29;
	return wide >> wide % 61; /* short and long numbers alike */
}

static const int field_count[FLOW_KINDS] = {
#define FIELD_NONE 0
#define FIELD_NUMBER 1
#define FIELD_PLACE 1
#define X(kind, first, second, third) [FLOW_##kind] = FIELD_##first + FIELD_##second + FIELD_##third,
	FLOW_RECORD_LIST(X)
#undef X
};

static struct flow_record make_record(uint64_t *random, uint64_t time)
{
	struct flow_record record = {.time = time + draw(random) % 100000, .kind = (enum flow_kind)(draw(random) % FLOW_KINDS)};
	for (int i = 0; i < field_count[record.kind]; i++)
		record.field[i] = draw(random);
	return record;
}

static void what_is_put_comes_out(void **state)
{
	static uint64_t memory[BYTES / 8];
	static struct flow_record records[RECORDS];
	uint64_t random = 1;
	(void)state;
	for (int turn = 0; turn < 500; turn++) {
		struct flow_chunk chunk;
		struct flow_reader reader;
		struct flow_record got;
		uint64_t time = draw(&random) % (UINT64_MAX / 4);
		size_t count = 0, bytes = 64 + draw(&random) % (BYTES - 64) / 8 * 8;
		flow_chunk_start(&chunk, memory, bytes, time);
		for (;;) {
			struct flow_record record = make_record(&random, time);
			struct flow_mark mark = flow_log_mark(&chunk);
			if (!flow_log_put(&chunk, &record))
				break;
			if (draw(&random) % 5 == 0) {
				flow_log_return(&chunk, &mark);
				continue;
			}
			time = record.time;
			records[count++] = record;
		}
		flow_reader_start(&reader, memory, bytes);
		for (size_t i = 0; i < count; i++) {
			assert_true(flow_log_get(&reader, &got));
			assert_memory_equal(&got, &records[i], offsetof(struct flow_record, kind) + sizeof got.kind);
		}
		assert_false(flow_log_get(&reader, &got));
		assert_false(reader.is_bad);
	}
}

/* What hooks write themselves is what the reader takes for entries and returns. */
static void hooks_write_records(void **state)
{
	static const uint64_t numbers[] = {1, FLOW_HOT_SHORT - 1, FLOW_HOT_SHORT, FLOW_HOT_LONG - 1};
	uint64_t memory[32];
	struct flow_hot hot = {.depth = 1};
	struct flow_reader reader;
	struct flow_record got = {0};
	size_t entered = 0, left = 0;
	(void)state;
	flow_chunk_start(&hot.chunk, memory, sizeof memory, arch_tick());
	for (size_t i = 0; i < 4; i++) {
		uint64_t mine = flow_hot_enter(&hot, numbers[i], 1);
		if (!mine) /* the clock was late: the slow half would have been asked */
			break;
		assert_int_equal(mine, 2 + entered++);
	}
	while (left < entered && flow_hot_leave(&hot, 1))
		left++;
	assert_int_equal(hot.depth, 1 + entered - left);
	assert_int_equal(hot.busy, 0);
	flow_reader_start(&reader, memory, sizeof memory);
	for (size_t i = 0; i < entered; i++)
		assert_true(flow_log_get(&reader, &got) && got.kind == FLOW_ENTRY && got.field[0] == numbers[i]);
	for (size_t i = 0; i < left; i++)
		assert_true(flow_log_get(&reader, &got) && got.kind == FLOW_RETURN);
	assert_int_equal(got.time, entered ? hot.chunk.time : got.time);
	assert_false(flow_log_get(&reader, &got) || reader.is_bad);
}

static void hooks_leave_the_rest_to_others(void **state)
{
	uint64_t memory[32];
	struct flow_hot hot = {.depth = 1};
	(void)state;
	flow_chunk_start(&hot.chunk, memory, sizeof memory, arch_tick());
	assert_int_equal(flow_hot_enter(&hot, FLOW_HOT_LONG, 1), 0); /* a large number */
	hot.chunk.time -= FLOW_HOT_LONG;
	assert_int_equal(flow_hot_enter(&hot, 1, 1), 0); /* a long time */
	flow_chunk_start(&hot.chunk, memory, sizeof(struct flow_head) + FLOW_RECORD_BYTES - 1, arch_tick());
	assert_false(flow_hot_leave(&hot, 1)); /* no room */
	flow_chunk_start(&hot.chunk, memory, sizeof memory, arch_tick());
	hot.busy = 1;
	assert_false(flow_hot_enter(&hot, 1, 2) || flow_hot_leave(&hot, 2)); /* a handler interrupted the log's change */
	assert_int_equal(hot.busy, 1);
	assert_int_equal(hot.depth, 1);
	assert_int_equal(hot.chunk.head->used, 0);
}

/* A clock that goes back a little must not become a step of 2^64. */
static void time_does_not_go_back(void **state)
{
	uint64_t memory[32];
	struct flow_chunk chunk;
	struct flow_reader reader;
	struct flow_record got;
	(void)state;
	flow_chunk_start(&chunk, memory, sizeof memory, 100);
	assert_true(flow_log_put(&chunk, &(struct flow_record){.time = 120, .kind = FLOW_GO}));
	assert_true(flow_log_put(&chunk, &(struct flow_record){.time = 110, .kind = FLOW_GO}));
	flow_reader_start(&reader, memory, sizeof memory);
	assert_true(flow_log_get(&reader, &got) && got.time == 120);
	assert_true(flow_log_get(&reader, &got) && got.time == 120);
}

/* Two locks that a thread takes in turn, a microsecond apart. */
static void a_record_of_a_lock_is_short(void **state)
{
	static uint64_t memory[BYTES / 8];
	struct flow_chunk chunk;
	uint64_t time = 0, count = 0;
	(void)state;
	flow_chunk_start(&chunk, memory, sizeof memory, time);
	for (bool acquires = true;; acquires = !acquires, count++)
		if (!flow_log_put(&chunk,
		                  &(struct flow_record){
					  .time = time += 2000,
					  .kind = acquires ? FLOW_ACQUIRE : FLOW_RELEASE,
					  .field = {count / 2 % 2, UINT64_C(0x1000000401000) + count % 4 * 16},
				  }))
			break;
	assert_true(chunk.head->used <= 5 * count + 16); /* the first place is a whole address */
}

static void hostile_bytes_end_the_log(void **state)
{
	static uint64_t memory[32];
	uint64_t random = 7, bad = 0;
	(void)state;
	for (int turn = 0; turn < 100000; turn++) {
		struct flow_reader reader;
		struct flow_record got;
		size_t bytes = draw(&random) % (sizeof memory + 1), seen = 0;
		for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
			memory[i] = draw(&random);
		if (turn % 2)
			memory[1] %= sizeof memory;
		flow_reader_start(&reader, memory, bytes);
		while (flow_log_get(&reader, &got)) {
			assert_true(reader.at <= (const unsigned char *)memory + bytes);
			assert_true(got.kind < FLOW_KINDS);
			seen++;
		}
		assert_true(seen <= bytes);
		bad += reader.is_bad;
	}
	assert_true(bad > 50000);
}

/* Ten bytes hold 70 bits: a number of more than 64 is not one that was put. */
static void a_number_has_64_bits(void **state)
{
	uint64_t memory[4] = {0, 11};
	unsigned char *bytes = (unsigned char *)&memory[2];
	struct flow_reader reader;
	struct flow_record got;
	(void)state;
	bytes[0] = FLOW_GO;
	memset(bytes + 1, 0xff, 9);
	for (int last = 1; last < 3; last++) {
		bytes[10] = (unsigned char)last;
		flow_reader_start(&reader, memory, sizeof memory);
		assert_int_equal(flow_log_get(&reader, &got), last == 1);
		assert_int_equal(reader.is_bad, last == 2);
	}
	assert_int_equal(got.time, UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_put_comes_out),          cmocka_unit_test(hooks_write_records),
		cmocka_unit_test(hooks_leave_the_rest_to_others), cmocka_unit_test(time_does_not_go_back),
		cmocka_unit_test(a_record_of_a_lock_is_short),    cmocka_unit_test(a_number_has_64_bits),
		cmocka_unit_test(hostile_bytes_end_the_log),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
