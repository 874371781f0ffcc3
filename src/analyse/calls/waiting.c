/* SPDX-License-Identifier: MIT */
/* waiting.c: which routine waits most, for what, and what all workers waited for when none was busy.
 *
 * Not every wait is a fault. A thread that spends its life in one wait (for a signal, for a connection) is made for that, a
 * joining thread waits for work and not for lack of it, and who sleeps wants to. Such waits come last. */
#include <string.h>

#include "analyse/calls/judge.h"
#include "base/text.h"

#define LIFE 0.9 /* part of a worker's life: a wait that is longer is what the thread is for */

int calls_main_wait(const struct run_worker *worker)
{
	int kind = 0;
	for (int k = 1; k < RAW_WAIT_KINDS; k++)
		if (worker->wait_ns[k] > worker->wait_ns[kind])
			kind = k;
	return kind;
}

enum calls_wait_rank calls_wait_rank(const struct calls *calls, const struct calls_wait *wait)
{
	bool lasts = (double)wait->longest_ns > LIFE * (double)calls->run->workers[wait->worker].alive_ns;
	switch ((enum raw_wait)wait->kind) {
	case RAW_WAIT_JOIN: return CALLS_BY_DESIGN;
	case RAW_WAIT_SLEEP: return lasts ? CALLS_BY_DESIGN : CALLS_ASLEEP;
	case RAW_WAIT_CONDITION:
	case RAW_WAIT_SEMAPHORE:
	case RAW_WAIT_IO: return lasts ? CALLS_BY_DESIGN : CALLS_WAITS;
	default: return CALLS_WAITS;
	}
}

/* The rows of a routine lie together, and in them those of a kind, of an object and of a place. */
static bool is_same(const struct calls_wait *a, const struct calls_wait *b, enum calls_wait_part part)
{
	return a->routine == b->routine && (part < CALLS_OF_KIND || a->kind == b->kind) &&
		(part < CALLS_OF_OBJECT || (strcmp(a->object, b->object) == 0 && strcmp(a->file, b->file) == 0 && a->line == b->line));
}

struct calls_wait_sum calls_longest_wait(const struct calls *calls, const struct calls_wait *within, enum calls_wait_part part,
                                         uint32_t ranks)
{
	struct calls_wait_sum best = {0};
	for (size_t i = 0, end; i < calls->wait_count; i = end) {
		struct calls_wait_sum sum = {.wait = &calls->waits[i]};
		for (end = i; end < calls->wait_count && is_same(sum.wait, &calls->waits[end], part); end++)
			if (ranks & 1u << calls_wait_rank(calls, &calls->waits[end]))
				sum.ns += calls->waits[end].ns;
		if (sum.ns > best.ns && (!within || is_same(sum.wait, within, part - 1)))
			best = sum;
	}
	return best;
}

struct calls_wait_sum calls_first_wait(const struct calls *calls)
{
	struct calls_wait_sum routine = calls_longest_wait(calls, NULL, CALLS_OF_ROUTINE, 1u << CALLS_WAITS);
	return calls_longest_wait(calls, routine.wait, CALLS_OF_KIND, 1u << CALLS_WAITS);
}

static const char *const nouns[RAW_WAIT_KINDS] = {
	[RAW_WAIT_LOCK] = "for locks",
	[RAW_WAIT_CONDITION] = "for conditions",
	[RAW_WAIT_SEMAPHORE] = "for semaphores",
	[RAW_WAIT_BARRIER] = "at barriers",
	[RAW_WAIT_JOIN] = "for threads to end",
	[RAW_WAIT_IO] = "for input and output",
	[RAW_WAIT_SLEEP] = "asleep",
	[RAW_WAIT_TASK] = "for tasks",
	[RAW_WAIT_MESSAGE] = "for messages",
	[RAW_WAIT_COLLECTIVE] = "in collective calls",
};

const char *calls_wait_noun(const struct calls_wait *wait)
{
	return nouns[wait->kind];
}

bool calls_is_for_work(const struct calls_wait *wait)
{
	return wait && (wait->kind == RAW_WAIT_CONDITION || wait->kind == RAW_WAIT_SEMAPHORE);
}

uint64_t calls_alive_ns(const struct calls *calls)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < calls->run->worker_count; i++)
		sum += calls->run->workers[i].alive_ns;
	return sum;
}

/* ---- what all waited for ---- */

static bool is_outward(const struct calls_wait *wait, int reason)
{
	switch (reason) {
	case 0: return raw_wait_is_for_ranks((enum raw_wait)wait->kind);
	case 1: return wait->kind == RAW_WAIT_IO;
	case 2: return wait->kind == RAW_WAIT_JOIN && *wait->object;
	default: return wait->kind == RAW_WAIT_SLEEP;
	}
}

/* When no worker is busy, one of them waits for what no worker can give: that is the reason, whatever the others wait for. */
const struct calls_wait *calls_outward_wait(const struct calls *calls, uint64_t at_least_ns)
{
	for (int reason = 0; reason < 4; reason++) {
		const struct calls_wait *best = NULL;
		uint64_t most = 0;
		for (size_t i = 0, end; i < calls->wait_count; i = end) {
			uint64_t sum = 0;
			for (end = i; end < calls->wait_count && is_same(&calls->waits[i], &calls->waits[end], CALLS_OF_KIND); end++)
				sum += is_outward(&calls->waits[end], reason) ? calls->waits[end].ns : 0;
			if (sum > most) {
				most = sum;
				best = &calls->waits[i];
			}
		}
		if (best && most >= at_least_ns)
			return best;
	}
	return NULL;
}
