/* SPDX-License-Identifier: MIT */
/* The pass backward over more events than memory has links of: two threads meet at a barrier again and again, and one is always late.
 * tests/unit/flow/test_flow.c has slack itself against an oracle. */
#include <stdlib.h>

#include "analyse/flow/backward.h"
#include "unit/lib.h"

enum { TURNS = 300000, LATE = 10, EARLY = 4, STRANDS = 2 };
enum mark { MEET = 1, LEAVE };

static struct flow_strand strands[STRANDS];
static struct flow_object barrier;

static struct flow_strand *strand_at(void *context, uint32_t number)
{
	(void)context;
	return &strands[number];
}

static struct flow_object *object_at(void *context, uint32_t number)
{
	(void)context;
	(void)number;
	return &barrier;
}

static void *take(void *context, size_t bytes)
{
	(void)context;
	return malloc(bytes);
}

static void give(void *context, void *memory, size_t bytes)
{
	(void)context;
	(void)bytes;
	free(memory);
}

static void step(struct flow *flow, struct flow_backward *b, uint64_t time, uint32_t strand, enum flow_kind kind, uint64_t mark)
{
	flow_step(flow, &(struct flow_event){.time = time, .strand = strand, .kind = kind, .group = UINT32_MAX, .mark = mark});
	flow_backward_put(b, flow);
}

static void turn(struct flow *flow, struct flow_backward *b, uint64_t start)
{
	step(flow, b, start + EARLY, 1, FLOW_ARRIVE, MEET);
	step(flow, b, start + EARLY, 1, FLOW_PAUSE, MEET);
	step(flow, b, start + EARLY + 1, 0, FLOW_OFF, 0); /* without effect on the minimum: the work takes as long */
	step(flow, b, start + EARLY + 3, 0, FLOW_ON, 0);
	step(flow, b, start + LATE + 2, 0, FLOW_ARRIVE, MEET);
	step(flow, b, start + LATE + 2, 0, FLOW_PASS, LEAVE);
	step(flow, b, start + LATE + 2, 1, FLOW_PASS, LEAVE);
}

static const struct flow_backward_row *row_of(const struct flow_backward *b, uint32_t strand, uint64_t from)
{
	for (size_t i = 0; i < b->row_count; i++)
		if (b->rows[i].strand == strand && b->rows[i].from == from && b->rows[i].to == MEET)
			return &b->rows[i];
	return NULL;
}

static void run(struct flow *flow, struct flow_backward *b, const char *folder)
{
	static const struct flow_memory memory = {strand_at, object_at, take, give, NULL};
	static const struct flow_question simply = {.without = UINT32_MAX};
	flow_start(flow, &memory, &simply, 1);
	flow_backward_start(b, folder);
	for (uint32_t i = 0; i < STRANDS; i++)
		step(flow, b, 0, i, FLOW_BEGIN, 0);
	for (uint64_t i = 0; i < TURNS; i++)
		turn(flow, b, i * (LATE + 2));
	for (uint32_t i = 0; i < STRANDS; i++)
		step(flow, b, (uint64_t)TURNS * (LATE + 2), i, FLOW_END, 0);
	assert_int_equal(flow->longest[0], (uint64_t)TURNS * LATE);
	flow_backward_run(b, flow, STRANDS);
}

static void forget(struct flow *flow, struct flow_backward *b)
{
	flow_backward_free(b);
	for (uint32_t i = 0; i < STRANDS; i++) {
		flow_forget_strand(flow, &strands[i]);
		strands[i] = (struct flow_strand){0};
	}
	flow_forget_object(flow, &barrier);
	barrier = (struct flow_object){0};
}

static void more_links_than_memory_has(void **state)
{
	(void)state;
	struct flow flow;
	struct flow_backward b;
	run(&flow, &b, "./");
	assert_false(b.failed);
	assert_true(b.file >= 0);
	const struct flow_backward_row *late = row_of(&b, 0, LEAVE), *early = row_of(&b, 1, LEAVE);
	assert_non_null(late);
	assert_non_null(early);
	assert_int_equal(late->count, TURNS - 1);
	assert_int_equal(late->ticks, (TURNS - 1) * (uint64_t)LATE);
	assert_int_equal(late->critical, late->ticks);
	assert_int_equal(late->slack, 0);
	assert_int_equal(early->count, TURNS - 1);
	assert_int_equal(early->ticks, (TURNS - 1) * (uint64_t)EARLY);
	assert_int_equal(early->critical, 0);
	assert_int_equal(early->slack, LATE - EARLY);
	assert_int_equal(early->bound, early->ticks);
	assert_true(early->room == (double)early->ticks * (LATE - EARLY));
	assert_int_equal(row_of(&b, 1, 0)->count, 1); /* from its beginning */
	forget(&flow, &b);
}

/* Nothing is known then, and nothing is made up. */
static void there_is_no_space_for_links(void **state)
{
	(void)state;
	struct flow flow;
	struct flow_backward b;
	run(&flow, &b, "/nowhere/at/all/");
	assert_true(b.failed);
	assert_int_equal(b.row_count, 0);
	forget(&flow, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(more_links_than_memory_has), cmocka_unit_test(there_is_no_space_for_links)};
	return cmocka_run_group_tests(tests, lib_enter, lib_leave);
}
