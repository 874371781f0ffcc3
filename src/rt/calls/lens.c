/* SPDX-License-Identifier: MIT */
/* lens.c: the interface of the `calls` lens to start.c and src/threads. */
#include "rt/calls/calls.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "modules/modules.h"
#include "raw/kernel.h"
#include "rt/rt.h"
#include "threads/helpers.h"
#include "threads/session.h"

enum { PERIOD_US = 1000 };

static bool is_timed(void)
{
	return !(raw_header()->flags & RAW_COUNTS);
}

static void waited(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t end)
{
	struct worker *w = calls_mine(self);
	if (!w || !is_timed())
		return;
	calls_wait_end(w, end - start, calls_time(&w->lane, end));
	w->lane.last = calls_time(&w->lane, end);
	waits_end(w, kind, end - start);
	forks_settle(w);
}

static void begins_to_wait(struct skein_self *self)
{
	struct worker *w = calls_mine(self);
	if (!w || !is_timed())
		return;
	calls_wait_begin(w);
	waits_begin(self);
}

static void adopt(struct skein_self *self, void *inherited)
{
	struct worker *w = calls_mine(self);
	if (!w || !calls_deepen(w))
		return;
	calls_take_up(w, inherited);
	self->from = forks_as_caller(inherited) | CALLS_ELSEWHERE;
}

/* Whatever the task left open above its frame ends with it. */
static void disown(struct skein_self *self, void *inherited)
{
	struct worker *w = calls_mine(self);
	if (!w)
		return;
	struct calls_frame *f = w->lane.top;
	while (f > w->lane.base && !(f->arc->flags & CALLS_ELSEWHERE && f->fork == inherited))
		f--;
	if (f > w->lane.base)
		calls_drop_to(w, f - 1, calls_now(w));
}

static void finish(uint32_t flag)
{
	calls_flush(is_timed());
	threads_refresh();
	raw_finish(flag);
}

static void begin(void)
{
	if (is_timed() && raw_is_open())
		snapshot_start(1000 * session_number(SESSION_PERIOD_US, PERIOD_US));
}

static void restart(struct skein_self *self)
{
	calls_restart(self);
	waits_restart();
	begin();
}

static void vfork_begin(struct skein_self *self)
{
	self->calls = &self_nobody;
	self->tables = self_no_tables;
}

static void vfork_end(struct skein_self *self)
{
	struct worker *w = calls_worker(self->lane);
	if (w) {
		self->calls = &w->lane;
		self->tables = w->tables;
	}
}

const void *skein_rt_restorer;

static void ignore(int number)
{
	(void)number;
}

/* The C library adds the restorer to every handler and shows it to the kernel only: so a handler is installed for a
 * moment, in the one thread that there is. */
static void find_restorer(void)
{
	struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		uint64_t mask;
	} kernels = {0};
	struct sigaction old, mine = {.sa_handler = ignore};
	if (helpers.sigaction(SIGURG, &mine, &old) != 0)
		return;
	kernel_call(SYS_rt_sigaction, SIGURG, NULL, &kernels, sizeof kernels.mask);
	helpers.sigaction(SIGURG, &old, NULL);
	skein_rt_restorer = kernels.restorer;
}

static uint32_t flags(void)
{
	return session_is(SESSION_MODE, MODE_COUNTS) ? RAW_COUNTS | RAW_NO_SNAPSHOTS : 0;
}

static void start(void)
{
	struct calls_cost measured = {0};
	if (is_timed()) {
		modules_start();
		measured = calibrate();
		pace_set(session_number(SESSION_OVERHEAD, 0));
	} else
		find_restorer();
	calls_set_cost(&measured);
	raw_header()->hook_ticks = measured.inside + measured.outside;
	raw_header()->untimed_ticks = measured.untimed;
}

const struct rt_lens rt_calls_lens = {
	.name = "calls",
	.lens = RAW_LENS_CALLS,
	.start = start,
	.begin = begin,
	.finish = finish,
	.region_begin = region_begin,
	.region_end = region_end,
	.cover = calls_cover,
	.restart = restart,
	.flags = flags,
	.client =
		{
			.thread_begin = calls_begin,
			.thread_end = calls_end,
			.wait_begin = begins_to_wait,
			.wait_end = waited,
			.capture = forks_capture,
			.retain = forks_retain,
			.release = forks_release,
			.team_begin = forks_team_begin,
			.team_end = forks_team_end,
			.adopt = adopt,
			.disown = disown,
			.vfork_begin = vfork_begin,
			.vfork_end = vfork_end,
		},
};
