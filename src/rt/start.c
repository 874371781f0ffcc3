/* SPDX-License-Identifier: MIT */
/* start.c: the runtime's own beginning and end, and what a fork means to it. */
#include "rt/calls.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "rt/session.h"

enum { PERIOD_US = 1000 };

static bool is_timed(void)
{
	return !(raw_header()->flags & RAW_COUNTS);
}

static void waited(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t end)
{
	struct worker *w = calls_mine(self);
	(void)kind;
	if (!w || !is_timed())
		return;
	__atomic_fetch_add(&w->lane.top->arc->wait_ticks, end - start, __ATOMIC_RELAXED);
	forks_settle(w);
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

static void exec_failed(void)
{
	raw_header()->flags &= ~(uint32_t)RAW_EXECED;
}

/* No handler may run before the child has a recording of its own. */
static void in_child(struct skein_self *self)
{
	sigset_t all, saved;
	uint32_t mode = raw_header()->flags & (RAW_COUNTS | RAW_NO_SNAPSHOTS);
	sigfillset(&all);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &saved, (size_t)8);
	objects_restart();
	raw_fork(session_folder(), mode | RAW_FORKED, self->lane ? self->lane->number : 0);
	threads_restart();
	calls_restart(self);
	if (!mode && raw_is_open())
		snapshot_start(1000 * session_number("period_us", PERIOD_US));
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &saved, NULL, (size_t)8);
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
	if (sigaction(SIGURG, &mine, &old) != 0)
		return;
	syscall(SYS_rt_sigaction, SIGURG, NULL, &kernels, sizeof kernels.mask);
	sigaction(SIGURG, &old, NULL);
	skein_rt_restorer = kernels.restorer;
}

static const struct threads_client client = {
	.thread_begin = calls_begin, .thread_end = calls_end, .wait_end = waited,
	.capture = forks_capture, .retain = forks_retain, .release = forks_release,
	.team_begin = forks_team_begin, .team_end = forks_team_end, .adopt = adopt, .disown = disown,
	.after_fork_child = in_child, .before_exit = finish, .after_failed_exec = exec_failed,
	.vfork_begin = vfork_begin, .vfork_end = vfork_end,
};

/* Called by the runtime's own constructor or, where an object's comes first (in a static program), by that. */
__attribute__((constructor(102))) void rt_start(void)
{
	static bool was_here;
	int saved_errno = errno;
	if (was_here)
		return;
	was_here = true;
	if (session_load() && session_is("lens", "calls")) {
		bool counts = session_is("mode", "counts");
		uint64_t inside = 0, outside = 0;
		raw_open(session_folder(), RAW_LENS_CALLS, counts ? RAW_COUNTS | RAW_NO_SNAPSHOTS : 0);
		if (counts)
			find_restorer();
		else
			calibrate(&inside, &outside);
		calls_set_cost(inside, outside);
		raw_header()->hook_ticks = inside + outside;
		threads_start(&client);
		if (!counts && raw_is_open())
			snapshot_start(1000 * session_number("period_us", PERIOD_US));
	}
	errno = saved_errno;
}

/* After the destructors of everything that is instrumented: they run before those of the libraries that they need. */
__attribute__((destructor(101))) static void stop(void)
{
	if (threads_started())
		finish(RAW_FINISHED);
}
