/* SPDX-License-Identifier: MIT */
#include "trace/lack.h"

#include <time.h>
#include "raw/kernel.h"

/* LEAST_NS: what two clocks may differ by when nothing has happened between them. */
enum { SLOW_TICKS = 50000, LEAST_NS = 10000, RATIO_BITS = 10 };

static bool estimates;

void lack_estimate(void)
{
	estimates = true;
}

static struct log_clocks look(const struct skein_self *self)
{
	struct log_clocks now = {.tick = arch_tick(), .thread = (uint64_t)self->number + 1};
	now.ns = kernel_clock_ns(CLOCK_MONOTONIC);
	now.cpu_ns = kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return now;
}

static void put_lack(struct skein_self *self, struct log *log, const struct log_clocks *now, uint64_t ticks)
{
	log_put(self, log, &(struct flow_record){.time = now->tick - ticks, .kind = FLOW_OFF, .field = {0, UINT32_MAX, 1}});
	log_put(self, log, &(struct flow_record){.time = now->tick, .kind = FLOW_ON, .field = {0, UINT32_MAX}});
}

void lack_look(struct skein_self *self, struct log *log)
{
	const struct log_clocks before = log->clocks;
	log->was_paused = log->paused;
	if (!estimates || log->paused || before.thread != (uint64_t)self->number + 1)
		return;
	uint64_t tick = arch_tick(), since = tick - log->looked;
	log->looked = tick;
	if (since < SLOW_TICKS)
		return;
	struct log_clocks now = look(self);
	log->clocks = now;
	uint64_t elapsed = now.ns - before.ns, ran = now.cpu_ns - before.cpu_ns;
	if (now.ns <= before.ns || ran + LEAST_NS >= elapsed)
		return;
	put_lack(self, log, &now, (elapsed - ran) * (((now.tick - before.tick) << RATIO_BITS) / elapsed) >> RATIO_BITS);
}

void lack_begin(const struct skein_self *self, struct log *log)
{
	bool is_new = log->clocks.thread != (uint64_t)self->number + 1;
	if (!estimates || log->paused || (!log->was_paused && !is_new))
		return;
	log->clocks = look(self);
	log->looked = log->clocks.tick;
}
