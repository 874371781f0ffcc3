/* SPDX-License-Identifier: MIT */
/* static.c: the threads module of a program that was linked with -static.
 *
 * In such a program nothing can be interposed, and OpenMP's tools interface is not available. A thread is met when
 * it first enters profiled code and ends with its keys; waiting is not seen, so n_working counts the threads that
 * have been met and live. This is enough for counts; times are refused before the program is linked. */
#include <errno.h>
#include <stdlib.h>
#include "threads/client.h"
#include "threads/helpers.h"

struct helpers helpers = {
#define X(type, name, parameters, arguments) .name = name,
	HELPERS_LIST(X)
#undef X
};

static void before_fork(void)
{
	skein_self.inside++;
}

static void after_fork_parent(void)
{
	skein_self.inside--;
}

static void after_fork_child(void)
{
	if (threads_client.after_fork_child)
		threads_client.after_fork_child(&skein_self);
	skein_self.inside--;
}

void threads_watch_fork(void)
{
	pthread_atfork(before_fork, after_fork_parent, after_fork_child);
}

void threads_ompt_restart(void)
{
}

int threads_create_hidden(const struct threads_hidden *what)
{
	(void)what;
	return ENOTSUP;
}

bool threads_hidden_sleep(uint64_t ns)
{
	(void)ns;
	return false;
}
