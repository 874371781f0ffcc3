/* SPDX-License-Identifier: MIT */
/* start.c: starts and ends the runtime, and handles forks. */
#include "rt/rt.h"

#include <errno.h>
#include <signal.h>
#include "modules/modules.h"
#include "raw/kernel.h"
#include "raw/writer.h"
#include "threads/session.h"

const struct rt_lens *rt_lens;

#define X(upper, lower, number, how, words, traits) LENS_IF_RELINK(how, &rt_##lower##_lens, )
static const struct rt_lens *const lenses[] = {LENS_LIST(X)};
#undef X
enum { LENSES = sizeof lenses / sizeof *lenses };

static void exec_failed(void)
{
	raw_header()->flags &= ~(uint32_t)RAW_EXECED;
	if (rt_lens->exec_failed)
		rt_lens->exec_failed();
}

static void unloads(uint64_t since)
{
	(void)since;
	modules_closed();
}

static uint32_t flags(void)
{
	return rt_lens->flags ? rt_lens->flags() : RAW_NO_SNAPSHOTS;
}

/* No handler may run before the child has its own recording. */
static void in_child(struct skein_self *self)
{
	sigset_t saved;
	kernel_block_signals(&saved);
	objects_restart();
	raw_fork(session_folder(), flags() | RAW_FORKED, self->lane ? self->lane->number : 0);
	threads_restart();
	rt_lens->restart(self);
	kernel_restore_signals(&saved);
}

/* Called by the runtime's own constructor or, where an object's comes first (in a static program), by that. */
__attribute__((constructor(102))) void rt_start(void)
{
	static bool was_here;
	int saved_errno = errno;
	if (was_here)
		return;
	was_here = true;
	bool loaded = session_load();
	for (size_t i = 0; loaded && i < LENSES; i++)
		if (session_is(SESSION_LENS, lenses[i]->name))
			rt_lens = lenses[i];
	if (rt_lens) {
		struct threads_client client = rt_lens->client;
		client.after_fork_child = in_child;
		client.before_exit = rt_lens->finish;
		client.after_failed_exec = exec_failed;
		client.unloads = unloads;
		raw_open(session_folder(), rt_lens->lens, flags());
		rt_lens->start();
		threads_start(&client);
		if (rt_lens->begin)
			rt_lens->begin();
	}
	errno = saved_errno;
}

static bool runs_hooks(const struct rt_lens *lens)
{
	return !rt_lens || rt_lens == lens; /* without a session, the hooks of an object may be any lens's */
}

void rt_opened(const struct skein_object *object)
{
	for (size_t i = 0; i < LENSES; i++)
		if (runs_hooks(lenses[i]) && lenses[i]->opened)
			lenses[i]->opened(object);
}

void rt_closed(const struct skein_object *object)
{
	for (size_t i = 0; i < LENSES; i++)
		if (runs_hooks(lenses[i]) && lenses[i]->closed)
			lenses[i]->closed(object);
}

/* After the destructors of everything that is instrumented: they run before those of the libraries that they need. */
__attribute__((destructor(101))) static void stop(void)
{
	if (threads_started())
		rt_lens->finish(RAW_FINISHED);
}
