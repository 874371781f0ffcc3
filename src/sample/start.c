/* SPDX-License-Identifier: MIT */
/* start.c: starts and ends the sampler, and handles forks. The sampler is preloaded into the program and into all
 * programs that it executes. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "raw/kernel.h"
#include "sample/contexts.h"
#include "sample/crew.h"
#include "sample/interpose_signal.h"
#include "sample/sampled.h"
#include "sample/strangers.h"
#include "threads/arena.h"
#include "threads/session.h"

enum { FIRST_NODES = LCCT_ROWS, MORE_NODES = 4 * LCCT_ROWS, HERTZ = 1000 };

/* ---- the tree lives in the recording ---- */

static struct lcct_node *more_nodes(void *context, uint32_t first, uint32_t *count, void **chunk)
{
	(void)context;
	*count = first <= FIRST_NODES ? FIRST_NODES : MORE_NODES;
	struct raw_table *table = raw_add_table(RAW_IDLE_NODES, RAW_NO_LANE, first, *count);
	*chunk = table;
	return table ? raw_rows(table) : NULL;
}

static void nodes_used(void *chunk, uint32_t rows)
{
	struct raw_table *table = chunk;
	uint32_t now = __atomic_load_n(&table->used, __ATOMIC_RELAXED);
	while (now < rows && !__atomic_compare_exchange_n(&table->used, &now, rows, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

static void *more_memory(void *context, size_t bytes)
{
	(void)context;
	return arena_take(bytes);
}

static const struct lcct_port port = {more_nodes, nodes_used, more_memory};

/* ---- how it is sampled ---- */

static uint32_t cores_allowed(void)
{
	uint64_t mask[16] = {0};
	uint64_t quota = session_number(SESSION_CORES, 0);
	uint32_t cores = 0;
	kernel_call(SYS_sched_getaffinity, 0, sizeof mask, mask);
	for (int i = 0; i < 16; i++)
		cores += (uint32_t)__builtin_popcountll(mask[i]);
	if (quota && quota < cores)
		cores = (uint32_t)quota;
	return cores ? cores : 1;
}

static uint64_t khz(void)
{
	return session_number(SESSION_KHZ, 2000000);
}

static uint64_t tenth(void)
{
	return khz() * 100;
}

static void prepare(void)
{
	static struct raw_idle_how nowhere;
	uint64_t hertz = session_number(SESSION_HERTZ, HERTZ);
	struct raw_table *table = raw_add_table(RAW_IDLE_HOW, RAW_NO_LANE, 0, 1);
	sampler.how = table ? raw_rows(table) : &nowhere;
	sampler.period_ns = 1000000000u / (hertz ? hertz : HERTZ);
	sampler.cores = cores_allowed();
	sampler.quarter_ticks = sampler.period_ns / 4 * khz() / 1000000;
	sampler.how->cores = sampler.cores;
	sampler.how->period_ns = sampler.period_ns;
	ticks_start(sampler.period_ns, session_value(SESSION_EVENTS));
	for (unsigned i = 0; i < RAW_IDLE_EVENT_MAX; i++)
		sampler.how->event_period[i] = ticks_event_period(i);
	if (table)
		table->used = 1;
	crew_join(session_folder(), tenth());
	modules_start();
	lcct_start(&sampler.tree, &port, NULL);
}

/* ---- fork, exec, end ---- */

static void in_child(struct skein_self *self)
{
	sigset_t saved;
	kernel_block_signals(&saved);
	raw_fork(session_folder(), RAW_NO_SNAPSHOTS | RAW_FORKED, self->lane ? self->lane->number : 0);
	modules_restart();
	crew_join(session_folder(), tenth());
	threads_restart();
	sampler_restart(self);
	kernel_restore_signals(&saved);
}

static void finish(uint32_t flag)
{
	struct skein_self *self = &skein_self;
	self->inside++;
	threads_refresh();
	sampler_finish(self);
	raw_finish(flag);
	crew_leave();
	if (flag == RAW_EXECED)
		signals_before_exec();
	self->inside--;
}

/* The clock does not tick while dlclose is in the kernel. */
static void unloads(uint64_t since)
{
	modules_closed();
	if (since)
		sampler_charge(since);
}

static void exec_failed(void)
{
	raw_header()->flags &= ~(uint32_t)RAW_EXECED;
	signals_after_exec();
	crew_join(session_folder(), tenth());
}

static const struct threads_client client = {
	.openers_adopt = true,
	.counts_apart = true,
	.thread_begin = sampler_thread_begin,
	.thread_ready = sampler_thread_ready,
	.thread_end = sampler_thread_end,
	.before_create = sampler_creates,
	.after_create = sampler_created,
	.wait_begin = sampler_wait_begin,
	.wait_end = sampler_wait_end,
	.capture = contexts_capture,
	.retain = contexts_retain,
	.release = contexts_release,
	.after_fork_child = in_child,
	.before_exit = finish,
	.after_failed_exec = exec_failed,
	.unloads = unloads,
	.no_signals = sampler_stop,
};

/* Before all other constructors, the C library's included (-z initfirst), since some start threads. */
__attribute__((constructor(102))) static void start(int argc, char **argv, char **environment)
{
	int error = errno;
	(void)argc;
	(void)argv;
	if (!__environ)
		__environ = environment;
	if (session_load() && session_is(SESSION_LENS, "idle") && raw_open(session_folder(), RAW_LENS_IDLE, RAW_NO_SNAPSHOTS) == 0) {
		prepare();
		signals_take();
		threads_start(&client);
		strangers_find();
	}
	errno = error;
}

__attribute__((destructor(101))) static void stop(void)
{
	if (threads_started())
		finish(RAW_FINISHED);
}
