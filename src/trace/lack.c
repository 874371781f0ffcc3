/* SPDX-License-Identifier: MIT */
#include "trace/lack.h"

#include <time.h>
#include "raw/kernel.h"
#include "threads/helpers.h"

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
	struct timespec t = {0};
	helpers.clock_gettime(CLOCK_MONOTONIC, &t);
	now.ns = kernel_ns(&t);
	now.cpu_ns = kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return now;
}

static void put_lack(struct skein_self *self, struct log *log, uint64_t ticks)
{
	uint64_t now = log->clocks.tick;
	log_put(self, log, &(struct flow_record){.time = now - ticks, .kind = FLOW_OFF, .field = {0, UINT32_MAX, 1}});
	log_put(self, log, &(struct flow_record){.time = now, .kind = FLOW_ON, .field = {0, UINT32_MAX}});
}

/* Ticks in which the thread had no core since `before`. */
static uint64_t lacked(const struct log_clocks *before, const struct log_clocks *now)
{
	uint64_t elapsed = now->ns - before->ns, ran = now->cpu_ns - before->cpu_ns, ticks = now->tick - before->tick;
	if (now->ns <= before->ns || ran + LEAST_NS >= elapsed)
		return 0;
	uint64_t idle = (elapsed - ran) * ((ticks << RATIO_BITS) / elapsed) >> RATIO_BITS;
	return idle > before->waited ? idle - before->waited : 0;
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
	log->clocks = look(self);
	uint64_t ticks = lacked(&before, &log->clocks);
	if (ticks >= SLOW_TICKS / 2)
		put_lack(self, log, ticks);
}

/* The thread works from its last record on. If that was long ago, it has lost its core since: it does little in between. */
static void begin_anew(struct skein_self *self, struct log *log)
{
	log->clocks = look(self);
	log->looked = log->clocks.tick;
	if (log->clocks.tick - log->hot.chunk.time >= SLOW_TICKS)
		put_lack(self, log, log->clocks.tick - log->hot.chunk.time);
}

/* A wait that was short needs no look: it is taken off the time until the next one. */
void lack_begin(struct skein_self *self, struct log *log)
{
	bool is_new = log->clocks.thread != (uint64_t)self->number + 1;
	if (!estimates)
		return;
	if (log->paused) {
		log->paused_tick = log->hot.chunk.time;
		return;
	}
	if (!log->was_paused && !is_new)
		return;
	uint64_t now = arch_tick();
	if (is_new || now - log->paused_tick >= SLOW_TICKS) {
		begin_anew(self, log);
		return;
	}
	log->looked = now;
	log->clocks.waited += now - log->paused_tick;
}
