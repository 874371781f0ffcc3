/* SPDX-License-Identifier: MIT */
/* once.c: what is initialised once. The thread that runs the initialiser opens what others, who had to wait for it, enter.
 *
 * The C library does not say who runs it: so the initialiser is one of ours, which calls the program's. */
#include <stddef.h>
#include "threads/interpose/interpose.h"
#include "trace/trace.h"

#define CALLER __builtin_return_address(0)

struct once {
	void (*begin)(void);
	const void *control, *caller;
	struct once *outer;
	bool waits, runs;
};

static void run(void)
{
	struct once *mine = skein_self.once;
	skein_self.once = mine->outer;
	mine->runs = true;
	wait_close(mine->waits);
	mine->begin(); /* may throw or jump: then another thread runs it */
	note(FLOW_OPEN, mine->control, mine->caller);
}

/* Nearly all calls come when all is done, which glibc and musl tell alike. */
static bool is_done(const void *control)
{
	return __atomic_load_n((const int *)control, __ATOMIC_ACQUIRE) & 2;
}

static void open_once(struct once *once)
{
	trace_once(once->control, once->caller);
	once->waits = wait_open(RAW_WAIT_CONDITION, once->control, once->caller);
	skein_self.once = once;
}

static void close_once(struct once *once)
{
	if (once->runs)
		return;
	skein_self.once = once->outer;
	note(FLOW_ENTER, once->control, once->caller);
	wait_close(once->waits);
}

EXPORT int pthread_once(pthread_once_t *control, void (*begin)(void))
{
	if (!threads_client.note || is_done(control))
		return real.pthread_once(control, begin);
	struct once once = {.begin = begin, .control = control, .caller = CALLER, .outer = skein_self.once};
	open_once(&once);
	int result = real.pthread_once(control, run);
	close_once(&once);
	return result;
}

EXPORT void call_once(once_flag *control, void (*begin)(void))
{
	if (!threads_client.note || is_done(control)) {
		real.call_once(control, begin);
		return;
	}
	struct once once = {.begin = begin, .control = control, .caller = CALLER, .outer = skein_self.once};
	open_once(&once);
	real.call_once(control, run);
	close_once(&once);
}
