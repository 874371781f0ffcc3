/* SPDX-License-Identifier: MIT */
/* clock.c: clocks other than counted instructions: cycles, nanoseconds, or an event that the kernel counts.
 *
 * What lies between two readings with nothing between them is the profiler's own and is taken off every strand. */
#include "rt/span/span.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "arch/arch.h"
#include "raw/kernel.h"
#include "threads/helpers.h"
#include "threads/session.h"

static uint64_t ticks(void)
{
	return arch_tick();
}

static uint64_t nanoseconds(void)
{
	struct timespec t;
	helpers.clock_gettime(CLOCK_MONOTONIC, &t);
	return kernel_ns(&t);
}

static _Thread_local int event = -1; /* descriptor of this thread's counter */

static uint64_t events(void)
{
	uint64_t value = 0;
	if (event < 0) {
		struct perf_event_attr attr = {.type = (uint32_t)session_number(SESSION_EVENT_TYPE, 0),
		                               .size = sizeof attr,
		                               .config = session_number(SESSION_EVENT_CONFIG, 0),
		                               .exclude_kernel = 1,
		                               .exclude_hv = 1};
		event = (int)kernel_call(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	}
	return event >= 0 && kernel_call(SYS_read, event, &value, sizeof value) == sizeof value ? value : 0;
}

/* What an empty strand lasts, between the hooks that begin and end it. The quickest of several rounds was not interrupted. */
static uint64_t gap_now(void)
{
	enum { ROUNDS = 32, STRANDS = 64 };
	struct rt_frame f = {.n = 0};
	uint64_t least = UINT64_MAX;
	span_rt.gap = 0;
	for (int i = 0; i < ROUNDS; i++) {
		f.n = 0;
		for (int k = 0; k < STRANDS; k++) {
			span_strand_begins(&f);
			span_strand_ends(&f, 0);
		}
		least = f.n < least ? f.n : least;
	}
	return least / STRANDS;
}

static uint64_t cpu_ns(void)
{
	return kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void clock_wait_begin(struct skein_self *self)
{
	struct span_worker *w = span_rt.now ? span_worker(self->lane) : NULL;
	if (!w)
		return;
	w->wait_cpu_ns = cpu_ns();
	w->wait_ns = nanoseconds();
	w->wait_from = span_rt.now();
}

/* Waiting is no work: another thread's path leads to its end, or something outside of the program. In a call for input or output the
 * kernel may work instead; then the thread has its core. */
void clock_wait_end(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t end)
{
	struct span_worker *w = span_rt.now ? span_worker(self->lane) : NULL;
	(void)start;
	(void)end;
	if (!w || !w->wait_from)
		return;
	uint64_t took = span_rt.now() - w->wait_from, lasted = nanoseconds() - w->wait_ns, cpu = cpu_ns() - w->wait_cpu_ns;
	bool worked = raw_wait_nature(kind) == RAW_NATURE_CALLS && lasted;
	double waited = worked ? (double)took * ((double)(lasted - (cpu < lasted ? cpu : lasted)) / (double)lasted) : (double)took;
	w->waited += waited < (double)took ? (uint64_t)waited : took;
	w->wait_from = 0;
}

void clock_choose(void)
{
	struct raw_file *h = raw_header();
	h->span_clock = RAW_CLOCK_INSN;
	if (session_is(SESSION_CLOCK, "tsc")) {
		span_rt.now = ticks;
		h->span_clock = RAW_CLOCK_TSC;
	} else if (session_is(SESSION_CLOCK, "ns")) {
		span_rt.now = nanoseconds;
		h->span_clock = RAW_CLOCK_NS;
	} else if (session_is_set(SESSION_EVENT_TYPE)) {
		span_rt.now = events;
		h->span_clock = RAW_CLOCK_EVENT;
	}
	span_rt.gap = span_rt.now ? gap_now() : 0;
	h->hook_ticks = span_calibrate();
}
