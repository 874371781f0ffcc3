/* SPDX-License-Identifier: MIT */
/* clock.h: the times of records; for the files of this folder.
 *
 * With --order there are none. Then each object has a number that rises (Lamport, 1978): a record about an object comes behind all that
 * were made about it before, and its thread's later records behind that. So the numbers put the logs of all lanes in an order in which the
 * run could have happened, without a clock. Threads and processes meet rarely: where they do, the number is the tick, which no number that
 * rises by one has reached by then.
 *
 *     record.time = clock_now(mine);                   a tick, or the number of the thread's last record
 *     record.time = clock_anywhere(mine);              comparable with those of all threads
 *     clock_pull(mine, object);  …  clock_raise(mine, object);      before and behind a record about the object */
#ifndef SKEIN_TRACE_CLOCK_H
#define SKEIN_TRACE_CLOCK_H

#include "trace/log.h"
#include "trace/objects.h"

static inline bool clock_orders(const struct log *log)
{
	return __builtin_expect(log->hot.orders, 0);
}

static inline uint64_t clock_now(const struct log *log)
{
	return clock_orders(log) ? log->clock : arch_tick();
}

static inline uint64_t clock_anywhere(struct log *log)
{
	uint64_t tick = arch_tick();
	log->clock = tick > log->clock ? tick : log->clock + 1;
	return clock_orders(log) ? log->clock : tick;
}

static inline void clock_pull(struct log *log, const struct object *o)
{
	if (!clock_orders(log))
		return;
	uint64_t at = __atomic_load_n(&o->clock, __ATOMIC_ACQUIRE);
	log->clock = at > log->clock ? at : log->clock;
}

static inline void clock_raise(struct log *log, struct object *o)
{
	if (!clock_orders(log))
		return;
	uint64_t at = __atomic_load_n(&o->clock, __ATOMIC_RELAXED), mine = ++log->clock;
	while (at < mine && !__atomic_compare_exchange_n(&o->clock, &at, mine, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

#endif
