/* SPDX-License-Identifier: MIT */
/* calibrate.c: measures what the hooks of one call take on this machine, for a report to say what Skein itself took.
 *
 * A routine that calls nothing but an empty one is entered and left a few thousand times in a lane of its own, by the code of
 * hooks. The quickest of several rounds counts: it was not interrupted. With a clock that is read, a call reads it four
 * times: where the caller's strand ends and goes on, and where the callee's begins and ends. */
#include "rt/span/span.h"

#include "arch/arch.h"

enum { ROUNDS = 16, CALLS = 128, ENTRIES = 64, READINGS = 4 };

struct bench {
	struct span_lane lane;
	struct span_site row;
	struct span_entry log[ENTRIES];
};

static __attribute__((noinline)) void call_empty(struct span_lane *lane)
{
	struct span_frame f;
	struct span_site *row = lane->row;
	span_enter(&f);
	__asm__ volatile("" : "+r"(row) : : "memory");
	span_leave_measured(lane, &f, row, 1);
}

static uint64_t round_of(struct bench *b)
{
	struct span_lane *lane = &b->lane;
	uint64_t start = arch_tick();
	for (int i = 0; i < CALLS; i++) {
		span_once_begin(&b->row, 0);
		lane->row = &b->row;
		call_empty(lane);
		span_check(lane);
		span_once_measured(lane, &b->row, b->row.key);
	}
	return (arch_tick() - start) / CALLS;
}

/* Ticks of a clock as ticks of the processor's. */
static uint64_t reading(void)
{
	uint64_t least = UINT64_MAX;
	for (int i = 0; i < CALLS && span_rt.now; i++) {
		uint64_t start = arch_tick();
		span_rt.now();
		uint64_t took = arch_tick() - start;
		least = took < least ? took : least;
	}
	return span_rt.now ? least : 0;
}

uint64_t span_calibrate(void)
{
	static struct bench b;
	uint64_t least = UINT64_MAX;
	b.lane.log = b.log;
	b.lane.room = sizeof b.log;
	b.lane.limit = b.lane.room - SPAN_SLACK;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t took = round_of(&b);
		least = took < least ? took : least;
	}
	return least + READINGS * reading();
}
