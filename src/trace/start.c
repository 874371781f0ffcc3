/* SPDX-License-Identifier: MIT */
/* start.c: starts and ends the recorder, and handles forks. It is preloaded into the program and into all programs that it executes. */
#include <errno.h>
#include "raw/kernel.h"
#include "raw/writer.h"
#include "rt/rt.h"
#include "threads/session.h"
#include "trace/chunks.h"
#include "trace/lack.h"
#include "trace/trace.h"
#include "unwind/modules.h"

static void in_child(struct skein_self *self)
{
	sigset_t saved;
	kernel_block_signals(&saved);
	raw_fork(session_folder(), RAW_NO_SNAPSHOTS | RAW_FORKED, self->lane ? self->lane->number : 0);
	modules_restart();
	trace_forget();
	marks_restart();
	threads_restart();
	trace_restart(self);
	objects_restart();
	kernel_restore_signals(&saved);
}

static void finish(uint32_t flag)
{
	struct skein_self *self = &skein_self;
	if (self->lane && !self->inside)
		trace_exit(self, flag == RAW_EXECED);
	self->inside++;
	threads_refresh();
	raw_finish(flag);
	self->inside--;
}

static void unloads(uint64_t since)
{
	(void)since;
	modules_closed();
}

static void exec_failed(void)
{
	raw_header()->flags &= ~(uint32_t)RAW_EXECED;
}

static void begin_with_routines(struct skein_self *self, void *inherited)
{
	trace_thread_begin(self, inherited);
	trace_routines(self);
}

static const struct threads_client client = {
	.counts_apart = true,
	.thread_begin = trace_thread_begin,
	.thread_end = trace_thread_end,
	.wait_begin = trace_wait_begin,
	.wait_end = trace_wait_end,
	.note = trace_note,
	.runs = trace_runs,
	.moved = trace_moved,
	.capture = trace_capture,
	.before_fork = trace_before_fork,
	.after_fork_child = in_child,
	.before_exit = finish,
	.after_failed_exec = exec_failed,
	.unloads = unloads,
};

static struct threads_client with_routines(void)
{
	struct threads_client all = client;
	all.thread_begin = begin_with_routines;
	all.lend = trace_lend;
	all.adopt = trace_adopt;
	all.disown = trace_disown;
	all.vfork_begin = trace_no_routines;
	all.vfork_end = trace_routines;
	return all;
}

/* Before all other constructors, the C library's included (-z initfirst), since some start threads. */
__attribute__((constructor(102))) static void start(int argc, char **argv, char **environment)
{
	int error = errno;
	(void)argc;
	(void)argv;
	if (!__environ)
		__environ = environment;
	if (session_load() && session_is(SESSION_LENS, "flow") && raw_open(session_folder(), RAW_LENS_FLOW, RAW_NO_SNAPSHOTS) == 0) {
		struct threads_client all = session_is(SESSION_MODE, MODE_ROUTINES) ? with_routines() : client;
		modules_start();
		chunks_keep(session_number(SESSION_LAST_BYTES, 0));
		if (session_number(SESSION_ORDER, 0))
			trace_order();
		else if (session_number(SESSION_ESTIMATES, 0))
			lack_estimate();
		threads_start(&all);
	}
	errno = error;
}

__attribute__((destructor(101))) static void stop(void)
{
	if (threads_started())
		finish(RAW_FINISHED);
}
